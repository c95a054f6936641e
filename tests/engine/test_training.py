"""Whole runs: the lanes against plain torch, against each other, and against the twin."""

from __future__ import annotations

import math

import pytest
import runs
import torch

from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import (
    Compared,
    MicroBatchAdded,
    RunFailed,
    RunFinished,
    RunStarted,
    StepFinished,
    WindowStarted,
)
from gradviz.lanes import Lanes
from gradviz.trainer import Trainer


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_that_the_full_lane_is_plain_torch_to_the_bit(precision: str) -> None:
    events = runs.run(50, precision=precision)
    assert runs.losses(events, "full") == runs.plain_training(50, dtype=getattr(torch, precision))


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 64])
def test_that_every_step_of_a_correct_run_is_equal(count: int, precision: str) -> None:
    events = runs.run(50, micro_batches=count, scaling="samples", precision=precision)
    limit = {"float64": 1e-14, "float32": 1e-6}[precision]
    compared = runs.of_type(events, Compared)
    assert len(compared) == 50
    for event in compared:
        assert event.comparison.kind == "equal"
        assert event.comparison.relative_error <= limit


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam", "adamw"])
def test_that_both_lanes_have_the_same_weights_after_50_steps(optimizer: str) -> None:
    config = RunConfig.of({"optimizer": optimizer, "precision": "float64", "threads": 1})
    control = Control(config)
    control.allow(None)
    kept: list[Lanes] = []

    class Kept(Lanes):
        def __init__(self, config: RunConfig) -> None:
            super().__init__(config)
            kept.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gradviz.trainer.Lanes", Kept)
        events = list(Trainer(config, 50).run(control))
    assert isinstance(events[-1], RunFinished)
    full, accumulated = kept[0].full, kept[0].accumulated
    assert full is not None
    assert accumulated is not None
    found, right = (runs.flat(list(lane.model.parameters())) for lane in (accumulated, full))
    assert runs.relative_error(found, right) <= 1e-12


@pytest.mark.parametrize("settings", [{}, {"lr": 0.1}, {"activation": "relu"}, {"precision": "float64"}])
def test_that_the_twin_is_the_faulty_run_to_the_bit(settings: dict[str, object]) -> None:
    events = runs.run(60, scaling="unscaled", twin=True, **settings)
    assert runs.losses(events, "twin") == runs.losses(events)


def test_that_the_twin_trains_only_where_it_is_the_same_curve() -> None:
    for settings in ({"scaling": "mean"}, {"scaling": "unscaled", "optimizer": "adam"}):
        assert set(runs.losses(runs.run(3, twin=True, **settings), "twin")) == {None}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"scaling": "unscaled"},
        {"micro_batches": 7},
        {"batch": 10, "sizes": (4, 4, 2)},
        {"micro_batches": 256},
    ],
)
def test_that_shares_add_up_to_size_times_cosine(settings: dict[str, object]) -> None:
    events = runs.run(20, precision="float64", **settings)
    for event in runs.of_type(events, Compared):
        c = event.comparison
        assert sum(c.shares) == pytest.approx(c.ratio * c.cosine, rel=1e-12)
    for event in runs.of_type(events, MicroBatchAdded):
        assert event.share is not None


def test_that_the_loss_of_a_lane_does_not_depend_on_the_weights_of_its_pieces() -> None:
    right, faulty = runs.run(1), runs.run(1, scaling="unscaled")
    assert runs.losses(right) == runs.losses(faulty)
    assert runs.losses(right)[0] == pytest.approx(runs.plain_training(1)[0], rel=1e-6)


def test_that_uneven_pieces_count_by_their_samples_in_the_loss() -> None:
    events = runs.run(5, batch=10, sizes=(4, 4, 2), precision="float64", scaling="samples")
    assert runs.losses(events) == pytest.approx(runs.losses(events, "full"), rel=1e-12)


@pytest.mark.parametrize("seen", [True, False])
def test_that_a_run_again_is_the_same_to_the_bit(seen: bool) -> None:
    settings = {"scaling": "unscaled", "micro_batches": 5, "optimizer": "adamw"}
    first, second = (runs.run(30, seen=seen, **settings) for _ in range(2))
    assert runs.losses(first) == runs.losses(second)
    assert [e.values.tolist() for e in runs.of_type(first, MicroBatchAdded)] == [
        e.values.tolist() for e in runs.of_type(second, MicroBatchAdded)
    ]


def test_that_another_seed_is_another_run() -> None:
    assert runs.losses(runs.run(2, seed=1)) != runs.losses(runs.run(2, seed=2))


def test_the_order_of_events_in_a_seen_window() -> None:
    names = [type(event).__name__ for event in runs.run(1, micro_batches=2)]
    assert [name for name in names if name != "MemorySampled"] == [
        "RunStarted",
        "WindowStarted",
        "MicroBatchAdded",
        "MicroBatchAdded",
        "Compared",
        "StepFinished",
        "RunFinished",
    ]


def test_that_unseen_steps_tell_plain_numbers_and_the_last_step_everything() -> None:
    events = runs.run(40, seen=False)
    assert [event.step for event in runs.of_type(events, StepFinished)] == list(range(1, 41))
    steps = [event.step for event in runs.of_type(events, WindowStarted)]
    assert steps == [1, 40]


@pytest.mark.parametrize(
    ("lanes", "there", "missing"), [("full", "full", "accumulated"), ("accumulated", "accumulated", "full")]
)
def test_that_one_lane_can_run_alone(lanes: str, there: str, missing: str) -> None:
    events = runs.run(5, lanes=lanes)
    assert all(loss is not None for loss in runs.losses(events, there))
    assert set(runs.losses(events, missing)) == {None}
    assert len(runs.of_type(events, Compared)) == (5 if lanes == "accumulated" else 0)
    both = runs.losses(runs.run(5), there)
    assert runs.losses(events, there) == both


def test_that_a_lane_that_diverges_stops_stepping_while_the_other_goes_on() -> None:
    events = runs.run(30, **runs.DIVERGES)
    steps = runs.of_type(events, StepFinished)
    state = [step.state_accumulated for step in steps]
    assert "diverged" in state
    first = state.index("diverged")
    assert steps[first].loss_accumulated > 1e6 or not math.isfinite(steps[first].loss_accumulated)
    assert [step.loss_accumulated for step in steps[first + 1 :]] == [None] * (len(steps) - first - 1)
    assert all(step.loss_full is not None for step in steps)


def test_that_a_run_whose_lanes_have_all_diverged_ends() -> None:
    events = runs.run(500, lanes="accumulated", **runs.DIVERGES)
    assert isinstance(events[-1], RunFinished)
    assert events[-1].steps < 500


def test_that_a_missing_device_is_one_sentence() -> None:
    [failed] = runs.run(1, device="cuda:7")
    assert isinstance(failed, RunFailed)
    assert failed.sentence.startswith("device cuda:7 is not on this machine, which has cpu")


def test_that_started_tells_what_is_trained_on_what() -> None:
    started = runs.run(1)[0]
    assert isinstance(started, RunStarted)
    assert (started.task_title, started.model_title) == ("digits", "64-64-10 tanh MLP")
    assert started.parameters == 4810
    assert started.config.device in ("cpu", "cuda:0")
    assert started.guessing_loss == pytest.approx(math.log(10))
