"""Single weights: what .grad holds of each, against its own full-batch value."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush

from .stack_facts import Facts
from .stack_ink import Ink
from .stack_motion import Shown
from .stack_scale import Axis, written


def strip_parts(ink: Ink, strip: QRectF) -> tuple[QRectF, float]:
    """Where the bars are, and the x of what is written right of them."""
    left = strip.left() + ink.px(126)
    right = strip.right() - ink.px(86)
    return QRectF(
        left, strip.top() + ink.px(6), max(ink.px(20), right - left), strip.height() - ink.px(8)
    ), right + ink.px(8)


def weight_box(plot: QRectF, index: int, count: int) -> QRectF:
    """The place of one weight, over the whole height."""
    pitch = plot.width() / count
    left, right = round(plot.left() + pitch * index), round(plot.left() + pitch * (index + 0.78))
    return QRectF(left, plot.top(), max(1, right - left), plot.height())


def strip_axis(expected: float) -> Axis:
    """Room for what the weights promise, a little above it and a little below zero."""
    high = max(1.0, expected) * (1.3 if expected < 1.5 else 1.1)
    return Axis(-0.16 * high, high)


def paint_weights(ink: Ink, strip: QRectF, shown: Shown, facts: Facts) -> None:
    """One bar a weight with the line of the full batch through all of them, and what they have come to."""
    painter, theme, px = ink.painter, ink.theme, ink.px
    plot, words_x = strip_parts(ink, strip)
    ink.level(strip.left(), strip.right(), round(strip.top() - px(4)), theme.grid)
    count = len(shown.ratios)
    ink.text(strip.left(), strip.top() + px(13), f"{count} single weights", "strong")
    ink.text(strip.left(), strip.top() + px(28), "each against its own", "small", theme.muted)
    ink.text(strip.left(), strip.top() + px(41), "full-batch value", "small", theme.muted)
    if not count:
        return
    axis = shown.strip
    zero, one = round(axis.y(0.0, plot)), round(axis.y(1.0, plot))
    painter.fillRect(QRectF(plot.left() - px(4), one, plot.width(), zero - one), ink.colour(theme.full_tint))
    _paint_bars(ink, plot, axis, shown.ratios, one if facts.fault_above else None)
    ink.level(plot.left() - px(4), plot.right(), zero, theme.muted)
    ink.level(plot.left() - px(4), plot.right(), one, theme.full, max(2, round(px(2))))
    in_times = axis.top >= 2.0
    name = one + px(4) if not in_times else min(one + px(4), strip.bottom())
    ink.text(words_x, name, "1 ×" if in_times else "100 %", "strong", theme.full_text)
    summary = summary_of(facts)
    if summary:
        above = in_times
        ink.text(words_x, plot.top() + px(9) if above else name + px(16), summary, "small", theme.ink)


def summary_of(facts: Facts) -> str:
    """What all weights have come to, once the window is complete."""
    if facts.comparison is None or not len(facts.ratios):
        return ""
    low, high = float(facts.ratios.min()), float(facts.ratios.max())
    in_times = max(abs(low), abs(high)) >= 2.0
    first, last = written(low, in_times), written(high, in_times)
    if first == last:
        return f"all {first}" if in_times else f"all {len(facts.ratios)}"
    return f"{written(low, True)[:-2]} to {written(high, True)}"


def weight_in_words(facts: Facts, index: int) -> str:
    """Name, index and raw values of one weight."""
    window = facts.window
    full = float(window.reference_values[index])
    now = float(facts.added[-1].values[index]) if facts.added else 0.0
    return (
        f"{window.coordinate_names[index]}, number {int(window.coordinates[index])} of the flat gradient\n"
        f".grad {now:.6g}\nfull batch {full:.6g}\n{written(float(facts.ratios[index]), False)} of it"
    )


def _paint_bars(ink: Ink, plot: QRectF, axis: Axis, ratios: np.ndarray, fault_from: int | None) -> None:
    """Bars of one kind in one call each: forwards, backwards, and what is wrong above `fault_from`."""
    zero = round(axis.y(0.0, plot))
    ahead, back, faulty = [], [], []
    for index, ratio in enumerate(ratios.tolist()):
        place = weight_box(plot, index, len(ratios))
        left, width = place.left(), place.width()
        end = round(axis.y(min(axis.top, max(axis.bottom, ratio)), plot))
        if fault_from is not None and end < fault_from:
            faulty.append(QRectF(left, end, width, fault_from - end))
            end = fault_from
        if end > zero:
            back.append(QRectF(left, zero, width, end - zero))
        elif end < zero:
            ahead.append(QRectF(left, end, width, zero - end))
    painter, colour = ink.painter, ink.colour(ink.theme.accumulated)
    painter.setPen(Qt.PenStyle.NoPen)
    for boxes, brush in ((ahead, QBrush(colour)), (back, ink.backward(colour)), (faulty, ink.faulty())):
        painter.setBrush(brush)
        painter.drawRects(boxes)
    for index in np.flatnonzero((ratios > axis.top) | (ratios < axis.bottom)).tolist():
        _paint_cut(ink, weight_box(plot, index, len(ratios)), bool(ratios[index] > 0))


def _paint_cut(ink: Ink, place: QRectF, up: bool) -> None:
    """A notch at the end: the bar goes on outside."""
    depth = ink.px(4)
    y, inner = (place.top(), place.top() + depth) if up else (place.bottom(), place.bottom() - depth)
    ink.painter.setPen(Qt.PenStyle.NoPen)
    ink.painter.setBrush(ink.colour(ink.theme.ground))
    middle = place.center().x()
    outer = y - 1 if up else y + 1
    ink.painter.drawPolygon([QPointF(place.left(), outer), QPointF(middle, inner), QPointF(middle, outer)])
    ink.painter.drawPolygon([QPointF(place.right(), outer), QPointF(middle, inner), QPointF(middle, outer)])
