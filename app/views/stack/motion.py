"""How the stack moves: from one picture to the next on a clock that is handed in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .scale import Axis, between

ADDED_S = 0.2
HELD_S = 0.25
ZOOM_S = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """All numbers of a picture that can be on their way to another one."""

    levels: np.ndarray
    points: np.ndarray
    ratios: np.ndarray
    axis: Axis
    strip: Axis


@dataclass(frozen=True, slots=True)
class Timing:
    """Pieces move from 0 to `pieces_s`, the axes from `held_s` for `zoom_s`."""

    pieces_s: float
    held_s: float
    zoom_s: float


ADDING = Timing(ADDED_S, 0.0, 0.25)
RETAKING = Timing(HELD_S, HELD_S, ZOOM_S)


class Motion:
    """What is shown now, and where it goes."""

    def __init__(self) -> None:
        self.shown: Shown | None = None
        self._begin: Shown | None = None
        self._end: Shown | None = None
        self._timing = ADDING
        self._started_s: float | None = None

    @property
    def retaking(self) -> bool:
        """Whether the picture still moves to that of other weights."""
        return self._end is not None and self._timing is RETAKING

    @property
    def moving(self) -> bool:
        """Whether anything is on its way."""
        return self._end is not None

    def go(self, begin: Shown, end: Shown, timing: Timing) -> None:
        """Move from `begin` to `end`; the clock starts at the next `advance`."""
        self.shown, self._begin = _mixed(begin, end, 0.0, 0.0), begin
        self._end, self._timing, self._started_s = end, timing, None

    def redirect(self, end: Shown) -> None:
        """Go on moving, to another end."""
        self._end = end

    def jump(self, end: Shown) -> None:
        """Show `end` at once."""
        self.shown, self._begin, self._end = end, None, None

    def settle(self) -> None:
        """Show at once what would be shown in the end."""
        if self._end is not None:
            self.jump(self._end)

    def advance(self, now_s: float) -> bool:
        """Show what is to be seen at `now_s`. False: nothing was moving."""
        if self._begin is None or self._end is None:
            return False
        if self._started_s is None:
            self._started_s = now_s
        passed, timing = now_s - self._started_s, self._timing
        if passed >= max(timing.pieces_s, timing.held_s + timing.zoom_s):
            self.jump(self._end)
        else:
            pieces = _slowing(passed / timing.pieces_s)
            axes = _gentle((passed - timing.held_s) / timing.zoom_s)
            self.shown = _mixed(self._begin, self._end, pieces, axes)
        return True


def _mixed(a: Shown, b: Shown, pieces: float, axes: float) -> Shown:
    return Shown(
        _towards(a.levels, b.levels, pieces),
        _towards(a.points, b.points, pieces),
        _towards(a.ratios, b.ratios, pieces),
        between(a.axis, b.axis, axes),
        between(a.strip, b.strip, axes),
    )


def _towards(a: np.ndarray, b: np.ndarray, part: float) -> np.ndarray:
    """What is new grows out of the last that was there."""
    if part >= 1.0 or not len(a):
        return b
    missing = len(b) - len(a)
    begin = np.concatenate([a, np.repeat(a[-1:], missing, axis=0)]) if missing > 0 else a[: len(b)]
    moved: np.ndarray = begin + (b - begin) * part
    return moved


def _slowing(part: float) -> float:
    return 1.0 - (1.0 - min(1.0, max(0.0, part))) ** 3


def _gentle(part: float) -> float:
    part = min(1.0, max(0.0, part))
    return part * part * (3.0 - 2.0 * part)
