"""Where the parts of the stack are, and which of them there is room for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QRectF

from ...theme import Theme

BARS = 64
"""Up to so many micro-batches have a bar each."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Rectangles in the pane. `headroom` is the free height over the plot; parts without room are None."""

    title_y: float | None
    headline_y: float
    plot: QRectF
    headroom: float
    slots: QRectF
    column: QRectF
    numbers_y: float
    pictures: QRectF | None
    caption_y: float | None
    arrows: QRectF | None
    strip: QRectF | None

    def pitch(self, count: int) -> float:
        """Width that each of `count` micro-batches has."""
        return self.slots.width() / count

    def bar(self, index: int, count: int) -> tuple[float, float]:
        """Left and right of the bar of micro-batch `index`, from 0, on whole pixels."""
        return _edges(self.slots.left(), self.slots.width(), count)[index]


def layout_of(
    area: QRectF, theme: Theme, pictures: bool, strip: bool, arrows: bool, wide_arrows: bool
) -> Layout:
    """Divide `area`. What there is no room for goes: thumbnails first, then the strip, never the tower."""
    px = theme.px
    title = area.height() > px(170)
    headline_y = area.top() + (px(36) if title else px(16))
    headroom = px(26) if area.height() > px(130) else px(14)
    top = headline_y + px(6) + headroom
    free = area.bottom() - top - px(20)
    caption = free > px(95)
    free -= px(17) if caption else 0
    crowded = strip and free - px(58) <= px(118)
    strip = strip and not crowded
    free -= px(58) if strip else 0
    rows = px(42) if free > px(300) else px(21)
    pictures = pictures and not crowded and free - rows - px(4) > px(120)
    free -= rows + px(4) if pictures else 0
    plot_bottom = float(round(top + max(px(10), free)))
    arrows_width = _arrows_width(area.width(), theme, arrows, wide_arrows)
    left, right = area.left() + px(48), area.right() - (arrows_width + px(22) if arrows_width else 0)
    plot = QRectF(left, round(top), max(px(40), right - left), plot_bottom - round(top))
    column_width = min(px(76), plot.width() * 0.17)
    column = QRectF(plot.right() - column_width - px(8), plot.top(), column_width, plot.height())
    slots = QRectF(plot.left() + px(4), plot.top(), column.left() - px(22) - plot.left(), plot.height())
    numbers_y = plot_bottom + px(16)
    below = numbers_y + px(6)
    return Layout(
        title_y=area.top() + px(13) if title else None,
        headline_y=headline_y,
        plot=plot,
        headroom=headroom,
        slots=slots,
        column=column,
        numbers_y=numbers_y,
        pictures=QRectF(slots.left(), below, slots.width(), rows) if pictures else None,
        caption_y=below + px(10) + (rows + px(4) if pictures else 0) if caption else None,
        arrows=QRectF(area.right() - arrows_width, plot.top(), arrows_width, plot.height())
        if arrows_width
        else None,
        strip=QRectF(area.left(), area.bottom() - px(44), area.width(), px(46)) if strip else None,
    )


def _arrows_width(width: float, theme: Theme, wanted: bool, wide: bool) -> float:
    if not wanted or width < theme.px(400):
        return 0.0
    part = 0.34 if wide else 0.25
    return float(round(max(theme.px(130), width * part)))


@lru_cache(maxsize=16)
def _edges(left: float, width: float, count: int) -> tuple[tuple[float, float], ...]:
    pitch = width / count
    gap = pitch * (0.16 if count <= BARS // 2 else 0.1)
    edges = []
    for index in range(count):
        start = left + pitch * index + gap / 2
        edges.append((float(round(start)), float(max(round(start) + 1, round(start + pitch - gap)))))
    return tuple(edges)
