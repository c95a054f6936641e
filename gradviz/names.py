"""Names for single weights of a model, by their place in the flat gradient."""

from __future__ import annotations

import numpy as np
from torch import nn


class WeightNames:
    """Read off the model once; asked at every window that is seen."""

    def __init__(self, model: nn.Module) -> None:
        parameters = list(model.named_parameters())
        self._owners = [(name, tuple(parameter.shape)) for name, parameter in parameters]
        self._starts = np.cumsum([0, *(parameter.numel() for _, parameter in parameters)])

    def at(self, coordinates: np.ndarray) -> tuple[str, ...]:
        """Such as "2.weight[3, 17]", the parameter and the place in it, for each flat index, shape (n,)."""
        owners = np.searchsorted(self._starts, coordinates, side="right") - 1
        places = coordinates - self._starts[owners]
        return tuple(map(self._name, owners.tolist(), places.tolist()))

    def _name(self, owner: int, flat: int) -> str:
        name, shape = self._owners[owner]
        place = []
        for length in reversed(shape):
            flat, index = divmod(flat, length)
            place.append(str(index))
        return f"{name}[{', '.join(reversed(place))}]"
