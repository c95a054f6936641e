"""The window for who cannot see it, and for who has no mouse."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import numpy as np
import pytest
from fake_run import fake_run
from PySide6.QtCore import QCoreApplication, QEvent, QRect, QRectF, Qt
from PySide6.QtGui import QAccessible, QFocusEvent, QImage, QPainter
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from windows import make_window, reaches

from gradviz.history import History, Moment
from gradviz_app.accessible import describe_painted
from gradviz_app.controls.stop_slider import StopSlider
from gradviz_app.main_window import MainWindow
from gradviz_app.theme import DARK, THEMES, Theme
from gradviz_app.views.pane import Pane

Reason = Qt.FocusReason
Role = QAccessible.Role
Text = QAccessible.Text


class Plain(Pane):
    """A pane that shows nothing."""

    def refresh(self, history: History, moment: Moment | None) -> None:
        self.update()

    def paint(self, painter: QPainter, area: QRectF) -> None:
        painter.fillRect(QRectF(area.topLeft(), area.topLeft()), self.theme.ink)


@pytest.fixture(autouse=True)
def _described() -> None:
    describe_painted()


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    return make_window(qtbot, fake_run)


def role_of(widget: QWidget) -> QAccessible.Role:
    return QAccessible.queryAccessibleInterface(widget).role()


def text_of(widget: QWidget, kind: QAccessible.Text) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(kind)


def speaking(window: QWidget) -> Iterator[QWidget]:
    """Every widget that can have the keyboard, and every one that the program paints itself."""
    for widget in window.findChildren(QWidget):
        painter = next(kind for kind in type(widget).__mro__ if "paintEvent" in vars(kind))
        by_keyboard = widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.focusProxy() is None
        # the list of a combo box is Qt's own, and is described as part of it
        if painter.__module__.startswith("gradviz_app") or (by_keyboard and widget.window() is window):
            yield widget


def test_that_everything_painted_or_focused_has_a_name(window: MainWindow) -> None:
    # a border between two panels is the mouse's alone
    speakers = [widget for widget in speaking(window) if role_of(widget) != Role.Grip]
    found = {widget: text_of(widget, Text.Name) for widget in speakers}
    assert len(found) > 20
    assert [widget for widget, name in found.items() if not name] == []


def test_that_everything_painted_or_focused_says_what_it_is(window: MainWindow) -> None:
    vague = (Role.NoRole, Role.Client, Role.Border, Role.StaticText)
    assert [widget for widget in speaking(window) if role_of(widget) in vague] == []
    assert role_of(window.panel.n.slider) == Role.Slider
    assert role_of(window.transport.play) == Role.Button
    assert role_of(window.status) == Role.StatusBar
    assert {role_of(pane) for pane in window.stage.panes} == {Role.Graphic}


def test_that_a_list_of_choices_says_what_is_chosen_and_of_what(window: MainWindow) -> None:
    editor = window.panel.experiment.fields["optimizer"].editor
    assert (role_of(editor), text_of(editor, Text.Value)) == (Role.ComboBox, "sgd")
    assert text_of(editor, Text.Description) == "Optimizer"


def test_that_what_is_said_of_a_pane_changes_with_what_it_shows(qtbot: QtBot) -> None:
    window = make_window(qtbot)
    before = everything_said(window)
    assert [widget for widget, words in before.items() if not words] == []
    window.session.one_step()
    reaches(qtbot, window, 1, 4)
    window.session.one_step()
    reaches(qtbot, window, 2, 4)
    after = everything_said(window)
    # a layer's heatmap is filled while its tab is open only, and digits are no points in a plane
    others = (window.stage.heatmap, window.stage.boundary)
    assert [w for w, words in before.items() if w not in others and after[w] == words] == []


def everything_said(window: MainWindow) -> dict[QWidget, str]:
    """What the status and each pane say of the moment on the screen, also those whose tab is hidden."""
    moment = window.playback.moment()
    for pane in window.stage.panes:
        pane.refresh(window.session.history, moment)
    return {widget: text_of(widget, Text.Value) for widget in (*window.stage.panes, window.status)}


def test_that_the_timeline_says_which_moment_it_is_at(window: MainWindow, qtbot: QtBot) -> None:
    slider = window.stage.timeline.slider
    window.session.one_micro_batch()
    reaches(qtbot, window, 1, 1)
    window.refresh_all()
    assert text_of(slider, Text.Description) == "step 1, micro-batch 1 of 4"


def test_that_controls_say_the_value_that_holds(window: MainWindow) -> None:
    panel = window.panel
    words = {
        part: text_of(part.slider, Text.Description) for part in (panel.n, panel.scaling, panel.learning_rate)
    }
    assert words == {panel.n: "4", panel.scaling: "÷ N, right", panel.learning_rate: "0.5"}
    window.session.change(micro_batches=3, scaling="unscaled", lr=0.25)
    words = {part: text_of(part.slider, Text.Description) for part in words}
    assert words == {panel.n: "3", panel.scaling: "× 1, forgot it", panel.learning_rate: "0.25"}
    speed = window.transport.speed.slider
    before = text_of(speed, Text.Description)
    speed.setValue(speed.value() + 1)
    assert before
    assert text_of(speed, Text.Description) not in ("", before)


def test_that_the_play_button_is_called_what_it_will_do(window: MainWindow) -> None:
    assert text_of(window.transport.play, Text.Name) == "Run"
    window.session.play()
    assert text_of(window.transport.play, Text.Name) == "Pause"


def test_that_what_a_pane_says_is_its_description_and_its_value(qtbot: QtBot) -> None:
    pane = Plain("Example", DARK)
    qtbot.addWidget(pane)
    pane.describe("Nothing yet.")
    assert [text_of(pane, kind) for kind in (Text.Name, Text.Description, Text.Value)] == [
        "Example", "Nothing yet.", "Nothing yet.",
    ]  # fmt: skip


def test_that_panes_come_and_go_while_somebody_listens(qtbot: QtBot, qapp: QApplication) -> None:
    QAccessible.setActive(True)
    alive: list[weakref.ref[QWidget]] = []
    try:
        for turn in range(1000):
            parent = QWidget()
            pane, button = Plain("Example", DARK), QPushButton("Button")
            layout = QVBoxLayout(parent)
            layout.addWidget(pane)
            layout.addWidget(button)
            alive.append(weakref.ref(pane))
            if turn % 25 == 0:
                parent.show()
                pane.setFocus()
                button.setFocus()
            pane.describe(f"turn {turn}")
            assert (role_of(pane), text_of(pane, Text.Value)) == (Role.Graphic, f"turn {turn}")
            parent.close()
            if turn % 2:
                parent.deleteLater()
            del parent, pane, button, layout
            if turn % 100 == 0:
                QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
                gc.collect()
    finally:
        QAccessible.setActive(False)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    assert [pane for pane in alive if pane() is not None] == []


def edge(pane: QWidget) -> str:
    """The colour in the middle of the pane's left edge."""
    return pane.grab().toImage().pixelColor(1, pane.height() // 2).name()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_that_a_pane_has_a_ring_only_when_the_keyboard_came_by_tab(qtbot: QtBot, theme: Theme) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    pane, other = Plain("Example", theme), QPushButton()
    layout = QVBoxLayout(parent)
    layout.addWidget(pane, 1)
    layout.addWidget(other)
    pane.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    parent.resize(200, 200)
    parent.show()
    qtbot.waitUntil(parent.isActiveWindow)
    for reason, ringed in (
        (Reason.TabFocusReason, True),
        (Reason.MouseFocusReason, False),
        (Reason.BacktabFocusReason, True),
        (Reason.OtherFocusReason, False),
    ):
        other.setFocus()
        assert edge(pane) != theme.accumulated
        pane.setFocus(reason)
        assert (edge(pane) == theme.accumulated) is ringed


def test_that_the_ring_comes_back_with_the_window(qtbot: QtBot) -> None:
    pane = Plain("Example", DARK)
    qtbot.addWidget(pane)
    pane.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    pane.resize(200, 200)
    pane.show()
    qtbot.waitUntil(pane.isActiveWindow)
    pane.setFocus(Reason.TabFocusReason)
    for reason in (Reason.ActiveWindowFocusReason, Reason.PopupFocusReason):
        pane.clearFocus()
        pane.setFocus(Reason.TabFocusReason)
        QApplication.sendEvent(pane, focus_event(QEvent.Type.FocusOut, reason))
        QApplication.sendEvent(pane, focus_event(QEvent.Type.FocusIn, reason))
        assert edge(pane) == DARK.accumulated


def focus_event(kind: QEvent.Type, reason: Qt.FocusReason) -> QEvent:
    return QFocusEvent(kind, reason)


def tabbed_through(window: QWidget, qtbot: QtBot) -> Iterator[QWidget]:
    """Who has the keyboard after each Tab, until it has come round."""
    stops: list[QWidget] = []
    for _ in range(200):
        qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        stop = QApplication.focusWidget()
        assert stop is not None
        if stop in stops:
            return
        stops.append(stop)
        yield stop
    raise AssertionError("the Tab key never comes round")


@pytest.mark.parametrize("is_open", [False, True])
def test_that_tab_comes_to_everything(window: MainWindow, qtbot: QtBot, is_open: bool) -> None:
    window.panel.experiment.set_open(is_open)
    stops = list(tabbed_through(window, qtbot))
    wanted = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
        and widget.isVisible()
        and widget.isEnabled()
        and widget.focusProxy() is None
    ]
    assert len(stops) >= 9
    assert [widget for widget in wanted if widget not in stops] == []


@pytest.mark.parametrize("name", THEMES)
def test_that_every_stop_of_tab_can_be_seen(window: MainWindow, qtbot: QtBot, name: str) -> None:
    window._appearance.choose(name)  # type: ignore[arg-type]
    window.panel.experiment.set_open(True)
    unseen = []
    for stop in tabbed_through(window, qtbot):
        ringed = around(window, stop)
        # the keyboard is with nobody, as far as can be seen
        window.setFocus(Reason.OtherFocusReason)
        if differing(ringed, around(window, stop)) < 40:
            unseen.append(stop)
        stop.setFocus(Reason.TabFocusReason)
    assert unseen == []


def around(window: QWidget, widget: QWidget) -> QImage:
    """The widget and a little of what is beside it."""
    box = QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size()).adjusted(-3, -3, 3, 3)
    return window.grab(box).toImage().convertToFormat(QImage.Format.Format_RGB32)


def differing(one: QImage, other: QImage) -> int:
    """How many pixels are not alike."""
    assert one.size() == other.size()
    return int(
        (np.frombuffer(one.constBits(), np.uint32) != np.frombuffer(other.constBits(), np.uint32)).sum()
    )


def test_that_a_slider_names_the_stop_it_is_at(qtbot: QtBot) -> None:
    slider = StopSlider("Example", DARK, ["one", "two"], ["first", "second"])
    qtbot.addWidget(slider)
    slider.show_place(1)
    assert text_of(slider, Text.Description) == "two, second"
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    assert text_of(slider, Text.Description) == "one, first"
