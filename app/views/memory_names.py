"""The names of the kinds of memory beside the bars, and their numbers in them."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from gradviz.events import LaneName
from gradviz.memory import KINDS
from gradviz.units import format_bytes

from ..theme import Theme
from .memory_layout import NAME_GAPS, Layout, Segments
from .memory_words import Measured, bytes_of, kind_name
from .pane import Pane


def paint_kind_names(
    pane: Pane,
    painter: QPainter,
    layout: Layout,
    measured: Measured,
    segments: dict[LaneName, Segments],
) -> None:
    """Name each kind once, between the bars where both are known, else beside the one that is."""
    theme, known = pane.theme, [lane for lane in measured.lanes if segments[lane]]
    if not known:
        return
    names = _names_that_fit(theme, layout, measured, segments)
    least, usual = (theme.px(gap) for gap in NAME_GAPS)
    gap = min(usual, max(least, (layout.floor - layout.card_y) / max(1, len(names))))
    half = gap * 0.6
    left, width = layout.bars[known[0]]
    right = layout.bars[known[1]][0] if len(known) > 1 else left + width + theme.px(86)
    if known == ["accumulated"] and len(measured.lanes) == 2:
        left, right = left - theme.px(86), left
        width = 0
    heights = spread([y for _, y in names], gap, layout.floor - half, layout.card_y + half)
    for (name, _), y in zip(names, heights, strict=True):
        rows = name.replace("activations and ", "activations and\n").split("\n")
        for row, words in enumerate(rows):
            baseline = y + theme.px(4 + 12 * (row - (len(rows) - 1)))
            pane.text(painter, (left + width + right) / 2, baseline, words, "small", align="centre")


def _names_that_fit(
    theme: Theme,
    layout: Layout,
    measured: Measured,
    segments: dict[LaneName, Segments],
) -> list[tuple[str, float]]:
    """Names and heights of the kinds that can be seen below the card's line, as many as have room there."""
    found: list[tuple[str, float, float]] = []
    for kind in KINDS:
        seen = []
        for lane in measured.lanes:
            top, bottom = segments[lane].get(kind, (layout.floor, layout.floor))
            top = max(top, layout.card_y)
            sample = measured.sample(lane)
            if bottom - top >= 1.0 and sample is not None:
                seen.append((kind_name(kind, sample), (top + bottom) / 2, bottom - top))
        if seen:
            largest = max(height for _, _, height in seen)
            found.append((seen[0][0], sum(middle for _, middle, _ in seen) / len(seen), largest))
    room = int((layout.floor - layout.card_y) / theme.px(NAME_GAPS[0]))
    kept = sorted(found, key=lambda name: -round(name[2]))[:room]
    return [(name, middle) for name, middle, height in found if (name, middle, height) in kept]


def paint_numbers(
    pane: Pane, painter: QPainter, layout: Layout, lane: LaneName, measured: Measured, segments: Segments
) -> None:
    """Write each kind's bytes into its part of the bar where there is room."""
    sample, (left, width) = measured.sample(lane), layout.bars[lane]
    if sample is None:
        return
    metrics, pad = QFontMetricsF(pane.theme.font("number")), pane.theme.px(3)
    for kind, (top, bottom) in segments.items():
        words, colour = format_bytes(bytes_of(sample)[kind]), QColor(pane.theme.kinds[kind])
        room = [
            text for text in (words, words.split()[0]) if metrics.horizontalAdvance(text) <= width - 2 * pad
        ]
        place = number_place(top, bottom, layout.card_y, metrics.capHeight() + 1.4 * pad)
        if not room or place is None:
            continue
        if place < layout.card_y:
            # the hatch hides which kind this is: the number brings the kind's colour along
            half = metrics.horizontalAdvance(room[0]) / 2 + pad
            height = metrics.capHeight() + 2 * pad
            painter.fillRect(QRectF(left + width / 2 - half, place - height / 2, 2 * half, height), colour)
        baseline, ink = place + metrics.capHeight() / 2, pane.theme.ink_on(colour)
        pane.text(painter, left + width / 2, baseline, room[0], "number", ink, "centre")


def number_place(top: float, bottom: float, card_y: float, needed: float) -> float | None:
    """The middle of a kind's number, below the card's line unless most of it is above; None: no room."""
    inside = bottom - max(top, card_y)
    if inside >= max(needed, 0.4 * (bottom - top)):
        return (max(top, card_y) + bottom) / 2
    outside = min(bottom, card_y) - top
    return (top + min(bottom, card_y)) / 2 if outside >= 1.6 * needed else None


def spread(wanted: list[float], gap: float, floor: float, ceiling: float) -> list[float]:
    """Move heights (y downward, lowest first) until they stand `gap` apart between floor and ceiling."""
    placed: list[float] = []
    for y in wanted:
        placed.append(min(y, placed[-1] - gap if placed else floor))
    above = len(placed) - 1
    return [max(y, ceiling + gap * (above - index)) for index, y in enumerate(placed)]
