"""Opening a file with a task: what is told before it runs, and the process in which it is tried."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from own_files import GOOD, MARK

from gradviz import tasks
from gradviz.config import ConfigError
from gradviz.tasks import own

HANGS = """import os, pathlib, time
pathlib.Path("pid").write_text(str(os.getpid()))
while True:
    time.sleep(0.01)
"""


@pytest.fixture(autouse=True)
def _nothing_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_admitted", {})


def refusal(address: str, **options: float) -> str:
    with pytest.raises(ConfigError) as caught:
        own.open_task(address, **options)  # type: ignore[arg-type]
    return str(caught.value)


def is_gone(pid: int) -> bool:
    """Whether that process has ended, or does so within some seconds."""
    if sys.platform == "win32":
        # there is no asking without ending it
        return True
    for _ in range(200):
        with contextlib.suppress(OSError):
            os.kill(pid, 0)
            time.sleep(0.02)
            continue
        return True
    return False


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("nowhere.py:make", "there is no file 'nowhere.py'"),
        ("nowhere.py", "there is no file 'nowhere.py'"),
        ("folder.py:make", "'folder.py' is a directory, not a Python file"),
        ("mine.txt:make", "'mine.txt' is not the name of a Python file; write FILE.py:NAME"),
        ("digits:make", "'digits' is not the name of a Python file; write FILE.py:NAME"),
        (":make", "':make' is not the name of a Python file"),
        ("", "'' is not the name of a Python file"),
        ("a\0b.py:make", "there is no file 'a\\x00b.py'"),
        ("x" * 5000 + ".py:make", "'xxxx"),
        ("mine.py", "'mine.py' names no function; write mine.py:make or mine.py:other"),
        ("mine.py:", "'mine.py:' names no function; write mine.py:make or mine.py:other"),
        ("mine.py:a b", "'mine.py:a b' names no function"),
        ("mine.py:make()", "'mine.py:make()' names no function"),
        ("broken.py", "'broken.py' names no function; write broken.py:NAME"),
        ("latin.py:make", "latin.py, line 2: a byte that is not text in UTF-8"),
        ("null.py:make", "null.py, line 2: a null byte, so that is no Python file"),
        ("large.py:make", "'large.py' is larger than 1 MiB; that is no Python file"),
    ],
)
def test_that_what_is_no_file_with_a_function_is_told_before_anything_is_run(
    address: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own, "examine", lambda *_: pytest.fail("it was run"))
    Path("folder.py").mkdir()
    Path("mine.txt").touch()
    signatures = ("make()", "other(x=1, *, y=2)", "no(x)", "nor(*, x)", "_private()")
    Path("mine.py").write_text("".join(f"def {each}: pass\n" for each in signatures), "utf-8")
    Path("broken.py").write_text("def make(:\n", "utf-8")
    Path("latin.py").write_bytes("# fine\n# gr\xfcn\n".encode("latin-1"))
    Path("null.py").write_bytes(b"x = 1\ny = '\0'\n")
    Path("large.py").write_bytes(b"#" * (2**20 + 1))
    found = refusal(address)
    assert found.startswith(sentence)
    assert found.isprintable()
    assert len(found) < 300


def test_that_the_functions_of_a_file_are_known_without_running_it() -> None:
    Path("mine.py").write_text(MARK + GOOD + "def other(n): pass\n", "utf-8")
    assert own.functions("mine.py") == ("make",)
    assert not Path("ran").exists()
    with pytest.raises(ConfigError, match=r"^there is no file 'nowhere\.py'$"):
        own.functions("nowhere.py")
    Path("broken.py").write_text("\ndef make(:\n", "utf-8")
    with pytest.raises(ConfigError, match=r"^broken\.py, line 2: invalid syntax$"):
        own.functions("broken.py")


@pytest.mark.parametrize("where", ["", "def make():\n    "])
def test_that_a_file_that_hangs_is_ended_and_told_with_its_line(where: str) -> None:
    text = HANGS.replace("\n", "\n    ") if where else HANGS
    Path("mine.py").write_text(where + text, "utf-8")
    assert refusal("mine.py:make", limit_s=1) == f"mine.py, line {5 if where else 4}: not done after 1 s"
    assert is_gone(int(Path("pid").read_text()))


def test_that_a_file_that_ends_python_is_told() -> None:
    Path("mine.py").write_text("import os\nprint('x' * 10**6)\nos._exit(3)\n", "utf-8")
    assert refusal("mine.py:make") == "mine.py: it ended Python (exit code 3)"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_that_a_file_that_crashes_and_leaves_processes_behind_is_told_and_they_end() -> None:
    child = (
        "import subprocess as s, sys\np = s.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    )
    crash = "open('pid', 'w').write(str(p.pid))\nimport os\nos.abort()\n"
    Path("mine.py").write_text(child + crash, "utf-8")
    assert refusal("mine.py:make") == "mine.py: it ended Python (SIGABRT)"
    assert is_gone(int(Path("pid").read_text()))


def test_that_prints_and_what_is_left_for_the_end_are_no_matter(caplog: pytest.LogCaptureFixture) -> None:
    noise = "import atexit, time, threading\natexit.register(time.sleep, 60)\n"
    noise += (
        "threading.Thread(target=time.sleep, args=(60,)).start()\nfor _ in range(10**5): print('noise')\n"
    )
    Path("mine.py").write_text(noise + GOOD, "utf-8")
    with caplog.at_level(logging.INFO):
        assert own.open_task("mine.py:make").samples == 30
    assert all(len(text) < 17000 for text in caplog.messages)
    assert any("noise" in text for text in caplog.messages)


def test_that_opening_can_be_called_off() -> None:
    Path("mine.py").write_text(HANGS, "utf-8")

    def asked() -> Iterator[bool]:
        while not (Path("pid").exists() and Path("pid").read_text()):
            yield False
        while True:
            yield True

    answers = asked()
    with pytest.raises(own.Cancelled):
        own.open_task("mine.py:make", cancelled=lambda: next(answers))
    assert is_gone(int(Path("pid").read_text()))
    assert tasks.admitted() == ()


def test_that_code_in_the_working_directory_is_not_taken_for_torch() -> None:
    for name in ("torch", "numpy", "json", "os", "sitecustomize"):
        Path(f"{name}.py").write_text(MARK, "utf-8")
    Path("below").mkdir()
    Path("below/mine.py").write_text(GOOD, "utf-8")
    assert own.open_task("below/mine.py:make").samples == 30
    assert not Path("ran").exists()
