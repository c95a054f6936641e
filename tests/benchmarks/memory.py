"""The traced memory figure against the allocator's own log."""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from figures import Figure

# the loops whose memory is logged are those of the tests
sys.path.append(str(Path(__file__).parents[1] / "engine"))

from memory_runs import adam, cnn, digits_like, logged_peaks, mlp, momentum, relu_net, sgd, traced


def measure() -> list[Figure]:
    """The largest deviation of a window's peak, over models, optimizers and N."""
    torch.set_num_threads(1)
    worst, peaks = 0.0, 0
    for model, optimizer, batch in (
        (mlp, sgd, 256),
        (mlp, adam, 256),
        (relu_net, momentum, 256),
        (cnn, adam, 512),
    ):
        for pieces in (1, 8):
            setup = digits_like(model, optimizer, batch)
            logged = logged_peaks(setup, pieces, windows=3)
            for sample, right in zip(traced(setup, pieces, windows=3), logged, strict=True):
                worst = max(worst, abs(sample.peak_bytes / right - 1))
                peaks += 1
    return [
        Figure(
            "CPU memory figure against the allocator's log",
            1.0,
            100 * worst,
            "%",
            note=f"worst of {peaks} peaks",
        )
    ]
