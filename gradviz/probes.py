"""What is read from `.grad` on a seen step: shares, single weights, arrows, the comparison with R."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from gradviz.arrows import project
from gradviz.comparison import NO_GRADIENT, Comparison, compare, norm
from gradviz.events import Arrows

COORDINATES = 24
COORDINATE_FLOOR = 1e-3
"""Entries of R smaller than this part of the largest are not shown singly: they are mostly rounding."""
ARROWS_PIECES = 64
ARROWS_NUMBERS = 2**23
"""Arrows need all pieces at once; beyond so many pieces or numbers (64 MiB) there are none."""


class Probe:
    """Holds R for one window and measures each piece against it. Numbers are float64, on the CPU."""

    def __init__(self, reference: list[Tensor], model: nn.Module, pieces: int, precision: str) -> None:
        self.reference = flatten(reference)
        self.norm = norm(self.reference) if np.isfinite(self.reference).all() else float("nan")
        self.coordinates = _choose(self.reference)
        self.names = _names(model, self.coordinates)
        self._precision = precision
        self._parameters = list(model.parameters())
        self.restart(pieces)

    @property
    def reference_values(self) -> np.ndarray:
        """R at the chosen coordinates, read-only."""
        return _frozen(self.reference[self.coordinates])

    def restart(self, pieces: int) -> None:
        """The window begins anew, in so many pieces."""
        self.shares: list[float] = []
        self._sum = np.zeros_like(self.reference)
        fits = pieces <= ARROWS_PIECES and pieces * len(self._sum) <= ARROWS_NUMBERS
        self._pieces = np.empty((pieces, len(self._sum))) if fits and self.known else None
        self._gram = np.zeros((pieces, pieces))

    @property
    def known(self) -> bool:
        """Whether there is a gradient to compare with."""
        return self.norm >= NO_GRADIENT

    def add(self) -> tuple[float | None, float | None, np.ndarray, Arrows | None]:
        """Read `.grad` after a backward: (share, total of the shares, values at the coordinates, arrows)."""
        summed = flatten([p.grad if p.grad is not None else torch.zeros_like(p) for p in self._parameters])
        piece, self._sum = summed - self._sum, summed
        values = _frozen(summed[self.coordinates])
        if not self.known:
            return None, None, values, None
        self.shares.append(float(piece @ (self.reference / self.norm)) / self.norm)
        return self.shares[-1], sum(self.shares), values, self._add_to_arrows(piece)

    def compare(self) -> Comparison:
        """A, the sum of all pieces, against R."""
        return compare(self._sum, self.reference, self.shares if self.known else None, self._precision)

    def arrows(self, *, whole: bool) -> Arrows | None:
        """The pieces so far in a plane, or None where they are too many or there is no R."""
        count = len(self.shares)
        if self._pieces is None or not np.isfinite(self._gram[:count, :count]).all():
            return None
        return project(self._gram[:count, :count], np.array(self.shares), self.norm, whole=whole)

    def sum_of_norms(self) -> float:
        """Σ‖w_k g_k‖, which rounding is proportional to; infinite where the pieces are not kept."""
        return float("inf") if self._pieces is None else float(np.sqrt(np.diag(self._gram)).sum())

    def combined_norm(self, factors: np.ndarray) -> float | None:
        """‖Σ f_k w_k g_k‖/‖R‖ for factors f, shape (pieces,), or None where the pieces are not kept."""
        if self._pieces is None:
            return None
        return norm(factors @ self._pieces[: len(factors)]) / self.norm

    def _add_to_arrows(self, piece: np.ndarray) -> Arrows | None:
        if self._pieces is None:
            return None
        last = len(self.shares) - 1
        self._pieces[last] = piece
        products = self._pieces[: last + 1] @ piece
        self._gram[last, : last + 1] = self._gram[: last + 1, last] = products
        return self.arrows(whole=False)


def flatten(gradients: list[Tensor]) -> np.ndarray:
    """One float64 vector of all gradients, in the order of the parameters; a copy, on the CPU."""
    flat = torch.cat([gradient.detach().reshape(-1) for gradient in gradients])
    array: np.ndarray = flat.to("cpu", torch.float64).numpy()
    return array


def _choose(reference: np.ndarray) -> np.ndarray:
    """Up to 24 coordinates, evenly spaced among those that are not small: every layer has its part."""
    sizes = np.abs(reference)
    large = np.flatnonzero(sizes >= COORDINATE_FLOOR * sizes.max(initial=0.0)) if sizes.any() else sizes[:0]
    places = np.linspace(0, len(large) - 1, min(COORDINATES, len(large))).round().astype(int)
    return _frozen(large[places].astype(np.int64))


def _names(model: nn.Module, coordinates: np.ndarray) -> tuple[str, ...]:
    """Such as "2.weight[3, 17]": the parameter's name and the place in it."""
    parameters = list(model.named_parameters())
    starts = np.cumsum([0, *(parameter.numel() for _, parameter in parameters)])
    names = []
    for coordinate in coordinates:
        which = int(np.searchsorted(starts, coordinate, side="right")) - 1
        name, parameter = parameters[which]
        place = np.unravel_index(int(coordinate - starts[which]), tuple(parameter.shape) or (1,))
        names.append(f"{name}[{', '.join(str(int(index)) for index in place)}]")
    return tuple(names)


def _frozen(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.flags.writeable = False
    return array
