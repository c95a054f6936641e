"""All that can happen in a run, as facts in the past tense.

A run is a stream of these. It begins with RunStarted and ends with RunFinished or RunFailed. Every step
gives one StepFinished; a seen step also gives, before it, WindowStarted, PlaneSampled where that is watched,
a MicroBatchAdded for each micro-batch, and Compared. A window that is taken again starts anew with
WindowStarted. Arrays are copies and read-only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gradviz.comparison import Comparison
from gradviz.config import RunConfig
from gradviz.layers import Layer, LayerComparison
from gradviz.memory import MemorySample

State = Literal["training", "exploded", "stuck", "diverged", "does not fit"]
LaneName = Literal["full", "accumulated"]


@dataclass(frozen=True, slots=True, eq=False)
class RunStarted:
    """The model is built and the first weights are drawn. `config` is complete: no "auto" is left in it.

    `layers` are the model's parameters in the order of the flat gradient. `score_title` and `score_unit` say
    what is quoted beside the loss, or are None and "". `points`, shape (samples, 2), and `labels`, (samples,)
    of 0 and 1, are there where the inputs are points in a plane.
    """

    config: RunConfig
    task_title: str
    model_title: str
    device_title: str
    parameters: int
    guessing_loss: float
    guessing_title: str
    layers: tuple[Layer, ...]
    score_title: str | None
    score_unit: str
    points: np.ndarray | None
    labels: np.ndarray | None


@dataclass(frozen=True, slots=True, eq=False)
class WindowStarted:
    """A seen window began: the reference gradient R is known, `.grad` is empty.

    `reference_norm` is ‖R‖, `layer_norms` that of each layer's part R_l, shape (layers,). `coordinates` are
    up to 256 indices into the flat gradient, `reference_values` R there. `watched` is the layer that is
    watched, or None, and `watched_reference` R in it, up to its first 131 072 numbers. `pictures` holds,
    for each micro-batch, the first samples as grey values from 0 to 255, shape (samples, height, width), or
    is None. `reference_in_pieces` says that R is the sum of the micro-batches' gradients, weighted by their
    samples, because the whole batch does not fit in memory.
    """

    step: int
    retaken: bool
    sizes: tuple[int, ...]
    weights: tuple[float, ...]
    scaling: str
    lr: float
    reference_norm: float
    layer_norms: np.ndarray
    coordinates: np.ndarray
    reference_values: np.ndarray
    watched: int | None
    watched_reference: np.ndarray | None
    reference_in_pieces: bool
    pictures: tuple[np.ndarray, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class MicroBatchAdded:
    """One micro-batch's backward is done and its gradient is in `.grad`.

    `index` counts from 1. `loss` is the mean loss of its samples, `weight` what that was multiplied by.
    `share` is ⟨w_k g_k, R⟩/‖R‖² and `total` the sum of the shares so far; both None where ‖R‖ < 1e-30.
    `values` is `.grad` at the window's coordinates. `products` are ⟨w_k g_k, w_j g_j⟩/‖R‖² for
    j = 1…k, shape (k,); told only where the run goes by counted credits and the pieces are not too many.
    `layers` is `.grad` so far against R by layer, also told only then. `watched_values` is `.grad` in the
    watched layer, as long as the window's `watched_reference`.
    """

    step: int
    index: int
    samples: int
    weight: float
    loss: float
    share: float | None
    total: float | None
    values: np.ndarray
    products: np.ndarray | None
    layers: LayerComparison | None
    watched_values: np.ndarray | None


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The window is complete: A is compared with R. `why` is one sentence, or empty where A equals R.

    `products` are ⟨w_i g_i, w_j g_j⟩/‖R‖², shape (N, N), or None where the pieces are too many to be kept.
    """

    step: int
    comparison: Comparison
    why: str
    products: np.ndarray | None
    layers: LayerComparison


@dataclass(frozen=True, slots=True, eq=False)
class PlaneSampled:
    """What the lanes say of a plane of inputs, at the weights at which step `step` begins.

    Each array holds the probability of the second class on a grid, shape (rows, columns), rows upwards from
    `low` to `high`, both (x, y), ends included; None for a lane that is not trained.
    """

    step: int
    low: tuple[float, float]
    high: tuple[float, float]
    full: np.ndarray | None
    accumulated: np.ndarray | None


@dataclass(frozen=True, slots=True, eq=False)
class MemorySampled:
    """Memory of one lane in the window of this step, up to now or, if `sample.complete`, whole."""

    step: int
    lane: LaneName
    sample: MemorySample


@dataclass(frozen=True, slots=True, eq=False)
class StepFinished:
    """The optimizers have stepped. Losses were measured at the weights before; None for a lane not trained.

    A lane that has diverged steps no more, and its loss is None from the step after on; that of one that does
    not fit in memory is None at once.
    `units_off` is (off, all) hidden units, known on seen steps of a stuck run. The scores are means of the
    task's score over the window's samples, from the very outputs that gave the losses; known on seen steps.
    """

    step: int
    loss_full: float | None
    loss_accumulated: float | None
    loss_twin: float | None
    micro_batches: int
    scaling: str
    lr: float
    state_full: State | None
    state_accumulated: State | None
    units_off: tuple[int, int] | None
    score_full: float | None
    score_accumulated: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Resynced:
    """The full-batch lane's weights and optimizer state were copied to the accumulated lane before `step`."""

    step: int


@dataclass(frozen=True, slots=True, eq=False)
class RunFinished:
    """The run ended as asked, after `steps` optimizer steps."""

    steps: int


@dataclass(frozen=True, slots=True, eq=False)
class RunFailed:
    """The run ended by an error; `sentence` says what and where, the log has the traceback."""

    step: int
    sentence: str


Event = (
    RunStarted
    | WindowStarted
    | MicroBatchAdded
    | Compared
    | MemorySampled
    | PlaneSampled
    | StepFinished
    | Resynced
    | RunFinished
    | RunFailed
)
