"""The folded form with everything that is rarely changed."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QScrollArea, QVBoxLayout, QWidget

from gradviz import presets, tasks
from gradviz.config import ConfigError, RunConfig

from ..icons import icon
from ..theme import Theme
from ..words import task_in_words
from .field import Field
from .parts import Change, Choice, Refusal, button, label

FIELDS = (
    "task", "model", "batch", "optimizer", "seed", "card", "width", "depth", "activation", "precision",
    "device", "lanes", "threads",
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
        self.preset = Choice("Preset")
        self.about = label("", "note", wraps=True)
        self.refusal = Refusal()
        self.fields = {name: Field(name, theme) for name in FIELDS}
        self._theme = theme
        self._change = change
        self._config: RunConfig | None = None
        self._presets = [presets.load(name) for name in presets.names()]
        self._preset_configs = [RunConfig.of(preset.settings) for preset in self._presets]
        # by their places among the presets
        self._started_as = self._asked_for = -1
        self._refused: Field | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._bring_into_view)
        self._form = QWidget()
        self._fill_presets()
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
        self._form.setVisible(is_open)
        self.summary.setVisible(not is_open)
        self.fold.setIcon(icon("unfolded" if is_open else "folded", self._theme.muted))

    @property
    def preset_title(self) -> str:
        """The title of the preset whose settings hold, or "" if they are nobody's."""
        return self.preset.currentText() if self.preset.currentIndex() > 0 else ""

    @property
    def end(self) -> int:
        """Where what can be read here ends, in pixels from the top."""
        summary = self.summary
        return self.height() if self.is_open else summary.y() + summary.heightForWidth(summary.width())

    def show_config(self, config: RunConfig) -> None:
        """Show the values that hold."""
        if config != self._config:
            for refusal in (self.refusal, *(field.refusal for field in self.fields.values())):
                refusal.withdraw()
        self._config = config
        in_effect = tasks.find(config.task).settings(config.model)
        for name, field in self.fields.items():
            field.show_config(config)
            field.setVisible(name not in tasks.SHAPE or name in in_effect)
        about = self._show_preset(config)
        self.summary.setText(
            f"{about}{task_in_words(config)} · B = {config.batch} · {config.optimizer} · "
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
        if self._config is not None:
            self._show_preset(self._config)

    def show_start(self) -> None:
        """A run has begun with the values that hold."""
        if self._config is not None:
            self._started_as = self._preset_of(self._config)
            self.show_config(self._config)

    def _preset_of(self, config: RunConfig) -> int:
        """The place of the preset whose settings these are, or −1."""
        # the twin is looked at in any run
        bare = config.changed(twin=False)
        return self._preset_configs.index(bare) if bare in self._preset_configs else -1

    def _show_preset(self, config: RunConfig) -> str:
        """Keep the preset that the run began as in the box until a setting differs; its title and sentence.

        A run whose settings become a preset's on the way is not the run that its sentence tells of.
        """
        index = self._preset_of(config)
        if index != self._asked_for:
            # it was refused, or its run could not begin and the one before is shown again
            self._asked_for = -1
        index = index if index in (self._started_as, self._asked_for) else -1
        self.preset.setCurrentIndex(index + 1)
        about = self._presets[index].about if index >= 0 else ""
        self.about.setText(about)
        self.about.setVisible(bool(about))
        return f"{self._presets[index].title}: {about}\n\n" if about else ""

    def _fill_presets(self) -> None:
        self.preset.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.preset.addItem("Choose a preset …")
        for index, preset in enumerate(self._presets, start=1):
            self.preset.addItem(preset.title, preset.name)
            self.preset.setItemData(index, preset.about, Qt.ItemDataRole.ToolTipRole)

    def _build_layout(self) -> None:
        self._form.setObjectName("form")
        rows = QVBoxLayout(self._form)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(2)
        rows.addWidget(self.preset)
        rows.addWidget(self.about)
        rows.addWidget(self.refusal)
        rows.addWidget(label("each of these starts a new run", "note", wraps=True))
        for field in self.fields.values():
            rows.addWidget(field)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.fold)
        layout.addWidget(self.summary)
        layout.addWidget(self._form)
        layout.addStretch(1)

    def _bring_into_view(self) -> None:
        """Scroll whatever this stands in, so that there is one bar and not two."""
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        if above is not None and self._refused is not None:
            above.ensureWidgetVisible(self._refused)

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
            self._asked_for = index - 1
            self.preset_chosen.emit(str(self.preset.itemData(index)))
        elif self._config is not None:
            self._show_preset(self._config)

    def _on_edited(self, name: str, value: object) -> None:
        field = self.fields[name]
        try:
            self._change(**{name: value})
        except ConfigError as error:
            assert self._config is not None
            field.refuse(str(error), self._config)
            # the sentence has its height only once it is laid out
            self._refused = field
            self._soon.start()
        else:
            field.refusal.withdraw()
            if self._config is not None:
                # as it is written here, however it was typed
                field.show_config(self._config)
