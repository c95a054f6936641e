"""What one moment says of the plane, in words and lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gradviz.events import LaneName, PlaneSampled
from gradviz.history import Moment

from ..marks import Mark
from .contour import Line, contours

LEVEL = 0.5
SEEN_APART = 0.01
"""So small a part of the plane is no fault: the lanes' curves may part by rounding, too."""
NAMES: dict[LaneName, str] = {"full": "full batch", "accumulated": "accumulated"}
NO_POINTS = "this task's inputs are no points in a plane"
ALONE = "only the full batch is trained here: its boundary is not sampled"
NOT_YET = "the boundary is shown from the next window on"


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """The points, and of each lane that is trained its `grids` of probabilities and where they are one half.

    That is as `lines` of (x, y).
    """

    points: NDArray[np.float64]
    labels: NDArray[np.int64]
    plane: PlaneSampled
    grids: dict[LaneName, NDArray[np.float64]]
    lines: dict[LaneName, list[Line]]

    @property
    def shaded_by(self) -> LaneName | None:
        """The lane whose probabilities shade the ground: the accumulated one, or the only one."""
        return next(reversed(self.grids), None)

    @property
    def finite(self) -> bool:
        """Whether all probabilities are numbers."""
        return all(np.isfinite(grid).all() for grid in self.grids.values())

    def everywhere(self, lane: LaneName) -> int | None:
        """The class that a lane chooses at every point of the grid: it has no line then."""
        if not self.finite:
            return None
        chosen = self.grids[lane] >= LEVEL
        return int(chosen.flat[0]) if bool((chosen == chosen.flat[0]).all()) else None

    @property
    def apart(self) -> float | None:
        """The part of the grid on which the lanes choose different classes; None for one lane."""
        if len(self.grids) < 2:
            return None
        full, accumulated = (grid >= LEVEL for grid in self.grids.values())
        return float(np.mean(full != accumulated))


def facts_of(moment: Moment | None) -> Facts | None:
    """Read a moment; None where it tells nothing of a plane."""
    if moment is None or moment.plane is None or moment.run.points is None or moment.run.labels is None:
        return None
    plane = moment.plane
    lanes: dict[LaneName, NDArray[np.float64] | None] = {"full": plane.full, "accumulated": plane.accumulated}
    grids = {lane: grid for lane, grid in lanes.items() if grid is not None}
    lines = {lane: _lines(plane, grid) for lane, grid in grids.items()}
    return Facts(moment.run.points, moment.run.labels, plane, grids, lines)


def missing(moment: Moment | None, waiting: str) -> str:
    """Why there is no boundary to be shown."""
    if moment is None:
        return waiting
    if moment.run.points is None:
        return NO_POINTS
    return ALONE if moment.run.config.lanes == "full" else NOT_YET


def headlines(facts: Facts) -> tuple[str, ...]:
    """The sentence over the picture; after it, shorter ones for where it does not fit."""
    if not facts.finite:
        return ("The outputs are not finite",)
    if facts.apart is None:
        lane = next(iter(facts.lines), None)
        return (f"Where the {NAMES[lane]} lane is undecided" if lane else "No lane is trained",)
    if facts.apart == 0:
        return ("Both lanes divide the plane alike, at every point of the grid", "Both divide it alike")
    share = facts.apart * 100
    written = f"{share:.0f} %" if share >= 9.95 else f"{share:.1f} %" if share >= 0.05 else "less than 0.1 %"
    return (f"The lanes choose differently on {written} of the plane", f"They differ on {written}")


def mark_of(facts: Facts) -> Mark | None:
    """A cross where the lanes decide otherwise on a part of the plane that can be seen; None for one lane."""
    if facts.apart is None:
        return None
    return "cross" if facts.apart > SEEN_APART else "check"


def _lines(plane: PlaneSampled, grid: NDArray[np.float64]) -> list[Line]:
    """In the units of the inputs."""
    rows, columns = grid.shape
    steps = [
        (high - low) / max(1, count - 1)
        for low, high, count in zip(plane.low, plane.high, (columns, rows), strict=True)
    ]
    return [
        [(plane.low[0] + x * steps[0], plane.low[1] + y * steps[1]) for x, y in line]
        for line in contours(np.where(np.isfinite(grid), grid, 0.0), LEVEL)
    ]
