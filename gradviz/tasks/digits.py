"""1 797 real handwritten digits, 8×8 grey values: which of ten is it?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gradviz.tasks import Problem, Task
from gradviz.tasks._data import ACCURACY, arrays

if TYPE_CHECKING:
    import torch

    from gradviz.config import RunConfig

SIDE, CLASSES = 8, 10


def _build(config: RunConfig, device: torch.device, dtype: torch.dtype) -> Problem:
    # the window is painted before torch is read
    import torch
    from torch.nn import functional

    from gradviz.tasks._models import cnn, mlp

    data = arrays("digits.npz")
    images, labels = data["images"], data["labels"]
    if config.model == "cnn":
        model, title = cnn(config, SIDE, CLASSES)
    else:
        model, title = mlp(config, SIDE * SIDE, CLASSES)
    return Problem(
        model=model.to(device, dtype),
        model_title=title,
        inputs=torch.from_numpy(images.reshape(-1, SIDE * SIDE)).to(device, dtype) / 16,
        targets=torch.from_numpy(labels).to(device, torch.int64),
        loss=lambda logits, classes: functional.cross_entropy(logits, classes, reduction="none"),
        guessing_loss=math.log(CLASSES),
        guessing_title=f"ln {CLASSES}",
        pictures=images * 15,
        score=ACCURACY,
    )


TASK = Task(
    name="digits",
    title="digits",
    samples=1797,
    models=("mlp", "cnn"),
    build=_build,
    shapes={"cnn": ("width", "activation")},
    # measured: 12.4 MiB whole, 1.8 MiB in eight pieces
    cards={"cnn": 4 * 2**20},
    about="1797 real handwritten digits, 8×8 grey values: which of ten is it?",
)
