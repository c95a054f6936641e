"""A task of the user's own whose inputs are points in a plane: when it has a boundary, and of what."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import runs
import torch
from own_files import GOOD, opener
from torch import nn

from gradviz import tasks
from gradviz.config import RunConfig
from gradviz.control import Control, Watch
from gradviz.events import Event, PlaneSampled, RunStarted
from gradviz.tasks import Task
from gradviz.tasks.own import check
from gradviz.trainer import Trainer


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Task]:
    """A function that writes mine.py and opens it."""
    monkeypatch.setattr(tasks, "_admitted", {})
    return opener(monkeypatch)


def plane_watched(steps: int) -> list[Event]:
    """The events of a run whose plane is looked at."""
    config = RunConfig.of({"threads": 1, "task": "mine.py:make"})
    control = Control(config, always_seen=True)
    control.watch(Watch(plane=True))
    control.allow(None)
    return list(Trainer(config, steps).run(control))


PLANE = GOOD.replace("30, 3", "30, 2").replace("nn.Linear(3, 2)", "nn.Linear(2, 2)")


def with_guard(line: str) -> str:
    """A file with points of two classes, whose model runs that line on what it has computed, called x."""
    guard = f"class Guard(nn.Module):\n    def forward(self, x):\n        {line}\n        return x\n"
    model = "nn.Sequential(nn.Linear(2, 2), Guard())"
    return PLANE.replace("nn.Linear(2, 2)", model).replace("def make", f"{guard}def make")


def test_that_points_of_two_classes_have_a_plane(opened: Callable[[str], Task]) -> None:
    opened(PLANE)
    events = plane_watched(1)
    [started], [plane] = runs.of_type(events, RunStarted), runs.of_type(events, PlaneSampled)
    assert started.points is not None
    assert started.points.shape == (30, 2)
    assert started.labels.tolist() == (started.points[:, 0] > 0).astype(int).tolist()
    torch.manual_seed(0)
    model = nn.Linear(2, 2)
    corner = model(torch.tensor([plane.low])).softmax(dim=1)[0, 1].item()
    assert plane.full[0, 0] == pytest.approx(corner, rel=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        PLANE.replace("nn.Linear(2, 2)", "nn.Linear(2, 3)"),
        PLANE.replace("targets=(points[:, 0] > 0).long()", "targets=torch.zeros(30, dtype=torch.long)"),
        PLANE.replace("    return", "    points[:, 1] = 4.0\n    return"),
        with_guard("assert len(x) < 99"),
        with_guard("assert len(x) < 9 or len(x) % 2 == 0"),
        with_guard("assert self.training"),
        with_guard("assert x.requires_grad"),
        with_guard("x = x if self.training else x / 0"),
    ],
)  # fmt: skip
def test_that_what_is_no_plane_of_two_classes_trains_without_one(
    opened: Callable[[str], Task], text: str
) -> None:
    opened(text)
    events = plane_watched(2)
    assert runs.of_type(events, RunStarted)[0].points is None
    assert len(runs.losses(events)) == 2
    assert not runs.of_type(events, PlaneSampled)


def test_that_a_model_that_is_slow_over_the_plane_is_not_asked_for_all_of_it(
    opened: Callable[[str], Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "_PLANE_S", 0.0)
    opened(with_guard("len(x) > 99 and open('ran', 'w').close()"))
    assert runs.of_type(plane_watched(2), RunStarted)[0].points is None
    assert not Path("ran").exists()


def test_that_the_plane_is_what_a_model_with_normalization_decides_when_it_is_used(
    opened: Callable[[str], Task],
) -> None:
    opened(PLANE.replace("nn.Linear(2, 2)", "nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))"))
    events = plane_watched(1)
    [plane] = runs.of_type(events, PlaneSampled)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)).eval()
    corner = model(torch.tensor([plane.low])).softmax(dim=1)[0, 1].item()
    assert plane.full[0, 0] == pytest.approx(corner, rel=1e-6)
