"""What one moment says of one layer: four arrays, their scales, and a sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gradviz.comparison import TOLERANCE
from gradviz.events import WindowStarted
from gradviz.history import Moment
from gradviz.layers import Layer

from ..marks import Mark
from ..stack.scale import written
from ..verdict_words import scientific

Floats = NDArray[np.float64]

_TINY = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """One layer at one moment, each array flat and as long as what is told of the layer.

    `piece` is what the newest micro-batch added, `largest` the greatest |R|, `reach` that of the piece and of
    A. `unit` is (height, width) of the picture that each row is, where the layer reads the samples' own
    pictures. `rounding` says that all pieces are added and the layer is equal, up to rounding; `judged` that
    the window was compared as a whole.
    """

    layer: Layer
    step: int
    added: int
    count: int
    scaling: str
    piece: Floats | None
    accumulated: Floats
    reference: Floats
    unit: tuple[int, int] | None
    largest: float
    reach: float
    rounding: bool
    judged: bool

    @property
    def complete(self) -> bool:
        """Whether all pieces are added."""
        return self.added == self.count

    @property
    def difference(self) -> Floats:
        """A − R."""
        return self.accumulated - self.reference

    @property
    def apart(self) -> float:
        """The greatest |A − R|."""
        return _greatest(self.difference)


def facts_of(moment: Moment, chosen: int) -> Facts | None:
    """Read a moment; None where it tells nothing of the layer that is chosen."""
    window = moment.window
    if window is None or window.watched != chosen or window.watched_reference is None:
        return None
    values = [added.watched_values for added in moment.added]
    if values and values[-1] is None:
        return None
    reference = np.asarray(window.watched_reference, dtype=np.float64)
    now = np.zeros_like(reference) if not values else np.asarray(values[-1], dtype=np.float64)
    before = np.zeros_like(reference) if len(values) < 2 else values[-2]
    piece = None if not values or before is None else now - before
    largest = _greatest(reference)
    return Facts(
        layer=moment.run.layers[chosen],
        step=window.step,
        added=len(values),
        count=len(window.sizes),
        scaling=window.scaling,
        piece=piece,
        accumulated=now,
        reference=reference,
        unit=_unit(moment.run.layers[chosen], window),
        largest=largest,
        reach=max(_greatest(now), 0.0 if piece is None else _greatest(piece)),
        rounding=_is_rounding(moment, _greatest(now - reference), largest),
        judged=moment.compared is not None,
    )


def scale_end(facts: Facts) -> float:
    """Where the scale of the first three pictures should end: with the full batch, which does not change."""
    return facts.largest or facts.reach


def difference_limit(facts: Facts, limit: float) -> float:
    """The end of the difference's own scale: `limit`, or so many powers of ten less that it still fits."""
    if not 0 < facts.apart < limit:
        return limit
    return float(limit * 10.0 ** math.ceil(math.log10(facts.apart / limit) - 1e-9))


def magnified(limits: tuple[float, float]) -> str:
    """How many times finer the difference's scale is than the common one; empty where they are one scale."""
    times = limits[0] / limits[1]
    if times < 1.5:
        return ""
    return f"{round(times):,}".replace(",", " ") if times < 1e9 else f"1e{round(math.log10(times))}"


def headlines(facts: Facts) -> tuple[str, ...]:
    """The sentence over the pictures; after it, shorter ones for where it does not fit."""
    k, n = facts.added, facts.count
    begin = f"all {n} added: " if k == n > 1 else f"{k} of {n} added: "
    if not (np.isfinite(facts.accumulated).all() and np.isfinite(facts.reference).all()):
        return (begin + "the gradient is not finite", "the gradient is not finite")
    if k == 0:
        return (begin + "the full batch is the target, .grad is still empty", begin + ".grad is empty")
    if not facts.largest:
        return (begin + "this layer's full-batch gradient is 0", "no gradient here")
    part = facts.apart / facts.largest
    if part == 0:
        return (begin + "no difference at all, bit for bit", "no difference, bit for bit")
    if facts.rounding:
        apart = f"at most {scientific(part)} of the largest"
        return (f"{begin}rounding only, difference {apart}", f"rounding only, {apart}")
    size = scientific(part) if part < _TINY else written(part, part >= 2)
    apart = f"{size} {'the' if part >= 2 else 'of the'} largest"
    return (f"{begin}difference up to {apart} in the full batch", f"difference up to {apart}")


def mark_of(facts: Facts) -> Mark:
    """A check where the layer is equal, a cross where it is compared and is not, dots before that."""
    if not facts.complete or not facts.largest:
        return "dots"
    if facts.rounding or facts.apart == 0:
        return "check"
    return "cross" if facts.judged else "dots"


def _unit(layer: Layer, window: WindowStarted) -> tuple[int, int] | None:
    """Only the model's first layer has inputs that are the pixels of a sample."""
    if not window.pictures or layer.start or len(layer.shape) != 2:
        return None
    _, height, width = window.pictures[0].shape
    return (height, width) if height * width == layer.shape[1] else None


def _is_rounding(moment: Moment, apart: float, largest: float) -> bool:
    if moment.window is None or len(moment.added) < len(moment.window.sizes):
        return False
    near = apart <= TOLERANCE[moment.run.config.precision] * largest
    return near or (moment.compared is not None and moment.compared.comparison.kind == "equal")


def _greatest(values: Floats) -> float:
    sizes = np.abs(values)
    return float(np.where(np.isfinite(sizes), sizes, 0.0).max(initial=0.0))
