"""Starts the process that tries a task of the user's own, waits for its answer, and ends it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from gradviz.tasks.own.building import Found, log_printed
from gradviz.tasks.own.source import Source, refusal

LIMIT_S = 20.0
"""So long may the file take with all that it does."""
START_S = 60.0
"""So long may reading torch take, before that."""
_LOOK_S, _GRACE_S = 0.05, 2.0
# the same modules are found as here; what lies in the working directory is nobody's task
_PROGRAM = (
    "import os, sys; sys.path[:] = sys.argv[1].split(os.pathsep); "
    "from gradviz.tasks.own.check import main; main(sys.argv[2])"
)


class Cancelled(Exception):  # noqa: N818  (nothing went wrong)
    """The examination was called off."""


def examine(source: Source, limit_s: float, cancelled: Callable[[], bool]) -> Found:
    """Try the task in a process of its own, which is gone afterwards in any case.

    Raises:
        ConfigError: one sentence about what is wrong.
        Cancelled: `cancelled` said so.
    """
    with tempfile.TemporaryDirectory(prefix="gradviz-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        request = {**asdict(source), "path": str(source.path), "limit_s": limit_s}
        (folder / "request.json").write_text(json.dumps(request), "utf-8")
        with _process(folder) as process:
            ended = _wait(process, folder, limit_s, cancelled)
        if (folder / "answer.json").exists():
            return _read(source, (folder / "answer.json").read_text("utf-8"))
        stack = (folder / "stack").read_text("utf-8", "replace") if (folder / "stack").exists() else ""
        begun = (folder / "begun").exists()
    if ended and not stack:
        raise refusal(_how_it_ended(source, process.returncode, begun))
    line = _line(source, stack)
    place = f"{source.path.name}, line {line}" if line else source.path.name
    raise refusal(f"{place}: not done after {limit_s:g} s" if begun else f"{place}: torch could not be read")


@contextlib.contextmanager
def _process(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, os.pathsep.join(sys.path), str(folder)],
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
        # a group of its own, so that what the file starts ends with it
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    try:
        yield process
    finally:
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait(
    process: subprocess.Popen[bytes], folder: Path, limit_s: float, cancelled: Callable[[], bool]
) -> bool:
    """Wait for the answer or the end of the process. Returns whether it ended by itself."""
    deadline, begun = time.monotonic() + START_S, False
    while not (folder / "answer.json").exists():
        if cancelled():
            raise Cancelled
        if not begun and (folder / "begun").exists():
            # it ends itself when its time is over, and says where it was
            deadline, begun = time.monotonic() + limit_s + _GRACE_S, True
        if time.monotonic() > deadline:
            return False
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK_S)
            return True
    return True


def _read(source: Source, text: str) -> Found:
    answer = json.loads(text)
    log_printed(source, answer.pop("printed"))
    if "sentence" in answer:
        raise refusal(answer["sentence"])
    return Found(**answer)


def _how_it_ended(source: Source, code: int, begun: bool) -> str:
    how = f"exit code {code}"
    if code < 0:
        with contextlib.suppress(ValueError):
            how = signal.Signals(-code).name
    return f"{source.path.name}: it ended Python ({how}){'' if begun else ' before the file was read'}"


def _line(source: Source, stack: str) -> str:
    """The newest line of the file in what faulthandler wrote down, or ""."""
    # it writes letters beyond ASCII as \\xe9
    path = re.escape(str(source.path).encode("ascii", "backslashreplace").decode("ascii"))
    found = re.search(rf'File "{path}", line (\d+)', stack)
    return found[1] if found else ""
