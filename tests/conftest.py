"""What every test is held to: no warning, no log, no thread left behind, nothing of the user's touched."""

from __future__ import annotations

import logging
import os
import re
import shutil
import sys
import tempfile
import threading
import traceback
import weakref
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.configuration import set_hypothesis_home_dir

# read by Qt and by torch when they are imported, which is after this
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"

_home = Path(tempfile.mkdtemp(prefix="gradviz-tests-"))
for variable in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
    os.environ[variable] = str(_home)
for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
    os.environ[variable] = str(_home / variable.lower())
    (_home / variable.lower()).mkdir(mode=0o700)

# the machine's speed is no property of the program, and nothing is written beside it
set_hypothesis_home_dir(_home)
settings.register_profile("gradviz", deadline=None, database=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("gradviz")

_failed = pytest.StashKey[bool]()
_started: weakref.WeakKeyDictionary[threading.Thread, str] = weakref.WeakKeyDictionary()


def pytest_unconfigure() -> None:
    shutil.rmtree(_home, ignore_errors=True)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("gpu"):
        torch = pytest.importorskip("torch")
        if not torch.cuda.is_available():
            pytest.skip("needs a CUDA device")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[_failed] = True
    if report.skipped and not hasattr(report, "wasxfail") and not item.get_closest_marker("gpu"):
        _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if report.skipped:
        _refuse_skip(report)
    return report


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if os.environ.get("CI", "").lower() in ("true", "1"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"with CI=true nothing may be skipped. {why}"


class _Records(logging.Handler):
    """Collects what is logged, apart from what the test says it expects."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.expected: list[re.Pattern[str]] = []
        self.unexpected: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if not any(pattern.search(text) for pattern in self.expected):
            self.unexpected.append(f"{record.levelname} {record.name}: {text}")


@pytest.fixture(autouse=True)
def _logs() -> Iterator[_Records]:
    records, root = _Records(), logging.getLogger()
    root.addHandler(records)
    yield records
    root.removeHandler(records)
    if records.unexpected:
        pytest.fail("logged, and not expected:\n" + "\n".join(records.unexpected), pytrace=False)


@pytest.fixture
def expect_log(_logs: _Records) -> Callable[[str], None]:
    """A function that allows this test log records in which the given pattern is found."""
    return lambda pattern: _logs.expected.append(re.compile(pattern))


@pytest.fixture(autouse=True)
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # whatever a test writes by a relative name is written there
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _one_torch_thread() -> Iterator[None]:
    _set_one_thread()
    yield
    _set_one_thread()


def _set_one_thread() -> None:
    torch = sys.modules.get("torch")
    if torch is not None and torch.get_num_threads() != 1:
        torch.set_num_threads(1)


@pytest.fixture(autouse=True, scope="session")
def _threads_remember_their_start() -> Iterator[None]:
    start = threading.Thread.start

    def remember_and_start(thread: threading.Thread) -> None:
        _started[thread] = "".join(traceback.format_stack(limit=6)[:-1])
        start(thread)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading.Thread, "start", remember_and_start)
        yield


@pytest.fixture
def failed(request: pytest.FixtureRequest) -> Callable[[], bool]:
    """Whether the test has failed already: its traceback then holds on to what it made."""
    return lambda: request.node.stash.get(_failed, False)


@pytest.fixture(autouse=True)
def _no_thread_left(failed: Callable[[], bool]) -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [thread for thread in threading.enumerate() if thread not in before]
    if left and not failed():
        places = (f"{thread}, started at\n{_started.get(thread, '(not from Python)')}" for thread in left)
        pytest.fail("threads left behind:\n" + "\n".join(places), pytrace=False)
