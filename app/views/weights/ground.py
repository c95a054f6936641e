"""What stands around the columns: axis, numbers, the layers' names, and what the colours mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt

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
        words = f"gradient value, linear, cut off: up to {most} the largest full-batch value"
        return (words, f"linear, cut off: up to {most}", "linear, cut off")
    if not scale.logarithmic:
        return ("gradient value, linear", "linear")
    inner = tick_label(scale.linear, scale.limit)
    return (f"gradient value, logarithmic (linear within ±{inner})", "logarithmic")


def cut_off(scale: Scale, facts: Facts) -> NDArray[np.bool_]:
    """Which columns go on beyond the end of the axis."""
    cut: NDArray[np.bool_] = np.abs(facts.accumulated) > scale.limit
    return cut


def paint_breaks(ink: Ink, plot: QRectF, places: Places, scale: Scale, facts: Facts) -> None:
    """A gap near the end of each column that is cut off."""
    thick, inside = max(2, round(ink.px(2))), round(ink.px(7))
    cut, low = np.flatnonzero(cut_off(scale, facts)).tolist(), plot.bottom() - inside - thick
    ends = [(float(places.lefts[i]), low if facts.accumulated[i] < 0 else plot.top() + inside) for i in cut]
    ink.painter.setPen(Qt.PenStyle.NoPen)
    ink.painter.setBrush(ink.colour(ink.theme.ground))
    ink.painter.drawRects([QRectF(plot.left() + left, y, places.pitch, thick) for left, y in ends])


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
    """What the colours mean, with a sample of each; what does not fit is left out."""
    px, x = ink.px, left
    for kind, words in _key(facts):
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


def _key(facts: Facts) -> list[tuple[str, str]]:
    pieces = f"micro-batches 1 to {facts.count}, one on the other" if facts.count > 1 else "the one piece"
    if facts.count > PIECES:
        pieces = f"the sum of {facts.count} micro-batches"
    key = [("full", "full-batch value"), ("pieces", pieces)]
    return [*key, ("beyond", "beyond that value")] if facts.faulty else key
