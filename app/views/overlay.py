"""What covers the whole window for a while: the blank screen and the sheet of keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ..theme import Theme


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

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor("#000000"))
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

    def _sheet(self) -> QRectF:
        width, height = self._theme.px(470), self._theme.px(74 + 26 * len(self._keys))
        return QRectF((self.width() - width) / 2, (self.height() - height) / 2, width, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, sheet = self._theme, self._sheet()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.fillRect(self.rect(), QColor(0, 0, 0, 150))
        painter.setPen(theme.pen(theme.muted))
        painter.setBrush(QColor(theme.ground))
        painter.drawRoundedRect(sheet, theme.px(8), theme.px(8))
        painter.setPen(QColor(theme.ink))
        painter.setFont(theme.font("headline"))
        line = QRectF(sheet.left() + theme.px(28), sheet.top() + theme.px(18), sheet.width(), theme.px(26))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, "Keys")
        line.translate(0, theme.px(36))
        for key, does in self._keys:
            painter.setFont(theme.font("strong"))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, key)
            painter.setFont(theme.font("body"))
            painter.drawText(line.translated(theme.px(170), 0), Qt.AlignmentFlag.AlignVCenter, does)
            line.translate(0, theme.px(26))
        painter.end()
