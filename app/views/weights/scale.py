"""The y axis of the single weights: zero in the middle, linear or logarithmic to both sides."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DECADES = 3
"""So many powers of ten below the end of the axis are logarithmic."""
_NICE = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from −`limit` to `limit`; where logarithmic, linear between −`linear` and `linear`."""

    limit: float
    logarithmic: bool

    @property
    def linear(self) -> float:
        """Up to here a logarithmic axis is linear, because it could not reach zero otherwise."""
        return self.limit / 10.0**DECADES

    @overload
    def at(self, value: float) -> float: ...
    @overload
    def at(self, value: Floats) -> Floats: ...
    def at(self, value: float | Floats) -> float | Floats:
        """Where a value is, from −1 at the lower end to 1 at the upper."""
        part = np.asarray(value, dtype=np.float64) / self.limit
        if self.logarithmic:
            size = np.abs(part) * 10**DECADES
            part = np.sign(part) * np.where(size < 1, size, 1 + np.log10(np.maximum(size, 1))) / (1 + DECADES)
        found: Floats = np.clip(part, -1.0, 1.0)
        return float(found) if found.ndim == 0 else found

    def ticks(self) -> list[float]:
        """The values that have a grid line, from low to high."""
        if self.logarithmic:
            top = 10.0 ** math.floor(math.log10(self.limit * 1.0001))
            sizes = [top / 10**power for power in range(DECADES)]
        else:
            step = _tick_step(self.limit)
            sizes = [step * index for index in range(1, math.floor(self.limit / step * 1.0001) + 1)]
        return sorted([-size for size in sizes] + [0.0, *sizes])


def nice(value: float) -> float:
    """The round number at or above `value`, which is positive."""
    power = 10.0 ** math.floor(math.log10(value))
    return next((part * power for part in _NICE if part * power >= value * 0.9999), 10.0 * power)


def held(before: float | None, wanted: float) -> float:
    """The axis' end: `before` as long as `wanted` stays inside and is no small part of it."""
    if wanted <= 0:
        return before or 1.0
    if before is not None and 0.5 * before <= wanted <= before:
        return before
    return nice(wanted * 1.02)


def tick_label(value: float, limit: float) -> str:
    """A value at a grid line; all with one exponent's worth of digits, so that they compare at a glance."""
    if value == 0:
        return "0"
    sign = "−" if value < 0 else ""
    if 1e-3 <= limit < 1e4:
        return f"{sign}{abs(value):.6g}" if abs(value) >= 1e-4 else f"{sign}{_short(abs(value))}"
    return f"{sign}{_short(abs(value))}"


def _short(size: float) -> str:
    digits, _, power = f"{size:.2e}".partition("e")
    return f"{digits.rstrip('0').rstrip('.')}e{int(power)}".replace("e-", "e−")


def _tick_step(limit: float) -> float:
    """At most five steps to each side."""
    rough = limit / 4
    power = 10.0 ** math.floor(math.log10(rough))
    return next(part * power for part in (1.0, 2.0, 2.5, 5.0, 10.0) if part * power >= rough * 0.999)
