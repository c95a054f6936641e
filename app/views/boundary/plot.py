"""The plane on the screen: where it is, its axes, and the points in it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from ...theme import Theme
from ..ink import Ink
from .contour import Line

CLASS_KINDS = ("activations", "window")
"""Whose colours the two classes have."""


@dataclass(frozen=True, slots=True)
class Plot:
    """`box` in pixels shows inputs from `low` to `high`, both (x, y), at equal scale."""

    box: QRectF
    low: tuple[float, float]
    high: tuple[float, float]

    def at(self, x: float, y: float) -> QPointF:
        """Where an input is."""
        across, up = (
            (x - self.low[0]) / (self.high[0] - self.low[0]),
            (y - self.low[1]) / (self.high[1] - self.low[1]),
        )
        return QPointF(
            self.box.left() + across * self.box.width(), self.box.bottom() - up * self.box.height()
        )

    def inputs(self, position: QPointF) -> tuple[float, float]:
        """Which input is at a position."""
        across = (position.x() - self.box.left()) / self.box.width()
        up = (self.box.bottom() - position.y()) / self.box.height()
        return (
            self.low[0] + across * (self.high[0] - self.low[0]),
            self.low[1] + up * (self.high[1] - self.low[1]),
        )


def plot_of(area: QRectF, low: tuple[float, float], high: tuple[float, float]) -> Plot:
    """As large as fits into `area`, at its left, one unit as long upwards as across."""
    wide, tall = max(1e-9, high[0] - low[0]), max(1e-9, high[1] - low[1])
    unit = max(1e-9, min(area.width() / wide, area.height() / tall))
    width, height = max(8, round(wide * unit)), max(8, round(tall * unit))
    return Plot(QRectF(round(area.left()), round(area.top()), width, height), low, high)


def class_colour(theme: Theme, label: int) -> QColor:
    """The colour of a class."""
    return QColor(theme.kinds[CLASS_KINDS[label]])


def paint_ground(ink: Ink, plot: Plot, probabilities: NDArray[np.float64] | None) -> None:
    """Each side lightly in its class's colour, the more so the surer it is."""
    box, painter = plot.box, ink.painter
    if probabilities is not None and min(probabilities.shape) > 1:
        rows, columns = probabilities.shape
        image = _shaded(ink.theme, probabilities)
        # the grid reaches from edge to edge, and a pixel half a pixel beyond its middle
        beside, above = box.width() / (columns - 1) / 2, box.height() / (rows - 1) / 2
        painter.save()
        painter.setClipRect(box)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(box.adjusted(-beside, -above, beside, above), image)
        painter.restore()
    ink.line(ink.theme.muted, 1.0)
    painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5))


def paint_axes(ink: Ink, plot: Plot) -> None:
    """Ticks with numbers below and at the left."""
    px, box = ink.px, plot.box
    for x in _ticks(plot.low[0], plot.high[0], box.width() / px(60)):
        at = plot.at(x, plot.low[1])
        ink.painter.fillRect(
            QRectF(round(at.x()), box.bottom(), round(ink.theme.hair), px(4)), ink.colour(ink.theme.muted)
        )
        ink.text(at.x(), box.bottom() + px(16), _written(x), "small", ink.theme.muted, 0.5)
    for y in _ticks(plot.low[1], plot.high[1], box.height() / px(40)):
        at = plot.at(plot.low[0], y)
        ink.level(box.left() - px(4), box.left(), round(at.y()), ink.theme.muted)
        ink.text(box.left() - px(7), at.y() + px(4), _written(y), "small", ink.theme.muted, 1.0)


def paint_points(ink: Ink, plot: Plot, points: NDArray[np.float64], labels: NDArray[np.int64]) -> None:
    """Circles for one class, triangles for the other; all of a class in one path."""
    size = ink.px(2.6 if len(points) <= 400 else 2.0)
    xs = plot.box.left() + (points[:, 0] - plot.low[0]) / (plot.high[0] - plot.low[0]) * plot.box.width()
    ys = plot.box.bottom() - (points[:, 1] - plot.low[1]) / (plot.high[1] - plot.low[1]) * plot.box.height()
    for label in (0, 1):
        chosen = labels == label
        path = QPainterPath()
        # points that lie over one another must not make holes
        path.setFillRule(Qt.FillRule.WindingFill)
        for x, y in zip(xs[chosen].tolist(), ys[chosen].tolist(), strict=True):
            add_point(path, QPointF(x, y), size, label)
        ink.painter.setPen(Qt.PenStyle.NoPen)
        ink.painter.setBrush(class_colour(ink.theme, label))
        ink.painter.drawPath(path)


def add_point(path: QPainterPath, at: QPointF, size: float, label: int) -> None:
    """A circle or a triangle around `at`."""
    if label == 0:
        path.addEllipse(at, size, size)
        return
    high, wide = size * 1.35, size * 1.25
    path.moveTo(at.x(), at.y() - high)
    path.lineTo(at.x() + wide, at.y() + high * 0.7)
    path.lineTo(at.x() - wide, at.y() + high * 0.7)
    path.closeSubpath()


def paint_lines(ink: Ink, plot: Plot, lines: list[Line], pen: QPen) -> None:
    """Contours inside of the box."""
    path = QPainterPath()
    for line in lines:
        path.moveTo(plot.at(*line[0]))
        for x, y in line[1:]:
            path.lineTo(plot.at(x, y))
    ink.painter.save()
    ink.painter.setClipRect(plot.box)
    ink.painter.setPen(pen)
    ink.painter.setBrush(Qt.BrushStyle.NoBrush)
    ink.painter.drawPath(path)
    ink.painter.restore()


def _shaded(theme: Theme, probabilities: NDArray[np.float64]) -> QImage:
    sure = np.nan_to_num(np.clip(probabilities, 0.0, 1.0), nan=0.5)[::-1]
    ground = QColor(theme.ground)
    ends = [
        np.array([c.red(), c.green(), c.blue()]) for c in (class_colour(theme, 0), class_colour(theme, 1))
    ]
    middle = np.array([ground.red(), ground.green(), ground.blue()])
    part = (np.abs(sure - 0.5) * 2)[..., None] * 0.3
    end = np.where((sure >= 0.5)[..., None], ends[1], ends[0])
    pixels = np.ascontiguousarray(np.round(middle + (end - middle) * part).astype(np.uint8))
    rows, columns, _ = pixels.shape
    return QImage(pixels.tobytes(), columns, rows, 3 * columns, QImage.Format.Format_RGB888).copy()


def _ticks(low: float, high: float, most: float) -> list[float]:
    rough = (high - low) / max(1.0, most)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(part * power for part in (1.0, 2.0, 5.0, 10.0) if part * power >= rough * 0.999)
    return [step * index for index in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _written(value: float) -> str:
    return f"{value:.6g}".replace("-", "−") if abs(value) > 1e-12 else "0"
