"""What the mouse does to a panel as a whole: a double click enlarges it, a right click opens its menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from .names import PanelName


@runtime_checkable
class HasControls(Protocol):
    """A widget that paints controls of its own."""

    def is_control_at(self, position: QPointF) -> bool: ...


class Clicks(QObject):
    """Watches a panel. What is done to a control inside it is the control's own affair."""

    def __init__(
        self,
        panel: QWidget,
        name: PanelName,
        enlarge: Callable[[PanelName], object],
        open_menu: Callable[[PanelName, QPoint], object],
    ) -> None:
        super().__init__(panel)
        self._panel, self._name = panel, name
        self._enlarge, self._open_menu = enlarge, open_menu
        panel.installEventFilter(self)

    def watch(self, part: QWidget) -> None:
        """Also a part of the panel that keeps such clicks to itself."""
        part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(watched, QWidget):
            return False
        if isinstance(event, QContextMenuEvent):
            self._open_menu(self._name, event.globalPos())
            return True
        if event.type() != QEvent.Type.MouseButtonDblClick or not isinstance(event, QMouseEvent):
            return False
        if event.button() != Qt.MouseButton.LeftButton or self._on_control(watched, event.position()):
            return False
        self._enlarge(self._name)
        return True

    def _on_control(self, watched: QWidget, position: QPointF) -> bool:
        if isinstance(watched, HasControls) and watched.is_control_at(position):
            return True
        found = watched.childAt(position.toPoint())
        while found is not None and found is not watched:
            if found.focusPolicy() != Qt.FocusPolicy.NoFocus:
                return True
            found = found.parentWidget()
        return False
