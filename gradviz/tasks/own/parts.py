"""What the user's function returned, checked part by part. Needs torch."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from gradviz.sentences import shown, suggestion
from gradviz.tasks import Plane, Score
from gradviz.tasks.own.blame import blamed, one_line
from gradviz.tasks.own.loading import a
from gradviz.tasks.own.source import Source, refusal

_NEEDED = ("model", "inputs", "targets", "loss")
_KEYS = (*_NEEDED, "guessing_loss", "title", "score", "picture")
_LONGEST_TITLE = 40
_LARGEST_PICTURE, _ALL_PICTURES = 64, 64 * 2**20
"""Pixels of a side, and bytes of them all."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """A task of the user's own, on the CPU and in the number formats that he chose."""

    source: Source
    where: str
    model: nn.Module
    inputs: Tensor
    targets: Tensor
    loss: Callable[[Tensor, Tensor], Tensor]
    guessing_loss: float
    title: str
    score: Score | None
    picture: Callable[[np.ndarray], object] | None

    @property
    def model_title(self) -> str:
        """What kind of model it is."""
        return one_line(type(self.model).__name__)

    @property
    def parameters(self) -> int:
        """How many numbers the model has."""
        return sum(parameter.numel() for parameter in self.model.parameters())

    def plane(self) -> Plane | None:
        """The inputs as points of two classes, where they are: shape (samples, 2), targets 0 and 1."""
        inputs, targets = self.inputs, self.targets
        if not (inputs.ndim == 2 and inputs.shape[1] == 2 and inputs.is_floating_point()):
            return None
        if targets.ndim != 1 or targets.is_floating_point() or targets.unique().tolist() != [0, 1]:
            return None
        points = inputs.double().numpy()
        if not (points.max(axis=0) > points.min(axis=0)).all():
            return None
        return Plane(points, targets.long().numpy(), lambda outputs: outputs.softmax(dim=1)[:, 1])

    def pictures(self) -> np.ndarray | None:
        """The samples as grey values, shape (samples, height, width).

        Raises:
            ConfigError: one sentence about the first sample of which there is no picture.
        """
        if self.picture is None:
            return None
        first = self._picture(0)
        count = len(self.inputs)
        if first.size * count > _ALL_PICTURES:
            raise refusal(f"{self.where}: the pictures of {count} samples are too large; draw smaller ones")
        pictures = np.empty((count, *first.shape), dtype=np.uint8)
        for index in range(count):
            drawn = self._picture(index)
            if drawn.shape != first.shape:
                shapes = f"{drawn.shape} for sample {index}, and {first.shape} for sample 0"
                raise refusal(f"{self.where}: picture gives the shape {shapes}")
            pictures[index] = drawn
        return pictures

    def _picture(self, index: int) -> np.ndarray:
        assert self.picture is not None
        with blamed(self.source, self.where, "picture"):
            drawn = np.asarray(self.picture(self.inputs[index].numpy()))
        fits = drawn.ndim == 2 and min(drawn.shape) > 0 and max(drawn.shape) <= _LARGEST_PICTURE
        if not fits or drawn.dtype.kind not in "biuf":
            kind = f"shape {drawn.shape} and type {drawn.dtype}"
            side = f"at most {_LARGEST_PICTURE} rows and columns"
            raise refusal(f"{self.where}: picture gives {kind}; it must give a 2-D array of numbers, {side}")
        if not (np.isfinite(drawn).all() and drawn.min() >= 0 and drawn.max() <= 255):
            raise refusal(f"{self.where}: the picture of sample {index} is not all grey values from 0 to 255")
        return drawn.astype(np.uint8)


def parts_of(returned: Mapping[str, Any], source: Source) -> Parts:
    """Check what the function returned, without running the model.

    Raises:
        ConfigError: one sentence about the first part that cannot be used.
    """
    where = str(returned["where"])
    given = {key: value for key, value in returned.items() if key != "where"}

    def refuse(sentence: str) -> None:
        raise refusal(f"{where}: {sentence}")

    for key in given:
        if key not in _KEYS:
            refuse(f"{source.function} returns an unknown key {shown(key)}{suggestion(key, _KEYS)}")
    for key in _NEEDED:
        if key not in given:
            refuse(f"{source.function} returns no {key}")
    for key in ("loss", "picture"):
        if not callable(given.get(key, print)):
            refuse(f"{key} is {a(given[key])}, not a function")
    inputs, targets = (_tensor(given[key], key, where) for key in ("inputs", "targets"))
    if len(inputs) != len(targets):
        refuse(f"there are {len(inputs)} inputs, but {len(targets)} targets")
    return Parts(
        source=source,
        where=where,
        model=_model(given["model"], where),
        inputs=inputs,
        targets=targets,
        loss=given["loss"],
        guessing_loss=_guessing_loss(given.get("guessing_loss"), where),
        title=_title(given.get("title", f"{source.path.name}:{source.function}"), where),
        score=_score(given.get("score"), where),
        picture=given.get("picture"),
    )


def _tensor(value: object, key: str, where: str) -> Tensor:
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and value.dtype.itemsize <= 8:
        # a copy in the machine's own byte order; torch computes with uint8 and no other unsigned numbers
        kind = value.dtype.newbyteorder("=")
        wide = value.dtype.kind == "u" and value.dtype.itemsize > 1
        tensor = torch.from_numpy(np.array(value, dtype=np.int64 if wide else kind, order="C"))
    elif isinstance(value, Tensor) and value.layout is torch.strided and not value.is_complex():
        tensor = value.detach().to("cpu", copy=True)
    else:
        kind_of = f"{value.dtype}" if isinstance(value, np.ndarray | Tensor) else a(value)
        raise refusal(f"{where}: {key} is {kind_of}; it must be an array or tensor of real numbers")
    if tensor.ndim == 0 or len(tensor) == 0:
        raise refusal(f"{where}: {key} holds no samples, its shape is {tuple(tensor.shape)}")
    if tensor.is_floating_point() and not bool(tensor.isfinite().all()):
        sample = int((~tensor.isfinite()).reshape(len(tensor), -1).any(dim=1).nonzero()[0])
        raise refusal(f"{where}: {key} holds a number that is not finite, in sample {sample}")
    return tensor


def _model(model: object, where: str) -> nn.Module:
    if isinstance(model, type):
        raise refusal(f"{where}: model is the class {model.__name__}; write {model.__name__}()")
    if not isinstance(model, nn.Module):
        raise refusal(f"{where}: model is {a(model)}; it must be a torch.nn.Module")
    parameters = list(model.parameters())
    if any(isinstance(parameter, nn.UninitializedParameter) for parameter in parameters):
        raise refusal(f"{where}: model has lazy layers; give them their sizes")
    if not any(parameter.requires_grad and parameter.numel() for parameter in parameters):
        raise refusal(f"{where}: model has no weights to train")
    return model


def _guessing_loss(value: object, where: str) -> float:
    if value is None:
        return math.nan
    number = isinstance(value, int | float | np.number | Tensor) and not isinstance(value, bool)
    if number and (not isinstance(value, Tensor) or value.numel() == 1):
        found = float(value)  # type: ignore[arg-type]
        if math.isfinite(found) and found > 0:
            return found
    raise refusal(f"{where}: guessing_loss is {shown(value)}; it must be a number above 0")


def _title(title: object, where: str) -> str:
    if isinstance(title, str) and title.strip() and title.isprintable() and len(title) <= _LONGEST_TITLE:
        return title.strip()
    longest = f"one line of at most {_LONGEST_TITLE} letters"
    raise refusal(f"{where}: title is {shown(title)}; it must be {longest}")


def _score(value: object, where: str) -> Score | None:
    if value is None:
        return None
    if isinstance(value, tuple) and len(value) == 3:
        title, unit, of = value
        if isinstance(unit, str) and len(unit) <= 10 and (not unit or unit.isprintable()) and callable(of):
            return Score(_title(title, f"{where}: score"), unit, of)
    raise refusal(f'{where}: score is not a tuple such as ("accuracy", "%", function of outputs and targets)')
