"""Smallest and largest value of each pixel column, kept up to date while rows are appended."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = Callable[[int, int], Floats]
"""Reads rows [start, stop) of a column; NaN where there is no value."""


class Columns:
    """A column of numbers cut into buckets of `width` rows, of which only the extremes are kept.

    Appending costs what is new, not what is there: rows never change once they have been read. Buckets that
    become a whole number of times as wide are put together from those that are there.
    """

    def __init__(self) -> None:
        self._width = 0
        self._buckets = 0
        self._extremes: Floats = np.empty((0, 2))

    def clear(self) -> None:
        """Forget all rows: another run begins."""
        self._width = 0
        self._buckets = 0

    def line(self, read: Rows, rows: int, width: int) -> tuple[Floats, Floats]:
        """Steps (from 1) and values of a polyline through the first `rows` rows.

        One vertex a row if `width` is 1, otherwise least and largest of each `width` rows, at their middle.
        """
        self._extend(read, rows, width)
        whole = rows // width
        if width == 1:
            return np.arange(1.0, rows + 1.0), self._extremes[:rows, 0]
        ends = self._extremes[:whole]
        if rows > whole * width:
            ends = np.concatenate([ends, _extremes(read(whole * width, rows).reshape(1, -1))])
        middles = np.arange(len(ends)) * float(width) + (width + 1) / 2
        return np.repeat(middles, 2), ends.reshape(-1)

    def _extend(self, read: Rows, rows: int, width: int) -> None:
        if width != self._width:
            self._widen(width)
        whole = rows // width
        if whole <= self._buckets:
            return
        if whole > len(self._extremes):
            grown = np.empty((max(1024, 2 * whole), 2))
            grown[: self._buckets] = self._extremes[: self._buckets]
            self._extremes = grown
        new = read(self._buckets * width, whole * width).reshape(-1, width)
        self._extremes[self._buckets : whole] = _extremes(new)
        self._buckets = whole

    def _widen(self, width: int) -> None:
        factor = width // self._width if self._width and width % self._width == 0 else 0
        self._width, self._buckets = width, self._buckets // factor if factor else 0
        if self._buckets:
            old = self._extremes[: self._buckets * factor].reshape(-1, factor, 2)
            self._extremes[: self._buckets, 0] = np.fmin.reduce(old[:, :, 0], axis=1)
            self._extremes[: self._buckets, 1] = np.fmax.reduce(old[:, :, 1], axis=1)


def bucket_width(rows: int, pixels: int) -> int:
    """Rows of a bucket for about one bucket a pixel; a power of two, so that old buckets make wider ones."""
    return int(2 ** max(0, round(math.log2(max(1.0, rows / max(1, pixels))))))


def highest(read: Rows, rows: int, steps: Floats, values: Floats, width: int) -> tuple[int, float] | None:
    """Step and value of the largest of the first `rows` rows, found by way of the line drawn through them."""
    if not len(values) or bool(np.isnan(values).all()):
        return None
    middle = float(steps[int(np.nanargmax(values))])
    start = round(middle - (width + 1) / 2)
    block = read(start, min(start + width, rows))
    best = int(np.nanargmax(block))
    return start + best + 1, float(block[best])


def _extremes(block: Floats) -> Floats:
    """Smallest and largest of each row of `block`, NaN left out where there is something else."""
    if block.shape[1] == 1:
        return np.repeat(block, 2, axis=1)
    # minimum is several times faster than fmin, but carries NaN on
    ends = np.stack([np.minimum.reduce(block, axis=1), np.maximum.reduce(block, axis=1)], axis=1)
    holes = np.isnan(ends[:, 0])
    if holes.any():
        ends[holes, 0] = np.fmin.reduce(block[holes], axis=1)
        ends[holes, 1] = np.fmax.reduce(block[holes], axis=1)
    return ends
