"""Every setting of a run with its range, unit, title and help, and what may be said of it."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import Meta

from gradviz import tasks
from gradviz.units import format_bytes, plain

Scaling = Literal["mean", "unscaled", "samples"]
Optimizer = Literal["sgd", "momentum", "adam", "adamw"]
Lanes = Literal["both", "accumulated", "full"]
Precision = Literal["float32", "float64", "bfloat16"]

LIVE = frozenset({"micro_batches", "scaling", "lr", "twin"})
"""What can change while a run goes on. Everything else starts a new run."""

MAX_BATCH = 65536
"""No batch is larger, whatever the task."""


def _cores() -> int:
    # a container or taskset may leave this process fewer than the machine has
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return cores or 1


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of one run, as they are by default. Nothing is checked here: see `RunConfig.of`."""

    task: Annotated[str, Meta(title="Task", description="what is trained")] = "digits"
    model: Annotated[str, Meta(title="Model", description="which of the task's models")] = "mlp"
    width: Annotated[
        int,
        Meta(
            ge=1,
            le=512,
            title="Width",
            description="units or channels a layer",
            extra={"unit": "units"},
        ),
    ] = 64
    depth: Annotated[
        int, Meta(ge=0, le=8, title="Depth", description="hidden layers", extra={"unit": "layers"})
    ] = 1
    activation: Annotated[
        Literal["tanh", "relu", "gelu"], Meta(title="Activation", description="between the layers")
    ] = "tanh"
    batch: Annotated[
        int,
        Meta(
            ge=1,
            le=MAX_BATCH,
            title="Batch B",
            description="samples in one effective batch, which ends in one optimizer step",
            extra={"unit": "samples"},
        ),
    ] = 256
    micro_batches: Annotated[
        int,
        Meta(
            ge=1,
            le=MAX_BATCH,
            title="Micro-batches N",
            description="the pieces that a batch is taken in",
            extra={"unit": "micro-batches"},
        ),
    ] = 8
    sizes: Annotated[
        Annotated[tuple[Annotated[int, Meta(ge=1, le=MAX_BATCH)], ...], Meta(min_length=1)] | None,
        Meta(
            title="Sizes",
            description="samples of each micro-batch, if they are not to be even",
            extra={"unit": "samples"},
        ),
    ] = None
    scaling: Annotated[
        Scaling,
        Meta(
            title="Scaling", description="what each micro-batch's mean loss is multiplied by before backward"
        ),
    ] = "mean"
    optimizer: Annotated[Optimizer, Meta(title="Optimizer", description="one of torch's own")] = "sgd"
    lr: Annotated[
        float,
        Meta(
            ge=1e-6,
            le=100.0,
            title="Learning rate",
            description="the optimizer's step size; each optimizer has its own default",
        ),
    ] = tasks.LEARNING_RATES["sgd"]
    lanes: Annotated[
        Lanes, Meta(title="Lanes", description="which runs are trained: both, or one alone to save memory")
    ] = "both"
    twin: Annotated[
        bool,
        Meta(
            title="Twin",
            description="with SGD and unscaled: also train a correct run at N times the learning rate",
        ),
    ] = False
    device: Annotated[
        str,
        Meta(
            # `$` alone would let a line break follow
            pattern=r"^(auto|cpu|cuda(:[0-9]{1,3})?|mps)\Z",
            title="Device",
            description="where it is trained: auto, cpu, mps, cuda or, for the second card, cuda:1",
        ),
    ] = "auto"
    precision: Annotated[
        Precision, Meta(title="Precision", description="number format of weights and gradients")
    ] = "float32"
    seed: Annotated[
        int, Meta(ge=0, le=2**31 - 1, title="Seed", description="first weights and order of the samples")
    ] = 0
    threads: Annotated[
        int,
        Meta(
            ge=1,
            le=256,
            title="Threads",
            description="torch's threads; by default one core is left to the screen",
            extra={"unit": "threads"},
        ),
    ] = min(256, max(1, _cores() - 1))
    card: Annotated[
        int,
        Meta(
            ge=1024,
            le=2**49,
            title="Card",
            description="memory of the imagined graphics card, such as 192KiB",
            extra={"unit": "bytes"},
        ),
    ] = 192 * 1024


FIELDS: dict[str, Any] = get_type_hints(Settings, include_extras=True)
"""Annotated type of each setting, in the order of the class."""


def meta(name: str) -> Meta:
    """Title, help, range and unit of the setting `name`."""
    found: Meta = get_args(FIELDS[name])[1]
    return found


def unit(name: str) -> str:
    """What the setting `name` is counted in, such as "samples", or "" for a plain number or a word."""
    found: str = (meta(name).extra or {}).get("unit", "")
    return found


def choices(name: str) -> tuple[str, ...]:
    """The words that the setting `name` can be, or () if it is not one of a few words."""
    if name == "task":
        return tasks.names()
    kind = get_args(FIELDS[name])[0]
    return tuple(str(word) for word in get_args(kind)) if getattr(kind, "__origin__", None) is Literal else ()


def title(name: str) -> str:
    """The setting's title as it begins a sentence that is part of another, such as "batch B"."""
    words = meta(name).title or name
    return words[0].lower() + words[1:]


def allowed(name: str) -> str:
    """In words, what the setting `name` may be."""
    words, about, kind = choices(name), meta(name), get_args(FIELDS[name])[0]
    if name == "batch":
        return f"a whole number from 1 to the task's samples, {MAX_BATCH} at most"
    if name == "micro_batches":
        return "a whole number from 1 to the samples of a batch"
    if name == "task":
        return f"{', '.join(words)} or a file of your own, FILE.py:NAME"
    if words:
        return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
    if unit(name) == "bytes":
        return f"a size from {format_bytes(about.ge or 0)} to {format_bytes(about.le or 0)}, such as 192KiB"
    if kind in (int, float):
        ends = f"from {plain(about.ge or 0)} to {plain(about.le or 0)}"
        return f"{'a whole number' if kind is int else 'a number'} {ends}"
    if kind is bool:
        return "true or false"
    if name == "sizes":
        return f"a list of whole numbers from 1 to {MAX_BATCH}, one for each micro-batch"
    if name == "device":
        return "auto, cpu, cuda, cuda:1 or mps"
    return "a name"
