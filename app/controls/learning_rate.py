"""The learning rate: a logarithmic slider and a typed value."""

from __future__ import annotations

import math
from itertools import pairwise

from gradviz.config import ConfigError, RunConfig
from gradviz.units import plain

from ..theme import Theme
from .parts import Change
from .stop_slider import StopSlider
from .typed_slider import TypedSlider

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


class LearningRate(TypedSlider):
    """Slider and entry of the learning rate."""

    def __init__(self, theme: Theme, change: Change) -> None:
        slider = StopSlider("Learning rate", theme)
        slider.set_count(len(_RATES))
        slider.setPageStep(8)
        super().__init__("Learning rate", "Learning rate, typed", slider, change)
        self._rate = 0.0

    def show_config(self, config: RunConfig) -> None:
        """Show the rate that holds."""
        if config.lr != self._rate:
            self.refusal.withdraw()
        self._rate = config.lr
        self.slider.show_place(place_of(config.lr))
        self.slider.say(plain(config.lr))
        self.entry.show_text(plain(config.lr))

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
