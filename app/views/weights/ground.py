"""What stands around the columns: axis, numbers, the layers' names, and what the colours mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPolygonF

from ...plotting.placing import spread
from ..ink import Ink
from ..stack.scale import written
from .columns import PIECES, Places
from .facts import Facts
from .scale import Scale, tick_label

AXIS = 62.0
"""Room for the numbers at the left, at 1280×720."""
NAMES = 18.0
"""Height of the row of names."""


def paint_axis(ink: Ink, plot: QRectF, scale: Scale) -> None:
    """Grid lines with numbers, zero stronger, and what is counted."""
    px, apart = ink.px, ink.px(12)
    last = plot.bottom() + 2 * apart
    zero = plot.center().y()
    for value in scale.ticks():
        y = round(zero - scale.at(value) * plot.height() / 2)
        ink.level(plot.left(), plot.right(), y, ink.theme.muted if value == 0 else ink.theme.grid)
        free = value == 0 or (last - y >= apart and abs(y - zero) >= apart)
        if free and y - px(4) >= plot.top() - px(6):
            words = tick_label(value, scale.limit)
            ink.text(plot.left() - px(8), y + px(4), words, "small", ink.theme.muted, 1.0)
            last = y


def axis_words(scale: Scale, facts: Facts) -> tuple[str, ...]:
    """What the axis counts, and how; of columns that are cut off at its end, how far they go."""
    if not scale.logarithmic and cut_off(scale, facts).any():
        most = written(float(np.abs(facts.accumulated).max() / np.abs(facts.reference).max()), True)
        words = f"the longest is {most} the largest full-batch value"
        return (
            f"gradient value, linear · arrow heads: cut off, {words}",
            f"arrow heads: cut off, {words}",
            f"cut off: up to {most} the full batch",
            f"cut off: {most}",
        )
    if not scale.logarithmic:
        return ("gradient value, linear", "linear")
    inner = tick_label(scale.linear, scale.limit)
    return (f"gradient value, logarithmic (linear within ±{inner})", "logarithmic")


def cut_off(scale: Scale, facts: Facts) -> NDArray[np.bool_]:
    """Which columns go on beyond the end of the axis."""
    cut: NDArray[np.bool_] = np.abs(facts.accumulated) > scale.limit
    return cut


def paint_heads(ink: Ink, plot: QRectF, places: Places, scale: Scale, facts: Facts) -> None:
    """Arrow heads at the axis' end, where columns go on beyond it: some for each run of neighbours."""
    cut, high = cut_off(scale, facts), round(ink.px(8))
    colour = ink.colour(ink.theme.fault if facts.faulty else ink.theme.accumulated)
    painter, heads = ink.painter, QPainterPath()
    # heads that overlap must not make holes
    heads.setFillRule(Qt.FillRule.WindingFill)
    for up in (True, False):
        base, tip = (plot.top() + high, plot.top()) if up else (plot.bottom() - high, plot.bottom())
        for left, width in _runs(np.flatnonzero(cut & ((facts.accumulated > 0) == up)), places):
            x = plot.left() + left
            # the columns end where the heads begin
            painter.fillRect(QRectF(x, min(base, tip), width, high), ink.colour(ink.theme.ground))
            count = max(1, round(width / ink.px(9)))
            wide = max(ink.px(7), width / count)
            for number in range(count):
                middle = x + width * (number + 0.5) / count
                corners = [QPointF(middle - wide / 2, base), QPointF(middle + wide / 2, base)]
                heads.addPolygon(QPolygonF([*corners, QPointF(middle, tip), corners[0]]))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPath(heads)


def _runs(columns: NDArray[np.int64], places: Places) -> list[tuple[float, float]]:
    """Left and width of each group of neighbours among `columns`."""
    if not len(columns):
        return []
    lefts = places.lefts[columns]
    found = np.split(lefts, np.flatnonzero(np.diff(lefts) > places.pitch) + 1)
    return [(float(run[0]), float(run[-1] - run[0] + places.width)) for run in found]


def paint_names(
    ink: Ink, plot: QRectF, places: Places, groups: Sequence[tuple[str, int, int]], baseline: float
) -> None:
    """The layers' names under their columns; of many layers those with the most columns."""
    px, gap = ink.px, ink.px(10)
    chosen, room = [], plot.width()
    for name, first, end in sorted(groups, key=lambda group: group[1] - group[2]):
        width = ink.width(name, "small") + gap
        if width <= room:
            chosen.append((name, first, end, width))
            room -= width
    chosen.sort(key=lambda group: group[1])
    middles = [
        plot.left() + (places.lefts[first] + places.lefts[end - 1] + places.width) / 2
        for _, first, end, _ in chosen
    ]
    widths = [width for *_, width in chosen]
    lefts = spread([float(x) for x in middles], widths, plot.left() - gap / 2, plot.right() + gap / 2)
    for (name, first, end, width), left in zip(chosen, lefts, strict=True):
        begin = plot.left() + float(places.lefts[first])
        until = plot.left() + float(places.lefts[end - 1] + places.width)
        ink.level(begin, until, round(plot.bottom() + px(2)), ink.theme.muted)
        ink.text(left + width / 2, baseline, name, "small", ink.theme.muted, 0.5)


def paint_key(ink: Ink, left: float, right: float, baseline: float, facts: Facts) -> None:
    """What the colours mean, with a sample of each, in fewer words or not at all where they do not fit."""
    px, x, key = ink.px, left, _key(facts)
    whole = sum(px(44) + ink.width(words, "small") for _, words, _ in key)
    for kind, long, short in key:
        words = long if whole <= right - left else short
        if x + px(30) + ink.width(words, "small") > right:
            return
        box = QRectF(x, baseline - px(9), px(22), px(9))
        if kind == "full":
            ink.level(box.left(), box.right(), round(box.center().y()), ink.theme.full, max(2, round(px(2))))
        elif kind == "beyond":
            ink.faulty_boxes([box])
        elif facts.count > PIECES:
            ink.painter.fillRect(box, ink.colour(ink.theme.accumulated))
        else:
            parts = min(facts.count, 8)
            for part in range(parts):
                shade = ink.piece(round(part * (facts.count - 1) / max(1, parts - 1)), facts.count)
                ink.painter.fillRect(
                    QRectF(
                        box.left() + box.width() * part / parts,
                        box.top(),
                        box.width() / parts + 0.5,
                        box.height(),
                    ),
                    shade,
                )
        x += px(28)
        x += ink.text(x, baseline, words, "small", ink.theme.muted) + px(16)


def _key(facts: Facts) -> list[tuple[str, str, str]]:
    """What has a colour, in words and in fewer words."""
    pieces = f"micro-batches 1 to {facts.count}, stacked" if facts.count > 1 else "the one micro-batch"
    if facts.count > PIECES:
        pieces = f"the sum of {facts.count} micro-batches"
    key = [("full", "full-batch value", "full batch"), ("pieces", pieces, "micro-batches")]
    return [*key, ("beyond", "longer than the full-batch value", "longer")] if facts.faulty else key
