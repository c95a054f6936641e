"""The names of the kinds of memory beside the bars, and their numbers in them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from gradviz.events import LaneName
from gradviz.memory import KINDS
from gradviz.units import format_bytes

from ...theme import Theme
from ..pane import Pane
from .layout import NAME_GAPS, Layout, Segments, all_over
from .peaks import peak_words
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
    if len(known) > 1 and all_over(measured):
        # the words over the second bar are wider than it
        right -= theme.px(14)
    named = {
        (lane, number.kind)
        for lane in known
        for number in _numbers(pane.theme, layout, lane, measured, segments[lane])
        if number.named
    }
    names = _names(layout, measured, segments)
    # once is enough
    names = [name for name in names if (name.anchors[0][0], name.kind) not in named]
    between = (left + width, right)
    boxes = [found.box for lane in known if (found := peak_words(theme, layout, lane, measured)) is not None]
    for name, y, middle in _placed(theme, layout, names, boxes, between):
        _paint_name(pane, painter, layout, name, y, middle, between)


def _placed(
    theme: Theme, layout: Layout, names: list[_Name], boxes: list[QRectF], between: tuple[float, float]
) -> list[tuple[_Name, float, float]]:
    """The names that have room, the largest kinds first, with height and middle; none on a peak's words."""
    ceiling = layout.top + (theme.px(20) if layout.open_above else 0.0)
    least, usual = (theme.px(gap) for gap in NAME_GAPS)
    names = _largest(names, int((layout.floor - ceiling) / least))
    gap = min(usual, max(least, (layout.floor - ceiling) / max(1, len(names))))
    ends = (layout.floor - gap * 0.6, ceiling + gap * 0.6)
    wanted = [name.anchors[0][1] for name in names]
    heights, line = spread(wanted, gap, *ends), (layout.card_y - theme.px(8), layout.card_y + theme.px(8))
    if not layout.open_above:
        heights = off_line(wanted, heights, gap, ends, line)
    for over, under in [(0.0, 0.0), *_bands(theme, layout, boxes, line, gap)]:
        tried = off_line(wanted, heights, gap, ends, (over, under)) if under else heights
        middles = [_middle(theme, name, y, boxes, between) for name, y in zip(names, tried, strict=True)]
        if None not in middles:
            return [(name, y, x) for name, y, x in zip(names, tried, middles, strict=True) if x is not None]
    return _placed(theme, layout, _largest(names, len(names) - 1), boxes, between)


def _bands(
    theme: Theme, layout: Layout, boxes: list[QRectF], line: tuple[float, float], gap: float
) -> list[tuple[float, float]]:
    """Upper and lower ends of where no name should have its middle because a peak's words are there."""
    found = []
    for box in boxes:
        over, under = box.top() - theme.px(6), box.bottom() + theme.px(6)
        if not layout.open_above and line[0] - under < gap and over - line[1] < gap:
            # between the words and a card's line near them there is no room for a name
            over, under = min(over, line[0]), max(under, line[1])
        found.append((over, under))
    return found


def _middle(
    theme: Theme, name: _Name, y: float, boxes: list[QRectF], between: tuple[float, float]
) -> float | None:
    """Where a name stands at this height, between the bars or left of a peak's words; None: no room."""
    small, middle = QFontMetricsF(theme.font("small")), sum(between) / 2
    half, above = max(map(small.horizontalAdvance, name.rows)) / 2, theme.px(12 * (len(name.rows) - 1))
    for box in boxes:
        place = QRectF(middle - half, y - theme.px(5) - above, 2 * half, theme.px(9) + above)
        if not box.intersects(place):
            continue
        middle = box.left() - theme.px(3) - half
        if middle - half < between[0] + theme.px(2):
            return None
    return middle


@dataclass(frozen=True, slots=True)
class _Name:
    """A kind's name, the lanes and heights where it is seen, the first lane first, and its size in pixels."""

    kind: str
    words: str
    anchors: tuple[tuple[LaneName, float], ...]
    size: float

    @property
    def rows(self) -> list[str]:
        """The words in the rows in which they stand."""
        return self.words.replace("activations and ", "activations and\n").split("\n")


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
            found.append(_Name(kind, words, tuple(anchors), size))
    return found


def _largest(names: list[_Name], room: int) -> list[_Name]:
    kept = sorted(names, key=lambda name: -round(name.size))[:room]
    # from the floor up, as they are spread
    return sorted((name for name in names if name in kept), key=lambda name: -name.anchors[0][1])


def _paint_name(
    pane: Pane,
    painter: QPainter,
    layout: Layout,
    name: _Name,
    y: float,
    middle: float,
    room: tuple[float, float],
) -> None:
    """A name between the bars, and a thin line to its part of the bar where that is elsewhere."""
    theme, rows = pane.theme, name.rows
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


@dataclass(frozen=True, slots=True)
class _Number:
    """A kind's bytes in a bar around `middle`, with the kind's name above them if `named`.

    Over the card's line they stand on a plate of `height` in the kind's colour: a bare number would be read
    as how much is too much.
    """

    kind: str
    words: str
    name: str
    middle: float
    height: float
    named: bool


def paint_numbers(
    pane: Pane, painter: QPainter, layout: Layout, lane: LaneName, measured: Measured, segments: Segments
) -> None:
    """Write each kind's bytes into its part of the bar where there is room."""
    theme, (left, width) = pane.theme, layout.bars[lane]
    metrics, small = QFontMetricsF(theme.font("number")), QFontMetricsF(theme.font("small"))
    middle, pad = left + width / 2, theme.px(3)
    for number in _numbers(theme, layout, lane, measured, segments):
        colour, baseline = QColor(theme.kinds[number.kind]), number.middle + metrics.capHeight() / 2
        ink = theme.ink_on(colour)
        top, wide = number.middle - number.height / 2, metrics.horizontalAdvance(number.words) + pad
        if number.named:
            wide = max(wide, small.horizontalAdvance(number.name) + pad)
        painter.fillRect(QRectF(middle - wide / 2, top, wide, number.height), colour)
        if number.named:
            above = top + pad / 2 + small.ascent()
            pane.text(painter, middle, above, number.name, "small", ink, "centre")
            baseline = top + number.height - pad
        pane.text(painter, middle, baseline, number.words, "number", ink, "centre")


def _numbers(
    theme: Theme, layout: Layout, lane: LaneName, measured: Measured, segments: Segments
) -> list[_Number]:
    """The numbers that have room in a lane's bar."""
    sample, width, pad = measured.sample(lane), layout.bars[lane][1], theme.px(3)
    metrics, small = QFontMetricsF(theme.font("number")), QFontMetricsF(theme.font("small"))
    found: list[_Number] = []
    if sample is None:
        return found
    plain, plate = metrics.capHeight() + 1.4 * pad, metrics.capHeight() + small.ascent() + 3 * pad
    for kind, (top, bottom) in segments.items():
        words, name = format_bytes(bytes_of(sample)[kind]), kind_name(kind, sample)
        room = [
            text for text in (words, words.split()[0]) if metrics.horizontalAdvance(text) <= width - 2 * pad
        ]
        place = number_place(top, bottom, layout.card_y, plain)
        if not room or place is None:
            continue
        above = place < layout.card_y
        tall = min(bottom, layout.card_y) - top >= plate
        named = above and tall and small.horizontalAdvance(name) <= width - pad
        height = (plate if named else plain) if above else 0.0
        found.append(_Number(kind, room[0], name, place, height, named))
    return found


def number_place(top: float, bottom: float, card_y: float, needed: float) -> float | None:
    """The middle of a kind's number: under the card's line if it fits there, else over it; None: no room."""
    if bottom - max(top, card_y) >= needed:
        return (max(top, card_y) + bottom) / 2
    return (top + min(bottom, card_y)) / 2 if min(bottom, card_y) - top >= needed else None


def spread(wanted: list[float], gap: float, floor: float, ceiling: float) -> list[float]:
    """Move heights (y downward, lowest first) until they stand `gap` apart between floor and ceiling."""
    placed: list[float] = []
    for y in wanted:
        placed.append(min(y, placed[-1] - gap if placed else floor))
    above = len(placed) - 1
    return [max(y, ceiling + gap * (above - index)) for index, y in enumerate(placed)]


def off_line(
    wanted: list[float],
    heights: list[float],
    gap: float,
    ends: tuple[float, float],
    line: tuple[float, float],
) -> list[float]:
    """`heights`, or, where one is on the line, whose upper and lower edge are given, others beside it.

    `ends` are floor and ceiling. Where there is no room beside the line the heights stay.
    """
    (floor, ceiling), (over, under) = ends, line
    if not any(over < y < under for y in heights):
        return heights
    fitting = int((floor - under) / gap) + 1 if floor >= under else 0
    below = min(fitting, sum(y > (over + under) / 2 for y in wanted))
    above = len(wanted) - below
    if above and over - (above - 1) * gap < ceiling:
        return heights
    return spread(wanted[:below], gap, floor, under) + spread(wanted[below:], gap, over, ceiling)
