"""A run told in words and numbers: as a table for people and as JSON lines for programs."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Iterator

import msgspec
import numpy as np

from gradviz.comparison import Comparison
from gradviz.config import RunConfig
from gradviz.events import (
    Compared,
    Event,
    LaneName,
    MemorySampled,
    RunFailed,
    RunFinished,
    RunStarted,
    StepFinished,
)
from gradviz.units import format_bytes, plain

_DRAWN_ONLY = {"pictures", "trace", "ticks"}
"""Fields that are there to be drawn, and too long for a line."""
_LANES: tuple[LaneName, ...] = ("full", "accumulated")
_TABLE = "{:>7} {:>12} {:>12} {:>12}   {}"


class Summary:
    """What is worth knowing at the end of a run, collected from its events."""

    def __init__(self) -> None:
        self.started: RunStarted | None = None
        self.finished: StepFinished | None = None
        self.compared: Compared | None = None
        self.memory: dict[LaneName, MemorySampled] = {}
        self._compared_now: Compared | None = None

    def append(self, event: Event) -> None:
        """Take the next event of the run."""
        match event:
            case RunStarted():
                self.started = event
            case Compared():
                self._compared_now = event
            case MemorySampled() if event.sample.complete:
                self.memory[event.lane] = event
            case StepFinished():
                self.finished = event
                # a comparison counts only where every lane still had a finite loss
                if self._compared_now is not None and self._finite(event):
                    self.compared = self._compared_now
            case _:
                pass

    def as_json(self, steps: int) -> dict[str, object]:
        """The object of the last line of a run of `steps` steps."""
        assert self.started is not None
        config, last = self.started.config, self.finished
        return {
            "event": "run_finished",
            "steps": steps,
            "task": config.task,
            "model": self.started.model_title,
            "batch": config.batch,
            "micro_batches": last.micro_batches if last else config.micro_batches,
            "scaling": last.scaling if last else config.scaling,
            "optimizer": config.optimizer,
            "lr": last.lr if last else config.lr,
            "precision": config.precision,
            "device": config.device,
            "threads": config.threads,
            "seed": config.seed,
            "loss_full": _plain(last.loss_full) if last else None,
            "loss_accumulated": _plain(last.loss_accumulated) if last else None,
            "state": {
                "full": last.state_full if last else None,
                "accumulated": last.state_accumulated if last else None,
            },
            "comparison": None if self.compared is None else _comparison(self.compared),
            "memory": {lane: self._memory(lane) for lane in _LANES},
        }

    def _memory(self, lane: LaneName) -> dict[str, object] | None:
        sampled = self.memory.get(lane)
        if sampled is None:
            return None
        numbers = {
            field.name: getattr(sampled.sample, field.name)
            for field in dataclasses.fields(sampled.sample)
            if field.name.endswith("_bytes")
        }
        return {"step": sampled.step, **numbers, "source": sampled.sample.source}

    def _finite(self, event: StepFinished) -> bool:
        assert self.started is not None
        lanes = self.started.config.lanes
        losses = {"full": event.loss_full, "accumulated": event.loss_accumulated}
        wanted = losses.values() if lanes == "both" else [losses[lanes]]
        return all(loss is not None and math.isfinite(loss) for loss in wanted)


def json_line(event: Event, summary: Summary) -> str:
    """One event as one line of JSON. Never NaN: what is unknown is null."""
    if isinstance(event, RunFinished):
        return json.dumps(summary.as_json(event.steps), allow_nan=False)
    fields = _plain(event)
    assert isinstance(fields, dict)
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()
    return json.dumps({"event": name, **fields}, allow_nan=False, ensure_ascii=False)


def heading(started: RunStarted) -> Iterator[str]:
    """The lines above the table."""
    config = started.config
    yield (
        f"{started.task_title} · {started.model_title} · {started.parameters} parameters ·"
        f" {started.device_title} · {config.precision}"
    )
    sizes = f"sizes {', '.join(map(str, config.sizes))}" if config.sizes else f"N {config.micro_batches}"
    rate = f"learning rate {plain(config.lr)}"
    yield f"B {config.batch} · {sizes} · {config.scaling} · {config.optimizer} · {rate}"
    yield ""
    yield _TABLE.format("step", "full batch", "accumulated", "|difference|", "gradient at the same weights")


def row(event: StepFinished, compared: Compared | None) -> str:
    """One line of the table."""
    full, accumulated = event.loss_full, event.loss_accumulated
    difference = None if full is None or accumulated is None else abs(full - accumulated)
    states = [words for words in _states(event) if not words.endswith(" training")]
    judged = compared.comparison.verdict if compared is not None and compared.step == event.step else "–"
    words = " · ".join([judged, *states])
    return _TABLE.format(event.step, _loss(full), _loss(accumulated), _loss(difference, ".2e"), words)


def conclusion(summary: Summary, steps: int, wanted: int) -> Iterator[str]:
    """The lines below the table, of a run that took `steps` of the `wanted` steps."""
    yield ""
    if steps < wanted:
        yield stopped_early(summary, steps, wanted)
    else:
        yield f"{steps} {'step' if steps == 1 else 'steps'}; {', '.join(_states(summary.finished))}."
    if summary.compared is not None:
        yield from _verdict(summary.compared)
    assert summary.started is not None
    card = summary.started.config.card
    for lane in _LANES:
        if lane in summary.memory:
            yield _memory_line(lane, summary.memory[lane], card)


def stopped_early(summary: Summary, steps: int, wanted: int) -> str:
    """The sentence for a run that took fewer steps than wanted: no lane was left that could step."""
    states = _states(summary.finished)
    why = f": {', '.join(states)}" if states else ""
    return f"Stopped after step {steps}{why}; {wanted} steps were asked for."


def failure(event: RunFailed) -> str:
    """The line for a run that failed."""
    return f"the run failed: {event.sentence}"


def _states(event: StepFinished | None) -> list[str]:
    """Each lane that is trained and how it does, such as "accumulated diverged"."""
    if event is None:
        return []
    states = (("full batch", event.state_full), ("accumulated", event.state_accumulated))
    return [f"{lane} {state}" for lane, state in states if state is not None]


def _verdict(compared: Compared) -> Iterator[str]:
    c = compared.comparison
    yield f"Step {compared.step}, gradient at the accumulated run's own weights: {c.verdict}."
    figures = {
        "size": None if c.ratio is None else f"{c.ratio:.6g} ×",
        "angle": None if c.angle_degrees is None else f"{c.angle_degrees:.3g}°",
        "relative error": None if c.relative_error is None else f"{c.relative_error:.3g}",
    }
    yield "  " + ", ".join(f"{name} {value or 'unknown'}" for name, value in figures.items())
    if compared.why:
        yield f"  Why: {compared.why}."


def _memory_line(lane: LaneName, sampled: MemorySampled, card: int) -> str:
    sample = sampled.sample
    over = sample.peak_bytes - card
    fits = f"{format_bytes(over)} too many for" if over > 0 else "fits"
    name = "full batch" if lane == "full" else lane
    return (
        f"Memory, {name}: peak {format_bytes(sample.peak_bytes)} ({sample.source} at step {sampled.step}),"
        f" {fits} the card of {format_bytes(card)}."
    )


def _comparison(compared: Compared) -> dict[str, object]:
    names = [
        field.name for field in dataclasses.fields(Comparison) if field.name not in ("kind", "decided_in")
    ]
    return {"step": compared.step, **{name: _plain(getattr(compared.comparison, name)) for name in names}}


def _loss(value: float | None, form: str = ".6g") -> str:
    return "–" if value is None else format(value, form)


def _plain(value: object) -> object:
    """Events, arrays and settings as what JSON knows; numbers that are not finite as None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, RunConfig):
        return _plain(msgspec.to_builtins(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = (field.name for field in dataclasses.fields(value) if field.name not in _DRAWN_ONLY)
        return {name: _plain(getattr(value, name)) for name in fields}
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value
