"""What the tabs of the stage need to be told beyond the usual, and which tabs there are for a run."""

from __future__ import annotations

from PySide6.QtCore import QObject

from gradviz.control import Watch

from .session import Session
from .stage import Stage


class Watching(QObject):
    """Asks the run for a layer while its heatmap is seen, and for the inputs' plane while the boundary is."""

    def __init__(self, session: Session, stage: Stage) -> None:
        super().__init__()
        self._session, self._stage = session, stage
        session.run_started.connect(self._on_run_started)
        session.changed.connect(self._on_run_started)
        stage.workspace.changed.connect(self._on_seen_changed)
        stage.heatmap.layer_chosen.connect(self._on_seen_changed)

    def _on_run_started(self) -> None:
        run = self._session.history.run
        self._stage.show_plane(run is not None and run.points is not None)
        self._on_seen_changed()

    def _on_seen_changed(self) -> None:
        seen = self._stage.tabs.current
        layer = self._stage.heatmap.layer if seen is self._stage.heatmap else None
        self._session.watch(Watch(layer, plane=seen is self._stage.boundary))
