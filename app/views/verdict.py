"""The verdict pane: whether the window's gradient is the full batch's, by how much not, and why."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import QPushButton

from gradviz.history import History, Moment

from ..theme import Role, Theme
from .lines import limited, wrapped
from .marks import paint_mark
from .pane import Pane
from .verdict_words import MEANINGS, NOT_YET, UNKNOWN, Judgement, judge

# heights of a row of figures and of a line of words, at scale 1
_FIGURE = 16.0
_LINE = 14.0


class Verdict(Pane):
    """Mark and words, size, angle, relative error, and the reason where there is one."""

    resync_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__("Verdict", theme)
        self._judgement: Judgement | None = None
        self._resync = QPushButton("Resync", self)
        self._resync.setToolTip("copy the full batch's weights and optimizer state to the accumulated lane")
        self._resync.clicked.connect(self._on_resync_clicked)
        self._resync.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._resync.hide()
        self._dress_button()

    def refresh(self, history: History, moment: Moment | None) -> None:
        judgement = judge(history, moment)
        if judgement == self._judgement:
            return
        self._judgement = judgement
        # a style sheet may have changed its size since
        self._place_button()
        self._resync.setVisible(judgement.can_resync)
        self.setAccessibleDescription(judgement.spoken)
        self.setToolTip("\n".join([*judgement.sentences, *([MEANINGS] if judgement.figures else [])]))
        self.update()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._dress_button()

    def paint(self, painter: QPainter, area: QRectF) -> None:
        if self._judgement is None:
            return
        y = self._paint_headline(painter, area, self._judgement)
        right = self._resync.x() - self.theme.px(8) if self._judgement.can_resync else area.right()
        below = QRectF(area.left(), y, right - area.left(), area.bottom() - y)
        lines = self._sentence_lines(self._judgement, below.width())
        if self._has_room_for_figures(below, len(lines)):
            below.setTop(self._paint_figures(painter, area, y, self._judgement))
        self._paint_sentences(painter, below, lines)

    def _has_room_for_figures(self, below: QRectF, lines: int) -> bool:
        """The words come first: what was measured is left out where two lines of why would find no room."""
        assert self._judgement is not None
        end = below.top() + self.theme.px(_FIGURE * len(self._judgement.figures))
        if self._judgement.can_resync and end + self.theme.px(4) > self._resync.y():
            return False
        return below.bottom() - end >= self.theme.px(3 + _LINE * min(lines, 2))

    def _paint_figures(self, painter: QPainter, area: QRectF, y: float, judgement: Judgement) -> float:
        """Size, angle and relative error, a row each; returns the last baseline."""
        for name, value in judgement.figures:
            y += self.theme.px(_FIGURE)
            colour = self.theme.muted if value in (UNKNOWN, NOT_YET) else self.theme.ink
            role: Role = "small" if colour == self.theme.muted else "number"
            self.text(painter, area.left(), y, name, "small", self.theme.muted)
            self.text(painter, area.right(), y, value, role, colour, "right")
        return y

    def _paint_headline(self, painter: QPainter, area: QRectF, judgement: Judgement) -> float:
        """Mark and words, in the largest font that fits one row, else in two; returns the last baseline.

        The step stands at the right, in a row of its own only where there is no other room.
        """
        px, left = self.theme.px, area.left() + self.theme.px(22)
        note = "" if judgement.step is None else f"step {judgement.step}"
        beside = px(10) + self.theme.width(note, "small") if note else 0.0
        room = area.right() - left
        role = self._headline_role(judgement.headline, room, beside)
        y = area.top() + px(15)
        paint_mark(painter, self.theme, judgement.mark, QRectF(area.left(), y - px(12.5), px(14), px(14)))
        lines = limited(
            wrapped(judgement.headline, self.theme.font(role), room), 2, self.theme.font(role), room
        )
        for row, line in enumerate(lines):
            self.text(painter, left, y + px(16 * row), line, role)
        y += px(16) * (len(lines) - 1)
        if note:
            if self.theme.width(lines[-1], role) + beside > room:
                y += px(_LINE)
            self.text(painter, area.right(), y, note, "small", self.theme.muted, "right")
        return y + px(3)

    def _headline_role(self, words: str, room: float, beside: float) -> Role:
        """The largest that has room for what stands beside the words, else for the words alone."""
        roles: tuple[Role, ...] = ("headline", "title", "strong")
        for needed in (beside, 0.0):
            for role in roles:
                if self.theme.width(words, role) + needed <= room:
                    return role
        return "title"

    def _sentence_lines(self, judgement: Judgement, width: float) -> list[str]:
        font = self.theme.font("small")
        return [line for words in judgement.sentences for line in wrapped(words, font, width)]

    def _paint_sentences(self, painter: QPainter, area: QRectF, lines: list[str]) -> None:
        font, step = self.theme.font("small"), self.theme.px(_LINE)
        room = int((area.height() - self.theme.px(3)) / step)
        for row, line in enumerate(limited(lines, room, font, area.width())):
            self.text(painter, area.left(), area.top() + self.theme.px(5) + step * (row + 1), line, "small")

    def _dress_button(self) -> None:
        palette = self._resync.palette()
        palette.setColor(QPalette.ColorRole.Button, QColor(self.theme.raised))
        palette.setColor(QPalette.ColorRole.ButtonText, QColor(self.theme.ink))
        self._resync.setPalette(palette)
        self._resync.setFont(self.theme.font("strong"))
        self._place_button()

    def _place_button(self) -> None:
        pad, size = self.theme.px(14), self._resync.sizeHint()
        width = max(size.width(), round(self.theme.px(76)))
        left, top = round(self.width() - pad - width), round(self.height() - pad * 0.7 - size.height())
        self._resync.setGeometry(left, top, width, size.height())

    def _on_resync_clicked(self) -> None:
        self.resync_requested.emit()

    def sizeHint(self) -> QSize:
        return QSize(round(self.theme.px(300)), round(self.theme.px(150)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(self.theme.px(200)), round(self.theme.px(105)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_button()
