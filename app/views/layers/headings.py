"""The headings of the table of layers, and the mark of what it is sorted by."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF
from PySide6.QtWidgets import QHeaderView

from ...theme import Theme
from ..lines import elided


class Headings(QHeaderView):
    """A click sorts upwards, the next downwards, a third goes back to the model's own order."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.theme = theme
        self.setSectionsClickable(True)
        self.setSortIndicatorShown(True)
        self.setSortIndicatorClearable(True)
        self.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setMinimumSectionSize(20)

    def sort_by(self, column: int) -> None:
        """What a click on a heading does."""
        if self.sortIndicatorSection() != column:
            self.setSortIndicator(column, Qt.SortOrder.AscendingOrder)
        elif self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder:
            self.setSortIndicator(column, Qt.SortOrder.DescendingOrder)
        else:
            self.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), round(self.theme.px(24)))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        theme, area = self.theme, QRectF(rect)
        painter.fillRect(area, QColor(theme.ground))
        thick = max(1, round(theme.line(1)))
        painter.fillRect(QRectF(area.left(), area.bottom() - thick, area.width(), thick), QColor(theme.muted))
        inner = area.adjusted(theme.px(8), 0, -theme.px(8), -thick)
        alignment = self.model().headerData(
            section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )
        words = str(self.model().headerData(section, Qt.Orientation.Horizontal))
        chosen = section == self.sortIndicatorSection()
        arrow = theme.px(12) if chosen else 0.0
        font = theme.font("small")
        words = elided(words, font, inner.width() - arrow)
        painter.setFont(font)
        painter.setPen(QColor(theme.ink if chosen else theme.muted))
        if chosen:
            width, right = theme.width(words, "small"), bool(alignment & Qt.AlignmentFlag.AlignRight)
            x = inner.right() - width - arrow if right else inner.left() + width + theme.px(4)
            up = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
            _paint_arrow(
                painter, theme, QRectF(x, inner.center().y() - theme.px(3), theme.px(8), theme.px(6)), up
            )
        painter.drawText(inner, int(alignment), words)


def _paint_arrow(painter: QPainter, theme: Theme, box: QRectF, up: bool) -> None:
    base, tip = (box.bottom(), box.top()) if up else (box.top(), box.bottom())
    corners = [QPointF(box.left(), base), QPointF(box.right(), base), QPointF(box.center().x(), tip)]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.ink))
    painter.drawPolygon(QPolygonF(corners))
    painter.restore()
