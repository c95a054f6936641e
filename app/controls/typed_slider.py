"""A slider for the usual values of a setting, with an entry in which any value can be typed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ..theme import Theme
from .parts import Change, Entry, Refusal, label
from .stop_slider import StopSlider


class TypedSlider(QWidget):
    """Title, entry, slider, and a place for the sentence that refuses a value.

    A subclass says what is asked for when a stop is chosen or a value is typed.
    """

    def __init__(self, title: str, entry_name: str, slider: StopSlider, change: Change) -> None:
        super().__init__()
        self.slider = slider
        self.entry = Entry(entry_name, "value")
        self.refusal = Refusal()
        self._change = change
        self.entry.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._build_layout(title)
        self.slider.chosen.connect(self._on_chosen)
        self.entry.textEdited.connect(self.refusal.withdraw)
        self.entry.editingFinished.connect(self._on_edited)

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self.slider.set_theme(theme)
        self.entry.setFixedWidth(round(theme.px(62)))

    def _build_layout(self, title: str) -> None:
        top = QHBoxLayout()
        top.addWidget(label(title, "muted"), 1)
        top.addWidget(self.entry)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(top)
        layout.addWidget(self.slider)
        layout.addWidget(self.refusal)

    def _on_chosen(self, stop: int) -> None:
        raise NotImplementedError

    def _on_edited(self) -> None:
        raise NotImplementedError
