"""The order of the samples: an endless row of shuffled epochs, cut into windows."""

from __future__ import annotations

import torch
from torch import Tensor


class SampleOrder:
    """Draws from a generator of its own, so that the order depends on the seed alone."""

    def __init__(self, samples: int, seed: int) -> None:
        self._samples = samples
        self._generator = torch.Generator().manual_seed(seed)
        self._rest = torch.empty(0, dtype=torch.int64)

    def next_window(self, batch: int) -> Tensor:
        """The indices of the next `batch` samples, shape (batch,), on the CPU. No sample is ever left out."""
        while len(self._rest) < batch:
            epoch = torch.randperm(self._samples, generator=self._generator)
            self._rest = torch.cat([self._rest, epoch])
        window, self._rest = self._rest[:batch], self._rest[batch:]
        return window
