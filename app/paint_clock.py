"""How long a window paints."""

from __future__ import annotations

import time

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

_DONE = QEvent.Type(QEvent.registerEventType())


class PaintClock(QObject):
    """Notices when a window begins to paint, and by an event of its own when it has done so.

    An override of the window's `event` would measure the same, but all painting would then run inside of a
    Python call: an error raised there by C code, such as an IndexError of numpy's, ends the process
    (PySide6 6.11 on Python 3.11).
    """

    painted = Signal(float)
    """So many seconds of this thread went into painting."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._begun_s: float | None = None
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest and self._begun_s is None:
            self._begun_s = time.thread_time()
            QCoreApplication.postEvent(self, QEvent(_DONE), Qt.EventPriority.HighEventPriority.value)
        return False

    def customEvent(self, event: QEvent) -> None:
        if self._begun_s is not None:
            seconds, self._begun_s = time.thread_time() - self._begun_s, None
            self.painted.emit(seconds)
