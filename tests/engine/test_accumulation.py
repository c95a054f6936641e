"""A sum of weighted micro-batch gradients is the gradient of the whole batch, and when it is not."""

from __future__ import annotations

import pytest
import runs
import torch
from torch import Tensor, nn
from torch.nn import functional

from gradviz.accumulation import accumulate, reference_gradient
from gradviz.config import RunConfig
from gradviz.lanes import Lanes
from gradviz.scaling import even_sizes, weights

COUNTS = [1, 2, 3, 7, 8, 64]
EVEN_COUNTS = [1, 2, 8, 64]
LIMIT = {"float64": 1e-14, "float32": 1e-6}
DTYPE = {"float64": torch.float64, "float32": torch.float32}


def per_sample_loss(outputs: Tensor, targets: Tensor) -> Tensor:
    return functional.cross_entropy(outputs, targets, reduction="none")


def plain_gradient(model: nn.Module, inputs: Tensor, targets: Tensor) -> Tensor:
    """What everybody's full batch leaves in `.grad`."""
    model.zero_grad()
    functional.cross_entropy(model(inputs), targets).backward()
    gradient = runs.flat([p.grad for p in model.parameters() if p.grad is not None])
    model.zero_grad()
    return gradient


def accumulated(
    model: nn.Module, inputs: Tensor, targets: Tensor, scaling: str, sizes: tuple[int, ...]
) -> Tensor:
    """What our loop leaves in `.grad`."""
    pieces = zip(inputs.split(list(sizes)), targets.split(list(sizes)), strict=True)
    for _ in accumulate(model, per_sample_loss, pieces, weights(scaling, sizes)):
        pass
    gradient = runs.flat([p.grad for p in model.parameters() if p.grad is not None])
    model.zero_grad()
    return gradient


def trained(precision: str, steps: int) -> tuple[nn.Module, Tensor, Tensor]:
    """The digits model after so many plain steps, and a window of 256 digits."""
    dtype = DTYPE[precision]
    torch.manual_seed(3)
    model = runs.plain_model().to(dtype)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    inputs, targets = runs.plain_digits(dtype)
    windows = runs.plain_windows(256, 3)
    for _ in range(steps):
        window = next(windows)
        functional.cross_entropy(model(inputs[window]), targets[window]).backward()
        optimizer.step()
        optimizer.zero_grad()
    window = next(windows)
    return model, inputs[window], targets[window]


@pytest.mark.parametrize("steps", [0, 50])
@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("count", COUNTS)
def test_that_weighting_by_samples_equals_the_full_batch(count: int, precision: str, steps: int) -> None:
    model, inputs, targets = trained(precision, steps)
    found = accumulated(model, inputs, targets, "samples", even_sizes(256, count))
    assert runs.relative_error(found, plain_gradient(model, inputs, targets)) <= LIMIT[precision]


@pytest.mark.parametrize("steps", [0, 50])
@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("count", EVEN_COUNTS)
def test_that_dividing_by_n_equals_the_full_batch_where_n_divides_it(
    count: int, precision: str, steps: int
) -> None:
    model, inputs, targets = trained(precision, steps)
    found = accumulated(model, inputs, targets, "mean", even_sizes(256, count))
    assert runs.relative_error(found, plain_gradient(model, inputs, targets)) <= LIMIT[precision]


@pytest.mark.parametrize("sizes", [even_sizes(256, 3), even_sizes(256, 7), (100, 100, 56), (1, 255)])
def test_that_dividing_uneven_pieces_by_n_errs_as_the_formula_says(sizes: tuple[int, ...]) -> None:
    model, inputs, targets = trained("float64", 0)
    whole = plain_gradient(model, inputs, targets)
    pieces = zip(inputs.split(list(sizes)), targets.split(list(sizes)), strict=True)
    error = torch.zeros_like(whole)
    for size, (piece, labels) in zip(sizes, pieces, strict=True):
        error += (1 / len(sizes) - size / 256) * plain_gradient(model, piece, labels)
    found = accumulated(model, inputs, targets, "mean", sizes) - whole
    assert float((found - error).norm() / whole.norm()) <= 1e-12
    assert float(error.norm() / whole.norm()) > 1e-4


@pytest.mark.parametrize("count", EVEN_COUNTS)
def test_that_unscaled_accumulation_is_n_times_the_full_batch(count: int) -> None:
    model, inputs, targets = trained("float64", 50)
    found = accumulated(model, inputs, targets, "unscaled", even_sizes(256, count))
    assert runs.relative_error(found, count * plain_gradient(model, inputs, targets)) <= 1e-12


@pytest.mark.parametrize("batch", [1, 2, 7, 10, 64, 255, 1797])
def test_that_pieces_are_cut_as_torch_cuts_them(batch: int) -> None:
    for count in range(1, batch + 1, max(1, batch // 11)):
        assert even_sizes(batch, count) == tuple(map(len, torch.arange(batch).tensor_split(count)))


def test_that_weights_of_samples_add_up_to_one_and_an_unknown_scaling_is_refused() -> None:
    assert weights("samples", (4, 4, 2)) == (0.4, 0.4, 0.2)
    assert weights("mean", (4, 4, 2)) == (1 / 3,) * 3
    assert weights("unscaled", (4, 4, 2)) == (1.0,) * 3
    with pytest.raises(ValueError, match="no scaling is called 'sum'"):
        weights("sum", (1, 1))


def test_that_the_reference_is_plain_torchs_gradient_and_leaves_grad_alone() -> None:
    model, inputs, targets = trained("float64", 0)
    plain = plain_gradient(model, inputs, targets)
    gradients = reference_gradient(model, per_sample_loss, inputs, targets)
    assert torch.equal(runs.flat(gradients), plain)
    assert all(parameter.grad is None for parameter in model.parameters())


def test_that_the_piece_in_hand_is_let_go_before_the_next_is_fetched() -> None:
    model, inputs, targets = trained("float32", 0)
    alive: list[int] = []

    def pieces() -> object:
        import gc
        import weakref

        held: list[object] = []
        for piece, labels in zip(inputs.split(64), targets.split(64), strict=True):
            alive.append(sum(reference() is not None for reference in held))  # type: ignore[operator]
            copy = piece.clone()
            held.append(weakref.ref(copy))
            pair = (copy, labels)
            del copy
            yield pair
            del pair
            gc.collect()

    for _ in accumulate(model, per_sample_loss, pieces(), [0.25] * 4):  # type: ignore[arg-type]
        pass
    assert alive == [0, 0, 0, 0]


def test_that_the_lanes_begin_with_the_weights_that_plain_torch_draws() -> None:
    lanes = Lanes(RunConfig.of({"seed": 5, "threads": 1}))
    torch.manual_seed(5)
    plain = runs.flat(list(runs.plain_model().parameters()))
    assert lanes.full is not None
    assert lanes.accumulated is not None
    assert torch.equal(runs.flat(list(lanes.full.model.parameters())), plain)
    assert torch.equal(runs.flat(list(lanes.accumulated.model.parameters())), plain)
