"""Where everything is enlarged, what matters least is left out, and comes back when there is room."""

from __future__ import annotations

import pytest
from fake_run import fake_run
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QApplication, QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot
from windows import unstarted_window

from gradviz_app.controls.transport import Transport
from gradviz_app.main_window import MainWindow
from gradviz_app.style import style_sheet
from gradviz_app.theme import DARK, LIGHT
from gradviz_app.views.loss import Loss
from gradviz_app.views.memory.pane import Memory
from gradviz_app.views.stack.layout import layout_of
from gradviz_app.views.verdict import Verdict
from gradviz_app.workspace.missing import Missing
from gradviz_app.workspace.scales import fitting_theme, scale_for, suited_scale

from .moments import make_history

ZOOMS = (1.0, 1.25, 1.5, 2.0)
SIZES = ((1280, 720), (1920, 1080), (853, 440), (640, 320))


def zoomed(qtbot: QtBot, size: tuple[int, int], zoom: float) -> MainWindow:
    """A window in which everything is enlarged by `zoom`."""
    window = unstarted_window(qtbot, fake_run)
    window.stage.show_plane(True)
    # so that nothing but the parts' own wishes keeps it from being small
    window.setMinimumSize(1, 1)
    window.resize(*size)
    window.show()
    enlarge(window, zoom)
    return window


def enlarge(window: MainWindow, zoom: float) -> None:
    theme = DARK.scaled(scale_for(window.width(), window.height()) * zoom)
    window.setStyleSheet(style_sheet(theme))
    for part in (window.transport, window.panel, window.status):
        part.set_theme(theme)
    window.stage.set_theme(theme, zoom)
    window._space_out(theme)
    QApplication.processEvents()


def area_in(part: QWidget, window: QWidget) -> QRect:
    return QRect(part.mapTo(window, QPoint()), part.size())


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("size", SIZES)
def test_that_nothing_overlaps_or_leaves_the_window(qtbot: QtBot, size: tuple[int, int], zoom: float) -> None:
    window = zoomed(qtbot, size, zoom if size[0] > 1000 else 1.0)
    assert window.size().toTuple() == size
    stage = window.stage
    parts = [*stage.tabs.panes, stage.loss, stage.memory, stage.verdict, stage.code, window.panel]
    parts += [stage.timeline, stage.tabs.bar, window.transport, window.status]
    areas = [area_in(part, window) for part in parts if part.isVisible()]
    for index, area in enumerate(areas):
        assert window.rect().contains(area), parts[index]
        assert not any(area.intersects(other) for other in areas[:index]), parts[index]


@pytest.mark.parametrize("zoom", ZOOMS)
def test_that_all_titles_of_tabs_find_room(qtbot: QtBot, zoom: float) -> None:
    bar = zoomed(qtbot, (1280, 720), zoom).stage.tabs.bar
    assert isinstance(bar, QTabBar)
    assert bar.tabRect(bar.count() - 1).right() <= bar.width()
    for index in range(bar.count()):
        assert bar.tabRect(index).width() >= bar.fontMetrics().horizontalAdvance(bar.tabText(index)) * 0.7


@pytest.mark.parametrize("zoom", ZOOMS)
def test_that_the_controls_scroll_up_and_down_only(qtbot: QtBot, zoom: float) -> None:
    window = zoomed(qtbot, (1280, 720), zoom)
    scroll = window.panel.findChild(QAbstractScrollArea)
    assert scroll is not None
    for is_open in (False, True):
        window.panel.experiment.set_open(is_open)
        QApplication.processEvents()
        assert window.panel._content.width() <= scroll.viewport().width()
        for part in (window.panel.n, window.panel.scaling, window.panel.experiment):
            assert part.height() >= part.minimumSizeHint().height()
    if zoom in (1.0, 2.0):
        assert (scroll.verticalScrollBar().maximum() > 0) == (zoom > 1.0)


def test_that_the_code_goes_first_and_comes_back(qtbot: QtBot) -> None:
    window = zoomed(qtbot, (1280, 720), 1.0)
    workspace = window.stage.workspace
    for zoom, folded in ((1.0, False), (1.25, True), (2.0, True), (1.0, False)):
        enlarge(window, zoom)
        assert workspace.is_folded("code") == folded
        assert window.stage.code.isVisible() != folded
        assert not workspace.is_hidden("code")
    enlarge(window, 2.0)
    workspace.set_hidden("memory", True)
    workspace.set_hidden("verdict", True)
    assert window.stage.code.isVisible()
    workspace.reset()
    workspace.enlarge("code")
    assert window.stage.code.isVisible()
    assert not workspace.is_folded("code")


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1000)])
@pytest.mark.parametrize("zoom", [1.5, 2.0])
def test_that_the_type_of_the_loss_grows_with_the_window(
    qtbot: QtBot, size: tuple[int, int], zoom: float
) -> None:
    window = zoomed(qtbot, size, zoom)
    wanted = scale_for(*size) * zoom
    assert window.stage.loss.theme.scale >= 0.8 * wanted
    assert window.stage.tabs.current.theme.scale >= 0.9 * wanted


def test_that_the_column_says_that_the_code_is_folded_and_shows_it(qtbot: QtBot) -> None:
    window = zoomed(qtbot, (1280, 720), 1.0)
    workspace = window.stage.workspace
    line = workspace.findChild(Missing)
    assert line is not None
    assert not line.isVisible()
    for zoom in (1.25, 1.5, 2.0):
        enlarge(window, zoom)
        assert line.isVisible()
        assert line.fontMetrics().horizontalAdvance(line.text()) <= line.width()
        assert area_in(line, window).top() > area_in(window.stage.verdict, window).bottom()
    line.click()
    assert workspace.enlarged == "code"
    assert window.stage.code.isVisible()
    workspace.leave()
    workspace.set_hidden("code", True)
    assert not line.isVisible()


@pytest.mark.parametrize("height", range(560, 760, 20))
def test_that_no_panel_is_cut_whatever_the_height(qtbot: QtBot, height: int) -> None:
    stage = zoomed(qtbot, (1280, height), 1.0).stage
    for pane in (stage.loss, stage.memory, stage.verdict, stage.code):
        if pane.isVisible():
            least = pane.minimumSizeHint()
            assert pane.width() >= least.width() - 1
            assert pane.height() >= least.height() - 1
    assert stage.code.isVisible() != stage.workspace.is_folded("code")


def test_that_the_strip_of_single_weights_goes_before_the_code() -> None:
    def has_strip(height: float) -> bool:
        return layout_of(QRectF(0, 0, 686, height), DARK, True, True, True, False).strip is not None

    assert has_strip(331)
    assert not has_strip(250)


def test_that_the_trace_of_memory_goes_and_comes_with_the_height(qtbot: QtBot) -> None:
    memory = Memory(DARK)
    qtbot.addWidget(memory)
    show(memory)
    heights = [memory._strip_height(height) > 0 for height in (260, 200, 150, 200, 260)]
    assert heights == [True, False, False, False, True]


def test_that_the_figures_of_the_verdict_go_before_its_words(qtbot: QtBot) -> None:
    verdict = Verdict(DARK)
    qtbot.addWidget(verdict)
    show(verdict, scaling="unscaled")
    assert verdict._judgement is not None
    low = QRectF(0, 0, 290, 90)
    for height, figures in ((149.0, True), (90.0, False), (149.0, True)):
        assert verdict._has_room_for_figures(QRectF(0, 18, 290, height - 18), 3) == figures
    assert painted(verdict, low) != painted(verdict, QRectF(0, 0, 290, 149))


def test_that_a_pane_that_needs_more_room_gets_smaller_type(qtbot: QtBot) -> None:
    loss = Loss(DARK)
    qtbot.addWidget(loss)
    large = DARK.scaled(2.0)
    assert fitting_theme(loss, large, loss.minimumSizeHint() * 2) == large
    assert fitting_theme(loss, large, loss.minimumSizeHint()).scale == pytest.approx(1.0, abs=0.06)
    loss.set_theme(large)
    assert fitting_theme(loss, large, loss.minimumSizeHint()) == large
    assert fitting_theme(loss, LIGHT, loss.minimumSizeHint()) == LIGHT


def test_that_a_larger_window_has_a_larger_scale_within_bounds() -> None:
    assert suited_scale("memory", 318, 340) == 1.0
    assert suited_scale("memory", 954, 1020) == 3.0
    assert suited_scale("memory", 954, 340) == 1.0
    assert suited_scale("code", 10, 10) == 0.8
    assert suited_scale("code", 9999, 9999) == 4.8


def test_that_the_buttons_lose_their_words_before_their_icons(qtbot: QtBot) -> None:
    transport = Transport(DARK)
    qtbot.addWidget(transport)
    transport.show()
    transport.show_playing(False)
    seen = []
    for width in range(transport.sizeHint().width(), transport.minimumSizeHint().width() - 1, -4):
        transport.resize(width, 30)
        QApplication.processEvents()
        buttons = transport.findChildren(QAbstractButton)
        seen.append(tuple(button.text() for button in buttons))
        assert not any(button.icon().isNull() for button in buttons)
        assert all(button.accessibleName() for button in buttons)
        assert transport._layout.sizeHint().width() <= max(width, transport.minimumSizeHint().width())
    assert list(dict.fromkeys(seen)) == [
        ("Run", "1 micro-batch", "1 step", "Restart"),
        ("Run", "", "", ""),
        ("", "", "", ""),
    ]
    transport.show_playing(True)
    assert transport.play.accessibleName() == "Pause"
    transport.resize(transport.sizeHint())
    assert transport.play.text() == "Pause"


def test_that_no_label_of_the_controls_is_cut(qtbot: QtBot) -> None:
    for zoom in ZOOMS:
        window = zoomed(qtbot, (1280, 720), zoom)
        for part in (window.panel.n, window.panel.scaling, window.panel.learning_rate):
            for words in part.findChildren(QLabel, options=Qt.FindChildOption.FindDirectChildrenOnly):
                if words.isVisible():
                    assert words.height() >= words.heightForWidth(words.width()), (zoom, words.text())


def show(pane: Memory | Verdict, scaling: str = "mean") -> None:
    history = make_history(2, scaling=scaling)
    pane.refresh(history, history.at(-1))


def painted(pane: Verdict, area: QRectF) -> QImage:
    image = QImage(300, 160, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.translate(QPointF(5, 5))
    pane.paint(painter, area)
    painter.end()
    return image
