"""Where the program writes down what went wrong."""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
import sys
from collections.abc import Iterator
from pathlib import Path

import platformdirs

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_file() -> Path:
    """The log, in the folder that the system has for such things."""
    return platformdirs.user_log_path("gradviz", appauthor=False) / "gradviz.log"


@contextlib.contextmanager
def logging_to(file: Path) -> Iterator[None]:
    """Write everything from INFO to the file; to the terminal where the file cannot be written."""
    handler, root = _handler(file), logging.getLogger()
    handler.setFormatter(logging.Formatter(_FORMAT))
    level = root.level
    root.setLevel(logging.INFO)
    root.addHandler(handler)
    try:
        yield
    finally:
        root.setLevel(level)
        root.removeHandler(handler)
        handler.close()


def _handler(file: Path) -> logging.Handler:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return logging.handlers.RotatingFileHandler(file, maxBytes=2**20, backupCount=1, encoding="utf-8")
    except OSError:
        # a home folder that cannot be written to must not keep the program from starting
        return logging.StreamHandler(sys.stderr)
