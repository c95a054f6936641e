"""The data that ships, and what several tasks measure on it."""

from __future__ import annotations

from importlib import resources

import numpy as np

from gradviz.tasks import Score


def arrays(file: str) -> dict[str, np.ndarray]:
    """The arrays in a data file, by name."""
    with resources.files("gradviz.resources").joinpath(file).open("rb") as opened:
        return dict(np.load(opened, allow_pickle=False))


def _hits(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    hits: np.ndarray = outputs.argmax(axis=1) == targets
    return hits


ACCURACY = Score("accuracy", "%", _hits)
"""The share of samples whose own class has the highest output."""
