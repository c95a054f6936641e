"""The panes, side by side: the pictures in the middle, what they mean at the right."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from .theme import Theme
from .views.code import Code
from .views.loss import Loss
from .views.memory.pane import Memory
from .views.pane import Pane
from .views.stack.pane import Stack
from .views.timeline import Timeline
from .views.verdict import Verdict


class Stage(QObject):
    """Makes the panes and says where they stand."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.stack = Stack(theme)
        # whoever has the keyboard by default; Qt would give it to the first button
        self.stack.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.loss = Loss(theme)
        self.memory = Memory(theme)
        self.verdict = Verdict(theme)
        self.code = Code(theme)
        self.timeline = Timeline(theme)

    @property
    def panes(self) -> tuple[Pane, ...]:
        """All panes, in the order in which they are painted."""
        return (self.stack, self.loss, self.verdict, self.code, self.memory)

    def layout(self, panel: QWidget, theme: Theme) -> QHBoxLayout:
        """The panel at the left, stack over loss over timeline, and the column at the right."""
        body, centre, self._right = QHBoxLayout(), QVBoxLayout(), QWidget()
        right = QVBoxLayout(self._right)
        right.setContentsMargins(0, 0, 0, 0)
        centre.addWidget(self.stack, 60)
        centre.addWidget(self.loss, 40)
        centre.addWidget(self.timeline)
        right.addWidget(self.memory, 52)
        right.addWidget(self.verdict, 26)
        right.addWidget(self.code, 22)
        body.addWidget(panel)
        body.addLayout(centre, 1)
        body.addWidget(self._right)
        self._spaced = (body, centre, right)
        self.set_theme(theme)
        return body

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        for pane in self.panes:
            pane.set_theme(theme)
        self.timeline.set_theme(theme)
        self._right.setFixedWidth(round(theme.px(318)))
        for layout in self._spaced:
            layout.setSpacing(round(theme.px(8)))
