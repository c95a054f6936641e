"""What a run says of its lanes' memory, against the allocator's log of a plain loop that does the same."""

from __future__ import annotations

import pytest
import runs
import torch
from memory_runs import Setup, adam, logged_peaks, mlp, momentum, sgd
from torch import Tensor
from torch.nn import functional

from gradviz.events import Event, LaneName, MemorySampled
from gradviz.memory import KINDS, MemorySample

WINDOW, ACTIVATIONS = KINDS.index("window"), KINDS.index("activations")
PIXELS, CLASSES = 64, 10
OPTIMIZERS = {"sgd": sgd, "momentum": momentum, "adam": adam}


@pytest.fixture(autouse=True)
def _measure_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradviz.trainer.MEASURED_STEPS", 1000)


def samples(lane: LaneName, steps: int, **settings: object) -> list[MemorySample]:
    """The complete sample of each step."""
    return complete(runs.run(steps, **settings), lane)


def complete(events: list[Event], lane: LaneName) -> list[MemorySample]:
    sampled = runs.of_type(events, MemorySampled)
    return [event.sample for event in sampled if event.lane == lane and event.sample.complete]


def mean_loss(outputs: Tensor, targets: Tensor) -> Tensor:
    return functional.cross_entropy(outputs, targets, reduction="none").mean()


@pytest.mark.parametrize(
    ("count", "optimizer"),
    [(1, "sgd"), (8, "sgd"), (8, "momentum"), (8, "adam"), (3, "adam"), (64, "sgd"), (256, "sgd")],
)
def test_that_each_lanes_peak_is_that_of_a_plain_loop_without_reference_and_probes(
    count: int, optimizer: str
) -> None:
    events = runs.run(2, micro_batches=count, optimizer=optimizer, scaling="samples")
    setup = Setup(mlp, torch.rand(256, PIXELS), torch.randint(CLASSES, (256,)), OPTIMIZERS[optimizer])
    setup = setup._replace(loss=mean_loss)
    for lane, pieces in (("full", 1), ("accumulated", count)):
        peaks = [sample.peak_bytes for sample in complete(events, lane)]
        assert peaks == pytest.approx(logged_peaks(setup, pieces, windows=2), rel=0.01)


@pytest.mark.parametrize(
    "settings", [{}, {"micro_batches": 7}, {"micro_batches": 256}, {"precision": "float64"}]
)
def test_that_a_lane_holds_the_inputs_of_its_piece_and_no_more(settings: dict[str, object]) -> None:
    size = 8 if "precision" in settings else 4
    count = int(str(settings.get("micro_batches", 8)))
    for lane, largest in (("full", 256), ("accumulated", -(-256 // count))):
        for sample in samples(lane, 2, **settings):
            assert sample.trace is not None
            assert sample.trace[:, WINDOW].max() == largest * (PIXELS * size + 8)
            assert sample.trace[-1, WINDOW] == 0
            assert sample.trace[-1, ACTIVATIONS] == 0


@pytest.mark.parametrize("count", [1, 8, 256])
def test_that_kinds_add_up_to_the_peak_at_its_moment(count: int) -> None:
    for lane in ("full", "accumulated"):
        for sample in samples(lane, 3, micro_batches=count, optimizer="adam"):
            kinds = [getattr(sample, f"{kind}_bytes") for kind in KINDS]
            assert sum(kinds) == sample.peak_bytes
            assert sample.trace is not None
            assert sample.trace.sum(axis=1).max() == sample.peak_bytes
            assert kinds in sample.trace.tolist()
            assert sample.parameters_bytes == 4810 * 4
            assert len(sample.ticks) == (count if lane == "accumulated" else 1)


def test_that_accumulation_raises_the_peak_of_a_run_that_is_mostly_weights() -> None:
    heavy = {"width": 512, "depth": 8, "batch": 16}
    [full], [accumulated] = samples("full", 1, **heavy), samples("accumulated", 1, **heavy)
    assert 1.0 < accumulated.peak_bytes / full.peak_bytes < 1.2
    [full], [accumulated] = samples("full", 1), samples("accumulated", 1)
    assert accumulated.peak_bytes < 0.3 * full.peak_bytes


def test_that_adam_raises_the_second_steps_peak_by_twice_the_parameters() -> None:
    first, second, third = samples("full", 3, width=256, depth=8, batch=1024, optimizer="adam")
    assert (second.peak_bytes - first.peak_bytes) / first.parameters_bytes == pytest.approx(2.0, abs=0.001)
    assert third.peak_bytes == second.peak_bytes
    assert (first.optimizer_bytes, second.optimizer_bytes / second.parameters_bytes) == (
        0,
        pytest.approx(2.0, abs=0.001),
    )


def test_that_neither_the_other_lane_nor_seeing_adds_to_a_lane() -> None:
    both = samples("accumulated", 3, optimizer="adam")
    alone = samples("accumulated", 3, optimizer="adam", lanes="accumulated")
    assert [sample.peak_bytes for sample in both] == [sample.peak_bytes for sample in alone]
    assert all((a.trace == b.trace).all() for a, b in zip(both, alone, strict=True))  # type: ignore[union-attr]


def test_that_the_figures_of_the_default_run_are_those_that_are_told_of_it() -> None:
    [*_, full], [*_, accumulated] = samples("full", 3), samples("accumulated", 3)
    assert 279 <= full.peak_bytes / 1024 <= 294
    assert accumulated.peak_bytes / 1024 == pytest.approx(70, abs=1)
