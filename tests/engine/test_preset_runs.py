"""Every preset that ships does what its title says."""

from __future__ import annotations

import pytest
import runs

from gradviz import presets
from gradviz.events import Compared, MemorySampled, StepFinished


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


def test_that_at_the_wall_only_the_pieces_fit_the_card() -> None:
    preset = presets.load("wall")
    events = play("wall", 3)
    peak = {
        event.lane: event.sample.peak_bytes
        for event in runs.of_type(events, MemorySampled)
        if event.sample.complete
    }
    card = runs.RunConfig.of(preset.settings).card
    assert peak["full"] > card > peak["accumulated"]


@pytest.mark.parametrize("name", presets.names())
def test_that_every_preset_has_a_title_and_trains(name: str) -> None:
    assert presets.load(name).title
    assert len(runs.losses(play(name, 2))) == 2
