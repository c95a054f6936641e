"""Measures the budgets and prints a table: python tests/benchmarks/run.py [NAME…] [--json F] [--markdown]."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import multiprocessing
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from figures import Figure, machine, markdown, table

BENCHMARKS: dict[str, tuple[str, ...]] = {
    "startup": (),
    "steps-mlp": ("mlp",),
    "steps-cnn": ("cnn",),
    "steps-gpt": ("gpt",),
    "window-mlp": ("mlp",),
    "window-cnn": ("cnn",),
    "window-gpt": ("gpt",),
    "curve": (),
    "memory": (),
    "equality": (),
}
"""What `measure` of the module before the dash is given."""


def main() -> None:
    """Measure one after the other, each in a process of its own."""
    parser = argparse.ArgumentParser(description="Measure what the program may cost, against its budgets.")
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"{', '.join(BENCHMARKS)}, or what several begin with; else all",
    )
    parser.add_argument("--json", type=Path, metavar="F", help="write the figures to this file too")
    parser.add_argument("--markdown", action="store_true", help="print the table in Markdown")
    arguments = parser.parse_args()
    for asked in arguments.names:
        if not any(name.startswith(asked) for name in BENCHMARKS):
            parser.error(f"there is no {asked}; there are {', '.join(BENCHMARKS)}")
    chosen = [name for name in BENCHMARKS if name.startswith(tuple(arguments.names) or "")]
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="gradviz-benchmarks-") as folder:
        _prepare_environment(folder)
        for name in chosen:
            print(f"{name} …", file=sys.stderr, flush=True)
            figures += _measure_apart(name)
        print(f"\n{(markdown if arguments.markdown else table)(figures)}\n\nmeasured on {machine()}")
    if arguments.json is not None:
        rows = [{**dataclasses.asdict(figure), "met": figure.met} for figure in figures]
        arguments.json.write_text(json.dumps({"machine": machine(), "figures": rows}, indent=2) + "\n")


def _prepare_environment(folder: str) -> None:
    """One torch thread, no display, and nobody's preferences."""
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ.update(dict.fromkeys(("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"), folder))
    os.environ.update({f"XDG_{kind}_HOME": folder for kind in ("CONFIG", "DATA", "CACHE", "STATE")})


def _measure_apart(name: str) -> list[Figure]:
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        return pool.submit(_measure, name).result()


def _measure(name: str) -> list[Figure]:
    figures: list[Figure] = importlib.import_module(name.partition("-")[0]).measure(*BENCHMARKS[name])
    return figures


if __name__ == "__main__":
    main()
