"""Thumbnails of the samples that each micro-batch is made of, under its bar."""

from __future__ import annotations

from functools import cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap

from ..ink import Ink
from .facts import Facts
from .layout import Layout

SHOWN = 8
"""Thumbnails are shown for up to so many micro-batches."""


class Thumbnails:
    """One small sheet of samples a micro-batch, made once for each window and size."""

    def __init__(self) -> None:
        self._pictures: tuple[np.ndarray, ...] | None = None
        self._place: tuple[object, ...] = ()
        self._sheets: list[QPixmap] = []

    def paint(self, ink: Ink, layout: Layout, row: QRectF, facts: Facts) -> None:
        """Those added at full strength, those to come dimmed."""
        pictures = facts.window.pictures
        if pictures is None:
            return
        width = layout.pitch(facts.count) - ink.px(6)
        place = (round(width), row.height(), ink.theme)
        if pictures is not self._pictures or place != self._place:
            self._pictures, self._place = pictures, place
            self._sheets = [_sheet(part, width, row.height(), ink) for part in pictures]
        for index, sheet in enumerate(self._sheets):
            left, right = layout.bar(index, facts.count)
            ink.painter.setOpacity(1.0 if index < len(facts.added) else 0.4)
            ink.painter.drawPixmap(QPointF(round((left + right - sheet.width()) / 2), row.top()), sheet)
        ink.painter.setOpacity(1.0)


def grid(count: int, width: float, height: float, side: float) -> tuple[int, int, int]:
    """Columns, rows and side in pixels of `count` square pictures: about `side` large, in one or two rows."""
    rows = 2 if height >= 2 * side * 0.9 and count > 1 else 1
    size = min((height - (rows - 1)) / rows, side)
    columns = max(1, min(round((width + 1) / (size + 1)), -(-count // rows)))
    size = min(size, (width + 1) / columns - 1)
    return columns, min(rows, -(-count // columns)), max(1, int(size))


def _sheet(part: np.ndarray, width: float, height: float, ink: Ink) -> QPixmap:
    """Grey values between the pane's ground and its ink, so that strokes stand out on either ground."""
    columns, rows, size = grid(len(part), width, height, ink.px(20))
    sheet = QImage(columns * (size + 1) - 1, rows * (size + 1) - 1, QImage.Format.Format_ARGB32_Premultiplied)
    sheet.fill(Qt.GlobalColor.transparent)
    table = _shades(ink.theme.grid, ink.theme.ink)
    painter = QPainter(sheet)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    for index, picture in enumerate(part[: columns * rows]):
        pixels = table[picture]
        tall, wide = pixels.shape
        image = QImage(pixels.data, wide, tall, 4 * wide, QImage.Format.Format_RGB32)
        x, y = index % columns * (size + 1), index // columns * (size + 1)
        painter.drawImage(QRectF(x, y, size, size), image)
    painter.end()
    return QPixmap.fromImage(sheet)


@cache
def _shades(low: str, high: str) -> np.ndarray:
    """The colours of grey values 0 to 255; made once, as a new window's sheets come at every round."""
    first, last = QColor(low), QColor(high)

    def mixed(a: int, b: int, part: float) -> int:
        return round(a + (b - a) * part)

    shades = [
        QColor(
            mixed(first.red(), last.red(), i / 255),
            mixed(first.green(), last.green(), i / 255),
            mixed(first.blue(), last.blue(), i / 255),
        ).rgb()
        for i in range(256)
    ]
    return np.array(shades, dtype=np.uint32)
