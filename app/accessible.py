"""What assistive technology is told of painted widgets: what each is, and what it shows in words."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from .views.hint import Bubble
from .views.overlay import Overlay
from .views.pane import Pane
from .views.status import Status

_ROLES: dict[type[QWidget], QAccessible.Role] = {
    Pane: QAccessible.Role.Graphic,
    Status: QAccessible.Role.StatusBar,
    Overlay: QAccessible.Role.Pane,
    Bubble: QAccessible.Role.HelpBalloon,
}


class Painted(QAccessibleWidget):
    """A painted widget with a role, and with its words as its value.

    It knows its widget only through Qt, which deletes it together with the widget.
    """

    def __init__(self, widget: QWidget, role: QAccessible.Role) -> None:
        super().__init__(widget, role)

    def text(self, kind: QAccessible.Text) -> str:
        if kind != QAccessible.Text.Value:
            return super().text(kind)
        widget = self.object()
        if isinstance(widget, Pane):
            return widget.said()
        return widget.accessibleDescription() if isinstance(widget, QWidget) else ""


@cache
def describe_painted() -> None:
    """Let Qt make a Painted for every painted widget that somebody asks about. Once a program is enough."""
    QAccessible.installFactory(_painted)


def _painted(_kind: str, described: QObject) -> QAccessibleWidget | None:
    for kind, role in _ROLES.items():
        if isinstance(described, kind):
            return Painted(described, role)
    return None
