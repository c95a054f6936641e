"""The columns as one picture: where each stands, how its pieces lie on one another, and their pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from ...theme import Theme
from .scale import Floats, Scale

PIECES = 64
"""Up to so many micro-batches lie on one another in their own colours; of more, only the sum is shown."""

Pixels = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Whole pixels: the left of each column from the plot's, all columns' width, and their distance."""

    lefts: Pixels
    width: int
    pitch: int

    def index(self, x: float) -> int | None:
        """The column at `x` from the plot's left."""
        near = int(np.searchsorted(self.lefts, x, side="right")) - 1
        return near if near >= 0 and x < self.lefts[near] + self.pitch else None


def places_of(width: float, groups: Sequence[tuple[str, int, int]], gap: float) -> Places:
    """Columns of one width in `width` pixels, `gap` between one layer's and the next's where that fits."""
    count = groups[-1][2] if groups else 0
    gaps = round(gap) * (len(groups) - 1)
    apart = round(gap) if gaps < width / 4 and count + gaps <= width else 0
    pitch = max(1, int((width - apart * (len(groups) - 1)) / max(1, count)))
    owner = np.repeat(np.arange(len(groups)), [end - first for _, first, end in groups])
    spare = max(0, int(width) - apart * (len(groups) - 1) - pitch * count)
    # what the whole pixels leave over goes between the layers
    apart += spare // (len(groups) + 1)
    lefts = np.arange(count) * pitch + owner * apart + spare // (len(groups) + 1)
    wide = pitch if pitch < 3 else max(2, min(pitch - 1, round(pitch * 0.8)))
    return Places(lefts, wide, pitch)


def bands(levels: Floats) -> Floats:
    """Where the pieces lie on one another, shape (k + 1, weights), from 0 to the sum, ever further out.

    Piece j is what lies between row j − 1 and row j. One that takes away shortens those before it, which are
    on top: what remains of them ends at the least that the sum has come back to since.
    """
    side = np.where(levels[-1] < 0, -1.0, 1.0)
    least = np.minimum.accumulate((levels * side)[::-1], axis=0)[::-1]
    kept: Floats = np.maximum(least, 0.0) * side
    return kept


@dataclass(frozen=True, slots=True, eq=False)
class Heights:
    """Rows of pixels from the plot's top. `edges` are those of the pieces, shape (k + 1, weights)."""

    rows: int
    zero: int
    edges: Pixels
    target: Pixels


def heights_of(scale: Scale, rows: int, levels: Floats, reference: Floats) -> Heights:
    """The rows of what `bands` says and of R, zero in the middle."""
    half = (rows - 1) / 2
    kept = bands(levels)
    edges = np.round(half - half * scale.at(kept)).astype(np.int64)
    target = np.round(half - half * scale.at(reference)).astype(np.int64)
    return Heights(rows, round(half), edges, target)


def beyond(
    heights: Heights, accumulated: Floats, reference: Floats, ended: bool
) -> list[tuple[int, int, int]]:
    """Of each column that goes on beyond its full-batch value: (column, first row, row after the last).

    Where the window has `ended`, a column on the wrong side is wrong as a whole.
    """
    side = np.sign(accumulated) * np.sign(reference)
    longer = np.abs(heights.edges[-1] - heights.zero) > np.abs(heights.target - heights.zero) + 1
    opposite = (side < 0) & ended
    over = ((side > 0) & longer) | opposite
    begin = np.where(opposite, heights.zero, heights.target)
    ends = np.sort(np.stack([begin, heights.edges[-1]]), axis=0)
    return [(i, int(ends[0, i]), int(ends[1, i])) for i in np.flatnonzero(over).tolist()]


def picture(
    theme: Theme,
    heights: Heights,
    places: Places,
    width: int,
    count: int,
    left_out: list[tuple[int, int, int]],
) -> NDArray[np.uint32]:
    """All columns over their tinted targets, and the line of the full batch over each; else transparent.

    Colours as 0xAARRGGBB, shape (rows, width).
    """
    rows, weights = np.arange(heights.rows)[:, None], heights.edges.shape[1]
    top, bottom = np.minimum(heights.zero, heights.target), np.maximum(heights.zero, heights.target)
    labels = _labels(heights)
    colours = _colours(theme, len(heights.edges) - 1, count)
    labels[(rows >= top) & (rows <= bottom) & (labels == 0)] = len(colours) - 1
    for column, first, end in left_out:
        labels[first:end, column] = 0
    image = colours[labels]
    canvas = np.zeros((heights.rows, max(width, 1)), dtype=np.uint32)
    canvas[:, places.lefts[:, None] + np.arange(places.width)] = image[:, :, None]
    thick = max(2, round(theme.px(2)))
    lines = np.clip(heights.target - thick // 2, 0, heights.rows - thick)
    across = places.lefts[:, None, None] + np.arange(places.pitch)[None, None, :]
    down = lines[:, None, None] + np.arange(thick)[None, :, None]
    if weights:
        canvas[down, np.minimum(across, width - 1)] = _argb(QColor(theme.full))
    return canvas


def hatched(plot: QRectF, places: Places, parts: list[tuple[int, int, int]]) -> list[QRectF]:
    """The rectangles of `parts`."""
    return [
        QRectF(plot.left() + float(places.lefts[i]), plot.top() + first, places.width, max(1, end - first))
        for i, first, end in parts
    ]


def _labels(heights: Heights) -> NDArray[np.int8]:
    """Which piece, from 1, each pixel shows, or 0: shape (rows, weights).

    Each column is told as runs of pixels from top to bottom, and all of them are rolled out at once.
    """
    edges, pieces = heights.edges, len(heights.edges) - 1
    weights = edges.shape[1]
    if not pieces:
        return np.zeros((heights.rows, weights), dtype=np.int8)
    up = edges[-1] <= heights.zero
    names = np.where(up[:, None], np.arange(pieces, 0, -1), np.arange(1, pieces + 1))
    # each piece's last row is the next one's first, seen from zero
    ordered = np.where(up[:, None], edges[::-1].T, edges.T)
    runs = np.diff(ordered, axis=1)
    lengths = np.column_stack([ordered[:, 0], runs, heights.rows - ordered[:, -1]])
    blank = np.zeros((weights, 1), dtype=np.int8)
    rolled = np.repeat(np.column_stack([blank, names.astype(np.int8), blank]).ravel(), lengths.ravel())
    labels: NDArray[np.int8] = rolled.reshape(weights, heights.rows).T.copy()
    return labels


def _colours(theme: Theme, pieces: int, count: int) -> NDArray[np.uint32]:
    """Nothing, each piece, and the tint of a target."""
    if count > PIECES:
        shades = [QColor(theme.accumulated)]
    else:
        shades = [theme.piece(index, count) for index in range(pieces)]
    return np.array([0, *map(_argb, [*shades, QColor(theme.full_tint)])], dtype=np.uint32)


def _argb(colour: QColor) -> int:
    return colour.rgb() | 0xFF000000
