"""Real runs for the tests, and what they should be equal to: loops in plain torch."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import Event, StepFinished
from gradviz.trainer import Trainer

DIVERGES = {
    "scaling": "unscaled",
    "lr": 4.0,
    "batch": 64,
    "micro_batches": 64,
    "depth": 4,
    "activation": "relu",
}
"""Settings of a run whose accumulated lane diverges after a few steps."""


def run(steps: int, *, seen: bool = True, **settings: object) -> list[Event]:
    """The events of a run of so many steps."""
    config = RunConfig.of({"threads": 1, **settings})
    control = Control(config, always_seen=seen)
    control.allow(None)
    return list(Trainer(config, steps).run(control))


def of_type(events: list[Event], kind: type) -> list[Event]:
    """The events of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]


def losses(events: list[Event], lane: str = "accumulated") -> list[float]:
    """One loss a step."""
    return [getattr(event, f"loss_{lane}") for event in of_type(events, StepFinished)]


def plain_model(width: int = 64, activation: type[nn.Module] = nn.Tanh) -> nn.Sequential:
    """The default digits model, as one writes it by hand."""
    return nn.Sequential(nn.Linear(64, width), activation(), nn.Linear(width, 10))


def plain_digits(dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """All digits: inputs from 0 to 1, shape (1797, 64), and classes."""
    with resources.files("gradviz.resources").joinpath("digits.npz").open("rb") as file:
        data = np.load(file)
        images, labels = data["images"], data["labels"]
    return torch.tensor(images.reshape(-1, 64) / 16.0, dtype=dtype), torch.tensor(labels.astype(np.int64))


def plain_windows(batch: int, seed: int) -> Iterator[Tensor]:
    """Indices of one window after the other: shuffled epochs in an endless row."""
    generator, row = torch.Generator().manual_seed(seed), torch.empty(0, dtype=torch.int64)
    while True:
        while len(row) < batch:
            row = torch.cat([row, torch.randperm(1797, generator=generator)])
        yield row[:batch]
        row = row[batch:]


def plain_training(
    steps: int, *, batch: int = 256, lr: float = 0.5, seed: int = 0, dtype: torch.dtype = torch.float32
) -> list[float]:
    """The losses of ordinary full-batch SGD: no pieces, no lanes, nothing of ours."""
    torch.manual_seed(seed)
    model = plain_model().to(dtype)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    inputs, targets = plain_digits(dtype)
    found = []
    for _, window in zip(range(steps), plain_windows(batch, seed), strict=False):
        loss = functional.cross_entropy(model(inputs[window]), targets[window], reduction="none").mean()
        loss.backward()
        found.append(float(loss.detach()))
        optimizer.step()
        optimizer.zero_grad()
    return found


def flat(tensors: Iterator[Tensor] | list[Tensor]) -> Tensor:
    """One vector of many tensors."""
    return torch.cat([tensor.detach().reshape(-1) for tensor in tensors])


def relative_error(found: Tensor, right: Tensor) -> float:
    """‖found − right‖/‖right‖, in float64."""
    difference = found.double() - right.double()
    return float(difference.norm() / right.double().norm())
