"""Ctrl+C and SIGTERM close the window."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier


class Interrupts(QObject):
    """Calls `close` in the event loop when a signal arrives, and remembers the exit code that goes with it.

    Python handles signals only between two of its own instructions, which the event loop may put off for
    long; the byte that Python writes into the socket wakes it up.
    """

    def __init__(self, close: Callable[[], object]) -> None:
        super().__init__()
        self.exit_code: int | None = None
        self._close = close
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_woken)
        self._former_fd = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._former = {
            number: signal.signal(number, self._handle) for number in (signal.SIGINT, signal.SIGTERM)
        }

    def restore(self) -> None:
        """Leave signals as they were found."""
        self._notifier.setEnabled(False)
        for number, handler in self._former.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._former_fd)
        self._reader.close()
        self._writer.close()

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        self.exit_code = 128 + number

    def _on_woken(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._reader.recv(64)
        if self.exit_code is not None:
            self._close()
