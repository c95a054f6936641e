"""Single weights: what .grad holds of each, against its own full-batch value."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor

from gradviz.names import WeightNames

from ..ink import Ink
from .facts import Facts, shown_weights
from .motion import Shown
from .scale import Axis, written

FAR = 10.0
"""From here on a ratio would have too many digits in per cent."""


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


def paint_weights(ink: Ink, strip: QRectF, shown: Shown, facts: Facts, in_times: bool) -> None:
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
    below = one - plot.top() < px(12)
    name = one + px(4) if below else min(one + px(4), strip.bottom())
    ink.text(words_x, name, "1 ×" if in_times else "100 %", "strong", theme.full_text)
    choices = summary_of(facts, in_times, axis)
    if choices:
        summary = ink.fitting(choices, strip.right() - words_x, "small")
        ink.text(words_x, name + px(16) if below else plot.top() + px(9), summary, "small", theme.ink)


def summary_of(facts: Facts, in_times: bool, axis: Axis) -> tuple[str, ...]:
    """What all weights have come to, once the window is complete, and how far those go that are cut."""
    if not len(facts.ratios):
        return ()
    low, high = float(facts.ratios.min()), float(facts.ratios.max())
    cut = () if high <= axis.top else (f"up to {_far(high, in_times)}",)
    if facts.comparison is None or (high >= FAR and not in_times):
        return cut
    first, last = written(low, in_times), written(high, in_times)
    if first == last:
        return (f"all {first}",)
    return (f"{first} to {last}", *cut, f"to {last}")


def _far(value: float, in_times: bool) -> str:
    """A ratio in the picture's unit; in × where it would have too many digits in per cent."""
    return written(value, in_times or value >= FAR)


def weight_in_words(facts: Facts, index: int, in_times: bool) -> str:
    """Name, index and raw values of one weight."""
    window = facts.window
    place = int(shown_weights(window)[index])
    coordinate = window.coordinates[place]
    full = float(window.reference_values[place])
    now = float(facts.added[-1].values[place]) if facts.added else 0.0
    [name] = WeightNames(facts.layers).at(np.array([coordinate]))
    of_it = f"{written(float(facts.ratios[index]), in_times)} of it"
    return f"{name}\n.grad {now:.6g}\nfull batch {full:.6g}\n{of_it}"


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
    cut = colour if fault_from is None else ink.colour(ink.theme.fault)
    for index in np.flatnonzero((ratios > axis.top) | (ratios < axis.bottom)).tolist():
        _paint_cut(ink, weight_box(plot, index, len(ratios)), bool(ratios[index] > 0), cut)


def _paint_cut(ink: Ink, place: QRectF, up: bool, colour: QColor) -> None:
    """The bar ends in an arrow head, set apart by a gap: it goes on outside."""
    head, gap, middle = ink.px(4), ink.px(1.5), place.center().x()
    end, away = (place.top(), 1.0) if up else (place.bottom(), -1.0)
    base = end + away * head
    ground = QRectF(QPointF(place.left() - 1, end - away * 2), QPointF(place.right() + 1, base + away * gap))
    ink.painter.fillRect(ground.normalized(), ink.colour(ink.theme.ground))
    ink.painter.setPen(Qt.PenStyle.NoPen)
    ink.painter.setBrush(colour)
    half = max(ink.px(3), min(place.width() / 2, 1.5 * head))
    ink.painter.drawPolygon(
        [QPointF(middle - half, base), QPointF(middle + half, base), QPointF(middle, end)]
    )
