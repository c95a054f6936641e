"""Gradient accumulation: a batch that does not fit is taken in pieces, and `.grad` adds them up.

The gradient of a mean over B samples is the weighted sum of the gradients of the means over its pieces:

    ∇L = Σ_k (b_k / B) ∇L_k          and for N even pieces      ∇L = Σ_k (1 / N) ∇L_k

`backward()` does not overwrite `.grad`, it adds to it. So multiply each piece's mean loss by its weight, call
`backward()` for each piece, and only then let the optimizer step, once. Forget the weight and `.grad` holds
Σ_k ∇L_k, which is N times too large.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence

import torch
from torch import Tensor, nn


def accumulate(
    model: nn.Module,
    loss: Callable[[Tensor, Tensor], Tensor],
    micro_batches: Iterable[tuple[Tensor, Tensor]],
    weights: Sequence[float],
) -> Generator[Tensor, None, None]:
    """Add the window's gradient to `.grad`; after each backward yield that piece's mean loss, 0-d, detached.

    `micro_batches` are (inputs, targets), `loss` gives one loss a sample, shape (samples,). A window in one
    piece of weight 1 is the full batch. Begin with `.grad` set to None; the caller steps the optimizer.
    """
    weight = iter(weights)
    # no zip: it would hold on to a piece until it has the next one
    for inputs, targets in micro_batches:
        mean_loss = loss(model(inputs), targets).mean()
        (next(weight) * mean_loss).backward()
        yield mean_loss.detach()
        # only one piece is held at a time: that is the point of it
        del inputs, targets, mean_loss


def reference_gradient(
    model: nn.Module, loss: Callable[[Tensor, Tensor], Tensor], inputs: Tensor, targets: Tensor
) -> list[Tensor]:
    """The gradient R of the full batch's mean loss at the present weights, one tensor a trainable parameter.

    `.grad` is not touched. The caller puts random state and buffers back.
    """
    return list(_gradient(model, loss, inputs, targets, 1.0))


def reference_in_pieces(
    model: nn.Module, loss: Callable[[Tensor, Tensor], Tensor], inputs: Tensor, targets: Tensor, pieces: int
) -> list[Tensor]:
    """As `reference_gradient`, for a batch that does not fit: the sum over its pieces k of (b_k / B) ∇L_k."""
    total: list[Tensor] = []
    for part, goal in zip(inputs.tensor_split(pieces), targets.tensor_split(pieces), strict=True):
        gradients = _gradient(model, loss, part, goal, len(part) / len(inputs))
        total = [a + g for a, g in zip(total, gradients, strict=True)] if total else list(gradients)
    return total


def _gradient(
    model: nn.Module, loss: Callable[[Tensor, Tensor], Tensor], inputs: Tensor, targets: Tensor, weight: float
) -> Sequence[Tensor]:
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    mean_loss = loss(model(inputs), targets).mean()
    return torch.autograd.grad(weight * mean_loss, parameters, allow_unused=True, materialize_grads=True)
