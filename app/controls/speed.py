"""How fast the run plays."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ..pace import FLAT_OUT, SPEEDS
from ..theme import Theme
from ..words import speed_in_words
from .parts import label
from .stop_slider import StopSlider


class Speed(QWidget):
    """From a micro-batch every two seconds to as fast as it goes."""

    chosen = Signal(float)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.slider = StopSlider("Speed in micro-batches a second", theme)
        self.slider.set_count(len(SPEEDS))
        self.unit = label("", "note")
        self.value = label("", "value")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.unit)
        layout.addWidget(self.slider, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.value)
        self.show_unit("micro-batches")
        self.set_theme(theme)
        self.slider.chosen.connect(self._on_chosen)

    def show_speed(self, speed: float) -> None:
        """Show the speed that holds."""
        self.slider.show_place(SPEEDS.index(speed))
        self.value.setText("flat out" if speed == FLAT_OUT else f"{speed:g}")
        self.slider.say(speed_in_words(speed))

    def show_unit(self, unit: str) -> None:
        """Say what the speed counts: micro-batches or steps."""
        # in two lines it has room at every width
        self.unit.setText(f"{unit}\na second")
        self.slider.setToolTip(f"speed in {unit} a second")
        self.slider.setAccessibleName(f"Speed in {unit} a second")

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self.slider.set_theme(theme)
        self.slider.setFixedWidth(round(theme.px(104)))
        self.value.setFixedWidth(round(theme.px(52)))

    def _on_chosen(self, stop: int) -> None:
        self.chosen.emit(SPEEDS[stop])
