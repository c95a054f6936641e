"""Whatever somebody does, nothing upsets the window: drawn by lot, and the same for the same seed."""

from __future__ import annotations

import gc
import traceback
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import anything_holds as holds
import pytest
import torch  # noqa: F401  (reading it takes a second, in which no run would begin)
from anything import Somebody
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot
from windows import make_window, until

from gradviz import tasks
from gradviz.config import RunConfig
from gradviz_app.main_window import MainWindow
from gradviz_app.worker import EventSource
from gradviz_app.workspace.state import decoded

TINY = RunConfig.of({"width": 4, "batch": 16, "micro_batches": 4, "precision": "float64", "threads": 1})
SEEDS, ACTIONS, ROUND, CYCLES = 20, 490, 245, 5

# Qt's off-screen plug-in has no popups; any other line fails
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support (raise\(\)|grabbing the keyboard)$")


class Opened(QObject):
    """Stands for what the system opens files with."""

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        """It was asked to."""


@pytest.fixture(autouse=True)
def _nothing_of_the_systems_opens() -> Iterator[None]:
    opened = Opened()
    QDesktopServices.setUrlHandler("file", opened, "take")
    yield
    QDesktopServices.unsetUrlHandler("file")


@pytest.fixture(autouse=True)
def _own_tasks_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_admitted", {})


class Watch:
    """Fails a test, naming the seed and the last actions, as soon as something does not hold."""

    def __init__(
        self, seed: int, somebody: Somebody, judged: holds.Judged, complaints: Callable[[], list[str]]
    ):
        self._seed, self._somebody, self._judged = seed, somebody, judged
        self._complaints = complaints
        self.count = 0

    def look(self, window: MainWindow) -> None:
        """Look at everything once."""
        wrong = [*holds.of_window(window), *self._judged.faults, *self._complaints()]
        if wrong:
            self.fail("\n".join(wrong))

    def fail(self, words: str) -> None:
        """Say what it was, and what led to it."""
        did = "\n  ".join(self._somebody.did)
        pytest.fail(f"seed {self._seed}, action {self.count}:\n{words}\nafter\n  {did}", pytrace=False)


@pytest.fixture
def complaints(qtlog, _logs, qtbot: QtBot) -> Iterator[Callable[[], list[str]]]:  # type: ignore[no-untyped-def]
    with qtbot.capture_exceptions() as raised:

        def all_of_them() -> list[str]:
            said = [f"Qt: {record.message}" for record in qtlog.records if not record.ignored]
            return [
                *("".join(traceback.format_exception(error[1])) for error in raised),
                *said,
                *_logs.unexpected,
            ]

        yield all_of_them


def open_again(qtbot: QtBot, somebody: Somebody, source: EventSource, state: str = "") -> None:
    """A window on a new run, with all panels as they were left."""
    window = somebody.window = make_window(qtbot, source, TINY)
    window.restore_workspace()
    if state:
        found, wanted = decoded(window.stage.workspace.state()), decoded(state)
        assert found is not None
        assert wanted is not None
        assert (found.hidden, found.enlarged) == (wanted.hidden, wanted.enlarged)
        assert found.shares.keys() == wanted.shares.keys()
        for name, shares in wanted.shares.items():
            assert found.shares[name] == pytest.approx(shares, rel=1e-9)
        assert found.detached.keys() == wanted.detached.keys()
        for other in window.stage.workspace._windows.values():
            if not other.isFullScreen():
                assert holds.is_on_a_screen(QRect(other.pos(), other.size()))


def close(somebody: Somebody) -> None:
    """Close the window, and let Qt and Python take it away."""
    QToolTip.hideText()
    before = weakref.ref(somebody.window)
    somebody.window.close()
    # what waits for its turn would hold on to the window for ever
    QApplication.processEvents()
    somebody.window.deleteLater()
    del somebody.window
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    assert before() is None, "somebody holds on to the window"
    assert holds.threads() == 0


def act(somebody: Somebody, watch: Watch, actions: int) -> None:
    """So many actions, after each of which everything must hold."""
    for _ in range(actions):
        watch.count += 1
        try:
            somebody.act()
        except Exception as error:
            watch.fail(f"{type(error).__name__}: {error}")
        watch.look(somebody.window)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_that_nothing_upsets_the_window(
    seed: int, qtbot: QtBot, tmp_path: Path, complaints: Callable[[], list[str]]
) -> None:
    judged, somebody = holds.Judged(), Somebody(seed, tmp_path)
    watch = Watch(seed, somebody, judged, complaints)
    state = ""
    for _ in range(ACTIONS // ROUND):
        open_again(qtbot, somebody, judged, state)
        act(somebody, watch, ROUND)
        until(qtbot, lambda: holds.threads() <= 2)
        state = somebody.window.stage.workspace.state()
        close(somebody)
    assert judged.steps


def test_that_opening_and_closing_again_and_again_leaves_nothing_behind(
    qtbot: QtBot, tmp_path: Path, complaints: Callable[[], list[str]]
) -> None:
    left: list[tuple[int, int, int]] = []
    tracemalloc.start()
    try:
        for _ in range(CYCLES):
            # always the same actions
            judged, somebody = holds.Judged(), Somebody(SEEDS, tmp_path)
            open_again(qtbot, somebody, judged)
            act(somebody, Watch(SEEDS, somebody, judged, complaints), 60)
            close(somebody)
            left.append((len(QApplication.allWidgets()), objects(), tracemalloc.get_traced_memory()[0]))
    finally:
        tracemalloc.stop()
    # the first window fills what is kept for all that come after it
    (widgets, count, size), (widgets_last, count_last, size_last) = left[1], left[-1]
    assert widgets_last <= widgets, left
    assert count_last <= count, left
    # a window alone is a megabyte
    assert size_last - size < 300_000, left


def objects() -> int:
    """How many of Python's objects are Qt's."""
    gc.collect()
    return sum(issubclass(type(each), QObject) for each in gc.get_objects())


def test_that_nothing_upsets_a_window_that_opens_a_task_of_ones_own(
    qtbot: QtBot, tmp_path: Path, complaints: Callable[[], list[str]]
) -> None:
    judged, somebody = holds.Judged(), Somebody(SEEDS + 1, tmp_path)
    watch = Watch(SEEDS + 1, somebody, judged, complaints)
    open_again(qtbot, somebody, judged)
    somebody.open_a_task()
    qtbot.waitUntil(lambda: not somebody.window.commands.files.reader.reading, timeout=60_000)
    [name] = tasks.admitted()
    somebody.window.session.change(task=name)
    act(somebody, watch, 150)
    close(somebody)
