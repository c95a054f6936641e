"""The panels side by side: controls, pictures over the loss, and a column of what they mean."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ..theme import Theme
from .missing import Missing
from .names import COMPLETE, PanelName
from .pages import Slot
from .split import Lengths, Split

_RIGHT: dict[str, float] = {"memory": 0.52, "verdict": 0.26, "code": 0.22}
_CENTRE: dict[str, float] = {"stage": 0.615, "loss": 0.385}
_WIDTHS: dict[str, tuple[float, float]] = {"controls": (212.0, 0.25), "right": (318.0, 0.31)}
"""Usual width at scale 1, and the greatest part of the whole that it may be."""


class Columns(QWidget):
    """Three columns of slots. A column without a panel to show is not there."""

    dragged = Signal()
    resized = Signal()
    """A slot has another size."""
    enlarge_asked = Signal(str)
    """The user wants to see this panel, which found no room here, alone."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._slots: dict[PanelName, Slot] = {
            name: Slot() for name in ("controls", "stage", "loss", "memory", "verdict", "code")
        }
        self._folded: set[PanelName] = set()
        self._centre = Split(Qt.Orientation.Vertical, self._some("stage", "loss"), _parts(_CENTRE))
        self._right = Split(Qt.Orientation.Vertical, self._some("memory", "verdict", "code"), _parts(_RIGHT))
        self._middle, self._side = QWidget(), QWidget()
        self._middle_rows, self._side_rows = QVBoxLayout(self._middle), QVBoxLayout(self._side)
        self._missing = Missing()
        self._columns = Split(
            Qt.Orientation.Horizontal,
            {"controls": self._slots["controls"], "centre": self._middle, "right": self._side},
            self._usual_widths,
        )
        self._build_layout()
        for split in self._splits.values():
            split.dragged.connect(self.dragged)
        for slot in self._slots.values():
            slot.resized.connect(self.resized)
        self._missing.clicked.connect(self._on_missing_clicked)

    @property
    def shares(self) -> dict[str, dict[str, float]]:
        """How the borders have been dragged."""
        return {name: split.shares for name, split in self._splits.items() if split.shares}

    def set_shares(self, shares: Mapping[str, Mapping[str, float]]) -> None:
        """Drag the borders back to where they were; what is not named stands as usual."""
        for name, split in self._splits.items():
            split.set_shares(shares.get(name, {}))

    def take(self, name: PanelName, panel: QWidget) -> None:
        """Put a panel into its slot."""
        if panel.parentWidget() is not self._slots[name]:
            self._slots[name].take(panel)

    def room(self, name: PanelName) -> QSize:
        """The size of a panel's slot."""
        return self._slots[name].size()

    def take_timeline(self, timeline: QWidget) -> bool:
        """Put the timeline under the middle column, if that is there."""
        if self._middle.isHidden():
            return False
        if timeline.parentWidget() is not self._middle:
            self._middle_rows.addWidget(timeline)
            timeline.show()
        return True

    def is_folded(self, name: PanelName) -> bool:
        """There is no room for it."""
        return name in self._folded

    def show_only(self, docked: set[PanelName], height: int) -> None:
        """Show the slots of these panels, as far as a whole height of so many pixels has room for them."""
        self._folded = {"code"} if self._is_crowded(docked, height) else set()
        for name, slot in self._slots.items():
            slot.setVisible(name in docked and name not in self._folded)
        self._middle.setVisible(bool(docked & {"stage", "loss"}))
        self._side.setVisible(bool(docked & {"memory", "verdict", "code"}))
        self._missing.setVisible(bool(self._folded))
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self._theme = theme
        self._middle_rows.setSpacing(round(theme.px(8)))
        self._missing.set_theme(theme)
        for split in self._splits.values():
            split.set_theme(theme)

    @property
    def _splits(self) -> dict[str, Split]:
        return {"columns": self._columns, "centre": self._centre, "right": self._right}

    def _build_layout(self) -> None:
        self._middle_rows.setContentsMargins(0, 0, 0, 0)
        self._middle_rows.addWidget(self._centre, 1)
        self._side_rows.setContentsMargins(0, 0, 0, 0)
        self._side_rows.setSpacing(0)
        self._side_rows.addWidget(self._right, 1)
        self._side_rows.addWidget(self._missing)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self._columns)

    def _some(self, *names: PanelName) -> dict[str, QWidget]:
        return {name: self._slots[name] for name in names}

    def _arrange(self) -> None:
        for split in self._splits.values():
            split.arrange()

    def _is_crowded(self, docked: set[PanelName], height: int) -> bool:
        """Whether the code, being the least important, must make room for what else is in its column."""
        others = [name for name in ("memory", "verdict") if name in docked]
        needed = sum(COMPLETE[name] + 8 for name in others) + COMPLETE["code"]
        return bool(others) and "code" in docked and self._theme.px(needed) > height

    def _on_missing_clicked(self) -> None:
        for name in self._folded:
            self.enlarge_asked.emit(name)

    def _usual_widths(self, whole: float, shown: tuple[str, ...]) -> dict[str, float]:
        widths = {
            name: min(self._theme.px(width), part * whole)
            for name, (width, part) in _WIDTHS.items()
            if name in shown
        }
        # without the middle column the right one takes what is left
        rest = "centre" if "centre" in shown else shown[-1]
        widths[rest] = 0.0
        widths[rest] = max(1.0, whole - sum(widths.values()))
        return widths


def _parts(parts: Mapping[str, float]) -> Lengths:
    return lambda whole, shown: {name: parts[name] * whole for name in shown}
