"""What a run is made of: every setting with its range, unit, title and help."""

from __future__ import annotations

import difflib
import math
import os
import reprlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import Meta

from gradviz import tasks
from gradviz.units import format_bytes, parse_bytes, plain

Scaling = Literal["mean", "unscaled", "samples"]
Optimizer = Literal["sgd", "momentum", "adam", "adamw"]
Lanes = Literal["both", "accumulated", "full"]
Precision = Literal["float32", "float64"]

LEARNING_RATES: dict[str, float] = {"sgd": 0.5, "momentum": 0.1, "adam": 0.01, "adamw": 0.01}
"""Each optimizer's own default learning rate."""

LIVE = frozenset({"micro_batches", "scaling", "lr", "twin"})
"""What can change while a run goes on. Everything else starts a new run."""


MAX_BATCH = 65536

_shown = reprlib.Repr()
_shown.maxstring = _shown.maxother = _shown.maxlong = 60


class ConfigError(ValueError):
    """A setting that cannot be used, said in one sentence; `setting` is its name where it is one of ours."""

    def __init__(self, sentence: str, setting: str | None = None) -> None:
        super().__init__(sentence)
        self.setting = setting


def _cores() -> int:
    # a container or taskset may leave this process fewer than the machine has
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return cores or 1


class RunConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of one run. `RunConfig.of` is the only way in: constructors check nothing."""

    task: Annotated[str, Meta(title="Task", description="what is trained")] = "digits"
    model: Annotated[str, Meta(title="Model", description="which of the task's models")] = "mlp"
    width: Annotated[
        int, Meta(ge=1, le=512, title="Width", description="hidden units a layer", extra={"unit": "units"})
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
    ] = LEARNING_RATES["sgd"]
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
            pattern=r"^(auto|cpu|cuda(:[0-9]{1,3})?)\Z",
            title="Device",
            description="where it is trained: auto, cpu, cuda or, for the second card, cuda:1",
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

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> RunConfig:
        """Check `settings` (missing ones take their defaults) and return the run they describe.

        Raises:
            ConfigError: one sentence that names the setting, its value and what is allowed.
        """
        checked: dict[str, Any] = {}
        for name, value in settings.items():
            checked[name] = _checked(name, value)
        if checked.get("sizes") is not None:
            checked.setdefault("batch", sum(checked["sizes"]))
            checked.setdefault("micro_batches", len(checked["sizes"]))
        checked.setdefault("lr", LEARNING_RATES[checked.get("optimizer", "sgd")])
        config = cls(**checked)
        _check_together(config)
        return config

    def changed(self, **settings: object) -> RunConfig:
        """This run with some settings changed, checked again as a whole.

        A new optimizer brings its own learning rate, new sizes their own N and B; a new N or B gives up sizes
        given by hand.
        """
        known: dict[str, object] = msgspec.structs.asdict(self)
        if settings.get("optimizer", self.optimizer) != self.optimizer:
            del known["lr"]
        if settings.get("sizes") is not None:
            del known["batch"], known["micro_batches"]
        elif {"micro_batches", "batch"} & set(settings):
            known["sizes"] = None
        return RunConfig.of({**known, **settings})


FIELDS: dict[str, Any] = get_type_hints(RunConfig, include_extras=True)
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
        return "auto, cpu, cuda or cuda:1"
    return "a name"


def suggestion(name: object, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: "; did you mean ...?", or "" where nothing is near."""
    near = difflib.get_close_matches(str(name).lower().replace("-", "_"), list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def shown(value: object) -> str:
    """`value` as it is written in a sentence: on one line, and cut where it is long."""
    try:
        return " ".join(_shown.repr(value).split())
    except Exception:  # any object may come, its own __repr__ included
        return f"a {type(value).__name__}"


def _checked(name: object, value: object) -> object:
    if not isinstance(name, str) or name not in FIELDS:
        raise ConfigError(f"unknown setting {shown(name)}{suggestion(shown(name), FIELDS)}")
    if name == "card" and isinstance(value, str):
        try:
            value = parse_bytes(value)
        except ValueError as error:
            raise ConfigError(f"{error}", name) from None
    kind = get_args(FIELDS[name])[0]
    try:
        # a set has lost the order of the pieces and those of equal size
        if (isinstance(value, float) and not math.isfinite(value)) or isinstance(value, (set, frozenset)):
            raise ValueError
        return msgspec.convert(value, FIELDS[name])
    except (ValueError, TypeError, OverflowError):
        written = plain(value) if kind is float and type(value) is float else shown(value)
        raise ConfigError(f"{title(name)} is {written}; it must be {allowed(name)}", name) from None


def _check_together(config: RunConfig) -> None:
    try:
        task = tasks.find(config.task)
    except KeyError:
        raise ConfigError(f"task is {shown(config.task)}; it must be {allowed('task')}", "task") from None
    for name, sentence in _contradictions(config, task):
        raise ConfigError(f"{title(name)} {sentence}", name)


def _contradictions(config: RunConfig, task: tasks.Task) -> Iterator[tuple[str, str]]:
    """The settings that do not go with the others, and what is said of them."""
    if config.model not in task.models:
        yield "model", f"is {shown(config.model)}; task {task.name} has {', '.join(task.models)}"
    if config.batch > task.samples:
        yield "batch", f"is {config.batch}, but {task.name} has {task.samples} samples"
    if config.micro_batches > config.batch:
        yield "micro_batches", f"is {config.micro_batches}, more than the {config.batch} samples of a batch"
    if config.sizes is not None and len(config.sizes) != config.micro_batches:
        yield "sizes", f"has {len(config.sizes)} entries for {config.micro_batches} micro-batches"
    if config.sizes is not None and sum(config.sizes) != config.batch:
        yield "sizes", f"add up to {sum(config.sizes)}, but a batch has {config.batch} samples"
