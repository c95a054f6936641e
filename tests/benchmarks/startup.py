"""From the start of the process to the first painted window."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from figures import Figure

STARTS = 7
PROGRAM = """
import sys
from gradviz_app import cli, main_window

show = main_window.MainWindow.show

def show_and_tell(window):
    window.first_painted.connect(lambda: (print("painted", flush=True), window.close()))
    show(window)

main_window.MainWindow.show = show_and_tell
sys.argv = ["gradviz", "--paused"]
cli.main()
"""


def measure() -> list[Figure]:
    """The median of several starts; the first one, which may read from disk, is left out."""
    seconds = [_start() for _ in range(STARTS + 1)][1:]
    return [Figure("start to first painted window", 0.6, statistics.median(seconds), "s")]


def _start() -> float:
    begun_s = time.perf_counter()
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        painted_s = time.perf_counter()
    if said != "painted\n" or process.returncode:
        raise RuntimeError("the window was not painted")
    return painted_s - begun_s
