"""The words on top of a lane's bar: its peak, and how much of it is too many."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from gradviz.events import LaneName
from gradviz.units import format_bytes

from ...theme import Theme
from ..pane import Pane
from .layout import Layout, all_over
from .words import Measured, too_many


@dataclass(frozen=True, slots=True)
class PeakWords:
    """The peak as it is written at `start`, and what stands beside or above it; `y` are the baselines."""

    words: str
    start: float
    y: float
    aside: str
    aside_start: float
    aside_y: float
    box: QRectF
    is_inside: bool


def peak_words(theme: Theme, layout: Layout, lane: LaneName, measured: Measured) -> PeakWords | None:
    """Where the words of a lane's peak stand, and the box around them; None where no peak is known."""
    sample, (left, width), px = measured.sample(lane), layout.bars[lane], theme.px
    if sample is None:
        return None
    y = layout.height(sample.peak_bytes) - px(6)
    words, beyond = format_bytes(sample.peak_bytes), too_many(sample, measured.card_bytes)
    # with what is too many there is no room for more: the title says it too
    aside = beyond or ("" if measured.whole(lane) else "so far")
    title, body = QFontMetricsF(theme.font("title")), QFontMetricsF(theme.font("body"))
    needed, beside = title.horizontalAdvance(words), body.horizontalAdvance(aside)
    start = min(left + (width - needed) / 2, layout.right - needed)
    if beyond and not all_over(measured):
        start = min(start, layout.right - needed - beside - px(7))
        aside_start, aside_y = start + needed + px(7), y
    else:
        aside_start, aside_y = min(left + width / 2, layout.right - beside / 2) - beside / 2, y - px(16)
    box = QRectF(start, y - title.ascent(), needed, title.ascent())
    if aside:
        box = box.united(QRectF(aside_start, aside_y - body.ascent(), beside, body.ascent()))
    is_inside = not beyond and y - title.capHeight() < layout.card_y + px(3)
    return PeakWords(words, start, y, aside, aside_start, aside_y, box, is_inside)


def paint_peak(pane: Pane, painter: QPainter, layout: Layout, lane: LaneName, measured: Measured) -> None:
    """Write a lane's peak on top of its bar."""
    theme, found = pane.theme, peak_words(pane.theme, layout, lane, measured)
    if found is None:
        return
    if found.aside:
        pane.text(painter, found.aside_start, found.aside_y, found.aside, "body")
    if found.is_inside:
        title = QFontMetricsF(theme.font("title"))
        width = title.horizontalAdvance(found.words)
        plate = QRectF(found.start, found.y - title.ascent(), width, title.ascent())
        painter.fillRect(plate.adjusted(-theme.px(4), 0, theme.px(4), theme.px(3)), QColor(theme.ground))
    pane.text(painter, found.start, found.y, found.words, "title")
