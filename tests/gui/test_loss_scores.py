"""What stands beside the loss pane's title: the newest score, and what is known of the step pointed at."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from gradviz.columns import Reading
from gradviz.config import RunConfig
from gradviz.history import History
from gradviz_app.plotting.loss_words import reading_words, score_words

from .losses import finished, pane_of, run_started, twin_switch
from .moments import make_history


def scored(
    scores: tuple[float | None, float | None], title: str | None = "accuracy", unit: str = "%"
) -> History:
    """A history of three steps whose second one was seen and scored."""
    config, history = RunConfig.of({"lr": 0.5}), History()
    history.append(replace(run_started(config), score_title=title, score_unit=unit))
    for step in (1, 2, 3):
        history.append(finished(step, (2.0, 2.0, None), config, scores=scores if step == 2 else (None, None)))
    return history


@pytest.mark.parametrize(
    ("scores", "unit", "words"),
    [
        ((0.813, 0.813), "%", "accuracy in the batch of step 2: 81.3 % in both runs"),
        ((0.813, 0.5), "%", "accuracy in the batch of step 2: full batch 81.3 %, accumulated 50.0 %"),
        ((None, 0.5), "%", "accuracy in the batch of step 2: full batch not measured, accumulated 50.0 %"),
        ((1.25, 2.0), "g", "accuracy in the batch of step 2: full batch 1.250 g, accumulated 2.000 g"),
    ],
)
def test_that_the_newest_score_is_told_with_the_step_it_was_measured_at(
    qtbot: QtBot, scores: tuple[float | None, float | None], unit: str, words: str
) -> None:
    pane = pane_of(qtbot, scored(scores, unit=unit), width=1100)
    assert pane.second_title() == f"same data, same start · SGD, learning rate 0.5  ·  {words}"
    assert pane.accessibleDescription().endswith(f" A{words[1:]}.")


def test_that_a_run_without_a_score_says_nothing_of_one(qtbot: QtBot) -> None:
    for history in (scored((None, None)), scored((0.5, 0.5), title=None)):
        assert pane_of(qtbot, history).second_title() == "same data, same start · SGD, learning rate 0.5"


@pytest.mark.parametrize("width", [460, 560, 740, 1100])
@pytest.mark.parametrize("scaling", ["mean", "unscaled"])
def test_that_the_words_beside_the_title_stay_left_of_the_twins_switch(
    qtbot: QtBot, width: int, scaling: str
) -> None:
    history = make_history(4, scaling=scaling)
    pane = pane_of(qtbot, history, width=width)
    right = pane.theme.px(14) + pane._title_left() + pane.theme.width(pane.second_title(), "small")
    switch = twin_switch(pane)
    assert right <= (switch.x() if switch.isVisible() else pane.width())


def test_that_an_older_step_is_read_as_the_stretch_of_steps_it_lies_in() -> None:
    old, new = Reading(101, 104, 0.5, 0.75), Reading(7, 7, 2.0, 2.0)
    assert reading_words(102, {"full batch": old, "accumulated": old}) == (
        "steps 101 to 104  ·  full batch 0.500 to 0.750  ·  accumulated 0.500 to 0.750"
    )
    assert reading_words(7, {"full batch": new}) == "step 7  ·  full batch 2.000"


def test_that_a_score_finds_room_in_fewer_words_and_a_lane_alone_is_not_missed() -> None:
    moment = scored((0.813, None)).at(-1)
    assert moment is not None
    assert score_words(moment) == (
        "accuracy in the batch of step 2: full batch 81.3 %, accumulated not measured",
        "accuracy at step 2: full batch 81.3 %, accumulated not measured",
        "accuracy at step 2: full 81.3 %, accum. not measured",
    )
    config = msgspec.structs.replace(moment.run.config, lanes="full")
    alone = replace(moment, run=replace(moment.run, config=config))
    assert score_words(alone)[0] == "accuracy in the batch of step 2: full batch 81.3 %"


def test_that_the_lanes_own_scores_are_told_at_the_usual_width(qtbot: QtBot) -> None:
    for scores in ((0.813, 0.5), (0.813, None), (None, 0.5)):
        words = pane_of(qtbot, scored(scores), width=714).second_title()
        assert "81.3 %" in words or scores[0] is None
        assert words.count("not measured") == scores.count(None)
