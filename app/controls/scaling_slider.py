"""What each micro-batch's loss is multiplied by: the switch that the whole program is about."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gradviz.config import RunConfig
from gradviz.scaling import even_sizes, is_forgotten

from ..theme import Theme
from ..words import NO_PIECES, SCALINGS
from .parts import Change, label
from .stop_slider import StopSlider

_EVEN = ("right", "forgot it", "uneven too")
_UNEVEN = ("even only", "forgot it", "right")
_ONE = ("the same", "the same", "the same")
"""What the stops are good for, by what the pieces are."""


class ScalingSlider(QWidget):
    """÷ N, × 1 or by samples. At × 1 of several pieces, and only there, it takes the fault's colour."""

    def __init__(self, theme: Theme, change: Change) -> None:
        super().__init__()
        self.slider = StopSlider("Scaling", theme, list(SCALINGS.values()), _EVEN, large=True)
        self._change = change
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(label("Each micro-batch's loss is", "muted"))
        layout.addWidget(self.slider)
        self.slider.chosen.connect(self._on_chosen)

    def show_config(self, config: RunConfig) -> None:
        """Show the scaling that holds."""
        self.setEnabled(config.lanes != "full")
        self.setToolTip("" if self.isEnabled() else NO_PIECES)
        sizes = config.sizes or even_sizes(config.batch, config.micro_batches)
        words = _ONE if len(sizes) == 1 else _EVEN if len(set(sizes)) == 1 else _UNEVEN
        self.slider.set_stops(list(SCALINGS.values()), words)
        self.slider.fault = is_forgotten(config.scaling, len(sizes))
        self.slider.show_place(list(SCALINGS).index(config.scaling))

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self.slider.set_theme(theme)

    def _on_chosen(self, stop: int) -> None:
        self._change(scaling=list(SCALINGS)[stop])
