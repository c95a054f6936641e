"""What is written at the arrows: numbers of the pieces, title and captions."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from ..ink import Ink
from .facts import Facts
from .labels import numbered
from .layout import Layout
from .motion import Shown


def paint_names(ink: Ink, ends: list[QPointF], panel: QRectF, top: float, count: int) -> None:
    """The pieces' numbers beside them: of many, the same few that stand under the bars.

    `top` is where the full-batch arrow ends: below it its place is not free.
    """
    taken: list[QRectF] = []
    climbed = abs(ends[0].y() - ends[-1].y()) / max(1, len(ends) - 1)
    # two columns, one at each side
    apart = ink.px(12) / max(1.0, 2.0 * climbed)
    for number in numbered(count, apart):
        if number >= len(ends):
            break
        begin, end = ends[number - 1], ends[number]
        if math.hypot(end.x() - begin.x(), end.y() - begin.y()) < 1.0:
            continue
        box = beside(ink, ends, number, panel, top, taken)
        if box is not None:
            taken.append(box)
            ink.text(box.center().x(), box.center().y() + ink.px(4), f"{number}", "small", ink.theme.ink, 0.5)


def beside(
    ink: Ink, ends: list[QPointF], number: int, panel: QRectF, top: float, taken: list[QRectF]
) -> QRectF | None:
    """The first free place beside an arrow, from its middle on, clear of the chain and of R's own arrow."""
    begin, end, tall = ends[number - 1], ends[number], ink.px(11)
    wide, gap = ink.width(f"{number}", "small"), ink.px(5)
    for part in (0.5, 0.35, 0.65, 0.8):
        x, y = begin.x() + (end.x() - begin.x()) * part, begin.y() + (end.y() - begin.y()) * part
        low, high = _reach(ends, y, tall / 2)
        if y > top:
            centre, half = ends[0].x(), ink.px(6)
            low, high = min(low, centre - half), max(high, centre + half)
        for left in sorted((high + gap, low - gap - wide), key=lambda left: abs(left + wide / 2 - x)):
            box = QRectF(left, y - tall / 2, wide, tall)
            inside = panel.left() - ink.px(6) <= left and box.right() <= panel.right()
            near = abs(box.center().x() - x) < ink.px(30)
            if inside and near and not any(box.intersects(other) for other in taken):
                return box
    return None


def _reach(ends: list[QPointF], y: float, near: float) -> tuple[float, float]:
    """How far left and right the chain of arrows goes at heights near y."""
    xs: list[float] = []
    for begin, end in pairwise(ends):
        upper, lower = min(begin.y(), end.y()), max(begin.y(), end.y())
        if upper > y + near or lower < y - near:
            continue
        rise = end.y() - begin.y()
        for at in (max(upper, y - near), min(lower, y + near)):
            part = (at - begin.y()) / rise if abs(rise) > 1e-6 else 0.5
            xs.append(begin.x() + (end.x() - begin.x()) * part)
        if abs(rise) <= 1e-6:
            xs += [begin.x(), end.x()]
    return min(xs), max(xs)


def paint_words(ink: Ink, layout: Layout, panel: QRectF, shown: Shown, facts: Facts) -> None:
    """Title, what sideways means, and how much of the pieces is seen here."""
    theme, px = ink.theme, ink.px
    title = ink.fitting(("the same pieces as arrows", "pieces as arrows"), panel.width(), "strong")
    ink.text(panel.center().x(), panel.top() - layout.headroom + px(10), title, "strong", theme.ink, 0.5)
    if facts.arrows is None:
        return
    choices: tuple[str, ...] = ("sideways: .grad − full batch", "sideways: the error", "sideways")
    if facts.arrows.sideways == "disagreement":
        choices = ("sideways: where the pieces disagree", "sideways: where they disagree")
        choices = (*choices, "sideways: disagreement", "sideways")
    room = panel.width() - px(20)
    words = ink.fitting(choices, room, "small")
    width = ink.text(panel.center().x(), layout.numbers_y, words, "small", theme.muted, 0.5)
    _paint_pointers(ink, panel.center().x(), layout.numbers_y - px(4), width / 2 + px(4))
    if layout.caption_y is None:
        return
    lines = captions(facts, float(np.ptp(shown.points[:, 0])) * shown.axis.unit(panel) > panel.width())
    y = layout.numbers_y + px(16)
    for choices in lines:
        strong = choices is not lines[-1]
        if y <= layout.caption_y + px(1):
            words = ink.fitting(choices, panel.width() + px(6), "small")
            ink.text(panel.center().x(), y, words, "small", theme.ink if strong else theme.muted, 0.5)
        y += px(15)


def captions(facts: Facts, too_long: bool) -> list[tuple[str, ...]]:
    assert facts.arrows is not None
    shown = f"{min(1.0, facts.arrows.shown) * 100:.0f} %"
    lines: list[tuple[str, ...]] = [(f"{shown} of length in this plane",)]
    if too_long:
        lines.insert(0, ("they go on outside of the picture", "they go on outside"))
    elif facts.equal and facts.count > 1:
        lines.insert(0, ("the sideways parts cancel", "sideways parts cancel"))
    return lines


def _paint_pointers(ink: Ink, middle: float, y: float, reach: float) -> None:
    """Small arrows to both sides of a caption."""
    ink.line(ink.theme.muted, 1.2)
    length, head = ink.px(6), ink.px(2.5)
    for side in (-1.0, 1.0):
        tail, tip = middle + side * reach, middle + side * (reach + length)
        ink.painter.drawPolyline(
            QPolygonF(
                [
                    QPointF(tail, y),
                    QPointF(tip, y),
                    QPointF(tip - side * head, y - head),
                    QPointF(tip, y),
                    QPointF(tip - side * head, y + head),
                ]
            )
        )
