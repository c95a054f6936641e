"""What is said of the single weights: a sentence over them, and one weight in detail."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gradviz.names import WeightNames

from ..stack.scale import written
from ..verdict_words import scientific
from .columns import PIECES
from .facts import Facts

_A_LINE = 4
# ratios that differ by less than this part are called one
_ALIKE = 5e-3
_FAR = 10.0


def headlines(facts: Facts) -> tuple[str, ...]:
    """The sentence over the picture; after it, shorter ones for where it does not fit."""
    k, n, weights = facts.added, facts.count, len(facts.reference)
    begin = f"all {n} added: " if k == n > 1 else f"{k} of {n} added: "
    if facts.problem:
        return (begin + facts.problem, facts.problem)
    if k == 0:
        return (begin + "the full batch is the target, .grad is still empty", begin + ".grad is empty")
    if k < n:
        middle = written(float(np.median(facts.ratios)), facts.in_times)
        of_it = "" if facts.in_times else " of"
        return (
            f"{begin}half of the weights have reached {middle}{of_it} their full-batch value",
            f"{begin}half have reached {middle}",
        )
    if facts.apart <= facts.tolerance:
        apart = f"to within {scientific(facts.apart)} of the largest"
        end = "every weight ends at its full-batch value"
        return (f"{begin}{end}, {apart}", f"{begin}{end}", "ends at the full-batch values")
    return _unequal(facts, begin, weights)


def _unequal(facts: Facts, begin: str, weights: int) -> tuple[str, ...]:
    low, high = float(facts.ratios.min()), float(facts.ratios.max())
    if abs(high - low) <= _ALIKE * abs(high):
        middle = written(float(np.median(facts.ratios)), True)
        return (
            f"{begin}all {weights} are {middle} their full-batch values",
            f"all {weights} are {middle} their full-batch values",
            f"all are {middle} the full batch",
        )
    first, last = written(low, True), written(high, True)
    return (
        f"{begin}from {first} to {last} their full-batch values",
        f"from {first} to {last} the full batch",
    )


def weight_lines(facts: Facts, index: int) -> tuple[str, ...]:
    """One weight: its name and place, then its raw values, then the pieces' shares, in several lines."""
    coordinate = facts.coordinates[index : index + 1]
    name, last = WeightNames(facts.layers).at(coordinate)[0], facts.layers[-1]
    full, now = float(facts.reference[index]), float(facts.accumulated[index])
    of_it = f", {_part(facts, now, full)} of it" if facts.added else ""
    lines = [
        f"{name}, weight {int(coordinate[0]) + 1} of {last.start + last.size}",
        f".grad {raw(now)}, full batch {raw(full)}{of_it}",
    ]
    if facts.count > PIECES:
        return (*lines, f"{facts.count} micro-batches: too many to list")
    return (*lines, *_pieces(facts, index, full))


def raw(value: float) -> str:
    """A gradient's value to six digits."""
    return f"{value:.6g}".replace("-", "−")


def _pieces(facts: Facts, index: int, full: float) -> list[str]:
    levels = facts.levels[:, index].tolist()
    shares = [after - before for before, after in pairwise(levels)]
    told = [f"{number}: {_part(facts, share, full, True)}" for number, share in enumerate(shares, start=1)]
    wide = _A_LINE if len(told) <= 16 else 2 * _A_LINE
    rows = ["   ".join(told[first : first + wide]) for first in range(0, len(told), wide)]
    return [f"{'micro-batches  ' if row == 0 else ''}{words}" for row, words in enumerate(rows)]


def _part(facts: Facts, value: float, full: float, signed: bool = False) -> str:
    """A value as a part of the weight's full-batch value."""
    part = value / full if full else float("inf")
    if not np.isfinite(part):
        return raw(value)
    return written(part, facts.in_times or abs(part) >= _FAR, signed)
