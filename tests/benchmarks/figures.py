"""What is measured: a figure with its budget, and how a table of them is written."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value against what it may be at most or, if `at_least`, what it must be at least."""

    what: str
    budget: float
    measured: float
    unit: str = ""
    at_least: bool = False
    note: str = ""

    @property
    def met(self) -> bool:
        """Whether it keeps to its budget."""
        return self.measured >= self.budget if self.at_least else self.measured <= self.budget

    @property
    def outcome(self) -> str:
        """Met, or by how much it was missed, in parts of the budget."""
        if self.met:
            return "met"
        if self.budget == 0:
            return f"missed by {self.measured:.3g}"
        return f"missed by {100 * abs(self.measured / self.budget - 1):.0f} %"

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        """What, budget, measured, outcome and note, in words."""
        sign = "≥" if self.at_least else "≤"
        budget = f"{sign} {self.budget:g}" if self.budget else "0"
        units = [f"{number} {self.unit}".rstrip() for number in (budget, f"{self.measured:.3g}")]
        return (self.what, *units, self.outcome, self.note)


def markdown(figures: list[Figure]) -> str:
    """The figures as a table in Markdown."""
    rows = [("what", "budget", "measured"), ("---", "---", "---")]
    for figure in figures:
        what, budget, measured, outcome, note = figure.cells
        said = ", ".join(part for part in (measured, "" if figure.met else outcome, note) if part)
        rows.append((what, budget, said))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def table(figures: list[Figure]) -> str:
    """The figures as lines of text."""
    rows = [("what", "budget", "measured", "", ""), *(figure.cells for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join(
        "  ".join(
            [*(cell.ljust(width) for cell, width in zip(row[:4], widths, strict=True)), row[4]]
        ).rstrip()
        for row in rows
    )


def machine() -> str:
    """What it was measured on, in one line."""
    import PySide6
    import torch

    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count()
    return (
        f"{_processor()}, {cores} cores, {platform.system()}, Python {platform.python_version()},"
        f" torch {torch.__version__}, PySide6 {PySide6.__version__}"
    )


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
