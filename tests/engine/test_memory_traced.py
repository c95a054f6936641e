"""What the traced memory counts and what not, and that it changes nothing."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable

import numpy as np
import pytest
import torch
from memory_runs import (
    adam,
    cnn,
    cut,
    digits_like,
    dropout_net,
    kinds_at_peak,
    mlp,
    parameter_bytes,
    relu_net,
    sgd,
    take_window,
    traced,
)
from torch import Tensor, nn

from gradviz.memory import KINDS, MemorySample
from gradviz.memory.ledger import MOMENTS
from gradviz.memory.traced import TracedMemory


def test_that_views_and_operations_in_place_are_counted_once() -> None:
    model = nn.Linear(4, 4)
    meter = TracedMemory(model, sgd(model))
    meter.begin()
    with meter:
        meter.tick()
        made = torch.zeros(100)
        seen = made.view(10, 10).t()[2:], made.detach(), made.add_(1).mul_(2)
        parts = torch.split(made, 25)
        listed = torch.tensor([1.0] * 5)
    before = meter.sample(complete=False)
    del made, seen, listed
    with_a_view_left = meter.sample(complete=False)
    del parts
    after = meter.sample(complete=True)
    standing = parameter_bytes(model)
    assert before.peak_bytes == after.peak_bytes == standing + 420
    assert (before.activations_bytes, before.other_bytes) == (420, 0)
    assert with_a_view_left.trace is not None
    assert after.trace is not None
    assert with_a_view_left.trace[-1].sum() == standing + 400
    assert after.trace[-1].sum() == standing


def test_that_a_resized_storage_counts_with_its_new_size() -> None:
    model = nn.Linear(4, 4)
    meter = TracedMemory(model, sgd(model))
    meter.begin()
    with meter:
        made = torch.empty(0)
        made.resize_(1000)
        made.resize_(10)
        torch.neg(torch.ones(500), out=(written := torch.empty(0)))
    sample = meter.sample(complete=False)
    del made, written
    standing = parameter_bytes(model)
    assert sample.peak_bytes == standing + 4000 + 2000 + 2000
    after = meter.sample(complete=True)
    assert after.trace is not None
    assert after.trace[-1].sum() == standing


def test_that_a_view_of_the_data_set_is_not_memory_of_the_lane() -> None:
    model = nn.Linear(64, 4)
    data = torch.randn(1000, 64)
    meter = TracedMemory(model, sgd(model))
    meter.begin()
    with meter:
        view = data[10:20]
    assert meter.sample(complete=True).peak_bytes == parameter_bytes(model)
    assert view.shape == (10, 64)


def test_that_what_happens_outside_of_the_segments_is_not_counted_but_its_frees_are() -> None:
    model = nn.Linear(4, 4)
    meter = TracedMemory(model, sgd(model))
    meter.begin()
    with meter:
        inside = torch.ones(100)
    outside = torch.ones(1_000_000)
    del inside
    sample = meter.sample(complete=True)
    assert sample.peak_bytes == parameter_bytes(model) + 400
    assert sample.trace is not None
    assert sample.trace[-1].sum() == parameter_bytes(model)
    assert outside.numel() == 1_000_000


@pytest.mark.parametrize("pieces", [1, 8, 64])
def test_that_kinds_add_up_to_the_peak_and_the_trace_contains_it(pieces: int) -> None:
    for sample in traced(digits_like(relu_net, adam), pieces, windows=2):
        assert sample.trace is not None
        total = sample.trace.sum(axis=1)
        assert sum(kinds_at_peak(sample)) == sample.peak_bytes == total.max()
        assert kinds_at_peak(sample) == sample.trace[total.argmax()].tolist()
        assert sample.trace.shape[0] <= MOMENTS
        assert sample.trace.dtype == np.int64
        assert sample.trace.min() >= 0
        assert not sample.trace.flags.writeable


@pytest.mark.parametrize("pieces", [1, 8, 64])
def test_that_each_tick_is_a_row_of_the_trace_where_its_piece_is_not_there_yet(pieces: int) -> None:
    sample = traced(digits_like(mlp), pieces, windows=1)[0]
    assert sample.trace is not None
    assert len(sample.ticks) == pieces
    assert all(earlier < later for earlier, later in zip(sample.ticks, sample.ticks[1:], strict=False))
    assert 0 <= sample.ticks[0] <= sample.ticks[-1] < len(sample.trace)
    if len(sample.trace) < MOMENTS:
        assert not sample.trace[list(sample.ticks), KINDS.index("window")].any()


def test_that_a_window_can_be_sampled_in_its_middle_and_again_at_its_end() -> None:
    setup = digits_like(mlp)
    model = mlp()
    optimizer = sgd(model)
    meter = TracedMemory(model, optimizer)
    meter.begin()
    so_far: list[MemorySample] = []
    pieces = cut(setup, 4)
    take_window(model, optimizer, setup, pieces, meter, lambda: so_far.append(meter.sample(complete=False)))
    whole = meter.sample(complete=True)
    assert [len(sample.ticks) for sample in so_far] == [1, 2, 3, 4]
    assert [sample.complete for sample in (*so_far, whole)] == [False] * 4 + [True]
    assert whole.trace is not None
    for sample in so_far:
        assert sample.trace is not None
        assert (sample.trace == whole.trace[: len(sample.trace)]).all()
        assert sample.ticks == whole.ticks[: len(sample.ticks)]
        assert sample.source == "traced"
    peaks = [sample.peak_bytes for sample in (*so_far, whole)]
    assert peaks == sorted(peaks)
    assert peaks[1] > peaks[0]


def test_that_each_window_has_its_own_peak() -> None:
    """Counters that are never reset show the largest window for ever."""
    setup = digits_like(mlp)
    model = mlp()
    optimizer = sgd(model)
    meter = TracedMemory(model, optimizer)
    peaks = []
    for pieces in (1, 8, 1):
        meter.begin()
        take_window(model, optimizer, setup, cut(setup, pieces), meter)
        sample = meter.sample(complete=True)
        assert len(sample.ticks) == pieces
        peaks.append(sample.peak_bytes)
    assert peaks[0] == peaks[2]
    assert peaks[1] < peaks[0] / 2


@pytest.mark.parametrize("setup_of", [mlp, cnn, dropout_net])
def test_that_training_is_bitwise_the_same_with_the_meter(setup_of: Callable[[], nn.Module]) -> None:
    setup = digits_like(setup_of, adam)

    def trained(with_meter: bool) -> list[Tensor]:
        torch.manual_seed(7)
        model = setup.model()
        optimizer = adam(model)
        meter = TracedMemory(model, optimizer) if with_meter else None
        gradients: list[Tensor] = []
        for _ in range(3):
            if meter is not None:
                meter.begin()
            take_window(
                model,
                optimizer,
                setup,
                cut(setup, 4),
                meter,
                lambda: gradients.extend(
                    parameter.grad.clone() for parameter in model.parameters() if parameter.grad is not None
                ),
            )
            if meter is not None:
                meter.sample(complete=True)
        return [*gradients, *model.parameters(), *model.buffers(), torch.get_rng_state()]

    without, with_meter = trained(False), trained(True)
    assert len(without) == len(with_meter) > 12
    assert all(torch.equal(a, b) for a, b in zip(without, with_meter, strict=True))


def test_that_a_meter_made_in_one_thread_measures_in_another() -> None:
    setup = digits_like(mlp)
    model = mlp()
    optimizer = sgd(model)
    meter = TracedMemory(model, optimizer)
    samples = []

    def train() -> None:
        meter.begin()
        take_window(model, optimizer, setup, cut(setup, 8), meter)
        samples.append(meter.sample(complete=True))

    worker = threading.Thread(target=train)
    worker.start()
    worker.join()
    assert [sample.peak_bytes for sample in samples] == [sample.peak_bytes for sample in traced(setup, 8)]


def test_that_the_meter_keeps_no_tensor_alive() -> None:
    model = mlp()
    optimizer = adam(model)
    meter = TracedMemory(model, optimizer)
    watched: list[weakref.ref[object]] = []

    def remember(*tensors: Tensor) -> None:
        watched.extend(weakref.ref(tensor) for tensor in tensors)
        watched.extend(weakref.ref(tensor.untyped_storage()) for tensor in tensors)

    collecting = gc.isenabled()
    gc.disable()
    try:
        meter.begin()
        with meter:
            meter.tick()
            inputs = torch.randn(16, 64)
            meter.hold_window(inputs)
            hidden = model(inputs)
            loss = hidden.square().mean()
            loss.backward()
            remember(inputs, hidden, loss)
            remember(*[parameter.grad for parameter in model.parameters() if parameter.grad is not None])
            del inputs, hidden, loss
        with meter:
            optimizer.step()
            optimizer.zero_grad()
        meter.sample(complete=True)
        assert len(watched) == 14
        assert all(reference() is None for reference in watched)
        state = [value for values in optimizer.state.values() for value in values.values()]
        remember(*model.parameters(), *state)
        del model, optimizer, state
        kept = weakref.ref(meter)
        del meter
        assert kept() is None
    finally:
        if collecting:
            gc.enable()
