"""Painted marks: check, cross and dots, so that no font has to bring them."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from ..theme import Theme

Mark = Literal["check", "cross", "dots"]


def check_path(box: QRectF) -> QPainterPath:
    """A check in `box`, to be stroked."""
    return _line(box, ((0.08, 0.55), (0.38, 0.86), (0.94, 0.14)))


def cross_path(box: QRectF) -> QPainterPath:
    """A cross in `box`, to be stroked."""
    path = _line(box, ((0.14, 0.14), (0.86, 0.86)))
    path.addPath(_line(box, ((0.86, 0.14), (0.14, 0.86))))
    return path


def dots_path(box: QRectF) -> QPainterPath:
    """Three dots across `box`, to be filled."""
    path, radius = QPainterPath(), box.width() * 0.11
    for part in (0.14, 0.5, 0.86):
        path.addEllipse(_at(box, part, 0.5), radius, radius)
    return path


def paint_mark(painter: QPainter, theme: Theme, mark: Mark, box: QRectF) -> None:
    """Paint `mark` in `box`: the check in the accumulated lane's colour, the cross in the fault's."""
    painter.save()
    if mark == "dots":
        painter.fillPath(dots_path(box), QColor(theme.muted))
    else:
        colour, path = (
            (theme.accumulated, check_path(box)) if mark == "check" else (theme.fault, cross_path(box))
        )
        pen = QPen(QColor(colour), max(box.width() * 0.17, theme.px(theme.least_line)))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, pen)
    painter.restore()


def _line(box: QRectF, points: tuple[tuple[float, float], ...]) -> QPainterPath:
    path = QPainterPath(_at(box, *points[0]))
    for point in points[1:]:
        path.lineTo(_at(box, *point))
    return path


def _at(box: QRectF, across: float, down: float) -> QPointF:
    return QPointF(box.left() + across * box.width(), box.top() + down * box.height())
