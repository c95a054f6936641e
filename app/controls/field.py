"""One setting of the experiment: its title and what it is edited with, made from the setting's metadata."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gradviz import tasks
from gradviz.config import FIELDS, RunConfig, allowed, choices, meta
from gradviz.units import format_bytes

from ..theme import Theme
from .parts import Choice, Entry, Refusal, label


class Field(QWidget):
    """A setting as a row: edited with a combo box where it is one of a few words, typed otherwise."""

    edited = Signal(str, object)

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self.name = name
        self.refusal = Refusal()
        about = meta(name)
        title = about.title or name
        self._shown = ""
        self.editor: QComboBox | Entry
        if choices(name) or name == "model":
            self.editor = Choice(title)
            self.editor.activated.connect(self._on_activated)
        else:
            self.editor = Entry(title)
            self.editor.textEdited.connect(self.refusal.withdraw)
            self.editor.editingFinished.connect(self._on_editing_finished)
        self._help = f"{about.description} ({allowed(name)})"
        self.setToolTip(self._help)
        self._build_layout(label(title, "muted"))
        self.set_theme(theme)

    def show_config(self, config: RunConfig) -> None:
        """Show the value that holds."""
        value = getattr(config, self.name)
        self._shown = format_bytes(value) if self.name == "card" else f"{value}"
        if isinstance(self.editor, QComboBox):
            _fill(self.editor, options(self.name, config))
            self.editor.setCurrentIndex(self.editor.findData(self._shown))
        else:
            self.editor.show_text(self._shown)
        if self.name == "batch":
            task = tasks.find(config.task)
            self.setToolTip(f"{self._help}; {task.title} has {task.samples} samples")

    def refuse(self, sentence: str, config: RunConfig) -> None:
        """Say why the value was not taken, and show the one that holds."""
        self.refusal.say(sentence)
        self.show_config(config)

    def set_theme(self, theme: Theme) -> None:
        """Another scale."""
        self.editor.setFixedWidth(round(theme.px(92)))

    def _build_layout(self, title: QLabel) -> None:
        row = QHBoxLayout()
        # whose label it is, for who cannot see that they stand side by side
        title.setBuddy(self.editor)
        row.addWidget(title, 1)
        row.addWidget(self.editor)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(row)
        layout.addWidget(self.refusal)

    def _on_activated(self, _index: int) -> None:
        assert isinstance(self.editor, QComboBox)
        self._offer(self.editor.currentData())

    def _on_editing_finished(self) -> None:
        assert isinstance(self.editor, Entry)
        self._offer(self.editor.text().strip())

    def _offer(self, text: str) -> None:
        if text == self._shown:
            self.refusal.withdraw()
        else:
            self.edited.emit(self.name, read(self.name, text))


def read(name: str, text: str) -> object:
    """The text as the setting's own kind of value, or as it is where it is none."""
    kind = get_args(FIELDS[name])[0]
    if kind is int and name != "card" and text.isdecimal():
        return int(text)
    return text


def options(name: str, config: RunConfig) -> list[tuple[str, str]]:
    """What the setting can be in this run, each as it is shown and as it is."""
    if name == "task":
        return [(tasks.find(task).title, task) for task in (*tasks.names(), *tasks.admitted())]
    words = tasks.find(config.task).models if name == "model" else choices(name)
    return [(word, word) for word in words]


def _fill(combo: QComboBox, wanted: Sequence[tuple[str, str]]) -> None:
    if [(combo.itemText(index), combo.itemData(index)) for index in range(combo.count())] != list(wanted):
        combo.clear()
        for text, value in wanted:
            combo.addItem(text, value)
