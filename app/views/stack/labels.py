"""What is written at the bars: shares, the marks of those that point backwards, and 1 … N below."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor

from ...theme import Role
from ..ink import Ink
from .facts import Facts
from .layout import Layout
from .motion import Shown
from .shares import printed_shares

LEAST_BACK = 0.005
"""A share that is less below zero is not called backwards."""


@dataclass(frozen=True, slots=True)
class ShareLabel:
    """A share in words, centred in `box` on `baseline`. `plate`: the ground under it is covered."""

    box: QRectF
    baseline: float
    words: str
    role: Role
    colour: str | QColor
    plate: bool


@dataclass(frozen=True, slots=True)
class BackMark:
    """A small triangle downwards in `box`, and the word beside it where that fits."""

    box: QRectF
    worded: bool


def share_labels(
    ink: Ink, layout: Layout, shown: Shown, facts: Facts, boxes: list[QRectF]
) -> list[ShareLabel]:
    """The shares, in the bars or above them: of all, or of none.

    A few numbers among many bars would look like a choice.
    """
    one, floor = shown.axis.y(1.0, layout.plot), layout.plot.top() - layout.headroom
    times, pitch = shown.axis.in_times, layout.pitch(facts.count)
    if not boxes or ink.width("+8.88" if times else "+88 %", "small") + ink.px(3) > pitch:
        return []
    shares, _ = printed_shares(facts.added, times)
    if max((ink.width(words, "small") for words in shares), default=0.0) > pitch:
        return []
    found = []
    for index, (box, words, micro_batch) in enumerate(zip(boxes, shares, facts.added, strict=False)):
        back, over = (micro_batch.share or 0.0) < 0, facts.fault_above and box.top() < one
        label = _share_label(ink, box, words, back, over, ink.piece(index, facts.count), one)
        if label.box.top() >= floor:
            found.append(label)
    return found


def back_marks(ink: Ink, layout: Layout, shown: Shown, facts: Facts, boxes: list[QRectF]) -> list[BackMark]:
    """The marks under the bars of those pieces that point backwards."""
    one, pitch, size = shown.axis.y(1.0, layout.plot), layout.pitch(facts.count), ink.px(6)
    wide = ink.width("back", "small") + size + ink.px(3)
    found = []
    for box, micro_batch in zip(boxes, facts.added, strict=False):
        if (micro_batch.share or 0.0) > -LEAST_BACK or box.width() < ink.px(9):
            continue
        top, worded = box.bottom() + ink.px(3), wide <= pitch
        if top - ink.px(3) < one < top + ink.px(13):
            top = one + ink.px(4)
        width = wide if worded else size
        found.append(BackMark(QRectF(box.center().x() - width / 2, top, width, ink.px(13)), worded))
    return found


def paint_labels(ink: Ink, labels: list[ShareLabel], marks: list[BackMark]) -> None:
    """Shares and marks at their places."""
    for label in labels:
        if label.plate:
            ink.painter.fillRect(label.box, ink.colour(ink.theme.ground))
        ink.text(label.box.center().x(), label.baseline, label.words, label.role, label.colour, 0.5)
    size = ink.px(6)
    for mark in marks:
        x, y = mark.box.left(), mark.box.top() + ink.px(3)
        ink.painter.setPen(Qt.PenStyle.NoPen)
        ink.painter.setBrush(ink.colour(ink.theme.muted))
        ink.painter.drawPolygon([QPointF(x, y), QPointF(x + size, y), QPointF(x + size / 2, y + size)])
        if mark.worded:
            ink.text(x + size + ink.px(3), mark.box.top() + ink.px(10), "back", "small", ink.theme.muted)


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


def _share_label(
    ink: Ink, box: QRectF, words: str, back: bool, over: bool, colour: QColor, one: float
) -> ShareLabel:
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
        plate = QRectF(middle - width / 2 - ink.px(2), y - height / 2, width + ink.px(4), height)
        shade = ink.theme.ink if hatched else ink.theme.ink_on(colour)
        return ShareLabel(plate, y + ink.px(5 if large else 4), words, role, shade, hatched)
    width, tall = ink.width(words, "small"), ink.px(11)
    y = clear_of(one, box.top() - ink.px(4), tall, ink.px(4))
    place = QRectF(middle - width / 2, y - tall, width, tall + ink.px(2))
    return ShareLabel(place, y, words, "small", ink.theme.ink, False)


def clear_of(line: float, baseline: float, height: float, gap: float) -> float:
    """`baseline`, moved up where text of that height would lie on the line at y `line`."""
    if baseline - height - gap < line < baseline + gap:
        return line - gap
    return baseline
