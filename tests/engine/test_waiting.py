"""A run that waits stays where it is, whatever is changed meanwhile."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import runs

from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import Event, MemorySampled, MicroBatchAdded, RunFinished, StepFinished, WindowStarted
from gradviz.trainer import Trainer


@contextmanager
def running(**settings: object) -> Iterator[tuple[Control, list[Event]]]:
    """A run in a thread of its own, and its events as they come; it ends with the block."""
    config = RunConfig.of({"threads": 1, **settings})
    control, events = Control(config), []
    thread = threading.Thread(target=lambda: deque(map(events.append, Trainer(config).run(control)), 0))
    thread.start()
    try:
        yield control, events
    finally:
        control.stop()
        thread.join(30)
    assert not thread.is_alive()
    assert isinstance(events[-1], RunFinished)


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def settled(events: list[Event]) -> int:
    """The number of events once no more come for a while."""
    count = -1
    while count != len(events):
        count = len(events)
        time.sleep(0.15)
    return count


def steps(events: list[Event]) -> int:
    return len(runs.of_type(list(events), StepFinished))


def test_that_changes_make_a_waiting_full_lane_take_no_step() -> None:
    with running(lanes="full") as (control, events):
        control.allow(2)
        wait_for(lambda: steps(events) == 2)
        for lr in (0.1, 0.2, 0.3):
            control.set(now=True, lr=lr)
            settled(events)
        assert steps(events) == 2


def test_that_a_resync_of_a_diverged_lane_takes_no_step_by_itself() -> None:
    with running(**runs.DIVERGES) as (control, events):
        control.allow(None)
        wait_for(
            lambda: any(e.state_accumulated == "diverged" for e in runs.of_type(list(events), StepFinished))
        )
        control.hold()
        settled(events)
        before = steps(events)
        control.resync(now=True)
        settled(events)
        assert steps(events) == before


def test_that_changes_make_a_waiting_window_take_no_piece_more() -> None:
    with running() as (control, events):
        control.allow(8 * 2 + 3)
        wait_for(lambda: len(runs.of_type(list(events), MicroBatchAdded)) == 19)
        for change in ({"scaling": "unscaled"}, {"lr": 0.1}, {"scaling": "mean"}, {"twin": True}):
            before = settled(events)
            control.set(now=True, **change)
            settled(events)
            added = runs.of_type(events[before:], MicroBatchAdded)
            assert [event.index for event in added] == [1, 2, 3]
        control.resync(now=True)
        settled(events)
        assert steps(events) == 2
        assert events[-1].index == 3  # type: ignore[union-attr]


def test_that_a_lane_that_runs_alone_waits_for_credits() -> None:
    with running(lanes="full") as (control, events):
        control.allow(3)
        wait_for(lambda: steps(events) == 3)
        settled(events)
        assert steps(events) == 3


def test_that_another_n_while_waiting_is_seen_in_the_memory_too() -> None:
    with running() as (control, events):
        control.allow(8 * 5)
        wait_for(lambda: len(runs.of_type(list(events), MicroBatchAdded)) == 40)
        before = settled(events)
        control.set(now=True, micro_batches=64)
        settled(events)
        assert len(runs.of_type(events[before:], WindowStarted)[0].sizes) == 64
        assert runs.of_type(events[before:], MemorySampled)


def test_that_a_run_of_so_many_steps_waits_before_the_last_and_then_ends_without_being_asked() -> None:
    config = RunConfig.of({"threads": 1})
    control, events = Control(config), []
    thread = threading.Thread(target=lambda: deque(map(events.append, Trainer(config, 2).run(control)), 0))
    thread.start()
    control.allow(16)
    wait_for(lambda: len(runs.of_type(list(events), MicroBatchAdded)) == 16)
    settled(events)
    assert steps(events) == 1
    control.allow(1)
    thread.join(30)
    assert steps(events) == 2
    assert isinstance(events[-1], RunFinished)


def test_that_a_run_which_waits_within_many_pieces_has_told_its_memory_so_far() -> None:
    with running(batch=512, micro_batches=512) as (control, events):
        control.want_detail(memory=True)
        control.allow(20)
        wait_for(lambda: len(runs.of_type(list(events), MicroBatchAdded)) == 20)
        settled(events)
        told = [event for event in runs.of_type(list(events), MemorySampled) if event.lane == "accumulated"]
        assert len(told[-1].sample.ticks) == 20
        assert [len(event.sample.ticks) for event in told] == [1, 9, 17, 20]
