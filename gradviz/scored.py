"""A task's score, read from the very outputs that the loss is computed from."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from gradviz.tasks import Problem

_MOST = 2**16
"""Outputs of so many numbers wait at most."""


class Scored:
    """A problem's loss that also adds up its score, sample by sample.

    The score is computed by numpy on the CPU: what torch's allocator holds in the window is the lane's alone.
    """

    def __init__(self, problem: Problem) -> None:
        assert problem.score is not None
        self._loss, self._of = problem.loss, problem.score.of
        self.restart()

    @property
    def mean(self) -> float | None:
        """The mean score of the samples so far."""
        if self._waiting:
            self._add_up()
        return self._sum / self._samples if self._samples else None

    def restart(self) -> None:
        """Forget what was added up."""
        self._sum, self._samples = 0.0, 0
        self._waiting: list[tuple[np.ndarray, np.ndarray]] = []
        self._numbers = 0

    def __call__(self, outputs: Tensor, targets: Tensor) -> Tensor:
        # a call for each of many small pieces would cost more than the rest of what is seen
        self._waiting.append((_array(outputs), _array(targets)))
        self._numbers += outputs.numel()
        if self._numbers > _MOST:
            self._add_up()
        return self._loss(outputs, targets)

    def _add_up(self) -> None:
        outputs, targets = map(np.concatenate, zip(*self._waiting, strict=True))
        self._waiting, self._numbers = [], 0
        scores = self._of(outputs, targets)
        hits = scores.dtype == bool
        self._sum += int(np.count_nonzero(scores)) if hits else float(np.sum(scores, dtype=np.float64))
        self._samples += len(scores)


def _array(tensor: Tensor) -> np.ndarray:
    """A copy of the tensor as a numpy array, without an allocation by torch where it lies on the CPU."""
    values = tensor.detach().cpu()
    if values.dtype != torch.bfloat16:
        return np.array(values.numpy())
    # numpy has no bfloat16: its bits are the upper half of a float32
    halves = values.contiguous().view(torch.int16).numpy().view(np.uint16)
    return (halves.astype(np.uint32) << 16).view(np.float32)
