"""What is trained. One module here is one task: a new file is a new task."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import torch

    from gradviz.config import RunConfig


@dataclass(frozen=True, slots=True)
class Problem:
    """A task made concrete for one configuration. Everything lies on the run's device, in its precision.

    `model` has its first weights, drawn from torch's global random state. `inputs` and `targets` hold the
    whole data set, samples along the first axis. `loss(outputs, targets)` gives one loss a sample, shape
    (samples,). `guessing_loss` is what a model that knows nothing but the class sizes gets, in the same
    unit. `pictures` are the samples as grey values, shape (samples, height, width), or None.
    """

    model: torch.nn.Module
    model_title: str
    inputs: torch.Tensor
    targets: torch.Tensor
    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
    guessing_loss: float
    guessing_title: str
    pictures: np.ndarray | None


@dataclass(frozen=True, slots=True)
class Task:
    """What can be said of a task without torch, and `build(config, device, dtype)`, which needs it."""

    name: str
    title: str
    samples: int
    models: tuple[str, ...]
    build: Callable[[RunConfig, torch.device, torch.dtype], Problem]


def names() -> tuple[str, ...]:
    """The tasks that ship, by name."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in modules if not name.startswith("_")))


def find(name: str) -> Task:
    """The task called `name`; a module of this package with the attribute TASK. KeyError if there is none."""
    if name not in names():
        raise KeyError(name)
    task: Task = importlib.import_module(f"{__name__}.{name}").TASK
    return task
