"""The harness itself: what it is meant to catch makes a test fail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SETTINGS = (ROOT / "pyproject.toml").read_text("utf-8")

FAULTS = {
    "a warning": "import warnings; warnings.warn('careful')",
    "a log record": "import logging; logging.getLogger('gradviz').warning('odd')",
    "a Qt message": "from PySide6.QtCore import qWarning; qWarning('odd')",
    "a thread": (
        "import threading; stop = threading.Event(); threading.Thread(target=stop.wait, daemon=True).start()"
    ),
    "a timer": "global timer; from PySide6.QtCore import QTimer; timer = QTimer(); timer.start(10_000)",
    "a Qt thread": (
        "global thread; from PySide6.QtCore import QThread; thread = QThread(); thread.start();"
        " import atexit; atexit.register(lambda: (thread.quit(), thread.wait()))"
    ),
    "a window": "global widget; from PySide6.QtWidgets import QWidget; widget = QWidget()",
    "a skip with CI=true": "pytest.skip('no time')",
    "an exception in a thread": (
        "import threading; t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()"
    ),
    "an exception in a slot": (
        "from PySide6.QtCore import QTimer; QTimer.singleShot(0, lambda: 1 / 0); qapp.processEvents()"
    ),
}

INNOCENT = {
    "nothing": "pass",
    "an expected log": "import logging; expect_log('^odd$'); logging.getLogger('gradviz').warning('odd')",
    "a thread that has ended": (
        "import threading; t = threading.Thread(target=lambda: None); t.start(); t.join()"
    ),
    "a timer that has stopped": (
        "from PySide6.QtCore import QTimer; timer = QTimer(); timer.start(10_000); timer.stop()"
    ),
    "a shown window of qtbot's": (
        "from PySide6.QtWidgets import QWidget; widget = QWidget(); qtbot.addWidget(widget); widget.show()"
    ),
    "a window that knows itself": (
        "from PySide6.QtWidgets import QWidget; widget = QWidget(); widget.me = widget"
    ),
    "a skipped gpu test": "pytest.skip('no card')",
}


def _run(folder: Path, bodies: dict[str, str], **environment: str) -> tuple[dict[str, str], str]:
    """Run one test for each body under the project's settings and conftests; each outcome, the output."""
    tests = folder / "tests" / "gui"
    tests.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(SETTINGS, "utf-8")
    for name in ("tests/conftest.py", "tests/gui/conftest.py"):
        (folder / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
    lines = ["import pytest"]
    for index, (name, body) in enumerate(bodies.items()):
        lines.append("@pytest.mark.gpu" if "gpu" in name else "")
        lines.append(f"def test_{index}(qapp, qtbot, expect_log):\n    {body}")
    (tests / "test_inner.py").write_text("\n".join(lines) + "\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/gui", "-rA", "-p", "no:benchmark"],
        cwd=folder,
        env={**os.environ, "CI": "", "CUDA_VISIBLE_DEVICES": "", **environment},
        capture_output=True,
        text=True,
        timeout=100,
    )
    found = re.findall(r"^(PASSED|FAILED|ERROR|SKIPPED) .*?test_inner\.py::test_(\d+)", done.stdout, re.M)
    names = list(bodies)
    outcomes = {names[int(number)]: outcome for outcome, number in found}
    return outcomes, done.stdout + done.stderr


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], str]:
    return _run(tmp_path_factory.mktemp("faulty"), FAULTS, CI="true")


@pytest.mark.parametrize("fault", FAULTS)
def test_that_the_harness_fails_a_test_with(fault: str, faulty: tuple[dict[str, str], str]) -> None:
    outcomes, output = faulty
    assert outcomes.get(fault) in ("FAILED", "ERROR"), output


def test_that_the_harness_says_where_a_thread_and_a_timer_were_started(
    faulty: tuple[dict[str, str], str],
) -> None:
    started = faulty[1].split("started at\n")[1:]
    for line in ("threading.Thread(target=stop.wait", "timer.start(10_000)", "thread.start()"):
        assert any(line in place for place in started)


def test_that_the_harness_lets_innocent_tests_pass(tmp_path: Path) -> None:
    outcomes, output = _run(tmp_path, INNOCENT, CI="true")
    expected = dict.fromkeys(INNOCENT, "PASSED")
    del expected["a skipped gpu test"]
    assert outcomes == expected, output
    assert "1 skipped" in output


def test_that_a_skip_is_a_skip_without_ci(tmp_path: Path) -> None:
    _, output = _run(tmp_path, {"a skip": FAULTS["a skip with CI=true"]})
    assert "1 skipped" in output
    assert "failed" not in output


def test_that_tests_write_in_tmp_path_and_have_another_home(tmp_path: Path) -> None:
    assert Path.cwd() == tmp_path
    assert "gradviz-tests-" in str(Path.home())
