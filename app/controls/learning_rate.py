"""The learning rate: a logarithmic slider and a typed value."""

from __future__ import annotations

import math
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gradviz.config import ConfigError, RunConfig
from gradviz.units import plain

from ..theme import Theme
from .parts import Change, Entry, Refusal, label
from .stop_slider import StopSlider

_RATES = tuple(float(f"{digit}e{power}") for power in range(-4, 2) for digit in (1, 1.5, 2, 3, 4, 5, 6, 8))[
    :41
]
"""0.0001 to 10; outside of it a rate is typed."""


def place_of(rate: float) -> float:
    """Where a rate stands among the slider's, between two of them if need be."""
    if rate <= _RATES[0]:
        return 0.0
    for index, (low, high) in enumerate(pairwise(_RATES)):
        if rate == high:
            return float(index + 1)
        if rate < high:
            return index + math.log(rate / low) / math.log(high / low)
    return float(len(_RATES) - 1)


class LearningRate(QWidget):
    """Slider and entry of the learning rate."""

    def __init__(self, theme: Theme, change: Change) -> None:
        super().__init__()
        self.slider = StopSlider("Learning rate", theme)
        self.entry = Entry("Learning rate, typed", "value")
        self.refusal = Refusal()
        self._change = change
        self._rate = 0.0
        self.slider.set_count(len(_RATES))
        self.slider.setPageStep(8)
        self.entry.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._build_layout()
        self.slider.chosen.connect(self._on_chosen)
        self.entry.textEdited.connect(self.refusal.withdraw)
        self.entry.editingFinished.connect(self._on_edited)

    def show_config(self, config: RunConfig) -> None:
        """Show the rate that holds."""
        if config.lr != self._rate:
            self.refusal.withdraw()
        self._rate = config.lr
        self.slider.show_place(place_of(config.lr))
        self.entry.show_text(plain(config.lr))

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self.slider.set_theme(theme)
        self.entry.setFixedWidth(round(theme.px(62)))

    def _build_layout(self) -> None:
        top = QHBoxLayout()
        top.addWidget(label("Learning rate", "muted"), 1)
        top.addWidget(self.entry)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(top)
        layout.addWidget(self.slider)
        layout.addWidget(self.refusal)

    def _on_chosen(self, stop: int) -> None:
        self._ask_for(_RATES[stop])

    def _on_edited(self) -> None:
        text = self.entry.text().strip()
        rate = _number(text)
        if rate == self._rate or text == plain(self._rate):
            self.entry.show_text(plain(self._rate))
        else:
            # what is no number is left to the settings to judge
            self._ask_for(text if rate is None else rate)

    def _ask_for(self, rate: float | str) -> None:
        try:
            self._change(lr=rate)
            self.refusal.withdraw()
        except ConfigError as error:
            self.refusal.say(str(error))
            self.entry.show_text(plain(self._rate))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
