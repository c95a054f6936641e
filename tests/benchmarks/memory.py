"""The traced memory figure against the allocator's own log."""

from __future__ import annotations

import sys
from pathlib import Path

import gpt
import torch
from figures import Figure

# the loops whose memory is logged are those of the tests
sys.path.append(str(Path(__file__).parents[1] / "engine"))

from memory_runs import (
    Setup,
    adam,
    digits_like,
    logged_peaks,
    mlp,
    momentum,
    relu_net,
    sgd,
    traced,
    wide_cnn,
)


def measure() -> list[Figure]:
    """The largest deviation of a window's peak, over models, optimizers and N."""
    torch.set_num_threads(1)
    task = gpt.gpt()
    samples = task["inputs"][:16], task["targets"][:16]
    setups = (
        digits_like(mlp, sgd),
        digits_like(mlp, adam),
        digits_like(relu_net, momentum),
        digits_like(wide_cnn, sgd),
        digits_like(wide_cnn, adam, 512),
        Setup(gpt.GPT, *samples, adam, lambda outputs, targets: task["loss"](outputs, targets).mean()),
    )
    parts = [part for setup in setups for pieces in (1, 8) for part in _deviations(setup, pieces)]
    name, note = "CPU memory figure against the allocator's log", f"worst of {len(parts)} peaks"
    return [Figure(name, 1.0, 100 * max(parts), "%", note=f"{note}; MLP, CNN, GPT")]


def _deviations(setup: Setup, pieces: int) -> list[float]:
    logged = logged_peaks(setup, pieces, windows=3)
    samples = traced(setup, pieces, windows=3)
    return [abs(sample.peak_bytes / right - 1) for sample, right in zip(samples, logged, strict=True)]
