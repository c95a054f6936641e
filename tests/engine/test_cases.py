"""Ways in which accumulation went wrong for others, each with its right value, on small inputs of our own."""

from __future__ import annotations

import pytest
import runs
import torch
from torch import Tensor, nn
from torch.nn import functional

from gradviz.accumulation import accumulate
from gradviz.events import Compared
from gradviz.order import SampleOrder
from gradviz.scaling import even_sizes, weights


def per_sample_loss(outputs: Tensor, targets: Tensor) -> Tensor:
    return functional.cross_entropy(outputs, targets, reduction="none")


def small_problem() -> tuple[nn.Module, Tensor, Tensor]:
    """An 8-16-3 tanh MLP with 16 samples, in float64."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3)).double()
    return model, torch.randn(16, 8, dtype=torch.float64), torch.randint(3, (16,))


def fill_grad(
    model: nn.Module, inputs: Tensor, targets: Tensor, scaling: str, sizes: tuple[int, ...]
) -> list[Tensor]:
    pieces = zip(inputs.split(list(sizes)), targets.split(list(sizes)), strict=True)
    return list(accumulate(model, per_sample_loss, pieces, weights(scaling, sizes)))


def grad_of(model: nn.Module) -> Tensor:
    return runs.flat([p.grad for p in model.parameters() if p.grad is not None])


def test_that_without_the_division_by_n_the_gradient_and_the_sgd_update_are_four_times_too_large() -> None:
    model, inputs, targets = small_problem()
    functional.cross_entropy(model(inputs), targets).backward()
    right = grad_of(model)
    model.zero_grad()
    fill_grad(model, inputs, targets, "unscaled", (4, 4, 4, 4))
    assert float(grad_of(model).norm() / right.norm()) == pytest.approx(4.0, rel=1e-14)
    assert runs.relative_error(grad_of(model), 4 * right) < 1e-14
    before = runs.flat(list(model.parameters()))
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    update = runs.flat(list(model.parameters())) - before
    assert runs.relative_error(update, -0.4 * right) < 1e-13


@pytest.mark.parametrize(("eps", "difference"), [(1e-8, 1.6e-5), (1e-2, 0.34)])
def test_that_adam_hides_the_factor_as_far_as_eps_lets_it(eps: float, difference: float) -> None:
    updates = []
    for scaling in ("mean", "unscaled"):
        model, inputs, targets = small_problem()
        fill_grad(model, inputs, targets, scaling, (4, 4, 4, 4))
        before, gradient = runs.flat(list(model.parameters())), grad_of(model)
        torch.optim.Adam(model.parameters(), lr=1e-2, eps=eps).step()
        updates.append(runs.flat(list(model.parameters())) - before)
        # the first step in closed form, with g the gradient that Adam was given
        assert runs.relative_error(updates[-1], -1e-2 * gradient / (gradient.abs() + eps)) < 1e-9
    found = runs.relative_error(updates[1], updates[0])
    assert difference / 10 < found < difference * 10


def test_that_uneven_pieces_weighted_evenly_give_a_mean_of_means() -> None:
    """Sizes 4, 4, 2 and loss w·t with t eight times 1, then twice 7: 3.0 where 2.2 is right."""
    w = nn.Linear(1, 1, bias=False).double()
    t = torch.tensor([1.0] * 8 + [7.0] * 2, dtype=torch.float64)[:, None]
    found = {}
    for scaling in ("mean", "samples"):
        w.zero_grad()
        pieces = ((part, part) for part in t.split([4, 4, 2]))
        list(accumulate(w, lambda out, _: out.squeeze(1), pieces, weights(scaling, (4, 4, 2))))
        found[scaling] = float(w.weight.grad)  # type: ignore[arg-type]
    assert found["mean"] == pytest.approx(3.0)
    assert found["samples"] == pytest.approx(2.2)
    assert found["mean"] / found["samples"] == pytest.approx(1.3636, abs=1e-4)


def test_that_the_loss_of_the_window_is_neither_the_sum_nor_the_scaled_one() -> None:
    model, inputs, targets = small_problem()
    losses = [float(loss) for loss in fill_grad(model, inputs, targets, "mean", (4, 4, 4, 4))]
    right = functional.cross_entropy(model(inputs), targets).item()
    assert sum(losses) / 4 == pytest.approx(right, rel=1e-14)


def test_that_zeroing_inside_the_window_leaves_the_last_piece_over_n() -> None:
    model, inputs, targets = small_problem()
    pieces = zip(inputs.split(4), targets.split(4), strict=True)
    for _ in accumulate(model, per_sample_loss, pieces, weights("mean", (4, 4, 4, 4))):
        last = grad_of(model)
        model.zero_grad()
    functional.cross_entropy(model(inputs[12:]), targets[12:]).backward()
    assert runs.relative_error(last, grad_of(model) / 4) < 1e-14


def test_that_never_zeroing_adds_window_upon_window() -> None:
    model, inputs, targets = small_problem()
    functional.cross_entropy(model(inputs), targets).backward()
    right = grad_of(model)
    model.zero_grad()
    for _ in range(3):
        fill_grad(model, inputs, targets, "mean", (8, 8))
    assert runs.relative_error(grad_of(model), 3 * right) < 1e-14


def test_that_no_sample_at_the_end_of_an_epoch_is_dropped_or_used_twice() -> None:
    order = SampleOrder(10, 0)
    taken = torch.cat([order.next_window(4) for _ in range(5)])
    assert sorted(taken[:10].tolist()) == list(range(10))
    assert sorted(taken[10:].tolist()) == list(range(10))


@pytest.mark.parametrize(("precision", "limit"), [("float32", 1e-6), ("float64", 1e-14)])
def test_that_rounding_does_not_grow_with_n(precision: str, limit: float) -> None:
    for count in (4, 16, 64, 256):
        [event] = runs.of_type(runs.run(1, micro_batches=count, precision=precision), Compared)
        assert event.comparison.relative_error <= limit


def test_that_curves_part_at_a_large_learning_rate_though_every_gradient_is_right() -> None:
    events = runs.run(120, lr=20.0)
    compared = runs.of_type(events, Compared)
    assert {event.comparison.kind for event in compared} == {"equal"}
    apart = [abs(a - b) / b for a, b in zip(runs.losses(events), runs.losses(events, "full"), strict=True)]
    assert max(apart) > 1e-3
    assert any(event.why.startswith("rounding only: the gradients were equal") for event in compared)


def test_that_chunk_would_cut_another_number_of_pieces() -> None:
    assert len(torch.arange(64).chunk(48)) == 32
    assert len(even_sizes(64, 48)) == 48
