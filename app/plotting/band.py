"""Lines of many points as the columns of pixels that they cover: filled, where strokes would take long."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

Floats = NDArray[np.float64]

SMOOTH = 0.25
"""Edges that go up and down by no more than so many pixels a pixel are filled smoothly, which is dear."""


class Band:
    """What a line `width` pixels wide covers, in pixels; y goes down.

    `dashes` are lengths in pixels from left to right, on and off in turn; none is a solid line.
    """

    def __init__(self, xs: Floats, ys: Floats, width: float, dashes: tuple[float, ...] = ()) -> None:
        columns, tops, bottoms = covered(xs, ys, width)
        self._polygons: list[QPolygonF] = []
        self._rects: list[tuple[float, pg.Qt.internals.PrimitiveArray]] = []
        parts = list(_parts(len(columns), dashes))
        roughness = np.abs(np.diff(tops)).sum() + np.abs(np.diff(bottoms)).sum()
        if roughness <= 2 * SMOOTH * len(columns):
            self._polygons = [_polygon(columns[part], tops[part], bottoms[part]) for part in parts]
        else:
            shown = np.concatenate([np.arange(len(columns))[part] for part in parts])
            self._rects = list(_rects(columns[shown], tops[shown], bottoms[shown]))

    def paint(self, painter: QPainter, colour: QColor) -> None:
        """Fill it; the painter's unit is a pixel."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for polygon in self._polygons:
            painter.drawPolygon(polygon)
        if self._rects:
            smooth = painter.testRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            for part, rects in self._rects:
                see_through = QColor(colour)
                see_through.setAlphaF(part)
                painter.setBrush(see_through)
                painter.drawRects(*rects.drawargs())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)


def covered(xs: Floats, ys: Floats, width: float) -> tuple[Floats, Floats, Floats]:
    """The columns of pixels that a line runs through, and from where to where it covers each of them."""
    first, last = np.floor(xs[0]), max(np.floor(xs[0]) + 1, np.ceil(xs[-1]))
    edges = np.arange(first, last + 1)
    at_edges = np.interp(edges, xs, ys)
    # each column's points between the line's heights at its edges
    order = np.searchsorted(xs, edges)
    places = order + np.arange(len(edges))
    row = np.insert(ys, order, at_edges)
    tops = np.minimum(np.minimum.reduceat(row, places)[:-1], at_edges[1:])
    bottoms = np.maximum(np.maximum.reduceat(row, places)[:-1], at_edges[1:])
    reach, half = int(width / 2), width / 2
    tops, bottoms = _widened(tops, reach, np.minimum) - half, _widened(bottoms, reach, np.maximum) + half
    return edges[:-1], tops, bottoms


def _widened(values: Floats, reach: int, extreme: np.ufunc) -> Floats:
    """The extreme of each value and its neighbours up to `reach` away."""
    wide = values.copy()
    for away in range(1, min(reach, len(values) - 1) + 1):
        extreme(wide[away:], values[:-away], out=wide[away:])
        extreme(wide[:-away], values[away:], out=wide[:-away])
    return wide


def _parts(count: int, dashes: tuple[float, ...]) -> Iterator[slice]:
    if not dashes:
        yield slice(0, count)
        return
    on, off = round(dashes[0]), round(dashes[1])
    for start in range(0, count, max(1, on + off)):
        yield slice(start, min(start + max(1, on), count))


def _polygon(columns: Floats, tops: Floats, bottoms: Floats) -> QPolygonF:
    # through the middles of the columns, and to the outer edges of the first and the last
    middles = np.concatenate([columns[:1], columns + 0.5, columns[-1:] + 1.0])
    upper = np.concatenate([tops[:1], tops, tops[-1:]])
    lower = np.concatenate([bottoms[:1], bottoms, bottoms[-1:]])
    xs, ys = np.concatenate([middles, middles[::-1]]), np.concatenate([upper, lower[::-1]])
    polygon: QPolygonF = pg.functions.arrayToQPolygonF(xs, ys)
    return polygon


def _rects(
    columns: Floats, tops: Floats, bottoms: Floats
) -> Iterator[tuple[float, pg.Qt.internals.PrimitiveArray]]:
    """Whole pixels, and those at the ends that are covered in part, by that part in quarters."""
    # an end that is nearly a whole pixel is one
    first, last = np.ceil(tops - 0.125), np.floor(bottoms + 0.125)
    yield 1.0, _rectangles(columns, first, last - first)
    ends, places = np.concatenate([columns, columns]), np.concatenate([first - 1, last])
    quarters = np.round(4 * np.concatenate([first - tops, bottoms - last]))
    for part in (1, 2, 3):
        chosen = quarters == part
        yield part / 4, _rectangles(ends[chosen], places[chosen], 1.0)


def _rectangles(lefts: Floats, tops: Floats, heights: Floats | float) -> pg.Qt.internals.PrimitiveArray:
    rects = pg.Qt.internals.PrimitiveArray(QRectF, 4)
    rects.resize(len(lefts))
    numbers = rects.ndarray()
    numbers[:, 0], numbers[:, 1], numbers[:, 2], numbers[:, 3] = lefts, tops, 1.0, heights
    return rects
