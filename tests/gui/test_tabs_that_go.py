"""A tab that is looked at goes away with the run that brought it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot
from windows import make_window, until

from gradviz.config import RunConfig


@pytest.mark.parametrize("detached", [False, True])
def test_that_the_boundary_goes_away_while_it_is_looked_at(qtbot: QtBot, detached: bool) -> None:
    window = make_window(qtbot, config=RunConfig.of({"task": "moons", "batch": 16, "micro_batches": 4}))
    tabs = window.stage.tabs
    if detached:
        window.stage.workspace.detach("stage")
    tabs.show_title("Boundary")
    assert tabs.current is window.stage.boundary
    window.session.start(RunConfig.of({"width": 4, "batch": 16, "micro_batches": 4}))
    until(qtbot, lambda: "Boundary" not in tabs.titles)
    assert tabs.current is window.stage.heatmap
    assert window.stage.heatmap.isVisible()
    assert window.session.watched.layer == 0
    # whoever looked at it goes on with the next run that has one
    window.session.start(RunConfig.of({"task": "moons", "batch": 16, "micro_batches": 4}))
    until(qtbot, lambda: tabs.current is window.stage.boundary)
