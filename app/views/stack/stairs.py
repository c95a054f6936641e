"""More micro-batches than can have a bar each: one filled staircase."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPen, QPolygonF

from ..ink import Ink
from .facts import Facts
from .layout import Layout
from .motion import Shown

_STEPS = 600


def stairs(levels: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The staircase as (ends, heights), no finer than can be seen; ends are parts of the width."""
    chosen = np.unique(np.linspace(1, len(levels) - 1, min(len(levels) - 1, _STEPS)).astype(int))
    return np.concatenate([[0], chosen]) / count, levels[chosen]


def paint_stairs(ink: Ink, layout: Layout, shown: Shown, facts: Facts) -> None:
    """The staircase in the lane's colours, later steps lighter; what is wrong is hatched."""
    if len(shown.levels) < 2:
        return
    plot, slots = layout.plot, layout.slots
    ends, heights = stairs(shown.levels, facts.count)
    xs = slots.left() + slots.width() * ends
    ys = shown.axis.y(0.0, plot) - heights * shown.axis.unit(plot)
    zero, one = shown.axis.y(0.0, plot), round(shown.axis.y(1.0, plot))
    outline = [QPointF(xs[0], zero)]
    for left, right, y in zip(xs, xs[1:], ys, strict=False):
        outline += (QPointF(left, y), QPointF(right, y))
    polygon = QPolygonF([*outline, QPointF(xs[-1], zero)])
    shade = QLinearGradient(slots.left(), 0.0, slots.right(), 0.0)
    shade.setColorAt(0.0, QColor(ink.theme.pieces[0]))
    shade.setColorAt(1.0, QColor(ink.theme.pieces[1]))
    painter = ink.painter
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(shade)
    painter.drawPolygon(polygon)
    if facts.fault_above and ys.min() < one:
        painter.save()
        painter.setClipRect(QRectF(plot.left(), 0, plot.width(), one), Qt.ClipOperation.IntersectClip)
        painter.setBrush(ink.faulty())
        painter.setPen(QPen(ink.colour(ink.theme.fault), max(1.0, ink.theme.line(1.5))))
        painter.drawPolygon(polygon)
        painter.restore()
    ink.dotted(float(xs[-1]), layout.column.left(), round(float(ys[-1])), ink.theme.muted)
