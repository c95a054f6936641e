"""The controls at the left: what to try, and the experiment under it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from gradviz.config import RunConfig

from ..theme import Theme
from ..words import split_in_words
from .experiment import Experiment
from .learning_rate import LearningRate
from .n_slider import NSlider
from .parts import Change, label
from .scaling_slider import ScalingSlider


class Panel(QFrame):
    """N and the scaling large and first, then the learning rate, then the rest. It scrolls if it must."""

    def __init__(self, theme: Theme, change: Change) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.theme = theme
        self.n = NSlider(theme, change)
        self.scaling = ScalingSlider(theme, change)
        self.split = label("", "value", wraps=True)
        self.learning_rate = LearningRate(theme, change)
        self.experiment = Experiment(theme, change)
        self._content = QWidget()
        self._layout = QVBoxLayout(self._content)
        self._build_layout()
        self._build_scroll_area()
        self.set_theme(theme)

    def show_config(self, config: RunConfig) -> None:
        """Show the settings that hold."""
        self.n.show_config(config)
        self.scaling.show_config(config)
        self.learning_rate.show_config(config)
        self.experiment.show_config(config)
        self.split.setText(split_in_words(config))

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self.theme = theme
        margin = round(theme.px(11))
        self._layout.setContentsMargins(margin, margin, margin, round(theme.px(6)))
        self._layout.setSpacing(round(theme.px(9)))
        for part in (self.n, self.scaling, self.learning_rate, self.experiment):
            part.set_theme(theme)

    def _build_layout(self) -> None:
        self._layout.addWidget(label("Try this", "title"))
        self._layout.addWidget(self.n)
        self._layout.addWidget(self.scaling)
        self._layout.addWidget(self.split)
        self._layout.addWidget(self.learning_rate)
        self._layout.addWidget(self.experiment, 1)
        self._layout.addStretch(0)
        for part in (self.n, self.scaling, self.learning_rate):
            for words in part.findChildren(QLabel):
                words.setWordWrap(True)

    def _build_scroll_area(self) -> None:
        # named as the form inside it is, for which the style sheet leaves the ground out
        self._content.setObjectName("form")
        scroll = QScrollArea()
        scroll.setWidget(self._content)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.viewport().setAutoFillBackground(False)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(scroll)
