"""The open window at full speed: what it costs the training, and how soon it answers."""

from __future__ import annotations

import dataclasses
import random
import statistics
import threading
import time

import numpy as np
import torch
from figures import Figure
from loops import BareLoop, seconds_a_step
from PySide6.QtCore import QEvent, QEventLoop, QObject, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from subjects import SUBJECTS, Subject

from gradviz.config import RunConfig
from gradviz_app import main_window, pump
from gradviz_app.appearance import Appearance
from gradviz_app.collector import Collector
from gradviz_app.fonts import load_fonts
from gradviz_app.pace import FLAT_OUT
from gradviz_app.preferences import Preferences
from gradviz_app.session import Session

WARM_UP_S, ROUNDS, ROUND_S, PRESSES = 4.0, 8, 2.5, 100


class TimedPump(pump.Pump):
    """Takes down when each frame began, and how long this thread was at work for it."""

    def tick(self) -> None:
        begun_s = time.thread_time()
        self.begun_s.append(time.perf_counter())
        self.work_s.append(0.0)
        super().tick()
        self.work_s[-1] += time.thread_time() - begun_s

    def add_painting(self, seconds: float) -> None:
        super().add_painting(seconds)
        self.painted_s = time.perf_counter()
        if self.work_s:
            self.work_s[-1] += seconds

    def forget(self) -> None:
        """Begin anew."""
        self.begun_s: list[float] = []
        self.work_s: list[float] = []
        self.painted_s = 0.0


class Paints(QObject):
    """Notices when one widget is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = False

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        self.seen = self.seen or event.type() == QEvent.Type.Paint
        return False


class OpenWindow:
    """The program's window at 1920 × 1080, training flat out."""

    def __init__(self, config: RunConfig) -> None:
        self.application = QApplication([])
        load_fonts()
        session = Session(config)
        appearance = Appearance(self.application.styleHints(), "dark")
        preferences = Preferences(QSettings("gradviz", "benchmark"))
        main_window.Pump = TimedPump  # type: ignore[misc]
        self.window = main_window.MainWindow(session, appearance, preferences)
        assert isinstance(self.window.pump, TimedPump)
        self.session, self.pump = session, self.window.pump
        self.pump.forget()
        self._collector = Collector(self.window)
        session.run_started.connect(self._collector.freeze)
        session.playing = True
        session.set_speed(FLAT_OUT)
        self.window.resize(1920, 1080)
        self.window.show()
        self.pump.start()
        session.start(config)

    def wait(self, seconds: float) -> None:
        """Let the window work."""
        loop = QEventLoop()
        QTimer.singleShot(round(1000 * seconds), loop.quit)
        loop.exec()

    def close(self) -> tuple[int, int]:
        """End all. Returns how many StepFinished were lost, and how many threads are left."""
        self.session.pause()
        self.wait(0.3)
        history = self.session.history
        newest = history.finished.step if history.finished else 0
        self.window.close()
        self._collector.stop()
        return newest - history.steps, threading.active_count() - 1


def measure(name: str) -> list[Figure]:
    """Open window and bare loop take turns; then a key is pressed at random moments."""
    torch.set_num_threads(1)
    subject = SUBJECTS[name]
    config = subject.configure()
    opened = OpenWindow(config)
    try:
        figures = _measure_while_open(opened, BareLoop(config), subject)
    finally:
        lost, threads = opened.close()
    ends = Figure("StepFinished lost", 0, lost), Figure("threads left behind", 0, threads)
    return [
        dataclasses.replace(figure, what=f"{figure.what}, {subject.title}") for figure in (*figures, *ends)
    ]


def _measure_while_open(opened: OpenWindow, bare: BareLoop, subject: Subject) -> list[Figure]:
    opened.wait(WARM_UP_S)
    opened.session.pause()
    steps = max(6, round(ROUND_S / seconds_a_step(bare, 10)))
    rounds, work_ms, interval_ms = [], [], []
    for _ in range(ROUNDS):
        rounds.append(_open(opened, steps) * seconds_a_step(bare, steps))
        work_ms += [1000 * seconds for seconds in opened.pump.work_s[1:]]
        interval_ms += (1000 * np.diff(opened.pump.begun_s)).tolist()
    latency_ms = [_press(opened) for _ in range(PRESSES)]
    kept = Figure("steps/s, window open ÷ bare loop", subject.kept_speed, statistics.median(rounds))
    presses = f"{len(latency_ms)} presses of the space bar"
    return [
        dataclasses.replace(kept, at_least=True, note="flat out, off-screen"),
        Figure("frame work, p95", 5, _p95(work_ms), "ms", note="processor time of the screen's thread"),
        Figure("frame interval, p95", 40, _p95(interval_ms), "ms"),
        Figure("input latency, p95", 10, _p95(latency_ms), "ms", note=presses),
    ]


def _open(opened: OpenWindow, steps: int) -> float:
    """Steps a second with the window at work, from the end of one step to that of a step some steps later."""
    opened.session.play()
    opened.wait(0.5)
    opened.pump.forget()
    begun, begun_s = _next_step(opened, 1)
    ended, ended_s = _next_step(opened, steps)
    opened.session.pause()
    return (ended - begun) / (ended_s - begun_s)


def _next_step(opened: OpenWindow, more: int) -> tuple[int, float]:
    """The number of steps when so many more have come, and when that was."""
    # what waits in the mailbox has been trained too
    opened.session.drain()
    wanted = opened.session.history.steps + more
    while opened.session.history.steps < wanted:
        opened.application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        opened.session.drain()
    return opened.session.history.steps, time.perf_counter()


def _press(opened: OpenWindow) -> float:
    """Milliseconds from the moment a key is due, at full speed, to the end of the repaint that shows it."""
    opened.session.play()
    opened.wait(0.15)
    paints, button = Paints(), opened.window.transport.play
    button.installEventFilter(paints)
    delay_ms = random.randint(1, 60)
    due_s = time.perf_counter() + delay_ms / 1000
    QTimer.singleShot(delay_ms, lambda: QTest.keyClick(opened.window, Qt.Key.Key_Space))
    while not paints.seen or opened.pump.painted_s < due_s:
        opened.application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    button.removeEventFilter(paints)
    return 1000 * (opened.pump.painted_s - due_s)


def _p95(values: list[float]) -> float:
    return float(np.quantile(values, 0.95))
