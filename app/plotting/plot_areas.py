"""Where the parts of the loss plot lie, in pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from ..theme import Theme

Floats = NDArray[np.float64]

SPARE = 6.0
"""Pixels around a plot in which its lines may still be drawn: half a line's width and a dot."""

_WIDE, _HIGH = 428.0, 122.0
"""Sizes at scale 1 from which on nothing is left out."""
_NAMES, _SHORT_NAMES = 164.0, 102.0
"""Room for names at the right, at scale 1."""
_GAP = 27.0
"""Between the two plots at scale 1: their axes must not be read as one."""


@dataclass(frozen=True, slots=True)
class PlotAreas:
    """The plot of the losses, the one of their difference, and how steps and heights lie in them."""

    whole: QRectF
    upper: QRectF
    lower: QRectF
    last_step: int

    @classmethod
    def of(
        cls, width: float, height: float, last_step: int, theme: Theme, compared: bool = True
    ) -> PlotAreas:
        """Divide `width` × `height` pixels: numbers at the left, names at the right, steps at the bottom.

        Where no lanes are `compared`, or there is no room for it, the plot of their difference has no height.
        """
        names = _NAMES if is_wide(width, theme) else _SHORT_NAMES
        numbers = theme.px(44 if is_wide(width, theme) else 38)
        left, right, top = numbers, width - theme.px(names), theme.px(7)
        bottom = height - theme.px(19)
        lower = max(theme.px(36), 0.21 * height)
        split = bottom - lower
        upper = split - theme.px(_GAP) - top
        if not compared or not has_room_for_both(width, height, theme):
            lower, split, upper = 1.0, bottom - 1.0, bottom - top
        return cls(
            QRectF(0, 0, width, height),
            QRectF(left, top, max(1.0, right - left), max(1.0, upper)),
            QRectF(left, split, max(1.0, right - left), lower),
            last_step,
        )

    def x(self, step: float) -> float:
        """Pixels from the left to `step`."""
        return self.upper.left() + (step - 1) / (self.last_step - 1) * self.upper.width()

    def xs(self, steps: Floats) -> Floats:
        """Pixels from the left to each of `steps`."""
        return self.upper.left() + (steps - 1) * (self.upper.width() / (self.last_step - 1))

    def step(self, x: float) -> float:
        """The step, not rounded, that lies `x` pixels from the left."""
        return 1 + (x - self.upper.left()) / self.upper.width() * (self.last_step - 1)

    def steps_shown(self) -> tuple[float, float]:
        """First and last step of a plot with SPARE pixels around it."""
        spare = SPARE / self.upper.width() * (self.last_step - 1)
        return 1 - spare, self.last_step + spare


def is_wide(width: float, theme: Theme) -> bool:
    """Whether whole names have room beside the curves."""
    return width >= theme.px(_WIDE)


def has_room_for_both(width: float, height: float, theme: Theme) -> bool:
    """Whether the plot of the difference has room: it goes before type gets smaller."""
    return is_wide(width, theme) and height >= theme.px(_HIGH)


def y(area: QRectF, height: float) -> float:
    """Pixels from the top to a height from 0 to 1 in `area`."""
    return area.bottom() - height * area.height()


def with_spare(area: QRectF) -> QRectF:
    """The area and SPARE pixels around it."""
    return area.adjusted(-SPARE, -SPARE, SPARE, SPARE)


def heights_shown(area: QRectF) -> tuple[float, float]:
    """Lowest and highest height of a plot with SPARE pixels around it."""
    return -SPARE / area.height(), 1 + SPARE / area.height()
