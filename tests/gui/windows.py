"""Windows for the tests, and what brings them to a wanted state."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gradviz.config import RunConfig
from gradviz_app.appearance import Appearance
from gradviz_app.main_window import MainWindow
from gradviz_app.preferences import Preferences
from gradviz_app.session import Session
from gradviz_app.worker import EventSource, train

CONFIG = RunConfig.of({"batch": 32, "micro_batches": 4})


def make_window(qtbot: QtBot, source: EventSource = train, config: RunConfig = CONFIG) -> MainWindow:
    """A shown window whose pump ticks and whose run is held before its first micro-batch."""
    window = unstarted_window(qtbot, source, config)
    window.show()
    qtbot.waitActive(window)
    window.pump.start()
    window.session.start(config)
    qtbot.waitUntil(lambda: place(window) == (1, 0), timeout=20_000)
    return window


def unstarted_window(qtbot: QtBot, source: EventSource = train, config: RunConfig = CONFIG) -> MainWindow:
    """A window that is not shown yet and trains nothing."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    appearance = Appearance(application.styleHints(), "dark")
    preferences = Preferences(QSettings("preferences.ini", QSettings.Format.IniFormat))
    window = MainWindow(Session(config, source), appearance, preferences)
    window.resize(1280, 720)
    qtbot.addWidget(window)
    return window


def place(window: MainWindow) -> tuple[int, int] | None:
    """(step, micro-batches added) of what is on the screen."""
    moment = window.playback.moment()
    return (moment.window.step, len(moment.added)) if moment and moment.window else None


def reaches(qtbot: QtBot, window: MainWindow, step: int, added: int) -> None:
    """Wait until that moment is on the screen."""
    qtbot.waitUntil(lambda: place(window) == (step, added), timeout=10_000)


def until(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    """Wait for it."""
    qtbot.waitUntil(condition, timeout=10_000)
