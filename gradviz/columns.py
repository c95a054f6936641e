"""A number for each step of a run that may go on for ever, in memory that does not grow with it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RECENT = 2**13
"""At least so many of the newest values are kept as they are."""
BUCKETS = 2**15
"""Of older ones, least and largest of each stretch of steps are kept, in at most so many stretches."""
CHANGES = 2**13
"""Of more changes than that the newest are kept."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Over the steps from `first` to `last` the value lay between `low` and `high`, and reached both."""

    first: int
    last: int
    low: float
    high: float

    @property
    def exact(self) -> bool:
        """Whether it is the value of one step."""
        return self.first == self.last


@dataclass(frozen=True, slots=True)
class Ending:
    """The newest step that has a value, and the step with which the stretch of values began that it ends."""

    begun: int
    step: int
    reading: Reading


class Column:
    """One number a step, NaN where there is none; steps count from 1.

    The first 40 960 steps are held one by one. Later the older ones are held by twos, fours and so on, each
    stretch with its least and its largest value, and the whole in less than 2 MB.
    """

    def __init__(self) -> None:
        self.steps = 0
        self._recent = np.empty(2 * RECENT)
        # so many steps are in stretches of `_width`; the rest is in `_recent`
        self._old = 0
        self._width = 1
        self._lows = self._highs = np.empty(0)
        self._peaks = np.empty(0, np.int64)
        self._highest: tuple[int, float] | None = None
        self._endings: deque[tuple[int, int, float]] = deque(maxlen=CHANGES)
        self._begun: int | None = None
        self._last = 0.0
        self._folded: tuple[tuple[int, int], Floats] = ((0, 0), np.empty((0, 2)))

    def append(self, value: float) -> None:
        """The value of the next step; NaN where it has none."""
        if self.steps - self._old == len(self._recent):
            self._retire()
        self._recent[self.steps - self._old] = value
        self.steps += 1
        if value != value:
            if self._begun is not None:
                self._endings.append((self._begun, self.steps - 1, self._last))
                self._begun = None
            return
        if self._begun is None:
            self._begun = self.steps
        if self._highest is None or value > self._highest[1]:
            self._highest = (self.steps, value)
        self._last = value

    @property
    def nbytes(self) -> int:
        """Bytes of all values that are held."""
        arrays = (self._recent, self._lows, self._highs, self._peaks, self._folded[1])
        return sum(array.nbytes for array in arrays) + 24 * len(self._endings)

    def at(self, step: int) -> Reading | None:
        """The value of `step`, or that of the stretch in which it lies; None where there is none."""
        if step > self._old:
            value = float(self._recent[step - 1 - self._old])
            return None if value != value else Reading(step, step, value, value)
        bucket = (step - 1) // self._width
        low, high = float(self._lows[bucket]), float(self._highs[bucket])
        if low != low:
            return None
        return Reading(bucket * self._width + 1, min((bucket + 1) * self._width, self._old), low, high)

    def values(self) -> Floats:
        """A new array of the values that are known one by one; NaN for all others, as where there is none."""
        known = np.full(self.steps, np.nan)
        if self._width == 1:
            known[: self._old] = self._highs[: self._old]
        for _, step, value in self._endings:
            known[step - 1] = value
        known[self._old :] = self._recent[: self.steps - self._old]
        return known

    def ending(self, steps: int) -> Ending | None:
        """The newest of the first `steps` steps that has a value; None where none has."""
        if self._begun is not None and self._begun <= steps:
            return self._ending(self._begun, steps)
        for begun, step, value in reversed(self._endings):
            if step <= steps:
                return Ending(begun, step, Reading(step, step, value, value))
            if begun <= steps:
                return self._ending(begun, steps)
        return None

    def peak(self, steps: int) -> tuple[int, float] | None:
        """Step and value of the largest of the first `steps`, the first of several.

        None where there is none, or where it cannot be told: then the stretch in which `steps` lies is
        partly later and has one that is larger.
        """
        if self._highest is None or self._highest[0] <= steps:
            return self._highest
        count = -(-min(steps, self._old) // self._width)
        whole = steps // self._width if steps < self._old else count
        highs = self._highs[:count]
        candidates: list[tuple[int, float]] = []
        if not np.isnan(highs).all():
            best = int(np.nanargmax(highs))
            if best >= whole:
                return None
            candidates.append((int(self._peaks[best]), float(highs[best])))
        recent = self._recent[: max(0, steps - self._old)]
        if not np.isnan(recent).all():
            best = int(np.nanargmax(recent))
            candidates.append((self._old + best + 1, float(recent[best])))
        return max(candidates, key=lambda found: (found[1], -found[0]), default=None)

    def width(self, wanted: int) -> int:
        """Steps of a stretch in `extremes`: a power of two as `wanted`, or more where no less is known."""
        return max(wanted, self._width)

    def extremes(self, steps: int, wanted: int) -> Floats:
        """Least and largest of each `width(wanted)` of the first `steps` steps, shape (stretches, 2).

        NaN where no step has a value. The last stretch is shorter if `steps` ends in it; what of it is only
        known together with later steps is left out.
        """
        width = self.width(wanted)
        if steps < self._old:
            return self._fold_old(steps // self._width, width)
        ends = self._fold_old(-(-self._old // self._width), width)
        recent = self._recent[: steps - self._old]
        # these belong to a stretch that began among the old ones
        joined = recent[: -self._old % width]
        if len(joined):
            ends = np.concatenate([ends[:-1], _joined(ends[-1:], _folded(joined, len(joined)))])
        return np.concatenate([ends, _folded(recent[len(joined) :], width)])

    def _ending(self, begun: int, step: int) -> Ending:
        reading = self.at(step)
        assert reading is not None
        return Ending(begun, step, reading)

    def _fold_old(self, count: int, width: int) -> Floats:
        key = (count, width)
        if key != self._folded[0]:
            factor = width // self._width
            lows, highs = self._lows[:count], self._highs[:count]
            self._folded = (
                key,
                np.stack([_folded(lows, factor)[:, 0], _folded(highs, factor)[:, 1]], axis=1),
            )
        return self._folded[1]

    def _retire(self) -> None:
        """The older half of the recent values goes into stretches, which become twice as long if need be."""
        if not len(self._lows):
            self._lows, self._highs = np.full(BUCKETS, np.nan), np.full(BUCKETS, np.nan)
            self._peaks = np.zeros(BUCKETS, np.int64)
        while self._old + RECENT > BUCKETS * self._width:
            self._widen()
        values = self._recent[:RECENT]
        length = min(self._width, RECENT)
        ends = _folded(values, length)
        places = slice(self._old // self._width, self._old // self._width + len(ends))
        blocks = np.where(np.isnan(values), -np.inf, values).reshape(-1, length)
        steps = self._old + 1 + np.arange(0, RECENT, length) + blocks.argmax(axis=1)
        higher = np.isnan(self._highs[places]) | (ends[:, 1] > self._highs[places])
        self._peaks[places] = np.where(higher, steps, self._peaks[places])
        self._lows[places] = np.fmin(self._lows[places], ends[:, 0])
        self._highs[places] = np.fmax(self._highs[places], ends[:, 1])
        self._recent[:RECENT] = self._recent[RECENT:]
        self._old += RECENT

    def _widen(self) -> None:
        half, nothing = BUCKETS // 2, np.full(BUCKETS // 2, np.nan)
        first, second = self._highs[::2], self._highs[1::2]
        higher = np.isnan(first) | (second > first)
        peaks = np.where(higher, self._peaks[1::2], self._peaks[::2])
        self._peaks = np.concatenate([peaks, np.zeros(half, np.int64)])
        self._highs = np.concatenate([np.fmax(first, second), nothing])
        self._lows = np.concatenate([np.fmin(self._lows[::2], self._lows[1::2]), nothing])
        self._width *= 2


class Changes:
    """A setting that each step was made with, kept as the steps at which it became another."""

    def __init__(self) -> None:
        self.steps = 0
        self._since: deque[tuple[int, float]] = deque(maxlen=CHANGES)

    @property
    def changed(self) -> bool:
        """Whether there were several."""
        return len(self._since) > 1

    def append(self, value: float) -> None:
        """The setting of the next step."""
        self.steps += 1
        if not self._since or value != self._since[-1][1]:
            self._since.append((self.steps, value))

    def at(self, step: int) -> float | None:
        """The setting of `step`; None where it is not known, or no more."""
        if not 1 <= step <= self.steps:
            return None
        return next((value for since, value in reversed(self._since) if since <= step), None)

    def any_set(self, steps: int, width: int) -> NDArray[np.bool_]:
        """Of each `width` of the first `steps` steps, whether one of them was made with other than 0."""
        found = np.zeros(-(-steps // width), dtype=bool)
        until = steps
        for since, value in reversed(self._since):
            if value and since <= until:
                found[(since - 1) // width : (until - 1) // width + 1] = True
            until = min(until, since - 1)
        return found


def _folded(values: Floats, length: int) -> Floats:
    """Least and largest of each `length` values, NaN left out where there is something else."""
    count = -(-len(values) // length)
    whole = values
    if count * length > len(values):
        whole = np.concatenate([values, np.full(count * length - len(values), np.nan)])
    blocks = whole.reshape(count, length)
    if length == 1:
        return np.repeat(blocks, 2, axis=1)
    lows, highs = np.minimum.reduce(blocks, axis=1), np.maximum.reduce(blocks, axis=1)
    # minimum is several times faster than fmin, but carries NaN on
    holes = np.isnan(lows)
    if holes.any():
        lows[holes] = np.fmin.reduce(blocks[holes], axis=1)
        highs[holes] = np.fmax.reduce(blocks[holes], axis=1)
    return np.stack([lows, highs], axis=1)


def _joined(one: Floats, other: Floats) -> Floats:
    return np.stack([np.fmin(one[:, 0], other[:, 0]), np.fmax(one[:, 1], other[:, 1])], axis=1)
