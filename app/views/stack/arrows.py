"""The same pieces as arrows, on the tower's own axis and at equal scale."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen

from ..ink import Ink
from .arrow_words import paint_names, paint_words
from .facts import Facts, degrees
from .layout import BARS, Layout
from .motion import Shown


def paint_arrows(ink: Ink, layout: Layout, panel: QRectF, shown: Shown, facts: Facts) -> None:
    """Axis, pieces, the sum where it points elsewhere, and the full batch, hollow and last."""
    painter, px, theme = ink.painter, ink.px, ink.theme
    axis = shown.axis
    unit, zero, one = axis.unit(panel), axis.y(0.0, panel), round(axis.y(1.0, panel))
    start = QPointF(start_x(shown.points, unit, panel), zero)
    ends = [QPointF(start.x() + x * unit, zero - y * unit) for x, y in _thinned(shown.points).tolist()]
    edge = round(panel.left() - px(11))
    painter.fillRect(QRectF(edge, panel.top(), round(theme.hair), panel.height()), ink.colour(theme.grid))
    ink.level(panel.left(), panel.right(), round(zero), theme.muted)
    ink.dotted(panel.left() - px(11), panel.right(), one, theme.full, 5.0, 3.0)
    painter.save()
    painter.setClipRect(
        panel.adjusted(-px(10), px(14) - layout.headroom, px(4), px(4)), Qt.ClipOperation.IntersectClip
    )
    _paint_pieces(ink, ends, above_line(shown.levels, len(ends), facts), facts)
    if facts.angle is not None:
        _paint_angle(ink, ends[0], ends[-1], unit, facts.angle)
    if too_short(ink, unit):
        _paint_short(ink, start, axis.y(1.0, panel), panel, ends)
    else:
        _paint_full(ink, start, axis.y(1.0, panel))
    if facts.count <= 16 and len(ends) == len(facts.added) + 1:
        paint_names(ink, ends, panel, one - px(6), facts.count)
    painter.restore()
    paint_words(ink, layout, panel, shown, facts)


def start_x(points: np.ndarray, unit: float, panel: QRectF) -> float:
    """Where the arrows begin: in the middle, moved as far as is needed to keep all of them in the panel."""
    low, high = float(points[:, 0].min()) * unit, float(points[:, 0].max()) * unit
    middle, room = panel.center().x(), panel.width() * 0.42
    shift = max(0.0, -low - room) - max(0.0, high - room)
    if high - low > 2 * room:
        shift = -(low + high) / 2
    # the full-batch arrow itself never leaves
    return middle + max(-room, min(room, shift))


def _thinned(points: np.ndarray) -> np.ndarray:
    if len(points) <= 257:
        return points
    chosen: np.ndarray = points[np.linspace(0, len(points) - 1, 257).astype(int)]
    return chosen


def above_line(levels: np.ndarray, ends: int, facts: Facts) -> list[bool]:
    """Of each arrow, whether its bar reaches into the part that is hatched as a fault."""
    if not facts.fault_above:
        return [False] * (ends - 1)
    chosen = levels if len(levels) == ends else levels[np.linspace(0, len(levels) - 1, ends).astype(int)]
    above: list[bool] = (np.maximum(chosen[1:], chosen[:-1]) > 1.0 + 1e-6).tolist()
    return above


def _paint_pieces(ink: Ink, ends: list[QPointF], above: list[bool], facts: Facts) -> None:
    """Each piece in the colour of its bar: its own, or the fault's where the bar is hatched."""
    painter, fault = ink.painter, ink.colour(ink.theme.fault)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if facts.count > BARS:
        lines = [QLineF(begin, end) for begin, end in pairwise(ends)]
        for colour, wanted in ((ink.colour(ink.theme.accumulated), False), (fault, True)):
            pen = QPen(colour, ink.theme.line(1.5))
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawLines([line for line, faulty in zip(lines, above, strict=True) if faulty == wanted])
        return
    width = ink.theme.line(2.6 if facts.count <= 16 else 2.0)
    for index, (begin, end) in enumerate(pairwise(ends)):
        colour = fault if above[index] else ink.piece(index, facts.count)
        _paint_alike(ink, [begin, end], colour, width)


def _paint_alike(ink: Ink, ends: list[QPointF], colour: QColor, width: float) -> None:
    """A chain of arrows of one colour: all shafts, then all heads."""
    shafts, heads = [], QPainterPath()
    for begin, end in pairwise(ends):
        dx, dy = end.x() - begin.x(), end.y() - begin.y()
        length = math.hypot(dx, dy)
        if length < 0.5:
            continue
        ux, uy = dx / length, dy / length
        head = min(width * 3.4, length * 0.6)
        half, x, y = head * 0.55, end.x() - ux * head, end.y() - uy * head
        shafts.append(QLineF(begin.x(), begin.y(), x + ux, y + uy))
        heads.moveTo(end)
        heads.lineTo(x - uy * half, y + ux * half)
        heads.lineTo(x + uy * half, y - ux * half)
        heads.closeSubpath()
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    ink.painter.setPen(pen)
    ink.painter.drawLines(shafts)
    ink.painter.fillPath(heads, colour)


def too_short(ink: Ink, length: float) -> bool:
    """Whether the full batch is so short, in pixels, that no head can be drawn on it."""
    return length < ink.px(13)


def _paint_short(ink: Ink, start: QPointF, top: float, panel: QRectF, ends: list[QPointF]) -> None:
    """A bar of the true length, and words beside the pieces that say what it is."""
    px, theme = ink.px, ink.theme
    bottom, half = round(start.y()), round(px(5))
    tall = max(round(px(3)), bottom - round(top))
    bar = QRectF(round(start.x()) - half, bottom - tall, 2 * half, tall)
    ink.painter.fillRect(bar, ink.colour(theme.full))
    near = [point.x() for point in ends if point.y() > top - px(20)]
    # the pieces' numbers stand beside them
    apart = px(34 if len(ends) <= 17 else 16)
    right, left = max(near) + apart, min(near) - apart
    for words in ("full batch, to scale", "full batch"):
        width = ink.width(words, "small")
        if right + width <= panel.right():
            ink.text(right, top - px(5), words, "small", theme.full_text)
            return
        if left - width >= panel.left() - px(6):
            ink.text(left - width, top - px(5), words, "small", theme.full_text)
            return


def _paint_full(ink: Ink, start: QPointF, top: float) -> None:
    """Hollow, so that the pieces are seen through it."""
    half, wide, head = ink.px(4), ink.px(9), ink.px(14)
    head = min(head, (start.y() - top) * 0.6)
    x, bottom = start.x(), start.y()
    path = QPainterPath(QPointF(x - half, bottom))
    for point in (
        QPointF(x - half, top + head),
        QPointF(x - wide, top + head),
        QPointF(x, top),
        QPointF(x + wide, top + head),
        QPointF(x + half, top + head),
        QPointF(x + half, bottom),
    ):
        path.lineTo(point)
    pen = QPen(ink.colour(ink.theme.full), ink.theme.line(2))
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    ink.painter.setPen(pen)
    ink.painter.setBrush(Qt.BrushStyle.NoBrush)
    ink.painter.drawPath(path)


def _paint_angle(ink: Ink, start: QPointF, end: QPointF, unit: float, angle: float) -> None:
    """The sum as a dashed line, and the angle between it and the full batch as an arc."""
    ink.line(ink.theme.fault, 2.0, Qt.PenStyle.DashLine)
    ink.painter.drawLine(start, end)
    dx, dy = end.x() - start.x(), start.y() - end.y()
    turn = math.degrees(math.atan2(dx, dy))
    radius = min(unit * 0.5, math.hypot(dx, dy) * 0.75)
    box = QRectF(start.x() - radius, start.y() - radius, 2 * radius, 2 * radius)
    ink.line(ink.theme.fault, 2.0)
    ink.painter.drawArc(box, 90 * 16, round(-turn * 16))
    if abs(turn) < 4:
        return
    half = math.radians(turn / 2)
    at = QPointF(start.x() + math.sin(half) * radius * 0.8, start.y() - math.cos(half) * radius * 0.8)
    words = degrees(angle)
    side = 1.0 if turn > 0 else -1.0
    if abs(turn) < 24:
        full = math.radians(turn)
        at = QPointF(
            start.x() + math.sin(full) * radius + side * ink.px(20), start.y() - math.cos(full) * radius
        )
    ink.text(at.x(), at.y() + ink.px(4), words, "strong", ink.theme.ink, 0.5)
