"""What the user prefers, kept between starts."""

from __future__ import annotations

from typing import Literal, cast, get_args

from PySide6.QtCore import QByteArray, QSettings

ThemeChoice = Literal["system", "light", "dark"]
THEME_CHOICES: tuple[ThemeChoice, ...] = get_args(ThemeChoice)


class Preferences:
    """A few values in a QSettings that is handed in. What cannot be read is as if it were not there."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    @property
    def theme(self) -> ThemeChoice:
        """Dark, light, or as the system has it."""
        value = self._settings.value("theme")
        return cast("ThemeChoice", value) if value in THEME_CHOICES else "system"

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._settings.setValue("theme", choice)

    @property
    def hints_seen(self) -> bool:
        """The bubbles of the first start have been there."""
        return str(self._settings.value("hints_seen")).lower() == "true"

    @hints_seen.setter
    def hints_seen(self, seen: bool) -> None:
        self._settings.setValue("hints_seen", seen)

    @property
    def experiment_open(self) -> bool:
        """The experiment's form is not folded away."""
        return str(self._settings.value("experiment_open")).lower() == "true"

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
