"""Lines along which a grid of numbers has one value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Line = list[tuple[float, float]]


def contours(grid: Floats, level: float) -> list[Line]:
    """Marching squares: lines as points (column, row), interpolated between the grid's own points.

    A closed line ends where it began. In a cell that is crossed four times, the mean of its corners says
    which sides belong together.
    """
    above = grid >= level
    points, segments = _crossings(grid, above, level), _segments(grid, above, level)
    joined: dict[int, list[int]] = {}
    for one, other in segments:
        joined.setdefault(one, []).append(other)
        joined.setdefault(other, []).append(one)
    lines = []
    # open lines from one of their ends, then what is left is closed
    for start in [*(key for key, others in joined.items() if len(others) == 1), *joined]:
        if joined[start]:
            lines.append([points[key] for key in _followed(joined, start)])
    return lines


def _followed(joined: dict[int, list[int]], start: int) -> list[int]:
    """The keys from `start` on, taken out of `joined`."""
    found, here = [start], start
    while joined[here]:
        following = joined[here].pop()
        joined[following].remove(here)
        found.append(following)
        here = following
    return found


def _crossings(grid: Floats, above: NDArray[np.bool_], level: float) -> dict[int, tuple[float, float]]:
    """Where sides of cells are crossed: by the side's key, as (column, row)."""
    rows, columns = grid.shape
    found: dict[int, tuple[float, float]] = {}
    for across in (True, False):
        shift = (slice(None), slice(1, None)) if across else (slice(1, None), slice(None))
        begin = grid[:, :-1] if across else grid[:-1, :]
        end = grid[shift]
        crossed = np.argwhere((above[:, :-1] if across else above[:-1, :]) != above[shift])
        if not len(crossed):
            continue
        r, c = crossed.T
        part = (level - begin[r, c]) / (end[r, c] - begin[r, c])
        keys = r * columns + c + (0 if across else rows * columns)
        xs, ys = (c + part, r) if across else (c, r + part)
        found |= dict(zip(keys.tolist(), zip(xs.tolist(), ys.tolist(), strict=True), strict=True))
    return found


def _segments(grid: Floats, above: NDArray[np.bool_], level: float) -> list[tuple[int, int]]:
    """Pairs of crossed sides that a line joins through a cell."""
    rows, columns = grid.shape
    corners = (above[:-1, :-1], above[:-1, 1:], above[1:, 1:], above[1:, :-1])
    mixed = np.argwhere(
        ~((corners[0] == corners[1]) & (corners[1] == corners[2]) & (corners[2] == corners[3]))
    )
    found = []
    for r, c in mixed.tolist():
        sides = (
            r * columns + c,
            rows * columns + r * columns + c + 1,
            (r + 1) * columns + c,
            rows * columns + r * columns + c,
        )
        ups = [bool(corner[r, c]) for corner in corners]
        crossed = [side for index, side in enumerate(sides) if ups[index] != ups[(index + 1) % 4]]
        if len(crossed) == 2:
            found.append((crossed[0], crossed[1]))
            continue
        # corner 0 is cut off by sides 3 and 0 unless the middle belongs to it
        joined = bool(grid[r : r + 2, c : c + 2].mean() >= level) == ups[0]
        bottom, right, top, left = sides
        found += [(bottom, right), (top, left)] if joined else [(left, bottom), (right, top)]
    return found
