"""What is trained. One module here is one task: a new file is a new task."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import torch

    from gradviz.config import RunConfig

LEARNING_RATES: dict[str, float] = {"sgd": 0.5, "momentum": 0.1, "adam": 0.01, "adamw": 0.01}
"""Each optimizer's own default learning rate, where a task has none of its own."""

CARD = 192 * 1024
"""The imagined card in bytes, where a model has none of its own."""

SHAPE = ("width", "depth", "activation")
"""The settings that give a model its shape; not every model has all of them."""

_admitted: dict[str, Task] = {}


@dataclass(frozen=True, slots=True)
class Score:
    """What people quote beside the loss, such as accuracy: one number a sample, of which the mean is shown.

    `of(outputs, targets)` takes and returns numpy arrays, samples along the first axis. `title` names it, as
    in "accuracy"; `unit` is "%" where it is a share from 0 to 1, else what it is counted in, or "".
    """

    title: str
    unit: str
    of: Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, slots=True)
class Plane:
    """Inputs that are points in a plane, and how outputs are read as the probability of the second class.

    `points` has the shape (samples, 2), `labels` (samples,) with 0 and 1. `probability(outputs)` gives one
    number from 0 to 1 for each row.
    """

    points: np.ndarray
    labels: np.ndarray
    probability: Callable[[torch.Tensor], torch.Tensor]


@dataclass(frozen=True, slots=True)
class Problem:
    """A task made concrete for one configuration. Everything lies on the run's device, in its precision.

    `model` has its first weights, drawn from torch's global random state. `inputs` and `targets` hold the
    whole data set, samples along the first axis. `loss(outputs, targets)` gives one loss a sample, shape
    (samples,). `guessing_loss` is what a model that knows nothing but the class sizes gets, in the same
    unit, or NaN where that is not known. `pictures` are the samples as grey values from 0 to 255, shape
    (samples, height, width).
    """

    model: torch.nn.Module
    model_title: str
    inputs: torch.Tensor
    targets: torch.Tensor
    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
    guessing_loss: float
    guessing_title: str
    pictures: np.ndarray | None = None
    score: Score | None = None
    plane: Plane | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What can be said of a task without torch, and `build(config, device, dtype)`, which needs it.

    `shapes` names, of the settings in SHAPE, those that a model obeys; a model that is not in it obeys all.
    `learning_rates` are a model's default learning rates by optimizer, where they are not LEARNING_RATES.
    `cards` are a model's default cards in bytes, where CARD does not lie between what the default batch
    needs whole and what it needs in pieces.
    `about` is one sentence on what is learned from what.
    """

    name: str
    title: str
    samples: int
    models: tuple[str, ...]
    build: Callable[[RunConfig, torch.device, torch.dtype], Problem]
    shapes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    learning_rates: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    cards: Mapping[str, int] = field(default_factory=dict)
    about: str = ""

    def settings(self, model: str) -> tuple[str, ...]:
        """The settings of SHAPE that have an effect on this model."""
        return self.shapes.get(model, SHAPE)

    def learning_rate(self, model: str, optimizer: str) -> float:
        """The learning rate that the optimizer has here, where nobody says another."""
        return self.learning_rates.get(model, {}).get(optimizer, LEARNING_RATES[optimizer])

    def card(self, model: str) -> int:
        """The imagined card in bytes that the model has here, where nobody says another."""
        return self.cards.get(model, CARD)


def names() -> tuple[str, ...]:
    """The tasks that ship, by name."""
    modules = (module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg)
    return tuple(sorted(name for name in modules if not name.startswith("_")))


def admitted() -> tuple[str, ...]:
    """The tasks of the user's own that were opened here, by name: "/path/to/FILE.py:NAME"."""
    return tuple(_admitted)


def admit(task: Task) -> None:
    """Let `find` know a task of the user's own; it takes the place of one of the same name."""
    _admitted[task.name] = task


def is_own(name: str) -> bool:
    """Whether that is how a task of the user's own is written, FILE.py:NAME; nothing is looked up."""
    return name.endswith(".py") or ":" in name


def own_name(name: str) -> str:
    """FILE.py:NAME with the file's whole path, which a change of directory does not touch."""
    file, _, function = name.rpartition(":")
    try:
        path = Path(file).expanduser().resolve()
    except (OSError, RuntimeError, ValueError):
        # a home that nobody has, links in a circle, or what is no path at all
        path = Path(file)
    return f"{path}:{function}"


def find(name: str) -> Task:
    """The task called `name`: one that ships, or one that was opened here. KeyError if there is none.

    No code is run for a name: a file of the user's own is read only by `gradviz.tasks.own.open_task`.
    """
    if name in names():
        task: Task = importlib.import_module(f"{__name__}.{name}").TASK
        return task
    return _admitted[own_name(name)]
