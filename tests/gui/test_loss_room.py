"""Where the words of the loss pane stand, and what gives way where there is little room."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF
from pytestqt.qtbot import QtBot

from gradviz_app.theme import DARK

from .losses import Row, chart_of, falling, history_of, newest, notes_of, pane_of, words_of
from .moments import make_history


def test_that_the_axes_of_both_plots_are_not_read_as_one(qtbot: QtBot) -> None:
    for rows in (falling(40), [(2.0, 2.0 + step, None) for step in range(150)]):
        chart = chart_of(pane_of(qtbot, history_of(rows)))
        numbers = [words for words in chart._back.marks.words if words.left < chart._areas.upper.left() - 10]
        middle = (chart._areas.upper.bottom() + chart._areas.lower.top()) / 2
        above = max(words.box().bottom() for words in numbers if words.top < middle)
        below = min(words.top for words in numbers if words.top > middle)
        assert below - above >= numbers[0].box().height()


def test_that_a_long_guessing_title_is_shortened_to_its_number(qtbot: QtBot) -> None:
    history = history_of([])
    pane, moment = pane_of(qtbot, history), newest(history)
    run = replace(moment.run, guessing_title="as the task says", guessing_loss=0.6931)
    pane.refresh(history, replace(moment, run=run))
    words = next(words for words in notes_of(pane) if words.text.startswith("guessing"))
    assert words.text == "guessing 0.693"
    assert words.box().right() <= chart_of(pane).width()


def test_that_the_peak_and_its_leader_keep_off_the_names_at_the_ends(qtbot: QtBot) -> None:
    noise = np.random.default_rng(0).uniform(40, 150, 1833).tolist()
    for peak in range(1600, 1830, 15):
        rows: list[Row] = [(2.3, 2.3, None)] + [(0.01, 0.01, None)] * 1240
        rows += [(0.01, 163.0 if step == peak else noise[step], None) for step in range(1241, 1833)]
        states = {"full": "training", "accumulated": "exploded"}
        history = history_of(rows, scaling="unscaled")
        pane = pane_of(qtbot, history, width=714, height=233)
        pane.refresh(history, replace(newest(history), states=states))
        notes = notes_of(pane)
        named = [words.box() for words in notes if " at step " in words.text]
        others = [words.box() for words in notes if " at step " not in words.text]
        marks = chart_of(pane).notes.marks  # type: ignore[union-attr]
        leaders = [QRectF(line.p1(), line.p2()).normalized() for line, _ in marks.lines]
        near = [box.adjusted(-5, -5, 5, 5) for box in others]
        assert not any(box.intersects(other) for box in [*named, *leaders] for other in near)


@pytest.mark.parametrize("scaling", ["mean", "unscaled"])
def test_that_a_small_pane_leaves_out_the_difference_and_keeps_its_words_apart(
    qtbot: QtBot, scaling: str
) -> None:
    for scale, (steps, width, height) in itertools.product(
        (1.0, 1.75), itertools.product((1, 6, 30, 60), (300, 380), (105, 130))
    ):
        history = make_history(steps, scaling=scaling, seen=frozenset())
        pane = pane_of(qtbot, history, DARK.scaled(scale), round(width * scale), round(height * scale))
        words, chart = words_of(pane), chart_of(pane)
        assert not {"rounding", "|difference|"} & set(words)
        assert any(text.startswith("full  ") for text in words)
        assert not chart._lower.isVisible()
        below = [words for words in chart._back.marks.words if words.top > chart._areas.upper.bottom()]
        boxes = [words.box() for words in [*notes_of(pane), *below]]
        assert all(QRectF(chart.rect()).adjusted(-1, -1, 1, 1).contains(box) for box in boxes)
        smaller = [box.adjusted(1, 1, -1, -1) for box in boxes]
        assert not any(a.intersects(b) for i, a in enumerate(smaller) for b in smaller[:i])
        assert chart._areas.upper.height() >= 38 * scale
        assert pane.second_title().startswith("|difference| ")


def test_that_pointing_at_a_step_of_a_small_pane_reads_it_in_short(qtbot: QtBot) -> None:
    rows: list[Row] = [(2.0, 1.5, None)] * 60
    pane = pane_of(qtbot, history_of(rows), width=300, height=105)
    qtbot.mouseMove(pane, QPoint(100, 60))
    assert pane.second_title().endswith("full 2.000  ·  accum. 1.500  ·  difference 0.500")
