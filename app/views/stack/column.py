"""The column of .grad: the pieces on top of each other, as they lie in memory's one sum."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QLinearGradient, QPolygonF

from ..ink import Ink
from ..marks import Mark
from .facts import Facts, degrees
from .labels import clear_of
from .layout import BARS, Layout
from .motion import Shown
from .shares import printed_shares


def stacked(levels: np.ndarray) -> list[tuple[int, float, float]]:
    """What is left of each piece, as (index, from, to): a piece backwards takes away what lies on top."""
    left: list[tuple[int, float, float]] = []
    for index, (at, end) in enumerate(pairwise(levels.tolist())):
        while left and at != end and (end > at) != (left[-1][2] > left[-1][1]):
            last, bottom, _ = left.pop()
            if (end > at) == (bottom > end):
                # a part of the last one stays
                left.append((last, bottom, end))
                at = end
            else:
                at = bottom
        if at != end:
            left.append((index, at, end))
    return left


def paint_column(ink: Ink, layout: Layout, shown: Shown, facts: Facts) -> None:
    """The column, what it reached on the way, its number, and a gap where its direction is another one."""
    axis, plot, column = shown.axis, layout.plot, layout.column
    total = float(shown.levels[-1])
    zero, one, end = (round(axis.y(v, plot)) for v in (0.0, 1.0, total))
    if facts.count > BARS:
        _paint_graded(ink, QRectF(column.left(), min(zero, end), column.width(), abs(zero - end)), total < 0)
    else:
        _paint_pieces(ink, layout, shown, facts)
    if facts.fault_above and end < one:
        _paint_above(ink, layout, shown, facts, QRectF(column.left(), end, column.width(), one - end))
    highest = round(axis.y(float(shown.levels.max()), plot))
    if highest < end - ink.px(4):
        ink.dotted(column.left(), column.right(), highest, ink.theme.muted, 2.0, 2.0)
    if facts.angle is not None and abs(zero - end) > ink.px(18):
        _paint_gap(ink, column, (zero + end) / 2)


@dataclass(frozen=True, slots=True)
class Total:
    """The number above the column: how far it reaches, or by how much it points elsewhere; and its mark."""

    box: QRectF
    baseline: float
    words: str
    mark: Mark | None
    factor: float


def total_place(ink: Ink, layout: Layout, shown: Shown, facts: Facts) -> Total | None:
    """Where the number stands; None where there is none, or while the column goes on above the picture."""
    if not facts.added or not facts.known:
        return None
    axis, plot, middle = shown.axis, layout.plot, layout.column.center().x()
    top = axis.y(max(0.0, float(shown.levels.max())), plot)
    if top < plot.top() - layout.headroom:
        return None
    baseline = clear_of(axis.y(1.0, plot), top - ink.px(6), ink.px(13), ink.px(6))
    baseline = max(baseline, plot.top() - layout.headroom + ink.px(12))
    words, mark = total_in_words(facts, axis.in_times)
    factor = 1.0 if ink.width(words, "title") < layout.column.width() * 1.3 else 0.85
    width = ink.width(words, "title", factor)
    size = ink.px(11) if mark else 0.0
    left = min(middle - (width + size * 1.4) / 2, plot.right() - width - size * 1.4)
    tall = ink.px(13)
    return Total(QRectF(left, baseline - tall, width + size * 1.4, tall), baseline, words, mark, factor)


def paint_total(ink: Ink, total: Total) -> None:
    """The number with its mark."""
    left, size = total.box.left(), ink.px(11)
    if total.mark is not None:
        ink.mark(total.mark, left, total.baseline - ink.px(5), size)
        left += size * 1.4
    ink.text(left, total.baseline, total.words, "title", ink.theme.ink, 0.0, total.factor)


def total_in_words(facts: Facts, in_times: bool) -> tuple[str, Mark | None]:
    """The number above the column, and the mark before it."""
    _, total = printed_shares(facts.added, in_times)
    found = facts.comparison
    if found is None or found.kind == "none":
        return total, None
    if found.kind == "equal":
        return total, "check"
    if found.kind == "scaled":
        if total in ("100 %", "1.00 ×"):
            return f"{found.relative_error or 0.0:.1g} off", "cross"
        return total, "cross"
    return f"{degrees(found.angle_degrees or 0.0)} off", "cross"


def _paint_pieces(ink: Ink, layout: Layout, shown: Shown, facts: Facts) -> None:
    painter, axis, plot, column = ink.painter, shown.axis, layout.plot, layout.column
    covered = axis.y(1.0, plot) if facts.fault_above else -1e9
    for index, begin, end in stacked(shown.levels):
        if max(axis.y(begin, plot), axis.y(end, plot)) < covered:
            continue
        low, high = round(axis.y(begin, plot)), round(axis.y(end, plot))
        box = QRectF(column.left(), min(low, high), column.width(), max(1, abs(high - low)))
        colour = ink.piece(index, facts.count)
        painter.fillRect(box, ink.backward(colour) if end < begin else QBrush(colour))
        gap = round(ink.theme.hair)
        if facts.count <= 16 and box.height() > 2 * gap + 1:
            painter.fillRect(QRectF(box.left(), box.top(), box.width(), gap), ink.colour(ink.theme.ground))


def _paint_above(ink: Ink, layout: Layout, shown: Shown, facts: Facts, box: QRectF) -> None:
    ink.faulty_boxes([box])
    if facts.count > BARS // 2:
        return
    for _, _, end in stacked(shown.levels):
        y = round(shown.axis.y(end, layout.plot))
        if box.top() + 3 < y < box.bottom():
            ink.level(box.left(), box.right(), y, ink.theme.fault)


def _paint_graded(ink: Ink, box: QRectF, back: bool) -> None:
    shade = QLinearGradient(0.0, box.bottom(), 0.0, box.top())
    shade.setColorAt(0.0, QColor(ink.theme.pieces[0]))
    shade.setColorAt(1.0, QColor(ink.theme.pieces[1]))
    if back:
        ink.painter.fillRect(box, ink.backward(QColor(ink.theme.pieces[1])))
    else:
        ink.painter.fillRect(box, shade)


def _paint_gap(ink: Ink, column: QRectF, y: float) -> None:
    """The column is broken: what it is made of does not lie along the full-batch gradient."""
    painter, reach, slant, gap = ink.painter, ink.px(5), ink.px(5), ink.px(6)
    left, right = column.left() - reach, column.right() + reach
    third = (right - left) / 3
    upper = [
        QPointF(left, y + slant),
        QPointF(left + third, y - slant),
        QPointF(left + 2 * third, y + slant),
        QPointF(right, y - slant),
    ]
    lower = [point + QPointF(0, gap) for point in upper]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.colour(ink.theme.ground))
    painter.drawPolygon(QPolygonF([*upper, *reversed(lower)]))
    ink.line(ink.theme.fault, 2.0)
    painter.drawPolyline(upper)
    painter.drawPolyline(lower)
