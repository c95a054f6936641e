"""What is written at the bars: shares, the marks of those that point backwards, and 1 … N below."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor

from ...theme import Role
from ..ink import Ink
from .facts import Facts
from .layout import Layout
from .motion import Shown
from .scale import written

LEAST_BACK = 0.005
"""A share that is less below zero is not called backwards."""


def paint_labels(ink: Ink, layout: Layout, shown: Shown, facts: Facts, boxes: list[QRectF]) -> None:
    """The shares, in the bars or above them, and the marks of those that point backwards."""
    one, floor = shown.axis.y(1.0, layout.plot), layout.plot.top() - layout.headroom
    times, pitch = shown.axis.in_times, layout.pitch(facts.count)
    # all or none: a few numbers among many bars would look like a choice
    numbers = ink.width("+8.88" if times else "+88 %", "small") + ink.px(3) <= pitch
    for index, (box, micro_batch) in enumerate(zip(boxes, facts.added, strict=False)):
        words = written(micro_batch.share or 0.0, times, signed=True)
        back = (micro_batch.share or 0.0) < 0
        over = facts.fault_above and box.top() < one
        if numbers and ink.width(words, "small") <= pitch:
            _paint_share(ink, box, words, back, over, ink.piece(index, facts.count), one, floor)
        if back and abs(micro_batch.share or 0.0) >= LEAST_BACK and box.width() >= ink.px(9):
            _paint_back(ink, box, pitch, one)


def paint_numbers(ink: Ink, layout: Layout, facts: Facts) -> None:
    """1 … N under the bars; the last one added stands out."""
    n, k = facts.count, len(facts.added)
    for number in numbered(n, (ink.width(f"{n}", "strong") + ink.px(12)) / layout.pitch(n)):
        middle = layout.slots.left() + layout.pitch(n) * (number - 0.5)
        colour = ink.theme.ink if number <= k else ink.theme.muted
        role: Role = "strong" if number == k else "body"
        ink.text(middle, layout.numbers_y, f"{number}", role, colour, 0.5)


def numbered(count: int, apart: float) -> list[int]:
    """Which of 1 … count are written if they must be `apart` from each other: the ends and round numbers."""
    steps = (1, *(m * 10**p for p in range(6) for m in (2, 4, 8, 10)))
    step = next(s for s in steps if (s == 1 and apart <= 1) or s - 1 >= min(apart, count - 1))
    if step == 1:
        return list(range(1, count + 1))
    between = [i for i in range(step, count, step) if i - 1 >= apart and count - i >= apart]
    return [1, *between, count]


def _paint_share(
    ink: Ink, box: QRectF, words: str, back: bool, over: bool, colour: QColor, one: float, floor: float
) -> None:
    """Inside where it fits, with a plate where the bar is hatched; else above."""
    middle, height = box.center().x(), ink.px(15)
    large = box.height() > ink.px(44) and box.width() > ink.px(90)
    role: Role = "title" if large else "small"
    width = ink.width(words, role)
    hatched = back or over
    if box.height() >= height + ink.px(5 if hatched else 2) and width + ink.px(5) <= box.width():
        y = box.center().y()
        if abs(y - one) < height * 0.6:
            y = box.bottom() - height * 0.62 if box.bottom() - one > height else box.top() + height * 0.62
        if over and y > one:
            hatched = False
        if hatched:
            plate = QRectF(middle - width / 2 - ink.px(2), y - height / 2, width + ink.px(4), height)
            ink.painter.fillRect(plate, ink.colour(ink.theme.ground))
        shade = ink.colour(ink.theme.ink) if hatched else ink.theme.ink_on(colour)
        ink.text(middle, y + ink.px(5 if large else 4), words, role, shade, 0.5)
        return
    y = clear_of(one, box.top() - ink.px(4), ink.px(11), ink.px(4))
    if y - ink.px(11) >= floor:
        ink.text(middle, y, words, "small", ink.theme.ink, 0.5)


def _paint_back(ink: Ink, box: QRectF, pitch: float, one: float) -> None:
    """A small triangle downwards, and the word where it fits."""
    size = ink.px(6)
    wide = ink.width("back", "small") + size + ink.px(3)
    words = wide <= pitch
    top = box.bottom() + ink.px(3)
    if top - ink.px(3) < one < top + ink.px(13):
        top = one + ink.px(4)
    x = box.center().x() - (wide / 2 if words else size / 2)
    ink.painter.setPen(Qt.PenStyle.NoPen)
    ink.painter.setBrush(ink.colour(ink.theme.muted))
    y = top + ink.px(3)
    ink.painter.drawPolygon([QPointF(x, y), QPointF(x + size, y), QPointF(x + size / 2, y + size)])
    if words:
        ink.text(x + size + ink.px(3), top + ink.px(10), "back", "small", ink.theme.muted)


def clear_of(line: float, baseline: float, height: float, gap: float) -> float:
    """`baseline`, moved up where text of that height would lie on the line at y `line`."""
    if baseline - height - gap < line < baseline + gap:
        return line - gap
    return baseline
