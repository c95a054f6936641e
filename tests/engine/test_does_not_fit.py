"""A batch that does not fit whole: the full-batch lane stops, the accumulated one goes on and is judged."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable

import noisy
import pytest
import runs
import torch
from torch import Tensor, nn

from gradviz import tasks
from gradviz.config import RunConfig
from gradviz.events import Compared, Event, MemorySampled, RunFailed, RunFinished, StepFinished, WindowStarted
from gradviz.failures import in_words, is_out_of_memory
from gradviz.tasks import Problem, Task

SETTINGS = {"batch": 32, "micro_batches": 4, "precision": "float64"}


def small_card(patch: pytest.MonkeyPatch, most: int) -> list[int]:
    """Let every task be a problem of which no more than so many samples fit at once; that can be changed."""
    room = [most]

    def loss(outputs: Tensor, targets: Tensor) -> Tensor:
        if len(outputs) > room[0]:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
        return noisy.per_sample_loss(outputs, targets)

    def build(config: RunConfig, device: torch.device, dtype: torch.dtype) -> Problem:
        inputs, targets = noisy.data(dtype)
        model = torch.nn.Sequential(
            torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, noisy.CLASSES)
        )
        return Problem(model.to(device, dtype), "small", inputs, targets, loss, 1.0986, "ln 3")

    patch.setattr(tasks, "find", lambda _name: Task("digits", "small", noisy.SAMPLES, ("mlp",), build))
    return room


def test_that_the_accumulated_lane_trains_as_if_there_were_room(monkeypatch: pytest.MonkeyPatch) -> None:
    small_card(monkeypatch, 32)
    right = runs.run(4, **SETTINGS)
    small_card(monkeypatch, 8)
    events = runs.run(4, **SETTINGS)
    assert runs.losses(events) == runs.losses(right)
    assert runs.losses(events, "full") == [None] * 4
    assert {event.state_full for event in runs.of_type(events, StepFinished)} == {"does not fit"}
    assert isinstance(events[-1], RunFinished)


def test_that_the_reference_is_then_taken_in_pieces_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    small_card(monkeypatch, 32)
    whole = runs.of_type(runs.run(2, **SETTINGS), WindowStarted)
    small_card(monkeypatch, 8)
    events = runs.run(2, **SETTINGS)
    pieces = runs.of_type(events, WindowStarted)
    assert [window.reference_in_pieces for window in whole] == [False, False]
    assert [window.reference_in_pieces for window in pieces] == [True, True]
    for one, other in zip(whole, pieces, strict=True):
        assert other.reference_values == pytest.approx(one.reference_values, rel=1e-9)
    assert {event.comparison.kind for event in runs.of_type(events, Compared)} == {"equal"}


def test_that_a_missing_weight_is_still_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    small_card(monkeypatch, 8)
    [compared] = runs.of_type(runs.run(1, **{**SETTINGS, "scaling": "unscaled"}), Compared)
    assert compared.comparison.ratio == pytest.approx(4, rel=1e-12)
    assert compared.comparison.verdict == "4.000 × too large, same direction"


def test_that_nothing_is_said_of_the_memory_of_what_did_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    small_card(monkeypatch, 8)
    sampled = runs.of_type(runs.run(2, **SETTINGS), MemorySampled)
    assert {event.lane for event in sampled} == {"accumulated"}


def test_that_a_batch_that_fits_only_in_training_is_given_up_at_its_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small_card(monkeypatch, 32)
    calls = 0

    def install_loss(problem: Problem) -> Callable[[Tensor, Tensor], Tensor]:
        def loss(outputs: Tensor, targets: Tensor) -> Tensor:
            nonlocal calls
            calls += len(outputs) == 32
            if calls > 3 and len(outputs) == 32:
                raise RuntimeError("MPS backend out of memory")
            return problem.loss(outputs, targets)

        return loss

    task = tasks.find("digits")

    def build(config: RunConfig, device: torch.device, dtype: torch.dtype) -> Problem:
        problem = task.build(config, device, dtype)
        inputs, targets = problem.inputs, problem.targets
        return Problem(problem.model, "late", inputs, targets, install_loss(problem), 1.0, "1")

    monkeypatch.setattr(tasks, "find", lambda _name: Task("digits", "late", noisy.SAMPLES, ("mlp",), build))
    finished = runs.of_type(runs.run(4, **SETTINGS), StepFinished)
    assert [event.loss_full is None for event in finished] == [False, True, True, True]
    assert [event.state_full for event in finished] == ["training"] + ["does not fit"] * 3


def test_that_a_micro_batch_that_does_not_fit_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, expect_log: Callable[[str], None]
) -> None:
    expect_log("out of memory")
    small_card(monkeypatch, 7)
    last = runs.run(2, **SETTINGS)[-1]
    assert isinstance(last, RunFailed)
    assert last.sentence.startswith("out of memory on cpu in step 1: with more micro-batches")


def test_that_running_out_of_memory_a_hundred_times_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # the test's own capture would hold all tracebacks
    monkeypatch.setattr("gradviz.trainer.logger.disabled", True)

    room = small_card(monkeypatch, 7)

    def fail() -> list[Event]:
        room[0] = 7
        events = runs.run(2, **SETTINGS)
        room[0] = 8
        return events + runs.run(1, **SETTINGS)

    def held() -> tuple[int, int]:
        gc.collect()
        tensors = sum(type(each) in (Tensor, nn.Parameter) for each in gc.get_objects())
        return tracemalloc.get_traced_memory()[0], tensors

    tracemalloc.start()
    try:
        # free lists fill first
        for _ in range(40):
            fail()
        before, tensors = held()
        for _ in range(100):
            assert isinstance(fail()[-1], RunFinished)
        after, tensors_after = held()
    finally:
        tracemalloc.stop()
    assert tensors_after == tensors
    # the weights of one of these models are 1.6 KB
    assert after - before < 100 * 1024


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            RuntimeError("CUDA error: unspecified launch failure\nmore"),
            "the device cuda:0 failed in step 3 (CUDA error: unspecified launch failure): use another, or"
            " start the program again",
        ),
        (ValueError("no such class."), "ValueError in step 3: no such class"),
        (KeyError(), "KeyError in step 3"),
    ],
)
def test_that_an_error_is_one_sentence(error: Exception, sentence: str) -> None:
    assert in_words(error, 3, "cuda:0") == sentence
    assert not is_out_of_memory(error)


def test_that_a_model_too_large_to_be_built_says_so() -> None:
    error = torch.OutOfMemoryError("CUDA out of memory.")
    assert in_words(error, 0, "cuda:1") == "out of memory on cuda:1 while the model was built"
