"""Three bubbles that say, at the very first start, what there is to try."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ..theme import Theme
from .lines import wrapped

_LINE = 16.0


class Bubble(QWidget):
    """A sentence in a box. It goes when clicked, or when somebody did what it says."""

    dismissed = Signal()

    def __init__(self, parent: QWidget, sentence: str, theme: Theme) -> None:
        super().__init__(parent)
        self._sentence, self._theme = sentence, theme
        self._lines = [sentence]
        self.is_done = False
        self.setAccessibleName(sentence)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def dismiss(self) -> None:
        """It was understood."""
        if not self.is_done:
            self.is_done = True
            self.hide()
            self.dismissed.emit()

    def place(self, theme: Theme, area: QRect) -> None:
        """Stand at the bottom of the area, as wide as that is, or nowhere if it has no room."""
        self._theme = theme
        self._lines = wrapped(self._sentence, theme.font("strong"), area.width() - theme.px(12))
        height = round(theme.px(14 + _LINE * len(self._lines)))
        self.setGeometry(area.left(), area.bottom() - height + 1, area.width(), height)
        self.setVisible(height <= area.height())
        self.raise_()
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.dismiss()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.ink))
        painter.drawRoundedRect(self.rect(), theme.px(6), theme.px(6))
        painter.setPen(QColor(theme.ground))
        painter.setFont(theme.font("strong"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "\n".join(self._lines))
        painter.end()
