"""The menus in which something is chosen: panels, theme, motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from .appearance import Appearance
from .look import MOTION_CHOICES, THEME_CHOICES, MotionChoice, ThemeChoice
from .menus import Entry
from .preferences import Preferences
from .workspace.names import PanelName

_THEMES: dict[ThemeChoice, str] = {
    "system": "As the system",
    "light": "Light",
    "dark": "Dark",
    "contrast": "High contrast",
    "projector": "Projector",
}
_MOTIONS: dict[MotionChoice, str] = {
    "system": "As the system",
    "reduced": "Reduced",
    "full": "Full",
}


class Panels(Protocol):
    """What the menus do with the panels; the workspace can do it."""

    enlarged: PanelName | None

    @property
    def panels(self) -> tuple[tuple[PanelName, str], ...]: ...

    def is_hidden(self, name: PanelName) -> bool: ...

    def is_detached(self, name: PanelName) -> bool: ...

    def set_hidden(self, name: PanelName, hidden: bool) -> None: ...

    def detach(self, name: PanelName) -> None: ...

    def dock(self, name: PanelName) -> None: ...

    def enlarge(self, name: PanelName | None) -> None: ...

    def reset(self) -> None: ...


def shown_entries(panels: Panels) -> Sequence[Entry]:
    """Which panels are shown."""

    def toggle(name: PanelName) -> Callable[[], None]:
        return lambda: panels.set_hidden(name, not panels.is_hidden(name))

    return [Entry(title, toggle(name), not panels.is_hidden(name)) for name, title in panels.panels]


def detached_entries(panels: Panels) -> Sequence[Entry]:
    """Which panels have a window of their own. What is hidden is nowhere."""

    def toggle(name: PanelName) -> Callable[[], None]:
        return lambda: panels.dock(name) if panels.is_detached(name) else panels.detach(name)

    return [
        Entry(title, toggle(name), panels.is_detached(name), enabled=not panels.is_hidden(name))
        for name, title in panels.panels
    ]


def enlarged_entries(panels: Panels) -> Sequence[Entry]:
    """Which panel fills the place of all, if one does."""

    def enlarge(name: PanelName) -> Callable[[], None]:
        return lambda: panels.enlarge(None if panels.enlarged == name else name)

    return [Entry(title, enlarge(name), panels.enlarged == name) for name, title in panels.panels]


def theme_entries(appearance: Appearance, preferences: Preferences) -> Sequence[Entry]:
    """The themes, one of which is in use."""

    def choose(choice: ThemeChoice) -> Callable[[], None]:
        def call() -> None:
            preferences.theme = choice
            appearance.choose(choice)

        return call

    return [Entry(_THEMES[choice], choose(choice), appearance.choice == choice) for choice in THEME_CHOICES]


def motion_entries(preferences: Preferences, apply: Callable[[], None]) -> Sequence[Entry]:
    """How much moves; `apply` is called when another is preferred."""

    def choose(choice: MotionChoice) -> Callable[[], None]:
        def call() -> None:
            preferences.motion = choice
            apply()

        return call

    return [
        Entry(_MOTIONS[choice], choose(choice), preferences.motion == choice) for choice in MOTION_CHOICES
    ]
