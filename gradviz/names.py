"""Names for single weights of a model, by their place in the flat gradient."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gradviz.layers import Layer


class WeightNames:
    """Tells which layer a place in the flat gradient belongs to, and where in it."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self._layers = layers
        self._starts = np.array([layer.start for layer in layers])

    def at(self, coordinates: np.ndarray) -> tuple[str, ...]:
        """Such as "2.weight[3, 17]", the layer and the place in it, for each flat index, shape (n,)."""
        owners = np.searchsorted(self._starts, coordinates, side="right") - 1
        return tuple(map(self._name, owners.tolist(), coordinates.tolist()))

    def _name(self, owner: int, coordinate: int) -> str:
        layer = self._layers[owner]
        flat, place = coordinate - layer.start, []
        for length in reversed(layer.shape):
            flat, index = divmod(flat, length)
            place.append(str(index))
        return f"{layer.name}[{', '.join(reversed(place))}]"
