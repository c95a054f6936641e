"""One moment of a run as a table of tab-separated text, to be pasted where numbers are worked with."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gradviz.events import LaneName
from gradviz.history import History, Moment

UNKNOWN = "unknown"
NOT_TRAINED = "not trained"
_LANES: tuple[LaneName, ...] = ("full", "accumulated")
_KINDS = ("peak", "parameters", "gradients", "optimizer", "window", "activations", "other")


def moment_table(history: History, moment: Moment) -> str:
    """Everything plain that is known of `moment`, as measured, rows ended by a line feed.

    First the settings, a name and a value a row; then a row a quantity with a column a lane; then the
    comparison of the gradients; then a row a micro-batch.
    """
    rows = [*_settings(moment), (), *_by_lane(history, moment), (), *_gradients(moment)]
    pieces = list(_pieces(moment))
    rows += [(), *pieces] if len(pieces) > 1 else []
    return "".join("\t".join(map(_cell, row)) + "\n" for row in rows)


def _settings(moment: Moment) -> Iterator[tuple[object, ...]]:
    run, window = moment.run, moment.window
    config = run.config
    yield "task", run.task_title
    yield "model", run.model_title
    yield "parameters", run.parameters
    yield "batch B", config.batch
    yield "micro-batches N", len(window.sizes) if window else config.micro_batches
    yield "scaling", window.scaling if window else config.scaling
    yield "optimizer", config.optimizer
    yield "learning rate", window.lr if window else config.lr
    yield "precision", config.precision
    yield "device", config.device
    yield "threads", config.threads
    yield "seed", config.seed
    yield "step", window.step if window else None
    yield "micro-batches added", len(moment.added) if window else None


def _by_lane(history: History, moment: Moment) -> Iterator[tuple[object, ...]]:
    yield "lane", "full batch", "accumulated"
    yield "losses of step", *[moment.steps or None] * 2
    yield "loss", *(_trained(moment, lane, _loss(history, moment, lane)) for lane in _LANES)
    yield "state", *(_trained(moment, lane, moment.states.get(lane)) for lane in _LANES)
    if moment.run.score_title is not None:
        scores = moment.scores
        # a share is told as measured, from 0 to 1
        yield "score of step", *[scores.step if scores else None] * 2
        yield (
            moment.run.score_title,
            _trained(moment, "full", scores.full if scores else None),
            _trained(moment, "accumulated", scores.accumulated if scores else None),
        )
    yield from _memory(moment)


def _memory(moment: Moment) -> Iterator[tuple[object, ...]]:
    sampled = [moment.memory.get(lane) for lane in _LANES]
    samples = [each.sample if each else None for each in sampled]
    yield "memory source", *_each(moment, [sample.source if sample else None for sample in samples])
    yield "memory of step", *_each(moment, [each.step if each else None for each in sampled])
    yield "whole window", *_each(moment, [_yes(sample.complete) if sample else None for sample in samples])
    for kind in _KINDS:
        name = "peak, bytes" if kind == "peak" else f"{kind} at the peak, bytes"
        values = [getattr(sample, f"{kind}_bytes") if sample else None for sample in samples]
        yield name, *_each(moment, values)
    yield "card, bytes", *[moment.run.config.card] * 2


def _gradients(moment: Moment) -> Iterator[tuple[object, ...]]:
    found = moment.compared.comparison if moment.compared else None
    yield ("accumulated gradient A against R, the full batch's at the same weights",)
    yield "size ‖A‖/‖R‖", found.ratio if found else None
    yield "angle, degrees", found.angle_degrees if found else None
    yield "relative error ‖A−R‖/‖R‖", found.relative_error if found else None
    yield "max|A−R|/max|R|", found.max_over_scale if found else None
    yield "‖R‖", moment.window.reference_norm if moment.window else None
    yield "verdict", found.verdict if found else None


def _pieces(moment: Moment) -> Iterator[tuple[object, ...]]:
    yield "micro-batch", "samples", "weight", "mean loss", "share", "sum of shares"
    for piece in moment.added:
        yield piece.index, piece.samples, piece.weight, piece.loss, piece.share, piece.total


def _loss(history: History, moment: Moment, lane: LaneName) -> float | None:
    return float(history.column(f"loss_{lane}")[moment.steps - 1]) if moment.steps else None


def _each(moment: Moment, values: list[object]) -> Iterator[object]:
    return (_trained(moment, lane, value) for lane, value in zip(_LANES, values, strict=True))


def _trained(moment: Moment, lane: LaneName, value: object) -> object:
    return value if moment.run.config.lanes in ("both", lane) else NOT_TRAINED


def _yes(holds: bool) -> str:
    return "yes" if holds else "no, so far"


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return UNKNOWN
    return repr(float(value)) if isinstance(value, float) else str(value)
