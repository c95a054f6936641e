"""What is read from `.grad` on a seen step: shares, single weights, products, the comparison with R."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from gradviz.blocks import in_blocks
from gradviz.comparison import NO_GRADIENT, Comparison, compare, long_norm
from gradviz.layers import Layer, LayerComparison, LayerMeter, trainable

COORDINATES = 256
COORDINATE_FLOOR = 1e-3
"""Entries of R smaller than this part of the largest are not shown singly: they are mostly rounding."""
KEPT_PIECES = 64
KEPT_NUMBERS = 2**24
"""Pieces are kept for their products with each other; beyond so many, or so many numbers, not."""
WATCHED_NUMBERS = 2**17
"""So many numbers of the watched layer are told."""
ROUNDING_AT_MOST = 1e-3
"""An error above this part of Σ‖w_k g_k‖ cannot be rounding, in any precision."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One micro-batch's share, the sum of shares up to it (both None without R), and values of `.grad`."""

    share: float | None
    total: float | None
    values: np.ndarray


class Room:
    """Memory for copies of `.grad`, kept from one window to the next: new pages cost more than copying."""

    def __init__(self) -> None:
        self._room = torch.empty(0)

    def rows(self, count: int, like: Tensor, length: int) -> Tensor:
        """So many rows, shape (count, length), on the device and in the precision of `like`."""
        room = self._room
        if room.numel() < count * length or room.dtype != like.dtype or room.device != like.device:
            self._room = like.new_empty(count * length)
        return self._room[: count * length].view(count, length)


class Probe:
    """Holds R for one window and measures each piece against it.

    `read` only copies `.grad`, on the device and in its precision; what is made of it is computed when it is
    asked for, in float64 on the CPU, part by part: copies of whole gradients cost more than all the rest.
    """

    def __init__(
        self,
        reference: list[Tensor],
        model: nn.Module,
        layers: Sequence[Layer],
        pieces: int,
        precision: str,
        room: Room,
    ) -> None:
        self.reference = flatten(reference)
        self._layers, self._meter = layers, LayerMeter(layers, self.reference)
        self.norm = long_norm(self.reference)
        self.coordinates = _choose(self.reference)
        self._precision = precision
        self._parameters = trainable(model)
        self._like, self._room = reference[0], room
        self.restart(pieces, None)

    @property
    def reference_values(self) -> np.ndarray:
        """R at the chosen coordinates, read-only."""
        return _read_only(self.reference[self.coordinates].astype(np.float64))

    @property
    def layer_norms(self) -> np.ndarray:
        """‖R_l‖ of each layer, read-only."""
        return self._meter.norms

    @property
    def watched_reference(self) -> np.ndarray | None:
        """R in the watched layer, read-only."""
        return None if self._watched is None else _read_only(self.reference[self._watched].astype(np.float64))

    @property
    def known(self) -> bool:
        """Whether there is a gradient to compare with."""
        return math.isfinite(self.norm) and self.norm >= NO_GRADIENT

    def restart(self, pieces: int, watched: int | None) -> None:
        """The window begins anew, in so many pieces; `watched` is a layer, or None."""
        self.watched = watched if watched is not None and watched < len(self._layers) else None
        self._watched = None if self.watched is None else _part_of(self._layers[self.watched])
        self.keeps = pieces <= KEPT_PIECES and pieces * len(self.reference) <= KEPT_NUMBERS
        # before the first piece there is nothing; of pieces that are not kept, the last and the one before
        count = pieces + 1 if self.keeps else 2
        self._copies = self._room.rows(count, self._like, len(self.reference))
        self._copies[0] = 0
        # where numpy can read what torch copies, it does
        shared = _shared(self._copies)
        rows = self._copies if shared else torch.zeros(self._copies.shape, dtype=_numpys(self._copies))
        self._rows = rows.numpy()
        self._count = 0
        self._lengths = 0.0
        self._gram = np.zeros((pieces, pieces)) if self.keeps else None
        self._measured: list[Piece] = []

    def read(self) -> None:
        """Copy `.grad` after a backward. Pieces that are not kept must be measured before the next one."""
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in self._parameters]
        row = self._copies[(self._count + 1) % len(self._copies)]
        torch.cat([gradient.reshape(-1) for gradient in gradients], out=row)
        self._count += 1

    def measure(self) -> list[Piece]:
        """All pieces that were read, measured."""
        first, last = len(self._measured), self._count
        if first == last:
            return self._measured
        if not _shared(self._copies):
            for index in range(first, last):
                self._row(index)[:] = _native(self._copies[(index + 1) % len(self._copies)])
        shares, gram = self._products(first, last)
        if self._gram is None:
            self._lengths += float(np.sqrt(np.trace(gram)))
        else:
            self._gram[first:last, :last], self._gram[:last, first:last] = gram, gram.T
        total = self._measured[-1].total if first else 0.0
        for index, share in zip(range(first, last), shares, strict=True):
            known = float(share) if self.known and np.isfinite(share) else None
            total = None if known is None or total is None else total + known
            value = _read_only(self._row(index)[self.coordinates].astype(np.float64))
            self._measured.append(Piece(known, total, value))
        return self._measured

    def _row(self, index: int) -> np.ndarray:
        """What `.grad` held after piece `index`, shape (parameters,). Only the last two may be there."""
        row: np.ndarray = self._rows[(index + 1) % len(self._rows)]
        return row

    def _products(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Shares of the pieces from `first` on, and their products with those before `last`, if kept."""
        # of two rows, the one before comes first
        rows = self._rows[: last + 1] if self.keeps else self._rows[:: -1 if first % 2 else 1]
        count = last - first
        shares, gram = np.zeros(count), np.zeros((count, len(rows) - 1))
        with np.errstate(all="ignore"):
            for sums, direction in in_blocks(rows, self.reference):
                pieces = sums[1:] - sums[:-1]
                direction /= self.norm
                shares += pieces[-count:] @ direction
                gram += pieces[-count:] @ pieces.T
            return shares / self.norm, gram

    def compare(self) -> Comparison:
        """A, the sum of all pieces, against R."""
        shares = [piece.share for piece in self.measure() if piece.share is not None]
        return compare(
            self._row(self._count - 1), self.reference, shares if self.known else None, self._precision
        )

    def layers_of(self, index: int) -> LayerComparison:
        """`.grad` after piece `index`, from 0, by layer. Only the newest is there if pieces are not kept."""
        return self._meter.compare(self._row(index))

    def watched_values(self, index: int) -> np.ndarray | None:
        """`.grad` in the watched layer after piece `index`, from 0; as in `layers_of`."""
        if self._watched is None:
            return None
        return _read_only(self._row(index)[self._watched].astype(np.float64))

    def layers(self) -> LayerComparison:
        """A by layer."""
        return self.layers_of(self._count - 1)

    def products(self) -> np.ndarray | None:
        """Inner products of the pieces so far in units of ‖R‖², shape (k, k); None where not kept."""
        if self._gram is None or not self.known:
            return None
        count = len(self.measure())
        return _read_only(self._gram[:count, :count] / self.norm / self.norm)

    def combined_norm(self, factors: np.ndarray) -> float | None:
        """‖Σ f_k w_k g_k‖/‖R‖ for factors f, shape (pieces,), or None where the pieces are not kept."""
        return None if self._gram is None else math.sqrt(max(0.0, factors @ self._gram @ factors)) / self.norm

    def may_be_rounding(self, error: float) -> bool:
        """Whether rounding could explain ‖A−R‖ = `error`: it is proportional to Σ‖w_k g_k‖."""
        lengths = self._lengths if self._gram is None else float(np.sqrt(np.diag(self._gram)).sum())
        return error <= ROUNDING_AT_MOST * lengths


def flatten(gradients: list[Tensor]) -> np.ndarray:
    """One vector of all gradients, in the order of the parameters; a copy, on the CPU."""
    return _native(torch.cat([gradient.detach().reshape(-1) for gradient in gradients]))


def _native(tensor: Tensor) -> np.ndarray:
    """The numbers in a precision that numpy has and that holds them all."""
    # first to the CPU: some devices cannot convert
    array: np.ndarray = tensor.cpu().to(_numpys(tensor)).numpy()
    return array


def _shared(tensor: Tensor) -> bool:
    """Whether numpy can look at the tensor's own memory."""
    return tensor.device.type == "cpu" and tensor.dtype == _numpys(tensor)


def _numpys(tensor: Tensor) -> torch.dtype:
    """The tensor's precision, or the least that numpy has instead."""
    return torch.float32 if tensor.dtype in (torch.bfloat16, torch.float16) else tensor.dtype


def _part_of(layer: Layer) -> slice:
    return slice(layer.start, layer.start + min(layer.size, WATCHED_NUMBERS))


def _choose(reference: np.ndarray) -> np.ndarray:
    """Up to 256 coordinates, evenly spaced among those that are not small: every layer has its part."""
    sizes = np.abs(reference)
    # a gradient of zeros has no large entries
    large = np.flatnonzero((sizes > 0) & (sizes >= COORDINATE_FLOOR * sizes.max(initial=0.0)))
    count = min(COORDINATES, len(large))
    return _read_only(large[np.arange(count) * (len(large) - 1) // max(1, count - 1)])


def _read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array
