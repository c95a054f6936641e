"""A step of the trainer against a step of the bare loop."""

from __future__ import annotations

import statistics

import torch
from figures import Figure
from loops import BareLoop, EngineLoop, seconds_a_step

WARM_UP, STEPS, ROUNDS = 20, 25, 60


def measure() -> list[Figure]:
    """Medians of many short rounds that take turns, so that what else the machine does hits all alike."""
    torch.set_num_threads(1)
    loops = (BareLoop(), EngineLoop(seen=False), EngineLoop(seen=True))
    for loop in loops:
        seconds_a_step(loop, WARM_UP)
    rounds = [[seconds_a_step(loop, STEPS) for loop in loops] for _ in range(ROUNDS)]
    unseen = statistics.median(unseen / bare for bare, unseen, _ in rounds)
    seen = statistics.median(seen / bare for bare, _, seen in rounds)
    bare_ms = 1000 * min(bare for bare, _, _ in rounds)
    return [
        Figure("an unseen step ÷ a bare step", 1.03, unseen, note=f"bare {bare_ms:.2f} ms, digits MLP"),
        Figure("a seen step ÷ a bare step", 1.6, seen),
    ]
