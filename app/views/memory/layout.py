"""Where the card, the bars and the kinds of memory stand."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from gradviz.events import LaneName
from gradviz.units import format_bytes

from ...theme import Theme
from .words import Measured, bytes_of

Segments = dict[str, tuple[float, float]]
"""Top and bottom of each kind in one bar."""

NAME_GAPS = (11.5, 12.5)
"""Least and usual distance between the names of two kinds."""

# a card that is larger than this many times the largest peak would leave nothing to be seen of the bars
_OPEN_ABOVE = 3.0
_OPEN_SPAN = 1.9


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things stand, in pixels: the box, the y of its top, each lane's bar, and the height of a byte."""

    left: float
    right: float
    floor: float
    top: float
    per_byte: float
    card_y: float
    open_above: bool
    bars: dict[LaneName, tuple[float, float]]

    def height(self, count: float) -> float:
        """The y at which `count` bytes end."""
        return self.floor - count * self.per_byte


def card_layout(theme: Theme, area: QRectF, measured: Measured) -> Layout:
    """Measure the box and the bars for `area`."""
    px, small = theme.px, QFontMetricsF(theme.font("small"))
    known = [sample for lane in measured.lanes if (sample := measured.sample(lane)) is not None]
    peak = max((sample.peak_bytes for sample in known), default=0)
    card_words = ("card", format_bytes(measured.card_bytes))
    left = area.left() + max(small.horizontalAdvance(words) for words in card_words) + px(7)
    floor, top = area.bottom() - _below(theme), area.top() + _above(theme, measured)
    open_above = peak > 0 and measured.card_bytes > _OPEN_ABOVE * peak
    span = _OPEN_SPAN * peak if open_above else max(peak, measured.card_bytes)
    per_byte = max(1.0, floor - top) / span
    card_y = top if open_above else floor - measured.card_bytes * per_byte
    bars = _bars(theme, QRectF(left, top, area.right() - left, floor - top), measured)
    return Layout(left, area.right(), floor, top, per_byte, card_y, open_above, bars)


def segments_of(layout: Layout, lane: LaneName, measured: Measured) -> Segments:
    """Top and bottom of each kind in a lane's bar."""
    sample, base, found = measured.sample(lane), 0, {}
    if sample is not None:
        for kind, count in bytes_of(sample).items():
            found[kind] = (layout.height(base + count), layout.height(base))
            base += count
    return found


def all_over(measured: Measured) -> bool:
    """Whether no lane fits the card, so that each needs its own room for saying so."""
    samples = [measured.sample(lane) for lane in measured.lanes]
    return all(sample is not None and sample.peak_bytes > measured.card_bytes for sample in samples)


def least_height(theme: Theme, measured: Measured) -> float:
    """The height that the card needs for its kinds to be named inside it."""
    known = [sample for lane in measured.lanes if (sample := measured.sample(lane)) is not None]
    peak = max((sample.peak_bytes for sample in known), default=1)
    kinds = {kind for s in known for kind, count in bytes_of(s).items() if count > 0.02 * peak}
    inside = len(kinds) * theme.px(NAME_GAPS[0])
    return max(theme.px(120), _above(theme, measured) + _below(theme) + inside)


def _bars(theme: Theme, box: QRectF, measured: Measured) -> dict[LaneName, tuple[float, float]]:
    """Left and width of each lane's bar; the kinds' names get the room between, or beside a single one."""
    names = theme.px(86)
    margin = max(theme.px(8), box.width() * 0.06)
    width = min(theme.px(104), max(theme.px(24), (box.width() - names - 2 * margin) / 2))
    lefts = (box.left() + margin, box.right() - margin - width)
    return {lane: (left, width) for lane, left in zip(measured.lanes, lefts, strict=False)}


def _above(theme: Theme, measured: Measured) -> float:
    """Room for the numbers on top of the bars."""
    return theme.px(37 if all_over(measured) else 21)


def _below(theme: Theme) -> float:
    """Room for the lanes' feet and names."""
    return theme.px(22)
