"""What the loss pane draws and says of a run."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from pytestqt.qtbot import QtBot

from gradviz_app.plotting.loss_lines import LossLines
from gradviz_app.plotting.loss_notes import number
from gradviz_app.plotting.loss_scale import (
    LARGEST,
)
from gradviz_app.theme import DARK

from .losses import (
    Row,
    chart_of,
    falling,
    history_of,
    image_of,
    newest,
    notes_of,
    pane_of,
    picture_of,
    pixels_like,
    twin_switch,
    words_of,
)
from .moments import make_history


def test_that_losses_that_are_not_finite_are_capped_before_they_are_drawn() -> None:
    rows: list[Row] = [(2.3, 2.3, None), (2.0, 1e30, None), (1.9, 1e308, None), (1.8, math.inf, None)]
    picture = picture_of(history_of(rows))
    ys = picture.lanes["accumulated"].ys
    assert list(ys) == [2.3, LARGEST, LARGEST, LARGEST]
    assert picture.scale.ceiling == LARGEST
    assert picture.difference is not None
    assert np.isfinite(picture.difference.ys).all()


def test_that_both_lanes_infinite_have_no_difference() -> None:
    picture = picture_of(history_of([(2.3, 2.3, None), (math.inf, math.inf, None)]))
    assert picture.difference is not None
    assert list(np.isnan(picture.difference.ys)) == [False, True]


@pytest.mark.parametrize(("last", "step"), [(math.inf, 37), (3e7, 37), (math.nan, 37)])
def test_that_the_step_of_divergence_is_named(qtbot: QtBot, last: float, step: int) -> None:
    rows: list[Row] = [(2.0, 2.0 * 1.3**k, None) for k in range(36)] + [(2.0, last, None)]
    rows += [(2.0, None, None)] * 10
    history = history_of(rows, lambda s: "diverged" if s >= 37 else "training", scaling="unscaled")
    assert f"diverged at step {step}" in words_of(pane_of(qtbot, history))


def test_that_the_band_of_rounding_depends_on_the_precision() -> None:
    for precision, part in (("float32", 1e-5), ("float64", 1e-12)):
        picture = picture_of(history_of(falling(5), precision=precision))
        assert picture.rounding == pytest.approx(part * 2.4)


def test_that_axes_stay_when_an_earlier_moment_is_shown() -> None:
    history = history_of([(2.3, 2.3, None)] * 50 + [(2.0, 90.0, None)] * 50)
    lines = LossLines()
    lines.take(history, replace(newest(history), steps=20))
    picture = lines.picture(500)
    assert picture is not None
    assert picture.scale == picture_of(history).scale
    assert picture.last_step == 100
    assert picture.lanes["full"].step == 20
    assert len(picture.lanes["full"].xs) == 20


def test_that_names_and_last_losses_stand_at_the_ends(qtbot: QtBot) -> None:
    words = words_of(pane_of(qtbot, make_history(12)))
    assert any(text.startswith("full batch  ") for text in words)
    assert any(text.startswith("accumulated  ") for text in words)
    assert "guessing: ln 10 = 2.303" in words


def test_that_a_real_correct_run_is_equal_up_to_rounding(qtbot: QtBot) -> None:
    history = make_history(12)
    picture = picture_of(history)
    assert picture.equal
    assert picture.coincide
    assert "equal up to rounding" in pane_of(qtbot, history).accessibleDescription()


def test_that_a_real_unscaled_run_is_named_a_fault_and_differs(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, make_history(12, scaling="unscaled"))
    assert any(text.startswith("accumulated, no 1/N") for text in words_of(pane))
    assert pixels_like(image_of(pane), DARK.fault) > 100
    assert "They differ" in pane.accessibleDescription()


def test_that_one_micro_batch_without_scaling_is_no_fault(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, history_of(falling(9), scaling="unscaled", micro_batches=1))
    assert any(text.startswith("accumulated  ") for text in words_of(pane))
    assert not twin_switch(pane).isVisible()


def test_that_the_peak_is_named_with_value_and_step(qtbot: QtBot) -> None:
    rows: list[Row] = [(2.3, 2.3, None)] * 5 + [(2.2, 12.4, None)] + [(2.0, 2.3, None)] * 30
    words = words_of(pane_of(qtbot, history_of(rows, scaling="unscaled")))
    assert "12.4 at step 6" in words
    assert any("logarithmic" in text for text in words)


def test_that_a_run_on_the_scale_has_neither_strip_nor_peak(qtbot: QtBot) -> None:
    words = words_of(pane_of(qtbot, history_of(falling(60))))
    assert not any("logarithmic" in text or "at step" in text for text in words)


def test_that_a_difference_of_zero_is_said_in_words(qtbot: QtBot) -> None:
    words = words_of(pane_of(qtbot, history_of(falling(5))))
    assert any(text.startswith("rounding · 0 ") and text.endswith(" 1e−17") for text in words)
    assert "rounding" in words_of(pane_of(qtbot, history_of(falling(5, apart=1e-7))))


def test_that_adam_is_said_to_hide_the_factor_only_where_it_does(qtbot: QtBot) -> None:
    hidden = "hidden: the optimizer divides the factor out"
    settings = {"optimizer": "adam", "scaling": "unscaled"}
    assert hidden in words_of(pane_of(qtbot, history_of(falling(40, 1e-7), **settings)))
    assert hidden not in words_of(pane_of(qtbot, history_of(falling(40, 0.5), **settings)))


def test_that_the_twin_is_called_the_very_same_curve_only_if_it_is(qtbot: QtBot) -> None:
    for factor, words in ((1.0, "the very same curve"), (1.25, "up to 20 % apart")):
        rows: list[Row] = [(2.0, loss, loss * factor) for _, loss, _ in falling(40) if loss is not None]
        rows = [(full, acc if acc is None else acc * factor, acc) for full, acc, _ in rows]
        pane = pane_of(qtbot, history_of(rows, scaling="unscaled", twin=True))
        said = [*words_of(pane), pane.second_title()]
        expected = f"dotted: ÷ N at learning rate 4.0 (8 × 0.5): {words}"
        assert expected in said


def test_that_a_caption_without_room_moves_beside_the_title(qtbot: QtBot) -> None:
    rows: list[Row] = [(2.3, loss, loss) for loss in np.random.default_rng(0).uniform(0, 2.3, 60)]
    pane = pane_of(qtbot, history_of(rows, scaling="unscaled", twin=True), width=460, height=180)
    assert pane.second_title().startswith("dotted: ")


@pytest.mark.parametrize(("width", "height", "scale"), [(740, 250, 1.0), (560, 200, 1.0), (1130, 380, 1.45)])
@pytest.mark.parametrize("scaling", ["mean", "unscaled"])
def test_that_no_words_stand_on_others_or_outside(
    qtbot: QtBot, width: int, height: int, scale: float, scaling: str
) -> None:
    for steps in (1, 6, 30, 60):
        history = make_history(steps, scaling=scaling, seen=frozenset())
        pane = pane_of(qtbot, history, DARK.scaled(scale), width, height)
        boxes = [words.box() for words in notes_of(pane)]
        whole = QRectF(chart_of(pane).rect())
        assert all(whole.adjusted(-1, -1, 1, 1).contains(box) for box in boxes)
        # the lines of a block touch one another
        smaller = [box.adjusted(1, 1, -1, -1) for box in boxes]
        assert not any(a.intersects(b) for i, a in enumerate(smaller) for b in smaller[:i])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.3254, "0.325"),
        (2.3026, "2.303"),
        (96.78, "96.78"),
        (1234.5, "1234"),
        (4.2e-7, "4.2e−7"),
        (0.0, "0"),
    ],
)
def test_that_losses_are_written_as_people_do(value: float, words: str) -> None:
    assert number(value) == words
