"""Files with a task of the user's own, for the tests."""

from __future__ import annotations

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
