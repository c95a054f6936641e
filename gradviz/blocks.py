"""Flat gradients in float64, block by block: copies of whole ones would cost more than what is computed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

BLOCK = 2**15
"""So many numbers at once, so that they stay in the processor's cache."""


def in_blocks(*arrays: np.ndarray) -> Iterator[list[np.ndarray]]:
    """The same block of each array, one after the other, as copies in float64.

    The arrays have shape (…, n), the blocks (…, up to BLOCK). What is written into a block is lost with the
    next one.
    """
    count = arrays[0].shape[-1]
    copies = [np.empty((*array.shape[:-1], min(count, BLOCK))) for array in arrays]
    for start in range(0, count, BLOCK):
        stop = min(count, start + BLOCK)
        block = [copy[..., : stop - start] for copy in copies]
        for own, array in zip(block, arrays, strict=True):
            own[...] = array[..., start:stop]
        yield block
