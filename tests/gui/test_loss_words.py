"""What the loss pane draws and says of a run."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from pytestqt.qtbot import QtBot
from runs import run

from gradviz.config import RunConfig
from gradviz.events import Resynced
from gradviz.history import History
from gradviz_app.plotting.curve import by_cause, runs
from gradviz_app.plotting.loss_lines import LossLines
from gradviz_app.plotting.loss_scale import (
    LARGEST,
)
from gradviz_app.plotting.loss_words import number
from gradviz_app.plotting.plot_areas import y
from gradviz_app.theme import DARK

from .losses import (
    Row,
    chart_of,
    falling,
    finished,
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
from .moments import make_history, make_moment


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
    for precision, part in (("float32", 1e-5), ("float64", 1e-12), ("bfloat16", 2.0**-7)):
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


def switched(scalings: list[str], **settings: object) -> History:
    """A history whose steps were made with these scalings, one after another."""
    history, config = history_of([], **settings), RunConfig.of({"lr": 0.5})
    rows = falling(len(scalings), 0.2)
    for step, (losses, scaling) in enumerate(zip(rows, scalings, strict=True), 1):
        history.append(replace(finished(step, losses, config), scaling=scaling))
    return history


def test_that_each_stretch_of_the_curve_has_the_cause_that_made_its_step() -> None:
    picture = picture_of(switched(["mean", "mean", "unscaled", "mean", "unscaled"]))
    line = picture.lanes["accumulated"]
    plain, faulty = by_cause(line.xs, line.ys, picture.faulty)
    # the segment from a step to the next was caused by that step; the last one has not led anywhere yet
    assert list(faulty[0][~np.isnan(faulty[1])]) == [3, 4]
    assert list(plain[0][~np.isnan(plain[1])]) == [1, 2, 3, 4, 5]
    assert len(runs(*plain)) == 2


def test_that_a_scaling_that_is_set_but_not_stepped_recolours_nothing(qtbot: QtBot) -> None:
    history, moment = make_history(4, finish_last=False), make_moment(scaling="unscaled", step=4)
    pane = pane_of(qtbot, history)
    pane.refresh(history, replace(newest(history), window=moment.window))
    assert pixels_like(image_of(pane), DARK.fault) == 0
    assert not any("no 1/N" in text for text in words_of(pane))


def test_that_going_back_to_right_steps_keeps_the_faulty_past(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, switched(["unscaled"] * 20 + ["mean"] * 20))
    image, words = image_of(pane), words_of(pane)
    assert pixels_like(image, DARK.fault) > 20
    assert pixels_like(image, DARK.accumulated) > 20
    assert any(text.startswith("accumulated  ") for text in words)


def test_that_causes_are_thinned_out_like_the_curves(qtbot: QtBot) -> None:
    picture = picture_of(switched(["mean"] * 3000 + ["unscaled"] * 3000), pixels=300)
    line = picture.lanes["accumulated"]
    assert len(picture.faulty) == len(line.xs) < 1500
    assert line.xs[picture.faulty].min() == pytest.approx(3001, abs=20)


def test_that_a_resync_is_marked_on_the_curve(qtbot: QtBot) -> None:
    history = history_of(falling(40, 0.2))
    assert "resync" not in words_of(pane_of(qtbot, history))
    history.append(Resynced(step=20))
    history.append(Resynced(step=41))
    assert words_of(pane_of(qtbot, history)).count("resync") == 1
    assert picture_of(history).resyncs == ((20, falling(40, 0.2)[19][1]),)


def test_that_the_name_at_the_end_stands_off_the_border_of_the_strip(qtbot: QtBot) -> None:
    for last in np.linspace(2.5, 2.9, 15).tolist():
        rows: list[Row] = [(2.3, 2.3, None), (2.2, 12.4, None), *[(2.0, last, None)] * 5]
        pane = pane_of(qtbot, history_of(rows, scaling="unscaled"))
        picture, areas = picture_of(history_of(rows, scaling="unscaled")), chart_of(pane)._areas
        border = y(areas.upper, picture.scale.linear_part)
        name = next(words.box() for words in notes_of(pane) if words.text.startswith("accumulated"))
        assert not name.top() < border < name.bottom()


def test_that_a_twin_that_has_no_step_yet_says_when_it_comes(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, history_of(falling(5), scaling="unscaled"))
    twin_switch(pane).click()
    assert pane.second_title() == ("the twin, a correct ÷ N run at learning rate 4.0: from the next step on")


def test_that_the_twin_tells_from_which_step_on_it_runs(qtbot: QtBot) -> None:
    rows: list[Row] = [(2.0, 1.5, None if step < 7 else 1.5) for step in range(1, 30)]
    pane = pane_of(qtbot, history_of(rows, scaling="unscaled", twin=True))
    assert any(
        "from step 7 on: the very same curve" in text for text in [*words_of(pane), pane.second_title()]
    )


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
    assert "0 at the bottom" in words
    assert not any("bottom" in text for text in words_of(pane_of(qtbot, history_of(falling(5, apart=1e-7)))))


def test_that_the_name_of_the_band_keeps_its_place_whatever_the_difference_is(qtbot: QtBot) -> None:
    places = set()
    for apart in (0.0, 1e-12, 1e-7, 1e-3, 0.5):
        notes = notes_of(pane_of(qtbot, history_of(falling(5, apart))))
        places.add(next((words.left, words.top) for words in notes if words.text == "rounding"))
    assert len(places) == 1


def test_that_the_difference_is_always_named_above_the_band(qtbot: QtBot) -> None:
    for apart in (0.0, 1e-12, 1e-7, 1e-3, 0.5):
        tops = {
            words.text.split()[0]: words.top
            for words in notes_of(pane_of(qtbot, history_of(falling(5, apart))))
        }
        assert tops["|difference|"] < tops["rounding"]


def test_that_bfloat16_is_drawn_and_a_real_correct_run_is_equal_up_to_rounding(qtbot: QtBot) -> None:
    history = History()
    for event in run(30, seen=False, precision="bfloat16", micro_batches=4, device="cpu"):
        history.append(event)
    assert picture_of(history).equal
    assert "equal up to rounding" in pane_of(qtbot, history).accessibleDescription()


def test_that_a_difference_without_a_newest_value_has_no_name(qtbot: QtBot) -> None:
    rows: list[Row] = [(2.0, 3.0, None), (2.0, None, None)]
    history = history_of(rows, lambda s: "diverged" if s == 2 else "training")
    assert not any("difference" in text for text in words_of(pane_of(qtbot, history)))


def test_that_adam_is_said_to_hide_the_factor_only_where_it_does(qtbot: QtBot) -> None:
    hidden = "hidden: the optimizer divides the factor out"
    settings = {"optimizer": "adam", "scaling": "unscaled"}
    assert hidden in words_of(pane_of(qtbot, history_of(falling(40, 1e-7), **settings)))
    assert hidden not in words_of(pane_of(qtbot, history_of(falling(40, 0.5), **settings)))


def test_that_the_twin_is_called_the_very_same_curve_only_if_it_is(qtbot: QtBot) -> None:
    told = ((1.0, "the very same curve"), (1.004, "the same up to rounding"), (1.25, "up to 20 % apart"))
    for factor, words in told:
        rows: list[Row] = [(2.0, loss, loss * factor) for _, loss, _ in falling(40) if loss is not None]
        rows = [(full, acc if acc is None else acc * factor, acc) for full, acc, _ in rows]
        history = history_of(rows, scaling="unscaled", twin=True, precision="bfloat16")
        pane = pane_of(qtbot, history)
        said = "".join([*words_of(pane), pane.second_title()])
        expected = f"dotted: a correct ÷ N run at learning rate 4.0 (8 × 0.5), from step 1 on: {words}"
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


def test_that_a_batch_that_does_not_fit_is_said_beside_the_title(qtbot: QtBot) -> None:
    history = history_of(falling(5))
    pane = pane_of(qtbot, history)
    states = {"full": "does not fit", "accumulated": "training"}
    pane.refresh(history, replace(newest(history), states=states))
    assert pane.second_title().startswith("whole, the batch does not fit: the accumulated run goes on alone")
