"""The card as a box, and each lane's memory at its peak standing in it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPolygonF

from gradviz.events import LaneName
from gradviz.memory import KINDS
from gradviz.units import format_bytes

from ...theme import Theme
from ..pane import Pane
from .layout import Layout, Segments, card_layout, segments_of
from .names import paint_kind_names, paint_numbers
from .peaks import paint_peak
from .words import LANE_NAMES, Measured


def paint_card(pane: Pane, painter: QPainter, area: QRectF, measured: Measured) -> None:
    """Paint the card, the bars of the lanes in it, and the names of the kinds beside them."""
    layout = card_layout(pane.theme, area, measured)
    over = any(
        (sample := measured.sample(lane)) is not None and sample.peak_bytes > measured.card_bytes
        for lane in measured.lanes
    )
    _paint_box(pane, painter, layout)
    segments = {lane: segments_of(layout, lane, measured) for lane in measured.lanes}
    _paint_bands(pane.theme, painter, layout, segments)
    for lane in measured.lanes:
        _paint_bar(pane, painter, layout, lane, measured, segments[lane])
    _paint_card_line(pane, painter, area, layout, measured, over)
    paint_kind_names(pane, painter, layout, measured, segments)
    for lane in measured.lanes:
        paint_numbers(pane, painter, layout, lane, measured, segments[lane])
        _paint_foot(pane, painter, area, layout, lane)
        paint_peak(pane, painter, layout, lane, measured)


def _paint_box(pane: Pane, painter: QPainter, layout: Layout) -> None:
    fill = QColor(pane.theme.raised)
    fill.setAlphaF(0.35)
    box = QRectF(layout.left, layout.card_y, layout.right - layout.left, layout.floor - layout.card_y)
    painter.fillRect(box, fill)
    painter.setPen(pane.theme.pen(pane.theme.muted, 1.2))
    painter.drawPolyline(QPolygonF([box.topLeft(), box.bottomLeft(), box.bottomRight(), box.topRight()]))


def _paint_bands(
    theme: Theme,
    painter: QPainter,
    layout: Layout,
    segments: dict[LaneName, Segments],
) -> None:
    """Join the same kind in both bars, so that what stays and what shrinks is seen as a shape."""
    if not all(segments.get(lane) for lane in ("full", "accumulated")):
        return
    left = sum(layout.bars["full"])
    right = layout.bars["accumulated"][0]
    bases = [layout.floor, layout.floor]
    for kind in KINDS:
        ends = [segments[lane].get(kind, (base, base)) for lane, base in zip(segments, bases, strict=True)]
        bases = [end[0] for end in ends]
        (top, bottom), (far_top, far_bottom) = [
            (max(end[0], layout.card_y), max(end[1], layout.card_y)) for end in ends
        ]
        colour = QColor(theme.kinds[kind])
        colour.setAlphaF(0.22)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        corners = ((left, top), (right, far_top), (right, far_bottom), (left, bottom))
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))


def _paint_bar(
    pane: Pane,
    painter: QPainter,
    layout: Layout,
    lane: LaneName,
    measured: Measured,
    segments: Segments,
) -> None:
    theme, sample, (left, width) = pane.theme, measured.sample(lane), layout.bars[lane]
    if sample is None:
        _paint_unknown(pane, painter, layout, lane, measured.missing(lane))
        return
    for kind, (top, bottom) in segments.items():
        top, bottom = max(top, layout.card_y), max(bottom, layout.card_y)
        painter.fillRect(QRectF(left, top, width, bottom - top), QColor(theme.kinds[kind]))
    _part(theme, painter, layout, lane, segments)
    if sample.peak_bytes > measured.card_bytes:
        _paint_overflow(theme, painter, QRectF(left, layout.height(sample.peak_bytes), width, 0), layout)


def _part(theme: Theme, painter: QPainter, layout: Layout, lane: LaneName, segments: Segments) -> None:
    """Lines between neighbouring kinds, which their colours alone may not tell apart on every screen."""
    (left, width), gap = layout.bars[lane], theme.hair
    for top, bottom in segments.values():
        if layout.card_y + gap < top and bottom - top > 2 * gap:
            painter.fillRect(QRectF(left, round(top), width, gap), QColor(theme.ground))


def _paint_overflow(theme: Theme, painter: QPainter, at: QRectF, layout: Layout) -> None:
    at.setBottom(layout.card_y)
    painter.fillRect(at, theme.hatch(theme.fault, theme.fault_tint))
    painter.setPen(theme.pen(theme.fault, 1.4))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(at)


def _paint_unknown(pane: Pane, painter: QPainter, layout: Layout, lane: LaneName, why: str) -> None:
    theme, (left, width) = pane.theme, layout.bars[lane]
    needed = QFontMetricsF(theme.font("small")).horizontalAdvance("measured") + theme.px(8)
    box = QRectF(left + width / 2 - needed / 2, layout.floor - theme.px(44), needed, theme.px(44))
    painter.setPen(theme.pen(theme.muted, 1.0, Qt.PenStyle.DashLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box)
    for row, words in enumerate(why.split()):
        y = box.top() + theme.px(14 + 12 * row)
        pane.text(painter, box.center().x(), y, words, "small", theme.muted, "centre")


def _paint_card_line(
    pane: Pane, painter: QPainter, area: QRectF, layout: Layout, measured: Measured, over: bool
) -> None:
    theme, px = pane.theme, pane.theme.px
    y, small = layout.card_y, QFontMetricsF(pane.theme.font("small"))
    if layout.open_above:
        painter.setPen(theme.pen(theme.muted, 1.2, Qt.PenStyle.DotLine))
    else:
        painter.setPen(theme.pen(theme.fault if over else theme.ink, 2.2))
    painter.drawLine(QPointF(layout.left - px(4), y), QPointF(layout.right, y))
    if layout.open_above:
        words = f"card goes on to {format_bytes(measured.card_bytes)} ↑"
        pane.text(painter, layout.right - px(6), y + px(14), words, "small", theme.muted, "right")
        return
    upper = min(max(y - px(3), area.top() + small.ascent()), layout.floor - px(14))
    pane.text(painter, layout.left - px(7), upper, "card", "small", theme.muted, "right")
    size = format_bytes(measured.card_bytes)
    pane.text(painter, layout.left - px(7), upper + px(13), size, "small", align="right")


def _paint_foot(pane: Pane, painter: QPainter, area: QRectF, layout: Layout, lane: LaneName) -> None:
    theme, (left, width) = pane.theme, layout.bars[lane]
    colour = theme.full if lane == "full" else theme.accumulated
    painter.fillRect(QRectF(left, layout.floor, width, theme.px(5)), QColor(colour))
    half = QFontMetricsF(theme.font("strong")).horizontalAdvance(LANE_NAMES[lane]) / 2
    middle = min(max(left + width / 2, area.left() + half), area.right() - half)
    pane.text(painter, middle, layout.floor + theme.px(18), LANE_NAMES[lane], "strong", align="centre")
