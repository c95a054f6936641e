"""Which number of a layer stands where in its picture."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

MOST = 131_072
"""So many numbers of a layer are told at most."""

_THIN = 4

Places = NDArray[np.int64]


@lru_cache(maxsize=8)
def places_of(shape: tuple[int, ...], unit: tuple[int, int] | None, gap: int = 1) -> Places:
    """A number's index in the flat layer for each cell, shape (rows, columns); −1 where there is none.

    A matrix stands as it is, outputs downwards and inputs across, or with `unit` (height, width) each row as
    a picture of its own. Kernels stand in the place of their matrix entry or, where there are few inputs, one
    output's after the other's. Anything else is one row. Between pictures or kernels are `gap` cells.
    """
    rest = math.prod(shape[1:])
    if not shape or len(shape) == 1 or rest > MOST:
        return np.arange(min(MOST, math.prod(shape)))[None, :]
    count = min(shape[0], -(-MOST // max(1, rest)))
    places = np.arange(count * rest)
    places[places >= MOST] = -1
    if len(shape) == 2:
        found = places.reshape(count, rest)
        return found if unit is None else _in_a_grid(found.reshape(count, *unit), gap)
    kernel = (math.prod(shape[2:-1]), shape[-1])
    blocks = places.reshape(count, shape[1], *kernel)
    if in_a_row(shape):
        return _in_a_grid(np.stack([_tiled(output[None], gap) for output in blocks]), gap)
    return _tiled(blocks, gap)


def in_a_row(shape: tuple[int, ...]) -> bool:
    """Whether a layer of kernels would be a thin strip, and so is shown one output after the other."""
    return len(shape) > 2 and shape[0] >= _THIN * shape[1]


def _in_a_grid(pictures: Places, gap: int) -> Places:
    """Pictures, shape (count, height, width), side by side in rows, about as many down as across."""
    count, height, width = pictures.shape
    across = math.ceil(math.sqrt(count * height / width))
    spare = -count % across
    filled = np.concatenate([pictures, np.full((spare, height, width), -1)])
    return _tiled(filled.reshape(-1, across, height, width), gap)


def _tiled(blocks: Places, gap: int) -> Places:
    """Blocks, shape (down, across, height, width), as one picture, with `gap` cells between them."""
    down, across, height, width = blocks.shape
    gap = gap if height * width > 1 else 0
    padded = np.pad(blocks, ((0, 0), (0, 0), (0, gap), (0, gap)), constant_values=-1)
    whole = padded.transpose(0, 2, 1, 3).reshape(down * (height + gap), across * (width + gap))
    return whole[: whole.shape[0] - gap, : whole.shape[1] - gap]
