"""The model's parameters by name, and how far A is R in each of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gradviz.blocks import in_blocks
from gradviz.comparison import NO_GRADIENT

if TYPE_CHECKING:
    from torch import nn


@dataclass(frozen=True, slots=True)
class Layer:
    """A parameter of the model, such as "2.weight": its shape, and where it begins in the flat gradient."""

    name: str
    shape: tuple[int, ...]
    start: int

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)

    @property
    def part(self) -> slice:
        """Its place in the flat gradient."""
        return slice(self.start, self.start + self.size)


def trainable(model: nn.Module) -> list[nn.Parameter]:
    """The parameters that have a gradient, in the order of the flat gradient."""
    return [parameter for parameter in model.parameters() if parameter.requires_grad]


def layers_of(model: nn.Module) -> tuple[Layer, ...]:
    """The trainable parameters by name, in the order of the flat gradient."""
    layers, start = [], 0
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            layers.append(Layer(name, tuple(parameter.shape), start))
            start += parameter.numel()
    return tuple(layers)


@dataclass(frozen=True, slots=True, eq=False)
class LayerComparison:
    """A against R in each layer l, every array of shape (layers,). NaN is unknown: ‖R_l‖ < 1e-30.

    `sizes` are ‖A_l‖/‖R_l‖, `angles` in degrees, `errors` ‖A_l − R_l‖/‖R_l‖.
    """

    sizes: np.ndarray
    angles: np.ndarray
    errors: np.ndarray


class LayerMeter:
    """Compares flat gradients with one reference R, layer by layer."""

    def __init__(self, layers: Sequence[Layer], reference: np.ndarray) -> None:
        """`reference` is the flat R, shape (parameters,), in any precision."""
        self._filled = np.array([layer.size > 0 for layer in layers], dtype=bool)
        self._starts = np.array([layer.start for layer in layers])[self._filled]
        self._reference = reference
        norms = np.sqrt(self._sums((block * block,) for [block] in in_blocks(reference))[0])
        self._known_norms = np.where(norms >= NO_GRADIENT, norms, np.nan)
        self.norms = self._spread(norms)

    def compare(self, accumulated: np.ndarray) -> LayerComparison:
        """A, flat, shape (parameters,), against R.

        The angle is atan2 of A_l's part across R_l, which is that of A_l − R_l, and its part along it: arccos
        cannot tell small angles. Where A_l is many times too large it is good to a millionth of a degree.
        """
        norms = self._known_norms
        with np.errstate(all="ignore"):
            own, squares, along = self._sums(_products(accumulated, self._reference))
            along = along / norms
            across = np.sqrt(np.maximum(squares - along * along, 0.0))
            angles = np.degrees(np.arctan2(across, norms + along))
            sizes, errors = np.sqrt(own) / norms, np.sqrt(squares) / norms
        angles[sizes == 0] = np.nan
        return LayerComparison(self._spread(sizes), self._spread(angles), self._spread(errors))

    def _sums(self, blocks: Iterable[tuple[np.ndarray, ...]]) -> np.ndarray:
        """The sums in each layer of rows of flat numbers that come in blocks, shape (rows, layers)."""
        found, begin = np.zeros((0, len(self._starts))), 0
        for rows in blocks:
            end = begin + len(rows[0])
            first = int(np.searchsorted(self._starts, begin, side="right")) - 1
            cuts = np.maximum(self._starts[first : np.searchsorted(self._starts, end)] - begin, 0)
            found = found if len(found) else np.zeros((len(rows), len(self._starts)))
            for total, row in zip(found, rows, strict=True):
                total[first : first + len(cuts)] += np.add.reduceat(row, cuts)
            begin = end
        return found

    def _spread(self, values: np.ndarray) -> np.ndarray:
        """One number for each layer, NaN for those without any; read-only."""
        spread = np.full(len(self._filled), np.nan)
        spread[self._filled] = values
        spread.flags.writeable = False
        return spread


def _products(accumulated: np.ndarray, reference: np.ndarray) -> Iterator[tuple[np.ndarray, ...]]:
    """A·A, (A − R)·(A − R) and (A − R)·R, number by number, in blocks."""
    for a, r in in_blocks(accumulated, reference):
        own = a * a
        a -= r
        r *= a
        yield own, a * a, r
