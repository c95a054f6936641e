"""The panels: their names in the remembered state, their titles, and how small they may be."""

from __future__ import annotations

from typing import Literal, get_args

PanelName = Literal["controls", "stage", "loss", "memory", "verdict", "code"]
NAMES: tuple[PanelName, ...] = get_args(PanelName)
TITLES: dict[PanelName, str] = {
    "controls": "Controls",
    "stage": "Stage",
    "loss": "Loss",
    "memory": "Memory",
    "verdict": "Verdict",
    "code": "Code",
}

LEGIBLE: dict[PanelName, tuple[float, float]] = {
    "controls": (148.0, 80.0),
    "stage": (140.0, 100.0),
    "loss": (140.0, 64.0),
    "memory": (140.0, 100.0),
    "verdict": (140.0, 56.0),
    "code": (140.0, 96.0),
}
"""Least sizes at scale 1, under which no border can be dragged."""

COMPLETE: dict[PanelName, float] = {"memory": 320.0, "verdict": 150.0, "code": 130.0}
"""Heights at scale 1 at which nothing of a panel is left out."""
