"""What is told of a seen window beyond the whole gradient: layers, a watched layer, the plane, the score."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
import runs
import torch
from torch import Tensor, nn
from torch.nn import functional

from gradviz import tasks
from gradviz.config import RunConfig
from gradviz.control import Control, Watch
from gradviz.events import (
    Compared,
    Event,
    MicroBatchAdded,
    PlaneSampled,
    RunStarted,
    StepFinished,
    WindowStarted,
)
from gradviz.history import History
from gradviz.layers import LayerMeter, layers_of
from gradviz.probes import WATCHED_NUMBERS
from gradviz.tasks import Plane, Problem, Score, Task
from gradviz.trainer import Trainer


def watched_run(watch: Watch, steps: int = 1, **settings: object) -> list[Event]:
    config = RunConfig.of({"threads": 1, "precision": "float64", **settings})
    control = Control(config, always_seen=True)
    control.watch(watch)
    control.allow(None)
    return list(Trainer(config, steps).run(control))


def plain_gradients(scale: float, pieces: int) -> list[tuple[Tensor, Tensor]]:
    """(A_l, R_l) of each layer in the first window of the default run in float64, `pieces` of 8 added."""
    torch.manual_seed(0)
    model = runs.plain_model().double()
    inputs, targets = runs.plain_digits(torch.float64)
    window = next(runs.plain_windows(256, 0))
    functional.cross_entropy(model(inputs[window]), targets[window]).backward()
    reference = [p.grad.clone() for p in model.parameters() if p.grad is not None]
    model.zero_grad()
    for piece in window.tensor_split(8)[:pieces]:
        (scale * functional.cross_entropy(model(inputs[piece]), targets[piece])).backward()
    return [(p.grad, r) for p, r in zip(model.parameters(), reference, strict=True) if p.grad is not None]


def plain_angle(a: Tensor, r: Tensor) -> float:
    cosine = float(a.flatten() @ r.flatten() / a.norm() / r.norm())
    return math.degrees(math.acos(min(1.0, cosine)))


def test_that_layers_are_named_and_lie_one_after_the_other() -> None:
    [started] = runs.of_type(runs.run(1), RunStarted)
    assert [layer.name for layer in started.layers] == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert [layer.shape for layer in started.layers] == [(64, 64), (64,), (10, 64), (10,)]
    assert all(a.part.stop == b.start for a, b in pairwise(started.layers))
    assert started.layers[-1].part.stop == started.parameters


def test_that_frozen_parameters_are_no_layers() -> None:
    model = runs.plain_model()
    model[0].weight.requires_grad_(False)
    layers = layers_of(model)
    assert [(layer.name, layer.start) for layer in layers] == [
        ("0.bias", 0),
        ("2.weight", 64),
        ("2.bias", 704),
    ]


@pytest.mark.parametrize(("scaling", "scale"), [("mean", 1 / 8), ("unscaled", 1.0)])
def test_that_each_layer_is_compared_as_plain_torch_compares_it(scaling: str, scale: float) -> None:
    events = watched_run(Watch(), scaling=scaling)
    [compared], [window] = runs.of_type(events, Compared), runs.of_type(events, WindowStarted)
    plain = plain_gradients(scale, 8)
    sizes = [float(a.norm() / r.norm()) for a, r in plain]
    errors = [float((a - r).norm() / r.norm()) for a, r in plain]
    assert window.layer_norms == pytest.approx([float(r.norm()) for _, r in plain], rel=1e-12)
    assert compared.layers.sizes == pytest.approx(sizes, rel=1e-12)
    assert compared.layers.errors == pytest.approx(errors, rel=1e-9, abs=1e-13)
    assert compared.layers.angles == pytest.approx(0.0, abs=1e-5)


def test_that_layers_are_told_after_each_piece_where_the_run_goes_by_counted_credits() -> None:
    config = RunConfig.of({"threads": 1, "precision": "float64"})
    control = Control(config)
    control.allow(3)
    added: list[MicroBatchAdded] = []
    for event in Trainer(config).run(control):
        if isinstance(event, MicroBatchAdded):
            added.append(event)
        if len(added) == 3:
            break
    for count, event in enumerate(added, start=1):
        plain = plain_gradients(1 / 8, count)
        assert event.layers is not None
        assert event.layers.sizes == pytest.approx([float(a.norm() / r.norm()) for a, r in plain], rel=1e-12)
        assert event.layers.angles == pytest.approx([plain_angle(a, r) for a, r in plain], rel=1e-6)


def test_that_a_layer_without_a_gradient_is_unknown() -> None:
    model = nn.Sequential(nn.Linear(2, 1), nn.Linear(1, 1))
    layers = layers_of(model)
    compared = LayerMeter(layers, np.array([1.0, 2.0, 0.0, 3.0, 4.0])).compare(np.ones(5))
    assert np.isnan(compared.sizes).tolist() == [False, True, False, False]
    assert np.isnan(compared.angles).tolist() == [False, True, False, False]
    nothing = LayerMeter(layers, np.ones(5)).compare(np.zeros(5))
    assert (nothing.sizes == 0).all()
    assert np.isnan(nothing.angles).all()


def test_that_the_watched_layer_is_what_grad_holds_in_it() -> None:
    events = watched_run(Watch(layer=2))
    [window], added = runs.of_type(events, WindowStarted), runs.of_type(events, MicroBatchAdded)
    assert window.watched == 2
    assert window.watched_reference == pytest.approx(plain_gradients(1 / 8, 8)[2][1].flatten(), rel=1e-12)
    for count, event in enumerate(added, start=1):
        a, _ = plain_gradients(1 / 8, count)[2]
        np.testing.assert_allclose(event.watched_values, a.flatten(), rtol=1e-9, atol=1e-16)


def test_that_nothing_is_told_of_a_layer_that_is_not_watched_or_not_there() -> None:
    for watch in (Watch(), Watch(layer=4)):
        events = watched_run(watch)
        [window] = runs.of_type(events, WindowStarted)
        assert (window.watched, window.watched_reference) == (None, None)
        assert {event.watched_values for event in runs.of_type(events, MicroBatchAdded)} == {None}


def test_that_of_a_large_watched_layer_the_first_numbers_are_told() -> None:
    events = watched_run(Watch(layer=2), depth=2, width=512, micro_batches=2, batch=8)
    [window], [started] = runs.of_type(events, WindowStarted), runs.of_type(events, RunStarted)
    assert started.layers[2].size == 512 * 512 > WATCHED_NUMBERS
    assert len(window.watched_reference) == WATCHED_NUMBERS


def test_that_a_window_held_is_taken_again_when_another_layer_is_watched() -> None:
    config = RunConfig.of({"threads": 1, "precision": "float64"})
    control, history = Control(config), History()
    control.allow(3)
    windows = 0
    for event in Trainer(config).run(control):
        history.append(event)
        windows += isinstance(event, WindowStarted)
        if isinstance(event, MicroBatchAdded) and event.index == 3:
            if windows == 2:
                break
            before = event
            control.watch(Watch(layer=0), now=True)
    moment = history.at(-1)
    assert moment is not None
    assert moment.window is not None
    assert (moment.window.retaken, moment.window.watched, len(moment.added)) == (True, 0, 3)
    assert (moment.added[-1].values == before.values).all()


def planar(patch: pytest.MonkeyPatch) -> None:
    """Let every task be points in a plane, above or below a parabola."""
    generator = np.random.default_rng(0)
    points = generator.uniform(-1, 1, (200, 2))
    labels = (points[:, 1] > points[:, 0] ** 2).astype(np.int64)

    def build(config: RunConfig, device: torch.device, dtype: torch.dtype) -> Problem:
        return Problem(
            model=nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1), nn.Flatten(0)).to(device, dtype),
            model_title="planar",
            inputs=torch.from_numpy(points).to(device, dtype),
            targets=torch.from_numpy(labels).to(device, dtype),
            loss=lambda z, y: functional.binary_cross_entropy_with_logits(z, y, reduction="none"),
            guessing_loss=math.log(2),
            guessing_title="ln 2",
            score=Score("accuracy", "%", lambda z, y: (z > 0) == (y > 0.5)),
            plane=Plane(points, labels, torch.sigmoid),
        )

    patch.setattr(tasks, "find", lambda _name: Task("digits", "planar", 200, ("mlp",), build))


SMALL = {"batch": 50, "micro_batches": 5}


def test_that_the_score_is_measured_at_the_weights_of_the_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    planar(monkeypatch)
    events = watched_run(Watch(), steps=3, **SMALL)
    problem = tasks.find("digits").build(RunConfig.of(SMALL), torch.device("cpu"), torch.float64)
    torch.manual_seed(0)
    model = tasks.find("digits").build(RunConfig.of(SMALL), torch.device("cpu"), torch.float64).model
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    generator = torch.Generator().manual_seed(0)
    order = torch.randperm(200, generator=generator)
    finished = runs.of_type(events, StepFinished)
    for event, window in zip(finished, order.split(50), strict=False):
        outputs = model(problem.inputs[window])
        right = float(((outputs > 0) == (problem.targets[window] > 0.5)).double().mean())
        assert (event.score_full, event.score_accumulated) == (right, right)
        optimizer.zero_grad()
        problem.loss(outputs, problem.targets[window]).mean().backward()
        optimizer.step()


@pytest.mark.parametrize("precision", ["float32", "float64", "bfloat16"])
def test_that_looking_closely_changes_nothing(monkeypatch: pytest.MonkeyPatch, precision: str) -> None:
    planar(monkeypatch)
    watched = watched_run(Watch(layer=1, plane=True), 3, precision=precision, **SMALL)
    unseen = runs.run(3, seen=False, precision=precision, **SMALL)
    for lane in ("full", "accumulated"):
        assert runs.losses(watched, lane) == runs.losses(unseen, lane)


def test_that_a_step_that_is_not_seen_has_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    planar(monkeypatch)
    first, middle, last = runs.of_type(runs.run(3, seen=False, **SMALL), StepFinished)
    assert first.score_full is not None
    assert (middle.score_full, middle.score_accumulated) == (None, None)
    assert last.score_accumulated is not None


def test_that_the_plane_is_sampled_at_the_weights_at_which_the_step_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    planar(monkeypatch)
    [sampled] = runs.of_type(watched_run(Watch(plane=True), 1, **SMALL), PlaneSampled)
    torch.manual_seed(0)
    model = tasks.find("digits").build(RunConfig.of(SMALL), torch.device("cpu"), torch.float64).model
    rows, columns = sampled.full.shape
    xs, ys = (np.linspace(sampled.low[i], sampled.high[i], n) for i, n in ((0, columns), (1, rows)))
    for row, column in ((0, 0), (7, 50), (rows - 1, 3)):
        with torch.no_grad():
            right = torch.sigmoid(model(torch.tensor([[xs[column], ys[row]]], dtype=torch.float64)))
        assert sampled.full[row, column] == pytest.approx(float(right), rel=1e-12)
    assert (sampled.full == sampled.accumulated).all()


def test_that_history_shows_scores_and_plane_of_their_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    planar(monkeypatch)
    history = History()
    for event in watched_run(Watch(plane=True), 2, **SMALL):
        history.append(event)
    first, last = history.at(history.index_of_step(1)), history.at(-1)
    assert first is not None
    assert last is not None
    assert first.scores is not None
    assert (first.scores.step, first.plane.step) == (1, 1)
    assert (last.scores.step, last.plane.step) == (2, 2)


def test_that_history_keeps_fewer_windows_where_they_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradviz.history.KEPT_NUMBERS", 20_000)
    history, most = History(), 0
    for event in watched_run(Watch(layer=2), 12):
        history.append(event)
        most = max(most, len(history))
    assert 9 <= most < 4 * 9
    assert history.at(-1).window.step == 12
