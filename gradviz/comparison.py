"""Is the accumulated gradient A the reference gradient R? By how much not, and in which way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gradviz.blocks import in_blocks

Kind = Literal["equal", "scaled", "direction", "none"]

TOLERANCE = {"float64": 1e-12, "float32": 1e-5, "bfloat16": 5e-2}
"""A relative error up to this is rounding, by the precision of the gradients."""
SAME_DIRECTION_DEGREES = 0.1
MOST_ULPS = 2**15
"""Of a larger model, ulps are ranked for so many coordinates, evenly spaced."""
NO_GRADIENT = 1e-30
"""Below this ‖R‖, size and angle mean nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """A against R. What is unknown (‖R‖ < 1e-30, or a number that is not finite) is None.

    `ratio` is ‖A‖/‖R‖, `relative_error` ‖A−R‖/‖R‖, `max_over_scale` max|A−R|/max|R|; ulps are distances
    |A−R| counted in units in the last place of R. `shares` are those of the micro-batches. `kind` and
    `verdict` (words) are the judgement, `decided_in` the precision it was made in.
    """

    ratio: float | None
    angle_degrees: float | None
    cosine: float | None
    relative_error: float | None
    max_over_scale: float | None
    ulp_p50: float | None
    ulp_p99: float | None
    shares: tuple[float, ...] | None
    kind: Kind
    verdict: str
    decided_in: str


def compare(
    accumulated: np.ndarray, reference: np.ndarray, shares: Sequence[float] | None, precision: str
) -> Comparison:
    """Compare the flat gradients A and R, shape (parameters,), in float64.

    `precision` is the one that they were computed in; it sets the tolerance and the size of an ulp.
    """
    a, r = accumulated, reference
    a_norm, r_norm, difference, largest = _sizes(a, r)
    if not (math.isfinite(a_norm) and math.isfinite(r_norm)):
        return _unknown("the gradient is not finite", precision)
    if r_norm < NO_GRADIENT:
        return _unknown("no gradient", precision)
    cosine, angle = _direction(a, a_norm, r, r_norm)
    ratio, error = a_norm / r_norm, difference / r_norm
    p50, p99 = _quantiles(_ulps(a, r, precision), (0.5, 0.99))
    kind, verdict = judge(ratio, angle, error, TOLERANCE[precision])
    return Comparison(
        ratio=ratio,
        angle_degrees=angle,
        cosine=cosine,
        relative_error=error,
        max_over_scale=largest,
        ulp_p50=p50,
        ulp_p99=p99,
        shares=None if shares is None else tuple(shares),
        kind=kind,
        verdict=verdict,
        decided_in=precision,
    )


def judge(ratio: float, angle: float | None, error: float, tolerance: float) -> tuple[Kind, str]:
    """The verdict as a kind and in words. `angle` in degrees, None where A is zero."""
    if error <= tolerance:
        return "equal", "equal, up to rounding"
    if angle is None:
        return "scaled", "zero, where there should be a gradient"
    if angle >= SAME_DIRECTION_DEGREES:
        return "direction", f"different direction, {angle:.{0 if angle >= 10 else 1}f}°"
    factor, words = (ratio, "too large") if ratio >= 1 else (1 / ratio, "too small")
    if factor - 1 < error / 2:
        return "scaled", f"off by {error:.1g} of its length, nearly the same direction"
    size = f"{factor:.3f} ×" if factor >= 1.0005 else f"by {100 * (factor - 1):.1g} %"
    return "scaled", f"{size} {words}, same direction"


def norm(vector: np.ndarray) -> float:
    """Euclidean norm that neither overflows nor underflows, shape (n,); not finite if an entry is not."""
    with np.errstate(over="ignore", invalid="ignore"):
        square = float(vector @ vector)
    if 1e-200 < square < 1e200:
        return math.sqrt(square)
    scale = float(np.abs(vector).max(initial=0.0))
    if not math.isfinite(scale):
        return scale
    return scale * float(np.linalg.norm(vector / scale)) if scale > 0 else 0.0


def long_norm(vector: np.ndarray) -> float:
    """As `norm`, in float64 whatever the precision of the vector."""
    return norm(np.array([norm(block) for [block] in in_blocks(vector)]))


def _sizes(a: np.ndarray, r: np.ndarray) -> tuple[float, float, float, float]:
    """‖A‖, ‖R‖, ‖A−R‖ and max|A−R|/max|R|, which is 0 where R is."""
    norms, largest, scale = [(0.0, 0.0, 0.0)], 0.0, 0.0
    with np.errstate(invalid="ignore"):
        for own, reference in in_blocks(a, r):
            a_norm, r_norm = norm(own), norm(reference)
            own -= reference
            norms.append((a_norm, r_norm, norm(own)))
            largest, scale = max(largest, _largest(own)), max(scale, _largest(reference))
    a_norm, r_norm, difference = (norm(column) for column in np.array(norms).T)
    return a_norm, r_norm, difference, largest / scale if scale else 0.0


def _largest(block: np.ndarray) -> float:
    return max(float(block.max()), -float(block.min()))


def _ulps(a: np.ndarray, r: np.ndarray, precision: str) -> np.ndarray:
    """|A−R| in ulps of R, at coordinates that are evenly spaced."""
    chosen = slice(None, None, 1 + len(a) // MOST_ULPS)
    reference = r[chosen].astype(np.float64)
    ulps: np.ndarray = np.abs(a[chosen] - reference) / _ulp(np.abs(reference), precision)
    return ulps


def _direction(
    a: np.ndarray, a_norm: float, r: np.ndarray, r_norm: float
) -> tuple[float | None, float | None]:
    """Cosine and angle in degrees between A and R; unknown where A is zero.

    The angle is atan2 of A's part across R and its part along R: arccos cannot tell angles under 1e-8.
    """
    if a_norm < NO_GRADIENT:
        return None, None
    along, across = 0.0, [0.0]
    for part, direction in in_blocks(a, r):
        direction /= r_norm
        along += float(part @ direction)
    for part, direction in in_blocks(a, r):
        direction *= along / r_norm
        part -= direction
        across.append(norm(part))
    return max(-1.0, min(1.0, along / a_norm)), math.degrees(math.atan2(norm(np.array(across)), along))


def _ulp(sizes: np.ndarray, precision: str) -> np.ndarray:
    if precision == "bfloat16":
        # eight significant bits; below the smallest normal number the spacing stays
        exponent = np.floor(np.log2(np.maximum(sizes, 2.0**-126)))
        return np.asarray(np.exp2(exponent - 7))
    spacing: np.ndarray = np.spacing(sizes.astype(precision)).astype(np.float64)
    return spacing


def _quantiles(values: np.ndarray, parts: tuple[float, ...]) -> list[float]:
    """The largest values with no more than these parts of all values below them."""
    places = [int(part * (len(values) - 1)) for part in parts]
    ordered = np.partition(values, places)
    return [float(ordered[place]) for place in places]


def _unknown(verdict: str, precision: str) -> Comparison:
    return Comparison(None, None, None, None, None, None, None, None, "none", verdict, precision)
