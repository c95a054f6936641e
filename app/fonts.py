"""The fonts that come with the program."""

from __future__ import annotations

from importlib import resources

from PySide6.QtGui import QFontDatabase


def load_fonts() -> None:
    """Make the program's fonts known to Qt, so that it looks the same everywhere."""
    folder = resources.files("gradviz.resources") / "fonts"
    for file in folder.iterdir():
        if file.name.endswith((".otf", ".ttf")):
            QFontDatabase.addApplicationFontFromData(file.read_bytes())
