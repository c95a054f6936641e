"""What is read from `.grad` on a seen step: shares, single weights, products, the comparison with R."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from gradviz.comparison import NO_GRADIENT, Comparison, compare, norm
from gradviz.layers import Layer, LayerComparison, LayerMeter, trainable

COORDINATES = 256
COORDINATE_FLOOR = 1e-3
"""Entries of R smaller than this part of the largest are not shown singly: they are mostly rounding."""
KEPT_PIECES = 64
KEPT_NUMBERS = 2**23
"""Pieces are kept for their products with each other; beyond so many, or so many numbers (64 MiB), not."""
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


class Probe:
    """Holds R for one window and measures each piece against it.

    `read` only copies `.grad`, on the device and in its precision; what is made of it is computed when it is
    asked for, in float64 on the CPU.
    """

    def __init__(
        self, reference: list[Tensor], model: nn.Module, layers: Sequence[Layer], pieces: int, precision: str
    ) -> None:
        self.reference = flatten(reference)
        self._layers, self._meter = layers, LayerMeter(layers, self.reference)
        self.norm = norm(self.reference)
        self.coordinates = _choose(self.reference)
        self._direction = self.reference / self.norm if self.known else self.reference
        self._precision = precision
        self._parameters = trainable(model)
        self._like = reference[0]
        self.restart(pieces, None)

    @property
    def reference_values(self) -> np.ndarray:
        """R at the chosen coordinates, read-only."""
        return _read_only(self.reference[self.coordinates])

    @property
    def layer_norms(self) -> np.ndarray:
        """‖R_l‖ of each layer, read-only."""
        return self._meter.norms

    @property
    def watched_reference(self) -> np.ndarray | None:
        """R in the watched layer, read-only."""
        return None if self._watched is None else _read_only(self.reference[self._watched].copy())

    @property
    def known(self) -> bool:
        """Whether there is a gradient to compare with."""
        return math.isfinite(self.norm) and self.norm >= NO_GRADIENT

    def restart(self, pieces: int, watched: int | None) -> None:
        """The window begins anew, in so many pieces; `watched` is a layer, or None."""
        self.watched = watched if watched is not None and watched < len(self._layers) else None
        self._watched = None if self.watched is None else _part_of(self._layers[self.watched])
        self.keeps = pieces <= KEPT_PIECES and pieces * len(self.reference) <= KEPT_NUMBERS
        self._unread = self._like.new_empty((pieces if self.keeps else 1, len(self.reference)))
        self._count = 0
        self._sum = np.zeros_like(self.reference)
        self._lengths = 0.0
        self._pieces = np.empty((pieces, len(self.reference))) if self.keeps else None
        self._measured: list[Piece] = []

    def read(self) -> None:
        """Copy `.grad` after a backward. Pieces that are not kept must be measured before the next one."""
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in self._parameters]
        row = self._unread[self._count % len(self._unread)]
        torch.cat([gradient.reshape(-1) for gradient in gradients], out=row)
        self._count += 1

    def measure(self) -> list[Piece]:
        """All pieces that were read, measured."""
        first, last = len(self._measured), self._count
        if first == last:
            return self._measured
        unread = self._unread[first:last] if self.keeps else self._unread
        sums = in_float64(unread)
        # what is not kept is written over what is no longer needed
        pieces = self._sum.reshape(1, -1) if self._pieces is None else self._pieces[first:last]
        np.subtract(sums[0], self._sum, out=pieces[0])
        np.subtract(sums[1:], sums[:-1], out=pieces[1:])
        self._sum = sums[-1]
        if self._pieces is None:
            self._lengths += norm(pieces[0])
        values, total = _read_only(sums[:, self.coordinates]), self._measured[-1].total if first else 0.0
        for share, value in zip(self._shares(pieces), values, strict=True):
            total = None if share is None or total is None else total + share
            self._measured.append(Piece(share, total, value))
        return self._measured

    def _row(self, index: int) -> np.ndarray:
        """What `.grad` held after piece `index`; a copy in float64."""
        return in_float64(self._unread[index % len(self._unread)])

    def _shares(self, pieces: np.ndarray) -> list[float | None]:
        if not self.known:
            return [None] * len(pieces)
        with np.errstate(all="ignore"):
            along = pieces @ self._direction / self.norm
        # what is not finite stays so in a product with anything, 0 too
        finite = np.isfinite(along).all()
        return [
            float(share) if finite or np.isfinite(piece).all() else None
            for share, piece in zip(along, pieces, strict=True)
        ]

    def compare(self) -> Comparison:
        """A, the sum of all pieces, against R."""
        shares = [piece.share for piece in self.measure() if piece.share is not None]
        return compare(self._sum, self.reference, shares if self.known else None, self._precision)

    def layers_of(self, index: int) -> LayerComparison:
        """`.grad` after piece `index`, from 0, by layer. Only the newest is there if pieces are not kept."""
        return self._meter.compare(self._row(index))

    def watched_values(self, index: int) -> np.ndarray | None:
        """`.grad` in the watched layer after piece `index`, from 0; as in `layers_of`."""
        if self._watched is None:
            return None
        row = self._unread[index % len(self._unread)]
        return _read_only(in_float64(row[self._watched]))

    def layers(self) -> LayerComparison:
        """A by layer."""
        return self._meter.compare(self._sum)

    def products(self) -> np.ndarray | None:
        """Inner products of the pieces so far in units of ‖R‖², shape (k, k); None where not kept."""
        if self._pieces is None or not self.known:
            return None
        pieces = self._pieces[: len(self.measure())]
        return _read_only(pieces @ pieces.T / self.norm / self.norm)

    def combined_norm(self, factors: np.ndarray) -> float | None:
        """‖Σ f_k w_k g_k‖/‖R‖ for factors f, shape (pieces,), or None where the pieces are not kept."""
        return None if self._pieces is None else norm(factors @ self._pieces) / self.norm

    def may_be_rounding(self, error: float) -> bool:
        """Whether rounding could explain ‖A−R‖ = `error`: it is proportional to Σ‖w_k g_k‖."""
        kept = self._pieces
        lengths = self._lengths if kept is None else float(np.linalg.norm(kept, axis=1).sum())
        return error <= ROUNDING_AT_MOST * lengths


def flatten(gradients: list[Tensor]) -> np.ndarray:
    """One float64 vector of all gradients, in the order of the parameters; a copy, on the CPU."""
    return in_float64(torch.cat([gradient.detach().reshape(-1) for gradient in gradients]))


def in_float64(tensor: Tensor) -> np.ndarray:
    """The numbers of a tensor; a copy."""
    # first to the CPU: some devices have no float64
    array: np.ndarray = tensor.cpu().to(torch.float64, copy=True).numpy()
    return array


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
