"""What one moment says of single weights. Knows nothing of pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gradviz.comparison import TOLERANCE, Comparison
from gradviz.events import WindowStarted
from gradviz.history import Moment
from gradviz.layers import Layer
from gradviz.scaling import is_forgotten

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """One moment, the weights in the order of the flat gradient.

    `levels` is what `.grad` held of each after 0, 1, … k pieces, shape (k + 1, weights), with 0 for what is
    not finite; `reference` is R there. `groups` are the layers that the weights belong to: (name, first
    weight, weight after the last). `expected` is the sum that the pieces' weights promise, 1 where they are
    right.
    """

    window: WindowStarted
    layers: tuple[Layer, ...]
    coordinates: NDArray[np.int64]
    reference: Floats
    levels: Floats
    groups: tuple[tuple[str, int, int], ...]
    comparison: Comparison | None
    tolerance: float
    expected: float
    problem: str

    @property
    def count(self) -> int:
        """N."""
        return len(self.window.sizes)

    @property
    def added(self) -> int:
        """k."""
        return len(self.levels) - 1

    @property
    def accumulated(self) -> Floats:
        """What `.grad` holds now."""
        last: Floats = self.levels[-1]
        return last

    @property
    def ratios(self) -> Floats:
        """A over R for those weights whose R is not zero."""
        known = self.reference != 0
        ratios: Floats = self.accumulated[known] / self.reference[known]
        return ratios

    @property
    def in_times(self) -> bool:
        """Whether parts of R are written as 2 × and not as 200 %."""
        return self.expected >= 2.0

    @property
    def faulty(self) -> bool:
        """Whether what is beyond the full batch is wrong, and not only on its way."""
        if is_forgotten(self.window.scaling, self.count):
            return True
        return self.comparison is not None and self.comparison.kind in ("scaled", "direction")

    @property
    def apart(self) -> float:
        """The largest |A − R| of these weights as a part of the largest |R|."""
        return float(np.abs(self.accumulated - self.reference).max() / np.abs(self.reference).max())


def facts_of(moment: Moment | None, most: int) -> Facts | None:
    """Read a moment; None before its first window. Of more weights than `most`, some are left out evenly."""
    if moment is None or moment.window is None:
        return None
    window, layers = moment.window, moment.run.layers
    order = np.argsort(window.coordinates, kind="stable")
    order = order[:: max(1, -(-len(order) // max(1, most)))]
    rows = [np.zeros(len(order)), *(added.values[order] for added in moment.added)]
    levels = np.array(rows, dtype=np.float64)
    reference = np.asarray(window.reference_values[order], dtype=np.float64)
    coordinates = np.asarray(window.coordinates[order], dtype=np.int64)
    return Facts(
        window=window,
        layers=layers,
        coordinates=coordinates,
        reference=np.nan_to_num(reference, posinf=0.0, neginf=0.0),
        levels=np.nan_to_num(levels, posinf=0.0, neginf=0.0),
        groups=_groups(layers, coordinates),
        comparison=moment.compared.comparison if moment.compared else None,
        tolerance=TOLERANCE[moment.run.config.precision],
        expected=float(sum(window.weights)),
        problem=_problem(reference, levels),
    )


def _problem(reference: Floats, levels: Floats) -> str:
    if not (np.isfinite(reference).all() and np.isfinite(levels).all()):
        return "the gradient is not finite"
    return "" if (reference != 0).any() else "no gradient: every full-batch value is 0"


def _groups(layers: tuple[Layer, ...], coordinates: NDArray[np.int64]) -> tuple[tuple[str, int, int], ...]:
    ends = [layer.part.stop for layer in layers]
    edges = [0, *np.searchsorted(coordinates, ends).tolist()]
    found = zip(layers, edges, edges[1:], strict=False)
    return tuple((layer.name, first, end) for layer, first, end in found if end > first)
