"""The program with a window, from its start to its exit code."""

from __future__ import annotations

import logging
import sys
from types import TracebackType

from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtWidgets import QApplication

from gradviz.config import RunConfig

from .accessible import describe_painted
from .appearance import Appearance
from .collector import Collector
from .fonts import load_fonts
from .geometry import available_screens, safe_rect
from .icons import program_icon
from .interrupts import Interrupts
from .logs import log_file, logging_to
from .look import THEME_CHOICES
from .main_window import MainWindow
from .preferences import Preferences
from .session import Session

_log = logging.getLogger(__name__)

USUAL = QSize(1280, 720)
_LONGEST = 200


def run(config: RunConfig, *, paused: bool, theme: str | None) -> int:
    """Open the window, train until it is closed, and return the exit code: 0, or 128 plus a signal."""
    application = _make_application()
    preferences = Preferences(QSettings("gradviz", "gradviz"))
    with logging_to(log_file()):
        return _Program(application, config, preferences, theme).execute(paused)


class _Program:
    """Everything that lives as long as the window."""

    def __init__(
        self, application: QApplication, config: RunConfig, preferences: Preferences, theme: str | None
    ) -> None:
        self._application = application
        self._preferences = preferences
        self._config = config
        self._session = Session(config)
        self._reporting = False
        choice = theme if theme in THEME_CHOICES else preferences.theme
        self._appearance = Appearance(application.styleHints(), choice)
        self._window = MainWindow(self._session, self._appearance, preferences)
        self._interrupts = Interrupts(self._window.close)
        self._collector = Collector(self._window)
        self._session.run_started.connect(self._collector.freeze)
        application.aboutToQuit.connect(self._session.stop)

    def execute(self, paused: bool) -> int:
        """Show the window, start the run after its first paint, and go on until the window is closed."""
        former_hook, sys.excepthook = sys.excepthook, self._report
        self._session.playing = not paused
        self._window.first_painted.connect(self._begin, Qt.ConnectionType.QueuedConnection)
        self._show()
        try:
            code = self._application.exec()
        finally:
            self._session.stop()
            self._interrupts.restore()
            self._collector.stop()
            sys.excepthook = former_hook
        return self._interrupts.exit_code or code

    def _show(self) -> None:
        rect = safe_rect(self._preferences.geometry, available_screens(), USUAL)
        self._window.restoreGeometry(self._preferences.geometry)
        if not self._window.isMaximized() and not self._window.isFullScreen():
            self._window.move(rect.topLeft())
            self._window.resize(rect.size())
        self._window.show()
        self._window.restore_workspace()
        if not self._preferences.hints_seen:
            self._preferences.hints_seen = True
            self._window.show_hints()

    def _begin(self) -> None:
        # a signal may have come before the first paint
        if self._window.isVisible():
            self._window.pump.start()
            self._session.start(self._config)

    def _report(
        self, kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        if self._reporting:
            # what fails while it is reported must not be reported without end
            sys.__excepthook__(kind, error, traceback)
            return
        self._reporting = True
        try:
            _log.error("uncaught in the window", exc_info=(kind, error, traceback))
            self._window.show_problem(uncaught_in_words(error))
        except Exception:
            sys.__excepthook__(kind, error, traceback)
        finally:
            self._reporting = False


def uncaught_in_words(error: BaseException) -> str:
    """What is said of an exception that nobody caught, and where there is more of it."""
    message = " ".join(f"{error}".split())
    if len(message) > _LONGEST:
        message = f"{message[:_LONGEST]} …"
    told = f"{type(error).__name__}: {message}" if message else type(error).__name__
    return f"Something went wrong in the window ({told}); the log says where: {log_file()}"


def _make_application() -> QApplication:
    QApplication.setApplicationName("gradviz")
    QApplication.setDesktopFileName("gradviz")
    application = QApplication(["gradviz"])
    load_fonts()
    describe_painted()
    application.setWindowIcon(program_icon())
    return application
