"""Which of the first bubbles are still there, and when each has been understood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from .theme import Theme
from .views.hint import Bubble

if TYPE_CHECKING:
    from .main_window import MainWindow


class Hints(QObject):
    """The three bubbles of the first start."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._before = window.session.config
        self.bubbles: list[Bubble] = []
        self._theme: Theme

    def show(self, theme: Theme) -> None:
        """Put the bubbles up."""
        window = self._window
        self._before = window.session.config
        self._step = Bubble(window, window.transport.micro_batch, "press → for one micro-batch", theme)
        self._unscale = Bubble(window, window.panel.scaling.slider, "press U to forget the 1/N", theme)
        self._n = Bubble(window, window.panel.n.slider, "drag N", theme)
        self.bubbles = [self._step, self._unscale, self._n]
        window.playback.forwarded.connect(self._step.dismiss)
        window.session.changed.connect(self._on_session_changed)
        for bubble in self.bubbles:
            bubble.show()
        self._theme = theme
        self._place()

    def place_soon(self, theme: Theme) -> None:
        """The window has another size or theme, and is about to be laid out."""
        self._theme = theme
        if self.bubbles:
            QTimer.singleShot(0, self, self._place)

    def _place(self) -> None:
        theme = self._theme
        for bubble in self.bubbles:
            bubble.place(theme)

    def _on_session_changed(self) -> None:
        config, before = self._window.session.config, self._before
        if config.scaling != before.scaling:
            self._unscale.dismiss()
        if config.micro_batches != before.micro_batches:
            self._n.dismiss()
        self._before = config
