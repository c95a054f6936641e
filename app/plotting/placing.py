"""Where words can stand without covering curves or one another."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

Floats = NDArray[np.float64]

CELL = 3.0
"""Curves are looked at in columns so many pixels wide."""


def spread(wanted: list[float], heights: list[float], top: float, bottom: float) -> list[float]:
    """Tops of boxes as near as may be to the `wanted` middles, none over another, all in top…bottom.

    Boxes that do not fit even so stand below one another from `top` on.
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    tops = [0.0] * len(wanted)
    edge = top
    for i in order:
        tops[i] = edge = max(edge, wanted[i] - heights[i] / 2)
        edge += heights[i]
    edge = bottom
    for i in reversed(order):
        tops[i] = edge = min(tops[i], edge - heights[i])
    edge = top
    for i in order:
        tops[i] = max(tops[i], edge)
        edge = tops[i] + heights[i]
    return tops


class Placer:
    """Knows the curves (in pixels) and the boxes that are taken, and picks the freest of several places."""

    def __init__(self, curves: list[tuple[Floats, Floats]], width: float) -> None:
        edges = np.arange(0.0, width + CELL, CELL)
        reached = [_reach(xs, ys, edges) for xs, ys in curves if len(xs)]
        empty = np.empty((0, len(edges) - 1))
        self._upper = np.stack([upper for upper, _ in reached]) if reached else empty
        self._lower = np.stack([lower for _, lower in reached]) if reached else empty
        self._taken: list[QRectF] = []

    def take(self, box: QRectF) -> None:
        """Nothing else is to stand in `box`."""
        self._taken.append(box)

    def is_free(self, box: QRectF) -> bool:
        """Whether nothing stands in `box` and no curve runs through it."""
        return self._covered(box) == 0

    def is_taken(self, box: QRectF) -> bool:
        """Whether something stands in `box`; curves may run through it."""
        return any(box.intersects(other) for other in self._taken)

    def place(self, boxes: Iterable[QRectF]) -> QRectF:
        """The first of `boxes` that covers nothing, else the one that covers least."""
        best, least = QRectF(), math.inf
        for box in boxes:
            cost = self._covered(box)
            if cost < least:
                best, least = box, cost
            if cost == 0:
                break
        return best

    def _covered(self, box: QRectF) -> int:
        if self.is_taken(box):
            return 10_000
        near = slice(max(0, int(box.left() / CELL)), max(0, int(box.right() / CELL) + 1))
        hit = (self._upper[:, near] <= box.bottom()) & (self._lower[:, near] >= box.top())
        return int(np.count_nonzero(hit))


def _reach(xs: Floats, ys: Floats, edges: Floats) -> tuple[Floats, Floats]:
    """How far up and down a curve goes between each two `edges`; NaN where it does not run."""
    ends = np.interp(edges, xs, ys, left=np.nan, right=np.nan)
    upper, lower = np.fmin(ends[:-1], ends[1:]), np.fmax(ends[:-1], ends[1:])
    cells = np.clip((xs / CELL).astype(np.intp), 0, len(upper) - 1)
    np.fmin.at(upper, cells, ys)
    np.fmax.at(lower, cells, ys)
    return upper, lower
