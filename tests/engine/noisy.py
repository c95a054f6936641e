"""A small problem whose forward draws and counts: dropout and BatchNorm, which no task that ships has yet."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from gradviz import tasks
from gradviz.config import RunConfig
from gradviz.tasks import Problem, Task

SAMPLES, CLASSES = 64, 3


def net() -> nn.Sequential:
    """An 8-16-3 net with dropout before and after a normalization."""
    return nn.Sequential(
        nn.Dropout(0.2),
        nn.Linear(8, 16),
        nn.BatchNorm1d(16),
        nn.Tanh(),
        nn.Dropout(0.5),
        nn.Linear(16, CLASSES),
    )


def data(dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """All samples: inputs, shape (64, 8), and classes."""
    inputs = torch.randn(SAMPLES, 8, generator=torch.Generator().manual_seed(1))
    return inputs.to(dtype), torch.arange(SAMPLES) % CLASSES


def per_sample_loss(outputs: Tensor, targets: Tensor) -> Tensor:
    return functional.cross_entropy(outputs, targets, reduction="none")


def install(patch: pytest.MonkeyPatch, make: Callable[[], nn.Module] = net) -> None:
    """Let every task be this problem, until the patch is undone."""

    def build(config: RunConfig, device: torch.device, dtype: torch.dtype) -> Problem:
        inputs, targets = data(dtype)
        return Problem(
            model=make().to(device, dtype),
            model_title="noisy",
            inputs=inputs.to(device),
            targets=targets.to(device),
            loss=per_sample_loss,
            guessing_loss=math.log(CLASSES),
            guessing_title="ln 3",
            pictures=None,
        )

    task = Task("digits", "noisy", SAMPLES, ("mlp",), build)
    patch.setattr(tasks, "find", lambda _name: task)
