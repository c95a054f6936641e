"""The CUDA source's arithmetic with an allocator that is played, and a real device where there is one."""

from __future__ import annotations

import weakref

import pytest
import torch
from torch import nn
from torch.optim import SGD, Adam

from gradviz.memory import KINDS, MemorySample
from gradviz.memory.cuda import Counters, CudaMemory

CPU = torch.device("cpu")
PARAMETERS = (64 * 64 + 64) * 4


class Allocator:
    """Counts what it is told of, on top of `foreign` bytes that are somebody else's."""

    def __init__(self, foreign: int) -> None:
        self.now = self.most = foreign
        self.counters = Counters(lambda _: self.now, lambda _: self.most, self._reset)

    def change(self, by: int) -> None:
        self.now += by
        self.most = max(self.most, self.now)

    def _reset(self, _: torch.device) -> None:
        self.most = self.now


def kinds(sample: MemorySample) -> list[int | None]:
    return [getattr(sample, f"{kind}_bytes") for kind in KINDS]


def make_gradients(model: nn.Module) -> None:
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)


@pytest.fixture
def model() -> nn.Module:
    return nn.Linear(64, 64)


@pytest.fixture
def allocator() -> Allocator:
    # another lane, and a peak of the past that must not be told
    allocator = Allocator(foreign=1_000_000)
    allocator.change(50_000_000)
    allocator.change(-50_000_000)
    return allocator


def test_that_a_lane_that_did_nothing_yet_holds_its_parameters(
    model: nn.Module, allocator: Allocator
) -> None:
    meter = CudaMemory(model, SGD(model.parameters(), 0.1), CPU, allocator.counters)
    meter.begin()
    sample = meter.sample(complete=False)
    assert sample.peak_bytes == PARAMETERS
    assert kinds(sample) == [PARAMETERS, 0, 0, 0, 0, None]
    assert sample.source == "CUDA allocator"
    assert not sample.complete


def test_that_a_segments_peak_is_what_it_took_on_top_of_what_the_lane_held(
    model: nn.Module, allocator: Allocator
) -> None:
    meter = CudaMemory(model, SGD(model.parameters(), 0.1), CPU, allocator.counters)
    meter.begin()
    with meter:
        meter.tick()
        inputs = torch.zeros(32, 64)
        allocator.change(8192)
        meter.hold_window(inputs, inputs[4:], inputs.t())
        allocator.change(100_000)
        allocator.change(-100_000)
        make_gradients(model)
        allocator.change(PARAMETERS)
    sample = meter.sample(complete=True)
    assert sample.peak_bytes == PARAMETERS + 8192 + 100_000
    assert kinds(sample) == [PARAMETERS, 0, 0, 8192, 100_000, None]


def test_that_the_second_piece_stands_on_the_firsts_gradients(model: nn.Module, allocator: Allocator) -> None:
    meter = CudaMemory(model, SGD(model.parameters(), 0.1), CPU, allocator.counters)
    meter.begin()
    for piece in range(2):
        with meter:
            meter.tick()
            allocator.change(30_000)
            allocator.change(-30_000)
            if piece == 0:
                make_gradients(model)
                allocator.change(PARAMETERS)
    sample = meter.sample(complete=True)
    assert kinds(sample) == [PARAMETERS, PARAMETERS, 0, 0, 30_000, None]
    assert sample.ticks == (1, 2)
    assert sample.trace is not None
    # start, two pieces
    assert sample.trace.sum(axis=1).tolist() == [PARAMETERS, PARAMETERS + 30_000, 2 * PARAMETERS + 30_000]


def test_that_state_made_in_the_first_step_is_the_optimizers(model: nn.Module, allocator: Allocator) -> None:
    optimizer = Adam(model.parameters(), 0.1)
    make_gradients(model)
    meter = CudaMemory(model, optimizer, CPU, allocator.counters)
    meter.begin()
    with meter:
        optimizer.step()
        state = 2 * PARAMETERS + 8
        allocator.change(state + 1000)
        allocator.change(-1000)
        optimizer.zero_grad()
        allocator.change(-PARAMETERS)
    sample = meter.sample(complete=True)
    assert sample.peak_bytes == 2 * PARAMETERS + state + 1000
    assert kinds(sample) == [PARAMETERS, PARAMETERS, state, 0, 1000, None]
    meter.begin()
    assert kinds(meter.sample(complete=False)) == [PARAMETERS, 0, state, 0, 0, None]


def test_that_what_others_allocate_between_segments_is_not_counted(
    model: nn.Module, allocator: Allocator
) -> None:
    meter = CudaMemory(model, SGD(model.parameters(), 0.1), CPU, allocator.counters)
    meter.begin()
    for _ in range(2):
        with meter:
            allocator.change(500)
            allocator.change(-500)
        allocator.change(9_000_000)
    assert meter.sample(complete=True).peak_bytes == PARAMETERS + 500


def test_that_kinds_add_up_to_the_peak_and_each_window_has_its_own(
    model: nn.Module, allocator: Allocator
) -> None:
    meter = CudaMemory(model, SGD(model.parameters(), 0.1), CPU, allocator.counters)
    peaks = []
    for growth in (70_000, 7_000):
        meter.begin()
        with meter:
            allocator.change(growth)
            allocator.change(-growth)
        sample = meter.sample(complete=True)
        assert sum(count or 0 for count in kinds(sample)) == sample.peak_bytes
        peaks.append(sample.peak_bytes)
    assert peaks == [PARAMETERS + 70_000, PARAMETERS + 7_000]


def test_that_window_data_is_not_kept_alive_and_not_counted_once_it_is_gone(
    model: nn.Module, allocator: Allocator
) -> None:
    meter = CudaMemory(model, SGD(model.parameters(), 0.1), CPU, allocator.counters)
    inputs = torch.zeros(32, 64)
    storage = weakref.ref(inputs.untyped_storage())
    meter.hold_window(inputs)
    meter.begin()
    assert meter.sample(complete=False).window_bytes == 8192
    del inputs
    assert storage() is None
    meter.begin()
    assert meter.sample(complete=False).window_bytes == 0


@pytest.mark.gpu
def test_that_on_a_real_device_the_peak_is_the_allocators_and_the_kinds_are_known() -> None:
    device = torch.device("cuda")
    model = nn.Sequential(nn.Linear(512, 512), nn.Tanh(), nn.Linear(512, 512)).to(device)
    optimizer = Adam(model.parameters(), 0.01)
    data = torch.randn(1024, 512, device=device)
    parameters = sum(parameter.numel() * 4 for parameter in model.parameters())
    meter = CudaMemory(model, optimizer, device)
    for _ in range(2):
        meter.begin()
        before = torch.cuda.memory_allocated(device)
        held = parameters + sum(
            value.untyped_storage().nbytes()
            for state in optimizer.state.values()
            for value in state.values()
            if value.device.type == "cuda"
        )
        most = 0
        for piece in range(4):
            with meter:
                meter.tick()
                inputs = data[piece * 256 + torch.arange(256, device=device)]
                meter.hold_window(inputs)
                model(inputs).square().mean().backward()
            most = max(most, torch.cuda.max_memory_allocated(device))
            del inputs
        with meter:
            optimizer.step()
            optimizer.zero_grad()
        most = max(most, torch.cuda.max_memory_allocated(device))
        sample = meter.sample(complete=True)
        assert sample.peak_bytes == pytest.approx(most - before + held, rel=0.01)
        assert sample.parameters_bytes == parameters
        assert sample.ticks == (1, 2, 3, 4)
    assert sample.optimizer_bytes >= 2 * parameters
    assert sample.gradients_bytes == parameters
