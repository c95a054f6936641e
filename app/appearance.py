"""Which theme is in use: what was chosen, or what the system has, and when that changes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QStyleHints

from .look import THEME_CHOICES, ThemeChoice
from .theme import CONTRAST, DARK, LIGHT, THEMES, Theme


class Appearance(QObject):
    """The theme in use. The scale is the window's own affair."""

    changed = Signal()

    def __init__(self, hints: QStyleHints, choice: ThemeChoice) -> None:
        super().__init__()
        self._hints = hints
        self._choice = choice
        hints.colorSchemeChanged.connect(self._on_system_changed)
        hints.accessibility().contrastPreferenceChanged.connect(self._on_system_changed)

    @property
    def choice(self) -> ThemeChoice:
        """What was chosen."""
        return self._choice

    @property
    def theme(self) -> Theme:
        """The theme that follows from it. A system that says nothing gets the dark one."""
        if self._choice != "system":
            return THEMES[self._choice]
        if self._hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
            return CONTRAST
        return LIGHT if self._hints.colorScheme() == Qt.ColorScheme.Light else DARK

    def choose(self, choice: ThemeChoice) -> None:
        """Use this one from now on."""
        self._choice = choice
        self.changed.emit()

    def choose_next(self) -> None:
        """The next of the choices, and round again."""
        self.choose(THEME_CHOICES[(THEME_CHOICES.index(self._choice) + 1) % len(THEME_CHOICES)])

    def _on_system_changed(self) -> None:
        if self._choice == "system":
            self.changed.emit()
