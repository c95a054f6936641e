"""The buttons at the top: run and pause, one micro-batch, one step, restart, speed."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from ..icons import icon
from ..theme import Theme
from .parts import button
from .speed import Speed


class Transport(QWidget):
    """What a player has. It says what was pressed; others know what that means."""

    play_toggled = Signal()
    micro_batch_asked = Signal()
    step_asked = Signal()
    restart_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.play = button("Pause", "primary", "run and pause (Space)")
        self.micro_batch = button("1 micro-batch", "button", "one micro-batch (→)")
        self.step = button(
            "1 step", "button", "to the end of the window, before the optimizer steps (Shift+→)"
        )
        self.restart = button("Restart", "button", "the same run from its first weights (R)")
        self.speed = Speed(theme)
        self._theme = theme
        self._playing = False
        layout = self._layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self.play, self.micro_batch, self.step, self.restart, self.speed):
            layout.addWidget(widget)
        layout.insertSpacing(layout.indexOf(self.speed), 6)
        self.play.clicked.connect(self.play_toggled)
        self.micro_batch.clicked.connect(self.micro_batch_asked)
        self.step.clicked.connect(self.step_asked)
        self.restart.clicked.connect(self.restart_asked)
        self.set_theme(theme)

    def show_playing(self, playing: bool) -> None:
        """The button says what it will do."""
        self._playing = playing
        self.play.setText("Pause" if playing else "Run")
        self.play.setAccessibleName(self.play.text())
        self._set_icons()

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self._theme = theme
        self._layout.setSpacing(round(theme.px(6)))
        self.play.setFixedWidth(round(theme.px(78)))
        self.speed.set_theme(theme)
        self._set_icons()

    def _set_icons(self) -> None:
        on_primary = "#0b1420" if self._theme.name == "dark" else "#ffffff"
        self._set_icon(self.play, "pause" if self._playing else "play", on_primary)
        self._set_icon(self.micro_batch, "micro-batch", self._theme.ink)
        self._set_icon(self.step, "step", self._theme.ink)
        self._set_icon(self.restart, "restart", self._theme.ink)

    def _set_icon(self, target: QPushButton, name: str, colour: str) -> None:
        side = round(self._theme.px(15))
        target.setIcon(icon(name, colour))
        target.setIconSize(QSize(side, side))
