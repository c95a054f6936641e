"""Every byte that comes and goes: storages watched by weak references, and the log of their lives."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable

import numpy as np
import torch
from torch import Tensor, UntypedStorage

from gradviz.memory import KINDS, MemorySample

PARAMETERS, GRADIENTS, OPTIMIZER, WINDOW, ACTIVATIONS, OTHER = range(len(KINDS))
MOMENTS = 600
"""A trace has so many rows at most."""


class _Watch(weakref.ref[UntypedStorage]):
    """One storage: its size, and what it turned out to be for. The kind holds for its whole life."""

    __slots__ = ("key", "kind", "size")
    key: int
    kind: int
    size: int


class _Scratch:
    """Stands in the log for memory that no storage of ours holds."""

    kind = OTHER


_SCRATCH = _Scratch()


class Ledger:
    """The storages of one lane on one device. It keeps none of them alive."""

    def __init__(self, device: torch.device, source: str) -> None:
        """`source` is what its samples say they are from."""
        self._device, self._source = device, source
        # a storage has one Python object as long as it lives, so views are told by its id
        self._live: dict[int, _Watch] = {}
        self._log: list[tuple[_Watch | _Scratch, int]] = []
        self._on_death = _burial(self._live, self._log)
        self._ticks: list[int] = []
        self._standing = 0

    def begin(self) -> None:
        """Empty the log. What still lives is there from the start, for a purpose that must be said anew."""
        watches = list(self._live.values())
        for watch in watches:
            watch.kind = watch.kind if watch.kind in (WINDOW, ACTIVATIONS) else OTHER
        self._log[:] = [(watch, watch.size) for watch in watches]
        self._ticks.clear()

    def stand(self) -> None:
        """All that has been logged until now was there before the window."""
        self._standing = len(self._log)

    def tick(self) -> None:
        """A micro-batch begins here."""
        self._ticks.append(len(self._log))

    def see(self, tensor: Tensor, kind: int) -> None:
        """Count the storage of `tensor` from now on, as `kind`, unless it is counted already."""
        storage = tensor.untyped_storage()
        key = id(storage)
        if key in self._live or storage.device != self._device:
            return
        watch = _Watch(storage, self._on_death)
        watch.key, watch.kind, watch.size = key, kind, storage.nbytes()
        self._live[key] = watch
        self._log.append((watch, watch.size))

    def mark(self, tensors: Iterable[Tensor], kind: int) -> None:
        """Say what these storages are for, back to when each was made; count those not yet counted."""
        for tensor in tensors:
            watch = self._live.get(id(tensor.untyped_storage()))
            if watch is not None:
                watch.kind = kind
            else:
                self.see(tensor, kind)

    def measure_again(self, tensor: Tensor) -> None:
        """Take the storage's present size, if it is one that is counted."""
        storage = tensor.untyped_storage()
        watch = self._live.get(id(storage))
        if watch is not None and watch.size != storage.nbytes():
            size = storage.nbytes()
            self._log.append((watch, size - watch.size))
            watch.size = size

    def pass_through(self, size: int) -> None:
        """So many bytes were held for a moment, and are held no more."""
        if size > 0:
            self._log += [(_SCRATCH, size), (_SCRATCH, -size)]

    def sample(self, *, complete: bool) -> MemorySample:
        """The window up to now."""
        live = self._bytes_by_kind()
        total = live.sum(axis=1)
        peak = int(total.argmax())
        at_peak = [int(count) for count in live[peak]]
        rows, tick_rows = _thinned(total, np.asarray(self._ticks, np.int64) - self._standing)
        trace = live[rows]
        trace.flags.writeable = False
        return MemorySample(
            source=self._source,
            complete=complete,
            peak_bytes=int(total[peak]),
            parameters_bytes=at_peak[PARAMETERS],
            gradients_bytes=at_peak[GRADIENTS],
            optimizer_bytes=at_peak[OPTIMIZER],
            window_bytes=at_peak[WINDOW],
            activations_bytes=at_peak[ACTIVATIONS],
            other_bytes=at_peak[OTHER],
            trace=trace,
            ticks=tick_rows,
        )

    def _bytes_by_kind(self) -> np.ndarray:
        """Live bytes, a row for the start and one for each entry since, a column for each kind."""
        log = list(self._log)
        changes = np.zeros((len(log) + 1, len(KINDS)), np.int64)
        kinds = np.fromiter((watch.kind for watch, _ in log), np.int64, len(log))
        changes[np.arange(1, len(log) + 1), kinds] = np.fromiter(
            (size for _, size in log), np.int64, len(log)
        )
        live: np.ndarray = changes.cumsum(axis=0)[self._standing :]
        return live


def _burial(live: dict[int, _Watch], log: list[tuple[_Watch | _Scratch, int]]) -> Callable[[_Watch], None]:
    """What is done when a storage dies, in whichever thread that happens; it does not hold the ledger."""

    def on_death(watch: _Watch) -> None:
        del live[watch.key]
        log.append((watch, -watch.size))

    return on_death


def _thinned(total: np.ndarray, ticks: np.ndarray) -> tuple[np.ndarray, tuple[int, ...]]:
    """Rows to keep (first, last and the highest of each stretch between), and where the ticks are then."""
    count = len(total)
    if count <= MOMENTS:
        return np.arange(count), tuple(int(tick) for tick in ticks)
    starts = np.concatenate([[0], np.linspace(1, count - 1, MOMENTS - 1).astype(np.int64)])
    stretches = zip(starts, [*starts[1:], count], strict=True)
    rows = np.array([start + int(total[start:end].argmax()) for start, end in stretches])
    return rows, tuple(int(row) for row in np.searchsorted(starts, ticks, side="right") - 1)
