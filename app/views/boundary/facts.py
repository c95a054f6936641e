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
    """The points, and for each lane where its probability is one half, as lines of (x, y)."""

    points: NDArray[np.float64]
    labels: NDArray[np.int64]
    plane: PlaneSampled
    lines: dict[LaneName, list[Line]]

    @property
    def shaded_by(self) -> LaneName | None:
        """The lane whose probabilities shade the ground: the accumulated one, or the only one."""
        lanes: tuple[LaneName, ...] = ("accumulated", "full")
        return next((lane for lane in lanes if lane in self.lines), None)

    @property
    def shaded(self) -> NDArray[np.float64] | None:
        """The probabilities that the ground is shaded by."""
        return self.plane.full if self.plane.accumulated is None else self.plane.accumulated

    def everywhere(self, lane: LaneName) -> int | None:
        """The class that a lane chooses at every point of the grid: it has no line then."""
        grid = self.plane.full if lane == "full" else self.plane.accumulated
        if grid is None or not np.isfinite(grid).all():
            return None
        chosen = grid >= LEVEL
        return int(chosen.flat[0]) if bool((chosen == chosen.flat[0]).all()) else None

    @property
    def apart(self) -> float | None:
        """The part of the grid on which the lanes choose different classes; None for one lane."""
        full, accumulated = self.plane.full, self.plane.accumulated
        if full is None or accumulated is None:
            return None
        return float(np.mean((full >= LEVEL) != (accumulated >= LEVEL)))


def facts_of(moment: Moment | None) -> Facts | None:
    """Read a moment; None where it tells nothing of a plane."""
    if moment is None or moment.plane is None or moment.run.points is None or moment.run.labels is None:
        return None
    plane = moment.plane
    lanes: dict[LaneName, NDArray[np.float64] | None] = {"full": plane.full, "accumulated": plane.accumulated}
    lines = {lane: _lines(plane, grid) for lane, grid in lanes.items() if grid is not None}
    return Facts(moment.run.points, moment.run.labels, plane, lines)


def missing(moment: Moment | None, waiting: str) -> str:
    """Why there is no boundary to be shown."""
    if moment is None:
        return waiting
    if moment.run.points is None:
        return NO_POINTS
    return ALONE if moment.run.config.lanes == "full" else NOT_YET


def headlines(facts: Facts) -> tuple[str, ...]:
    """The sentence over the picture; after it, shorter ones for where it does not fit."""
    if any(
        not np.isfinite(grid).all()
        for grid in (facts.plane.full, facts.plane.accumulated)
        if grid is not None
    ):
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
