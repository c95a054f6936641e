"""The menu bar: which command stands where, and what cannot be done now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QMenuBar, QToolButton

MENUS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "&File",
        (
            "open_preset", "Open recent", "save_preset", "open_task", "",
            "copy_picture", "copy_numbers", "copy_command", "",
            "close",
        ),
    ),
    (
        "&Run",
        (
            "toggle_play", "forward", "forward_a_step", "back", "go_live", "restart", "",
            "toggle_scaling", "resync", "",
            "undo", "redo",
        ),
    ),
    (
        "&View",
        (
            "tab_1", "tab_2", "tab_3", "tab_4", "tab_5", "next_tab", "",
            "Panels", "Detached panels", "Enlarged panel", "reset_panels", "",
            "Theme", "Motion", "",
            "zoom_in", "zoom_out", "zoom_reset", "",
            "toggle_full_screen", "toggle_blank",
        ),
    ),
    ("&Help", ("toggle_keys", "show_hints", "", "open_log_folder", "show_about")),
)  # fmt: skip
"""Each menu's title and entries: the name of a command, the title of a menu in it, or "" for a line."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a menu that is filled anew whenever it opens. `checked` is None for what is no choice."""

    text: str
    call: Callable[[], object]
    checked: bool | None = None
    enabled: bool = True
    after_line: bool = False


_KEYS = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease)
Entries = Callable[[], Sequence[Entry]]


@dataclass(frozen=True, slots=True)
class State:
    """What a command's entry shows when its menu opens; it is read then."""

    enabled: Callable[[], bool] = lambda: True
    checked: Callable[[], bool] | None = None
    text: Callable[[], str] | None = None


class Menus(QObject):
    """Fills a window's menu bar. In full screen the bar is hidden, and Alt shows it.

    What cannot be done is found out when a menu opens. A key always reaches its command, which then says
    why it does nothing.
    """

    def __init__(
        self,
        window: QMainWindow,
        actions: Mapping[str, QAction],
        states: Mapping[str, State],
        submenus: Mapping[str, Entries],
    ) -> None:
        super().__init__(window)
        self._window = window
        self.bar: QMenuBar = window.menuBar()
        self._just_shown = False
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._hide_unless_used)
        self.menus: dict[str, QMenu] = {}
        for title, names in MENUS:
            menu = _Menu(self.bar, title, names, actions, states, submenus)
            menu.aboutToHide.connect(self._on_menu_closed)
            self.bar.addMenu(menu)
            self.menus[title.replace("&", "")] = menu
        for more in self.bar.findChildren(QToolButton):
            # where the bar is too narrow for all of its menus
            more.setAccessibleName("More menus")
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowStateChange:
            self.bar.setVisible(not self._window.isFullScreen())
        elif event.type() in _KEYS and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
            self._on_alt(event.type() == QEvent.Type.KeyPress)
        return False

    def _on_alt(self, pressed: bool) -> None:
        """Show the bar when Alt goes down, so that its letters count; hide it when Alt comes up once more."""
        if not self._window.isFullScreen():
            return
        if pressed and self.bar.isHidden():
            self._just_shown = True
            self.bar.show()
        elif not pressed and self._just_shown:
            self._just_shown = False
        elif not pressed:
            self._hide()

    def _on_menu_closed(self) -> None:
        # another menu of the bar may open as this one closes
        self._soon.start()

    def _hide_unless_used(self) -> None:
        if self._window.isFullScreen() and QApplication.activePopupWidget() is None:
            self._hide()

    def _hide(self) -> None:
        body = self._window.centralWidget()
        if self.bar.hasFocus() and body is not None:
            # Qt would give the keyboard to the first button
            body.setFocus()
        self.bar.hide()


class _Menu(QMenu):
    """One menu of the bar."""

    def __init__(
        self,
        bar: QMenuBar,
        title: str,
        names: Sequence[str],
        actions: Mapping[str, QAction],
        states: Mapping[str, State],
        submenus: Mapping[str, Entries],
    ) -> None:
        super().__init__(title, bar)
        self._actions = {name: actions[name] for name in names if name in actions}
        self._states = {name: states[name] for name in self._actions if name in states}
        self._submenus: dict[str, tuple[QMenu, Entries]] = {}
        self.setToolTipsVisible(True)
        for name in names:
            if name in self._actions:
                self.addAction(self._actions[name])
            elif name in submenus:
                self._submenus[name] = (self.addMenu(name), submenus[name])
            elif not name:
                self.addSeparator()
        self.aboutToShow.connect(self._on_about_to_show)
        self.aboutToHide.connect(self._on_about_to_hide)

    def _on_about_to_show(self) -> None:
        for name, state in self._states.items():
            action = self._actions[name]
            action.setEnabled(state.enabled())
            if state.checked is not None:
                action.setCheckable(True)
                action.setChecked(state.checked())
            if state.text is not None:
                action.setText(state.text().replace("&", "&&"))
                action.setVisible(bool(action.text()))
        for menu, entries in self._submenus.values():
            _fill(menu, entries())

    def _on_about_to_hide(self) -> None:
        for action in self._actions.values():
            action.setEnabled(True)
            action.setVisible(True)


def _fill(menu: QMenu, entries: Sequence[Entry]) -> None:
    menu.clear()
    for entry in entries:
        if entry.after_line:
            menu.addSeparator()
        action = menu.addAction(entry.text.replace("&", "&&"))
        action.setEnabled(entry.enabled)
        if entry.checked is not None:
            action.setCheckable(True)
            action.setChecked(entry.checked)
        action.triggered.connect(partial(_call, entry.call))
    menu.setEnabled(bool(entries))


def _call(call: Callable[[], object], _checked: bool = False) -> None:
    # whether it is checked is no argument of what is done
    call()
