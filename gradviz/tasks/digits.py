"""1 797 real handwritten digits, 8×8 grey values: which of ten is it?"""

from __future__ import annotations

import itertools
import math
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

from gradviz.tasks import Problem, Task

if TYPE_CHECKING:
    import torch

    from gradviz.config import RunConfig

PIXELS, CLASSES = 64, 10


def _build(config: RunConfig, device: torch.device, dtype: torch.dtype) -> Problem:
    # the window is painted before torch is read
    import torch
    from torch import nn
    from torch.nn import functional

    with resources.files("gradviz.resources").joinpath("digits.npz").open("rb") as file:
        data = np.load(file, allow_pickle=False)
        images, labels = data["images"], data["labels"]

    activation = {"tanh": nn.Tanh, "relu": nn.ReLU, "gelu": nn.GELU}[config.activation]
    widths = [PIXELS, *[config.width] * config.depth, CLASSES]
    layers: list[nn.Module] = []
    for inputs, outputs in itertools.pairwise(widths):
        layers += [nn.Linear(inputs, outputs), activation()]

    return Problem(
        # no activation after the last layer: it gives logits
        model=nn.Sequential(*layers[:-1]).to(device, dtype),
        model_title="-".join(map(str, widths)) + (f" {config.activation} MLP" if config.depth else " linear"),
        inputs=torch.from_numpy(images.reshape(-1, PIXELS)).to(device, dtype) / 16,
        targets=torch.from_numpy(labels).to(device, torch.int64),
        loss=lambda logits, classes: functional.cross_entropy(logits, classes, reduction="none"),
        guessing_loss=math.log(CLASSES),
        guessing_title=f"ln {CLASSES}",
        pictures=images * 15,
    )


TASK = Task(name="digits", title="digits", samples=1797, models=("mlp",), build=_build)
