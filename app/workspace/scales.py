"""At which scale a window, and a panel in the room that it has, is well read."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QSize

from ..controls.panel import Panel
from ..style import style_sheet
from ..theme import Theme
from ..views.pane import Pane
from .names import PanelName


class Themed(Protocol):
    """A widget that takes a theme."""

    theme: Theme

    def set_theme(self, theme: Theme) -> None: ...
    def styleSheet(self) -> str: ...
    def setStyleSheet(self, styleSheet: str) -> None: ...


_SUITED: dict[PanelName, tuple[float, float]] = {
    "controls": (280.0, 430.0),
    "stage": (720.0, 390.0),
    "loss": (720.0, 250.0),
    "memory": (318.0, 340.0),
    "verdict": (318.0, 170.0),
    "code": (330.0, 150.0),
}
"""Sizes in pixels at which a panel alone is well read at scale 1."""

_CONTROLS_WIDTH = 200.0
_LEAST = 0.5


def scale_for(width: int, height: int) -> float:
    """How much larger all of the window is than at 1280×720, in steps: not every pixel restyles all."""
    scale = min(width / 1280, height / 720)
    return round(min(3.2, max(0.8, scale)) * 20) / 20


def suited_scale(name: PanelName, width: float, height: float) -> float:
    """The scale at which a panel fills so much room with type that is well read, in steps."""
    wide, high = _SUITED[name]
    return round(min(4.8, max(0.8, min(width / wide, height / high))) * 20) / 20


def enlarged_scale(name: PanelName, width: float, height: float, docked: float) -> float:
    """The scale of a panel that fills the window: never smaller than it was before, nor shouting."""
    return max(docked, min(suited_scale(name, width, height), 2.6 * docked))


def fitting_theme(pane: Pane, theme: Theme, room: QSize) -> Theme:
    """The theme, at a smaller scale where the pane's minimumSizeHint is larger than `room` at this one."""
    least = pane.minimumSizeHint()
    if least.isEmpty() or room.isEmpty():
        return theme
    # the hint is that of the theme which the pane has now
    part = min(room.width() / least.width(), room.height() / least.height()) * pane.theme.scale / theme.scale
    return theme if part >= 1.0 else _lessened(theme, part)


def panel_theme(theme: Theme, width: float) -> Theme:
    """The theme for the controls, at a smaller scale where their names would not fit into one line."""
    part = width / (_CONTROLS_WIDTH * theme.scale)
    return theme if part >= 1.0 or width <= 0 else _lessened(theme, part)


def suit(panel: Themed, theme: Theme, room: QSize, around: Theme) -> None:
    """Give a panel the theme, as small as its room needs it, and its controls the type that goes with it.

    `around` is the theme of what the panel stands in.
    """
    if isinstance(panel, Pane):
        theme = fitting_theme(panel, theme, room)
    elif isinstance(panel, Panel):
        theme = panel_theme(theme, room.width())
    sheet = style_sheet(theme) if theme != around else ""
    # Qt styles everything anew even where the sheet is the same
    if panel.styleSheet() != sheet:
        panel.setStyleSheet(sheet)
    if panel.theme != theme:
        panel.set_theme(theme)


def _lessened(theme: Theme, part: float) -> Theme:
    return theme.scaled(min(theme.scale, max(_LEAST, int(theme.scale * part * 20) / 20)))
