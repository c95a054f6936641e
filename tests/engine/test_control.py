"""Credits, changes while a run goes on, and windows that are taken again."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import runs

from gradviz.config import ConfigError, RunConfig
from gradviz.control import Answer, Control
from gradviz.events import (
    Compared,
    Event,
    MemorySampled,
    MicroBatchAdded,
    Resynced,
    RunFinished,
    StepFinished,
    WindowStarted,
)
from gradviz.trainer import Trainer


class Stepper:
    """A run in this thread: credits are given just before the event that needs them is asked for."""

    def __init__(self, **settings: object) -> None:
        self.config = RunConfig.of({"threads": 1, **settings})
        self.control = Control(self.config, always_seen=True)
        self.stream: Iterator[Event] = Trainer(self.config).run(self.control)
        self.events: list[Event] = []

    def until(self, kind: type, **wanted: object) -> Event:
        """Go on, with credits as needed, until an event of this kind with these fields."""
        self.control.allow(10**9)
        for event in self.stream:
            self.events.append(event)
            if isinstance(event, kind) and all(getattr(event, k) == v for k, v in wanted.items()):
                self.control.hold()
                return event
        raise AssertionError("the run ended")

    def window(self) -> list[Event]:
        """What was told of the window since it last began."""
        starts = [i for i, event in enumerate(self.events) if isinstance(event, WindowStarted)]
        return self.events[starts[-1] :]

    def finish(self) -> None:
        self.control.stop()
        self.events += list(self.stream)
        assert isinstance(self.events[-1], RunFinished)


def values(events: list[Event]) -> list[list[float]]:
    return [event.values.tolist() for event in events if isinstance(event, MicroBatchAdded)]


def test_that_a_credit_is_a_micro_batch_and_the_step_waits_for_one_without_spending_it() -> None:
    control = Control(RunConfig.of({}))
    assert control.ask(spend=True, wait=False) is Answer.HELD
    control.allow(2)
    assert control.ask(spend=True, wait=False) is Answer.GO
    assert control.ask(spend=False, wait=False) is Answer.GO
    assert control.ask(spend=True, wait=False) is Answer.GO
    assert control.ask(spend=False, wait=False) is Answer.HELD
    control.allow(None)
    control.allow(1)
    assert [control.ask(spend=True, wait=False) for _ in range(3)] == [Answer.GO] * 3
    control.hold()
    assert control.ask(spend=True, wait=False) is Answer.HELD
    control.stop()
    assert control.ask(spend=True, wait=True) is Answer.STOP


def test_that_a_waiting_trainer_is_woken_by_credits_and_by_stop() -> None:
    control, answers = Control(RunConfig.of({})), []
    thread = threading.Thread(
        target=lambda: answers.extend(control.ask(spend=True, wait=True) for _ in range(2))
    )
    thread.start()
    control.allow(1)
    control.stop()
    thread.join(10)
    assert not thread.is_alive()
    assert answers[-1] is Answer.STOP


def test_that_only_live_settings_change_and_only_to_what_is_allowed() -> None:
    control = Control(RunConfig.of({}))
    with pytest.raises(ConfigError, match="Batch B cannot change in a run"):
        control.set(batch=128)
    with pytest.raises(ConfigError, match="more than the 256 samples"):
        control.set(micro_batches=257)
    assert control.config == RunConfig.of({})
    assert control.set(micro_batches=4).micro_batches == 4


def test_that_the_eighth_micro_batch_is_followed_by_a_stop_before_the_step() -> None:
    config = RunConfig.of({"threads": 1})
    control = Control(config)
    control.allow(8)
    stream = Trainer(config).run(control)
    events = []
    for event in stream:
        events.append(event)
        if isinstance(event, Compared):
            break
    assert len(runs.of_type(events, MicroBatchAdded)) == 8
    assert control.ask(spend=False, wait=False) is Answer.HELD
    control.stop()
    rest = list(stream)
    assert not runs.of_type(rest, StepFinished)
    assert rest[-1].steps == 0


def test_that_toggling_the_scaling_at_the_end_shows_the_same_pieces_n_times_and_back_to_the_bit() -> None:
    stepper = Stepper()
    stepper.until(Compared, step=3)
    first = stepper.window()
    stepper.control.set(now=True, scaling="unscaled")
    stepper.until(Compared, step=3)
    faulty = stepper.window()
    stepper.control.set(now=True, scaling="mean")
    stepper.until(Compared, step=3)
    second = stepper.window()
    assert values(second) == values(first)
    assert values(faulty) == [[8 * value for value in row] for row in values(first)]
    assert faulty[0].retaken
    assert faulty[-1].comparison.verdict == "8.000 × too large, same direction"
    assert second[-1].comparison.shares == first[-1].comparison.shares
    stepper.finish()


@pytest.mark.parametrize(("at", "count", "then"), [(4, 16, 8), (4, 2, 1), (3, 2, 0), (8, 32, 32), (0, 4, 0)])
def test_that_a_new_n_takes_the_window_again_up_to_the_same_part(at: int, count: int, then: int) -> None:
    stepper = Stepper()
    stepper.until(*((MicroBatchAdded,) if at else (WindowStarted,)), step=2, **({"index": at} if at else {}))
    stepper.control.set(now=True, micro_batches=count)
    seen = []
    for event in stepper.stream:
        seen.append(event)
        done = len(runs.of_type(seen, MicroBatchAdded))
        if runs.of_type(seen, WindowStarted) and done == then:
            break
    assert runs.of_type(seen, WindowStarted)[-1].retaken
    assert len(runs.of_type(seen, WindowStarted)[-1].sizes) == count
    stepper.finish()


def test_that_a_change_while_running_holds_from_the_next_window_on() -> None:
    stepper = Stepper()
    stepper.until(MicroBatchAdded, step=2, index=3)
    stepper.control.set(micro_batches=4, scaling="unscaled", lr=0.25)
    second = stepper.until(StepFinished, step=2)
    third = stepper.until(StepFinished, step=3)
    assert (second.micro_batches, second.scaling, second.lr) == (8, "mean", 0.5)
    assert (third.micro_batches, third.scaling, third.lr) == (4, "unscaled", 0.25)
    assert not any(event.retaken for event in runs.of_type(stepper.events, WindowStarted))
    stepper.finish()


def test_that_pausing_and_retaking_at_every_point_change_not_one_bit() -> None:
    plain = runs.run(6, optimizer="momentum")
    stepper = Stepper(optimizer="momentum")
    for step in range(1, 7):
        stepper.until(WindowStarted, step=step)
        for index in range(1, 9):
            stepper.until(MicroBatchAdded, step=step, index=index)
            stepper.control.set(now=True, scaling="unscaled")
            stepper.until(WindowStarted, step=step, scaling="unscaled")
            stepper.control.set(now=True, scaling="mean")
            stepper.until(WindowStarted, step=step, scaling="mean")
        stepper.until(StepFinished, step=step)
    assert runs.losses(stepper.events) == runs.losses(plain)
    assert runs.losses(stepper.events, "full") == runs.losses(plain, "full")
    stepper.finish()


def test_that_holding_in_a_window_nobody_sees_shows_it_whole() -> None:
    config = RunConfig.of({"threads": 1})
    control = Control(config)
    control.allow(None)
    stream = Trainer(config).run(control)
    events = [next(stream) for _ in range(300)]
    last = runs.of_type(events, StepFinished)[-1].step
    assert not [e for e in runs.of_type(events, WindowStarted) if e.step == last]
    control.hold()
    for event in stream:
        events.append(event)
        if isinstance(event, Compared) and event.step > last:
            break
    added = [event.index for event in runs.of_type(events, MicroBatchAdded) if event.step == last + 1]
    assert added == list(range(1, 9))
    control.stop()
    assert isinstance(list(stream)[-1], RunFinished)
    assert runs.losses(events) == runs.losses(runs.run(last))


def test_that_resync_gives_the_accumulated_lane_the_weights_of_the_full_one() -> None:
    stepper = Stepper(scaling="unscaled", optimizer="adam", precision="float64")
    parted = stepper.until(StepFinished, step=10)
    assert parted.loss_accumulated != pytest.approx(parted.loss_full, rel=1e-6)
    stepper.control.set(scaling="mean")
    why = stepper.until(Compared, step=12).why
    assert why == "the weights differ since step 1; this gradient is right: Resync"
    stepper.control.resync()
    stepper.until(Resynced)
    together = stepper.until(StepFinished, step=14)
    assert together.loss_accumulated == pytest.approx(together.loss_full, rel=1e-12)
    after = stepper.until(StepFinished, step=40)
    assert after.loss_accumulated == pytest.approx(after.loss_full, rel=1e-10)
    assert stepper.until(Compared).why == ""
    stepper.finish()


def test_that_resync_at_once_takes_the_window_again_from_the_other_weights() -> None:
    stepper = Stepper(scaling="unscaled", precision="float64")
    stepper.until(Compared, step=5)
    stepper.control.resync(now=True)
    window = stepper.until(Compared, step=5)
    assert window.comparison.ratio == pytest.approx(8)
    finished = stepper.until(StepFinished, step=5)
    assert finished.loss_accumulated == pytest.approx(finished.loss_full, rel=1e-12)
    stepper.finish()


def test_that_a_closed_stream_lets_go_of_the_run() -> None:
    stepper = Stepper()
    stepper.until(MicroBatchAdded, step=2, index=3)
    stepper.stream.close()  # type: ignore[attr-defined]
    assert list(stepper.stream) == []


def test_that_wishes_are_for_one_window_and_counted_credits_see_all() -> None:
    control = Control(RunConfig.of({}))
    control.allow(None)
    assert control.take_wishes() == (True, True)
    assert control.take_wishes() == (False, False)
    control.want_detail(memory=True)
    assert control.take_wishes() == (True, True)
    control.want_detail()
    assert control.take_wishes() == (True, False)
    control.hold()
    assert control.take_wishes() == (True, False)


def test_that_without_a_full_lane_there_is_nothing_to_resync_and_none_is_advised() -> None:
    stepper = Stepper(lanes="accumulated", scaling="unscaled")
    stepper.until(StepFinished, step=2)
    stepper.control.set(scaling="mean")
    stepper.control.resync()
    assert stepper.until(Compared, step=4).why == ""
    assert not runs.of_type(stepper.events, Resynced)
    stepper.finish()


def test_that_after_a_resync_windows_are_counted_anew() -> None:
    stepper = Stepper(scaling="unscaled", lr=20.0)
    stepper.until(StepFinished, step=3)
    stepper.control.set(scaling="mean")
    stepper.control.resync()
    stepper.until(Resynced)
    whys = {stepper.until(Compared, step=step).why for step in range(5, 120)}
    assert any(why.startswith("rounding only: the gradients were equal") for why in whys)
    stepper.finish()


def test_that_an_unknown_setting_is_a_config_error_here_too() -> None:
    with pytest.raises(ConfigError, match="unknown setting 'foo'"):
        Control(RunConfig.of({})).set(foo=1)


def test_that_memory_so_far_is_told_of_the_last_piece_of_a_window_of_many() -> None:
    stepper = Stepper(micro_batches=256)
    stepper.until(Compared, step=1)
    sampled = [
        event for event in runs.of_type(stepper.window(), MemorySampled) if event.lane == "accumulated"
    ]
    assert len(sampled[-1].sample.ticks) == 256
    assert len(sampled) <= 66
    stepper.finish()
