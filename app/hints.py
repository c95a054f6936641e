"""Which of the first bubbles are still there, and when each has been understood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, QTimer

from .theme import Theme
from .views.hint import Bubble

if TYPE_CHECKING:
    from .main_window import MainWindow


LONGEST_MS = 25_000
"""Who has not done it by then does not want to."""


class Hints(QObject):
    """The three bubbles of the first start, at the bottom of the panel, where nothing else is."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._before = window.session.config
        self._begun = False
        self.bubbles: list[Bubble] = []
        self._theme: Theme
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self.dismiss)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._place)

    def show(self, theme: Theme) -> None:
        """Put the bubbles up."""
        window = self._window
        self._before = window.session.config
        self._begun = window.session.history.run is not None
        whole = self._before.lanes == "full"
        self._step = Bubble(window, f"press → for one {'step' if whole else 'micro-batch'}", theme)
        self._unscale = Bubble(window, "press U to forget the 1/N", theme)
        self._n = Bubble(window, "drag N", theme)
        self.bubbles = [self._n, self._unscale, self._step]
        if whole:
            # there are no micro-batches to count or to scale
            self._n.is_done = self._unscale.is_done = True
        window.playback.forwarded.connect(self._step.dismiss)
        window.session.changed.connect(self._on_session_changed)
        window.session.run_started.connect(self._on_run_started)
        window.panel.experiment.fold_toggled.connect(self.dismiss)
        window.stage.workspace.changed.connect(self._on_workspace_changed)
        for bubble in self.bubbles:
            bubble.dismissed.connect(self._place)
        self._theme = theme
        self._place()
        self._patience.start(LONGEST_MS)

    def dismiss(self) -> None:
        """Take all of them away."""
        self._patience.stop()
        for bubble in self.bubbles:
            bubble.dismiss()

    def place_soon(self, theme: Theme) -> None:
        """The window has another size or theme, and is about to be laid out."""
        self._theme = theme
        if self.bubbles:
            self._soon.start()

    def _place(self) -> None:
        """Put as many as have room under everything that can be read in the panel, the first ones first."""
        theme, window, panel = self._theme, self._window, self._window.panel
        if not self._has_place():
            # there is no place for them where the controls are
            self.dismiss()
            return
        gap = round(theme.px(8))
        area = QRect(panel.mapTo(window, QPoint(0, 0)), panel.size()).adjusted(gap, gap, -gap, -gap)
        experiment = panel.experiment
        area.setTop(experiment.mapTo(window, QPoint(0, experiment.end)).y() + gap)
        for bubble in reversed(self.bubbles):
            if not bubble.is_done:
                bubble.place(theme, area)
                area.setBottom(bubble.geometry().top() - gap)

    def _has_place(self) -> bool:
        panel = self._window.panel
        beside = panel.window() is self._window and panel.isVisibleTo(self._window)
        return beside and self._window.stage.workspace.enlarged is None

    def _on_workspace_changed(self) -> None:
        if not self._has_place():
            self.dismiss()
        self.place_soon(self._theme)

    def _on_run_started(self) -> None:
        # the run that the program begins with says nothing about the hints
        if self._begun:
            self.dismiss()
        self._begun = True

    def _on_session_changed(self) -> None:
        config, before = self._window.session.config, self._before
        if config.scaling != before.scaling:
            self._unscale.dismiss()
        if config.micro_batches != before.micro_batches:
            self._n.dismiss()
        self._before = config
        self.place_soon(self._theme)
