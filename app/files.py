"""Presets and tasks in files: opened by dialog, from the list of recent ones, or dropped on the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import QMimeData, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget

from gradviz import presets
from gradviz.config import ConfigError, RunConfig
from gradviz.presets import Preset

from .menus import Entry
from .preferences import RECENT, Preferences
from .session import Session
from .task_reader import TaskReader
from .words import as_sentence, run_in_words

_LONGEST = 56


class Files(QObject):
    """Opens and saves what is in files. No code is run but that of a file which was asked for as a task."""

    def __init__(
        self,
        window: QWidget,
        session: Session,
        preferences: Preferences,
        problem: Callable[[str], None],
        reader: TaskReader,
    ) -> None:
        """`problem` takes a sentence about what could not be done."""
        super().__init__(window)
        self._window, self._session, self._preferences, self._problem = window, session, preferences, problem
        self.reader = reader
        self.reader.opened.connect(self._on_task_opened)
        self.reader.refused.connect(self._on_refused)
        self.reader.said.connect(session.said)

    def open_preset(self) -> None:
        """Ask for a preset's file."""
        dialog = self._dialog("Open preset", "Presets (*.toml)")
        dialog.fileSelected.connect(self.open_file)
        dialog.open()

    def open_task(self) -> None:
        """Ask for a Python file, and which of its functions makes the task."""
        dialog = self._dialog("Open task", "Python (*.py)")
        dialog.fileSelected.connect(self.open_file)
        dialog.open()

    def save_preset(self) -> None:
        """Ask for a file to keep the settings in."""
        dialog = self._dialog("Save preset", "Presets (*.toml)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setDefaultSuffix("toml")
        dialog.fileSelected.connect(self.save_to)
        dialog.open()

    def save_to(self, path: str) -> None:
        """Keep the settings in this file."""
        config = self._session.config
        settings = msgspec.structs.asdict(config)
        try:
            presets.save(path, Preset(Path(path).stem, Path(path).stem, run_in_words(config), settings))
        except ConfigError as error:
            self._problem(_told(str(error)))
            return
        self._remember(path)
        self._session.said.emit(f"saved as {Path(path).name}")

    def open_file(self, path: str) -> None:
        """Start the run of a preset, or ask which function of a Python file makes a task."""
        if path.endswith(".py"):
            self._choose_function(path)
        else:
            self._start_preset(path)

    def open_recent(self, path: str) -> None:
        """Open a preset of the list; a file that has gone is taken off it."""
        if Path(path).exists():
            self.open_file(path)
        else:
            self._preferences.recent = tuple(other for other in self._preferences.recent if other != path)
            self._problem(f"{path} is not there any more; it was taken off the list.")

    def recent_entries(self) -> Sequence[Entry]:
        """The menu of recent presets, newest first, and how to forget them."""
        paths = self._preferences.recent
        opened = [Entry(_shortened(path), partial(self.open_recent, path)) for path in paths]
        return [*opened, Entry("Clear this list", self._forget, after_line=True)] if opened else []

    def consider(self, event: QDragEnterEvent) -> None:
        """Something is dragged over the window: one preset or Python file may be dropped."""
        if _dropped(event.mimeData()):
            event.acceptProposedAction()

    def take(self, event: QDropEvent) -> None:
        """A file was dropped on the window."""
        path = _dropped(event.mimeData())
        if path:
            event.acceptProposedAction()
            self.open_file(path)

    def stop(self) -> None:
        """The window closes: whatever is being read is given up."""
        self.reader.stop()

    def _dialog(self, title: str, kind: str) -> QFileDialog:
        recent = self._preferences.recent
        folder = Path(recent[0]).parent if recent else Path.home()
        dialog = QFileDialog(self._window, title, str(folder if folder.is_dir() else Path.home()), kind)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # Qt's own dialog gives its tool buttons no more room than their icons need
        dialog.setStyleSheet("QToolButton { padding: 0px; }")
        return dialog

    def _start_preset(self, path: str) -> None:
        try:
            preset = presets.load(Path(path))
            config = RunConfig.of(preset.settings)
        except ConfigError as error:
            self._problem(_told(str(error)))
            return
        self._remember(path)
        self._session.start(config)
        self._session.said.emit(f"new run: {preset.title}")

    def _choose_function(self, path: str) -> None:
        # few open a task of their own, and everybody waits for the window
        from gradviz.tasks.own import functions

        try:
            names = functions(path)
        except ConfigError as error:
            self._problem(_told(str(error)))
            return
        if not names:
            self._problem(f"{Path(path).name} has no function without arguments that could make a task.")
        elif len(names) == 1:
            self.reader.read(f"{path}:{names[0]}")
        else:
            self._ask_for_function(path, names)

    def _ask_for_function(self, path: str, names: Sequence[str]) -> None:
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Open task")
        dialog.setLabelText(f"Which function of {Path(path).name} makes the task?")
        dialog.setComboBoxItems(list(names))
        dialog.setOkButtonText("Open")
        dialog.textValueSelected.connect(lambda name: self.reader.read(f"{path}:{name}"))
        dialog.open()

    def _remember(self, path: str) -> None:
        whole = str(Path(path).absolute())
        others = (other for other in self._preferences.recent if other != whole)
        self._preferences.recent = (whole, *others)[:RECENT]

    def _forget(self) -> None:
        self._preferences.recent = ()

    def _on_task_opened(self, name: str) -> None:
        if self._session.config.task == name:
            # the file may have been edited since, and have other samples
            self._session.start(self._session.config.changed(task=name))
            return
        try:
            self._session.change(task=name)
        except ConfigError as error:
            self._problem(_told(str(error)))

    def _on_refused(self, sentence: str) -> None:
        self._problem(_told(sentence))


def _told(sentence: str) -> str:
    """A whole sentence; the name of a file, with which it may begin, is left as it is."""
    return as_sentence(sentence) if sentence.partition(" ")[0].isalpha() else f"{sentence.removesuffix('.')}."


def _dropped(data: QMimeData) -> str:
    """The one file that is dragged, if it is of a kind that can be opened, else ""."""
    paths = [url.toLocalFile() for url in data.urls()]
    return paths[0] if len(paths) == 1 and paths[0].endswith((".toml", ".py")) else ""


def _shortened(path: str) -> str:
    """The path as a menu shows it: from home on, and its end where it is long."""
    home = str(Path.home())
    shown = f"~{path[len(home) :]}" if path.startswith(f"{home}/") else path
    return shown if len(shown) <= _LONGEST else f"…{shown[-_LONGEST:]}"
