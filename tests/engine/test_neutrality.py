"""Watching changes nothing: every weight, buffer and loss stays the same to the bit."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import cast

import noisy
import pytest
import runs
import torch
from torch import Tensor

from gradviz import probes
from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import (
    Compared,
    Event,
    MemorySampled,
    MicroBatchAdded,
    StepFinished,
    WindowStarted,
)
from gradviz.lanes import Lanes
from gradviz.trainer import Trainer

STEPS = 5
NOISY = {"batch": 16, "micro_batches": 4}
DIGITS = {"batch": 64, "micro_batches": 4}


@dataclass
class Trained:
    """What a run left behind, and what it told."""

    events: list[Event]
    lanes: Lanes

    def state(self, lane: str = "accumulated") -> list[Tensor]:
        """Weights, buffers and optimizer state of a lane, and the random state that it goes on with."""
        found = getattr(self.lanes, lane)
        state = [value for held in found.optimizer.state.values() for value in held.values()]
        tensors = [value for value in state if isinstance(value, Tensor)]
        return [*found.model.parameters(), *found.model.buffers(), *tensors, found.random_state.cpu]


@pytest.fixture
def noise(monkeypatch: pytest.MonkeyPatch) -> None:
    noisy.install(monkeypatch)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> list[Lanes]:
    """The lanes of each run that is begun."""
    found: list[Lanes] = []

    class Kept(Lanes):
        def __init__(self, config: RunConfig) -> None:
            super().__init__(config)
            found.append(self)

    monkeypatch.setattr("gradviz.trainer.Lanes", Kept)
    return found


def train(
    kept: list[Lanes],
    *,
    seen: bool,
    granted: int | None = None,
    meddle: Callable[[Control, Event], None] | None = None,
    **settings: object,
) -> Trained:
    """Five steps, by endless credits or by so many `granted` at once; `meddle` hears every event."""
    config = RunConfig.of({"threads": 1, **settings})
    control = Control(config, always_seen=seen)
    control.take_wishes()
    control.allow(granted)
    events: list[Event] = []
    # without a limit of steps there is no last one, which would be seen in any case
    with closing(cast("Generator[Event, None, None]", Trainer(config).run(control))) as stream:
        for event in stream:
            events.append(event)
            if isinstance(event, StepFinished) and event.step == STEPS:
                break
            if meddle is not None:
                meddle(control, event)
    return Trained(events, kept.pop())


def assert_same(found: Trained, right: Trained, lanes: tuple[str, ...] = ("full", "accumulated")) -> None:
    for lane in lanes:
        assert runs.losses(found.events, lane) == runs.losses(right.events, lane)
        pairs = list(zip(found.state(lane), right.state(lane), strict=True))
        assert pairs
        assert all(torch.equal(a, b) for a, b in pairs)


def toggled_at_every_point(events: set[tuple[int, int]]) -> Callable[[Control, Event], None]:
    """Forgets the 1/N after each event of a window, and puts it back in the window taken again."""

    def meddle(control: Control, event: Event) -> None:
        at = (event.step, getattr(event, "index", 0)) if hasattr(event, "step") else None
        if isinstance(event, WindowStarted) and event.scaling == "unscaled":
            control.set(now=True, scaling="mean")
        elif isinstance(event, (WindowStarted, MicroBatchAdded)) and at is not None and at not in events:
            events.add(at)
            control.set(now=True, scaling="unscaled")

    return meddle


def plain_accumulation(steps: int, *, batch: int, pieces: int, lr: float) -> list[Tensor]:
    """Accumulation as everybody writes it, on the noisy net: weights and buffers after so many steps."""
    torch.manual_seed(0)
    model = noisy.net()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    inputs, targets = noisy.data(torch.float32)
    order = _windows(batch)
    for _ in range(steps):
        window = next(order)
        for part in window.split(batch // pieces):
            loss = noisy.per_sample_loss(model(inputs[part]), targets[part]).mean()
            (loss / pieces).backward()
        optimizer.step()
        optimizer.zero_grad()
    return [*model.parameters(), *model.buffers()]


def _windows(batch: int) -> Iterator[Tensor]:
    generator = torch.Generator().manual_seed(0)
    while True:
        yield from torch.randperm(noisy.SAMPLES, generator=generator).split(batch)


@pytest.mark.usefixtures("noise")
@pytest.mark.parametrize("seen", [False, True])
def test_that_a_net_that_draws_and_counts_is_trained_as_plain_torch_does(
    kept: list[Lanes], seen: bool
) -> None:
    found = train(kept, seen=seen, lr=0.1, **NOISY).lanes.accumulated
    right = plain_accumulation(STEPS, batch=16, pieces=4, lr=0.1)
    assert found is not None
    mine = [*found.model.parameters(), *found.model.buffers()]
    assert all(torch.equal(a, b) for a, b in zip(mine, right, strict=True))


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam", "adamw"])
@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_that_reference_gradients_and_probes_change_not_one_bit(
    kept: list[Lanes], optimizer: str, precision: str
) -> None:
    settings = {**DIGITS, "optimizer": optimizer, "precision": precision}
    plain, watched = (train(kept, seen=seen, **settings) for seen in (False, True))
    assert not runs.of_type(plain.events, WindowStarted)
    assert len(runs.of_type(watched.events, Compared)) == STEPS
    assert_same(watched, plain)


@pytest.mark.usefixtures("noise")
@pytest.mark.parametrize("scaling", ["mean", "unscaled"])
def test_that_reference_gradients_leave_random_state_and_running_statistics_alone(
    kept: list[Lanes], monkeypatch: pytest.MonkeyPatch, scaling: str
) -> None:
    # so that every window that is not equal is measured again in float64 too
    monkeypatch.setattr(probes, "ROUNDING_AT_MOST", 1e9)
    plain, watched = (train(kept, seen=seen, scaling=scaling, lr=0.1, **NOISY) for seen in (False, True))
    decided = [event.comparison.decided_in for event in runs.of_type(watched.events, Compared)]
    assert decided == ["float64"] * STEPS
    assert_same(watched, plain)
    assert int(watched.lanes.accumulated.model[2].num_batches_tracked) == 4 * STEPS


@pytest.mark.usefixtures("noise")
def test_that_reading_each_gradient_as_it_comes_changes_not_one_bit(kept: list[Lanes]) -> None:
    plain = train(kept, seen=False, **NOISY)
    watched = train(kept, seen=True, granted=10**6, **NOISY)
    assert all(event.products is not None for event in runs.of_type(watched.events, MicroBatchAdded))
    assert_same(watched, plain)


@pytest.mark.usefixtures("noise")
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_that_tracing_memory_changes_not_one_bit(
    kept: list[Lanes], monkeypatch: pytest.MonkeyPatch, optimizer: str
) -> None:
    plain = train(kept, seen=False, optimizer=optimizer, **NOISY)
    assert not runs.of_type(plain.events, MemorySampled)
    monkeypatch.setattr("gradviz.trainer.MEASURED_STEPS", STEPS)
    traced = train(kept, seen=True, optimizer=optimizer, **NOISY)
    complete = [event for event in runs.of_type(traced.events, MemorySampled) if event.sample.complete]
    assert len(complete) == 2 * STEPS
    assert_same(traced, plain)


@pytest.mark.usefixtures("noise")
def test_that_pausing_at_every_point_changes_not_one_bit(kept: list[Lanes]) -> None:
    plain = train(kept, seen=False, **NOISY)
    config = RunConfig.of({"threads": 1, **NOISY})
    control = Control(config)
    events: list[Event] = []
    thread = threading.Thread(target=lambda: deque(map(events.append, Trainer(config).run(control)), 0))
    thread.start()
    for credit in range(1, 4 * STEPS + 2):
        control.allow(1)
        deadline = time.monotonic() + 30
        while len(runs.of_type(list(events), MicroBatchAdded)) < credit:
            assert time.monotonic() < deadline
            time.sleep(0.001)
    control.stop()
    thread.join(30)
    assert not thread.is_alive()
    # the stop came after the first piece of the next window, which draws and counts
    found = Trained(events, kept.pop())
    assert runs.losses(found.events) == runs.losses(plain.events)
    assert runs.losses(found.events, "full") == runs.losses(plain.events, "full")
    weights = [list(run.lanes.accumulated.model.parameters()) for run in (found, plain)]
    assert all(torch.equal(a, b) for a, b in zip(*weights, strict=True))


@pytest.mark.parametrize("settings", [NOISY, {**NOISY, "optimizer": "adam"}])
@pytest.mark.usefixtures("noise")
def test_that_retaking_a_window_at_every_point_puts_back_random_state_and_buffers(
    kept: list[Lanes], settings: dict[str, object]
) -> None:
    plain = train(kept, seen=False, **settings)
    points: set[tuple[int, int]] = set()
    meddle = toggled_at_every_point(points)
    # by counted credits each piece is told as it comes
    retaken = train(kept, seen=True, granted=10**6, meddle=meddle, **settings)
    assert points == {(step, index) for step in range(1, STEPS + 1) for index in range(5)}
    assert sum(event.retaken for event in runs.of_type(retaken.events, WindowStarted)) >= 2 * len(points)
    assert_same(retaken, plain)


@pytest.mark.usefixtures("noise")
def test_that_another_n_and_back_leaves_no_trace(kept: list[Lanes]) -> None:
    asked: set[int] = set()

    def meddle(control: Control, event: Event) -> None:
        if isinstance(event, Compared) and event.step not in asked:
            asked.add(event.step)
            control.set(now=True, micro_batches=2)
        elif isinstance(event, Compared) and control.config.micro_batches == 2:
            control.set(now=True, micro_batches=4)

    plain = train(kept, seen=False, **NOISY)
    changed = train(kept, seen=True, meddle=meddle, **NOISY)
    assert [len(e.sizes) for e in runs.of_type(changed.events, WindowStarted)] == [4, 2, 4] * STEPS
    assert_same(changed, plain)


@pytest.mark.usefixtures("noise")
@pytest.mark.parametrize("seen", [False, True])
def test_that_a_run_with_dropout_again_is_the_same_to_the_bit(kept: list[Lanes], seen: bool) -> None:
    first = train(kept, seen=seen, **NOISY)
    torch.rand(7)
    assert_same(train(kept, seen=seen, **NOISY), first)
    other = train(kept, seen=seen, seed=1, **NOISY)
    assert runs.losses(other.events) != runs.losses(first.events)


@pytest.mark.usefixtures("noise")
def test_that_both_lanes_draw_the_same_where_the_window_is_one_piece(kept: list[Lanes]) -> None:
    run = train(kept, seen=True, batch=16, micro_batches=1)
    assert runs.losses(run.events) == runs.losses(run.events, "full")
    assert {e.comparison.relative_error for e in runs.of_type(run.events, Compared)} == {0.0}
    assert all(torch.equal(a, b) for a, b in zip(run.state(), run.state("full"), strict=True))


@pytest.mark.usefixtures("noise")
def test_that_after_a_resync_between_windows_the_lanes_draw_the_same(kept: list[Lanes]) -> None:
    def meddle(control: Control, event: Event) -> None:
        if isinstance(event, StepFinished) and event.step == 2:
            control.set(scaling="mean", micro_batches=1)
            control.resync()

    run = train(kept, seen=True, meddle=meddle, scaling="unscaled", **NOISY)
    apart, together = runs.losses(run.events), runs.losses(run.events, "full")
    assert apart[1] != together[1]
    assert apart[2:] == together[2:]


@pytest.mark.usefixtures("noise")
def test_that_after_a_resync_within_a_window_the_lanes_draw_the_same(kept: list[Lanes]) -> None:
    asked: list[int] = []

    def meddle(control: Control, event: Event) -> None:
        if isinstance(event, Compared) and event.step == 2 and not asked:
            asked.append(2)
            control.resync(now=True)

    run = train(kept, seen=True, meddle=meddle, batch=16, micro_batches=1)
    assert runs.losses(run.events) == runs.losses(run.events, "full")
    assert all(torch.equal(a, b) for a, b in zip(run.state(), run.state("full"), strict=True))
