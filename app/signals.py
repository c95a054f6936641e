"""Ctrl+C and SIGTERM while the program is still being read: it ends at once, and quietly."""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

_NUMBERS = (signal.SIGINT, signal.SIGTERM)


def end_quietly() -> None:
    """Until somebody else wants the signals they end the process: there is nothing yet to be lost.

    An exception would not do. Qt and torch, half read, turn it into an abort or into a message of their own.
    """
    if threading.current_thread() is threading.main_thread():
        for number in _NUMBERS:
            signal.signal(number, _end)


def end_by_exception() -> None:
    """From here on Ctrl+C is Python's KeyboardInterrupt, and SIGTERM SystemExit: progress bars tidy up."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, _exit)


def _end(number: int, _frame: FrameType | None) -> None:
    os._exit(128 + number)


def _exit(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
