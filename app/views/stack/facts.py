"""What one moment says, in the words and numbers of the stack. Knows nothing of pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradviz.arrows import Arrows
from gradviz.comparison import Comparison
from gradviz.events import MicroBatchAdded, WindowStarted
from gradviz.history import Moment
from gradviz.layers import Layer
from gradviz.scaling import is_forgotten

from ..marks import Mark
from ..verdict_words import capitalised
from .shares import printed_shares

SINGLE_WEIGHTS = 24
_NOISE = 5.0
# a window that ends higher than this ends above the line for everybody to see
_ENDS_ABOVE = 1.001


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """One moment. `levels` are the sums of the shares after 0, 1, … k micro-batches, cut at `limit`;
    `points` the ends of the arrows (sideways, along); `ratios` .grad over R for each single weight.

    `expected` is the sum that the weights promise: 1 where they are right. `problem` says why there are no
    shares, or nothing. `fault_above` says that what is above the full batch is wrong, not only on its way.
    """

    layers: tuple[Layer, ...]
    window: WindowStarted
    added: tuple[MicroBatchAdded, ...]
    comparison: Comparison | None
    levels: np.ndarray
    limit: float
    points: np.ndarray
    arrows: Arrows | None
    ratios: np.ndarray
    expected: float
    problem: str
    noisy: bool
    fault_above: bool

    @property
    def count(self) -> int:
        """N."""
        return len(self.window.sizes)

    @property
    def angle(self) -> float | None:
        """Degrees between A and R at the window's end, where that is a different direction."""
        found = self.comparison
        return found.angle_degrees if found is not None and found.kind == "direction" else None

    @property
    def known(self) -> bool:
        """Whether there are shares."""
        return not self.problem

    @property
    def equal(self) -> bool:
        """Whether the window has ended on the full-batch gradient."""
        return self.comparison is not None and self.comparison.kind == "equal"

    @property
    def key(self) -> tuple[int, str]:
        """What an axis is chosen for."""
        return (self.count, self.window.scaling)


def facts_of(moment: Moment) -> Facts | None:
    """Read a moment; None before its first window."""
    window, added = moment.window, moment.added
    if window is None:
        return None
    comparison = moment.compared.comparison if moment.compared else None
    raw = np.array([0.0, *(micro_batch.total or 0.0 for micro_batch in added)])
    problem = _problem(window, added, raw)
    raw = np.where(np.isfinite(raw), raw, 0.0)
    limit = _NOISE * max(1.0, max(window.weights) * len(window.weights))
    noisy = bool(max(np.abs(raw).max(), np.abs(np.diff(raw)).max(initial=0.0)) > limit)
    arrows = moment.arrows()
    return Facts(
        layers=moment.run.layers,
        window=window,
        added=added,
        comparison=comparison,
        levels=np.clip(raw, -limit, limit),
        limit=limit,
        points=_points(arrows),
        arrows=arrows,
        ratios=_ratios(window, added),
        expected=float(sum(window.weights)),
        problem=problem,
        noisy=noisy,
        fault_above=_fault_above(window, added, comparison),
    )


def headlines(facts: Facts, in_times: bool) -> tuple[str, ...]:
    """The sentence over the picture; after it, shorter ones for where it does not fit.

    Of a complete window it is what the verdict says; on the way, totals are written as the axis is.
    """
    k, n = len(facts.added), facts.count
    begin = f"all {n} added: " if k == n > 1 else f"{k} of {n} added: "
    if facts.problem:
        return (begin + facts.problem, facts.problem)
    if k == 0:
        return (begin + "the target stands, .grad is empty", begin + ".grad is empty")
    found = facts.comparison
    if found is None:
        _, total = printed_shares(facts.added, in_times)
        reached = total if in_times else f"{total} of"
        return (begin + f"{reached} the full-batch gradient", begin + reached.removesuffix(" of"))
    if found.kind == "equal":
        return (begin + "lands on the full-batch gradient", begin + "lands on it")
    return (begin + found.verdict, capitalised(found.verdict))


def mark_of(facts: Facts) -> Mark | None:
    """The mark before the sentence; None where nothing can be judged."""
    if not facts.known or (facts.comparison and facts.comparison.kind == "none"):
        return None
    if facts.comparison is None:
        return "dots"
    return "check" if facts.equal else "cross"


def degrees(angle: float) -> str:
    """An angle in words: 37°, 0.4°."""
    return f"{angle:.0f}°" if angle >= 9.95 else f"{angle:.1f}°"


def sizes_in_words(window: WindowStarted) -> str:
    """How many samples a micro-batch has."""
    low, high = min(window.sizes), max(window.sizes)
    return f"{low} to {high} samples" if low != high else f"{low} sample" + ("s" if low != 1 else "")


def described(facts: Facts, headline: str) -> str:
    """The whole picture in one or two sentences, for those who do not see it."""
    words = f"Step {facts.window.step}. {headline}."
    return words + (" Mostly noise here: the pieces cancel." if facts.noisy else "")


def shown_weights(window: WindowStarted) -> np.ndarray:
    """Which of the window's coordinates are drawn as single weights: evenly spaced, some of each layer."""
    known = len(window.coordinates)
    count = min(SINGLE_WEIGHTS, known)
    return np.arange(count) * (known - 1) // max(1, count - 1)


def _fault_above(
    window: WindowStarted, added: tuple[MicroBatchAdded, ...], comparison: Comparison | None
) -> bool:
    if is_forgotten(window.scaling, len(window.sizes)):
        return True
    if comparison is None or comparison.kind in ("equal", "none"):
        return False
    return (added[-1].total or 0.0) > _ENDS_ABOVE


def _problem(window: WindowStarted, added: tuple[MicroBatchAdded, ...], totals: np.ndarray) -> str:
    if not np.isfinite(window.reference_norm) or not np.isfinite(totals).all():
        return "the gradient is not finite"
    if window.reference_norm < 1e-30 or (added and added[-1].total is None):
        return "no gradient to compare with"
    return ""


def _points(arrows: Arrows | None) -> np.ndarray:
    if arrows is None:
        return np.zeros((1, 2))
    points = np.vstack([np.zeros((1, 2)), np.cumsum(arrows.pieces, axis=0, dtype=np.float64)])
    return np.where(np.isfinite(points), points, 0.0)


def _ratios(window: WindowStarted, added: tuple[MicroBatchAdded, ...]) -> np.ndarray:
    shown = shown_weights(window)
    if not added or not len(shown):
        return np.zeros(len(shown))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.divide(added[-1].values[shown], window.reference_values[shown], dtype=np.float64)
    return np.where(np.isfinite(ratios), ratios, 0.0)
