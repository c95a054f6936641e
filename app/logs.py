"""Where the program writes down what went wrong."""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QStandardPaths

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_file() -> Path:
    """The log, in the folder that the system has for such things."""
    where = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.StateLocation)
    return Path(where) / "gradviz.log"


@contextlib.contextmanager
def logging_to(file: Path) -> Iterator[None]:
    """Write everything from INFO to the file and warnings to the terminal; without the file if need be."""
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    handlers[0].setLevel(logging.WARNING)
    # a home folder that cannot be written to must not keep the program from starting
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(
            logging.handlers.RotatingFileHandler(file, maxBytes=2**20, backupCount=1, encoding="utf-8")
        )
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.INFO)
    for handler in handlers:
        handler.setFormatter(logging.Formatter(_FORMAT))
        root.addHandler(handler)
    try:
        yield
    finally:
        root.setLevel(level)
        for handler in handlers:
            root.removeHandler(handler)
            handler.close()
