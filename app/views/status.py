"""The words at the right of the top line: what goes on, and where."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..theme import Theme

_SAID_MS = 4000
_SEPARATOR = " · "


class Status(QWidget):
    """A dot and words. Where room is short the least important part goes first, never half a word."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._state = ""
        self._parts: tuple[str, ...] = ()
        self._bright = False
        self._said = ""
        self._fade = QTimer(self)
        self._fade.setSingleShot(True)
        self._fade.timeout.connect(self._on_faded)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Status")

    @property
    def words(self) -> str:
        """All that is to be said, whether there is room for it or not."""
        return _SEPARATOR.join(part for part in (self._said or self._state, *self._parts) if part)

    def show_state(self, state: str, parts: Sequence[str], bright: bool) -> None:
        """What goes on, then what is more, the most important first; `bright` lights the dot."""
        parts = tuple(parts)
        if (state, parts, bright) != (self._state, self._parts, self._bright):
            self._state, self._parts, self._bright = state, parts, bright
            self.setAccessibleDescription(self.words)
            self.update()

    def say(self, sentence: str) -> None:
        """Say what has just happened, for a few seconds."""
        self._said = sentence
        self._fade.start(_SAID_MS)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def _on_faded(self) -> None:
        self._said = ""
        self.update()

    def _fitting(self, metrics: QFontMetricsF, room: float) -> str:
        first = self._said or self._state
        parts = [part for part in self._parts if part]
        while parts and metrics.horizontalAdvance(_SEPARATOR.join([first, *parts])) > room:
            parts.pop()
        words = _SEPARATOR.join([first, *parts])
        return metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)

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
        words = self._fitting(metrics, self.width() - 4 * dot)
        width = metrics.horizontalAdvance(words)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.ink if self._said else self._theme.muted))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.accumulated if self._bright else self._theme.muted))
        painter.drawEllipse(QPointF(self.width() - width - 3 * dot, self.height() / 2), dot, dot)
        painter.end()
