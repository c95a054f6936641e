"""A run without torch: it obeys its control as the trainer does, and its numbers are simple."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from gradviz.comparison import Comparison, Kind
from gradviz.config import RunConfig
from gradviz.control import Answer, Control
from gradviz.events import (
    Compared,
    Event,
    MicroBatchAdded,
    RunFinished,
    RunStarted,
    StepFinished,
    WindowStarted,
)
from gradviz.layers import Layer, LayerComparison


def fake_run(config: RunConfig, control: Control) -> Iterator[Event]:
    """Steps for ever; a window that is changed while it is held is taken again up to where it was."""
    layers = (Layer("0.weight", (1, 2), 0),)
    yield RunStarted(config, "Digits", "fake", "cpu", 2, 2.303, "guessing", layers, None, "", None, None)
    step = 0
    while True:
        step += 1
        config, _ = control.take_changes()
        seen, _ = control.take_wishes()
        unasked, retaken = 0, False
        while True:
            added = 0
            if seen:
                yield _window(step, config, retaken)
            for index in range(config.micro_batches):
                answer = Answer.GO if index < unasked else control.ask(spend=True, wait=True)
                if answer is not Answer.GO:
                    break
                added = index + 1
                if seen:
                    yield _piece(step, added, config)
            else:
                if seen:
                    yield _compared(step, config)
                answer = control.ask(spend=False, wait=True)
            if answer is Answer.GO:
                break
            if answer is Answer.STOP:
                yield RunFinished(step - 1)
                return
            config, _ = control.take_changes()
            unasked, retaken = min(added, config.micro_batches), True
        loss = 2.303 / step
        yield StepFinished(
            step,
            loss,
            loss,
            None,
            config.micro_batches,
            config.scaling,
            config.lr,
            "training",
            "training",
            None,
            None,
            None,
        )


def slow_run(config: RunConfig, control: Control) -> Iterator[Event]:
    """A run whose micro-batches take a while, as a backward of a large model does."""
    for event in fake_run(config, control):
        time.sleep(0.002)
        yield event


def _weight(config: RunConfig) -> float:
    return 1.0 if config.scaling == "unscaled" else 1.0 / config.micro_batches


def _window(step: int, config: RunConfig, retaken: bool) -> WindowStarted:
    n = config.micro_batches
    sizes = tuple(len(part) for part in np.array_split(np.arange(config.batch), n))
    return WindowStarted(
        step, retaken, sizes, (_weight(config),) * n, config.scaling, config.lr, 1.0,
        np.ones(1), np.arange(2), np.ones(2), None, None, False, None,
    )  # fmt: skip


def _piece(step: int, index: int, config: RunConfig) -> MicroBatchAdded:
    weight = _weight(config)
    size = config.batch // config.micro_batches
    return MicroBatchAdded(
        step, index, size, weight, 1.0, weight, weight * index, np.full(2, weight * index), None, None, None
    )


def _compared(step: int, config: RunConfig) -> Compared:
    ratio = _weight(config) * config.micro_batches
    shares = (_weight(config),) * config.micro_batches
    kind: Kind = "equal" if ratio == 1.0 else "scaled"
    error = ratio - 1
    found = Comparison(ratio, 0.0, 1.0, error, error, 0.0, 0.0, shares, kind, f"{ratio:g} ×", "float32")
    layers = LayerComparison(np.full(1, ratio), np.zeros(1), np.full(1, error))
    return Compared(step, found, "", None, layers)
