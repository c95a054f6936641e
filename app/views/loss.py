"""The losses of both lanes, and their difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QToolButton

from gradviz.history import History, Moment
from gradviz.scaling import is_forgotten

from ..plotting.loss_lines import ROUNDING, LossLines, LossPicture
from ..plotting.loss_words import BETWEEN, LossWords, number, reading_words, score_words
from ..theme import Theme
from .lines import elided
from .loss_run import decimal, guessing_words, learning_rate, pieces, run_words, state_words
from .pane import Pane

if TYPE_CHECKING:
    from ..plotting.loss_chart import LossChart

_POINTED = {"loss_full": "full batch", "loss_accumulated": "accumulated", "difference": "difference"}
_SHORT = {"loss_full": "full", "loss_accumulated": "accum.", "difference": "difference"}


class Loss(Pane):
    """Both lanes' losses against the optimizer step; below, how far they are apart."""

    twin_toggled = Signal(bool)
    """The user wants the twin to be trained, or no more."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Loss", theme)
        self._lines = LossLines()
        self._moment: Moment | None = None
        self._caption_words, self._apart_words = "", ""
        self._titled = ("", False)
        self._pointed: int | None = None
        self._chart: LossChart | None = None
        self._twin = QToolButton(self)
        self._twin.setCheckable(True)
        self._twin.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._twin.setVisible(False)
        self._twin.toggled.connect(self._on_twin_toggled)
        self.setMouseTracking(True)
        self._restyle()

    def refresh(self, history: History, moment: Moment | None) -> None:
        if moment is not None and (self._moment is None or self._moment.run is not moment.run):
            self.set_twin(moment.run.config.twin)
        self._lines.take(history, moment)
        self._moment = moment
        if self._chart is None and moment is not None:
            self._chart = self._make_chart()
            self._lay_out()
        if self._pointed is not None and (moment is None or self._pointed > moment.steps):
            self._point_at(None)
        self._show()

    def set_twin(self, shown: bool) -> None:
        """Say whether a twin is trained; this is not the user's wish and emits nothing."""
        self._twin.blockSignals(True)
        self._twin.setChecked(shown)
        self._twin.blockSignals(False)
        self._name_twin()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._restyle()
        self._show()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(self.theme.px(740)), round(self.theme.px(250)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(self.theme.px(300)), round(self.theme.px(105)))

    def second_title(self) -> str:
        """The words beside the title, as many as there is room for: what is pointed at or what goes on, then
        the newest score.
        """
        if self._moment is None:
            return ""
        if self._pointed is not None:
            return self._reading(self._pointed)
        for words in self._going_on(self._moment):
            for score in score_words(self._moment) or ("",):
                said = BETWEEN.join(part for part in (words, score) if part)
                if self.theme.width(said, "small") <= self._title_room():
                    return said
        # too narrow for both
        return self._going_on(self._moment)[0]

    def _going_on(self, moment: Moment) -> tuple[str, ...]:
        """What goes on, in ever fewer words: of the twin, what found no room in the chart, else the run."""
        notes = self._chart.notes if self._chart is not None else None
        if self._twin.isVisible() and self._twin.isChecked() and not self._lines.has_twin_now:
            rate = decimal(pieces(moment) * learning_rate(moment))
            return (f"the twin, a correct ÷ N run at learning rate {rate}: from the next step on",)
        if self._caption_words and notes is not None and not notes.has_caption:
            return (self._caption_words,)
        if self._apart_words:
            return (self._apart_words,)
        run, rate = run_words(moment)
        return (f"{run} · {rate}", rate, "")

    def _apart(self, picture: LossPicture) -> str:
        """The difference, where there is no room for its plot."""
        if picture.difference is None or self._chart is None or self._chart.has_room_for_both:
            return ""
        return f"|difference| {number(picture.difference.loss)}{', rounding' if picture.equal else ''}"

    def _title_left(self) -> float:
        return self.theme.width("Loss", "title") + self.theme.px(8)

    def _title_room(self) -> float:
        inside = self.width() - 2 * self.theme.px(14) - self._title_left()
        return inside - (self._twin.width() + self.theme.px(8) if self._twin.isVisible() else 0.0)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        baseline = area.top() + self.theme.px(15)
        self.text(painter, area.left(), baseline, "Loss", "title")
        left = area.left() + self._title_left()
        words = elided(self.second_title(), self.theme.font("small"), self._title_room())
        self.text(painter, left, baseline, words, "small", self.theme.muted)

    def _make_chart(self) -> LossChart:
        # reading pyqtgraph takes long, which the first painted window must not wait for
        from ..plotting.loss_chart import LossChart

        chart = LossChart(self.theme)
        chart.setParent(self)
        # the button lies over it
        chart.lower()
        return chart

    def _show(self) -> None:
        if self._chart is None:
            return
        picture = self._lines.picture(self._chart.plot_pixels)
        self._chart.setVisible(picture is not None)
        self._twin.setVisible(self._twin_makes_sense())
        if picture is not None and self._moment is not None:
            words = self._words(self._moment, picture)
            self._chart.show_picture(picture, words)
            self._caption_words, self._apart_words = "".join(words.caption), self._apart(picture)
            self._describe(picture, self._moment)
        self._update_title()

    def _update_title(self) -> None:
        """Ask for a repaint where the words are others; the chart covers the rest, and repaints itself."""
        words, shown = self.second_title(), self._chart is not None and self._chart.isVisible()
        if shown != self._titled[1]:
            self.update()
        elif words != self._titled[0]:
            self.update(self._title_strip())
        self._titled = (words, shown)

    def _title_strip(self) -> QRect:
        return QRect(0, 0, self.width(), self._chart.y() if self._chart is not None else self.height())

    def _words(self, moment: Moment, picture: LossPicture) -> LossWords:
        # by the newest step taken: what is set now may not have been stepped yet
        faulty = self._lines.made_faulty(moment.steps)
        accumulated = self.theme.fault_text if faulty else self.theme.accumulated
        caption, colour = self._caption(moment, picture, faulty)
        return LossWords(
            names={"full": "full batch", "accumulated": "accumulated, no 1/N" if faulty else "accumulated"},
            short={"full": "full", "accumulated": "no 1/N" if faulty else "accum."},
            colours={"full": self.theme.full_text, "accumulated": accumulated},
            states={"full": state_words(moment, "full"), "accumulated": state_words(moment, "accumulated")},
            guessing=moment.run.guessing_loss,
            guessing_title=guessing_words(moment),
            caption=caption,
            caption_colour=colour,
            faulty=bool(picture.faulty.any()),
            compared=moment.run.config.lanes == "both",
        )

    def _caption(self, moment: Moment, picture: LossPicture, faulty: bool) -> tuple[tuple[str, ...], str]:
        count, lr = pieces(moment), learning_rate(moment)
        lane = picture.lanes.get("accumulated")
        if picture.twin is not None and lane is not None and picture.twin.step >= lane.step:
            words = _likeness(picture.twin_apart, ROUNDING[moment.run.config.precision])
            first = f"dotted: a correct ÷ N run at learning rate {decimal(count * lr)}"
            first += f" ({count} × {decimal(lr)}), "
            return (first, f"from step {picture.twin_from} on: {words}"), self.theme.full_text
        if faulty and moment.run.config.optimizer in ("adam", "adamw") and picture.coincide:
            return ("hidden: the optimizer divides the factor out",), self.theme.ink
        return (), ""

    def _reading(self, step: int) -> str:
        wide = self._chart is None or self._chart.is_wide
        titles = _POINTED if wide else _SHORT
        read = {name: self._lines.reading(column, step) for column, name in titles.items()}
        return reading_words(step, {name: known for name, known in read.items() if known is not None})

    def _describe(self, picture: LossPicture, moment: Moment) -> None:
        names = {"full": "full batch", "accumulated": "accumulated"}
        ends = [f"{names[lane]} {number(line.loss)}" for lane, line in picture.lanes.items()]
        words = f"Loss at step {picture.steps}: {', '.join(ends)}." if ends else "No step has been taken yet."
        if picture.difference is not None:
            words += " They are equal up to rounding." if picture.equal else " They differ."
        for score in score_words(moment)[:1]:
            words += f" {score[:1].upper()}{score[1:]}."
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)

    def _is_faulty(self, moment: Moment) -> bool:
        scaling = moment.window.scaling if moment.window else moment.run.config.scaling
        return is_forgotten(scaling, pieces(moment))

    def _twin_makes_sense(self) -> bool:
        if self._moment is None or self._moment.run.config.optimizer != "sgd":
            return False
        return self._is_faulty(self._moment) and self._moment.run.config.lanes != "full"

    def _restyle(self) -> None:
        theme = self.theme
        if self._chart is not None:
            self._chart.set_theme(theme)
        self._twin.setFont(theme.font("small"))
        radius, above, beside, ring = (round(theme.px(length)) for length in (5, 2, 8, theme.ring))
        self._twin.setStyleSheet(
            f"QToolButton {{ color: {theme.ink}; background: {theme.raised}; border: {ring}px"
            f" solid {theme.edge}; border-radius: {radius}px; padding: {above}px {beside}px; }}"
            f"QToolButton:hover, QToolButton:checked {{ border-color: {theme.full}; }}"
            f"QToolButton:focus {{ border-color: {theme.accumulated}; }}"
        )
        self._name_twin()
        self._lay_out()

    def _name_twin(self) -> None:
        self._twin.setText("hide the twin" if self._twin.isChecked() else "show the twin")
        self._twin.setToolTip("a correct run, ÷ N, at N times the learning rate")
        self._lay_out()

    def _lay_out(self) -> None:
        pad = self.theme.px(14)
        title = pad * 0.7 + self.theme.px(22)
        width, height = self.width() - 2 * pad, self.height() - title - pad * 0.5
        if self._chart is not None:
            self._chart.setGeometry(round(pad), round(title), max(1, round(width)), max(1, round(height)))
        self._twin.adjustSize()
        self._twin.move(round(self.width() - pad - self._twin.width()), round(pad * 0.5))

    def _point_at(self, where: QPointF | None) -> None:
        if self._chart is None:
            return
        step = None if where is None else self._chart.step_at(where.x() - self._chart.x())
        if step != self._pointed:
            self._pointed = step
            self._chart.mark_step(step)
            self.update(self._title_strip())

    def _on_twin_toggled(self, shown: bool) -> None:
        self._name_twin()
        self.twin_toggled.emit(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()
        self._show()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(event.position())

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)


def _likeness(apart: float, rounding: float) -> str:
    """How much the twin's curve is like the other one, `apart` being a part of the loss."""
    if apart > rounding:
        return f"up to {100 * apart:.2g} % apart"
    # in bfloat16 rounding can be seen
    return "the very same curve" if apart <= ROUNDING["float32"] else "the same up to rounding"
