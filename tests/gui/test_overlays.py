"""The first bubbles and the banner: what lies over the window and must hide nothing."""

from __future__ import annotations

import pytest
from fake_run import fake_run
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from windows import CONFIG, make_window, reaches, unstarted_window, until

from gradviz.config import RunConfig
from gradviz_app.main_window import MainWindow
from gradviz_app.workspace.names import NAMES


def click(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def test_that_the_hints_go_one_by_one_when_done(qtbot: QtBot) -> None:
    window = make_window(qtbot, fake_run)
    window.show_hints()
    n, unscale, step = window.hints.bubbles
    assert all(bubble.isVisible() for bubble in window.hints.bubbles)
    window.playback.forward()
    assert [bubble.isVisible() for bubble in (step, unscale, n)] == [False, True, True]
    window.session.toggle_scaling()
    assert [bubble.isVisible() for bubble in (step, unscale, n)] == [False, False, True]
    click(qtbot, n)
    assert not n.isVisible()


@pytest.mark.parametrize("how", ["restart", "leave", "open the form", "wait"])
def test_that_the_hints_go_all_together(qtbot: QtBot, how: str) -> None:
    window = make_window(qtbot, fake_run)
    window.show_hints()
    match how:
        case "open the form":
            click(qtbot, window.panel.experiment.fold)
        case "wait":
            assert window.hints._patience.interval() == 25_000
            window.hints._patience.start(1)
        case _:
            window.commands.keys.actions[how].trigger()
    until(qtbot, lambda: not any(bubble.isVisible() for bubble in window.hints.bubbles))
    assert not window.hints._patience.isActive()


def place_in(window: MainWindow, part: QWidget) -> QRect:
    return QRect(part.mapTo(window, QPoint(0, 0)), part.size())


@pytest.mark.parametrize("zoom", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", [(1024, 600), (1280, 720), (1920, 1080)])
def test_that_the_hints_hide_nothing_and_are_whole(qtbot: QtBot, size: tuple[int, int], zoom: float) -> None:
    window = make_window(qtbot, fake_run)
    window.resize(*size)
    window._preferences.zoom = zoom
    window.restyle()
    window.show_hints()
    panel, bubbles = window.panel, window.hints.bubbles
    until(qtbot, lambda: panel.n.width() > 0.7 * panel.width())
    window.hints._place()
    parts = (panel.n, panel.scaling, panel.split, panel.learning_rate, panel.experiment.fold)
    summary = place_in(window, panel.experiment.summary)
    summary.setBottom(panel.experiment.mapTo(window, QPoint(0, panel.experiment.end)).y())
    for bubble in (bubble for bubble in bubbles if bubble.isVisible()):
        areas = [*(place_in(window, part) for part in parts), summary]
        assert not any(bubble.geometry().intersects(area) for area in areas)
        assert place_in(window, panel).contains(bubble.geometry())
        assert " ".join(bubble._lines) == bubble.accessibleName()
    if zoom == 1:
        assert all(bubble.isVisible() for bubble in bubbles)


@pytest.mark.parametrize("name", NAMES)
def test_that_the_hints_go_when_a_panel_is_enlarged(qtbot: QtBot, name: str) -> None:
    window = make_window(qtbot, fake_run)
    window.show_hints()
    window.stage.workspace.enlarge(name)  # type: ignore[arg-type]
    assert not any(bubble.isVisible() for bubble in window.hints.bubbles)


def test_that_the_hints_go_when_the_controls_are_hidden(qtbot: QtBot) -> None:
    window = make_window(qtbot, fake_run)
    window.show_hints()
    window.stage.workspace.set_hidden("controls", True)
    assert not any(bubble.isVisible() for bubble in window.hints.bubbles)


def test_that_the_hints_advise_only_what_can_be_done(qtbot: QtBot) -> None:
    window = unstarted_window(qtbot, fake_run, RunConfig.of({"lanes": "full"}))
    window.show()
    window.show_hints()
    shown = [bubble.accessibleName() for bubble in window.hints.bubbles if bubble.isVisible()]
    assert shown == ["press → for one step"]


def test_that_the_first_run_leaves_the_hints_where_they_are(qtbot: QtBot) -> None:
    window = unstarted_window(qtbot, fake_run)
    window.show()
    window.show_hints()
    window.pump.start()
    window.session.start(CONFIG)
    reaches(qtbot, window, 1, 0)
    assert all(bubble.isVisible() for bubble in window.hints.bubbles)


def test_that_the_banner_moves_nothing_and_goes_with_esc(qtbot: QtBot) -> None:
    window = make_window(qtbot, fake_run)
    panes = [window.panel, window.stage.tabs, window.stage.loss, window.stage.memory, window.stage.code]
    before = [place_in(window, pane) for pane in panes]
    window.show_problem("It did not work. " * 20)
    assert window.banner.isVisible()
    assert window.banner.width() == window.stage.workspace.width()
    qtbot.waitUntil(lambda: window.banner.height() > 0)
    assert [place_in(window, pane) for pane in panes] == before
    assert place_in(window, window.banner).top() > place_in(window, window.top).bottom()
    window.commands.keys.actions["leave"].trigger()
    assert not window.banner.isVisible()


def test_that_the_banner_goes_with_the_next_success(qtbot: QtBot) -> None:
    window = make_window(qtbot, fake_run)
    window.show_problem("It did not work.")
    window.commands.files.save_to("kept.toml")
    assert window.status.words.startswith("saved as kept.toml")
    assert not window.banner.isVisible()
    window.show_problem("It did not work.")
    window.session.restart()
    until(qtbot, lambda: not window.banner.isVisible())


def test_that_the_blank_screen_first_says_how_to_leave_it(qtbot: QtBot) -> None:
    window = make_window(qtbot, fake_run)
    window.blank.toggle()

    def is_black() -> bool:
        strip = QRect(window.width() // 2 - 150, window.height() - 60, 300, 60)
        image = window.blank.grab(strip).toImage()
        places = ((x, y) for x in range(image.width()) for y in range(image.height()))
        return all(image.pixelColor(x, y).lightness() == 0 for x, y in places)

    assert not is_black()
    window.blank._said.start(1)
    until(qtbot, is_black)
