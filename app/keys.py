"""The commands of the window: one table of their words and keys, and the place that says who keeps a key."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QComboBox, QLineEdit, QTabBar, QWidget

_NAMES = {"Right": "→", "Left": "←", "PgDown": "Page Down", "PgUp": "Page Up", "-": "−"}
_MAC_NAMES = {"Ctrl": "⌘", "Alt": "⌥", "Shift": "⇧"}


@dataclass(frozen=True, slots=True)
class Binding:
    """What the window can do: its name in the program, in a menu, its keys, and what it does in words."""

    action: str
    text: str
    keys: tuple[str, ...]
    does: str

    @property
    def shown(self) -> str:
        """The keys as people call them, such as "→  or Page Down"."""
        return "  or ".join(map(in_words, self.keys))


BINDINGS = (
    Binding("open_preset", "Open preset …", ("Ctrl+O",), "open settings kept in a file"),
    Binding("save_preset", "Save preset …", ("Ctrl+S",), "keep the settings in a file"),
    Binding("open_task", "Open task …", (), "train what a function in a Python file describes"),
    Binding("copy_picture", "Copy picture", ("Ctrl+C",), "copy the picture"),
    Binding("copy_numbers", "Copy numbers", (), "copy the numbers, as a table"),
    Binding("copy_command", "Copy command", ("Ctrl+Shift+C",), "copy the command that makes this run again"),
    Binding("close", "Quit", ("Ctrl+Q",), "end the program"),
    Binding("close_window", "Close", ("Ctrl+W",), "close the window, or that of a panel"),
    Binding("toggle_play", "Run or pause", ("Space",), "run and pause"),
    Binding("forward", "One micro-batch", ("Right", "PgDown"), "one micro-batch"),
    Binding("forward_a_step", "One step", ("Shift+Right",), "one step"),
    Binding("back", "Back", ("Left", "PgUp"), "back through what was seen"),
    Binding("go_live", "Live again", ("End",), "back to what happens now"),
    Binding("restart", "Restart", ("R",), "restart"),
    Binding("toggle_scaling", "÷ N or × 1", ("U",), "÷ N or × 1: forget the 1/N, and put it back"),
    Binding(
        "resync", "Resync", (), "copy the full batch's weights and optimizer state to the accumulated lane"
    ),
    Binding("undo", "Undo the setting", ("Ctrl+Z",), "put the setting back"),
    Binding("redo", "Redo the setting", ("Ctrl+Shift+Z", "Ctrl+Y"), "change it again"),
    *(Binding(f"tab_{n}", f"Tab {n}", (f"Ctrl+{n}",), "a tab of the stage") for n in range(1, 6)),
    Binding("next_tab", "Next tab", ("Ctrl+Tab",), "the next tab"),
    Binding("reset_panels", "Panels as at first", (), "put every panel back where it was at first"),
    Binding("zoom_in", "Zoom in", ("Ctrl++", "Ctrl+="), "enlarge everything"),
    Binding("zoom_out", "Zoom out", ("Ctrl+-",), "reduce everything"),
    Binding("zoom_reset", "Usual size", ("Ctrl+0",), "the usual size"),
    Binding("toggle_full_screen", "Full screen", ("F11",), "full screen; Alt shows the menus there"),
    Binding("toggle_blank", "Blank", ("B", "."), "blank the screen, and bring it back"),
    Binding("leave", "Leave", ("Esc",), "leave, or give the keys back to the stage"),
    Binding("toggle_keys", "Keys", ("F1",), "this sheet"),
    Binding("show_hints", "First hints again", (), "the bubbles of the first start"),
    Binding("open_log_folder", "Open the log's folder", (), "where it is written down what went wrong"),
    Binding("show_about", "About gradviz", (), "versions, licence, and where the log is"),
)

_REPEATED = frozenset({"forward", "forward_a_step", "back", "undo", "redo", "zoom_in", "zoom_out"})
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


def in_words(key: str, platform: str = sys.platform) -> str:
    """A key of the table as it is shown, such as "Shift + →"."""
    names = {**_NAMES, **(_MAC_NAMES if platform == "darwin" else {})}
    return " + ".join(names.get(part, part) for part in re.split(r"\+(?=.)", key))


def sheet(bindings: Sequence[Binding] = BINDINGS) -> Iterator[tuple[str, str]]:
    """A pair of keys and what they do for each row of the sheet; neighbours that do the same share one."""
    keyed = [binding for binding in bindings if binding.keys]
    for index, binding in enumerate(keyed):
        if index and keyed[index - 1].does == binding.does:
            continue
        same = [other.shown for other in keyed[index:] if other.does == binding.does]
        yield (f"{same[0]} … {same[-1].split()[-1]}" if len(same) > 1 else same[0]), binding.does


class Keys(QObject):
    """Every command as an action of the window, which its keys and its menu entry share.

    A key belongs to its action unless the control that has the focus uses it itself.
    """

    def __init__(self, window: QWidget, calls: Mapping[str, Callable[[], object]]) -> None:
        """`calls` has what is done, for the name of each command that this window has."""
        super().__init__(window)
        self.actions: dict[str, QAction] = {}
        for binding in BINDINGS:
            if binding.action in calls:
                self.actions[binding.action] = _action(window, binding, calls[binding.action])
        self.add_window(window)
        for widget in window.findChildren(QWidget):
            if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
                widget.installEventFilter(self)

    def add_window(self, window: QWidget) -> None:
        """Let the keys do the same in another window."""
        window.addActions(list(self.actions.values()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if isinstance(watched, QWidget) and uses(watched, event):
            event.accept()
            return True
        return False


@runtime_checkable
class KeepsKeys(Protocol):
    """A widget of ours that answers to keys while it has the keyboard."""

    def keeps_key(self, event: QKeyEvent) -> bool:
        """Whether this key is the widget's own now."""
        ...


def uses(widget: QWidget, event: QKeyEvent) -> bool:
    """Whether the widget does something of its own with the key, so that the key's action must not happen."""
    key = event.key()
    if isinstance(widget, KeepsKeys):
        return widget.keeps_key(event)
    if isinstance(widget, QTabBar):
        return key in (Qt.Key.Key_Left, Qt.Key.Key_Right)
    if isinstance(widget, QLineEdit):
        return key in _MOVING or (bool(event.text()) and event.text().isprintable())
    if isinstance(widget, QComboBox):
        return key in _MOVING or (bool(event.text()) and event.text().isprintable())
    if isinstance(widget, QAbstractSlider):
        return key in _MOVING and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
    if isinstance(widget, QAbstractButton):
        return key == Qt.Key.Key_Space
    return False


def _action(window: QWidget, binding: Binding, call: Callable[[], object]) -> QAction:
    action = QAction(binding.text, window)
    action.setObjectName(binding.action)
    action.setShortcuts([QKeySequence(key) for key in binding.keys])
    action.setAutoRepeat(binding.action in _REPEATED)
    action.setToolTip(binding.does)
    # the menu of a Mac's program would move what it takes for its own by the words
    action.setMenuRole(QAction.MenuRole.NoRole)
    # whether it is checked is no argument of what is done
    action.triggered.connect(lambda: call())
    return action
