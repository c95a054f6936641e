"""The verdict pane: mark, words, figures, and the button that brings the weights together."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import moments
import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gradviz.events import RunFailed, StepFinished
from gradviz.history import History, Moment
from gradviz_app.theme import DARK, LIGHT, Role, Theme
from gradviz_app.views.lines import limited, wrapped
from gradviz_app.views.marks import check_path, cross_path, dots_path
from gradviz_app.views.verdict import Verdict
from gradviz_app.views.verdict_words import (
    IN_PIECES,
    angle_words,
    diverged_step,
    error_words,
    judge,
    lane_sentences,
    size_words,
)

# training is slow, and a moment does not change
make_moment = cache(moments.make_moment)

RESYNC = "the weights differ since step 41; this gradient is right: Resync"


def compared_as(moment: Moment, why: str = "", **changes: object) -> Moment:
    """`moment` with another reason or other figures."""
    assert moment.compared is not None
    comparison = replace(moment.compared.comparison, **changes)  # type: ignore[arg-type]
    return replace(moment, compared=replace(moment.compared, comparison=comparison, why=why, products=None))


def pane_of(qtbot: QtBot, moment: Moment | None, theme: Theme = DARK) -> Verdict:
    pane = Verdict(theme)
    qtbot.addWidget(pane)
    pane.resize(300, 150)
    pane.refresh(History(), moment)
    image_of(pane)
    return pane


def image_of(pane: Verdict) -> QImage:
    image = QImage(pane.size(), QImage.Format.Format_RGB32)
    pane.render(image)
    return image


def test_that_a_right_window_gets_a_check_and_its_figures() -> None:
    judgement = judge(History(), make_moment(8))
    assert (judgement.mark, judgement.headline) == ("check", "Equal, up to rounding")
    size, angle, error = (value for _, value in judgement.figures)
    assert size == "1.000000"
    assert angle == "0.00°"
    assert float(error) < 1e-6


def test_that_a_forgotten_division_gets_a_cross_and_eight_times() -> None:
    judgement = judge(History(), make_moment(8, "unscaled"))
    assert (judgement.mark, judgement.headline) == ("cross", "8.000 × too large, same direction")
    assert [value for _, value in judgement.figures] == ["8.000", "0.00°", "7.000"]


def test_that_figures_of_another_window_are_not_shown_before_the_end() -> None:
    judgement = judge(History(), make_moment(8, "unscaled", k=4))
    assert (judgement.mark, judgement.headline) == ("dots", "4 of 8 added")
    assert {value for _, value in judgement.figures} == {"not yet"}


def test_that_before_the_first_window_nothing_is_claimed() -> None:
    begun = replace(make_moment(8), window=None, added=(), compared=None, steps=0)
    for moment, words in (
        (None, "No window yet"),
        (begun, "0 of 8 added"),
        (replace(begun, steps=7), "No window seen yet"),
    ):
        judgement = judge(History(), moment)
        assert (judgement.mark, judgement.headline) == ("dots", words)


def test_that_one_run_alone_has_nothing_to_compare() -> None:
    moment = replace(make_moment(8), window=None, added=(), compared=None)
    config = msgspec.structs.replace(moment.run.config, lanes="full")
    judgement = judge(History(), replace(moment, run=replace(moment.run, config=config)))
    assert (judgement.headline, judgement.figures) == ("Nothing to compare: one run alone", ())
    assert judgement.spoken == "Nothing to compare: one run alone."


def test_that_a_run_that_failed_at_once_did_not_start() -> None:
    history = History()
    history.append(RunFailed(step=1, sentence="no memory"))
    assert judge(history, None).headline == "The run did not start"


def test_that_unknown_figures_are_called_unknown() -> None:
    unknown = dict.fromkeys(("ratio", "angle_degrees", "relative_error"))
    moment = compared_as(make_moment(8), kind="none", verdict="no gradient", **unknown)
    judgement = judge(History(), moment)
    assert (judgement.mark, judgement.headline) == ("dots", "No gradient")
    assert {value for _, value in judgement.figures} == {"unknown"}


def test_that_a_second_measurement_is_told() -> None:
    judgement = judge(History(), compared_as(make_moment(8), decided_in="float64"))
    assert judgement.sentences == ("Measured again in float64: that decides.",)
    assert judge(History(), make_moment(8)).sentences == ()


def test_that_the_reason_is_given_after_why() -> None:
    judgement = judge(History(), compared_as(make_moment(8), "the pieces are uneven and weighted 1/N"))
    assert judgement.sentences == ("Why? The pieces are uneven and weighted 1/N.",)
    assert not judgement.can_resync


def test_that_lanes_in_trouble_are_described() -> None:
    moment = replace(make_moment(8), states={"full": "training", "accumulated": "stuck"}, units_off=(64, 64))
    assert lane_sentences(History(), moment) == ("Accumulated stuck: 64 of 64 hidden units off.",)
    unknown = replace(moment, units_off=None)
    assert lane_sentences(History(), unknown) == ("Accumulated stuck: its loss stays at guessing.",)
    both = replace(moment, states={"full": "exploded", "accumulated": "training"})
    assert lane_sentences(History(), both) == ("Full batch exploded: its loss is above 10 × its first.",)


def test_that_the_step_of_divergence_is_found_in_the_history() -> None:
    history = History()
    for step, loss in enumerate((2.3, 40.0, 3e6, None, None), start=1):
        states = ("training", "diverged")
        history.append(StepFinished(step, 2.0, loss, None, 8, "unscaled", 0.5, *states, None, None, None))
    moment = replace(make_moment(8), steps=5, states={"full": "training", "accumulated": "diverged"})
    assert lane_sentences(history, moment) == ("Accumulated diverged at step 3.",)


def test_that_a_loss_which_is_not_finite_is_the_step_of_divergence() -> None:
    assert diverged_step(np.array([2.3, 5.0, np.nan, np.nan])) == 3
    assert diverged_step(np.array([2.3, np.inf, np.nan])) == 2
    assert diverged_step(np.array([np.nan])) == 1
    assert diverged_step(np.array([])) is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (size_words(8.0), "8.000"),
        (size_words(1.0000004), "1.000000"),
        (size_words(3.2e7), "3.2e7"),
        (angle_words(37.24), "37.2°"),
        (angle_words(None), "unknown"),
        (error_words(2.9e-7), "2.9e-7"),
        (error_words(0.0), "0, bit for bit"),
        (error_words(7.0), "7.000"),
    ],
)
def test_that_figures_are_written_with_the_digits_that_matter(words: str, expected: str) -> None:
    assert words == expected


def test_that_resync_is_offered_only_where_the_weights_differ(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, compared_as(make_moment(8), RESYNC))
    button = pane.findChild(QPushButton)
    assert button is not None
    assert button.isVisibleTo(pane)
    assert pane.rect().contains(button.geometry())
    with qtbot.waitSignal(pane.resync_requested, timeout=1000):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    pane.refresh(History(), make_moment(8))
    assert not button.isVisibleTo(pane)


def test_that_the_button_covers_no_figure(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, compared_as(make_moment(8), RESYNC))
    button = pane.findChild(QPushButton)
    assert button is not None
    end = pane.theme.px(14 * 0.7 + 18 + 3 * 16)
    below = QRectF(14.0, end - 48, 120.0, 90.0)
    pane.resize(240, 130)
    image_of(pane)
    assert button.y() > end
    assert pane._has_room_for_figures(below, 1)
    pane.resize(pane.minimumSizeHint())
    image_of(pane)
    assert button.y() < end + 4
    assert not pane._has_room_for_figures(below, 1)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_that_the_same_moment_is_painted_alike_bit_for_bit(qtbot: QtBot, theme: Theme) -> None:
    moment = make_moment(8, "unscaled")
    assert image_of(pane_of(qtbot, moment, theme)) == image_of(pane_of(qtbot, moment, theme))
    assert image_of(pane_of(qtbot, moment, theme)) != image_of(pane_of(qtbot, make_moment(8), theme))


def test_that_the_description_tells_everything(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, compared_as(make_moment(8, "unscaled"), "the gradient is 8 times too large."))
    words = pane.accessibleDescription()
    assert words.startswith("Step 1: 8.000 × too large, same direction. size: .grad ÷ full batch 8.000,")
    assert words.endswith("Why? The gradient is 8 times too large.")


def test_that_lines_keep_a_number_and_its_unit_together(qtbot: QtBot) -> None:
    font = DARK.font("small")
    for width in range(40, 300, 7):
        lines = wrapped("activations shrink 64 × and 102 KiB are too many, 6 %", font, width)
        assert not any(line.startswith(("×", "KiB", "%")) for line in lines)


def test_that_left_out_lines_are_marked(qtbot: QtBot) -> None:
    font = DARK.font("small")
    lines = wrapped("one two three four five six seven eight", font, 60)
    assert len(lines) > 2
    assert limited(lines, 2, font, 60)[-1].endswith("…")
    assert limited(lines, len(lines), font, 60) == lines


def test_that_marks_lie_in_their_box() -> None:
    box = QRectF(10, 20, 14, 14)
    for path in (check_path(box), cross_path(box), dots_path(box)):
        assert box.contains(path.boundingRect())


def test_that_a_batch_that_does_not_fit_whole_is_said_with_where_the_target_comes_from() -> None:
    moment = make_moment()
    window = replace(moment.window, reference_in_pieces=True)
    moment = replace(moment, window=window, states={"full": "does not fit", "accumulated": "training"})
    sentences = judge(History(), moment).sentences
    assert sentences[0] == IN_PIECES
    assert sentences[-1] == "Full batch does not fit in memory whole: it trains no more."


@pytest.mark.parametrize("theme", [DARK, DARK.scaled(2.0)], ids=["1", "2"])
@pytest.mark.parametrize("width", [200, 240, 290, 340])
def test_that_the_step_is_always_named_and_stands_on_no_other_words(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, theme: Theme, width: int
) -> None:
    pane, boxes = Verdict(theme), {}
    qtbot.addWidget(pane)
    pane.resize(round(theme.px(width)), round(theme.px(150)))

    def noted(
        painter: object, x: float, y: float, words: str, role: Role, colour: str = "", align: str = "left"
    ) -> None:
        wide = theme.width(words, role)
        boxes[words] = QRectF(x - (wide if align == "right" else 0.0), y - theme.px(9), wide, theme.px(10))

    monkeypatch.setattr(pane, "text", noted)
    for moment in (make_moment(8, "unscaled"), make_moment(8), make_moment(8, k=3)):
        boxes.clear()
        pane.refresh(History(), moment)
        image_of(pane)
        step = boxes.pop("step 1")
        assert not any(step.intersects(other) for other in boxes.values())


def test_that_the_pointer_is_told_what_the_figures_mean(qtbot: QtBot) -> None:
    assert "relative error: ‖.grad − full batch‖ ÷ ‖full batch‖" in pane_of(qtbot, make_moment(8)).toolTip()
