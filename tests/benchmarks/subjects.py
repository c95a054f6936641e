"""What the budgets are measured on: a small MLP, a small CNN and a small GPT."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gradviz.config import RunConfig
from gradviz.tasks.own import open_task


@dataclass(frozen=True, slots=True)
class Subject:
    """A run, and how many steps make a round so that one takes about a tenth of a second or more.

    `kept_speed` is the part of the bare loop's speed that is to be left with the window open.
    """

    title: str
    configure: Callable[[], RunConfig]
    steps: int
    rounds: int
    kept_speed: float


def _gpt() -> RunConfig:
    task = open_task(f"{Path(__file__).with_name('gpt.py')}:gpt")
    return RunConfig.of({"task": task.name, "batch": 32, "micro_batches": 4, "lr": 0.05, "threads": 1})


SUBJECTS = {
    "mlp": Subject("digits MLP", lambda: RunConfig.of({"threads": 1}), 25, 60, 0.92),
    "cnn": Subject("digits CNN", lambda: RunConfig.of({"model": "cnn", "threads": 1}), 2, 12, 0.97),
    "gpt": Subject("small GPT", _gpt, 1, 12, 0.97),
}
