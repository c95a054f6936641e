"""The timeline, where there is little or nothing to go through."""

from __future__ import annotations

from dataclasses import replace

from moments import make_history, make_moment
from pytestqt.qtbot import QtBot

from gradviz.history import History
from gradviz_app.theme import DARK
from gradviz_app.views.timeline import Timeline


def test_that_a_run_without_windows_says_its_step_and_stands_at_the_end(qtbot: QtBot) -> None:
    timeline = Timeline(DARK)
    qtbot.addWidget(timeline)
    moment = replace(make_moment(), window=None, steps=10)
    timeline.refresh(History(), moment)
    assert timeline.place.text() == "step 10"
    assert timeline.slider.place == timeline.slider.maximum() > 0
    assert not timeline.slider.isEnabled()


def test_that_windows_that_were_seen_can_be_gone_through(qtbot: QtBot) -> None:
    timeline = Timeline(DARK)
    qtbot.addWidget(timeline)
    history = make_history(2)
    timeline.refresh(history, history.at(len(history) - 1))
    assert timeline.place.text() == "step 2 · 8 / 8"
    assert timeline.slider.isEnabled()
    assert timeline.slider.maximum() == len(history) - 1
