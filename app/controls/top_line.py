"""The line over everything: the name, what a player has, what happens now, and the theme."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ..icons import icon
from ..look import ThemeChoice
from ..theme import Theme
from ..views.status import Status
from .parts import button, label
from .transport import Transport


class TopLine(QWidget):
    """Puts them side by side; the status takes what room is left."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.transport = Transport(theme)
        self.status = Status(theme)
        self.theme_button = button("", "plain", "Theme")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addWidget(label("gradviz", "brand"))
        self._row.addWidget(self.transport)
        self._row.addWidget(self.status, 1)
        self._row.addWidget(self.theme_button)

    def show_theme(self, theme: Theme, choice: ThemeChoice) -> None:
        """Other colours or another scale, and the choice that they come from."""
        for part in (self.transport, self.status):
            part.set_theme(theme)
        self._row.setSpacing(round(theme.px(12)))
        side = round(theme.px(16))
        self.theme_button.setIconSize(QSize(side, side))
        self.theme_button.setIcon(icon(choice, theme.ink))
        self.theme_button.setToolTip(f"theme: {choice}")
        self.theme_button.setAccessibleDescription(f"theme: {choice}")
