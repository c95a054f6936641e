"""Builds a task of the user's own for a run."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gradviz.tasks import Problem
from gradviz.tasks.own.loading import Printed, returned
from gradviz.tasks.own.source import Source, refusal

if TYPE_CHECKING:
    import torch

    from gradviz.config import RunConfig

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """What the examination found out, so that the task can be described without torch.

    `plane` says that the model answers at every point of a grid over its inputs with one of two classes.
    """

    samples: int
    parameters: int
    title: str
    model_title: str
    plane: bool


def build(
    source: Source, found: Found, config: RunConfig, device: torch.device, dtype: torch.dtype
) -> Problem:
    """The task on the run's device, floating-point numbers in its precision. What the file prints is logged.

    Raises:
        ConfigError: one sentence; the file does something else than when it was examined.
    """
    # the window is painted before torch is read
    from gradviz.tasks.own.parts import parts_of

    printed = Printed()
    try:
        parts = parts_of(returned(source, printed), source)
    finally:
        log_printed(source, printed.text)
    if len(parts.inputs) != found.samples:
        now = f"{len(parts.inputs)} samples now, and {found.samples} when it was opened"
        raise refusal(f"{parts.where}: {source.function} returns {now}")
    inputs, targets = (
        tensor.to(device, dtype) if tensor.is_floating_point() else tensor.to(device)
        for tensor in (parts.inputs, parts.targets)
    )
    return Problem(
        model=parts.model.to(device, dtype),
        model_title=parts.model_title,
        inputs=inputs,
        targets=targets,
        loss=parts.loss,
        guessing_loss=parts.guessing_loss,
        guessing_title="as the task says",
        pictures=parts.pictures(),
        score=parts.score,
        plane=parts.plane() if found.plane else None,
    )


def log_printed(source: Source, text: str) -> None:
    """Write down what the file printed, if it did."""
    if text.strip():
        _log.info("%s printed:\n%s", source.name, text)
