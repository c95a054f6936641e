"""Can a window be opened here? Found out without Qt, which would end the process instead of saying so."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Callable, Mapping

NO_WINDOW_NEEDED = "to train without a window use: gradviz run --headless"
_LIBRARIES = "libegl1 libgl1 libglib2.0-0 libxkbcommon0 libfontconfig1 libdbus-1-3"
_XCB_LIBRARIES = "libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0"
_XCB_PROBES = (
    "libxcb-cursor.so.0",
    "libxkbcommon-x11.so.0",
    "libxcb-icccm.so.4",
    "libxcb-keysyms.so.1",
    "libxcb-shape.so.0",
)


def missing_display(
    environment: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    load: Callable[[str], object] = ctypes.CDLL,
) -> str | None:
    """One sentence about what keeps a window from opening and what helps; None where nothing does."""
    if not platform.startswith("linux"):
        return missing_libraries()
    plugin = environment.get("QT_QPA_PLATFORM", "")
    wayland = bool(environment.get("WAYLAND_DISPLAY"))
    if re.split("[:;]", plugin)[0] in ("", "xcb", "wayland") and not (wayland or environment.get("DISPLAY")):
        return f"there is no display to open a window on; {NO_WINDOW_NEEDED}"
    if plugin.startswith("xcb") or (not plugin and not wayland):
        missing = [name for name in _XCB_PROBES if not _loads(name, load)]
        if missing:
            return f"{missing[0]} is missing: on Debian, apt install {_XCB_LIBRARIES}; {NO_WINDOW_NEEDED}"
    return missing_libraries()


def missing_libraries(import_qt: Callable[[], object] | None = None) -> str | None:
    """One sentence naming what Qt needs even without a display; None where Qt can be loaded."""
    try:
        (import_qt or _import_qt)()
    except ImportError as error:
        return f"Qt cannot be loaded ({error}): on Debian, apt install {_LIBRARIES}; {NO_WINDOW_NEEDED}"
    return None


def _loads(name: str, load: Callable[[str], object]) -> bool:
    try:
        load(name)
    except OSError:
        return False
    return True


def _import_qt() -> None:
    import PySide6.QtGui
    import PySide6.QtSvg
    import PySide6.QtWidgets  # noqa: F401
