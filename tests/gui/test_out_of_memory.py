"""Memory runs out in a real window: it says so, goes on with smaller pieces, and keeps nothing of it."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from test_does_not_fit import small_card
from torch import Tensor, nn
from windows import make_window, place

from gradviz.config import RunConfig
from gradviz_app.main_window import MainWindow

CONFIG = RunConfig.of({"batch": 32, "micro_batches": 4, "precision": "float64", "threads": 1})


@pytest.fixture
def room(window: MainWindow, monkeypatch: pytest.MonkeyPatch, expect_log: Callable[[str], None]) -> list[int]:
    """So many samples fit at once; that can be changed."""
    # only now: the window's presets are for tasks that have more samples than the small one
    expect_log("out of memory")
    return small_card(monkeypatch, 8)


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    return make_window(qtbot, config=CONFIG)


def soon(window: MainWindow, condition: Callable[[], bool]) -> None:
    """Let the window go on until it is so, without waiting for the pump's next tick."""
    end_s = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end_s, window.status.words
        window.pump.tick()
        QApplication.processEvents()
        time.sleep(0.001)


def fail(window: MainWindow) -> None:
    """Ask for micro-batches that are too large."""
    window.session.change(micro_batches=2)
    window.session.one_step()
    soon(window, lambda: window.session.failure is not None)


def is_compared(window: MainWindow) -> bool:
    moment = window.playback.moment()
    return moment is not None and moment.compared is not None


def whole_window(window: MainWindow) -> str:
    """Take a step of the run that begins; the kind of its comparison."""
    soon(window, lambda: window.session.history.ended is None and place(window) == (1, 0))
    window.session.one_step()
    soon(window, lambda: is_compared(window))
    moment = window.playback.moment()
    assert moment is not None
    assert moment.compared is not None
    return moment.compared.comparison.kind


def type_n(window: MainWindow, qtbot: QtBot, n: str) -> None:
    entry = window.panel.n.entry
    entry.setFocus()
    entry.selectAll()
    qtbot.keyClicks(entry, n)
    qtbot.keyClick(entry, Qt.Key.Key_Return)


def held(window: MainWindow) -> tuple[int, int, int]:
    """Widgets, threads and tensors that there are while a run waits at the end of its first window."""
    window.session.start(CONFIG)
    assert whole_window(window) == "equal"
    control = window.session._control
    assert control is not None
    soon(window, lambda: control.waiting and threading.active_count() == 2)
    gc.collect()
    tensors = sum(type(each) in (Tensor, nn.Parameter) for each in gc.get_objects())
    return len(QApplication.allWidgets()), threading.active_count(), tensors


def test_that_a_run_that_ran_out_of_memory_goes_on_with_more_micro_batches(
    window: MainWindow, room: list[int], qtbot: QtBot
) -> None:
    window.session.start(CONFIG)
    assert whole_window(window) == "equal"
    fail(window)
    said = window.banner.sentence.text()
    assert said == "Out of memory on cpu in step 1: with more micro-batches each of them needs less."
    assert window.banner.restart.isVisible()
    assert "failed" in window.status.words
    type_n(window, qtbot, "8")
    assert whole_window(window) == "equal"
    assert not window.banner.isVisible()


def test_that_a_hundred_failures_leave_nothing_behind(
    window: MainWindow, room: list[int], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the test's own capture would hold all that is logged
    monkeypatch.setattr("gradviz.trainer.logger.disabled", True)
    before = held(window)
    for turn in range(100):
        fail(window)
        assert "out of memory" in window.banner.sentence.text().lower()
        if turn % 2:
            type_n(window, qtbot, "8")
        else:
            room[0] = 16
            window.banner.restart.click()
        assert whole_window(window) == "equal"
        assert not window.banner.isVisible()
        room[0] = 8
        window.session.change(micro_batches=4)
        if turn == 10:
            # by then every part has been shown once
            before = held(window)
    assert held(window) == before


def test_that_all_panes_say_that_the_full_batch_does_not_fit(window: MainWindow, room: list[int]) -> None:
    window.session.start(CONFIG)
    assert whole_window(window) == "equal"
    window.session.one_step()
    # the comparison comes a moment after the last piece
    soon(window, lambda: place(window) == (2, 4) and is_compared(window))
    window.refresh_all()
    stage = window.stage
    assert "paused · step 2 · micro-batch 4 / 4" in window.status.words
    assert "does not fit" in stage.verdict.said()
    assert stage.verdict.said().startswith("Step 2: Equal, up to rounding.")
    assert "does not fit" in stage.memory.said()
    assert "does not fit" in stage.loss.second_title()
    assert window.banner.isHidden()
