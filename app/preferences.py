"""What the user prefers, kept between starts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QSettings

from .look import MOTION_CHOICES, THEME_CHOICES, ZOOMS, MotionChoice, ThemeChoice

RECENT = 8
"""So many files are remembered."""


class Preferences:
    """A few values in a QSettings that is handed in. What cannot be read is as if it were not there."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    @property
    def theme(self) -> ThemeChoice:
        """One of the themes, or as the system has it."""
        value = self._text("theme")
        return value if value in THEME_CHOICES else "system"

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._settings.setValue("theme", choice)

    @property
    def motion(self) -> MotionChoice:
        """Whether pictures move from one state to the next, or as the system has it."""
        value = self._text("motion")
        return value if value in MOTION_CHOICES else "system"

    @motion.setter
    def motion(self, choice: MotionChoice) -> None:
        self._settings.setValue("motion", choice)

    @property
    def zoom(self) -> float:
        """One of ZOOMS."""
        return next((zoom for zoom in ZOOMS if f"{zoom:g}" == self._text("zoom")), 1.0)

    @zoom.setter
    def zoom(self, zoom: float) -> None:
        self._settings.setValue("zoom", f"{zoom:g}")

    @property
    def hints_seen(self) -> bool:
        """The bubbles of the first start have been there."""
        return self._text("hints_seen").lower() == "true"

    @hints_seen.setter
    def hints_seen(self, seen: bool) -> None:
        self._settings.setValue("hints_seen", seen)

    @property
    def experiment_open(self) -> bool:
        """The experiment's form is not folded away."""
        return self._text("experiment_open").lower() == "true"

    @experiment_open.setter
    def experiment_open(self, is_open: bool) -> None:
        self._settings.setValue("experiment_open", is_open)

    @property
    def geometry(self) -> QByteArray:
        """Where the window stood, in Qt's own coding."""
        value = self._settings.value("geometry")
        return value if isinstance(value, QByteArray) else QByteArray()

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._settings.setValue("geometry", geometry)

    @property
    def workspace(self) -> str:
        """Which panels were where, as the workspace wrote it."""
        return self._text("workspace")

    @workspace.setter
    def workspace(self, state: str) -> None:
        self._settings.setValue("workspace", state)

    @property
    def recent(self) -> tuple[str, ...]:
        """Paths of the presets last opened or saved, newest first."""
        lines = self._text("recent").splitlines()
        return tuple(line for line in lines if line)[:RECENT]

    @recent.setter
    def recent(self, paths: Sequence[str]) -> None:
        self._settings.setValue("recent", "\n".join(paths[:RECENT]))

    def _text(self, name: str) -> str:
        value = self._settings.value(name)
        # a file from elsewhere may hold anything under the name
        return str(value) if isinstance(value, str | bool | float | int) else ""
