"""All that the window can do by key or menu, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMainWindow, QWidget

from .about import About
from .appearance import Appearance
from .copying import Copying
from .files import Files
from .keys import Keys
from .logs import log_file
from .look import ZOOMS
from .menus import Entries, Menus, State
from .playback import Playback
from .preferences import Preferences
from .session import Session
from .task_reader import TaskReader
from .undo import Undo
from .view_menus import (
    Panels,
    detached_entries,
    enlarged_entries,
    motion_entries,
    shown_entries,
    theme_entries,
)

Call = Callable[[], object]
MOST_TABS = 5


class TabRow(Protocol):
    """What the menus do with the tabs of the stage."""

    @property
    def titles(self) -> tuple[str, ...]: ...

    @property
    def wanted(self) -> str: ...

    def show_index(self, index: int) -> None: ...

    def show_next(self, by: int = 1) -> None: ...


class WindowCommands(QObject):
    """Makes the commands' parts, gives each command its keys and its place in the menus."""

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        playback: Playback,
        appearance: Appearance,
        preferences: Preferences,
        *,
        panels: Panels,
        tabs: TabRow,
        pictured: QWidget,
        problem: Callable[[str], None],
        calls: Mapping[str, Call],
    ) -> None:
        """`calls` are what the window does itself, by the command's name, and "restyle" and "set_motion".

        `pictured` is what a picture of the window shows. `problem` takes a sentence about what went wrong.
        """
        super().__init__(window)
        self._window, self._session, self._playback = window, session, playback
        self._appearance, self._preferences = appearance, preferences
        self._panels, self._tabs, self._problem = panels, tabs, problem
        self.files = Files(window, session, preferences, problem, TaskReader(window))
        self.copying = Copying(session, playback, pictured, QGuiApplication.clipboard(), session.said.emit)
        self.undo = Undo(session)
        self.calls: Mapping[str, Call] = {**self._own_calls(), **calls}
        self.keys = Keys(window, self.calls)
        self.menus = Menus(window, self.keys.actions, self._states(), self._submenus())

    def open_log_folder(self) -> None:
        """Show the log where the system shows files, or at least say where it is."""
        log = log_file()
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(_nearest(log.parent)))):
            self._problem(f"The log is {log}.")

    def show_about(self) -> None:
        """What the program is made of."""
        About(self._window, self._appearance.theme.scaled(self._preferences.zoom), log_file()).show()

    def zoom(self, by: int) -> None:
        """Everything larger, by one step or more, or with a negative number smaller."""
        place = ZOOMS.index(self._preferences.zoom) + by
        self._set_zoom(ZOOMS[min(len(ZOOMS) - 1, max(0, place))])

    def _set_zoom(self, zoom: float) -> None:
        self._preferences.zoom = zoom
        self.calls["restyle"]()
        self._session.said.emit("usual size" if zoom == 1 else f"everything {zoom:g} × as large")

    def _own_calls(self) -> dict[str, Call]:
        tabs = {f"tab_{n + 1}": partial(self._tabs.show_index, n) for n in range(MOST_TABS)}
        return {
            **self._file_calls(),
            **self._run_calls(),
            **tabs,
            "next_tab": self._tabs.show_next,
            "reset_panels": self._panels.reset,
            "zoom_in": partial(self.zoom, 1),
            "zoom_out": partial(self.zoom, -1),
            "zoom_reset": partial(self._set_zoom, 1.0),
            "open_log_folder": self.open_log_folder,
            "show_about": self.show_about,
        }

    def _file_calls(self) -> dict[str, Call]:
        return {
            "open_preset": self.files.open_preset,
            "save_preset": self.files.save_preset,
            "open_task": self.files.open_task,
            "copy_picture": self.copying.copy_picture,
            "copy_numbers": self.copying.copy_numbers,
            "copy_command": self.copying.copy_command,
        }

    def _run_calls(self) -> dict[str, Call]:
        return {
            "forward": self._playback.forward,
            "forward_a_step": self._playback.forward_a_step,
            "back": self._playback.back,
            "go_live": self._playback.go_live,
            "restart": self._session.restart,
            "toggle_scaling": self._session.toggle_scaling,
            "resync": self._session.resync,
            "undo": self.undo.undo,
            "redo": self.undo.redo,
        }

    def _states(self) -> dict[str, State]:
        session, playback, undo = self._session, self._playback, self.undo
        return {
            "copy_numbers": State(lambda: self.copying.has_numbers),
            "toggle_play": State(text=lambda: "Pause" if session.playing else "Run"),
            "forward": State(lambda: session.running or not playback.live),
            "forward_a_step": State(lambda: session.running or not playback.live),
            "back": State(lambda: playback.index > 0),
            "go_live": State(lambda: not playback.live),
            "toggle_scaling": State(self._has_pieces, text=self._scaling_text),
            "resync": State(lambda: session.running and session.config.lanes == "both"),
            "undo": State(lambda: undo.can_undo, text=lambda: _named("Undo", undo.undo_words)),
            "redo": State(lambda: undo.can_redo, text=lambda: _named("Redo", undo.redo_words)),
            **{f"tab_{n + 1}": self._tab_state(n) for n in range(MOST_TABS)},
            "next_tab": State(lambda: len(self._tabs.titles) > 1),
            "zoom_in": State(lambda: self._preferences.zoom < ZOOMS[-1]),
            "zoom_out": State(lambda: self._preferences.zoom > ZOOMS[0]),
            "zoom_reset": State(lambda: self._preferences.zoom != 1.0),
            "toggle_full_screen": State(checked=self._window.isFullScreen),
        }

    def _tab_state(self, index: int) -> State:
        def text() -> str:
            titles = self._tabs.titles
            return titles[index] if index < len(titles) else ""

        return State(lambda: bool(text()), lambda: text() == self._tabs.wanted, text)

    def _submenus(self) -> dict[str, Entries]:
        appearance, preferences = self._appearance, self._preferences
        return {
            "Open recent": self.files.recent_entries,
            "Panels": lambda: shown_entries(self._panels),
            "Detached panels": lambda: detached_entries(self._panels),
            "Enlarged panel": lambda: enlarged_entries(self._panels),
            "Theme": lambda: theme_entries(appearance, preferences),
            "Motion": lambda: motion_entries(preferences, self._set_motion),
        }

    def _set_motion(self) -> None:
        self.calls["set_motion"]()

    def _has_pieces(self) -> bool:
        return self._session.config.lanes != "full"

    def _scaling_text(self) -> str:
        return "Back to ÷ N" if self._session.config.scaling == "unscaled" else "Forget the 1/N"


def _named(verb: str, words: str) -> str:
    return f"{verb}: {words} again" if words else verb


def _nearest(folder: Path) -> Path:
    """The folder, or the first above it that is there."""
    return folder if folder.is_dir() or folder == folder.parent else _nearest(folder.parent)
