"""Files with a task of the user's own, for the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gradviz.tasks import Task, own
from gradviz.tasks.own.building import Found
from gradviz.tasks.own.check import examined
from gradviz.tasks.own.loading import Printed
from gradviz.tasks.own.source import Source

GOOD = """import torch
from torch import nn
from torch.nn.functional import cross_entropy
def make():
    points = torch.randn(30, 3, generator=torch.Generator().manual_seed(1))
    return dict(model=nn.Linear(3, 2), inputs=points, targets=(points[:, 0] > 0).long(),
                loss=lambda o, t: cross_entropy(o, t, reduction="none"))
"""
MARK = "import pathlib; pathlib.Path('ran').touch()\n"
"""A line whose execution can be seen."""
COUNTS = """def calls():
    with open("ran", "a+") as f:
        return f.write("x") and f.tell()
"""
"""A function that knows how often it was called, in whatever process."""


def opener(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Task]:
    """A function that writes mine.py and opens it, examined in this process: another takes a second."""

    def examine(source: Source, _limit_s: float, _cancelled: Callable[[], bool]) -> Found:
        return examined(source, Printed())

    def write_and_open(text: str) -> Task:
        Path("mine.py").write_text(text, "utf-8")
        return own.open_task("mine.py:make")

    monkeypatch.setattr(own, "examine", examine)
    return write_and_open
