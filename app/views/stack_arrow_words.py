"""What is written at the arrows: numbers of the pieces, title and captions."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from .stack_facts import Facts
from .stack_ink import Ink
from .stack_layout import Layout
from .stack_motion import Shown


def paint_names(ink: Ink, ends: list[QPointF], panel: QRectF, top: float) -> None:
    """The pieces' numbers beside them, on the outer side, where they do not lie on one another.

    `top` is where the full-batch arrow ends: above it its place is free.
    """
    taken: list[QRectF] = []
    half, out = ink.px(6), ink.px(11)
    centre = ends[0].x()
    for index, (begin, end) in enumerate(pairwise(ends)):
        dx, dy = end.x() - begin.x(), end.y() - begin.y()
        length = math.hypot(dx, dy)
        if length < 1.0:
            continue
        middle = QPointF((begin.x() + end.x()) / 2, (begin.y() + end.y()) / 2)
        side = 1.0 if middle.x() >= centre else -1.0
        normal = (-dy / length, dx / length)
        flip = side if normal[0] * side >= 0 else -side
        flip = flip * side if abs(normal[0]) > 0.2 else 1.0
        for reach in (out, -out, out * 1.6, -out * 1.6):
            x, y = middle.x() + normal[0] * flip * reach, middle.y() + normal[1] * flip * reach
            box = QRectF(x - half, y - half, 2 * half, 2 * half)
            clear = abs(x - centre) >= ink.px(11) or y < top
            inside = panel.left() - half < x < panel.right()
            if clear and inside and not any(box.intersects(other) for other in taken):
                taken.append(box)
                ink.text(x, y + ink.px(4), f"{index + 1}", "small", ink.theme.ink, 0.5)
                break


def paint_words(ink: Ink, layout: Layout, panel: QRectF, shown: Shown, facts: Facts) -> None:
    """Title, what sideways means, and how much of the pieces is seen here."""
    theme, px = ink.theme, ink.px
    title = ink.fitting(("the same pieces as arrows", "pieces as arrows"), panel.width(), "strong")
    ink.text(panel.center().x(), panel.top() - layout.headroom + px(10), title, "strong", theme.ink, 0.5)
    if facts.arrows is None:
        return
    choices: tuple[str, ...] = ("sideways: the error, A − R", "sideways: A − R")
    if facts.arrows.sideways == "disagreement":
        choices = ("sideways: where the pieces disagree", "sideways: where they disagree")
        choices = (*choices, "sideways: disagreement", "sideways")
    room = panel.width() - px(20)
    words = ink.fitting(choices, room, "small")
    width = ink.text(panel.center().x(), layout.numbers_y, words, "small", theme.muted, 0.5)
    _paint_pointers(ink, panel.center().x(), layout.numbers_y - px(4), width / 2 + px(4))
    if layout.caption_y is None:
        return
    lines = _captions(facts, float(np.ptp(shown.points[:, 0])) * shown.axis.unit(panel) > panel.width())
    y = layout.numbers_y + px(16)
    for choices in lines:
        strong = choices is not lines[-1]
        if y <= layout.caption_y + px(1):
            words = ink.fitting(choices, panel.width() + px(6), "small")
            ink.text(panel.center().x(), y, words, "small", theme.ink if strong else theme.muted, 0.5)
        y += px(15)


def _captions(facts: Facts, too_long: bool) -> list[tuple[str, ...]]:
    assert facts.arrows is not None
    shown = f"{min(1.0, facts.arrows.shown) * 100:.0f} %"
    lines: list[tuple[str, ...]] = [(f"{shown} of their length is in this plane", f"{shown} in this plane")]
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
