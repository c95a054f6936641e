"""A strip a lane: bytes over one window, operation by operation."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from gradviz.events import LaneName
from gradviz.memory import KINDS, MemorySample

from ..lines import elided
from ..pane import Pane
from .words import Measured, strip_caption

# pixels; finer stairs cost more than they show
_COLUMN = 2.0


def paint_strip(
    pane: Pane, painter: QPainter, area: QRectF, lane: LaneName, measured: Measured, top_bytes: float
) -> None:
    """Paint the caption and the trace of `lane`; `top_bytes` is what the height of the strip stands for."""
    theme, px = pane.theme, pane.theme.px
    colour = theme.full if lane == "full" else theme.accumulated
    painter.fillRect(QRectF(area.left(), area.top() + px(4.5), px(10), px(3)), QColor(colour))
    sample, caption = measured.sample(lane), strip_caption(lane, measured)
    if sample is not None and sample.trace is None:
        caption = f"{caption.partition(':')[0]}: {sample.source} gives peaks only, no trace"
    words = elided(caption, theme.font("small"), area.width() - px(15))
    pane.text(painter, area.left() + px(15), area.top() + px(10), words, "small")
    if sample is None or sample.trace is None or len(sample.trace) == 0:
        return
    plot = area.adjusted(0, px(14), 0, -px(4))
    done = part_done(sample, measured.pieces(lane))
    _paint_trace(pane, painter, plot, sample.trace, done, top_bytes, colour)
    _paint_ticks(pane, painter, plot, sample, done)
    if measured.card_bytes <= top_bytes:
        y = plot.bottom() - plot.height() * measured.card_bytes / top_bytes
        over = sample.peak_bytes > measured.card_bytes
        painter.setPen(theme.pen(theme.fault if over else theme.muted, 1.2, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))


def has_trace(measured: Measured) -> bool:
    """Whether any lane's source tells how its bytes came and went."""
    samples = [measured.sample(lane) for lane in measured.lanes]
    return any(sample is not None and sample.trace is not None for sample in samples)


def part_done(sample: MemorySample, pieces: int | None) -> float:
    """Which part of the window the trace covers, from 0 to 1, judged by the micro-batches that have begun."""
    if sample.complete or not pieces or not sample.ticks:
        return 1.0
    return min(1.0, len(sample.ticks) / pieces)


def strip_top(measured: Measured) -> float:
    """The bytes that the height of every strip stands for; the card is left out where it is far above."""
    samples = [sample for lane in measured.lanes if (sample := measured.sample(lane)) is not None]
    peak = max((sample.peak_bytes for sample in samples), default=1)
    card = measured.card_bytes
    return 1.06 * (card if peak < card <= 1.6 * peak else peak)


def columns(trace: np.ndarray, width: int) -> np.ndarray:
    """Where each kind ends on top of those before it, in at most `width` rows, each a real moment's.

    Of moments that share a row, the one with the most bytes counts.
    """
    ends: np.ndarray = np.cumsum(trace, axis=1)
    if len(ends) <= width:
        return ends
    edges = np.arange(width + 1) * len(ends) // width
    total = ends[:, -1]
    kept = [start + int(total[start:end].argmax()) for start, end in pairwise(edges.tolist())]
    largest: np.ndarray = ends[kept]
    return largest


def _paint_trace(
    pane: Pane,
    painter: QPainter,
    plot: QRectF,
    trace: np.ndarray,
    done: float,
    top_bytes: float,
    colour: str,
) -> None:
    theme = pane.theme
    heights = columns(trace, max(1, int(plot.width() * done / _COLUMN)))
    edges = plot.left() + plot.width() * done * np.arange(len(heights) + 1) / len(heights)
    levels = plot.bottom() - heights * (plot.height() / top_bytes)
    # stairs run along the pixels: without antialiasing they are sharp, and painted in a fifth of the time
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    corners = QPointF(edges[0], plot.bottom()), QPointF(edges[-1], plot.bottom())
    # the last kind first, so that each covers what lies under it
    for column in reversed(range(len(KINDS))):
        if column and (heights[:, column] == heights[:, column - 1]).all():
            continue
        painter.setBrush(QColor(theme.kinds[KINDS[column]]))
        painter.drawPolygon(QPolygonF([corners[0], *_steps(edges, levels[:, column]), corners[1]]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(theme.pen(colour, 1.4))
    painter.drawPolyline(QPolygonF(_steps(edges, levels[:, -1])))
    painter.setPen(theme.pen(theme.muted, 1.0))
    painter.drawLine(plot.bottomLeft(), plot.bottomRight())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def _steps(edges: np.ndarray, levels: np.ndarray) -> list[QPointF]:
    """A staircase: each moment keeps its level until the next."""
    across, down = np.repeat(edges, 2)[1:-1].tolist(), np.repeat(levels, 2).tolist()
    return [QPointF(x, y) for x, y in zip(across, down, strict=True)]


def _paint_ticks(pane: Pane, painter: QPainter, plot: QRectF, sample: MemorySample, done: float) -> None:
    """A tick where each micro-batch begins, unless they would run together."""
    assert sample.trace is not None
    if len(sample.ticks) * pane.theme.px(3) > plot.width():
        return
    painter.setPen(pane.theme.pen(pane.theme.muted, 1.0))
    for tick in sample.ticks:
        x = plot.left() + plot.width() * done * tick / len(sample.trace)
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + pane.theme.px(4)))
