"""The tower: one bar a micro-batch, each from where the last ended to where it leads."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPen

from ..ink import Ink
from .facts import Facts
from .layout import Layout
from .motion import Shown
from .scale import Axis


def bar_boxes(levels: np.ndarray, axis: Axis, layout: Layout, count: int) -> list[QRectF]:
    """The bars' rectangles on whole pixels, at least one pixel high."""
    ends = [round(axis.y(float(level), layout.plot)) for level in levels]
    boxes = []
    for index, (begin, end) in enumerate(pairwise(ends)):
        left, right = layout.bar(index, count)
        boxes.append(QRectF(left, min(begin, end), right - left, max(1, abs(end - begin))))
    return boxes


def paint_tower(ink: Ink, layout: Layout, shown: Shown, facts: Facts, boxes: list[QRectF]) -> None:
    """All bars with what connects them, and the outline of the next one."""
    one = round(shown.axis.y(1.0, layout.plot))
    _paint_connectors(ink, layout, shown, boxes)
    faulty = []
    for index, box in enumerate(boxes):
        back = bool(shown.levels[index + 1] < shown.levels[index])
        colour = ink.piece(index, facts.count)
        if facts.fault_above and box.top() < one:
            bottom = min(box.bottom(), one)
            faulty.append(QRectF(box.left(), box.top(), box.width(), bottom - box.top()))
            box = QRectF(box.left(), one, box.width(), box.bottom() - one)
        _paint_box(ink, box, colour, back)
    ink.faulty_boxes(faulty)
    if len(boxes) < facts.count and facts.known:
        _paint_next(ink, layout, shown, facts, len(boxes))


def _paint_box(ink: Ink, box: QRectF, colour: QColor, back: bool) -> None:
    if box.height() <= 0:
        return
    if not back:
        ink.painter.fillRect(box, colour)
        return
    ink.painter.fillRect(box, ink.backward(colour))
    edge = ink.theme.hair
    ink.painter.setPen(QPen(colour, edge))
    ink.painter.setBrush(Qt.BrushStyle.NoBrush)
    ink.painter.drawRect(box.adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2))


def _paint_connectors(ink: Ink, layout: Layout, shown: Shown, boxes: list[QRectF]) -> None:
    for index, box in enumerate(boxes):
        y = round(shown.axis.y(float(shown.levels[index + 1]), layout.plot))
        right = boxes[index + 1].left() if index + 1 < len(boxes) else layout.column.left()
        ink.dotted(box.right(), right, y, ink.theme.muted)


def _paint_next(ink: Ink, layout: Layout, shown: Shown, facts: Facts, index: int) -> None:
    """As tall as its weight promises: the share that it would have if all pieces were alike."""
    begin = float(shown.levels[-1])
    left, right = layout.bar(index, facts.count)
    low, high = (round(shown.axis.y(v, layout.plot)) for v in (begin, begin + facts.window.weights[index]))
    high = max(high, round(layout.plot.top()))
    if low - high < 2:
        return
    ink.line(ink.theme.muted, 1.2, Qt.PenStyle.DashLine)
    ink.painter.drawRect(QRectF(left + 0.5, high + 0.5, right - left - 1, low - high - 1))
