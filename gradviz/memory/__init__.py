"""Memory of one lane, by kind, and the sources that it is read from."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from torch import Tensor

KINDS = ("parameters", "gradients", "optimizer", "window", "activations", "other")
"""What bytes are held for, in the order in which they are stacked."""


@dataclass(frozen=True, slots=True, eq=False)
class MemorySample:
    """Memory of one lane over one window, up to now or whole.

    `peak_bytes` is the largest number of bytes live at one moment, and the bytes of each kind are those at
    that same moment; they add up to it exactly. A kind that a source cannot tell apart is None and its bytes
    stand with `activations_bytes`. `trace` has a row for each change, or the highest of several where
    there are many, and a column for each of KINDS, in bytes, shape (moments, 6). It is None where the source
    gives peaks only. `ticks` are the rows at which the micro-batches begin.
    """

    source: str
    complete: bool
    peak_bytes: int
    parameters_bytes: int
    gradients_bytes: int
    optimizer_bytes: int
    window_bytes: int
    activations_bytes: int
    other_bytes: int | None
    trace: np.ndarray | None
    ticks: tuple[int, ...]


class Meter(Protocol):
    """Measures one lane's memory, a window at a time.

    Entered, in the thread that trains, around each segment of the lane's own work: a micro-batch's gather,
    forward and backward, or the optimizer's step. What is allocated outside is not counted.
    """

    def begin(self) -> None:
        """A window begins: take in what stands already, forget what was before."""

    def tick(self) -> None:
        """A micro-batch begins here, in the segment that is entered."""

    def hold_window(self, *tensors: Tensor) -> None:
        """Say that these are the window's data. They are not kept alive."""

    def sample(self, *, complete: bool) -> MemorySample:
        """Memory since `begin`, outside of any segment."""

    def __enter__(self) -> object: ...

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None: ...
