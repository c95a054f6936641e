"""What the panes have in common: a rounded ground, a theme, words for who cannot see it, a focus ring."""

from __future__ import annotations

import sys

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QColor, QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gradviz.history import History, Moment

from ..theme import Role, Theme

_BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
# the focus is lent to another window or to a menu, and comes back
_LENT = (
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)


class Pane(QWidget):
    """A part of the screen that paints what was measured at one moment.

    A subclass reads what it needs in `refresh` and draws it in `paint`. It never holds on to the history.
    A pane that the keyboard came to by Tab has a ring around it.
    """

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self._ringed = False
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._failure = ""

    def refresh(self, history: History, moment: Moment | None) -> None:
        """Take over what `moment` holds, and ask Qt for a repaint. None: there is no run yet."""
        raise NotImplementedError

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Draw into `area`, which lies inside the pane's border and padding. Antialiasing is on."""
        raise NotImplementedError

    def said(self) -> str:
        """What the pane shows, in a few words."""
        return self.accessibleDescription()

    def describe(self, words: str) -> None:
        """Say what is shown in whole sentences; who listens is told if it is something else than before."""
        if words == self.accessibleDescription():
            return
        self.setAccessibleDescription(words)
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.ValueChanged))

    def content(self) -> QRectF:
        """The area inside border and padding, as it is handed to `paint`."""
        pad = self.theme.px(14)
        return QRectF(self.rect()).adjusted(pad, pad * 0.7, -pad, -pad * 0.7)

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale from the next repaint on."""
        self.theme = theme
        self.updateGeometry()
        self.update()

    def text(
        self,
        painter: QPainter,
        x: float,
        y: float,
        words: str,
        role: Role = "body",
        colour: str | QColor | None = None,
        align: str = "left",
    ) -> float:
        """Write `words` with the baseline at y and the left, centre or right at x; returns their width."""
        painter.setFont(self.theme.font(role))
        width = self.theme.width(words, role)
        painter.setPen(QPen(QColor(colour if colour is not None else self.theme.ink)))
        left = x - {"left": 0.0, "centre": width / 2, "right": width}[align]
        painter.drawText(round(left), round(y), words)
        return width

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint_all(painter)
            self._failure = ""
        except Exception as error:
            # what is raised into Qt's painting can end the program
            painter.resetTransform()
            painter.setClipping(False)
            self._paint_failure(painter, error)
        finally:
            painter.end()

    def _paint_all(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), QColor(self.theme.window))
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        radius = self.theme.px(8)
        edge = self.theme.hair
        painter.setPen(QPen(QColor(self.theme.border), edge))
        painter.setBrush(QColor(self.theme.ground))
        painter.drawRoundedRect(_inside(self.rect(), edge), radius, radius)
        self.paint(painter, self.content())
        if self._ringed and self.hasFocus():
            ring = self.theme.px(self.theme.ring)
            painter.setPen(QPen(QColor(self.theme.accumulated), ring))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(_inside(self.rect(), ring), radius, radius)

    def _paint_failure(self, painter: QPainter, error: Exception) -> None:
        """Say in the pane that it cannot be drawn, and report it once."""
        words = f"cannot be drawn: {type(error).__name__}"
        if words != self._failure:
            self._failure = words
            sys.excepthook(type(error), error, error.__traceback__)
        area = self.content()
        painter.fillRect(self.rect(), QColor(self.theme.ground))
        self.text(painter, area.left(), area.center().y(), words, "body", self.theme.muted)

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() not in _LENT:
            self._ringed = event.reason() in _BY_KEYBOARD
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() not in _LENT:
            self._ringed = False
        super().focusOutEvent(event)


def _inside(box: QRect, width: float) -> QRectF:
    """The middle of an edge of that width which stays inside of `box`."""
    half = width / 2
    return QRectF(box).adjusted(half, half, -half, -half)
