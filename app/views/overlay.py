"""What covers the whole window for a while: the blank screen and the sheet of keys."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from ..theme import Theme

COLUMNS = 2
_BACK, _BACK_MS = "B or a click brings the picture back", 1500


class Overlay(QWidget):
    """Covers its parent until it is clicked or dismissed."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self._window = parent
        self.setAccessibleName(name)
        self.hide()
        parent.installEventFilter(self)

    def toggle(self) -> None:
        """Cover the window, or uncover it."""
        self.setGeometry(self._window.rect())
        self.setVisible(not self.isVisible())
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._window.rect())
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.hide()


class BlankScreen(Overlay):
    """Black, for when the audience is to look at somebody else."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Blank screen")
        self.setAccessibleDescription(_BACK)
        self._said = QTimer(self)
        self._said.setSingleShot(True)
        self._said.timeout.connect(self.update)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._said.start(_BACK_MS)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor("#000000"))
        if self._said.isActive():
            painter.setPen(QColor("#8a8a8a"))
            below = self.rect().adjusted(0, 0, 0, -painter.fontMetrics().height())
            painter.drawText(below, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, _BACK)
        painter.end()


class KeySheet(Overlay):
    """All keys and what they do."""

    def __init__(self, parent: QWidget, theme: Theme, keys: Sequence[tuple[str, str]]) -> None:
        """`keys` are pairs of a key's name and what it does."""
        super().__init__(parent, "Keys")
        self.setAccessibleDescription("; ".join(f"{key}: {does}" for key, does in keys))
        self._theme = theme
        self._keys = tuple(keys)

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self._theme = theme
        self.update()

    def _columns(self) -> list[tuple[tuple[str, str], ...]]:
        """The keys in columns of the same height, the last one perhaps shorter."""
        rows = math.ceil(len(self._keys) / COLUMNS) or 1
        return [self._keys[first : first + rows] for first in range(0, len(self._keys), rows)]

    def _widths(self, column: Sequence[tuple[str, str]]) -> tuple[float, float]:
        """The room for the keys and for the words of a column, with the gap after each."""
        width, gap = self._theme.width, self._theme.px(20)
        keys = max(width(key, "strong") for key, _ in column)
        return keys + gap, max(width(does, "body") for _, does in column) + gap

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, columns = self._theme, self._columns()
        pad, line = theme.px(28), theme.px(26)
        width = sum(sum(self._widths(column)) for column in columns) + 2 * pad
        height = theme.px(52) + line * len(columns[0]) + pad
        # what is enlarged may be too large for the window
        scale = min(1.0, 0.96 * self.width() / width, 0.96 * self.height() / height)
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.fillRect(self.rect(), QColor(0, 0, 0, 150))
        painter.translate(self.width() / 2, self.height() / 2)
        painter.scale(scale, scale)
        painter.translate(-width / 2, -height / 2)
        painter.setPen(theme.pen(theme.muted))
        painter.setBrush(QColor(theme.ground))
        painter.drawRoundedRect(QRectF(0, 0, width, height), theme.px(8), theme.px(8))
        painter.setPen(QColor(theme.ink))
        painter.setFont(theme.font("headline"))
        painter.drawText(QRectF(pad, theme.px(18), width, line), Qt.AlignmentFlag.AlignVCenter, "Keys")
        left = pad
        for column in columns:
            keys, words = self._widths(column)
            self._paint_column(painter, column, QRectF(left, theme.px(52), keys, line), words)
            left += keys + words
        painter.end()

    def _paint_column(
        self, painter: QPainter, column: Sequence[tuple[str, str]], place: QRectF, words: float
    ) -> None:
        """Rows from `place` down, which is the first key's; `words` is the room for what it does."""
        for key, does in column:
            painter.setFont(self._theme.font("strong"))
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, key)
            beside = QRectF(place.right(), place.top(), words, place.height())
            painter.setFont(self._theme.font("body"))
            painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter, does)
            place.translate(0, place.height())
