"""Colours for signed numbers: zero in the middle, the same strength to both sides."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from ...theme import Theme
from .places import Places

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint32]

_STEPS = 127
_FAINT = 0.6
"""Small values are drawn stronger than in proportion: one piece of eight would be lost beside the sum."""
_GAP, _UNKNOWN = 2 * _STEPS + 1, 2 * _STEPS + 2


def pixels_of(theme: Theme, values: Floats, places: Places, limit: float, grey: bool = False) -> Pixels:
    """Colours of the numbers at their places, as 0xAARRGGBB; −`limit` and `limit` are the strongest.

    What is only rounding is `grey`, so that nobody takes it for a gradient, however much it is magnified.
    """
    with np.errstate(invalid="ignore"):
        steps = np.round(np.clip(values / limit, -1.0, 1.0) * _STEPS) + _STEPS
    steps[~np.isfinite(values)] = _UNKNOWN
    # the last one is where −1 looks
    looked_up = np.append(steps, _GAP).astype(np.int64)
    cells = np.where(places < len(values), places, -1)
    found: Pixels = _table(theme, grey)[looked_up[cells]]
    return found


def ramp(theme: Theme, grey: bool = False) -> Pixels:
    """All colours from the strongest negative to the strongest positive, as one row."""
    return _table(theme, grey)[None, :_GAP]


@lru_cache(maxsize=8)
def _table_of(full: str, accumulated: str, ground: str, ink: str, fault: str, grey: bool) -> Pixels:
    low, zero, high = QColor(accumulated), _mixed(QColor(ground), QColor(ink), 0.07), QColor(full)
    if grey:
        low, zero, high = (_mixed(QColor(ground), QColor(ink), part) for part in (0.0, 0.3, 0.6))
    shades = [
        _mixed(zero, high if step > 0 else low, (abs(step) / _STEPS) ** (1.0 if grey else _FAINT))
        for step in range(-_STEPS, _STEPS + 1)
    ]
    colours = [shade.rgb() | 0xFF000000 for shade in shades]
    return np.array([*colours, 0, QColor(fault).rgb() | 0xFF000000], dtype=np.uint32)


def _table(theme: Theme, grey: bool) -> Pixels:
    return _table_of(theme.full, theme.accumulated, theme.ground, theme.ink, theme.fault, grey)


def _mixed(one: QColor, other: QColor, part: float) -> QColor:
    return QColor.fromRgbF(
        one.redF() + (other.redF() - one.redF()) * part,
        one.greenF() + (other.greenF() - one.greenF()) * part,
        one.blueF() + (other.blueF() - one.blueF()) * part,
    )
