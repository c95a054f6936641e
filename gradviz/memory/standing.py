"""The tensors that outlast a segment of a lane's work, by kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from torch import Tensor, nn
from torch.optim import Optimizer


def weights(model: nn.Module) -> Iterator[Tensor]:
    """Parameters and buffers."""
    yield from model.parameters()
    yield from model.buffers()


def gradients(parameters: Iterable[nn.Parameter]) -> Iterator[Tensor]:
    """The `.grad` of each of the parameters that has one now."""
    for parameter in parameters:
        if parameter.grad is not None:
            yield parameter.grad


def optimizer_state(optimizer: Optimizer) -> Iterator[Tensor]:
    """What the optimizer keeps for each parameter, as far as it has been made."""
    for state in optimizer.state.values():
        for value in state.values():
            if isinstance(value, Tensor):
                yield value
