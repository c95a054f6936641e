"""The one timer: takes events over, says which pane is painted, and asks for the next detail."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer

from gradviz.history import History, Moment

from .detail_pace import DetailPace
from .pace import FLAT_OUT, Pace, Rate
from .playback import Playback
from .session import Session

TICK_MS = 33
_SMOOTH_MS = 16
_LONGEST_MS = 250
_AGREE_MS = 120
_SLOW = 5.0
_DUTY = 0.08
_MEMORY_EVERY_S, _SELDOM_S = 1.0, 3.0
_LONGEST_WORK_S = 0.02
_LOAD_OVER_S = 0.7


class View(Protocol):
    """What the pump keeps up to date."""

    def refresh(self, history: History, moment: Moment | None) -> None: ...
    def isVisible(self) -> bool: ...


class Pump(QObject):
    """Flat out, one pane a tick is painted, so that training loses little; slower, all that have changed."""

    def __init__(
        self,
        session: Session,
        playback: Playback,
        views: Sequence[View],
        advance: Callable[[float], bool],
        clock: Callable[[], float] = time.monotonic,
        work: Callable[[], float] = time.thread_time,
    ) -> None:
        """`advance` moves what is moving to a time in seconds, and says whether it moves on.

        `clock` counts seconds, `work` those in which this thread was at work: waiting for the worker to let
        Python go is no work.
        """
        super().__init__()
        self.steps_per_second: float | None = None
        self._session, self._playback, self._views = session, playback, views
        self._advance, self._clock, self._work = advance, clock, work
        self._dirty: deque[View] = deque()
        self._moment: Moment | None = None
        self._all_at_once = True
        self._stale = True
        self._asked = False
        self._pace, self._rate, self._detail = Pace(), Rate(), DetailPace()
        self._load = 0.0
        self._painted_s = 0.0
        self._memory_asked_s = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.tick)
        playback.changed.connect(self._start_over)
        session.changed.connect(self._on_session_changed)
        session.run_started.connect(self._on_run_started)

    def start(self) -> None:
        """Begin to tick."""
        self._timer.start(TICK_MS)

    def stop(self) -> None:
        """Tick no more."""
        self._timer.stop()

    def mark_stale(self) -> None:
        """All views are to be refreshed."""
        self._stale = True

    def add_painting(self, seconds: float) -> None:
        """So much work went into painting."""
        self._painted_s += seconds

    def tick(self) -> None:
        """One round: take over, grant, refresh, ask."""
        begun_s, worked_s = self._clock(), self._work()
        self._stale = self._session.drain() or self._stale
        self._grant(begun_s)
        self._measure(begun_s)
        if self._stale and not self._dirty:
            self._stale, self._asked = False, False
            self._begin_round(begun_s)
        elif not self._dirty and not self._asked:
            self._ask_for_detail(begun_s)
        # where the guard has lengthened the tick, a round of single panes would take too long to agree
        one = self._flat_out and not self._all_at_once and self._timer.interval() <= _AGREE_MS
        self._refresh(1 if one else len(self._dirty))
        moving = self._advance(begun_s)
        self._set_interval(moving, self._work() - worked_s)

    @property
    def _flat_out(self) -> bool:
        return self._session.playing and self._session.speed == FLAT_OUT

    def _grant(self, now_s: float) -> None:
        session = self._session
        if not session.playing or self._flat_out:
            return
        due = self._pace.due(session.speed, now_s)
        # a run that is slower than the chosen speed must not pile up a debt
        session.grant(max(0, min(due, 2 + int(session.speed / 4) - session.ahead)))

    def _begin_round(self, now_s: float) -> None:
        """All views of a round show one moment; what is set otherwise than before, all show at once."""
        before, self._moment = self._moment, self._playback.moment()
        self._detail.see(self._moment, now_s)
        self._all_at_once = self._all_at_once or _setting(before) != _setting(self._moment)
        self._dirty.extend(view for view in self._views if view.isVisible())

    def _refresh(self, count: int) -> None:
        if not self._dirty:
            return
        for _ in range(count):
            self._dirty.popleft().refresh(self._session.history, self._moment)
            if not self._dirty:
                break
        if not self._dirty:
            self._all_at_once = False
        if not self._dirty and self._flat_out:
            self._ask_for_detail(self._clock())

    def _ask_for_detail(self, now_s: float) -> None:
        if self._flat_out and self._detail.rests(now_s):
            return
        self._detail.asked(now_s)
        # a traced window takes up to twice as long
        every_s = _SELDOM_S if self._flat_out else _MEMORY_EVERY_S
        memory = now_s - self._memory_asked_s >= every_s
        if memory:
            self._memory_asked_s = now_s
        self._asked = True
        self._session.want_detail(memory=memory)

    def _measure(self, now_s: float) -> None:
        if self._flat_out and self._session.history.ended is None:
            self.steps_per_second = self._rate.measure(now_s, self._session.history.steps)
        else:
            self.steps_per_second = None
            self._rate.forget()

    def _set_interval(self, moving: bool, worked_s: float) -> None:
        worked_s, self._painted_s = worked_s + self._painted_s, 0.0
        # one long moment, such as a new size of the window, says nothing about the next, and as panes differ
        # in their work, some rounds of them make up the mean
        part = min(1.0, self._timer.interval() / 1000 / _LOAD_OVER_S)
        self._load += part * (max(0.0, min(worked_s, _LONGEST_WORK_S)) - self._load)
        if self._flat_out:
            # only now does the screen's Python cost training time; a run that waits for credits waits anyway
            interval = min(_LONGEST_MS, max(TICK_MS, round(1000 * self._load / _DUTY)))
        else:
            interval = (
                _SMOOTH_MS if moving or (self._session.playing and self._session.speed < _SLOW) else TICK_MS
            )
        if interval != self._timer.interval():
            self._timer.setInterval(interval)

    def _on_session_changed(self) -> None:
        self._pace.restart()
        self._load = 0.0
        self._start_over()

    def _on_run_started(self) -> None:
        self._rate.forget()
        self._detail = DetailPace()
        self._start_over()

    def _start_over(self) -> None:
        """The round that goes on is out of date; the next one is painted in one tick."""
        self._dirty.clear()
        self._stale = self._all_at_once = True


def _setting(moment: Moment | None) -> tuple[object, ...] | None:
    """What the panes would contradict each other in, were some painted before and some after a change."""
    if moment is None:
        return None
    window, states = moment.window, tuple(moment.states.items())
    return (moment.run, states, *((window.scaling, window.sizes, window.lr) if window else ()))
