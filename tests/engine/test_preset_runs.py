"""Every preset that ships does what its title says."""

from __future__ import annotations

import numpy as np
import pytest
import runs

from gradviz import presets
from gradviz.config import RunConfig
from gradviz.control import Control, Watch
from gradviz.events import Compared, MemorySampled, PlaneSampled, StepFinished
from gradviz.memory import MemorySample
from gradviz.trainer import Trainer


def play(name: str, steps: int) -> list[object]:
    return list(runs.run(steps, **presets.load(name).settings))


def test_that_digits_learns_and_both_runs_are_one() -> None:
    events = play("digits", 150)
    assert runs.losses(events)[-1] < 0.2
    assert runs.losses(events) == pytest.approx(runs.losses(events, "full"), rel=1e-4)
    assert {event.comparison.kind for event in runs.of_type(events, Compared)} == {"equal"}


def test_that_unscaled_explodes_and_stays_bad() -> None:
    events = play("unscaled", 150)
    losses = runs.losses(events)
    assert max(losses) > 100
    assert min(losses[100:]) > 10
    assert runs.of_type(events, StepFinished)[-1].state_accumulated == "exploded"
    assert runs.losses(events, "full")[-1] < 0.2
    assert {event.comparison.verdict for event in runs.of_type(events, Compared)} == {
        "8.000 × too large, same direction"
    }


def test_that_the_bug_looks_better_at_a_small_learning_rate() -> None:
    events = play("bug-looks-better", 60)
    assert runs.losses(events)[-1] < 0.3
    assert runs.losses(events, "full")[-1] > 1.0
    assert runs.of_type(events, Compared)[-1].comparison.ratio == pytest.approx(8, rel=1e-5)


def test_that_adam_hides_it() -> None:
    events = play("adam-hides-it", 60)
    assert runs.losses(events) == pytest.approx(runs.losses(events, "full"), rel=1e-3)
    compared = runs.of_type(events, Compared)[-1]
    assert compared.comparison.ratio == pytest.approx(8, rel=1e-5)
    assert compared.why.endswith("Adam divides the factor out, so the loss hides it")


def test_that_uneven_pieces_weighted_evenly_point_elsewhere_and_weighting_by_samples_mends_it() -> None:
    events = play("uneven", 20)
    compared = runs.of_type(events, Compared)
    assert [event.comparison.kind for event in compared] == ["direction"] * 20
    assert compared[0].why.startswith("the pieces are uneven, but each is weighted 1/N: error 0.")
    predicted, measured = (part.split()[0] for part in compared[0].why.split(": error ")[1].split(", "))
    assert predicted == measured
    mended = runs.run(20, **{**presets.load("uneven").settings, "scaling": "samples"})
    assert {event.comparison.kind for event in runs.of_type(mended, Compared)} == {"equal"}


def last_memory(events: list[object]) -> dict[str, MemorySample]:
    """What each lane's last measured window took."""
    return {
        event.lane: event.sample for event in runs.of_type(events, MemorySampled) if event.sample.complete
    }


@pytest.mark.parametrize("name", ["wall", "cnn"])
def test_that_at_the_wall_only_the_pieces_fit_the_card(name: str) -> None:
    memory = last_memory(play(name, 3))
    card = RunConfig.of(presets.load(name).settings).card
    assert memory["full"].peak_bytes > card > memory["accumulated"].peak_bytes


def test_that_a_convolutional_network_needs_far_more_for_the_samples_than_for_its_weights() -> None:
    events = play("cnn", 3)
    whole = last_memory(events)["full"]
    assert whole.parameters_bytes + whole.gradients_bytes < 0.1 * whole.peak_bytes
    assert {event.comparison.kind for event in runs.of_type(events, Compared)} == {"equal"}


def test_that_both_runs_draw_the_same_line_between_the_moons() -> None:
    config = RunConfig.of({**presets.load("moons").settings, "threads": 1})
    control = Control(config)
    control.watch(Watch(plane=True))
    control.allow(None)
    events = list(Trainer(config, 150).run(control))
    last, plane = (runs.of_type(events, kind)[-1] for kind in (StepFinished, PlaneSampled))
    assert min(last.score_full, last.score_accumulated) > 0.98
    assert plane.full is not None
    assert plane.accumulated is not None
    assert np.abs(plane.full - plane.accumulated).max() < 0.01
    assert 0.2 < (plane.full > 0.5).mean() < 0.8


def test_that_the_mass_of_penguins_diverges_without_the_division_within_ten_steps() -> None:
    events = play("penguins", 10)
    last = runs.of_type(events, StepFinished)[-1]
    assert (last.state_full, last.state_accumulated) == ("training", "diverged")
    mended = runs.run(40, **{**presets.load("penguins").settings, "scaling": "mean"})
    assert runs.losses(mended)[-1] < 0.15


@pytest.mark.parametrize("name", presets.names())
def test_that_every_preset_has_a_title_and_trains(name: str) -> None:
    assert presets.load(name).title
    assert len(runs.losses(play(name, 2))) == 2
