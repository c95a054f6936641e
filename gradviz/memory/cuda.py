"""Memory on CUDA: the allocator's own peak over each segment, above what the lane held when it began."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType

import numpy as np
import torch
from torch import Tensor, UntypedStorage, nn
from torch.optim import Optimizer

from gradviz.memory import KINDS, MemorySample, standing


@dataclass(frozen=True, slots=True)
class Counters:
    """An allocator's counters of one device: bytes now, most bytes since the reset, and that reset."""

    allocated: Callable[[torch.device], int]
    peak: Callable[[torch.device], int]
    reset_peak: Callable[[torch.device], None]


ALLOCATOR = Counters(
    torch.cuda.memory_allocated, torch.cuda.max_memory_allocated, torch.cuda.reset_peak_memory_stats
)


class CudaMemory:
    """Counts the bytes of one lane while entered; the trace has a row for the start and one for each segment.

    Gradients are those there when a segment begins: what a backward adds to them, the allocator cannot tell
    from activations. It hands out multiples of 512 bytes, so figures may exceed what the tensors need.
    """

    def __init__(
        self, model: nn.Module, optimizer: Optimizer, device: torch.device, counters: Counters = ALLOCATOR
    ) -> None:
        self._model, self._optimizer = model, optimizer
        # "cuda" becomes "cuda:0", as tensors have it
        self._device = torch.empty(0, device=device).device
        self._counters = counters
        self._window: list[weakref.ref[UntypedStorage]] = []
        self._rows: list[tuple[int, ...]] = []
        self._ticks: list[int] = []
        self._at_enter = (0, 0, 0, 0)
        self._allocated_at_enter = self._window_bytes = 0

    def begin(self) -> None:
        """A window begins: take in what stands already, forget what was before."""
        self._rows = [(*self._held(), 0, 0)]
        self._ticks = []

    def tick(self) -> None:
        """A micro-batch begins here; its row is that of the segment that is entered."""
        self._ticks.append(len(self._rows))

    def hold_window(self, *tensors: Tensor) -> None:
        """Say that these are the window's data."""
        self._window = [ref for ref in self._window if ref() is not None]
        self._window += [weakref.ref(tensor.untyped_storage()) for tensor in tensors]
        self._window_bytes = self._window_held()

    def sample(self, *, complete: bool) -> MemorySample:
        """Memory since `begin`."""
        trace = np.array(self._rows, dtype=np.int64).reshape(-1, len(KINDS))
        total = trace.sum(axis=1)
        parameters, gradients, optimizer, window, rest, _ = (int(count) for count in trace[total.argmax()])
        trace.flags.writeable = False
        return MemorySample(
            source="CUDA allocator",
            complete=complete,
            peak_bytes=int(total.max()),
            parameters_bytes=parameters,
            gradients_bytes=gradients,
            optimizer_bytes=optimizer,
            window_bytes=window,
            activations_bytes=rest,
            other_bytes=None,
            trace=trace,
            ticks=tuple(self._ticks),
        )

    def __enter__(self) -> CudaMemory:
        self._at_enter = self._held()
        self._window_bytes = self._at_enter[3]
        self._counters.reset_peak(self._device)
        self._allocated_at_enter = self._counters.allocated(self._device)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        grown = self._counters.peak(self._device) - self._allocated_at_enter
        parameters, gradients, optimizer, _ = self._at_enter
        # the first step makes the optimizer's state, and it stays
        optimizer = max(optimizer, self._bytes(standing.optimizer_state(self._optimizer)))
        known = (parameters, gradients, optimizer, self._window_bytes)
        self._rows.append((*known, sum(self._at_enter) + grown - sum(known), 0))

    def _held(self) -> tuple[int, int, int, int]:
        """Bytes of parameters, gradients, optimizer state and window data now."""
        return (
            self._bytes(standing.weights(self._model)),
            self._bytes(standing.gradients(self._model.parameters())),
            self._bytes(standing.optimizer_state(self._optimizer)),
            self._window_held(),
        )

    def _window_held(self) -> int:
        return self._size(storage for ref in self._window if (storage := ref()) is not None)

    def _bytes(self, tensors: Iterable[Tensor]) -> int:
        return self._size(tensor.untyped_storage() for tensor in tensors)

    def _size(self, storages: Iterable[UntypedStorage]) -> int:
        """Their bytes on this device, each storage once, however many views it has."""
        sizes = {id(storage): storage.nbytes() for storage in storages if storage.device == self._device}
        return sum(sizes.values())
