"""The folded form with everything that is rarely changed."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QScrollArea, QVBoxLayout, QWidget

from gradviz import presets
from gradviz.config import ConfigError, RunConfig

from ..icons import icon
from ..theme import Theme
from .field import Field
from .parts import Change, Choice, Refusal, button, label

FIELDS = (
    "task", "model", "width", "depth", "activation", "batch", "optimizer", "precision", "device", "lanes",
    "threads", "seed", "card",
)  # fmt: skip


class Experiment(QWidget):
    """Presets, then a row a setting, under the words that each starts a new run."""

    fold_toggled = Signal(bool)
    preset_chosen = Signal(str)

    def __init__(self, theme: Theme, change: Change) -> None:
        super().__init__()
        self.fold = button("Experiment", "fold", "settings that are rarely changed")
        self.fold.setCheckable(True)
        self.summary = label("", "note", wraps=True)
        self.preset = _preset_picker()
        self.refusal = Refusal()
        self.fields = {name: Field(name, theme) for name in FIELDS}
        self._theme = theme
        self._change = change
        self._config: RunConfig | None = None
        self._scroll = QScrollArea()
        self._build_layout()
        self._connect()
        self.set_open(False)

    @property
    def is_open(self) -> bool:
        """The form can be seen."""
        return self.fold.isChecked()

    def set_open(self, is_open: bool) -> None:
        """Fold the form away, or back."""
        self.fold.setChecked(is_open)
        self._scroll.setVisible(is_open)
        self.summary.setVisible(not is_open)
        self.fold.setIcon(icon("unfolded" if is_open else "folded", self._theme.muted))

    def show_config(self, config: RunConfig) -> None:
        """Show the values that hold."""
        self._config = config
        for field in self.fields.values():
            field.show_config(config)
        self.summary.setText(
            f"{config.task} · {config.model} · B = {config.batch} · {config.optimizer} · "
            f"{config.precision} · {config.device} · seed {config.seed}"
        )

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self._theme = theme
        side = round(theme.px(12))
        self.fold.setIconSize(QSize(side, side))
        self.set_open(self.is_open)
        for field in self.fields.values():
            field.set_theme(theme)

    def refuse_preset(self, sentence: str) -> None:
        """Say why a preset was not taken."""
        self.refusal.say(sentence)

    def _build_layout(self) -> None:
        form = QWidget()
        form.setObjectName("form")
        rows = QVBoxLayout(form)
        rows.setContentsMargins(0, 0, 6, 0)
        rows.setSpacing(4)
        rows.addWidget(self.preset)
        rows.addWidget(self.refusal)
        rows.addWidget(label("each of these starts a new run", "note", wraps=True))
        for field in self.fields.values():
            rows.addWidget(field)
        rows.addStretch(1)
        self._scroll.setWidget(form)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.viewport().setAutoFillBackground(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.fold)
        layout.addWidget(self.summary)
        layout.addWidget(self._scroll, 1)
        layout.addStretch(0)

    def _connect(self) -> None:
        self.fold.clicked.connect(self._on_fold_clicked)
        self.preset.activated.connect(self._on_preset_activated)
        for field in self.fields.values():
            field.edited.connect(self._on_edited)

    def _on_fold_clicked(self, checked: bool) -> None:
        self.set_open(checked)
        self.fold_toggled.emit(checked)

    def _on_preset_activated(self, index: int) -> None:
        self.refusal.withdraw()
        if index > 0:
            self.preset_chosen.emit(str(self.preset.itemData(index)))
            self.preset.setCurrentIndex(0)

    def _on_edited(self, name: str, value: object) -> None:
        field = self.fields[name]
        try:
            self._change(**{name: value})
            field.refusal.withdraw()
        except ConfigError as error:
            assert self._config is not None
            field.refuse(str(error), self._config)


def _preset_picker() -> QComboBox:
    picker = Choice("Preset")
    picker.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    picker.addItem("Choose a preset …")
    for name in presets.names():
        preset = presets.load(name)
        picker.addItem(preset.title, name)
        picker.setItemData(picker.count() - 1, preset.about, Qt.ItemDataRole.ToolTipRole)
    return picker
