"""Shares, single weights and arrows, against gradients taken by plain torch."""

from __future__ import annotations

import numpy as np
import pytest
import runs
import torch
from torch.nn import functional

from gradviz.arrows import project
from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import Compared, MicroBatchAdded, RunStarted, WindowStarted
from gradviz.history import History
from gradviz.layers import layers_of
from gradviz.names import WeightNames
from gradviz.probes import KEPT_PIECES, Probe, Room, flatten
from gradviz.trainer import Trainer


def plain_first_window(count: int) -> tuple[np.ndarray, np.ndarray]:
    """(R, one row for each g_k) of the first window of the default run in float64."""
    torch.manual_seed(0)
    model = runs.plain_model().double()
    inputs, targets = runs.plain_digits(torch.float64)
    window = next(runs.plain_windows(256, 0))

    def gradient(part: torch.Tensor) -> np.ndarray:
        model.zero_grad()
        functional.cross_entropy(model(inputs[part]), targets[part]).backward()
        return runs.flat([p.grad for p in model.parameters() if p.grad is not None]).numpy()

    return gradient(window), np.array([gradient(part) for part in window.tensor_split(count)])


@pytest.mark.parametrize(("scaling", "factor"), [("mean", 1 / 8), ("unscaled", 1.0)])
def test_that_a_share_is_the_piece_along_the_full_gradient(scaling: str, factor: float) -> None:
    r, pieces = plain_first_window(8)
    added = runs.of_type(runs.run(1, precision="float64", scaling=scaling), MicroBatchAdded)
    right = factor * pieces @ r / (r @ r)
    assert [event.share for event in added] == pytest.approx(right, rel=1e-11)
    assert [event.total for event in added] == pytest.approx(np.cumsum(right), rel=1e-11)


def test_that_single_weights_are_what_grad_holds() -> None:
    r, pieces = plain_first_window(8)
    events = runs.run(1, precision="float64")
    [window] = runs.of_type(events, WindowStarted)
    np.testing.assert_allclose(window.reference_values, r[window.coordinates], rtol=1e-12)
    for index, event in enumerate(runs.of_type(events, MicroBatchAdded)):
        so_far = pieces[: index + 1].sum(axis=0)[window.coordinates] / 8
        np.testing.assert_allclose(event.values, so_far, rtol=1e-10, atol=1e-16)


def test_that_the_single_weights_are_large_ones_from_every_layer_with_their_names() -> None:
    events = runs.run(1)
    [window], [started] = runs.of_type(events, WindowStarted), runs.of_type(events, RunStarted)
    names = WeightNames(started.layers).at(window.coordinates)
    assert len(window.coordinates) == len(names) == 256
    assert np.abs(window.reference_values).min() >= 1e-3 * np.abs(window.reference_values).max()
    assert {name.split("[")[0] for name in names} >= {"0.weight", "2.weight"}
    parameters = dict(runs.plain_model().named_parameters())
    order = {}
    start = 0
    for name, parameter in parameters.items():
        for place in range(parameter.numel()):
            where = ", ".join(str(int(i)) for i in np.unravel_index(place, parameter.shape))
            order[f"{name}[{where}]"] = start + place
        start += parameter.numel()
    assert [order[name] for name in names] == window.coordinates.tolist()


def test_that_what_an_event_holds_cannot_change() -> None:
    events = runs.run(1)
    arrays = [e.values for e in runs.of_type(events, MicroBatchAdded)]
    arrays += [e.products for e in runs.of_type(events, Compared)]
    arrays += [e.reference_values for e in runs.of_type(events, WindowStarted)]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


def test_that_arrows_keep_each_pieces_length_along_r_and_cancel_sideways() -> None:
    events = runs.run(1, precision="float64")
    [compared] = runs.of_type(events, Compared)
    arrows = project(compared.products, np.array(compared.comparison.shares), whole=True)
    assert arrows.sideways == "disagreement"
    assert arrows.pieces[:, 1] == pytest.approx(compared.comparison.shares)
    assert arrows.pieces[:, 0].sum() == pytest.approx(0, abs=1e-7)
    assert arrows.pieces[0, 0] <= 0
    assert 0 < arrows.shown <= 1


def test_that_the_products_are_those_of_the_pieces() -> None:
    r, pieces = plain_first_window(8)
    right = pieces @ pieces.T / 64 / (r @ r)
    [compared] = runs.of_type(runs.run(1, precision="float64"), Compared)
    np.testing.assert_allclose(compared.products, right, rtol=1e-10)


def test_that_a_run_by_counted_credits_tells_the_products_piece_by_piece() -> None:
    config = RunConfig.of({"threads": 1, "micro_batches": 4})
    control, history = Control(config), History()
    control.allow(4)
    for event in Trainer(config).run(control):
        history.append(event)
        if isinstance(event, Compared):
            break
    for index, event in enumerate(runs.of_type(list(history.at(-1).added), MicroBatchAdded)):
        np.testing.assert_allclose(event.products, event_row(history, index), rtol=1e-10, atol=1e-14)
    assert history.at(2).arrows().pieces.shape == (2, 2)


def event_row(history: History, index: int) -> np.ndarray:
    return history.at(-1).compared.products[index, : index + 1]


def test_that_arrows_show_the_true_plane_of_two_pieces() -> None:
    r = np.array([0.0, 2.0, 0.0])
    pieces = np.array([[-1.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    arrows = project(pieces @ pieces.T / 4, pieces @ r / (r @ r), whole=True)
    np.testing.assert_allclose(arrows.pieces, [[-0.5, 0.5], [0.5, 0.5]], atol=1e-12)
    assert (arrows.sideways, arrows.shown) == ("disagreement", pytest.approx(1))


def test_that_arrows_show_the_error_where_the_direction_is_wrong() -> None:
    r = np.array([0.0, 1.0, 0.0])
    pieces = np.array([[0.3, 0.5, 2.0], [0.4, 0.5, -2.0]])
    arrows = project(pieces @ pieces.T, pieces @ r, whole=True)
    assert arrows.sideways == "error"
    np.testing.assert_allclose(arrows.pieces, [[0.3, 0.5], [0.4, 0.5]], atol=1e-12)
    assert arrows.shown == pytest.approx(
        np.hypot([0.3, 0.4], 0.5).sum() / np.linalg.norm(pieces, axis=1).sum()
    )


def test_that_without_a_reference_gradient_shares_are_unknown() -> None:
    model = runs.plain_model()
    probe = Probe(
        [torch.zeros_like(p) for p in model.parameters()], model, layers_of(model), 2, "float32", Room()
    )
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    probe.read()
    [piece] = probe.measure()
    assert (piece.share, piece.total, probe.products()) == (None, None, None)
    assert piece.values.shape == (0,)
    assert probe.compare().verdict == "no gradient"


def test_that_too_many_pieces_have_no_arrows_but_all_their_shares() -> None:
    events = runs.run(1, micro_batches=KEPT_PIECES + 1, scaling="samples")
    added = runs.of_type(events, MicroBatchAdded)
    assert len(added) == KEPT_PIECES + 1
    assert all(event.products is None and event.share is not None for event in added)
    assert added[-1].total == pytest.approx(1)


def test_that_flatten_copies() -> None:
    tensor = torch.zeros(3, dtype=torch.float64)
    array = flatten([tensor])
    tensor += 1
    assert array.tolist() == [0, 0, 0]


def test_that_what_rounding_cannot_explain_is_not_measured_again_with_many_pieces_either() -> None:
    events = runs.run(1, micro_batches=KEPT_PIECES + 36)
    [compared] = runs.of_type(events, Compared)
    assert compared.comparison.kind == "direction"
    assert compared.comparison.decided_in == "float32"
