"""What every test with Qt is held to: no running timer or thread and no window left behind."""

from __future__ import annotations

import gc
import itertools
import traceback
import weakref
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QThread, QTimer
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

# all garbage takes 0.2 s to find, what is new no time
_GENERATIONS = itertools.cycle([*[1] * 30, 2])
_started: weakref.WeakKeyDictionary[QObject, str] = weakref.WeakKeyDictionary()


@pytest.fixture(autouse=True, scope="session")
def _timers_and_threads_remember_their_start() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for kind in (QTimer, QThread):
            patch.setattr(kind, "start", _remembering(kind.start))
        yield


def _remembering(start: Callable[..., None]) -> Callable[..., None]:
    def remember_and_start(started: QObject, *arguments: object) -> None:
        _started[started] = "".join(traceback.format_stack(limit=6)[:-1])
        start(started, *arguments)

    return remember_and_start


@pytest.fixture(autouse=True, scope="session")
def _garbage_is_collected_between_tests_only() -> Iterator[None]:
    # as in the program: collected by chance in a worker, Qt's objects would be freed there
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def _garbage_is_collected() -> Iterator[None]:
    yield
    gc.collect(next(_GENERATIONS))


@pytest.fixture(autouse=True)
def _nothing_of_qt_left(failed: Callable[[], bool]) -> Iterator[None]:
    windows, running = set(_windows()), set(_running())
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    if failed():
        return
    if set(_windows()) - windows or set(_running()) - running:
        # a widget may wait for the collector only because its parts know each other
        gc.collect()
    left = [f"a window, {widget!r}" for widget in set(_windows()) - windows]
    left += [f"running, {item!r}, started at\n{_started[item]}" for item in set(_running()) - running]
    if left:
        pytest.fail("left behind: " + "\n".join(left), pytrace=False)


def _windows() -> list[QObject]:
    return list(QApplication.topLevelWidgets()) if QApplication.instance() else []


def _running() -> list[QObject]:
    return [item for item in list(_started) if isValid(item) and _runs(item)]


def _runs(item: QObject) -> bool:
    return item.isRunning() if isinstance(item, QThread) else isinstance(item, QTimer) and item.isActive()
