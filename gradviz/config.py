"""What a run is made of: `RunConfig.of` is the only way in, and says in one sentence what it refuses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec

from gradviz import tasks
from gradviz.sentences import ConfigError, shown, suggestion
from gradviz.settings import FIELDS, LIVE, MAX_BATCH, Settings, allowed, choices, meta, title, unit
from gradviz.tasks import LEARNING_RATES
from gradviz.units import parse_bytes, plain

__all__ = [
    "FIELDS",
    "LEARNING_RATES",
    "LIVE",
    "MAX_BATCH",
    "ConfigError",
    "RunConfig",
    "allowed",
    "choices",
    "meta",
    "shown",
    "suggestion",
    "title",
    "unit",
]

_BATCH, _MICRO_BATCHES = 256, 8


class RunConfig(Settings, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of one run. `RunConfig.of` is the only way in: constructors check nothing."""

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> RunConfig:
        """Check `settings` (missing ones take their defaults) and return the run they describe.

        The task has defaults of its own: its first model, that model's learning rate and card, and where it
        has few samples a smaller B and N.

        Raises:
            ConfigError: one sentence that names the setting, its value and what is allowed.
        """
        checked: dict[str, Any] = {}
        for name, value in settings.items():
            checked[name] = _checked(name, value)
        task = _task(checked.get("task", "digits"))
        checked["task"] = task.name
        if checked.get("sizes") is not None:
            checked.setdefault("batch", sum(checked["sizes"]))
            checked.setdefault("micro_batches", len(checked["sizes"]))
        config = cls(**{**_defaults(checked, task), **checked})
        for name, sentence in _contradictions(config, task):
            raise ConfigError(f"{title(name)} {sentence}", name)
        return config

    def changed(self, **settings: object) -> RunConfig:
        """This run with some settings changed, checked again as a whole.

        What was a default stays one: a new task brings its own model, B, N, learning rate and card, a new
        model its learning rate and card, a new B its N, new sizes their own N and B. A new optimizer always
        brings its learning rate. What was chosen stays, unless the new task or model has no use for it; a new
        N or B gives up sizes given by hand.
        """
        known: dict[str, object] = msgspec.structs.asdict(self)
        if settings.get("optimizer", self.optimizer) != self.optimizer:
            del known["lr"]
        if settings.get("sizes") is not None:
            del known["batch"], known["micro_batches"]
        elif {"micro_batches", "batch"} & set(settings):
            known["sizes"] = None
        if {"task", "model", "batch"} & set(settings):
            known = self._without_defaults(known)
        task = _known_task(settings.get("task", self.task))
        if task is not None:
            _drop_useless(known, settings, task)
        return RunConfig.of({**known, **settings})

    def _without_defaults(self, known: dict[str, object]) -> dict[str, object]:
        if self.sizes is not None and known.get("sizes") is not None:
            # they bring B and N by themselves
            known = {name: value for name, value in known.items() if name not in ("batch", "micro_batches")}
        defaults = _defaults(msgspec.structs.asdict(self), tasks.find(self.task))
        return {
            name: value for name, value in known.items() if name not in defaults or defaults[name] != value
        }


def _defaults(chosen: Mapping[str, Any], task: tasks.Task) -> dict[str, Any]:
    """What those settings are where nobody chose them that depend on the task and on each other."""
    batch = chosen.get("batch", min(_BATCH, task.samples))
    model = chosen.get("model", task.models[0])
    return {
        "model": task.models[0],
        "batch": min(_BATCH, task.samples),
        "micro_batches": min(_MICRO_BATCHES, batch),
        "lr": task.learning_rate(model, chosen.get("optimizer", "sgd")),
        "card": task.card(model),
    }


def _drop_useless(known: dict[str, object], settings: Mapping[str, object], task: tasks.Task) -> None:
    """Take out of the old settings `known` what the new task or model cannot use."""
    if known.get("model") not in task.models:
        known.pop("model", None)
    model = settings.get("model", known.get("model", task.models[0]))
    for name in set(tasks.SHAPE) - set(task.settings(str(model))):
        known.pop(name, None)
    if "task" not in settings:
        return
    sizes, batch = known.get("sizes"), known.get("batch")
    if isinstance(sizes, tuple) and sum(sizes) > task.samples:
        known.pop("sizes")
    if isinstance(batch, int) and batch > task.samples:
        known.pop("batch")
        known.pop("micro_batches", None)


def _known_task(name: object) -> tasks.Task | None:
    """The task of that name, or None; `RunConfig.of` says what is wrong with it."""
    try:
        return tasks.find(name) if isinstance(name, str) else None
    except KeyError:
        return None


def _task(name: str) -> tasks.Task:
    try:
        return tasks.find(name)
    except KeyError:
        pass
    if tasks.is_own(name):
        raise ConfigError(
            f"task {shown(name)} is in a file that has not been opened here; "
            "name it with --task or open it with File → Open task",
            "task",
        )
    raise ConfigError(f"task is {shown(name)}; it must be {allowed('task')}", "task")


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


def _contradictions(config: RunConfig, task: tasks.Task) -> Iterator[tuple[str, str]]:
    """The settings that do not go with the others, and what is said of them."""
    if config.model not in task.models:
        yield "model", f"is {shown(config.model)}; task {task.title} has {', '.join(task.models)}"
    for name in tasks.SHAPE:
        if name not in task.settings(config.model) and getattr(config, name) != getattr(Settings(), name):
            which = f"the {config.model} of {task.title}" if len(task.models) > 1 else task.title
            yield name, f"has no effect on {which}; leave it alone"
    if config.batch > task.samples:
        yield "batch", f"is {config.batch}, but {task.title} has {task.samples} samples"
    if config.micro_batches > config.batch:
        yield "micro_batches", f"is {config.micro_batches}, more than the {config.batch} samples of a batch"
    if config.sizes is not None and len(config.sizes) != config.micro_batches:
        yield "sizes", f"has {len(config.sizes)} entries for {config.micro_batches} micro-batches"
    if config.sizes is not None and sum(config.sizes) != config.batch:
        yield "sizes", f"add up to {sum(config.sizes)}, but a batch has {config.batch} samples"
