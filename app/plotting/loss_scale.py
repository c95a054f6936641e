"""The axes of the loss plot: linear with a logarithmic strip on top, logarithmic, and steps."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ticks = list[tuple[float, str]]

LARGEST = 1e6
"""A larger loss has diverged and is drawn here: beyond, one value would flatten all others."""
STRIP = 1 / 6
"""The part of the height that the logarithmic strip takes."""
FLOOR = 1e-17
"""Where a difference of exactly 0 is drawn: a logarithmic axis has no 0."""


@dataclass(frozen=True, slots=True)
class LossScale:
    """Heights from 0 to 1: linear up to `top`, logarithmic from there to `ceiling`, where there is one."""

    top: float
    ceiling: float | None

    @classmethod
    def of(cls, first: float, peak: float | None) -> LossScale:
        """The scale for a run that began at the loss `first` and whose largest loss was `peak`."""
        top = min(max(1.15 * first, 1e-6), LARGEST / 10)
        if peak is None or peak <= top:
            return cls(top, None)
        # some room above the peak, and at least half a decade of strip
        ceiling = 10.0 ** math.ceil(math.log10(max(1.3 * min(peak, LARGEST), 3 * top)))
        return cls(top, min(ceiling, LARGEST))

    @property
    def linear_part(self) -> float:
        """The height of `top`."""
        return 1.0 if self.ceiling is None else 1 - STRIP

    def heights(self, values: Floats) -> Floats:
        """Heights of `values`, kept between 0 and 1; NaN stays NaN."""
        linear = np.minimum(values, self.top) * (self.linear_part / self.top)
        if self.ceiling is not None:
            over = np.clip(values, self.top, self.ceiling)
            linear = linear + np.log(over / self.top) * (STRIP / math.log(self.ceiling / self.top))
        return np.maximum(linear, 0.0)

    def height(self, value: float) -> float:
        """The height of one value."""
        return float(self.heights(np.array([value]))[0])

    def value(self, height: float) -> float:
        """The value that is drawn at `height`."""
        if self.ceiling is None or height <= self.linear_part:
            return height / self.linear_part * self.top
        return self.top * float((self.ceiling / self.top) ** ((height - self.linear_part) / STRIP))

    def linear_ticks(self, count: int) -> Ticks:
        """About `count` round values in the linear part, 0 among them."""
        return round_ticks(self.top, count)

    def strip_ticks(self) -> Ticks:
        """The powers of ten in the strip, the largest first."""
        if self.ceiling is None:
            return []
        highest, lowest = round(math.log10(self.ceiling)), math.floor(math.log10(self.top)) + 1
        return [(10.0**power, _power(power)) for power in range(highest, lowest - 1, -1)]


@dataclass(frozen=True, slots=True)
class DifferenceScale:
    """Heights from 0 to 1, logarithmic from FLOOR to `upper`."""

    upper: float

    @classmethod
    def of(cls, largest: float | None) -> DifferenceScale:
        """The scale for differences up to `largest`: at least up to 10, so that it seldom moves."""
        if largest is None or largest <= 10:
            return cls(10.0)
        return cls(10.0 ** math.ceil(math.log10(min(largest, LARGEST))))

    def heights(self, values: Floats) -> Floats:
        """Heights of `values`; what lies under FLOOR is drawn there, NaN stays NaN."""
        inside = np.clip(values, FLOOR, self.upper)
        return np.log(inside / FLOOR) / math.log(self.upper / FLOOR)

    def height(self, value: float) -> float:
        """The height of one value."""
        return float(self.heights(np.array([value]))[0])

    def ticks(self, count: float) -> Ticks:
        """Up to `count` powers of ten, 1 among them and equally far apart."""
        decades = round(math.log10(self.upper / FLOOR))
        every = next((n for n in (4, 8) if decades / n <= count), 16)
        powers = range(-(16 // every) * every, decades - 16, every)
        return [(10.0**power, _power(power)) for power in powers]


def comfortable_maximum(steps: int) -> int:
    """The last step on the axis: 60, 80, 100, 150, 200, 300, 500, 800, 1000 and so on."""
    if steps <= 60:
        return 60
    decade: int = 10 ** math.floor(math.log10(steps))
    return next(last for m in (10, 15, 20, 30, 50, 80, 100) if (last := m * decade // 10) >= steps)


def step_ticks(last: int, count: int) -> Ticks:
    """Step 1 and about `count` round steps up to `last`."""
    rounds = [(value, f"{round(value):,}".replace(",", "\u2009")) for value, _ in round_ticks(last, count, 1)]
    return [(1.0, "1"), *(tick for tick in rounds if tick[0] > 1)]


def round_ticks(last: float, count: int, smallest: float = 0.0) -> Ticks:
    """Round values from 0 to `last`, at most about `count` intervals."""
    rough = max(last / max(1, count), smallest)
    decade = 10.0 ** math.floor(math.log10(rough))
    step = next(m * decade for m in (1, 2, 5, 10) if m * decade >= rough * 0.999)
    return [(k * step, f"{k * step:.6g}") for k in range(math.floor(last / step * 1.000001) + 1)]


def _power(power: int) -> str:
    if -3 < power < 4:
        return f"{10.0**power:g}"
    return f"1e{power}".replace("-", "−")
