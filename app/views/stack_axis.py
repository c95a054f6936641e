"""Grid, numbers and the line of the full batch, which the pieces stack up to."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor

from .stack_facts import Facts
from .stack_ink import Ink
from .stack_layout import BARS, Layout
from .stack_motion import Shown
from .stack_scale import Axis, tick_label

_NAME = 0.93


def paint_ground(ink: Ink, layout: Layout, axis: Axis, changed: bool) -> None:
    """The tinted part up to the full batch, the grid and its numbers. `changed`: with an axis-break mark."""
    painter, px, plot = ink.painter, ink.px, layout.plot
    zero, one = round(axis.y(0.0, plot)), round(axis.y(1.0, plot))
    painter.fillRect(QRectF(plot.left(), one, plot.width(), zero - one), ink.colour(ink.theme.full_tint))
    ticks = [(value, round(axis.y(value, plot))) for value in axis.ticks()]
    for _, y in ticks:
        ink.level(plot.left(), plot.right(), y, ink.theme.grid)
    ink.level(plot.left(), plot.right(), zero, ink.theme.muted)
    x, drop, last = plot.left() - px(8), px(4), one
    ink.text(x, one + drop, tick_label(1.0, axis.in_times), "strong", ink.theme.full_text, 1.0)
    for value, y in sorted(ticks, key=lambda tick: abs(tick[0])):
        near_one = abs(y - one) < px(15)
        if (
            not near_one
            and (value == 0 or abs(y - zero) >= px(15))
            and (value <= 0 or abs(y - last) >= px(15))
        ):
            ink.text(x, y + drop, tick_label(value, axis.in_times), "body", ink.theme.muted, 1.0)
            last = y if value > 0 else last
    if changed:
        _paint_break(ink, plot, (zero + one) / 2)


def paint_full_batch(ink: Ink, layout: Layout, shown: Shown, facts: Facts) -> None:
    """The line at 100 % and its name, where no bar is in the way."""
    axis, plot = shown.axis, layout.plot
    y = round(axis.y(1.0, plot))
    thick = max(2, round(ink.px(3)))
    ink.level(plot.left(), plot.right(), y, ink.theme.full, thick)
    x, baseline, words, free = name_place(ink, layout, shown, facts)
    if not free:
        plate = QColor(ink.theme.ground)
        plate.setAlphaF(0.85)
        width = ink.width(words, "title", _NAME) + ink.px(8)
        ink.painter.fillRect(QRectF(x - ink.px(4), baseline - ink.px(13), width, ink.px(17)), plate)
    ink.text(x, baseline, words, "title", ink.theme.full_text, 0.0, _NAME)


def name_place(ink: Ink, layout: Layout, shown: Shown, facts: Facts) -> tuple[float, float, str, bool]:
    """Where the name of the line is written (left, baseline), its words, and whether that place is free."""
    axis, plot = shown.axis, layout.plot
    times, one = axis.in_times, axis.y(1.0, plot)
    height, near = ink.px(17), ink.px(6)
    under = times and axis.y(0.0, plot) - one >= height + near / 2
    top = one + near / 2 if under else one - height - near
    baseline = top + (ink.px(13) if under else height + near / 2 - ink.px(3))
    words = "full batch = 1 ×" if times else "full batch = 100 %"
    longer = f"{words}  (where it should stop)" if facts.fault_above else words
    for choice in (longer, words):
        width = ink.width(choice, "title", _NAME)
        x = _free_place(ink, layout, shown, facts.count, (top, top + height), width, 1 if under else 0)
        if x is not None:
            return x, baseline, choice, True
    return layout.slots.left() + near, baseline, words, False


def _free_place(
    ink: Ink, layout: Layout, shown: Shown, count: int, band: tuple[float, float], width: float, first: int
) -> float | None:
    """The leftmost x from which `width` pixels in `band` are free of bars and their numbers."""
    axis, plot = shown.axis, layout.plot
    if count > BARS:
        highest = axis.y(float(shown.levels.max()), plot)
        return layout.slots.left() + ink.px(4) if highest > band[1] else None
    ends = [axis.y(level, plot) for level in shown.levels.tolist()]
    left = layout.bar(min(first, count - 1), count)[0] + ink.px(4)
    for index, (a, b) in enumerate(pairwise(ends)):
        number = ink.px(16) if abs(a - b) < ink.px(20) else 0.0
        start, stop = layout.bar(index, count)
        if min(a, b) - number < band[1] and max(a, b) > band[0] and stop + ink.px(4) > left:
            if start - left >= width:
                return left
            left = stop + ink.px(8)
    return left if layout.column.left() - ink.px(6) - left >= width else None


def _paint_break(ink: Ink, plot: QRectF, y: float) -> None:
    """Two short slanted strokes across the axis: its scale is another one than before."""
    ink.line(ink.theme.ink, 1.6)
    width, height, gap = ink.px(6), ink.px(3), ink.px(4)
    for middle in (y - gap / 2, y + gap / 2):
        ink.painter.drawLine(
            QPointF(plot.left() - width, middle + height), QPointF(plot.left() + width, middle - height)
        )
    ink.painter.setPen(Qt.PenStyle.NoPen)
