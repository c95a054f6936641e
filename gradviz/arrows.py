"""The pieces of a gradient, seen in a plane that holds R."""

from __future__ import annotations

import math

import numpy as np

from gradviz.comparison import SAME_DIRECTION_DEGREES
from gradviz.events import Arrows


def project(gram: np.ndarray, along: np.ndarray, r_norm: float, *, whole: bool) -> Arrows:
    """Show the pieces p_k = w_k g_k in a plane through R.

    `gram` holds their inner products ⟨p_i, p_j⟩, shape (k, k); `along` their lengths along R in units of
    ‖R‖, shape (k,). Sideways is the direction of A − R where the pieces are all there (`whole`) and A has
    left R by more than an angle that rounding explains; else the first principal axis of the pieces' parts
    across R.
    """
    across = gram / r_norm**2 - np.outer(along, along)
    drift = across.sum(axis=1)
    squared_error = max(0.0, float(drift.sum()))
    if whole and math.sqrt(squared_error) > math.tan(math.radians(SAME_DIRECTION_DEGREES)):
        sideways, kind = drift / math.sqrt(squared_error), "error"
    else:
        values, vectors = np.linalg.eigh(across)
        sideways, kind = vectors[:, -1] * math.sqrt(max(0.0, float(values[-1]))), "disagreement"
    # an axis has no sign of its own: the first piece always leans to the left, so the picture holds still
    if sideways[0] > 0 and kind == "disagreement":
        sideways = -sideways
    pieces = np.column_stack([sideways, along])
    pieces.flags.writeable = False
    length = float(np.sqrt(np.maximum(np.diag(gram), 0.0)).sum()) / r_norm
    shown = float(np.hypot(sideways, along).sum()) / length if length > 0 else 1.0
    return Arrows(pieces, "error" if kind == "error" else "disagreement", min(1.0, shown))
