"""The two plots of the loss pane: losses above, their difference below."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtWidgets import QFrame, QGraphicsView

from ..theme import Theme
from .curve import Curve, by_cause
from .loss_backdrop import backdrop
from .loss_lines import Line, LossPicture
from .loss_notes import Notes
from .loss_scale import DifferenceScale, LossScale
from .loss_words import LossWords
from .marks import MarkList, Marks
from .plot_areas import PlotAreas, has_room_for_both, heights_shown, is_wide, with_spare

Floats = NDArray[np.float64]


class LossChart(pg.GraphicsView):  # type: ignore[misc]
    """Draws a LossPicture. Axes have fixed ranges: they move only where the picture's own do.

    `notes` are the words of the last picture, laid out.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(useOpenGL=False, background=theme.ground)
        self._theme = theme
        self._key: object = None
        self._areas = PlotAreas.of(1, 1, 60, theme)
        self._picture: LossPicture | None = None
        self.notes: Notes | None = None
        self.setAntialiasing(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._back, self._front, self._cursor = Marks(kept=True), Marks(kept=False), Marks(kept=False)
        self._upper, self._lower = _still_view(), _still_view()
        for depth, item in enumerate((self._back, self._upper, self._lower, self._front, self._cursor)):
            item.setZValue(depth)
            self.addItem(item)
        # painted in this order: the twin is never over the curve that it is compared with
        self._full, self._twin, self._accumulated, self._faulty = (Curve() for _ in range(4))
        self._difference, self._faulty_difference = Curve(), Curve()
        for curve in (self._full, self._twin, self._accumulated, self._faulty):
            self._upper.addItem(curve, ignoreBounds=True)
        for curve in (self._difference, self._faulty_difference):
            self._lower.addItem(curve, ignoreBounds=True)

    @property
    def plot_pixels(self) -> int:
        """How many columns of pixels the curves have."""
        return max(1, int(PlotAreas.of(self.width(), self.height(), 60, self._theme).upper.width()))

    @property
    def has_room_for_both(self) -> bool:
        """Whether the difference is drawn, too, where there is one."""
        return has_room_for_both(self.width(), self.height(), self._theme)

    @property
    def is_wide(self) -> bool:
        """Whether whole names have room beside the curves."""
        return is_wide(self.width(), self._theme)

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale from the next picture on."""
        self._theme = theme
        self._key = None
        self.setBackground(theme.ground)

    def show_picture(self, picture: LossPicture, words: LossWords) -> None:
        """Another picture from the next repaint on."""
        theme, self._picture = self._theme, picture
        words = replace(words, compared=words.compared and self.has_room_for_both)
        self._areas = PlotAreas.of(self.width(), self.height(), picture.last_step, theme, words.compared)
        scales = (picture.scale, picture.difference_scale, picture.rounding, picture.last_step)
        key = (self.size(), scales, words.guessing, words.faulty, words.compared)
        if key != self._key:
            self._key = key
            back = backdrop(self._areas, picture, words, theme)
            self._back.show_marks(back, self._areas.whole)
            self._set_ranges()
        self._lower.setVisible(words.compared)
        self._set_curves(picture)
        self.notes = Notes(self._areas, picture, words, theme)
        self._front.show_marks(self.notes.marks, self._areas.whole)

    def step_at(self, x: float) -> int | None:
        """The step `x` pixels from the left, if a step has been drawn there."""
        if self._picture is None or not self._picture.steps:
            return None
        step = round(self._areas.step(x))
        return step if 1 <= step <= self._picture.steps else None

    def mark_step(self, step: int | None) -> None:
        """Draw an upright line through `step`; None takes it away."""
        marks = MarkList()
        if step is not None:
            x = round(self._areas.x(step)) + 0.5
            line = QLineF(x, self._areas.upper.top(), x, self._areas.lower.bottom())
            marks.lines.append((line, self._theme.pen(self._theme.muted)))
        self._cursor.show_marks(marks, self._areas.whole)

    def _set_ranges(self) -> None:
        steps = self._areas.steps_shown()
        curves = (
            [self._full, self._accumulated, self._faulty, self._twin],
            [self._difference, self._faulty_difference],
        )
        for view, area, inside in zip(
            (self._upper, self._lower), (self._areas.upper, self._areas.lower), curves, strict=True
        ):
            heights = heights_shown(area)
            view.setGeometry(with_spare(area))
            view.setRange(xRange=steps, yRange=heights, padding=0, disableAutoRange=True)
            for curve in inside:
                bounds = QRectF(steps[0], heights[0], steps[1] - steps[0], heights[1] - heights[0])
                curve.set_bounds(bounds, with_spare(area).size())

    def _set_curves(self, picture: LossPicture) -> None:
        theme = self._theme
        on, off = theme.px(7), theme.px(6)
        # through the gaps the line below is seen
        dashes = (on, off) if picture.coincide or picture.twin_coincides else ()
        self._full.set_style(theme.full, 2 * theme.line(2))
        # each stretch has the colour of the scaling that made its steps, whatever is set now
        self._accumulated.set_style(theme.accumulated, theme.line(2), dashes)
        self._faulty.set_style(theme.fault, theme.line(2), dashes)
        self._twin.set_style(theme.full, theme.line(1.5), (theme.px(2.5), theme.px(4)), along=True)
        self._difference.set_style(theme.accumulated, theme.line(1.5))
        self._faulty_difference.set_style(theme.fault, theme.line(1.5))
        _set_line(self._full, picture.lanes.get("full"), picture.scale)
        _set_line(self._twin, picture.twin, picture.scale)
        accumulated, difference = picture.lanes.get("accumulated"), picture.difference
        _set_parts((self._accumulated, self._faulty), accumulated, picture.scale, picture)
        _set_parts((self._difference, self._faulty_difference), difference, picture.difference_scale, picture)


def _set_parts(
    curves: tuple[Curve, Curve], line: Line | None, scale: LossScale | DifferenceScale, picture: LossPicture
) -> None:
    """The stretches made by right steps, and those made by faulty ones, as a curve each."""
    if line is None or not picture.faulty.any():
        _set_line(curves[0], line, scale)
        _set_line(curves[1], None, scale)
        return
    for curve, points in zip(curves, by_cause(line.xs, scale.heights(line.ys), picture.faulty), strict=True):
        curve.set_line(*points)


def _set_line(curve: Curve, line: Line | None, scale: LossScale | DifferenceScale) -> None:
    if line is None:
        curve.set_line(np.empty(0), np.empty(0))
    else:
        curve.set_line(line.xs, scale.heights(line.ys))


def _still_view() -> pg.ViewBox:
    view = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0.0)
    view.disableAutoRange()
    return view
