"""Reads a task of the user's own in a thread, while the window goes on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from gradviz.config import ConfigError
from gradviz.tasks import Task

from .controls.parts import button, label

_log = logging.getLogger(__name__)

Open = Callable[[str, Callable[[], bool]], Task]
"""Opens FILE.py:NAME and asks all the while whether it shall give up."""


def _open(address: str, cancelled: Callable[[], bool]) -> Task:
    # few open a task of their own, and everybody waits for the window
    from gradviz.tasks.own import open_task

    return open_task(address, cancelled=cancelled)


class TaskReader(QObject):
    """One task at a time. It says how it ended, unless somebody cancelled it."""

    opened = Signal(str)
    refused = Signal(str)
    said = Signal(str)
    _ended = Signal(str, str)

    def __init__(self, window: QWidget, open_it: Open = _open) -> None:
        super().__init__(window)
        self._window, self._open = window, open_it
        self._thread: threading.Thread | None = None
        self._give_up = threading.Event()
        self.waiting: Waiting | None = None
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)

    @property
    def reading(self) -> bool:
        """A task is being read, or it has not been said yet how that ended."""
        return self._thread is not None

    def read(self, address: str) -> None:
        """Read FILE.py:NAME, which takes some seconds."""
        if self._thread is not None:
            self.said.emit("another task is still being read")
            return
        self._give_up.clear()
        self.waiting = Waiting(self._window, f"reading {Path(address.rpartition(':')[0]).name} …")
        self.waiting.rejected.connect(self.cancel)
        self.waiting.show()
        self._thread = threading.Thread(target=self._read, args=(address,), name="task reader")
        self._thread.start()

    def cancel(self) -> None:
        """Somebody does not want to wait for it."""
        self._give_up.set()
        self.waiting = None
        self.said.emit("the task was not opened")

    def stop(self) -> None:
        """Give up and wait until the thread has ended."""
        self._give_up.set()
        if self._thread is not None:
            self._thread.join()

    def _read(self, address: str) -> None:
        """In the thread."""
        name = sentence = ""
        try:
            name = self._open(address, self._give_up.is_set).name
        except Exception as error:
            sentence = str(error)
            # what comes of giving up is nobody's fault
            if not isinstance(error, ConfigError) and not self._give_up.is_set():
                _log.exception("a task could not be read")
                sentence = f"the task could not be read: {error or type(error).__name__}"
        self._ended.emit(name, sentence)

    @Slot(str, str)
    def _on_ended(self, name: str, sentence: str) -> None:
        if self._thread is not None:
            self._thread.join()
        self._thread = None
        waiting, self.waiting = self.waiting, None
        if waiting is not None:
            waiting.accept()
        if self._give_up.is_set():
            return
        if sentence:
            self.refused.emit(sentence)
        else:
            self.opened.emit(name)


class Waiting(QDialog):
    """Says what is waited for. Cancel, Esc and closing it give up."""

    def __init__(self, parent: QWidget, words: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Open task")
        self.cancel = button("Cancel", "button")
        self.cancel.clicked.connect(self.reject)
        rows, foot = QVBoxLayout(self), QHBoxLayout()
        rows.addWidget(label(words, "value"))
        rows.addWidget(
            label("It is tried in a process of its own; reading torch takes some seconds.", "note")
        )
        foot.addStretch(1)
        foot.addWidget(self.cancel)
        rows.addLayout(foot)
