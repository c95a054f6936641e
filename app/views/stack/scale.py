"""The y axis of the stack: where it begins and ends, when it holds still, and what is written beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QRectF

_PERCENT_TOPS = (1.08, 1.25, 1.5, 1.75)


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from `bottom` to `top`, in units of the full-batch gradient."""

    bottom: float
    top: float

    def y(self, value: float, plot: QRectF) -> float:
        """Where `value` is in `plot`."""
        return plot.bottom() - (value - self.bottom) / (self.top - self.bottom) * plot.height()

    def unit(self, plot: QRectF) -> float:
        """Pixels for 100 %."""
        return plot.height() / (self.top - self.bottom)

    @property
    def in_times(self) -> bool:
        """Whether numbers are written as 2 × and not as 200 %."""
        return self.top >= 2.0

    def ticks(self) -> list[float]:
        """The values that have a grid line."""
        step = tick_step(self.top, self.bottom)
        first, last = math.ceil(self.bottom / step - 0.02), math.floor(self.top / step + 0.02)
        return [step * i for i in range(first, last + 1)]


def tick_step(top: float, bottom: float = 0.0) -> float:
    """Distance of the grid lines on an axis that ends at `top`: never more than about ten of them."""
    if top < 2.0:
        return 0.25 if top - bottom < 2.5 else 0.5
    rough = (top - bottom) / 10.0
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= rough * 0.999)
    return max(0.5, step)


def natural(low: float, high: float) -> Axis:
    """The axis for values from `low` (at most 0) to `high` (at least 1), ending on round numbers."""
    top = next((top for top in _PERCENT_TOPS if high <= top), None)
    if top is None:
        step = tick_step(max(2.0, high)) / (5.0 if high > 12.0 else 1.0)
        top = max(2.0, math.ceil(high / step - 0.02) * step)
    # room for a shallow bar and its mark is always there: the picture would jump whenever a piece points back
    if low >= -0.02 * top:
        return Axis(-0.1 * top, top)
    step = 0.1 if top < 2.0 else tick_step(top) / 2
    return Axis(-math.ceil((0.08 * top - low) / step) * step, top)


def held(before: Axis | None, low: float, high: float) -> Axis:
    """`before`, as long as the values stay inside and do not shrink to a small part of it."""
    wanted = natural(low, high)
    if before is None or low < before.bottom - 0.01 * before.top or high > before.top * 1.01:
        return wanted
    small = wanted.top - wanted.bottom < 0.4 * (before.top - before.bottom)
    return wanted if small else before


def between(a: Axis, b: Axis, part: float) -> Axis:
    """The axis on the way from `a` to `b`: it zooms evenly, so the top goes geometrically."""
    if part >= 1.0:
        return b
    return Axis(a.bottom + (b.bottom - a.bottom) * part, a.top * (b.top / a.top) ** part)


def written(value: float, in_times: bool, signed: bool = False) -> str:
    """A share or a total in words: 57 %, −0.4 %, 8.00 ×."""
    size = abs(value)
    sign = "−" if value < 0 else "+" if signed else ""
    if in_times and size < 0.005:
        sign = ""
    if in_times:
        digits = 2 if size < 9.995 else 1 if size < 99.95 else 0
        return f"{sign}{size:.{digits}f}" + ("" if signed else " ×")
    percent = size * 100
    digits = 1 if percent < 0.95 else 0
    return f"{sign}{percent:.{digits}f} %" if percent >= 0.05 else "0 %"


def ratio(value: float) -> str:
    """A size against the full batch: 8.000 ×, 256.0 ×, and 1.00003 × rather than 1.000 ×."""
    digits = 1 if value >= 99.9995 else 3 if abs(value - 1.0) >= 0.0005 else 6
    return f"{value:.{digits}f} ×"


def tick_label(value: float, in_times: bool) -> str:
    """What stands at a grid line."""
    sign = "−" if value < -1e-9 else ""
    if abs(value) < 1e-9:
        return "0"
    return f"{sign}{abs(value):g} ×" if in_times else f"{sign}{abs(value) * 100:.0f} %"
