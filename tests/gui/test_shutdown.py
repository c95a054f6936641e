"""The whole program as a process of its own: it starts without torch, and always ends cleanly."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from gradviz_app.logs import log_file

PROGRAM = """
import sys
{before}
from gradviz.config import RunConfig
from gradviz_app import application
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gradviz_app.main_window import MainWindow

def window():
    return next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))

show = MainWindow.show
def show_and_plan(self):
    show(self)
    {plan}
MainWindow.show = show_and_plan
code = application.run(RunConfig.of({{}}), paused={paused}, theme="dark")
print("code", code, "torch" in sys.modules)
sys.exit(code)
"""


def start(plan: str, paused: bool = False, before: str = "") -> subprocess.Popen[str]:
    program = PROGRAM.format(plan=plan, paused=paused, before=before)
    return subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-W", "error", "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )


def end(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, err = process.communicate(timeout=60)
    errors = [line for line in err.splitlines() if "propagateSizeHints" not in line]
    assert not errors, err
    return out, err


@pytest.mark.parametrize("after_ms", [0, 300, 2000])
def test_that_closing_the_window_ends_the_program_with_0(after_ms: int) -> None:
    process = start(f"QTimer.singleShot({after_ms}, self.close)")
    end(process)
    assert process.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("after_s", [0.0, 1.5])
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_that_a_signal_ends_the_program_with_its_code(number: signal.Signals, after_s: float) -> None:
    process = start("self.first_painted.connect(lambda: print('painted', flush=True))")
    assert process.stdout is not None
    assert process.stdout.readline() == "painted\n"
    time.sleep(after_s)
    process.send_signal(number)
    end(process)
    assert process.returncode == 128 + number


def test_that_the_window_is_painted_before_torch_is_read() -> None:
    plan = "self.first_painted.connect(lambda: (print('torch' in sys.modules), self.close()))"
    out, _ = end(start(plan))
    assert out.splitlines()[0] == "False"


def test_that_a_flat_out_run_ends_in_the_middle_of_its_work() -> None:
    plan = "self.session.set_speed(float('inf')); QTimer.singleShot(4000, self.close)"
    process = start(plan)
    out, _ = end(process)
    assert out.split() == ["code", "0", "True"]


def test_that_an_error_in_the_window_is_said_in_it_and_written_down(qtbot: QtBot) -> None:
    QCoreApplication.setApplicationName("gradviz")
    plan = (
        "QTimer.singleShot(200, lambda: 1 / 0); "
        "QTimer.singleShot(500, lambda: (print(self.banner.sentence.text()), self.close()))"
    )
    process = start(plan, paused=True)
    out, err = process.communicate(timeout=60)
    assert "division by zero" in out
    assert "Traceback" not in err
    assert "ZeroDivisionError" in log_file().read_text("utf-8")
    assert process.returncode == 0


def test_that_the_collector_never_runs_in_the_worker() -> None:
    before = """
import gc, threading
elsewhere = []
def note(*_):
    if threading.current_thread() is not threading.main_thread():
        elsewhere.append(1)
gc.callbacks.append(note)
"""
    close = "QTimer.singleShot(3500, lambda: (print(elsewhere), self.close()))"
    plan = f"self.session.set_speed(float('inf')); {close}"
    out, _ = end(start(plan, before=before))
    assert out.splitlines()[0] == "[]"
