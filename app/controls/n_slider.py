"""N: into how many micro-batches a batch is cut."""

from __future__ import annotations

import math

from gradviz.config import ConfigError, RunConfig, shown

from ..theme import Theme
from ..words import NO_PIECES
from .parts import Change
from .stop_slider import StopSlider
from .typed_slider import TypedSlider


def stops_for(batch: int) -> list[int]:
    """1, 2, 4 … and the batch itself."""
    powers = [2**power for power in range(batch.bit_length())]
    return powers if powers[-1] == batch else [*powers, batch]


def place_of(n: int, stops: list[int]) -> float:
    """Where N stands among the stops, on a logarithmic scale between two of them."""
    above = next(index for index, stop in enumerate(stops) if stop >= n)
    if stops[above] == n:
        return float(above)
    low, high = stops[above - 1], stops[above]
    return above - 1 + math.log(n / low) / math.log(high / low)


class NSlider(TypedSlider):
    """Powers of two by slider, any value by typing."""

    def __init__(self, theme: Theme, change: Change) -> None:
        slider = StopSlider("Micro-batches N", theme, ["1"], large=True)
        super().__init__("Micro-batches  N", "Number of micro-batches N", slider, change)
        self._stops = [1]
        self._n = 1

    def show_config(self, config: RunConfig) -> None:
        """Show N and the stops that go with the batch."""
        stops = stops_for(config.batch)
        if (config.micro_batches, stops) != (self._n, self._stops):
            self.refusal.withdraw()
        self._n, self._stops = config.micro_batches, stops
        self.setEnabled(config.lanes != "full")
        self.setToolTip("" if self.isEnabled() else NO_PIECES)
        self.slider.set_stops([str(stop) for stop in self._stops])
        self.slider.show_place(place_of(self._n, self._stops))
        self.slider.say(str(self._n))
        self.entry.show_text(str(self._n))

    def _on_chosen(self, stop: int) -> None:
        self._ask_for(self._stops[stop])

    def _on_edited(self) -> None:
        text = self.entry.text().strip()
        n: int | str = int(text) if text.isdecimal() and len(text) < 40 else text
        if n == self._n:
            self.entry.show_text(str(n))
        else:
            self._ask_for(n)

    def _ask_for(self, n: int | str) -> None:
        try:
            self._change(micro_batches=n)
            self.refusal.withdraw()
        except ConfigError:
            batch = self._stops[-1]
            self.refusal.say(f"N is {shown(n)}; it must be a whole number from 1 to {batch}, the batch")
            self.entry.show_text(str(self._n))
