"""The example that `gradviz task --template` prints."""

from __future__ import annotations

TEMPLATE = """\
# a task for gradviz: save it as mine.py and say   gradviz --task mine.py:circle
import torch
from torch import nn
from torch.nn.functional import cross_entropy


def circle():
    points = torch.randn(600, 2, generator=torch.Generator().manual_seed(1))  # the same ones every time
    return {
        "model": nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2)),
        "inputs": points,  # torch tensors or numpy arrays, samples along the first axis
        "targets": (points.norm(dim=1) < 1.2).long(),
        # one loss a sample: gradviz takes the means
        "loss": lambda outputs, targets: cross_entropy(outputs, targets, reduction="none"),
        # these may be left out; picture(sample) -> 2-D array of grey values 0 to 255 is a fourth
        "title": "circle",
        "guessing_loss": 0.693,
        "score": ("accuracy", "%", lambda outputs, targets: outputs.argmax(1) == targets),
    }
"""
"""A file that runs as it is."""
