"""The decision boundary of each lane, over the points of the task."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPixmap

from gradviz.events import LaneName
from gradviz.history import History, Moment

from ...theme import Theme
from ..heading import paint_heading
from ..pointed import PointedPane
from ..stack.words import WAITING, paint_waiting, waiting_for
from .facts import NAMES, Facts, facts_of, headlines, mark_of, missing
from .plot import (
    Plot,
    add_point,
    class_colour,
    paint_axes,
    paint_ground,
    paint_lines,
    paint_points,
    plot_of,
)

_LEFT, _TOP, _BELOW, _WORDS = 40.0, 54.0, 24.0, 150.0


class Boundary(PointedPane):
    """Lines where a lane's probability is one half, at the weights at which the shown step began."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Boundary", theme)
        self._facts: Facts | None = None
        self._missing = WAITING
        self._points: tuple[tuple[object, ...], QPixmap] | None = None

    def refresh(self, history: History, moment: Moment | None) -> None:
        plane = moment.plane if moment is not None else None
        if self._facts is None or plane is not self._facts.plane:
            self._facts = facts_of(moment)
            self.update()
        elif moment is not None and moment.run.points is not self._facts.points:
            self._facts = facts_of(moment)
        waiting = missing(moment, waiting_for(history, moment))
        if waiting != self._missing:
            self._missing = waiting
            self.update()
        self.describe(self._described())

    def headline(self) -> str:
        """The sentence over the picture."""
        return headlines(self._facts)[0] if self._facts else self._missing

    def hover_text(self, position: QPointF) -> str:
        facts = self._facts
        if facts is None:
            return ""
        plot = self._plot(self.content(), facts)
        if not plot.box.contains(position):
            return ""
        x, y = plot.inputs(position)
        words = [f"x {x:.3g}, y {y:.3g}".replace("-", "−")]
        for lane, grid in facts.grids.items():
            row = round((y - plot.low[1]) / (plot.high[1] - plot.low[1]) * (grid.shape[0] - 1))
            column = round((x - plot.low[0]) / (plot.high[0] - plot.low[0]) * (grid.shape[1] - 1))
            words.append(f"{NAMES[lane]}: class 1 with {grid[row, column] * 100:.1f} %")
        return "\n".join(words)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        ink, facts = self._ink, self._facts
        ink.painter = painter
        if facts is None:
            paint_waiting(ink, area, self._missing)
            return
        note = f"at the weights at which step {facts.plane.step} begins"
        paint_heading(ink, area, ("Decision boundary", "Boundary"), note, mark_of(facts), headlines(facts))
        plot = self._plot(area, facts)
        paint_ground(ink, plot, facts.grids[facts.shaded_by] if facts.shaded_by else None)
        self._paint_points(painter, plot, facts)
        for lane, lines in facts.lines.items():
            paint_lines(ink, plot, lines, self._pen(lane))
        paint_axes(ink, plot)
        self._paint_names(plot, area, facts)

    def set_theme(self, theme: Theme) -> None:
        self._points = None
        super().set_theme(theme)

    def _plot(self, area: QRectF, facts: Facts) -> Plot:
        px = self.theme.px
        inner = area.adjusted(px(_LEFT), px(_TOP), -px(_WORDS), -px(_BELOW))
        plane = facts.plane
        return plot_of(inner, plane.low, plane.high)

    def _pen(self, lane: LaneName) -> QPen:
        """The full batch's line is wide, and seen on both sides of the narrow one over it."""
        theme = self.theme
        if lane == "full":
            pen = QPen(self._ink.colour(theme.full), theme.line(5.0))
        else:
            pen = QPen(self._ink.colour(theme.accumulated), theme.line(2.0))
            pen.setDashPattern([4.0, 2.5])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        return pen

    def _paint_points(self, painter: QPainter, plot: Plot, facts: Facts) -> None:
        """They stay where they are: they are painted once for a place and a theme."""
        ratio = self.devicePixelRatioF()
        key = (id(facts.points), plot, ratio)
        if self._points is None or self._points[0] != key:
            pixmap = QPixmap(round(plot.box.width() * ratio), round(plot.box.height() * ratio))
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            self._ink.painter = QPainter(pixmap)
            self._ink.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._ink.painter.translate(-plot.box.topLeft())
            paint_points(self._ink, plot, facts.points, facts.labels)
            self._ink.painter.end()
            self._ink.painter = painter
            self._points = (key, pixmap)
        painter.drawPixmap(plot.box.topLeft(), self._points[1])

    def _paint_names(self, plot: Plot, area: QRectF, facts: Facts) -> None:
        """The lanes' names at the right, what the ground shows, and at the bottom the classes."""
        ink, px, x = self._ink, self.theme.px, plot.box.right() + self.theme.px(14)
        middle = plot.box.top()
        for lane in facts.lines:
            middle += px(20)
            ink.painter.setPen(self._pen(lane))
            ink.painter.drawLine(QPointF(x, middle), QPointF(x + px(24), middle))
            words = ink.fitting((NAMES[lane],), area.right() - x - px(30), "strong")
            ink.text(x + px(30), middle + px(4), words, "strong")
            only = facts.everywhere(lane)
            if only is not None:
                middle += px(16)
                choices = (f"class {only} everywhere", f"class {only}")
                words = ink.fitting(choices, area.right() - x - px(30), "small")
                ink.text(x + px(30), middle + px(4), words, "small", self.theme.muted)
        if facts.shaded_by is not None:
            choices = (f"background: {NAMES[facts.shaded_by]} run", f"background: {NAMES[facts.shaded_by]}")
            words = ink.fitting(choices, area.right() - x, "small")
            ink.text(x, middle + px(24), words, "small", self.theme.muted)
        for label in (0, 1):
            middle = plot.box.bottom() - px(30 - 20 * label)
            path = QPainterPath()
            add_point(path, QPointF(x + px(12), middle), px(4), label)
            ink.painter.setPen(Qt.PenStyle.NoPen)
            ink.painter.setBrush(class_colour(self.theme, label))
            ink.painter.drawPath(path)
            count = int(np.count_nonzero(facts.labels == label))
            words = ink.fitting(
                (f"class {label}: {count} points", f"class {label}"), area.right() - x - px(30), "small"
            )
            ink.text(x + px(30), middle + px(4), words, "small", self.theme.muted)

    def _described(self) -> str:
        if self._facts is None:
            return f"{self._missing}."
        return f"At the weights at which step {self._facts.plane.step} begins: {self.headline()}."
