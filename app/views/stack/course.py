"""From moment to moment: which axis holds, what moves, and what is shown at once."""

from __future__ import annotations

import math

import numpy as np

from gradviz.events import RunStarted
from gradviz.history import Moment

from .facts import Facts, facts_of
from .motion import ADDED_S, ADDING, RETAKING, Motion, Shown
from .scale import Axis, held
from .weights import strip_axis

SHRINK_AFTER = 20
"""An axis with too much room stays for so many steps."""


class Course:
    """The facts of the newest moment and the way to them, on a clock that is handed in.

    Until `advance` is called for the first time nothing moves: whoever has no clock sees the end at once.
    """

    def __init__(self) -> None:
        self.reduced_motion = False
        self.facts: Facts | None = None
        self.axis_changed = False
        self._motion = Motion()
        self._run: RunStarted | None = None
        self._axes: dict[tuple[int, str], Axis] = {}
        self._clocked = False
        self._now_s, self._added_s = 0.0, -math.inf
        self._small_since: int | None = None

    @property
    def shown(self) -> Shown | None:
        """The numbers to be painted now."""
        return self._motion.shown

    @property
    def in_times(self) -> bool:
        """Whether the picture that is gone to writes 2 × and not 200 %."""
        axis = self._axes.get(self.facts.key) if self.facts is not None else None
        return axis is not None and axis.in_times

    def take(self, moment: Moment | None) -> None:
        """Go to another moment."""
        facts = facts_of(moment) if moment else None
        if moment is not None and moment.run is not self._run:
            self._run, self.facts = moment.run, None
            self._axes.clear()
        before, now = self.facts, self._motion.shown
        self.facts = facts
        if facts is None:
            return
        end = self._end(facts)
        if before is None or now is None:
            self.axis_changed = False
            self._motion.jump(end)
        else:
            self._go(before, facts, now, end)

    def advance(self, now_s: float) -> bool:
        """Show what is to be seen at `now_s`; whether anything moved."""
        self._clocked, self._now_s = True, now_s
        return self._motion.advance(now_s)

    def settle(self) -> None:
        """Show at once what all movement leads to."""
        self._motion.settle()

    def _go(self, before: Facts, facts: Facts, now: Shown, end: Shown) -> None:
        same = before.window.step == facts.window.step
        retaken = same and before.window.weights != facts.window.weights
        more = len(facts.added) - len(before.added)
        moved = now.axis != end.axis
        self.axis_changed = self.reduced_motion and (moved if retaken else same and self.axis_changed)
        motion = self._motion
        # pieces that come faster than they move would leave the picture behind what is said of it
        hurried, self._added_s = self._now_s - self._added_s < ADDED_S, self._now_s if more else self._added_s
        if self.reduced_motion or not self._clocked or (hurried and more and not retaken):
            motion.jump(end)
        elif retaken:
            motion.go(now if before.count == facts.count else _with_axes(end, now), end, RETAKING)
        elif same and (motion.retaking or (more == 0 and motion.moving)):
            motion.redirect(end)
        elif same and (more == 1 or (more == 0 and not np.array_equal(now.points, end.points))):
            motion.go(now, end, ADDING)
        elif not same and len(facts.added) == 1:
            motion.go(_emptied(end, now), end, ADDING)
        elif moved or now.strip != end.strip:
            motion.go(_with_axes(end, now), end, ADDING)
        else:
            motion.jump(end)

    def _end(self, facts: Facts) -> Shown:
        """Axes hold still for each N and scaling, unless the values leave them."""
        low = min(0.0, float(facts.levels.min()))
        high = max(1.0, facts.expected, float(facts.levels.max()))
        axis = self._axes[facts.key] = self._held(facts, held(self._axes.get(facts.key), low, high))
        return Shown(facts.levels, facts.points, facts.ratios, axis, strip_axis(facts.expected))

    def _held(self, facts: Facts, wanted: Axis) -> Axis:
        """An axis may grow at once; it shrinks after several windows, so that it does not flicker."""
        before = self._axes.get(facts.key)
        if before is None or wanted.top - wanted.bottom >= before.top - before.bottom:
            self._small_since = None
            return wanted
        if self._small_since is None:
            self._small_since = facts.window.step
        if abs(facts.window.step - self._small_since) < SHRINK_AFTER:
            return before
        self._small_since = None
        return wanted


def _with_axes(pieces: Shown, axes: Shown) -> Shown:
    return Shown(pieces.levels, pieces.points, pieces.ratios, axes.axis, axes.strip)


def _emptied(end: Shown, axes: Shown) -> Shown:
    return Shown(np.zeros(1), np.zeros((1, 2)), np.zeros_like(end.ratios), axes.axis, axes.strip)
