"""The pieces of a gradient, seen in a plane that holds R."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gradviz.comparison import SAME_DIRECTION_DEGREES


@dataclass(frozen=True, slots=True, eq=False)
class Arrows:
    """The pieces w_k g_k in a plane: `pieces` has a row (sideways, along R) for each, in units of ‖R‖.

    `sideways` says what the sideways direction is: that of A − R, or that in which the pieces disagree most.
    `shown` is the part of the pieces' summed length that lies in the plane, from 0 to 1.
    """

    pieces: np.ndarray
    sideways: Literal["error", "disagreement"]
    shown: float


def project(gram: np.ndarray, along: np.ndarray, *, whole: bool) -> Arrows:
    """Show the pieces p_k = w_k g_k in a plane through R, all lengths in units of ‖R‖.

    `gram` holds their inner products ⟨p_i, p_j⟩, shape (k, k); `along` their lengths along R, shape (k,).
    Sideways is the direction of A − R where the pieces are all there (`whole`) and A has left R by more than
    an angle that rounding explains; else the first principal axis of the pieces' parts across R.
    """
    across = gram - np.outer(along, along)
    drift = across.sum(axis=1)
    error = math.sqrt(max(0.0, float(drift.sum())))
    kind: Literal["error", "disagreement"] = "disagreement"
    if whole and error > math.tan(math.radians(SAME_DIRECTION_DEGREES)):
        sideways, kind = drift / error, "error"
    else:
        values, vectors = np.linalg.eigh(across)
        sideways = vectors[:, -1] * math.sqrt(max(0.0, float(values[-1])))
        # an axis has no sign of its own: the first piece always leans to the left, so the picture holds still
        sideways = -sideways if sideways[0] > 0 else sideways
    length = float(np.sqrt(np.maximum(np.diag(gram), 0.0)).sum())
    shown = float(np.hypot(sideways, along).sum()) / length if length > 0 else 1.0
    return Arrows(np.column_stack([sideways, along]), kind, min(1.0, shown))
