"""Why the runs differ: the first explanation that holds, in one sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gradviz.comparison import Comparison
from gradviz.config import RunConfig
from gradviz.lanes import Lanes
from gradviz.probes import Probe
from gradviz.scaling import weights

PARTED = 1e-3
"""Losses that differ by more than this part are seen to differ."""


@dataclass(slots=True)
class Record:
    """What the windows have told since the lanes were last together.

    `parted_since` is the first step that the accumulated lane took with another gradient than the full batch
    gives, or None; of the `seen` windows so many were `equal`.
    """

    parted_since: int | None = None
    seen: int = 0
    equal: int = 0

    def count(self, step: int, comparison: Comparison | None, lanes: Lanes) -> None:
        """Take in a window that the lanes are about to step from; `comparison` is None if it was not seen."""
        if comparison is not None:
            self.seen += 1
            self.equal += comparison.kind == "equal"
        unequal = not lanes.equal_by_design or (comparison is not None and comparison.kind != "equal")
        if self.parted_since is None and unequal and lanes.full is not None:
            self.parted_since = step


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is known about a window beside its gradients; losses are None for a lane that is not trained."""

    config: RunConfig
    sizes: tuple[int, ...]
    record: Record
    loss_full: float | None
    loss_accumulated: float | None


def explain(comparison: Comparison, probe: Probe, around: Circumstances) -> str:
    """One sentence, or "" where there is nothing to explain."""
    scaling, record = around.config.scaling, around.record
    if comparison.kind == "scaled" and scaling == "unscaled":
        return _unscaled(around)
    if comparison.kind in ("scaled", "direction") and scaling == "mean" and len(set(around.sizes)) > 1:
        return _uneven(comparison, probe, around.sizes)
    if comparison.kind == "direction" and scaling == "unscaled":
        return f"{_unscaled(around)}; the pieces are uneven too, and so count unequally"
    if comparison.kind == "equal" and record.parted_since is not None:
        return f"the weights differ since step {record.parted_since}; this gradient is right: Resync"
    if comparison.kind == "equal" and record.equal == record.seen and _curves_part(around):
        return (
            f"rounding only: the gradients were equal at the same weights in every one of"
            f" {record.seen + 1} windows seen, yet the curves part"
        )
    return ""


def _unscaled(around: Circumstances) -> str:
    count = len(around.sizes)
    fault = f"1/N is missing: the gradient is {count} times too large"
    if around.config.optimizer in ("adam", "adamw"):
        name = around.config.optimizer.capitalize()
        return f"{fault}; {name} divides the factor out, so the loss hides it"
    return f"{fault}, which acts like learning rate {count * around.config.lr:g}"


def _uneven(comparison: Comparison, probe: Probe, sizes: tuple[int, ...]) -> str:
    """The error of a mean of means is Σ (1/N − b_k/B) g_k, and w_k g_k = g_k/N is what was measured."""
    right, taken = np.array(weights("samples", sizes)), np.array(weights("mean", sizes))
    predicted = probe.combined_norm((taken - right) / taken)
    error = comparison.relative_error
    figures = "" if predicted is None else f": error {predicted:.3g} predicted, {error:.3g} measured"
    return f"the pieces are uneven, but each is weighted 1/N{figures}"


def _curves_part(around: Circumstances) -> bool:
    full, accumulated = around.loss_full, around.loss_accumulated
    if full is None or accumulated is None or not (math.isfinite(full) and math.isfinite(accumulated)):
        return False
    return abs(full - accumulated) > PARTED * max(abs(full), abs(accumulated))
