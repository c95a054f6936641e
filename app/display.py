"""Can a window be opened here? Found out without Qt, which would end the process instead of saying so."""

from __future__ import annotations

import ctypes
import os
import re
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

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
    unreachable: Callable[[Mapping[str, str]], str | None] | None = None,
) -> str | None:
    """One sentence about what keeps a window from opening and what helps; None where nothing does."""
    if not platform.startswith("linux"):
        return missing_libraries()
    plugin = environment.get("QT_QPA_PLATFORM", "")
    wayland = bool(environment.get("WAYLAND_DISPLAY"))
    needs_display = re.split("[:;]", plugin)[0] in ("", "xcb", "wayland")
    if needs_display and not (wayland or environment.get("DISPLAY")):
        return f"there is no display to open a window on; {NO_WINDOW_NEEDED}"
    if plugin.startswith("xcb") or (not plugin and not wayland):
        missing = [name for name in _XCB_PROBES if not _loads(name, load)]
        if missing:
            return f"{missing[0]} is missing: on Debian, apt install {_XCB_LIBRARIES}; {NO_WINDOW_NEEDED}"
    problem = (unreachable or unreachable_display)(environment) if needs_display else None
    return problem or missing_libraries()


def unreachable_display(
    environment: Mapping[str, str], load: Callable[[str], Any] = ctypes.CDLL
) -> str | None:
    """One sentence naming the displays that are set and do not answer; None if one does, or may."""
    wayland, x11 = environment.get("WAYLAND_DISPLAY"), environment.get("DISPLAY")
    if (wayland and _wayland_answers(wayland, environment)) or (x11 and _x11_answers(x11, load)):
        return None
    tried = " or ".join(repr(name) for name in (wayland, x11) if name)
    return f"the display {tried} cannot be reached; {NO_WINDOW_NEEDED}"


def _wayland_answers(name: str, environment: Mapping[str, str]) -> bool:
    path = Path(environment.get("XDG_RUNTIME_DIR", "")) / name
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2.0)
            connection.connect(str(path))
    except OSError:
        return False
    return True


def _x11_answers(name: str, load: Callable[[str], Any]) -> bool:
    """Ask as Qt will, with the same library; where that is not there nothing is known, and Qt may try."""
    try:
        xcb = load("libxcb.so.1")
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(name.encode(), None))
    failed: int = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return failed == 0


def missing_libraries(import_qt: Callable[[], object] | None = None) -> str | None:
    """One sentence naming what Qt needs even without a display; None where Qt can be loaded."""
    try:
        (import_qt or _import_qt)()
    except ImportError as error:
        # only what cannot be opened is a system's library; anything else no package would mend
        helps = f": on Debian, apt install {_LIBRARIES}" if ".so" in str(error) else ""
        return f"Qt cannot be loaded ({error}){helps}; {NO_WINDOW_NEEDED}"
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
