"""Python's cyclic garbage, collected in the GUI thread only: a worker that freed Qt objects would crash."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, Qt, QTimer

_EVERY_MS = 3000


class Collector(QObject):
    """Turns the automatic collection off and collects itself when the GUI thread has nothing else to do."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._frozen = False
        self._was_enabled = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.CoarseTimer)
        self._timer.timeout.connect(self._on_timeout)
        self._timer.start(_EVERY_MS)

    def freeze(self) -> None:
        """Once the large libraries are read: never look at their objects again, which takes 0.1 s."""
        if not self._frozen:
            self._frozen = True
            gc.collect()
            gc.freeze()

    def stop(self) -> None:
        """Leave the collection as it was found."""
        self._timer.stop()
        if self._frozen:
            gc.unfreeze()
        if self._was_enabled:
            gc.enable()

    def _on_timeout(self) -> None:
        gc.collect()
