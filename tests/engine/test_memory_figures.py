"""The traced figures against the CPU allocator's own log, hand calculation and the published cases."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from memory_runs import (
    MIB,
    adam,
    case,
    cnn,
    convolution_net,
    digits_like,
    dropout_net,
    kinds_at_peak,
    linears,
    logged_peaks,
    mlp,
    momentum,
    parameter_bytes,
    relu_net,
    sgd,
    tanhs,
    traced,
    wide_cnn,
    window_held_whole,
)
from torch import nn
from torch.optim import Optimizer
from torch.profiler import ProfilerActivity, profile

from gradviz.memory import KINDS
from gradviz.memory.traced import TracedMemory


@pytest.mark.parametrize("pieces", [1, 8])
@pytest.mark.parametrize(
    ("model", "optimizer", "batch"),
    [
        (mlp, sgd, 256),
        (mlp, momentum, 256),
        (mlp, adam, 256),
        (relu_net, sgd, 256),
        (cnn, adam, 512),
        (wide_cnn, sgd, 256),
        (wide_cnn, adam, 256),
        (convolution_net, momentum, 256),
        (dropout_net, adam, 256),
    ],
)
def test_that_the_peak_of_each_window_is_the_allocators_to_one_percent(
    model: Callable[[], nn.Module], optimizer: Callable[[nn.Module], Optimizer], batch: int, pieces: int
) -> None:
    setup = digits_like(model, optimizer, batch)
    peaks = [sample.peak_bytes for sample in traced(setup, pieces, windows=3)]
    assert peaks == pytest.approx(logged_peaks(setup, pieces, windows=3), rel=0.01)


def test_that_a_convolutions_own_workspace_is_told_to_the_byte() -> None:
    setup = digits_like(convolution_net)
    for pieces in (1, 4):
        [sample], [logged] = traced(setup, pieces), logged_peaks(setup, pieces, windows=1)
        assert sample.source == "traced"
        assert sample.peak_bytes == logged


def test_that_figures_without_the_allocators_log_are_too_small_and_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    setup = digits_like(convolution_net)
    [logged] = logged_peaks(setup, 4, windows=1)
    monkeypatch.setattr("gradviz.memory.traced.can_be_logged", lambda device: False)
    [sample] = traced(setup, 4)
    assert sample.source == "traced without scratch memory"
    assert 0.5 * logged < sample.peak_bytes < 0.9 * logged


def test_that_a_profiler_that_is_at_work_already_is_left_alone() -> None:
    with profile(activities=[ProfilerActivity.CPU]):
        [sample] = traced(digits_like(mlp), 2)
    assert sample.source == "traced without scratch memory"
    assert traced(digits_like(mlp), 2)[0].peak_bytes == sample.peak_bytes


@pytest.mark.parametrize("pieces", [1, 4])
@pytest.mark.parametrize("optimizer", [sgd, momentum, adam])
def test_that_what_stands_is_known_by_kind(optimizer: Callable[[nn.Module], Optimizer], pieces: int) -> None:
    setup = digits_like(mlp, optimizer)
    sample = traced(setup, pieces, windows=2)[1]
    parameters = parameter_bytes(mlp())
    # Adam also keeps a four-byte count of its steps for each of the four parameters
    kept = 0 if optimizer is sgd else parameters if optimizer is momentum else 2 * parameters + 16
    piece = 256 // pieces * (64 * 4 + 8)
    assert sample.parameters_bytes == parameters
    assert sample.optimizer_bytes == kept
    assert sample.window_bytes == piece
    assert sample.trace is not None
    assert set(sample.trace[:, KINDS.index("parameters")]) == {parameters}
    assert set(sample.trace[:, KINDS.index("optimizer")]) == {kept}
    assert sample.trace[:, KINDS.index("window")].max() == piece


def test_that_gradients_take_the_parameters_bytes_from_the_first_backward_to_zero_grad() -> None:
    sample = traced(digits_like(mlp), 4)[0]
    assert sample.trace is not None
    gradients = sample.trace[:, KINDS.index("gradients")]
    parameters = parameter_bytes(mlp())
    second = sample.ticks[1]
    assert gradients[0] == 0
    assert gradients[-1] == 0
    assert gradients.max() == gradients[second] == parameters
    whole = np.flatnonzero(gradients == parameters)
    assert (np.diff(whole) == 1).all()
    assert whole[0] < second
    assert whole[-1] > sample.ticks[-1]


def test_that_gradients_of_a_batch_in_one_piece_are_known_after_zero_grad_too() -> None:
    sample = traced(digits_like(mlp), 1)[0]
    assert sample.trace is not None
    assert sample.trace[:, KINDS.index("gradients")].max() == parameter_bytes(mlp())
    assert sample.trace[-1].tolist() == [parameter_bytes(mlp()), 0, 0, 0, 0, 0]


def test_that_a_gradient_that_somebody_keeps_is_a_gradient_no_more_in_the_next_window() -> None:
    model = mlp()
    optimizer = sgd(model)
    meter = TracedMemory(model, optimizer)
    meter.begin()
    with meter:
        model(torch.randn(4, 64)).sum().backward()
        kept = model[0].weight.grad
        optimizer.zero_grad()
        model(torch.randn(4, 64)).sum().backward()
        kept_too = model[0].weight.grad
    optimizer.zero_grad()
    meter.begin()
    sample = meter.sample(complete=False)
    assert kept is not kept_too
    assert kinds_at_peak(sample) == [parameter_bytes(model), 0, 0, 0, 0, 2 * 64 * 64 * 4]


def test_that_optimizer_state_appears_in_the_first_step_and_stays() -> None:
    first, second = traced(digits_like(mlp, momentum), 2, windows=2)
    assert first.trace is not None
    assert second.trace is not None
    state = KINDS.index("optimizer")
    assert first.trace[first.ticks[1], state] == 0
    assert first.trace[-1, state] == second.trace[0, state] == parameter_bytes(mlp())


@pytest.mark.parametrize("model", [mlp, relu_net])
def test_that_activations_shrink_exactly_as_the_piece(model: Callable[[], nn.Module]) -> None:
    setup, column = digits_like(model), KINDS.index("activations")
    whole, piece = (traced(setup, pieces)[0].trace for pieces in (1, 8))
    assert whole is not None
    assert piece is not None
    assert whole[:, column].max() == 8 * piece[:, column].max() > 0


def test_that_activations_at_the_peak_are_what_the_layers_keep() -> None:
    """Twelve tanh results, or a piece of them, and two scalars: the loss and where backward starts."""
    setup = case(tanhs, 1024, 256, sgd)
    for pieces in (1, 8):
        [sample] = window_held_whole(setup, pieces)
        assert sample.activations_bytes == 12 * 1024 // pieces * 256 * 4 + 8


def test_that_accumulation_raises_the_peak_of_a_net_that_is_mostly_weights() -> None:
    setup = case(linears, 16, 512, sgd)
    [full], [accumulated] = window_held_whole(setup, 1), window_held_whole(setup, 8)
    assert full.peak_bytes / MIB == pytest.approx(16.09, abs=0.006)
    assert accumulated.peak_bytes / MIB == pytest.approx(17.10, abs=0.006)
    assert accumulated.peak_bytes / full.peak_bytes == pytest.approx(1.06, abs=0.005)


def test_that_adam_raises_the_second_steps_peak_by_twice_the_parameters() -> None:
    setup = case(tanhs, 1024, 256, adam)
    first, second = window_held_whole(setup, 1, windows=2)
    assert first.peak_bytes / MIB == pytest.approx(20.01, abs=0.006)
    assert second.peak_bytes / MIB == pytest.approx(26.04, abs=0.006)
    parameters = parameter_bytes(tanhs())
    assert (second.peak_bytes - first.peak_bytes) / parameters == pytest.approx(2.0, abs=0.001)


def test_that_the_saving_is_told_right_only_from_the_second_step_on() -> None:
    setup = case(tanhs, 1024, 256, adam)
    full, accumulated = (window_held_whole(setup, pieces, 2, keeps_outputs=True) for pieces in (1, 8))
    ratios = [b.peak_bytes / a.peak_bytes for a, b in zip(full, accumulated, strict=True)]
    assert ratios == pytest.approx([0.68, 0.58], abs=0.006)


def test_that_the_peak_is_told_and_not_what_is_left_between_steps() -> None:
    [sample] = window_held_whole(case(tanhs, 1024, 256, sgd), 1)
    assert sample.trace is not None
    assert sample.trace[-1].sum() / MIB == pytest.approx(4.01, abs=0.006)
    assert sample.peak_bytes / MIB == pytest.approx(20.01, abs=0.006)
