"""A window says how long it painted, and an error while it paints ends nothing."""

from __future__ import annotations

import time

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradviz.history import History, Moment
from gradviz_app.paint_clock import PaintClock
from gradviz_app.theme import DARK
from gradviz_app.views.pane import Pane
from gradviz_app.workspace.window import DetachedWindow


class Slow(QWidget):
    """Takes 20 ms of work to paint."""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        end_s = time.thread_time() + 0.02
        while time.thread_time() < end_s:
            pass


class Faulty(Pane):
    """Fails to paint while told so, as numpy's C code does."""

    fails = True

    def refresh(self, history: History, moment: Moment | None) -> None:
        """Nothing to take over."""

    def paint(self, painter: QPainter, area: QRectF) -> None:
        if self.fails:
            # an error whose Python object is not made yet: C++ that keeps it for later reads it wrongly
            np.zeros(256)[np.array([256])]


def test_that_the_work_of_painting_is_measured(qtbot: QtBot) -> None:
    window = Slow()
    qtbot.addWidget(window)
    clock = PaintClock(window)
    with qtbot.waitSignal(clock.painted) as painted:
        window.show()
    assert 0.02 <= painted.args[0] < 2


def test_that_a_pane_which_cannot_be_painted_says_so_once_and_comes_back(qtbot: QtBot) -> None:
    pane = Faulty("Faulty", DARK.scaled(1))
    window = DetachedWindow("stage")
    qtbot.addWidget(window)
    window.take(pane)
    with qtbot.capture_exceptions() as raised:
        for shown in (False, True, True):
            window.setVisible(shown)
            pane.repaint()
            pane.grab()
            qtbot.wait(30)
    assert [error[0] for error in raised] == [IndexError]
    failed = pane.grab().toImage()
    pane.fails = False
    pane.update()
    assert pane.grab().toImage() != failed
