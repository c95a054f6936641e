"""The names of the kinds of memory beside the bars, and their numbers in them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from gradviz.events import LaneName
from gradviz.memory import KINDS
from gradviz.units import format_bytes

from ..pane import Pane
from .layout import NAME_GAPS, Layout, Segments
from .words import Measured, bytes_of, kind_name


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
    left, width = layout.bars[known[0]]
    right = layout.bars[known[1]][0] if len(known) > 1 else left + width + theme.px(86)
    if known == ["accumulated"] and len(measured.lanes) == 2:
        left, right, width = left - theme.px(86), left, 0
    names = _names(layout, measured, segments)
    ceiling = layout.top + (theme.px(20) if layout.open_above else 0.0)
    least, usual = (theme.px(gap) for gap in NAME_GAPS)
    names = _largest(names, int((layout.floor - ceiling) / least))
    gap = min(usual, max(least, (layout.floor - ceiling) / max(1, len(names))))
    half = gap * 0.6
    wanted = [name.anchors[0][1] for name in names]
    heights = spread(wanted, gap, layout.floor - half, ceiling + half)
    for name, y in zip(names, heights, strict=True):
        _paint_name(pane, painter, layout, name, y, (left + width, right))


@dataclass(frozen=True, slots=True)
class _Name:
    """A kind's name, the lanes and heights where it is seen, the first lane first, and its size in pixels."""

    words: str
    anchors: tuple[tuple[LaneName, float], ...]
    size: float


def _names(layout: Layout, measured: Measured, segments: dict[LaneName, Segments]) -> list[_Name]:
    """Names of the kinds that can be seen in any bar, inside the card or above it."""
    found = []
    for kind in KINDS:
        anchors: list[tuple[LaneName, float]] = []
        size, words = 0.0, ""
        for lane in measured.lanes:
            top, bottom = segments[lane].get(kind, (layout.floor, layout.floor))
            sample = measured.sample(lane)
            if bottom - top < 1.0 or sample is None:
                continue
            inside = bottom - max(top, layout.card_y)
            top = max(top, layout.card_y) if inside > 4.0 else top
            anchors.append((lane, (top + bottom) / 2))
            size, words = max(size, bottom - top), words or kind_name(kind, sample)
        if anchors:
            found.append(_Name(words, tuple(anchors), size))
    return found


def _largest(names: list[_Name], room: int) -> list[_Name]:
    kept = sorted(names, key=lambda name: -round(name.size))[:room]
    # from the floor up, as they are spread
    return sorted((name for name in names if name in kept), key=lambda name: -name.anchors[0][1])


def _paint_name(
    pane: Pane, painter: QPainter, layout: Layout, name: _Name, y: float, room: tuple[float, float]
) -> None:
    """A name between the bars, and a thin line to its part of the bar where that is elsewhere."""
    theme, middle = pane.theme, sum(room) / 2
    rows = name.words.replace("activations and ", "activations and\n").split("\n")
    metrics = QFontMetricsF(theme.font("small"))
    half = max(metrics.horizontalAdvance(words) for words in rows) / 2 + theme.px(2)
    if abs(layout.card_y - y) < theme.px(8) and not layout.open_above:
        plate = QRectF(middle - half, y - theme.px(6), 2 * half, theme.px(12))
        painter.fillRect(plate, QColor(theme.ground))
    lane, anchor = name.anchors[0]
    if abs(anchor - y) > theme.px(3):
        at_left = layout.bars[lane][0] < middle
        edge, near = (room[0], middle - half) if at_left else (room[1], middle + half)
        painter.setPen(theme.pen(theme.muted, 1.0))
        painter.drawLine(QPointF(edge, anchor), QPointF(near, y))
    for row, words in enumerate(rows):
        baseline = y + theme.px(4 + 12 * (row - (len(rows) - 1)))
        pane.text(painter, middle, baseline, words, "small", align="centre")


def paint_numbers(
    pane: Pane, painter: QPainter, layout: Layout, lane: LaneName, measured: Measured, segments: Segments
) -> None:
    """Write each kind's bytes into its part of the bar where there is room."""
    sample, (left, width) = measured.sample(lane), layout.bars[lane]
    if sample is None:
        return
    theme, pad = pane.theme, pane.theme.px(3)
    metrics, small = QFontMetricsF(theme.font("number")), QFontMetricsF(theme.font("small"))
    for kind, (top, bottom) in segments.items():
        words, colour = format_bytes(bytes_of(sample)[kind]), QColor(theme.kinds[kind])
        room = [
            text for text in (words, words.split()[0]) if metrics.horizontalAdvance(text) <= width - 2 * pad
        ]
        name = kind_name(kind, sample)
        plate = metrics.capHeight() + small.height() + 3 * pad
        place = number_place(top, bottom, layout.card_y, metrics.capHeight() + 1.4 * pad, plate + 2 * pad)
        if not room or place is None:
            continue
        ink, middle = theme.ink_on(colour), left + width / 2
        if place >= layout.card_y:
            pane.text(painter, middle, place + metrics.capHeight() / 2, room[0], "number", ink, "centre")
        elif small.horizontalAdvance(name) <= width - pad:
            # over what is too much a bare number would be read as how much is too much
            wide = max(metrics.horizontalAdvance(room[0]), small.horizontalAdvance(name)) + pad
            painter.fillRect(QRectF(middle - wide / 2, place - plate / 2, wide, plate), colour)
            top_line = place - plate / 2 + pad + small.ascent()
            pane.text(painter, middle, top_line - pad / 2, name, "small", ink, "centre")
            pane.text(painter, middle, place + plate / 2 - pad, room[0], "number", ink, "centre")


def number_place(top: float, bottom: float, card_y: float, needed: float, above: float) -> float | None:
    """The middle of a kind's number: under the card's line if it fits there, else over it with the kind's
    name, which needs the height `above`; None: no room."""
    if bottom - max(top, card_y) >= needed:
        return (max(top, card_y) + bottom) / 2
    return (top + min(bottom, card_y)) / 2 if min(bottom, card_y) - top >= above else None


def spread(wanted: list[float], gap: float, floor: float, ceiling: float) -> list[float]:
    """Move heights (y downward, lowest first) until they stand `gap` apart between floor and ceiling."""
    placed: list[float] = []
    for y in wanted:
        placed.append(min(y, placed[-1] - gap if placed else floor))
    above = len(placed) - 1
    return [max(y, ceiling + gap * (above - index)) for index, y in enumerate(placed)]
