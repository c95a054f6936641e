"""A step of the trainer against a step of the bare loop."""

from __future__ import annotations

import statistics

import torch
from figures import Figure
from loops import BareLoop, EngineLoop, seconds_a_step
from subjects import SUBJECTS


def measure(name: str) -> list[Figure]:
    """Medians of many short rounds that take turns, so that what else the machine does hits all alike."""
    torch.set_num_threads(1)
    subject = SUBJECTS[name]
    config = subject.configure()
    loops = (BareLoop(config), EngineLoop(config, seen=False), EngineLoop(config, seen=True))
    for loop in loops:
        # the first two are measured for their memory
        seconds_a_step(loop, max(4, subject.steps))
    rounds = [[seconds_a_step(loop, subject.steps) for loop in loops] for _ in range(subject.rounds)]
    unseen = statistics.median(unseen / bare for bare, unseen, _ in rounds)
    seen = statistics.median(seen / bare for bare, _, seen in rounds)
    bare_ms = 1000 * min(bare for bare, _, _ in rounds)
    return [
        Figure(f"an unseen step ÷ a bare step, {subject.title}", 1.03, unseen, note=f"bare {bare_ms:.3g} ms"),
        Figure(f"a seen step ÷ a bare step, {subject.title}", 1.6, seen),
    ]
