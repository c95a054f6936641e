"""A pane that says in words what is under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QToolTip

from ..theme import Theme
from .ink import Ink
from .pane import Pane


class PointedPane(Pane):
    """Has an ink of its own, and a tooltip that follows the pointer."""

    clicked = Signal()

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__(name, theme)
        self._ink = Ink(theme)
        self.setMouseTracking(True)

    def hover_text(self, position: QPointF) -> str:
        """What there is to say of the thing at `position`; empty where there is nothing."""
        raise NotImplementedError

    def set_theme(self, theme: Theme) -> None:
        self._ink = Ink(theme)
        super().set_theme(theme)

    def sizeHint(self) -> QSize:
        return QSize(round(self.theme.px(740)), round(self.theme.px(400)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(self.theme.px(380)), round(self.theme.px(200)))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        words = self.hover_text(event.position())
        if words:
            QToolTip.showText(event.globalPosition().toPoint(), words, self)
        else:
            QToolTip.hideText()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()
