"""The words at the right of the top line: what goes on, and where."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..theme import Theme

_SAID_MS = 4000
_SEPARATOR = " · "
_STEP = re.compile(r"\bstep (\d+)")


class Status(QWidget):
    """A dot and words. Where room is short the least important part goes first, never half a word.

    What has just happened stands before the state, in ink, and takes nothing of it away. It goes as soon as
    it is no longer what has just happened.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._state = ""
        self._parts: tuple[str, ...] = ()
        self._bright = False
        self._said = ""
        self._said_at: tuple[str, int] | None = None
        self._fade = QTimer(self)
        self._fade.setSingleShot(True)
        self._fade.timeout.connect(self._on_faded)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Status")

    @property
    def words(self) -> str:
        """All that is to be said, whether there is room for it or not."""
        return _SEPARATOR.join(part for part in (self._said, self._state, *self._parts) if part)

    def show_state(self, state: str, parts: Sequence[str], bright: bool) -> None:
        """What goes on, then what is more, the most important first; `bright` lights the dot."""
        parts = tuple(parts)
        if (state, parts, bright) != (self._state, self._parts, self._bright):
            self._state, self._parts, self._bright = state, parts, bright
            self._judge_said()
            self._tell()

    def say(self, sentence: str) -> None:
        """Say what has just happened, for a few seconds at most."""
        self._said, self._said_at = sentence, None
        self._fade.start(_SAID_MS)
        self._tell()

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def _on_faded(self) -> None:
        self._withdraw()
        self._tell()

    def _withdraw(self) -> None:
        self._said = ""
        self._fade.stop()

    def _judge_said(self) -> None:
        """Withdraw what was said once the screen has gone to another state or on by more than one step."""
        found = _STEP.search(_SEPARATOR.join((self._state, *self._parts)))
        if not self._said or found is None:
            return
        state, step = _STEP.sub("", self._state), int(found[1])
        # what was said is often why the state changes next or a new run begins: only then does it count
        if self._said_at is None or (state == self._said_at[0] and step < self._said_at[1]):
            self._said_at = (state, step)
        elif state != self._said_at[0] or step > self._said_at[1] + 1:
            self._withdraw()

    def _tell(self) -> None:
        self.setAccessibleDescription(self.words)
        # not all of it may have found room
        self.setToolTip(self.words)
        self.update()

    def _fitting(self, metrics: QFontMetricsF, room: float) -> tuple[str, str]:
        """What was said and, after it, the state with as many of its parts as there is room for."""
        said = f"{self._said}{_SEPARATOR}" if self._said else ""
        parts = [part for part in self._parts if part]
        while parts and metrics.horizontalAdvance(said + _SEPARATOR.join([self._state, *parts])) > room:
            parts.pop()
        state = _SEPARATOR.join([self._state, *parts])
        said = metrics.elidedText(
            said, Qt.TextElideMode.ElideRight, max(0.0, room - metrics.horizontalAdvance(state))
        )
        return said, metrics.elidedText(state, Qt.TextElideMode.ElideRight, room)

    def sizeHint(self) -> QSize:
        return QSize(round(self._theme.px(300)), round(self._theme.px(20)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(self._theme.px(80)), round(self._theme.px(20)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        font = self._theme.font("small")
        metrics = QFontMetricsF(font)
        dot = self._theme.px(4)
        said, state = self._fitting(metrics, self.width() - 4 * dot)
        beside = metrics.horizontalAdvance(state)
        width = metrics.horizontalAdvance(said) + beside
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(font)
        painter.setPen(QColor(self._theme.muted))
        painter.drawText(self.rect(), flags, state)
        painter.setPen(QColor(self._theme.ink))
        painter.drawText(self.rect().adjusted(0, 0, -round(beside), 0), flags, said)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.accumulated if self._bright else self._theme.muted))
        painter.drawEllipse(QPointF(self.width() - width - 3 * dot, self.height() / 2), dot, dot)
        painter.end()
