"""A column of numbers as a polyline with about two points a pixel."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gradviz.columns import Column

Floats = NDArray[np.float64]


def thinned(column: Column, steps: int, width: int) -> tuple[Floats, Floats]:
    """Steps and values of a polyline through the first `steps` values of a column.

    One point a step if `width` is 1 and so much is known, otherwise least and largest of each `width` steps,
    or more, at their middle.
    """
    ends, width = column.extremes(steps, width), column.width(width)
    if width == 1:
        return np.arange(1.0, len(ends) + 1.0), ends[:, 0]
    middles = np.arange(len(ends)) * float(width) + (width + 1) / 2
    return np.repeat(middles, 2), ends.reshape(-1)


def bucket_width(steps: int, pixels: int) -> int:
    """Steps of a bucket for about one bucket a pixel; a power of two, as the columns have them."""
    return int(2 ** max(0, round(math.log2(max(1.0, steps / max(1, pixels))))))
