"""Paint order, what is asked of the run, and how ticks and credits keep their pace."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fake_run import fake_run
from pytestqt.qtbot import QtBot

from gradviz.config import RunConfig
from gradviz.history import History, Moment
from gradviz_app.pace import FLAT_OUT, HUMAN_SPEED
from gradviz_app.playback import Playback
from gradviz_app.pump import TICK_MS, Pump
from gradviz_app.session import Session

CONFIG = RunConfig.of({"batch": 8, "micro_batches": 4})


class Clock:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class Recorder:
    """A view that counts, and takes its time."""

    def __init__(self, clock: Clock, takes_s: float = 0.0) -> None:
        self.refreshed = 0
        self.moments: list[Moment | None] = []
        self.visible = True
        self._clock, self._takes_s = clock, takes_s

    def refresh(self, history: History, moment: Moment | None) -> None:
        self.refreshed += 1
        self.moments.append(moment)
        self._clock.now_s += self._takes_s

    def isVisible(self) -> bool:  # noqa: N802
        return self.visible


@pytest.fixture
def session() -> Iterator[Session]:
    session = Session(CONFIG, fake_run)
    yield session
    session.stop()


def make(session: Session, clock: Clock, views: list[Recorder], moving: bool = False) -> Pump:
    return Pump(session, Playback(session), views, lambda _now_s: moving, clock, clock)


def test_that_slow_runs_refresh_every_view_at_once(session: Session) -> None:
    clock = Clock()
    views = [Recorder(clock) for _ in range(4)]
    make(session, clock, views).tick()
    assert [view.refreshed for view in views] == [1, 1, 1, 1]


def running_flat_out(session: Session, qtbot: QtBot, pump: Pump, views: list[Recorder]) -> None:
    """Start it and let it go on until no view is owed a refresh; the views begin to count."""
    session.set_speed(FLAT_OUT)
    session.start(CONFIG)
    session.play()
    qtbot.waitUntil(lambda: (pump.tick() or True) and session.history.steps > 0)
    qtbot.waitUntil(lambda: (pump.tick() or True) and not pump._dirty and not pump._all_at_once)
    for view in views:
        view.refreshed = 0
        view.moments.clear()


def test_that_flat_out_one_view_a_tick_is_refreshed_in_turn(session: Session, qtbot: QtBot) -> None:
    clock = Clock()
    views = [Recorder(clock) for _ in range(3)]
    pump = make(session, clock, views)
    running_flat_out(session, qtbot, pump, views)
    for tick in range(1, 10):
        qtbot.waitUntil(lambda: bool(session._mailbox._events))
        pump.tick()
        assert sum(view.refreshed for view in views) == tick
    assert [view.refreshed for view in views] == [3, 3, 3]


def test_that_all_views_of_a_round_show_one_moment(session: Session, qtbot: QtBot) -> None:
    clock = Clock()
    views = [Recorder(clock) for _ in range(3)]
    pump = make(session, clock, views)
    running_flat_out(session, qtbot, pump, views)
    for _ in range(9):
        qtbot.waitUntil(lambda: bool(session._mailbox._events))
        pump.tick()
    rounds = list(zip(*(view.moments for view in views), strict=True))
    assert len(rounds) == 3
    for shown in rounds:
        assert len(set(map(id, shown))) == 1
    assert rounds[0][0] is not rounds[1][0]


def test_that_a_change_is_shown_by_all_views_in_one_tick_even_flat_out(
    session: Session, qtbot: QtBot
) -> None:
    clock = Clock()
    views = [Recorder(clock) for _ in range(3)]
    pump = make(session, clock, views)
    running_flat_out(session, qtbot, pump, views)
    qtbot.waitUntil(lambda: (pump.tick() or True) and len(pump._dirty) == 1)
    session.change(scaling="unscaled")
    seen: list[set[str]] = []

    def tick() -> bool:
        pump.tick()
        seen.append({view.moments[-1].window.scaling for view in views if view.moments[-1].window})  # type: ignore[union-attr]
        return seen[-1] == {"unscaled"}

    qtbot.waitUntil(tick)
    assert all(len(scalings) == 1 for scalings in seen)


def test_that_pausing_brings_all_views_up_to_date_at_once(session: Session, qtbot: QtBot) -> None:
    clock = Clock()
    views = [Recorder(clock) for _ in range(3)]
    pump = make(session, clock, views)
    running_flat_out(session, qtbot, pump, views)
    qtbot.waitUntil(lambda: (pump.tick() or True) and len(pump._dirty) == 1)
    session.pause()
    pump.tick()
    assert len({id(view.moments[-1]) for view in views}) == 1


def test_that_hidden_views_are_left_out(session: Session) -> None:
    clock = Clock()
    views = [Recorder(clock), Recorder(clock)]
    views[0].visible = False
    make(session, clock, views).tick()
    assert [view.refreshed for view in views] == [0, 1]


def test_that_nothing_is_refreshed_while_nothing_happens(session: Session) -> None:
    clock = Clock()
    views = [Recorder(clock)]
    pump = make(session, clock, views)
    for _ in range(5):
        pump.tick()
    assert views[0].refreshed == 1


def test_that_heavy_painting_makes_the_ticks_rarer_flat_out_only(session: Session) -> None:
    clock = Clock()
    pump = make(session, clock, [Recorder(clock)])
    for _ in range(30):
        pump.add_painting(0.012)
        pump.tick()
    assert pump._timer.interval() == TICK_MS
    session.speed, session.playing = FLAT_OUT, True
    for _ in range(60):
        pump.add_painting(0.012)
        pump.tick()
    assert pump._timer.interval() == pytest.approx(12 / 0.08, abs=3)
    for _ in range(60):
        pump.tick()
    assert pump._timer.interval() == TICK_MS


def test_that_panes_of_uneven_work_are_painted_at_an_even_pace(session: Session) -> None:
    clock = Clock()
    pump = make(session, clock, [])
    session.speed, session.playing = FLAT_OUT, True
    intervals = []
    for tick in range(300):
        pump.add_painting((0.009, 0.006, 0.001, 0.0, 0.0, 0.002)[tick % 6])
        pump.tick()
        intervals.append(pump._timer.interval())
    # 3 ms a tick on average, which is 8 % of 37.5 ms
    assert 33 <= min(intervals[60:]) <= max(intervals[60:]) <= 43


@pytest.mark.parametrize("away_s", [8 * 3600.0, 0.0, -8 * 3600.0])
def test_that_the_ticks_are_as_frequent_as_before_soon_after_the_work_clock_jumped(
    session: Session, away_s: float
) -> None:
    clock, work = Clock(), Clock()
    pump = Pump(session, Playback(session), [], lambda now_s: False, clock, work)
    session.speed, session.playing = FLAT_OUT, True
    pump.tick()
    pump.add_painting(away_s)
    pump.tick()
    for _ in range(8):
        pump.add_painting(0.001)
        pump.tick()
    assert pump._timer.interval() == TICK_MS


def test_that_waking_up_grants_no_more_than_the_chosen_speed(session: Session) -> None:
    clock = Clock()
    pump = make(session, clock, [])
    session.start(CONFIG)
    session.speed, session.playing = 4, True
    session.drain = lambda: False  # type: ignore[method-assign]
    pump.tick()
    before = session.ahead
    for away_s in (8 * 3600.0, 0.0, 0.016):
        clock.now_s += away_s
        pump.tick()
    assert session.ahead - before <= 2


def test_that_waking_up_flat_out_says_no_stale_rate(session: Session, qtbot: QtBot) -> None:
    clock = Clock()
    views = [Recorder(clock)]
    pump = make(session, clock, views)
    running_flat_out(session, qtbot, pump, views)
    for _ in range(40):
        clock.now_s += 0.033
        pump.tick()
    assert pump.steps_per_second is not None
    clock.now_s += 8 * 3600.0
    pump.tick()
    assert pump.steps_per_second is None


def test_that_a_slow_run_is_animated_smoothly(session: Session) -> None:
    clock = Clock()
    pump = make(session, clock, [], moving=True)
    pump.tick()
    assert pump._timer.interval() <= 17


@pytest.mark.parametrize(("speed", "traced"), [(HUMAN_SPEED, 5), (FLAT_OUT, 2)])
def test_that_the_detail_is_asked_for_after_painting_and_memory_seldom(
    session: Session, monkeypatch: pytest.MonkeyPatch, speed: float, traced: int
) -> None:
    session.speed, session.playing = speed, True
    asked: list[tuple[float, bool]] = []
    clock = Clock()
    clock.now_s = 10.0
    pump = make(session, clock, [Recorder(clock)])
    monkeypatch.setattr(session, "want_detail", lambda *, memory: asked.append((clock.now_s, memory)))
    for _ in range(100):
        clock.now_s += 0.05
        pump.mark_stale()
        pump.tick()
        pump.tick()
    assert len(asked) == 100
    assert sum(memory for _, memory in asked) == pytest.approx(traced, abs=1)


def test_that_a_run_slower_than_its_speed_gets_no_debt(session: Session) -> None:
    clock = Clock()
    pump = make(session, clock, [])
    session.start(CONFIG)
    session.speed, session.playing = 64, True
    session.drain = lambda: False  # type: ignore[method-assign]
    for _ in range(600):
        clock.now_s += 0.016
        pump.tick()
    assert session.ahead <= 18


def test_that_playing_slowly_takes_micro_batches_in_time(session: Session, qtbot: QtBot) -> None:
    clock = Clock()
    pump = make(session, clock, [])
    session.start(CONFIG)
    session.play()
    session.set_speed(2)
    for _ in range(103):
        clock.now_s += 0.02
        pump.tick()
        qtbot.waitUntil(lambda: (session.drain() or True) and session.ahead == 0)
    moment = session.history.at(-1)
    assert moment is not None
    # one at once, and four in two seconds
    assert session.history.steps * 4 + len(moment.added) == 5
