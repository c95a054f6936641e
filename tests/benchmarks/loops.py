"""The loops that steps are compared with and timed in."""

from __future__ import annotations

import time
from collections.abc import Iterator

import torch
from torch import Tensor

from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import StepFinished
from gradviz.lanes import Lanes
from gradviz.trainer import Trainer


class BareLoop:
    """Both lanes' training as one writes it by hand in plain torch: no reference, no events."""

    def __init__(self, config: RunConfig) -> None:
        lanes = Lanes(config)
        assert lanes.full is not None
        assert lanes.accumulated is not None
        problem = lanes.problem
        self._inputs, self._targets, self._loss = problem.inputs, problem.targets, problem.loss
        self._models = (lanes.full.model, lanes.accumulated.model)
        self._optimizers = [torch.optim.SGD(model.parameters(), config.lr) for model in self._models]
        self._windows = _windows(len(problem.inputs), config.batch, config.seed)
        self._pieces = config.micro_batches

    def step(self) -> None:
        """One window in both lanes, up to and with the optimizers' steps."""
        window = next(self._windows)
        full, accumulated = self._models
        loss = self._loss(full(self._inputs[window]), self._targets[window]).mean()
        loss.backward()
        loss.item()
        losses = []
        for piece in window.tensor_split(self._pieces):
            loss = self._loss(accumulated(self._inputs[piece]), self._targets[piece]).mean()
            (loss * (1 / self._pieces)).backward()
            losses.append(loss.detach())
        torch.stack(losses).tolist()
        for optimizer in self._optimizers:
            optimizer.step()
            optimizer.zero_grad()


class EngineLoop:
    """The trainer, driven as fast as it goes."""

    def __init__(self, config: RunConfig, *, seen: bool) -> None:
        control = Control(config, always_seen=seen)
        control.allow(None)
        self._events = Trainer(config).run(control)

    def step(self) -> None:
        """All events of one step."""
        while not isinstance(next(self._events), StepFinished):
            pass


def seconds_a_step(loop: BareLoop | EngineLoop, steps: int) -> float:
    """The mean over so many steps."""
    begun_s = time.perf_counter()
    for _ in range(steps):
        loop.step()
    return (time.perf_counter() - begun_s) / steps


def _windows(samples: int, batch: int, seed: int) -> Iterator[Tensor]:
    generator, row = torch.Generator().manual_seed(seed), torch.empty(0, dtype=torch.int64)
    while True:
        while len(row) < batch:
            row = torch.cat([row, torch.randperm(samples, generator=generator)])
        yield row[:batch]
        row = row[batch:]
