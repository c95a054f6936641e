"""Which moment is on the screen: the newest, or one of those seen before."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gradviz.history import Moment

from .session import Session


class Playback(QObject):
    """A place in what was seen. Looking back holds the run, so that what is looked at stays."""

    changed = Signal()
    forwarded = Signal()
    said = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._index: int | None = None
        self._returned = False
        session.run_started.connect(self.go_live)
        session.changed.connect(self._on_session_changed)
        session.intervened.connect(self._on_intervened)
        session.said.connect(self._on_said)

    @property
    def live(self) -> bool:
        """The newest moment is on the screen."""
        return self._index is None

    @property
    def index(self) -> int:
        """The place of what is on the screen, among the history's moments."""
        return len(self._session.history) - 1 if self._index is None else self._index

    def moment(self) -> Moment | None:
        """What is to be on the screen."""
        return self._session.history.at(-1 if self._index is None else self._index)

    def back(self) -> None:
        """One moment back through what was seen."""
        self.go_to(self.index - 1)

    def forward(self) -> None:
        """One moment forward; after the newest, one more micro-batch is trained."""
        self.forwarded.emit()
        if self._index is None:
            self._session.one_micro_batch()
        else:
            self.go_to(self._index + 1)

    def forward_a_step(self) -> None:
        """To the end of the window, or of the next; after the newest, that is trained."""
        self.forwarded.emit()
        if self._index is None:
            self._session.one_step()
            return
        index, last = self._index + 1, len(self._session.history) - 1
        while index < last and not _is_complete(self._session.history.at(index)):
            index += 1
        self.go_to(index)

    def go_to(self, index: int) -> None:
        """Show the moment at `index`; at or after the newest, follow what happens."""
        if index >= len(self._session.history) - 1:
            self.go_live()
            return
        self._session.pause()
        self._index = max(0, index)
        self.changed.emit()

    def go_live(self) -> None:
        """Follow what happens."""
        if self._index is not None:
            self._index = None
            self.changed.emit()

    def _on_session_changed(self) -> None:
        if self._session.playing:
            self.go_live()

    def _on_intervened(self) -> None:
        # what is changed happens now, and nobody would see it in the past
        self._returned = not self.live
        self.go_live()

    def _on_said(self, sentence: str) -> None:
        self.said.emit(f"live again: {sentence}" if self._returned else sentence)
        self._returned = False


def _is_complete(moment: Moment | None) -> bool:
    return moment is not None and moment.window is not None and len(moment.added) == len(moment.window.sizes)
