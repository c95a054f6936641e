"""The keyboard: one table of what the keys do, and the one place that says when a control keeps a key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QComboBox, QLineEdit, QWidget


@dataclass(frozen=True, slots=True)
class Binding:
    """Keys, as on the sheet, what they do in words, and the name of the action."""

    keys: tuple[str, ...]
    shown: str
    does: str
    action: str


BINDINGS = (
    Binding(("Space",), "Space", "run and pause", "toggle_play"),
    Binding(("Right", "PgDown"), "→  or Page Down", "one micro-batch", "forward"),
    Binding(("Shift+Right",), "Shift + →", "one step", "forward_a_step"),
    Binding(("Left", "PgUp"), "←  or Page Up", "back through what was seen", "back"),
    Binding(("End",), "End", "back to what happens now", "go_live"),
    Binding(("R",), "R", "restart", "restart"),
    Binding(("U",), "U", "÷ N or × 1: forget the 1/N, and put it back", "toggle_scaling"),
    Binding(("F11",), "F11", "full screen", "toggle_full_screen"),
    Binding(("B", "."), "B  or .", "blank the screen", "toggle_blank"),
    Binding(("Esc",), "Esc", "leave, or give the keys back to the stage", "leave"),
    Binding(("F1",), "F1", "this sheet", "toggle_keys"),
    Binding(("Ctrl+Q", "Ctrl+W"), "Ctrl + Q", "close", "close"),
)

_MOVING = frozenset(
    {
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
    }
)


class Keys(QObject):
    """Gives every key of the table to its action, unless the control that has the focus uses it itself."""

    def __init__(self, window: QWidget, actions: Mapping[str, Callable[[], object]]) -> None:
        """`actions` has a callable for the name of each action in the table."""
        super().__init__(window)
        for binding in BINDINGS:
            for key in binding.keys:
                shortcut = QShortcut(QKeySequence(key), window)
                shortcut.setAutoRepeat(binding.action in ("forward", "forward_a_step", "back"))
                shortcut.activated.connect(actions[binding.action])
        for widget in window.findChildren(QWidget):
            if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
                widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if isinstance(watched, QWidget) and uses(watched, event):
            event.accept()
            return True
        return False


def uses(widget: QWidget, event: QKeyEvent) -> bool:
    """Whether the widget does something of its own with the key, so that the key's action must not happen."""
    key = event.key()
    if isinstance(widget, QLineEdit):
        return key in _MOVING or (bool(event.text()) and event.text().isprintable())
    if isinstance(widget, QComboBox):
        return key in _MOVING or (bool(event.text()) and event.text().isprintable())
    if isinstance(widget, QAbstractSlider):
        return key in _MOVING and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
    if isinstance(widget, QAbstractButton):
        return key == Qt.Key.Key_Space
    return False
