"""Credits in time and the rate of steps, on clocks that go on, jump, or stand still."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from gradviz.events import Compared
from gradviz.history import Moment
from gradviz_app.detail_pace import DetailPace
from gradviz_app.pace import Pace, Rate

from .moments import make_moment


@pytest.mark.parametrize("speed", [0.5, 2, 8, 64])
def test_that_credits_come_at_the_chosen_speed(speed: float) -> None:
    pace = Pace()
    ticks = [pace.due(speed, tick / 60) for tick in range(60 * 20 + 1)]
    assert sum(ticks) == pytest.approx(1 + 20 * speed, abs=1)
    assert max(ticks) <= 1 + speed / 60


def test_that_a_standstill_gives_no_burst() -> None:
    pace = Pace()
    pace.due(64, 0.0)
    assert pace.due(64, 3600.0) <= 16


@pytest.mark.parametrize("slept_s", [0.3, 60.0, 8 * 3600.0, 30 * 24 * 3600.0])
def test_that_no_sleep_gives_a_burst_and_the_pace_goes_on_as_before(slept_s: float) -> None:
    pace = Pace()
    before = [pace.due(8, tick / 60) for tick in range(61)]
    woken_s = 1.0 + slept_s
    on_waking = pace.due(8, woken_s)
    after = [pace.due(8, woken_s + tick / 60) for tick in range(1, 61)]
    assert sum(before) == pytest.approx(9, abs=1)
    assert on_waking <= 1 + 8 * 0.25
    assert sum(after) == pytest.approx(8, abs=1)


def test_that_a_clock_that_stands_still_or_goes_back_stops_nothing_for_good() -> None:
    pace = Pace()
    pace.due(8, 100.0)
    assert [pace.due(8, 100.0) for _ in range(50)] == [0] * 50
    assert pace.due(8, 40.0) == 0
    assert sum(pace.due(8, 40.0 + tick / 60) for tick in range(1, 61)) == pytest.approx(8, abs=1)


def test_that_the_first_micro_batch_comes_at_once() -> None:
    assert Pace().due(0.5, 100.0) == 1


def test_that_the_rate_is_that_of_the_last_second() -> None:
    rate = Rate()
    values = [rate.measure(tick / 10, tick * 5) for tick in range(30)]
    assert values[3] is None
    assert values[-1] == pytest.approx(50.0)
    slower = [rate.measure(2.9 + tick / 10, 145) for tick in range(1, 20)]
    assert slower[-1] == 0.0


@pytest.mark.parametrize("woken_s", [3.0 + 8 * 3600.0, 3.0 + 6.0, -50.0])
def test_that_the_rate_is_unknown_after_a_sleep_and_then_that_of_now(woken_s: float) -> None:
    rate = Rate()
    before = [rate.measure(tick / 10, tick * 5) for tick in range(30)]
    after = [rate.measure(woken_s + tick / 10, 150 + tick * 2) for tick in range(30)]
    assert before[-1] == pytest.approx(50.0)
    assert after[:4] == [None] * 4
    assert after[-1] == pytest.approx(20.0)


def test_that_a_clock_that_stands_still_gives_no_rate_and_holds_nothing() -> None:
    rate = Rate()
    assert {rate.measure(1.0, steps) for steps in range(2000)} == {None}
    assert len(rate._seen) < 300


@pytest.fixture(scope="module")
def complete() -> Moment:
    return make_moment(2)


def another(moment: Moment) -> Moment:
    """The same, compared anew."""
    assert moment.compared is not None
    compared: Compared = replace(moment.compared)
    return replace(moment, compared=compared)


def asked_at(pace: DetailPace, moment: Moment, window_s: float, until_s: float) -> list[float]:
    """When detail is asked for by ticks of 33 ms, where it takes `window_s` to come."""
    asked: list[float] = []
    comes_s: float | None = None
    for tick in range(round(until_s / 0.033)):
        now_s = 100.0 + 0.033 * tick
        if comes_s is not None and now_s >= comes_s:
            pace.see(another(moment), now_s)
            comes_s = None
        if comes_s is None and not pace.rests(now_s):
            pace.asked(now_s)
            asked.append(now_s)
            comes_s = now_s + window_s
    return asked


def test_that_fast_windows_are_seen_many_times_a_second(complete: Moment) -> None:
    assert len(asked_at(DetailPace(), complete, 0.002, 10.0)) >= 250


@pytest.mark.parametrize(("window_s", "seconds"), [(0.1, 1.2), (0.25, 3.9), (2.0, 10.0), (15.0, 15.0)])
def test_that_the_slower_the_windows_the_seldomer_they_are_seen(
    complete: Moment, window_s: float, seconds: float
) -> None:
    asked = asked_at(DetailPace(), complete, window_s, 60.0)
    gaps = [later - earlier for earlier, later in pairwise(asked)]
    assert len(gaps) >= 2
    assert gaps == pytest.approx([seconds] * len(gaps), rel=0.35)


def test_that_a_clock_that_goes_back_holds_no_detail_back(complete: Moment) -> None:
    pace = DetailPace()
    pace.asked(100.0)
    pace.see(complete, 101.0)
    assert pace.rests(102.0)
    assert not pace.rests(50.0)
    assert not pace.rests(100.0 + 8 * 3600.0)


def test_that_a_window_that_is_not_complete_ends_no_wait(complete: Moment) -> None:
    pace = DetailPace()
    pace.asked(100.0)
    pace.see(replace(complete, compared=None), 105.0)
    assert not pace.rests(105.0)
    pace.see(complete, 110.0)
    assert pace.rests(102.9)
