"""The words at the right of the top line: what goes on, and where."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..theme import Theme
from .lines import limited, wrapped

_SAID_MS = 4000
_READ_MS = 1200
_SEPARATOR = " · "
_STEP = re.compile(r"\bstep (\d+)")


class Status(QWidget):
    """A dot and words. Where room is short the least important part goes first, never half a word.

    What has just happened stands before the state, in ink, or in its place where there is no room for both.
    It goes as soon as it is no longer what has just happened, but not before it could be read.
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
        self._is_over = False
        self._reading = QTimer(self)
        self._reading.setSingleShot(True)
        self._reading.timeout.connect(self._on_read)
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
        self._is_over = False
        self._fade.start(_SAID_MS)
        self._reading.start(_READ_MS)
        self._tell()

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def _on_faded(self) -> None:
        self._withdraw()
        self._tell()

    def _on_read(self) -> None:
        if self._is_over:
            self._on_faded()

    def _withdraw(self) -> None:
        self._said, self._is_over = "", False
        self._fade.stop()
        self._reading.stop()

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
            self._is_over = True
        if self._is_over and not self._reading.isActive():
            self._withdraw()

    def _tell(self) -> None:
        self.setAccessibleDescription(self.words)
        # not all of it may have found room
        self.setToolTip(self.words)
        self.update()

    def _fitting(self, metrics: QFontMetricsF, room: float) -> tuple[str, str]:
        """What was said and, after it, the state with as many of its parts as there is room for.

        Where not even the state has room beside it, what was said stands alone, in two lines if it must.
        """
        said = f"{self._said}{_SEPARATOR}" if self._said else ""
        if said and metrics.horizontalAdvance(said + self._state) > room:
            font = self._theme.font("small")
            return "\n".join(limited(wrapped(self._said, font, room), 2, font, room)), ""
        parts = [part for part in self._parts if part]
        while parts and metrics.horizontalAdvance(said + _SEPARATOR.join([self._state, *parts])) > room:
            parts.pop()
        state = _SEPARATOR.join([self._state, *parts])
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
        width = max(map(metrics.horizontalAdvance, said.split("\n"))) + beside
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
