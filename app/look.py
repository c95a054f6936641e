"""How the window can look, in names; known without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Tab = Literal["stack", "weights", "layers", "heatmap", "boundary"]
TABS: tuple[Tab, ...] = get_args(Tab)
ThemeName = Literal["dark", "light", "contrast", "projector"]
THEMES: tuple[ThemeName, ...] = get_args(ThemeName)
ThemeChoice = Literal["system", "light", "dark", "contrast", "projector"]
THEME_CHOICES: tuple[ThemeChoice, ...] = get_args(ThemeChoice)
MotionChoice = Literal["system", "reduced", "full"]
MOTION_CHOICES: tuple[MotionChoice, ...] = get_args(MotionChoice)

ZOOMS = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
"""How much larger than usual everything can be made."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture of the window looks: its size in pixels, theme, tab of the stage, and enlargement."""

    size: tuple[int, int] = (1280, 720)
    theme: ThemeName = "dark"
    tab: Tab = "stack"
    zoom: float = 1.0
