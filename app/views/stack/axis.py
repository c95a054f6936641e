"""Grid, numbers and the line of the full batch, which the pieces stack up to."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt

from ..ink import Ink
from .facts import Facts
from .layout import BARS, Layout
from .motion import Shown
from .scale import Axis, tick_label

_NAME = 0.93
_PARTS = 32
LABELS_APART = 10.0
"""Least distance of the axis' numbers at 1280×720."""


def paint_ground(ink: Ink, layout: Layout, axis: Axis, changed: bool) -> None:
    """The tinted part up to the full batch, the grid and its numbers. `changed`: with an axis-break mark."""
    painter, px, plot = ink.painter, ink.px, layout.plot
    zero, one = round(axis.y(0.0, plot)), round(axis.y(1.0, plot))
    painter.fillRect(QRectF(plot.left(), one, plot.width(), zero - one), ink.colour(ink.theme.full_tint))
    ticks = [(value, round(axis.y(value, plot))) for value in axis.ticks()]
    for _, y in ticks:
        ink.level(plot.left(), plot.right(), y, ink.theme.grid)
    ink.level(plot.left(), plot.right(), zero, ink.theme.muted)
    x, drop = plot.left() - px(8), px(4)
    ink.text(x, one + drop, tick_label(1.0, axis.in_times), "strong", ink.theme.full_text, 1.0)
    for value, at in labelled(ticks, one, zero, px(LABELS_APART)):
        ink.text(x, at + drop, tick_label(value, axis.in_times), "body", ink.theme.muted, 1.0)
    if changed:
        _paint_break(ink, plot, (zero + one) / 2)


def paint_full_batch(ink: Ink, layout: Layout, shown: Shown, facts: Facts, written: list[QRectF]) -> None:
    """The line at 100 % and its name, clear of the words at `written`.

    It stands where no bar is in the way, else on a ground of its own. Where the words leave no room for it,
    the axis' number alone names the line.
    """
    axis, plot = shown.axis, layout.plot
    y = round(axis.y(1.0, plot))
    thick = max(2, round(ink.px(3)))
    ink.level(plot.left(), plot.right(), y, ink.theme.full, thick)
    place = name_place(ink, layout, shown, facts, written)
    if place is None:
        return
    x, baseline, words, free = place
    if not free:
        width = ink.width(words, "title", _NAME) + ink.px(8)
        plate = QRectF(x - ink.px(4), baseline - ink.px(13), width, ink.px(17))
        ink.painter.fillRect(plate, ink.colour(ink.theme.ground))
    ink.text(x, baseline, words, "title", ink.theme.full_text, 0.0, _NAME)


def labelled(ticks: list[tuple[float, int]], one: int, zero: int, apart: float) -> list[tuple[float, float]]:
    """Which grid lines are numbered, and where: not the full batch's, which has its own; 0 always."""
    found: list[tuple[float, float]] = [(0.0, max(float(zero), one + apart))]
    last = float(one)
    for value, y in sorted(ticks, key=lambda tick: tick[0]):
        if abs(value) < 1e-9 or abs(value - 1.0) < 1e-9:
            continue
        near = abs(y - one) < apart or abs(y - found[0][1]) < apart
        if not near and (value < 0 or value < 1 or last - y >= apart):
            found.append((value, float(y)))
            last = y if value > 1 else last
    return found


def name_place(
    ink: Ink, layout: Layout, shown: Shown, facts: Facts, written: list[QRectF]
) -> tuple[float, float, str, bool] | None:
    """Where the name of the line is written (left, baseline), its words, and whether no bar is there.

    None where there is no place without words.
    """
    axis, plot = shown.axis, layout.plot
    times, one = axis.in_times, axis.y(1.0, plot)
    height, near = ink.px(17), ink.px(6)
    words = "full batch = 1 ×" if times else "full batch = 100 %"
    under, above = one + near / 2, one - height - near
    tops = [above]
    if axis.y(0.0, plot) - one >= height:
        tops = [under, above] if times else [above, under]
    if times:
        # above the numbers of low bars
        tops += [above - row * near for row in range(1, 5) if above - row * near >= plot.top()]
    taken = [*_taken(layout, shown, facts), *written]
    longer = f"{words}  (where it should stop)" if facts.fault_above else words
    # where all are at the line, a little below them
    lower = [top for row in range(1, 6) if (top := under + row * near) + height <= axis.y(0.0, plot)]
    short = words.partition(" =")[0]
    for choice, places in ((longer, tops), (words, [*tops, *lower]), (short, [*tops, *lower])):
        width = ink.width(choice, "title", _NAME)
        for top in places:
            x = _free_place(layout, taken, QRectF(0.0, top, width, height), ink.px(6))
            if x is not None:
                return x, _baseline(ink, top, top > one), choice, True
    for choice in (words, short):
        width = ink.width(choice, "title", _NAME)
        for top in [*tops, *lower]:
            x = _free_place(layout, written, QRectF(0.0, top, width, height), ink.px(6))
            if x is not None:
                return x, _baseline(ink, top, top > one), choice, False
    return None


def _baseline(ink: Ink, top: float, under: bool) -> float:
    return top + ink.px(13 if under else 17)


def _taken(layout: Layout, shown: Shown, facts: Facts) -> list[QRectF]:
    """What stands in the picture already: bars, and the outline of the next."""
    axis, plot, count = shown.axis, layout.plot, facts.count
    if count > BARS:
        return _stairs_taken(layout, shown, count)
    ends = [axis.y(level, plot) for level in shown.levels.tolist()]
    found = []
    for index, (begin, end) in enumerate(pairwise(ends)):
        left, right = layout.bar(index, count)
        found.append(QRectF(left, min(begin, end), right - left, max(1.0, abs(end - begin))))
    if len(found) < count:
        left, right = layout.bar(len(found), count)
        promised = facts.window.weights[len(found)] * axis.unit(plot)
        found.append(QRectF(left, ends[-1] - promised, right - left, promised))
    return found


def _stairs_taken(layout: Layout, shown: Shown, count: int) -> list[QRectF]:
    """Where the staircase stands, in no more upright parts than the search for a free place can look at."""
    slots, bottom, last = layout.slots, layout.plot.bottom(), len(shown.levels) - 1
    edges = sorted({round(last * part / _PARTS) for part in range(_PARTS + 1)})
    found = []
    for begin, end in pairwise(edges):
        top = shown.axis.y(float(shown.levels[begin : end + 1].max()), layout.plot)
        left, right = (slots.left() + slots.width() * at / count for at in (begin, end))
        found.append(QRectF(left, top, right - left, bottom - top))
    return found


def _free_place(layout: Layout, taken: list[QRectF], box: QRectF, gap: float) -> float | None:
    """The leftmost x at which `box`, with a gap to both sides and half of it below, covers nothing taken."""
    box = box.adjusted(0.0, 0.0, 0.0, gap / 2)
    inside = [other for other in taken if other.top() < box.bottom() and other.bottom() > box.top()]
    for left in [layout.slots.left() + gap / 2, *(other.right() + gap for other in inside)]:
        placed = QRectF(left - gap / 2, box.top(), box.width() + gap, box.height())
        if placed.right() > layout.column.left() - gap:
            continue
        if not any(placed.intersects(other) for other in inside):
            return left
    return None


def _paint_break(ink: Ink, plot: QRectF, y: float) -> None:
    """Two short slanted strokes across the axis: its scale is another one than before."""
    ink.line(ink.theme.ink, 1.6)
    width, height, gap = ink.px(6), ink.px(3), ink.px(4)
    for middle in (y - gap / 2, y + gap / 2):
        ink.painter.drawLine(
            QPointF(plot.left() - width, middle + height), QPointF(plot.left() + width, middle - height)
        )
    ink.painter.setPen(Qt.PenStyle.NoPen)
