"""The main picture: micro-batch gradients adding up in .grad, against the full batch."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter

from gradviz.history import History, Moment

from ...theme import Theme
from ..pointed import PointedPane
from .arrows import paint_arrows
from .axis import paint_full_batch, paint_ground
from .bars import bar_boxes, paint_tower
from .column import paint_column, paint_total, total_place
from .course import Course
from .facts import Facts, described, headlines
from .hover import hover_text
from .labels import back_marks, paint_labels, paint_numbers, share_labels
from .layout import BARS, Layout, layout_of
from .motion import Shown
from .pictures import SHOWN, Thumbnails
from .stairs import paint_stairs
from .weights import paint_weights
from .words import WAITING, paint_captions, paint_heading, paint_waiting, stopped, waiting_for


class Stack(PointedPane):
    """Bars, column, arrows and single weights of one moment, and the way from one moment to the next."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Stack", theme)
        self._course = Course()
        self._thumbnails = Thumbnails()
        self._waiting = WAITING
        self._stopped = ""

    @property
    def reduced_motion(self) -> bool:
        """Whether every change is shown at once."""
        return self._course.reduced_motion

    @reduced_motion.setter
    def reduced_motion(self, reduced: bool) -> None:
        self._course.reduced_motion = reduced
        if reduced:
            self.settle()

    def refresh(self, history: History, moment: Moment | None) -> None:
        self._course.take(moment)
        self._waiting, self._stopped = waiting_for(history, moment), stopped(history, moment)
        facts = self._course.facts
        words = described(facts, self.headline()) if facts else self._waiting
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
        self.update()

    def advance(self, now_s: float) -> bool:
        """Move on to the time `now_s` on any steady clock; True while something still moves."""
        if self._course.advance(now_s):
            self.update()
            return True
        return False

    def settle(self) -> None:
        """Show at once what all movement leads to."""
        self._course.settle()
        self.update()

    def headline(self) -> str:
        """The sentence over the picture."""
        return self._headlines(self._course.facts)[0] if self._course.facts else self._waiting

    def hover_text(self, position: QPointF) -> str:
        """What there is to say of the thing at `position`; empty where there is nothing."""
        facts, shown = self._course.facts, self._course.shown
        if facts is None or shown is None:
            return ""
        layout = self._layout(self.content(), facts)
        return hover_text(self._ink, layout, shown, facts, position, self._course.in_times)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        self._ink.painter = painter
        facts, shown = self._course.facts, self._course.shown
        if facts is None or shown is None:
            paint_waiting(self._ink, area, self._waiting)
        else:
            layout = self._layout(area, facts)
            paint_heading(self._ink, layout, area, facts, self._headlines(facts))
            self._paint_tower(painter, layout, facts, shown)
            self._paint_others(layout, facts, shown)

    def _headlines(self, facts: Facts) -> tuple[str, ...]:
        if self._stopped:
            return (self._stopped,)
        choices = headlines(facts, self._course.in_times)
        # rather the first half alone than half of the second
        return (*choices, choices[-1].partition(",")[0])

    def _layout(self, area: QRectF, facts: Facts) -> Layout:
        pictures = facts.window.pictures is not None and facts.count <= SHOWN
        arrows = facts.known and (facts.arrows is not None if facts.added else facts.count <= BARS)
        strip = facts.known and len(facts.ratios) > 0
        return layout_of(area, self.theme, pictures, strip, arrows, facts.angle is not None)

    def _paint_tower(self, painter: QPainter, layout: Layout, facts: Facts, shown: Shown) -> None:
        ink, plot = self._ink, layout.plot
        paint_ground(ink, layout, shown.axis, self._course.axis_changed)
        painter.save()
        top = plot.top() - layout.headroom
        painter.setClipRect(QRectF(0.0, top, self.width(), plot.bottom() + 2 - top))
        barred = facts.known and facts.count <= BARS
        boxes = bar_boxes(shown.levels, shown.axis, layout, facts.count) if barred else []
        if barred:
            paint_tower(ink, layout, shown, facts, boxes)
        elif facts.known:
            paint_stairs(ink, layout, shown, facts)
        paint_column(ink, layout, shown, facts)
        self._paint_words(layout, facts, shown, boxes)
        painter.restore()
        paint_numbers(ink, layout, facts)
        paint_captions(ink, layout, facts)

    def _paint_words(self, layout: Layout, facts: Facts, shown: Shown, boxes: list[QRectF]) -> None:
        """What is written in the plot: the line's name keeps clear of all the numbers."""
        ink = self._ink
        labels = share_labels(ink, layout, shown, facts, boxes)
        marks = back_marks(ink, layout, shown, facts, boxes)
        total = total_place(ink, layout, shown, facts)
        written = [*(label.box for label in labels), *(mark.box for mark in marks)]
        if total is not None:
            written.append(total.box)
            paint_total(ink, total)
        paint_full_batch(ink, layout, shown, facts, written)
        paint_labels(ink, labels, marks)

    def _paint_others(self, layout: Layout, facts: Facts, shown: Shown) -> None:
        if layout.arrows is not None:
            paint_arrows(self._ink, layout, layout.arrows, shown, facts)
        if layout.pictures is not None:
            self._thumbnails.paint(self._ink, layout, layout.pictures, facts)
        if layout.strip is not None:
            paint_weights(self._ink, layout.strip, shown, facts, self._course.in_times)

    def minimumSizeHint(self) -> QSize:
        return QSize(round(self.theme.px(220)), round(self.theme.px(110)))
