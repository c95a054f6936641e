"""333 real penguins: how heavy is one with such a bill, such flippers, of that species and sex?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gradviz.tasks import Problem, Score, Task
from gradviz.tasks._data import arrays

if TYPE_CHECKING:
    import torch

    from gradviz.config import RunConfig

SPECIES = 3


def penguins() -> tuple[np.ndarray, np.ndarray]:
    """What is known of each penguin, shape (333, 7), every column of mean 0 and variance 1; and its grams."""
    data = arrays("penguins.npz")
    species = data["species"][:, None] == np.arange(SPECIES)
    columns = np.column_stack([data["sizes_mm"], species, data["male"]]).astype(np.float64)
    return (columns - columns.mean(axis=0)) / columns.std(axis=0), data["mass_g"].astype(np.float64)


def _build(config: RunConfig, device: torch.device, dtype: torch.dtype) -> Problem:
    # the window is painted before torch is read
    import torch

    from gradviz.tasks._models import mlp

    inputs, mass_g = penguins()
    spread_g = float(mass_g.std())
    targets = (mass_g - mass_g.mean()) / spread_g
    model, title = mlp(config, inputs.shape[1], 1)
    return Problem(
        model=model.to(device, dtype),
        model_title=title,
        inputs=torch.from_numpy(inputs).to(device, dtype),
        targets=torch.from_numpy(targets).to(device, dtype),
        loss=lambda outputs, targets: (outputs.squeeze(1) - targets).square(),
        # whoever always says the mean errs by the variance, which was made 1
        guessing_loss=float(targets.var()),
        guessing_title="the variance",
        score=Score("mean error", "g", lambda out, targets: np.abs(out[:, 0] - targets) * spread_g),
    )


TASK = Task(
    name="penguins",
    title="penguins",
    samples=333,
    models=("mlp",),
    build=_build,
    # squares are steeper than a cross-entropy: 0.5 diverges here
    learning_rates={"mlp": {"sgd": 0.05, "momentum": 0.02}},
    # measured: 203 KiB whole, 30 KiB in eight pieces
    cards={"mlp": 96 * 1024},
    about="333 real penguins: how heavy is one with such a bill, such flippers, of that species and sex?",
)
