"""Tab goes round the window as the eye does, and comes back to where it began."""

from __future__ import annotations

from fake_run import fake_run
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from windows import make_window

from gradviz_app.main_window import MainWindow
from gradviz_app.workspace.missing import Missing


def stops(window: MainWindow) -> list[QWidget]:
    """What has the keyboard, one Tab after the other, once round from the stage."""
    window.stage.take_focus()
    found: list[QWidget] = []
    while True:
        widget = QApplication.focusWidget()
        assert widget is not None
        if widget in found:
            return found
        found.append(widget)
        window.focusNextChild()


def part_of(window: MainWindow, widget: QWidget) -> str:
    stage = window.stage
    if isinstance(widget, Missing):
        return "missing"
    parts = {
        "top": window.top,
        "panel": window.panel,
        "stage": stage.tabs,
        "loss": stage.loss,
        "timeline": stage.timeline,
        "verdict": stage.verdict,
        "code": stage.code,
    }
    return next(name for name, part in parts.items() if part is widget or part.isAncestorOf(widget))


def visited(window: MainWindow) -> list[str]:
    """The parts in the order in which Tab comes to them."""
    parts = [part_of(window, stop) for stop in stops(window)]
    return [part for index, part in enumerate(parts) if index == 0 or part != parts[index - 1]]


def test_that_tab_goes_round_part_by_part(qtbot: QtBot) -> None:
    window = make_window(qtbot, fake_run)
    assert visited(window) == ["stage", "timeline", "code", "top", "panel", "stage"]


def test_that_within_the_top_line_tab_goes_from_left_to_right(qtbot: QtBot) -> None:
    window = make_window(qtbot, fake_run)
    places = [
        stop.mapTo(window, QPoint(0, 0)).x() for stop in stops(window) if part_of(window, stop) == "top"
    ]
    assert len(places) == 6
    assert places == sorted(places)


def test_that_a_panel_that_was_away_has_its_place_again(qtbot: QtBot) -> None:
    window = make_window(qtbot, fake_run)
    before = visited(window)
    window.stage.workspace.detach("controls")
    assert "panel" not in visited(window)
    window.stage.workspace.dock("controls")
    assert visited(window) == before


def test_that_what_found_no_room_is_reached_where_it_would_stand(qtbot: QtBot) -> None:
    window = make_window(qtbot, fake_run)
    window.resize(1280, 620)
    for _ in range(4):
        window.commands.keys.actions["zoom_in"].trigger()
    assert window.stage.workspace.is_folded("code")
    assert visited(window) == ["stage", "timeline", "missing", "top", "panel", "stage"]
