"""The buttons at the top: run and pause, one micro-batch, one step, restart, speed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QPushButton, QWidget

from gradviz.config import RunConfig

from ..icons import icon
from ..theme import Theme
from .parts import button
from .speed import Speed

_STEP_TIP = "to the end of the window, before the optimizer steps (Shift+→)"
_RESTYLED = (QEvent.Type.StyleChange, QEvent.Type.FontChange)


class Transport(QWidget):
    """What a player has. It says what was pressed; others know what that means.

    Where room is short the buttons lose their words, but never their icons.
    """

    play_toggled = Signal()
    micro_batch_asked = Signal()
    step_asked = Signal()
    restart_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.play = button("Pause", "primary", "run and pause (Space)")
        self.micro_batch = button("1 micro-batch", "button", "one micro-batch (→)")
        self.step = button("1 step", "button", _STEP_TIP)
        self.restart = button("Restart", "button", "the same run from its first weights (R)")
        self.speed = Speed(theme)
        self._words = {self.micro_batch: "1 micro-batch", self.step: "1 step", self.restart: "Restart"}
        self._theme = theme
        self._playing = False
        self._widths: tuple[int, ...] = ()
        self._layout = QHBoxLayout(self)
        self._build_layout()
        self.play.clicked.connect(self.play_toggled)
        self.micro_batch.clicked.connect(self.micro_batch_asked)
        self.step.clicked.connect(self.step_asked)
        self.restart.clicked.connect(self.restart_asked)
        self.set_theme(theme)

    def show_playing(self, playing: bool) -> None:
        """The button says what it will do."""
        self._playing = playing
        self.play.setAccessibleName("Pause" if playing else "Run")
        self._fit()
        self._set_icons()

    def show_config(self, config: RunConfig) -> None:
        """The full batch alone is taken whole: only steps can be taken, and counted."""
        whole = config.lanes == "full"
        self.micro_batch.setEnabled(not whole)
        self.micro_batch.setToolTip("the full batch has no micro-batches" if whole else "one micro-batch (→)")
        self.step.setToolTip("one step (→)" if whole else _STEP_TIP)
        self.speed.show_unit("steps" if whole else "micro-batches")

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self._theme = theme
        self._layout.setSpacing(round(theme.px(6)))
        self.speed.set_theme(theme)
        self._set_icons()
        self._measure()

    def _build_layout(self) -> None:
        layout = self._layout
        # the least width is that without words, whatever is shown now
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self.play, self.micro_batch, self.step, self.restart, self.speed):
            layout.addWidget(widget)
        layout.insertSpacing(layout.indexOf(self.speed), 6)

    def _measure(self) -> None:
        """Find out how wide each way of showing the buttons is, from the most words to none."""
        widths = []
        for part in self.findChildren(QWidget):
            # what has not been shown yet knows nothing of its style sheet
            part.ensurePolished()
        for level in range(4):
            self._show_level(level)
            # otherwise this layout learns of the new widths with the next event only
            self.speed.adjustSize()
            self.speed.updateGeometry()
            self._layout.invalidate()
            widths.append(self._layout.sizeHint().width())
        self._widths = tuple(widths)
        self._fit()
        self.updateGeometry()

    def _fit(self) -> None:
        fitting = [level for level, width in enumerate(self._widths) if width <= self.width()]
        self._show_level(fitting[0] if fitting else 3)

    def _show_level(self, level: int) -> None:
        """0: all words; 1: none at what steps; 2: none at all; 3: a short slider, too."""
        for target, words in self._words.items():
            target.setText(words if level == 0 else "")
        self.play.setText(self.play.accessibleName() if level < 2 else "")
        self.play.setFixedWidth(round(self._theme.px(78 if level < 2 else 36)))
        self.speed.slider.setMinimumWidth(round(self._theme.px(104 if level < 3 else 60)))
        self.speed.slider.setMaximumWidth(round(self._theme.px(104)))

    def _set_icons(self) -> None:
        self._set_icon(self.play, "pause" if self._playing else "play", self._theme.on_accumulated)
        self._set_icon(self.micro_batch, "micro-batch", self._theme.ink)
        self._set_icon(self.step, "step", self._theme.ink)
        self._set_icon(self.restart, "restart", self._theme.ink)

    def _set_icon(self, target: QPushButton, name: str, colour: str) -> None:
        side = round(self._theme.px(15))
        target.setIcon(icon(name, colour))
        target.setIconSize(QSize(side, side))

    def sizeHint(self) -> QSize:
        return QSize(self._widths[0], self._layout.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._widths[-1], self._layout.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _RESTYLED and self._widths:
            self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
