"""A line through few or many points that looks thick and is drawn fast."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from .band import Band
from .marks import pixels_per_unit

Floats = NDArray[np.float64]
Points = tuple[Floats, Floats]

FEW = 160
"""Up to so many points a wide pen is drawn, with round joins; above it would take tens of milliseconds."""
MANY = 450
"""More points than that are about two a pixel or more, and drawn as what they cover."""
PIECE = 8
"""Segments drawn at once by a wide pen: its cost grows with the square of the crossings in one path."""

LONG = 2.5
"""Dashes of many points are so much longer than those of few."""
MOST = 600
"""Dashes measured along a line are no more than so many, and longer for it."""


class Curve(pg.GraphicsObject):  # type: ignore[misc]
    """A polyline in the coordinates of its view, `width` pixels wide, broken where a value is NaN.

    More than a few points are drawn as several strokes side by side, each 1 pixel wide, and many as the band
    of pixels that they cover. A value alone between two gaps is a dot. `dashes` are lengths in pixels, on and
    off in turn; none is a solid line. Those of more than a few points are measured along the line only where
    `along` is set, else from left to right.
    """

    def __init__(self, parent: QGraphicsItem | None = None) -> None:
        super().__init__(parent)
        self._bounds = QRectF(0, 0, 1, 1)
        self._pixels = QSizeF(1, 1)
        self._style: tuple[str, float, tuple[float, ...], bool] | None = None
        self._pen = QPen()
        self._dashes: tuple[float, ...] = ()
        self._along = False
        self._runs: list[tuple[Floats, Floats]] = []
        self._polygons: list[QPolygonF] = []
        self._strokes: list[QPolygonF] = []
        self._bands: list[Band] = []
        self._dots = QPolygonF()

    def set_bounds(self, bounds: QRectF, pixels: QSizeF) -> None:
        """The part of the view's coordinates that the line may reach, and how many pixels that is."""
        self._pixels = pixels
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds

    def set_style(
        self, colour: str, width: float, dashes: tuple[float, ...] = (), along: bool = False
    ) -> None:
        """Colour and width in pixels from the next repaint on."""
        style = (colour, width, dashes, along)
        if style == self._style:
            return
        self._style = style
        self._pen = QPen(QColor(colour), width)
        self._pen.setCosmetic(True)
        self._pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        self._pen.setCapStyle(Qt.PenCapStyle.FlatCap if dashes else Qt.PenCapStyle.RoundCap)
        if dashes:
            self._pen.setDashPattern([length / width for length in dashes])
        self._dashes, self._along = dashes, along
        self._build()
        self.update()

    def set_line(self, xs: Floats, ys: Floats) -> None:
        """Another line from the next repaint on."""
        self._runs = runs(xs, ys)
        self._build()
        self.update()

    def _build(self) -> None:
        count = sum(len(xs) for xs, _ in self._runs)
        few = count <= FEW
        lone = [(xs, ys) for xs, ys in self._runs if xs[0] == xs[-1] and np.ptp(ys) == 0]
        lines = [run for run in self._runs if len(run[0]) > 1]
        self._dots = QPolygonF([QPointF(xs[0], ys[0]) for xs, ys in lone])
        self._polygons = self._strokes = []
        self._bands = []
        if few and self._dashes:
            self._polygons = [_polygon(xs, ys) for xs, ys in lines]
        elif few:
            self._polygons = [part for xs, ys in lines for part in _pieces(xs, ys, PIECE, PIECE)]
        elif self._dashes and self._along:
            self._strokes = [part for xs, ys in lines for part in self._dashes_along(xs, ys)]
        elif count > MANY:
            self._bands = [self._band(xs, ys) for xs, ys in lines]
        elif self._dashes:
            self._strokes = [part for xs, ys in lines for part in self._long_dashes(xs, ys)]
        else:
            self._strokes = [_polygon(xs, ys) for xs, ys in lines]

    def _long_dashes(self, xs: Floats, ys: Floats) -> list[QPolygonF]:
        # short dashes of a line that goes up and down a lot would look like bars
        on, off = LONG * self._dashes[0], LONG * self._dashes[1]
        pixels = (xs[-1] - xs[0]) / self._bounds.width() * self._pixels.width()
        points = len(xs) / max(pixels, 1.0)
        return _pieces(xs, ys, max(2, round(on * points)), max(3, round((on + off) * points)))

    def _band(self, xs: Floats, ys: Floats) -> Band:
        dashes = tuple(LONG * length for length in self._dashes)
        bounds, pixels = self._bounds, self._pixels
        across = (xs - bounds.left()) * (pixels.width() / bounds.width())
        down = (bounds.bottom() - ys) * (pixels.height() / bounds.height())
        return Band(across, down, self._pen.widthF(), dashes)

    def _dashes_along(self, xs: Floats, ys: Floats) -> list[QPolygonF]:
        wide = self._pixels.width() / self._bounds.width()
        high = self._pixels.height() / self._bounds.height()
        lengths = np.hypot(np.diff(xs) * wide, np.diff(ys) * high)
        ends = np.concatenate([[0.0], np.cumsum(lengths)])
        on, off = self._dashes
        longer = max(1.0, ends[-1] / (on + off) / MOST)
        starts = np.arange(0.0, ends[-1], (on + off) * longer)
        return [_stretch(xs, ys, ends, start, start + on * longer) for start in starts.tolist()]

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        # cosmetic pens count the pixels of the device
        ratio = pixels_per_unit(painter)
        if self._dots:
            dot = _cosmetic(self._pen, max(5.0, 2 * self._pen.widthF()) * ratio)
            dot.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(dot)
            painter.drawPoints(self._dots)
        painter.setPen(_cosmetic(self._pen, self._pen.widthF() * ratio))
        for polygon in self._polygons:
            painter.drawPolyline(polygon)
        if self._strokes:
            self._paint_strokes(painter, ratio)
        if self._bands:
            self._paint_bands(painter)

    def _paint_strokes(self, painter: QPainter, ratio: float) -> None:
        thin = QPen(self._pen.color(), 1.0)
        thin.setCosmetic(True)
        painter.setPen(thin)
        place = painter.worldTransform()
        for dx, dy in side_by_side(self._pen.widthF() * ratio):
            painter.setWorldTransform(place * QTransform.fromTranslate(dx / ratio, dy / ratio))
            for stroke in self._strokes:
                painter.drawPolyline(stroke)
        painter.setWorldTransform(place)

    def _paint_bands(self, painter: QPainter) -> None:
        bounds, pixels, place = self._bounds, self._pixels, painter.worldTransform()
        across, down = bounds.width() / pixels.width(), -bounds.height() / pixels.height()
        painter.setWorldTransform(QTransform(across, 0, 0, down, bounds.left(), bounds.bottom()) * place)
        for band in self._bands:
            band.paint(painter, self._pen.color())
        painter.setWorldTransform(place)


def side_by_side(width: float) -> list[tuple[float, float]]:
    """Offsets of 1-pixel strokes that together look `width` pixels wide, whichever way the line runs."""
    reach = max(0.0, (width - 1) / 2)
    count = int(np.ceil(2 * reach)) + 1
    steps = [float(step) for step in np.linspace(-reach, reach, count)] if count > 1 else [0.0]
    return [(0.0, step) for step in steps] + [(step, 0.0) for step in steps if step != 0.0]


def runs(xs: Floats, ys: Floats) -> list[tuple[Floats, Floats]]:
    """The parts of a line between its gaps."""
    known = ~np.isnan(ys)
    if known.all():
        return [(xs, ys)] if len(xs) else []
    edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]]).astype(np.int8)))
    return [(xs[a:b], ys[a:b]) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def by_cause(xs: Floats, ys: Floats, flagged: NDArray[np.bool_]) -> tuple[Points, Points]:
    """The stretches of a line whose segments begin at points that are not flagged, and those that do."""
    if len(xs) < 2:
        return (xs, ys), (xs[:0], ys[:0])
    begins = flagged[: len(xs) - 1]
    edges = [0, *(np.flatnonzero(begins[1:] != begins[:-1]) + 1).tolist(), len(begins)]
    plain: list[tuple[int, int]] = []
    other: list[tuple[int, int]] = []
    for start, stop in pairwise(edges):
        (other if begins[start] else plain).append((start, stop + 1))
    return _joined(xs, ys, plain), _joined(xs, ys, other)


def _joined(xs: Floats, ys: Floats, parts: list[tuple[int, int]]) -> Points:
    """Stretches of a line with a gap after each."""
    if len(parts) == 1:
        return xs[slice(*parts[0])], ys[slice(*parts[0])]
    gap = np.array([np.nan])
    pieces = [(np.append(xs[a:b], xs[b - 1]), np.concatenate([ys[a:b], gap])) for a, b in parts]
    empty = np.empty(0)
    return (
        np.concatenate([empty, *(part[0] for part in pieces)]),
        np.concatenate([empty, *(part[1] for part in pieces)]),
    )


def _cosmetic(pen: QPen, width: float) -> QPen:
    wide = QPen(pen)
    wide.setWidthF(width)
    return wide


def _pieces(xs: Floats, ys: Floats, length: int, every: int) -> list[QPolygonF]:
    starts = range(0, max(1, len(xs) - 1), every)
    return [_polygon(xs[a : a + length + 1], ys[a : a + length + 1]) for a in starts]


def _stretch(xs: Floats, ys: Floats, ends: Floats, start: float, stop: float) -> QPolygonF:
    """The part of a line from `start` to `stop`, where `ends` says how long it is up to each point."""
    inside = slice(np.searchsorted(ends, start, "right"), np.searchsorted(ends, stop, "left"))
    cut = [np.interp([start, stop], ends, values) for values in (xs, ys)]
    parts = [np.insert(at, 1, values[inside]) for at, values in zip(cut, (xs, ys), strict=True)]
    return _polygon(*parts)


def _polygon(xs: Floats, ys: Floats) -> QPolygonF:
    polygon: QPolygonF = pg.functions.arrayToQPolygonF(np.ascontiguousarray(xs), np.ascontiguousarray(ys))
    return polygon
