"""Panels are enlarged, hidden, detached and divided, and all is back at the next start."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from fake_run import fake_run
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot
from windows import make_window, unstarted_window, until

from gradviz_app.main_window import MainWindow
from gradviz_app.theme import DARK, LIGHT
from gradviz_app.views.loss import Loss
from gradviz_app.workspace.menu import panel_menu
from gradviz_app.workspace.names import NAMES, TITLES, PanelName
from gradviz_app.workspace.split import Grip, Split
from gradviz_app.workspace.tabs import Tabs
from gradviz_app.workspace.workspace import Workspace


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    window = unstarted_window(qtbot, fake_run)
    window.show()
    return window


@pytest.fixture
def workspace(window: MainWindow) -> Iterator[Workspace]:
    yield window.stage.workspace
    window.stage.workspace.close_windows()


def panel(workspace: Workspace, name: PanelName) -> QWidget:
    return workspace._panels[name]


def shown(workspace: Workspace) -> set[str]:
    return {name for name in NAMES if panel(workspace, name).isVisible()}


def double_click(widget: QWidget, where: QPoint | None = None) -> None:
    QTest.mouseDClick(widget, Qt.MouseButton.LeftButton, pos=where or QPoint())


def test_that_all_panels_are_there_at_first(workspace: Workspace) -> None:
    assert shown(workspace) == set(NAMES)
    assert workspace.panels == tuple(TITLES.items())


@pytest.mark.parametrize("name", NAMES)
def test_that_a_double_click_enlarges_a_panel_and_another_brings_all_back(
    workspace: Workspace, name: PanelName, qtbot: QtBot
) -> None:
    corner = QPoint(6, 6) if name != "stage" else None
    target = workspace._tabs.current if name == "stage" else panel(workspace, name)
    before = {other: panel(workspace, other).size() for other in NAMES}
    double_click(target, corner)
    assert workspace.enlarged == name
    assert shown(workspace) == {name}
    assert panel(workspace, name).width() == workspace.width()
    assert workspace._timeline.isVisible()
    double_click(target, corner)
    assert workspace.enlarged is None
    assert shown(workspace) == set(NAMES)
    until(qtbot, lambda: {other: panel(workspace, other).size() for other in NAMES} == before)


def test_that_an_enlarged_panel_has_larger_type(window: MainWindow, workspace: Workspace) -> None:
    window.resize(1920, 1080)
    QApplication.processEvents()
    for name in NAMES:
        workspace.enlarge(name)
        assert panel(workspace, name).theme.scale > 1.5, name
    workspace.enlarge(None)
    QApplication.processEvents()
    assert {panel(workspace, name).theme.scale for name in NAMES} == {1.5}
    assert window.stage.stack.theme.scale == 1.5


def test_that_a_theme_that_comes_while_a_panel_is_enlarged_reaches_all(
    workspace: Workspace, window: MainWindow
) -> None:
    workspace.enlarge("loss")
    window.stage.set_theme(LIGHT)
    assert window.stage.loss.theme.name == "light"
    workspace.enlarge(None)
    assert {panel(workspace, name).theme.name for name in NAMES} == {"light"}


def test_that_the_button_and_leaving_bring_all_panels_back(workspace: Workspace, qtbot: QtBot) -> None:
    assert not workspace.leave()
    workspace.enlarge("loss")
    qtbot.mouseClick(workspace._page.back, Qt.MouseButton.LeftButton)
    assert workspace.enlarged is None
    workspace.enlarge("memory")
    assert workspace.leave()
    assert shown(workspace) == set(NAMES)


def test_that_a_double_click_on_a_control_is_the_controls_own(qtbot: QtBot) -> None:
    window = make_window(qtbot, fake_run)
    workspace, code = window.stage.workspace, window.stage.code
    window.refresh_all()
    code.grab()
    for control in (window.panel.n.slider, window.panel.n.entry, window.panel.experiment.fold):
        double_click(control)
        assert workspace.enlarged is None, control
    window.panel.n.setEnabled(False)
    double_click(window.panel.n.slider)
    assert workspace.enlarged is None
    switch = code._hot.center()
    assert code.is_control_at(switch)
    assert not code.is_control_at(QPointF(3, 3))
    double_click(code, switch.toPoint())
    assert workspace.enlarged is None
    double_click(code, QPoint(3, 3))
    assert workspace.enlarged == "code"


@pytest.mark.parametrize("name", NAMES)
def test_that_a_panel_can_be_hidden_and_shown_again(workspace: Workspace, name: PanelName) -> None:
    workspace.set_hidden(name, True)
    assert workspace.is_hidden(name)
    assert shown(workspace) == set(NAMES) - {name}
    workspace.set_hidden(name, False)
    assert shown(workspace) == set(NAMES)


def test_that_a_hidden_column_leaves_its_room_to_the_others(workspace: Workspace, window: MainWindow) -> None:
    width = window.stage.stack.width()
    for name in ("memory", "verdict", "code"):
        workspace.set_hidden(name, True)
    QApplication.processEvents()
    assert window.stage.stack.width() > width + 300
    for name in ("stage", "loss"):
        workspace.set_hidden(name, True)
    QApplication.processEvents()
    assert window.panel.width() == workspace.width()
    assert window.stage.timeline.isVisible()


def test_that_with_everything_hidden_there_is_a_way_back(workspace: Workspace, qtbot: QtBot) -> None:
    for name in NAMES:
        workspace.set_hidden(name, True)
    assert shown(workspace) == set()
    assert workspace._empty.isVisible()
    qtbot.mouseClick(workspace._empty.back, Qt.MouseButton.LeftButton)
    assert shown(workspace) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_that_a_detached_panel_is_in_a_window_and_closing_that_docks_it(
    workspace: Workspace, name: PanelName, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(workspace.window_opened) as opened:
        workspace.detach(name)
    detached = opened.args[0]
    assert workspace.is_detached(name)
    assert detached.isVisible()
    assert detached.windowTitle() == f"{TITLES[name]} – gradviz"
    assert panel(workspace, name).window() is detached is workspace.window_of(name)
    assert shown(workspace) == set(NAMES)
    detached.close()
    assert not workspace.is_detached(name)
    assert panel(workspace, name).window() is workspace.window()
    assert shown(workspace) == set(NAMES)


@pytest.mark.parametrize("name", ["memory", "loss", "verdict"])
def test_that_a_detached_window_leaves_the_buttons_to_run_free(
    workspace: Workspace, window: MainWindow, name: PanelName
) -> None:
    window.move(0, 0)
    workspace.detach(name)
    covered = workspace.window_of(name).frameGeometry()
    buttons = QRect(window.transport.mapToGlobal(QPoint()), window.transport.size())
    assert not covered.intersects(buttons)
    screen = window.screen().availableGeometry()
    assert screen.contains(covered)
    assert screen.right() - covered.right() <= 16


def test_that_a_detached_panel_has_the_scale_of_its_window(workspace: Workspace, window: MainWindow) -> None:
    workspace.detach("memory")
    detached, memory = workspace._windows["memory"], window.stage.memory
    scales = []
    for width, height in ((318, 360), (700, 760), (1500, 1000)):
        detached.resize(width, height)
        scales.append(memory.theme.scale)
    assert scales[0] < 1.1 < scales[1] < scales[2]
    workspace.set_theme(DARK.scaled(1.0), zoom=1.25)
    assert memory.theme.scale > scales[2]
    workspace.dock("memory")
    assert memory.theme.scale == 1.0


def test_that_a_detached_window_fills_the_screen_by_double_click(
    workspace: Workspace, window: MainWindow
) -> None:
    workspace.detach("loss")
    detached = workspace._windows["loss"]
    size = detached.size()
    double_click(window.stage.loss, QPoint(6, 6))
    assert detached.isFullScreen()
    assert json.loads(workspace.state())["detached"]["loss"]["full_screen"]
    detached.leave()
    assert not detached.isFullScreen()
    detached.toggle_full_screen()
    detached.toggle_full_screen()
    assert detached.size() == size


def test_that_hiding_or_enlarging_a_detached_panel_closes_its_window(workspace: Workspace) -> None:
    workspace.detach("code")
    workspace.set_hidden("code", True)
    assert not workspace.is_detached("code")
    workspace.detach("code")
    assert not workspace.is_hidden("code")
    workspace.enlarge("code")
    assert not workspace.is_detached("code")
    workspace.detach("code")
    assert workspace.enlarged is None
    assert shown(workspace) == set(NAMES)
    workspace.dock("code")


def test_that_no_detached_window_outlives_the_main_one_or_keeps_the_program(workspace: Workspace) -> None:
    workspace.detach("memory")
    workspace.detach("stage")
    windows = list(workspace._windows.values())
    assert not any(w.testAttribute(Qt.WidgetAttribute.WA_QuitOnClose) for w in windows)
    workspace.close_windows()
    assert not any(w.isVisible() for w in windows)
    assert panel(workspace, "stage").window() is workspace.window()


def test_that_dragging_a_border_is_remembered_in_proportion(workspace: Workspace, window: MainWindow) -> None:
    right = split(workspace, "right")
    before = window.stage.memory.height()
    drag(right, 1, -60)
    assert window.stage.memory.height() == before - 60
    share = window.stage.memory.height() / window.stage.workspace.height()
    window.resize(1600, 900)
    QApplication.processEvents()
    assert window.stage.memory.height() / window.stage.workspace.height() == pytest.approx(share, abs=0.02)
    double_click(right.handle(1))
    window.resize(1280, 720)
    QApplication.processEvents()
    assert window.stage.memory.height() == before
    assert json.loads(workspace.state())["shares"] == {}


def test_that_no_border_can_be_dragged_over_a_panel(workspace: Workspace) -> None:
    for name in ("columns", "centre", "right"):
        drag(split(workspace, name), 1, -4000)
        drag(split(workspace, name), split(workspace, name).count() - 1, 4000)
    assert all(panel(workspace, name).height() > 40 for name in NAMES)
    assert all(panel(workspace, name).width() > 120 for name in NAMES)


def test_that_a_hidden_panel_comes_back_with_its_share(workspace: Workspace, window: MainWindow) -> None:
    drag(split(workspace, "right"), 1, -80)
    height = window.stage.memory.height()
    workspace.set_hidden("memory", True)
    drag(split(workspace, "right"), 2, 30)
    workspace.set_hidden("memory", False)
    QApplication.processEvents()
    assert window.stage.memory.height() == pytest.approx(height, abs=2)


def test_that_everything_is_as_it_was_left(qtbot: QtBot) -> None:
    one, other = unstarted_window(qtbot, fake_run), unstarted_window(qtbot, fake_run)
    for window in (one, other):
        window.show()
    left = one.stage.workspace
    left.set_hidden("verdict", True)
    left.detach("memory")
    left._windows["memory"].resize(420, 410)
    left._windows["memory"].move(120, 90)
    drag(split(left, "columns"), 1, 50)
    one.stage.tabs.show_index(1)
    left.enlarge("stage")
    text = left.state()
    other.stage.workspace.restore(text)
    assert other.stage.workspace.state() == text
    assert other.stage.workspace._windows["memory"].geometry() == left._windows["memory"].geometry()
    assert other.stage.tabs.current is other.stage.weights
    for window in (one, other):
        window.stage.workspace.close_windows()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '{"version":2}',
        '{"hidden":["loss"]}',
        '{"version":1,"hidden":["nobody"]}',
        '{"version":1,"hidden":["loss"],"shares":{"right":{"memory":-1}}}',
        '{"version":1,"hidden":["loss"],"detached":{"memory":{"x":1e99,"y":0,"width":5,"height":5}}}',
        '{"version":1,"hidden":["loss"],"more":1}',
        "\udcff",
    ],
)
def test_that_text_that_cannot_be_read_changes_nothing(workspace: Workspace, text: str) -> None:
    workspace.set_hidden("code", True)
    before = workspace.state()
    workspace.restore(text)
    assert workspace.state() == before


def test_that_a_detached_window_never_opens_outside_the_screen(workspace: Workspace) -> None:
    spot = {"x": 9000, "y": -700, "width": 9000, "height": 50}
    workspace.restore(json.dumps({"version": 1, "detached": {"loss": spot}}))
    screen = QGuiApplication.primaryScreen().availableGeometry()
    loss = workspace._windows["loss"]
    assert screen.contains(QRect(loss.pos(), loss.size()))


def test_that_contradictions_in_the_text_are_settled(workspace: Workspace) -> None:
    spot = {"x": 90, "y": 70, "width": 500, "height": 300}
    workspace.restore(
        json.dumps({"version": 1, "hidden": ["loss"], "detached": {"loss": spot}, "enlarged": "loss"})
    )
    assert shown(workspace) == set(NAMES) - {"loss"}
    assert not workspace._windows
    shares = {"right": {"memory": 0.5}, "nowhere": {"memory": 1.0}}
    workspace.restore(json.dumps({"version": 1, "shares": shares}))
    assert json.loads(workspace.state())["shares"] == {}


def test_that_the_menu_of_a_panel_does_what_it_says(workspace: Workspace) -> None:
    choose(workspace, "loss", "Enlarge")
    assert workspace.enlarged == "loss"
    choose(workspace, "loss", "Back to all panels")
    assert workspace.enlarged is None
    choose(workspace, "loss", "Detach into a window")
    assert workspace.is_detached("loss")
    choose(workspace, "loss", "Back into the window")
    assert not workspace.is_detached("loss")
    choose(workspace, "stage", "Hide")
    assert workspace.is_hidden("stage")
    choose(workspace, "loss", "Show stage")
    assert not workspace.is_hidden("stage")
    choose(workspace, "loss", "Hide")
    choose(workspace, "memory", "Reset all panels")
    assert shown(workspace) == set(NAMES)


def test_that_the_right_button_opens_the_menu_of_the_panel(
    workspace: Workspace, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a real popup grabs the keyboard, of which the off-screen plug-in complains
    opened: list[tuple[list[str], QPoint]] = []
    monkeypatch.setattr(
        QMenu, "popup", lambda menu, where: opened.append(([a.text() for a in menu.actions()], where))
    )
    for pane in (window.stage.stack, window.panel.split, window.stage.code):
        where = pane.mapToGlobal(QPoint(5, 5))
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 5), where)
        QApplication.sendEvent(pane, event)
        words, place = opened.pop()
        assert "Enlarge" in words
        assert place == where


def test_that_every_change_is_told(workspace: Workspace, window: MainWindow, qtbot: QtBot) -> None:
    changes = (
        lambda: workspace.set_hidden("loss", True),
        lambda: workspace.enlarge("code"),
        lambda: workspace.enlarge(None),
        lambda: workspace.detach("memory"),
        lambda: workspace.dock("memory"),
        workspace.reset,
        lambda: window.stage.tabs.show_index(1),
        lambda: drag(split(workspace, "centre"), 1, 20),
    )
    for change in changes:
        with qtbot.waitSignal(workspace.changed, timeout=1000):
            change()


def test_that_painting_another_window_is_counted(workspace: Workspace, qtbot: QtBot) -> None:
    with qtbot.waitSignal(workspace.painted) as painted:
        workspace.detach("verdict")
    assert painted.args[0] >= 0


def test_that_no_button_gets_the_keys_because_something_has_moved(
    workspace: Workspace, window: MainWindow
) -> None:
    window.stage.take_focus()
    workspace.enlarge("memory")
    assert QApplication.focusWidget() is workspace
    workspace.enlarge(None)
    assert QApplication.focusWidget() is window.stage.stack
    workspace.enlarge("stage")
    assert QApplication.focusWidget() is window.stage.stack
    workspace.detach("stage")
    assert window.focusWidget() is workspace
    assert workspace._windows["stage"].focusWidget() is window.stage.stack
    workspace.detach("code")
    assert workspace._windows["code"].focusWidget() is workspace._windows["code"]


def test_that_only_the_chosen_tab_is_seen_and_keys_go_round(window: MainWindow) -> None:
    tabs = window.stage.tabs
    panes = tabs.panes
    assert tabs.bar.isVisible()
    for index in (*range(1, len(panes)), 0):
        tabs.show_next()
        assert [pane.isVisible() for pane in panes] == [place == index for place in range(len(panes))]
    tabs.show_next(-1)
    assert panes[-1].isVisible()
    tabs.show_index(17)
    assert tabs.current is panes[-1]
    window.stage.take_focus()
    assert panes[-1].hasFocus()
    double_click(panes[-1], QPoint(5, 5))
    assert window.stage.workspace.enlarged == "stage"


def test_that_a_single_tab_needs_no_row(qtbot: QtBot) -> None:
    tabs, other = Tabs(DARK), Loss(DARK)
    qtbot.addWidget(tabs)
    tabs.add("Loss", Loss(DARK))
    tabs.show()
    assert not tabs.bar.isVisible()
    tabs.add("Other", other)
    assert tabs.bar.isVisible()
    tabs.remove(other)
    assert not tabs.bar.isVisible()


def test_that_a_tab_that_went_comes_back_to_who_looked_at_it(window: MainWindow) -> None:
    stage = window.stage
    stage.show_plane(True)
    stage.tabs.show_title("Boundary")
    assert stage.boundary.isVisible()
    stage.show_plane(False)
    assert stage.boundary.isHidden()
    assert stage.tabs.current is not stage.boundary
    stage.show_plane(True)
    assert stage.boundary.isVisible()
    stage.tabs.show_index(0)
    stage.show_plane(False)
    stage.show_plane(True)
    assert stage.tabs.current is stage.stack


def test_that_the_arrow_keys_choose_tabs_too(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window.stage.tabs.bar, Qt.Key.Key_Right)
    assert window.stage.tabs.wanted == "Weights"


def split(workspace: Workspace, name: str) -> Split:
    return workspace._columns._splits[name]


def drag(split: Split, border: int, by: int) -> None:
    """Drag as the mouse does."""
    QApplication.processEvents()
    grip = split.handle(border)
    assert isinstance(grip, Grip)
    centre = grip.rect().center()
    across = split.orientation() == Qt.Orientation.Horizontal
    there = centre + (QPoint(by, 0) if across else QPoint(0, by))
    QTest.mousePress(grip, Qt.MouseButton.LeftButton, pos=centre)
    QTest.mouseMove(grip, there)
    QTest.mouseRelease(grip, Qt.MouseButton.LeftButton, pos=there)
    QApplication.processEvents()


def choose(workspace: Workspace, name: PanelName, words: str) -> None:
    """Choose what has these words in the menu of a panel."""
    menu = panel_menu(workspace, name)
    action = next(action for action in menu.actions() if action.text() == words)
    action.trigger()
    menu.deleteLater()


def test_that_control_w_closes_the_window_that_is_in_use(qtbot: QtBot) -> None:
    window = make_window(qtbot, fake_run)
    workspace = window.stage.workspace
    workspace.detach("loss")
    detached = workspace.window_of("loss")
    detached.activateWindow()
    qtbot.waitUntil(detached.isActiveWindow)
    qtbot.keyClick(detached, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not workspace.is_detached("loss"))
    assert window.isVisible()
