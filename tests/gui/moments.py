"""Real moments for the tests of the panes: a tiny plain-torch training that tells what happens as events."""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib.resources import files
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from gradviz.comparison import Comparison, compare
from gradviz.config import RunConfig
from gradviz.events import Arrows, Compared, Event, MicroBatchAdded, RunStarted, StepFinished, WindowStarted
from gradviz.history import History, Moment

SAMPLES = 1797
CLASSES = 10
SIDE = 8


def make_moment(
    n: int = 8,
    scaling: str = "mean",
    k: int | None = None,
    step: int = 1,
    batch: int = 256,
    seed: int = 0,
    sizes: tuple[int, ...] | None = None,
    lr: float = 0.5,
) -> Moment:
    """The moment with `k` of `n` micro-batches added (None: all, and compared) in the window of `step`."""
    history = make_history(
        step, n, scaling, batch, seed, sizes, lr, seen=frozenset([step]), finish_last=False
    )
    moment = history.at(len(history) - 1 if k is None else k)
    assert moment is not None
    return moment


def make_history(
    steps: int = 12,
    n: int = 8,
    scaling: str = "mean",
    batch: int = 256,
    seed: int = 0,
    sizes: tuple[int, ...] | None = None,
    lr: float = 0.5,
    seen: frozenset[int] | None = None,
    finish_last: bool = True,
) -> History:
    """A history of `steps` steps of both lanes; `seen` are the steps with detail (None: all of them)."""
    history = History()
    for event in events(steps, n, scaling, batch, seed, sizes, lr, seen):
        if finish_last or not (isinstance(event, StepFinished) and event.step == steps):
            history.append(event)
    return history


def events(
    steps: int,
    n: int = 8,
    scaling: str = "mean",
    batch: int = 256,
    seed: int = 0,
    sizes: tuple[int, ...] | None = None,
    lr: float = 0.5,
    seen: frozenset[int] | None = None,
) -> Iterator[Event]:
    """Train both lanes with SGD for `steps` windows and yield what happens."""
    torch.manual_seed(seed)
    inputs, targets, pictures = _data()
    full, accumulated = _model(), _model()
    accumulated.load_state_dict(full.state_dict())
    sizes = sizes or tuple(len(part) for part in np.array_split(np.arange(batch), n))
    weights = _weights(sizes, scaling)
    order = torch.randperm(SAMPLES)
    config = RunConfig(batch=sum(sizes), micro_batches=len(sizes), scaling=scaling, lr=lr, seed=seed)  # type: ignore[arg-type]
    yield RunStarted(
        config, "digits", "MLP 64-64-10, tanh", "cpu", 4810, math.log(CLASSES), "guessing: ln 10 = 2.303"
    )
    for step in range(1, steps + 1):
        rows = order[torch.arange((step - 1) * sum(sizes), step * sum(sizes)) % SAMPLES]
        x, y = inputs[rows], targets[rows]
        loss_full, full_gradient = _gradient(full, x, y)
        if seen is None or step in seen:
            yield from _window(accumulated, x, y, step, sizes, weights, scaling, lr, pictures[rows.numpy()])
        loss, gradient = _accumulated(accumulated, x, y, sizes, weights)
        yield StepFinished(
            step, loss_full, loss, None, len(sizes), scaling, lr, "training", _state(loss), None
        )
        _descend(full, full_gradient, lr)
        _descend(accumulated, gradient, lr)


def _window(
    model: nn.Module,
    x: Tensor,
    y: Tensor,
    step: int,
    sizes: tuple[int, ...],
    weights: tuple[float, ...],
    scaling: str,
    lr: float,
    pictures: np.ndarray,
) -> Iterator[Event]:
    reference = _gradient(model, x, y)[1]
    chosen = torch.argsort(reference.abs(), descending=True)[:24].sort().values
    starts = np.cumsum((0, *sizes))
    yield WindowStarted(
        step, False, sizes, weights, scaling, lr, float(reference.norm()), _frozen(chosen),
        tuple(_name(model, int(index)) for index in chosen), _frozen(reference[chosen]),
        tuple(pictures[a : min(b, a + 8)] for a, b in pairwise(starts)),
    )  # fmt: skip
    pieces: list[Tensor] = []
    total = 0.0
    for index, (a, b) in enumerate(pairwise(starts)):
        loss, gradient = _gradient(model, x[a:b], y[a:b])
        pieces.append(weights[index] * gradient)
        share = float(pieces[-1] @ reference / (reference @ reference))
        total += share
        values = _frozen(torch.stack(pieces).sum(0)[chosen])
        arrows = _arrows(torch.stack(pieces), reference, False)
        yield MicroBatchAdded(
            step, index + 1, sizes[index], weights[index], loss, share, total, values, arrows
        )
    stack = torch.stack(pieces)
    comparison = _compare(stack, reference)
    arrows = _arrows(stack, reference, comparison.kind != "equal")
    yield Compared(step, comparison, "" if comparison.kind == "equal" else comparison.verdict, arrows)


def _data() -> tuple[Tensor, Tensor, np.ndarray]:
    """The digits that ship: inputs from 0 to 1, classes, grey values."""
    with np.load(str(files("gradviz.resources") / "digits.npz")) as data:
        images, targets = data["images"], data["labels"].astype(np.int64)
    flat = torch.tensor(images.reshape(SAMPLES, -1) / 16, dtype=torch.float32)
    return flat, torch.tensor(targets), np.round(images * 255.0 / 16).astype(np.uint8)


def _model() -> nn.Module:
    return nn.Sequential(nn.Linear(SIDE * SIDE, 64), nn.Tanh(), nn.Linear(64, CLASSES))


def _weights(sizes: tuple[int, ...], scaling: str) -> tuple[float, ...]:
    by_scaling = {
        "mean": [1 / len(sizes)] * len(sizes),
        "unscaled": [1.0] * len(sizes),
        "samples": [size / sum(sizes) for size in sizes],
    }
    return tuple(by_scaling[scaling])


def _gradient(model: nn.Module, x: Tensor, y: Tensor) -> tuple[float, Tensor]:
    loss = cross_entropy(model(x), y)
    return loss.item(), torch.cat(
        [part.flatten() for part in torch.autograd.grad(loss, list(model.parameters()))]
    )


def _accumulated(
    model: nn.Module, x: Tensor, y: Tensor, sizes: tuple[int, ...], weights: tuple[float, ...]
) -> tuple[float, Tensor]:
    parts = [_gradient(model, a, b) for a, b in zip(x.split(list(sizes)), y.split(list(sizes)), strict=True)]
    loss = sum(size / sum(sizes) * part[0] for size, part in zip(sizes, parts, strict=True))
    return loss, torch.stack([weight * part[1] for weight, part in zip(weights, parts, strict=True)]).sum(0)


def _descend(model: nn.Module, gradient: Tensor, lr: float) -> None:
    with torch.no_grad():
        parameters = list(model.parameters())
        for parameter, part in zip(parameters, gradient.split([p.numel() for p in parameters]), strict=True):
            parameter -= lr * part.view_as(parameter)


def _compare(pieces: Tensor, reference: Tensor) -> Comparison:
    length = float(reference.double().norm())
    shares = [float(piece.double() @ reference.double()) / length**2 for piece in pieces]
    return compare(pieces.sum(0).numpy(), reference.numpy(), shares, "float32")


def _arrows(pieces: Tensor, reference: Tensor, wrong: bool) -> Arrows:
    along = reference / reference.norm()
    across = pieces - torch.outer(pieces @ along, along)
    if wrong and float(across.sum(0).norm()) > 1e-3 * float(reference.norm()):
        sideways = across.sum(0)
    else:
        # the small square matrix has the same leading direction, and is quick for many pieces
        sideways = across.T @ torch.linalg.eigh(across @ across.T).eigenvectors[:, -1]
    if float(across.norm()) < 1e-5 * float(reference.norm()):
        sideways = torch.ones_like(reference) - torch.ones_like(reference) @ along * along
    sideways = sideways / sideways.norm() * (1 if float(across[0] @ sideways) < 0 else -1)
    plane = torch.stack([pieces @ sideways, pieces @ along], 1)
    shown = float(plane.norm(dim=1).sum() / pieces.norm(dim=1).sum())
    which = (
        "error" if wrong and float(across.sum(0).norm()) > 1e-3 * float(reference.norm()) else "disagreement"
    )
    return Arrows(_frozen(plane / reference.norm()), which, shown)  # type: ignore[arg-type]


def _name(model: nn.Module, index: int) -> str:
    for name, parameter in model.named_parameters():
        if index < parameter.numel():
            where = ", ".join(str(int(i)) for i in np.unravel_index(index, tuple(parameter.shape)))
            return f"{name}[{where}]"
        index -= parameter.numel()
    raise IndexError(index)


def _state(loss: float) -> str:
    return "exploded" if loss > 10 * math.log(CLASSES) else "training"


def _frozen(values: Tensor) -> np.ndarray:
    array = values.detach().numpy().copy()
    array.flags.writeable = False
    return array
