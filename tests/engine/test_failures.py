"""An error in the middle of a run is its last event: one sentence, and nothing is held on to."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import noisy
import pytest
import runs
import torch
from torch import Tensor

from gradviz import tasks
from gradviz.config import RunConfig
from gradviz.events import RunFailed
from gradviz.tasks import Problem, Task

Loss = Callable[[Tensor, Tensor], Tensor]
LINUX_OUT_OF_MEMORY = (
    "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to"
    " allocate 4000000000000000 bytes. Error code 12 (Cannot allocate memory)"
)


def train_with(patch: pytest.MonkeyPatch, loss: Loss) -> RunFailed:
    """How a run ends whose loss raises."""

    def build(config: RunConfig, device: torch.device, dtype: torch.dtype) -> Problem:
        inputs, targets = noisy.data(dtype)
        model = noisy.net().to(device, dtype)
        return Problem(model, "noisy", inputs.to(device), targets.to(device), loss, 1.0, "1", None)

    task = Task("digits", "noisy", noisy.SAMPLES, ("mlp",), build)
    patch.setattr(tasks, "find", lambda _name: task)
    last = runs.run(20, batch=16, micro_batches=4)[-1]
    assert isinstance(last, RunFailed)
    return last


def after(calls: int, error: Exception) -> tuple[Loss, list[weakref.ref[Tensor]]]:
    """A loss that raises at the call after so many, and the outputs that it was given."""
    given: list[weakref.ref[Tensor]] = []

    def loss(outputs: Tensor, targets: Tensor) -> Tensor:
        given.append(weakref.ref(outputs))
        if len(given) > calls:
            raise error
        return noisy.per_sample_loss(outputs, targets)

    return loss, given


# reference, full lane, then four pieces: six calls a seen step
@pytest.mark.parametrize(("calls", "step"), [(0, 1), (1, 1), (2, 1), (5, 1), (6, 2), (9, 2)])
def test_that_a_loss_that_raises_anywhere_ends_the_run_with_a_sentence(
    calls: int, step: int, monkeypatch: pytest.MonkeyPatch, expect_log: Callable[[str], None]
) -> None:
    expect_log("no such class")
    loss, given = after(calls, ValueError("no such class.\nAnd a second line."))
    failed = train_with(monkeypatch, loss)
    assert (failed.step, failed.sentence) == (step, f"ValueError in step {step}: no such class")
    gc.collect()
    assert not any(reference() is not None for reference in given[:-1])


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
        RuntimeError("[enforce fail] not enough memory: you tried to allocate 4000 bytes."),
        RuntimeError(LINUX_OUT_OF_MEMORY),
        MemoryError(),
    ],
)
def test_that_running_out_of_memory_is_said_with_a_way_on(
    error: Exception, monkeypatch: pytest.MonkeyPatch, expect_log: Callable[[str], None]
) -> None:
    expect_log("the run failed")
    failed = train_with(monkeypatch, after(8, error)[0])
    way_on = "with more micro-batches each of them needs less"
    assert failed.sentence == f"out of memory on cpu in step 2: {way_on}"


def test_that_this_machine_runs_out_of_memory_in_known_words() -> None:
    with pytest.raises(RuntimeError, match=r"can't allocate memory|not enough memory"):
        torch.empty(10**15)


def test_that_the_random_state_of_a_failed_run_is_not_the_next_ones(
    monkeypatch: pytest.MonkeyPatch, expect_log: Callable[[str], None]
) -> None:
    expect_log("half way")
    noisy.install(monkeypatch)
    right = runs.losses(runs.run(3, batch=16, micro_batches=4))
    train_with(monkeypatch, after(3, RuntimeError("half way"))[0])
    noisy.install(monkeypatch)
    assert runs.losses(runs.run(3, batch=16, micro_batches=4)) == right
