"""Runs that go on for hours: nothing grows with the number of steps, and nothing is lost."""

from __future__ import annotations

import gc
import mmap
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import StepFinished
from gradviz.history import History
from gradviz.trainer import Trainer

LONG = 1_000_000
TINY = {
    "batch": 8,
    "micro_batches": 2,
    "width": 4,
    "threads": 1,
}


def steps_of(full: list[float], accumulated: list[float]) -> Iterator[StepFinished]:
    for step, (one, other) in enumerate(zip(full, accumulated, strict=True), 1):
        yield StepFinished(
            step, one, other, None, 8, "mean", 0.5, "training", "training", None, None, None
        )  # fmt: skip


def held_bytes(history: History) -> int:
    names = ("loss_full", "loss_accumulated", "loss_twin", "difference", "twin_apart")
    return sum(history.numbers(name).nbytes for name in names)


def test_that_a_million_steps_are_kept_in_bounded_memory_with_exact_extremes() -> None:
    random = np.random.default_rng(0)
    full = random.lognormal(size=LONG)
    accumulated = full * (1 + random.normal(0, 1e-7, LONG))
    history, held = History(), []
    for event in steps_of(full.tolist(), accumulated.tolist()):
        history.append(event)
        if event.step % (LONG // 4) == 0:
            held.append(held_bytes(history))
    assert history.steps == LONG
    assert max(held) < 8e6
    assert held[-1] == held[0]
    for name, values in (
        ("loss_full", full),
        ("loss_accumulated", accumulated),
        ("difference", np.abs(full - accumulated)),
    ):
        column = history.numbers(name)
        assert column.peak(LONG) == (int(values.argmax()) + 1, values.max())
        ends, width = column.extremes(LONG, 2048), column.width(2048)
        whole = values[: LONG // width * width].reshape(-1, width)
        assert np.array_equal(ends[: len(whole)], np.stack([whole.min(axis=1), whole.max(axis=1)], axis=1))
        newest = column.at(LONG)
        assert newest is not None
        assert newest.exact
        assert newest.low == values[-1]


def test_that_a_real_run_of_twelve_thousand_steps_does_not_grow() -> None:
    config = RunConfig.of(TINY)
    control, history = Control(config), History()
    control.allow(None)
    blocks: dict[int, int] = {}
    resident: dict[int, int] = {}
    for event in Trainer(config, 12_000).run(control):
        history.append(event)
        if not isinstance(event, StepFinished):
            continue
        if event.step % 30 == 0:
            # as the screen asks for it
            control.want_detail(memory=event.step % 900 == 0)
        if event.step in (6_500, 11_990):
            gc.collect()
            blocks[event.step] = sys.getallocatedblocks()
            resident[event.step] = resident_bytes()
    assert history.finished is not None
    assert history.steps == history.finished.step == 12_000
    assert blocks[11_990] - blocks[6_500] < 3_000
    assert resident[11_990] - resident[6_500] < 4e6


def resident_bytes() -> int:
    """What the process has in memory; 0 where that is not told as on Linux."""
    told = Path("/proc/self/statm")
    return int(told.read_text().split()[1]) * mmap.PAGESIZE if told.is_file() else 0
