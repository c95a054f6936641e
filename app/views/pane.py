"""What the panes have in common: a rounded ground, a title, a theme, and a refresh from one moment."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gradviz.history import History, Moment

from ..theme import Role, Theme


class Pane(QWidget):
    """A part of the screen that paints what was measured at one moment.

    A subclass reads what it needs in `refresh` and draws it in `paint`. It never holds on to the history.
    """

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def refresh(self, history: History, moment: Moment | None) -> None:
        """Take over what `moment` holds, and ask Qt for a repaint. None: there is no run yet."""
        raise NotImplementedError

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Draw into `area`, which lies inside the pane's border and padding. Antialiasing is on."""
        raise NotImplementedError

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
        painter.fillRect(self.rect(), QColor(self.theme.window))
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        radius = self.theme.px(8)
        painter.setPen(QPen(QColor(self.theme.border), 1.0))
        painter.setBrush(QColor(self.theme.ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        pad = self.theme.px(14)
        self.paint(painter, QRectF(self.rect()).adjusted(pad, pad * 0.7, -pad, -pad * 0.7))
        painter.end()
