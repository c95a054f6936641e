"""The panes of the program, and the workspace in which they stand."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QVBoxLayout

from .controls.panel import Panel
from .theme import Theme
from .views.boundary.pane import Boundary
from .views.code import Code
from .views.heatmap.pane import Heatmap
from .views.layers.pane import Layers
from .views.loss import Loss
from .views.memory.pane import Memory
from .views.pane import Pane
from .views.stack.pane import Stack
from .views.timeline import Timeline
from .views.verdict import Verdict
from .views.weights.pane import Weights
from .workspace.tabs import Tabs
from .workspace.workspace import Workspace


class Stage(QObject):
    """Makes the panes, and hands them to the workspace."""

    workspace: Workspace

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.stack = Stack(theme)
        self.weights = Weights(theme)
        self.layers = Layers(theme)
        self.heatmap = Heatmap(theme)
        self.boundary = Boundary(theme)
        self.loss = Loss(theme)
        self.memory = Memory(theme)
        self.verdict = Verdict(theme)
        self.code = Code(theme)
        self.timeline = Timeline(theme)
        self.tabs = Tabs(theme)
        self._take("Stack", self.stack)
        self._take("Weights", self.weights)
        self._take("Layers", self.layers)
        self._take("Heatmap", self.heatmap)
        # it waits there for a run with points
        self.boundary.setParent(self.tabs)
        self.boundary.hide()

    @property
    def panes(self) -> tuple[Pane, ...]:
        """All panes, in the order in which they are painted."""
        tabs = (self.stack, self.weights, self.layers, self.heatmap, self.boundary)
        return (*tabs, self.loss, self.verdict, self.code, self.memory)

    def layout(self, panel: Panel, theme: Theme) -> QVBoxLayout:
        """The workspace: the panel at the left, stack over loss over timeline, a column at the right."""
        self.workspace = Workspace(
            {
                "controls": panel,
                "stage": self.tabs,
                "loss": self.loss,
                "memory": self.memory,
                "verdict": self.verdict,
                "code": self.code,
            },
            self.timeline,
            theme,
        )
        for pane in (*self.tabs.panes, self.boundary):
            self.workspace.watch(pane)
        rows = QVBoxLayout()
        rows.addWidget(self.workspace)
        self.set_theme(theme)
        return rows

    def show_plane(self, is_there: bool) -> None:
        """Have a tab with the decision boundary, or not: the run's inputs may be points in a plane."""
        if is_there and self.boundary not in self.tabs.panes:
            self._take("Boundary", self.boundary)
        elif not is_there and self.boundary in self.tabs.panes:
            self.tabs.remove(self.boundary)

    def take_focus(self) -> None:
        """Give the keyboard to the pane that is seen in the place of the stack."""
        self.tabs.current.setFocus()

    def set_theme(self, theme: Theme, zoom: float = 1.0) -> None:
        """Other colours or another scale, `zoom` being what the user has enlarged everything by."""
        self.timeline.set_theme(theme)
        self.workspace.set_theme(theme, zoom)

    def _take(self, title: str, pane: Pane) -> None:
        # it has the keyboard by default; Qt would give it to the first button
        pane.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.tabs.add(title, pane)
