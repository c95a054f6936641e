"""Tries a task of the user's own in a process of its own; `process.py` starts it and reads its answer."""

from __future__ import annotations

import copy
import faulthandler
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

import numpy as np
import torch
from torch import Tensor

from gradviz.plane import COUNT, as_when_used, grid_over
from gradviz.sentences import ConfigError
from gradviz.tasks.own.blame import blamed, one_line
from gradviz.tasks.own.building import Found
from gradviz.tasks.own.loading import Printed, a, returned
from gradviz.tasks.own.parts import Parts, parts_of
from gradviz.tasks.own.source import Source, refusal

SAMPLES = 5
"""So many samples go through the model."""
_QUICK_S = 2.0
"""A function that takes no longer is called a second time."""
_PLANE_S = 0.5
"""A model that takes longer for the grid has no plane: every step that is looked at would take as long."""


def main(folder: str) -> None:
    """Answer the request in that folder, and end the process without a word."""
    place = Path(folder)
    request = json.loads((place / "request.json").read_text("utf-8"))
    source = Source(Path(request["path"]), request["function"], request["text"])
    # from here on time is the user's: torch has been read
    (place / "begun").touch()
    with (place / "stack").open("w") as stack:
        _end_after(request["limit_s"], stack)
        printed = Printed()
        answer: dict[str, object]
        try:
            answer = asdict(examined(source, printed))
        except ConfigError as error:
            answer = {"sentence": str(error)}
        except KeyboardInterrupt:
            answer = {"sentence": f"{source.path.name}: it raises KeyboardInterrupt"}
        (place / "answer.part").write_text(json.dumps({**answer, "printed": printed.text}), "utf-8")
        (place / "answer.part").rename(place / "answer.json")
        # what the user's code left to be done at the end is of no use
        os._exit(0)


def examined(source: Source, printed: Printed) -> Found:
    """Run the file, its function, the model and the loss on a few samples.

    Raises:
        ConfigError: one sentence about the first thing that is wrong.
    """
    begun = time.monotonic()
    parts = _parts(source, printed)
    if time.monotonic() - begun < _QUICK_S:
        _check_same(parts, _parts(source, printed))
    with blamed(source, parts.where, "model"):
        copy.deepcopy(parts.model)
    # a gradient that rounding may explain is measured again in float64
    for dtype in (torch.float32, torch.float64):
        _try(parts, dtype)
    parts.pictures()
    return Found(len(parts.inputs), parts.parameters, parts.title, parts.model_title, _decides(parts))


def _decides(parts: Parts) -> bool:
    """Whether the model gives two finite outputs for each point of a grid over the inputs.

    A model that cannot take so many at once or in evaluation mode, or is slow at it, is none that is wrong.
    """
    plane = parts.plane()
    if plane is None:
        return False
    grid = torch.from_numpy(grid_over(plane.points)[2]).float()
    model, begun = copy.deepcopy(parts.model).float(), time.monotonic()
    try:
        with as_when_used(model), torch.no_grad():
            # line by line first: one that is slow must not use up the file's time
            for line in grid.split(COUNT):
                model(line)
                if time.monotonic() - begun > _PLANE_S:
                    return False
            outputs = model(grid)
            return tuple(outputs.shape) == (len(grid), 2) and bool(outputs.isfinite().all())
    except Exception:
        return False


def _end_after(limit_s: float, stack: TextIO) -> None:
    """However the code hangs, the process ends, and says in which line it was."""
    faulthandler.dump_traceback_later(limit_s, exit=True, file=stack)


def _parts(source: Source, printed: Printed) -> Parts:
    # as in a run, where the seed is set before
    torch.manual_seed(0)
    return parts_of(returned(source, printed), source)


def _check_same(first: Parts, second: Parts) -> None:
    for name in ("inputs", "targets"):
        one, other = getattr(first, name), getattr(second, name)
        if one.shape != other.shape or not torch.equal(one, other):
            raise refusal(
                f"{first.where}: {first.source.function} gives other {name} at a second call; "
                "draw them with a seed of their own"
            )


def _try(parts: Parts, dtype: torch.dtype) -> None:
    """One forward and backward of a few samples in that precision."""
    count = min(SAMPLES, len(parts.inputs))
    inputs, targets = (
        tensor[:count].to(dtype) if tensor.is_floating_point() else tensor[:count]
        for tensor in (parts.inputs, parts.targets)
    )
    precision = f" in {dtype}".replace("torch.", "")
    with blamed(parts.source, parts.where, f"model{precision}"):
        model = copy.deepcopy(parts.model).to(dtype)
        outputs = model(inputs)
    if not isinstance(outputs, Tensor):
        raise refusal(f"{parts.where}: model gives {a(outputs)}; it must give one tensor")
    if not bool(outputs.isfinite().all()):
        raise refusal(f"{parts.where}: model gives numbers that are not finite{precision}")
    with blamed(parts.source, parts.where, f"loss{precision}"):
        losses = parts.loss(outputs, targets)
    _check_losses(parts, losses, count)
    with blamed(parts.source, parts.where, f"backward{precision}"):
        losses.mean().backward()
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    if not gradients:
        raise refusal(f"{parts.where}: loss does not depend on the model's weights, so there is no gradient")
    if not all(bool(gradient.isfinite().all()) for gradient in gradients):
        raise refusal(f"{parts.where}: the gradient is not finite{precision}")
    if parts.score is not None:
        _check_score(parts, parts.score.of, outputs, targets)


def _check_losses(parts: Parts, losses: object, count: int) -> None:
    each = f"it must give one number a sample, shape ({count},) for {count} samples"
    if not isinstance(losses, Tensor):
        raise refusal(f"{parts.where}: loss gives {a(losses)}; {each}")
    if tuple(losses.shape) != (count,):
        hint = ' (reduction="none"?)' if losses.ndim == 0 else ""
        raise refusal(f"{parts.where}: loss gives the shape {tuple(losses.shape)}; {each}{hint}")
    if not losses.is_floating_point():
        raise refusal(f"{parts.where}: loss gives {losses.dtype}, of which there is no gradient")
    if not bool(losses.isfinite().all()):
        raise refusal(f"{parts.where}: loss gives {one_line(losses.mean().item())} for the first samples")
    if not losses.requires_grad:
        raise refusal(f"{parts.where}: loss does not depend on the model's weights, so there is no gradient")


def _check_score(
    parts: Parts, of: Callable[[np.ndarray, np.ndarray], np.ndarray], outputs: Tensor, targets: Tensor
) -> None:
    with blamed(parts.source, parts.where, "score"):
        scores = of(outputs.detach().numpy(), targets.numpy())
    right = isinstance(scores, np.ndarray) and scores.shape == (len(targets),) and scores.dtype.kind in "biuf"
    if not right:
        kind = f"the shape {scores.shape}" if isinstance(scores, np.ndarray) else a(scores)
        raise refusal(f"{parts.where}: score gives {kind}; it must give a numpy array, one number a sample")
    if not np.isfinite(scores).all():
        raise refusal(f"{parts.where}: score gives a number that is not finite")
