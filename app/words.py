"""Settings in the words that stand on the screen."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from gradviz import tasks
from gradviz.config import RunConfig, meta
from gradviz.units import format_bytes, plain

NO_PIECES = "the full-batch lane alone takes no micro-batches"
SCALINGS = {"mean": "÷ N", "unscaled": "× 1", "samples": "by samples"}


def setting_in_words(name: str, config: RunConfig) -> str:
    """Such as "N = 16" or "learning rate 0.1"."""
    value = getattr(config, name)
    match name:
        case "micro_batches":
            return f"N = {value}"
        case "scaling":
            return SCALINGS[value]
        case "card":
            return f"a card of {format_bytes(value)}"
        case "twin":
            return "the twin" if value else "no twin"
        case "task":
            return f"task {tasks.find(value).title}"
        case "lr":
            return f"learning rate {plain(value)}"
        case _:
            return f"{meta(name).title or name} {value}"


def as_sentence(text: str) -> str:
    """The text with a capital and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def run_in_words(config: RunConfig) -> str:
    """What tells this run from another, such as "digits mlp · N = 8 · ÷ N · sgd 0.5"."""
    names = ("micro_batches", "scaling")
    pieces = ["full batch"] if config.lanes == "full" else [setting_in_words(name, config) for name in names]
    return " · ".join([task_in_words(config), *pieces, f"{config.optimizer} {plain(config.lr)}"])


def task_in_words(config: RunConfig) -> str:
    """Task and model, such as "digits mlp"; a task of the user's own has one model only."""
    title = tasks.find(config.task).title
    return title if tasks.is_own(config.task) else f"{title} {config.model}"


def split_in_words(config: RunConfig) -> str:
    """How a batch is cut, such as "256 = 8 × 32 samples" or "10 = 4 + 4 + 2 samples"."""
    if config.lanes == "full":
        return f"{config.batch} samples, all at once: {NO_PIECES}"
    sizes = config.sizes or _even_sizes(config.batch, config.micro_batches)
    if len(sizes) == 1:
        return f"{config.batch} samples, all at once"
    runs = [(size, len(list(same))) for size, same in groupby(sizes)]
    if len(sizes) <= 4 and len(runs) > 1:
        return f"{config.batch} = {' + '.join(str(size) for size in sizes)} samples"
    parts = [f"{count} × {size}" if count > 1 else str(size) for size, count in runs]
    if len(parts) > 4:
        return f"{config.batch} = {' + '.join(parts[:3])} + … samples"
    return f"{config.batch} = {' + '.join(parts)} samples"


def speed_in_words(speed: float) -> str:
    """Such as "2 a second"; infinity is flat out."""
    return "flat out" if speed == float("inf") else f"{speed:g} a second"


def _even_sizes(batch: int, count: int) -> tuple[int, ...]:
    # numpy's array_split cuts as torch's tensor_split does: larger pieces first
    return tuple(len(part) for part in np.array_split(np.empty(batch, dtype=np.int8), count))
