"""Three bubbles that say, at the very first start, what there is to try."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QWidget

from ..theme import Theme


class Bubble(QWidget):
    """A sentence that points up at a widget. It goes when clicked, or when somebody did what it says."""

    dismissed = Signal()

    def __init__(self, parent: QWidget, target: QWidget, sentence: str, theme: Theme) -> None:
        super().__init__(parent)
        self._window = parent
        self._target, self._sentence, self._theme = target, sentence, theme
        self.setAccessibleName(sentence)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def dismiss(self) -> None:
        """It was understood."""
        if not self.isHidden():
            self.hide()
            self.dismissed.emit()

    def place(self, theme: Theme) -> None:
        """Stand under the target, inside the window."""
        self._theme = theme
        self.resize(self.sizeHint())
        below = self._target.mapTo(self._window, QPoint(0, self._target.height()))
        right = self._window.width() - self.width() - round(theme.px(8))
        self.move(max(round(theme.px(8)), min(below.x(), right)), below.y() - round(theme.px(2)))
        self.raise_()

    def sizeHint(self) -> QSize:
        width = QFontMetricsF(self._theme.font("strong")).horizontalAdvance(self._sentence)
        return QSize(round(width + self._theme.px(26)), round(self._theme.px(38)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.dismiss()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, tip = self._theme, self._theme.px(7)
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.ink))
        box = QRectF(self.rect()).adjusted(0, tip, 0, 0)
        painter.drawRoundedRect(box, theme.px(6), theme.px(6))
        x = theme.px(24)
        painter.drawPolygon(QPolygonF([QPointF(x - tip, tip), QPointF(x, 0), QPointF(x + tip, tip)]))
        painter.setPen(QColor(theme.ground))
        painter.setFont(theme.font("strong"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._sentence)
        painter.end()
