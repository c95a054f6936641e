"""Training, exploded, stuck, diverged: judged by losses."""

from __future__ import annotations

import math

import pytest

from gradviz.run_state import RunState


def states(losses: list[float]) -> list[str]:
    progress = RunState(guessing_loss=2.0)
    return [progress.observe(loss) for loss in losses]


def test_that_ordinary_losses_are_training() -> None:
    assert set(states([2.3, 2.0, 1.5, 1.0, 0.5, 4.9])) == {"training"}


def test_that_a_loss_of_ten_times_the_first_has_exploded_and_may_come_back() -> None:
    assert states([2.0, 20.0, 20.1, 1.0]) == ["training", "training", "exploded", "training"]


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1.1e6])
def test_that_diverged_is_final(bad: float) -> None:
    assert states([2.0, bad, 1.0]) == ["training", "diverged", "diverged"]


def test_that_twenty_windows_at_the_guessing_loss_after_having_been_elsewhere_are_stuck() -> None:
    assert states([3.0] + [2.05] * 19)[-1] == "training"
    assert states([3.0] + [2.05] * 20)[-1] == "stuck"
    assert states([3.0] + [2.05] * 20 + [1.0])[-1] == "training"
    assert states([3.0] + [2.2] * 40)[-1] == "training"


def test_that_a_run_that_has_only_begun_is_not_stuck() -> None:
    assert states([2.0] * 100)[-1] == "training"


def test_that_units_are_off_where_they_say_the_same_for_every_sample() -> None:
    import torch
    from torch import nn

    from gradviz.hidden_units import count_off

    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    with torch.no_grad():
        model[0].weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]))
        model[0].bias.copy_(torch.tensor([0.0, -1.0, -100.0]))
    assert count_off(model, torch.rand(16, 2)) == (2, 3)
