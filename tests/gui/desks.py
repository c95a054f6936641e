"""A bare window with all of its commands, for the tests of menus and keys."""

from __future__ import annotations

from collections.abc import Callable

from fake_run import fake_run
from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from windows import CONFIG

from gradviz_app.appearance import Appearance
from gradviz_app.playback import Playback
from gradviz_app.preferences import Preferences
from gradviz_app.session import Session
from gradviz_app.style import style_sheet
from gradviz_app.theme import DARK
from gradviz_app.window_commands import WindowCommands
from gradviz_app.workspace.names import NAMES, TITLES, PanelName

OWN = (
    "toggle_play", "toggle_full_screen", "toggle_blank", "toggle_keys", "leave", "close", "close_window",
    "show_hints",
)  # fmt: skip
"""What the window itself does."""


class Panels:
    """A workspace that only remembers where the panels are."""

    def __init__(self) -> None:
        self.enlarged: PanelName | None = None
        self.hidden: set[PanelName] = set()
        self.detached: set[PanelName] = set()

    @property
    def panels(self) -> tuple[tuple[PanelName, str], ...]:
        return tuple((name, TITLES[name]) for name in NAMES)

    def is_hidden(self, name: PanelName) -> bool:
        return name in self.hidden

    def is_detached(self, name: PanelName) -> bool:
        return name in self.detached

    def set_hidden(self, name: PanelName, hidden: bool) -> None:
        (self.hidden.add if hidden else self.hidden.discard)(name)

    def detach(self, name: PanelName) -> None:
        self.detached.add(name)

    def dock(self, name: PanelName) -> None:
        self.detached.discard(name)

    def enlarge(self, name: PanelName | None) -> None:
        self.enlarged = name

    def reset(self) -> None:
        self.enlarged, self.hidden, self.detached = None, set(), set()


class TabRow:
    """Tabs that only remember which is shown."""

    titles = ("Stack", "Weights & more")

    def __init__(self) -> None:
        self.wanted = "Stack"

    def show_index(self, index: int) -> None:
        if index < len(self.titles):
            self.wanted = self.titles[index]

    def show_next(self, by: int = 1) -> None:
        self.wanted = self.titles[(self.titles.index(self.wanted) + by) % len(self.titles)]


class Desk:
    """A bare window with everything that its commands need."""

    def __init__(self, qtbot: QtBot) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        self.window = QMainWindow()
        qtbot.addWidget(self.window)
        self.body, self.entry = QWidget(), QLineEdit()
        rows = QVBoxLayout(self.body)
        rows.addWidget(self.entry)
        self.window.setCentralWidget(self.body)
        self.window.setStyleSheet(style_sheet(DARK))
        self.session = Session(CONFIG, fake_run)
        self.playback = Playback(self.session)
        self.preferences = Preferences(QSettings("preferences.ini", QSettings.Format.IniFormat))
        self.appearance = Appearance(application.styleHints(), "dark")
        self.panels, self.tabs = Panels(), TabRow()
        self.done: list[str] = []
        self.problems: list[str] = []
        self.said: list[str] = []
        self.session.said.connect(self.said.append)
        self.commands = WindowCommands(
            self.window,
            self.session,
            self.playback,
            self.appearance,
            self.preferences,
            panels=self.panels,
            tabs=self.tabs,
            pictured=self.body,
            problem=self.problems.append,
            calls={name: self._noting(name) for name in (*OWN, "restyle", "set_motion")},
        )
        self.window.resize(1280, 720)
        self.window.show()
        self.body.setFocus()
        qtbot.waitActive(self.window)

    def menu(self, title: str) -> QMenu:
        """The menu as it stands when it is opened."""
        menu = self.commands.menus.menus[title]
        menu.aboutToShow.emit()
        return menu

    def entries(self, menu: str, submenu: str) -> dict[str, QAction]:
        """The lines of a menu in a menu, as it stands when it is opened."""
        (found,) = [action.menu() for action in self.menu(menu).actions() if action.text() == submenu]
        assert isinstance(found, QMenu)
        return {action.text(): action for action in found.actions() if action.text()}

    def action(self, name: str) -> QAction:
        return self.commands.keys.actions[name]

    def _noting(self, name: str) -> Callable[[], None]:
        return lambda: self.done.append(name)
