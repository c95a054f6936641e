"""1 000 points on two interleaved half circles, made by a formula: on which of them does a point lie?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gradviz.tasks import Plane, Problem, Task
from gradviz.tasks._data import ACCURACY

if TYPE_CHECKING:
    import torch

    from gradviz.config import RunConfig

SAMPLES, NOISE = 1000, 0.12


def points() -> tuple[np.ndarray, np.ndarray]:
    """The points, shape (samples, 2), and the half circle of each, 0 or 1; the same ones every time."""
    labels = np.arange(SAMPLES) % 2
    angles = np.linspace(0, math.pi, SAMPLES // 2).repeat(2)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    # the second one hangs upside down, its left end within the first
    moons = np.where(labels[:, None] == 0, circle, (1.0, 0.5) - circle)
    # numpy promises the numbers of this old generator, not those of its newer ones
    noise = np.random.RandomState(0).normal(scale=NOISE, size=moons.shape)
    return moons + noise, labels


def _build(config: RunConfig, device: torch.device, dtype: torch.dtype) -> Problem:
    # the window is painted before torch is read
    import torch
    from torch.nn import functional

    from gradviz.tasks._models import mlp

    inputs, labels = points()
    model, title = mlp(config, 2, 2)
    return Problem(
        model=model.to(device, dtype),
        model_title=title,
        inputs=torch.from_numpy(inputs).to(device, dtype),
        targets=torch.from_numpy(labels).to(device, torch.int64),
        loss=lambda logits, classes: functional.cross_entropy(logits, classes, reduction="none"),
        guessing_loss=math.log(2),
        guessing_title="ln 2",
        score=ACCURACY,
        plane=Plane(inputs, labels, lambda logits: logits.softmax(dim=1)[:, 1]),
    )


TASK = Task(
    name="moons",
    title="moons",
    samples=SAMPLES,
    models=("mlp",),
    build=_build,
    # measured: 198 KiB whole, 27 KiB in eight pieces
    cards={"mlp": 96 * 1024},
    about="1000 points on two interleaved half circles: on which of them does a point lie?",
)
