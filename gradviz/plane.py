"""What the lanes say of a whole plane of inputs, where inputs are points in a plane."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import nn

from gradviz.events import PlaneSampled
from gradviz.lane import Lane
from gradviz.lanes import Lanes
from gradviz.rng import untouched
from gradviz.tasks import Plane

COUNT = 61
"""Grid points along each side."""
MARGIN = 0.12
"""The grid reaches beyond the points by so much of their extent."""


def sample_plane(lanes: Lanes, plane: Plane, step: int) -> PlaneSampled:
    """The probability of the second class on a grid, at both lanes' present weights. Nothing is changed."""
    low, high, grid = grid_over(plane.points)
    return PlaneSampled(
        step=step,
        low=(float(low[0]), float(low[1])),
        high=(float(high[0]), float(high[1])),
        full=_probabilities(lanes, lanes.full, plane, grid),
        accumulated=_probabilities(lanes, lanes.accumulated, plane, grid),
    )


def grid_over(points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lowest and highest corner, shape (2,), and all points of the grid, shape (COUNT², 2), row by row."""
    low, high = points.min(axis=0), points.max(axis=0)
    low, high = low - MARGIN * (high - low), high + MARGIN * (high - low)
    sides = [np.linspace(low[axis], high[axis], COUNT) for axis in (0, 1)]
    return low, high, np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)


@contextmanager
def as_when_used(model: nn.Module) -> Iterator[None]:
    """Inside, normalization takes its running means and nothing is dropped: so the model will decide."""
    training = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, mode in training:
            module.training = mode


def _probabilities(lanes: Lanes, lane: Lane | None, plane: Plane, grid: np.ndarray) -> np.ndarray | None:
    if lane is None:
        return None
    inputs = torch.from_numpy(grid).to(lanes.device, lanes.problem.inputs.dtype)
    with untouched(lane.model, lanes.device), as_when_used(lane.model), torch.no_grad():
        values = plane.probability(lane.model(inputs))
    probabilities: np.ndarray = values.to("cpu", torch.float64).numpy().reshape(COUNT, COUNT)
    probabilities.flags.writeable = False
    return probabilities
