"""Settings put back, and changed again."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

from gradviz import tasks
from gradviz.config import LIVE, ConfigError, RunConfig

from .session import Session
from .words import run_in_words, setting_in_words

MOST = 200
"""So many settings are remembered."""
TOGETHER_S = 1.0
"""While a button is held, changes of one setting that follow one another so fast are one change."""

_FEW = 3


def button_held() -> bool:
    """Somebody is dragging."""
    return QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton


class Undo(QObject):
    """Remembers the settings of the session, whoever changes them, and goes back and forth through them."""

    def __init__(
        self,
        session: Session,
        held: Callable[[], bool] = button_held,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._session, self._held, self._clock_s = session, held, clock_s
        self._configs = [session.config]
        self._place = 0
        self._dragged: tuple[frozenset[str], float] | None = None
        session.changed.connect(self._on_session_changed)

    @property
    def can_undo(self) -> bool:
        """There are settings before these."""
        return self._place > 0

    @property
    def can_redo(self) -> bool:
        """There are settings after these."""
        return self._place + 1 < len(self._configs)

    @property
    def undo_words(self) -> str:
        """What undoing brings back, such as "N = 8"; "" where there is nothing."""
        return self._words(-1) if self.can_undo else ""

    @property
    def redo_words(self) -> str:
        """What redoing brings back; "" where there is nothing."""
        return self._words(1) if self.can_redo else ""

    def undo(self) -> None:
        """The settings before the last change."""
        if self.can_undo:
            self._go(-1)
        else:
            self._session.said.emit("no setting was changed before this")

    def redo(self) -> None:
        """The change that was undone last."""
        if self.can_redo:
            self._go(1)
        else:
            self._session.said.emit("nothing was undone that could be done again")

    def _words(self, by: int) -> str:
        """The settings that differ so many places from here, as they are there."""
        here, there = self._configs[self._place], self._configs[self._place + by]
        names = _differing(here, there)
        if "task" in names:
            # the rest follows from it, or is of no use without it
            return f"task {tasks.find(there.task).title}"
        return (
            ", ".join(setting_in_words(n, there) for n in names)
            if len(names) <= _FEW
            else run_in_words(there)
        )

    def _go(self, by: int) -> None:
        config, words = self._configs[self._place + by], self._words(by)
        live = self._session.running and LIVE.issuperset(_differing(self._session.config, config))
        self._place += by
        self._dragged = None
        try:
            self._session.change(**msgspec.structs.asdict(config))
        except ConfigError as error:
            self._place -= by
            self._session.said.emit(str(error))
        else:
            self._session.said.emit(f"{words} again" if live else f"new run: {words} again")

    def _on_session_changed(self) -> None:
        config, here = self._session.config, self._configs[self._place]
        if config == here:
            return
        if self._session.fell_back and self.can_undo and config == self._configs[self._place - 1]:
            # a run that could not begin gave its settings up by itself
            del self._configs[self._place :]
            self._place -= 1
            return
        self._take(config, frozenset(_differing(here, config)))

    def _take(self, config: RunConfig, names: frozenset[str]) -> None:
        before, self._dragged = self._dragged, (names, self._clock_s()) if self._held() else None
        del self._configs[self._place + 1 :]
        if before and self._dragged and before[0] == names and self._dragged[1] - before[1] <= TOGETHER_S:
            self._configs[self._place] = config
        else:
            self._configs = [*self._configs, config][-MOST:]
            self._place = len(self._configs) - 1


def _differing(here: RunConfig, there: RunConfig) -> list[str]:
    """The names of the settings that are not the same."""
    return [name for name in here.__struct_fields__ if getattr(here, name) != getattr(there, name)]
