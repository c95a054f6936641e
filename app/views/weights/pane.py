"""Up to 256 raw weights as columns: pieces lying on one another, against the full batch."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QMouseEvent, QPainter, QResizeEvent

from gradviz.history import History, Moment

from ...theme import Theme
from ..heading import paint_heading
from ..pointed import PointedPane
from ..stack.words import WAITING, paint_waiting, waiting_for
from ..toggle import Toggle
from ..verdict_words import mark_of
from .columns import PIECES, Places, beyond, hatched, heights_of, picture, places_of
from .facts import Facts, facts_of
from .ground import AXIS, NAMES, axis_words, paint_axis, paint_heads, paint_key, paint_names
from .scale import Scale, held
from .words import headlines, weight_lines

_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: -10,
    Qt.Key.Key_PageDown: 10,
    Qt.Key.Key_Home: -(10**6),
    Qt.Key.Key_End: 10**6,
}
_DETAIL = 46.0
_SEVERAL, _MARGIN = 2.0, 1.1


class Weights(PointedPane):
    """Columns of one moment, an axis that holds still, and the numbers of the weight that is chosen.

    A click chooses a weight or, while the pane has the keyboard by Tab, an arrow key; Esc ends that.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__("Weights", theme)
        self._moment: Moment | None = None
        self._facts: Facts | None = None
        self._waiting = WAITING
        # of the linear axis and of the logarithmic one
        self._limits: dict[bool, float | None] = {False: None, True: None}
        self._setting: tuple[object, ...] = ()
        self._chosen: int | None = None
        tip = "a linear axis shows lengths as they are, a logarithmic one also small weights"
        self._logarithmic = Toggle(self, "logarithmic axis", "linear axis", tip)
        self._logarithmic.set_theme(theme)
        self._logarithmic.toggled.connect(self._on_logarithmic_toggled)
        # by Tab only: after a click, the arrows still move through the run
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @property
    def chosen(self) -> int | None:
        """The chosen weight, by its place among the columns."""
        return self._chosen

    @property
    def scale(self) -> Scale:
        """The axis that is drawn."""
        logarithmic = self._logarithmic.isChecked()
        return Scale(self._limits[logarithmic] or 1.0, logarithmic)

    def refresh(self, history: History, moment: Moment | None) -> None:
        self._moment = moment
        facts = self._facts = facts_of(moment, self._most())
        self._waiting = waiting_for(history, moment)
        if facts is not None and moment is not None:
            setting = (moment.run, facts.count, facts.window.scaling)
            if setting != self._setting:
                self._setting, self._limits = setting, {False: None, True: None}
            for logarithmic, limit in self._limits.items():
                self._limits[logarithmic] = held(limit, _reach(facts, logarithmic))
            if self._chosen is not None and self._chosen >= len(facts.reference):
                self._chosen = None
        self._describe()
        self.update()

    def choose(self, index: int | None) -> None:
        """Tell the numbers of one weight, or of none."""
        count = len(self._facts.reference) if self._facts else 0
        self._chosen = None if index is None or not count else max(0, min(count - 1, index))
        self._describe()
        self.update()

    def headline(self) -> str:
        """The sentence over the picture."""
        return headlines(self._facts)[0] if self._facts else self._waiting

    def hover_text(self, position: QPointF) -> str:
        index = self._index_at(position)
        return "" if index is None or self._facts is None else "\n".join(weight_lines(self._facts, index))

    def paint(self, painter: QPainter, area: QRectF) -> None:
        self._ink.painter = painter
        if self._facts is None:
            paint_waiting(self._ink, area, self._waiting)
            return
        self._paint_heading(area, self._facts)
        if not self._facts.problem:
            plot = self._plot(area)
            self._paint_columns(plot, self._facts)
            self._paint_detail(area, plot, self._facts)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._logarithmic.set_theme(theme)
        self._place_button()
        self._fit()

    def _paint_heading(self, area: QRectF, facts: Facts) -> None:
        shown, known = len(facts.reference), len(facts.window.coordinates)
        of_all = f"{shown}" if shown == known else f"{shown} of {known}"
        titles = (f"{of_all} single weights in .grad", f"{of_all} weights")
        mark = mark_of(facts.comparison) if facts.comparison else "dots"
        note, taken = f"step {facts.window.step}", self._logarithmic.width() + self.theme.px(10)
        paint_heading(self._ink, area, titles, note, None if facts.problem else mark, headlines(facts), taken)

    def _plot(self, area: QRectF) -> QRectF:
        """Where the columns are, on whole pixels."""
        px, left, top = self.theme.px, area.left() + self.theme.px(AXIS), area.top() + self.theme.px(64)
        bottom = area.bottom() - px(_DETAIL) - px(NAMES)
        return QRectF(
            round(left), round(top), max(9, round(area.right() - left)), max(9, round(bottom - top))
        )

    def _most(self) -> int:
        """So many columns have room."""
        return int(self._plot(self.content()).width())

    def _places(self, plot: QRectF, facts: Facts) -> Places:
        return places_of(plot.width(), facts.groups, self.theme.px(8))

    def _paint_columns(self, plot: QRectF, facts: Facts) -> None:
        ink, places, scale = self._ink, self._places(plot, facts), self.scale
        paint_axis(ink, plot, scale)
        words = ink.fitting(axis_words(scale, facts), plot.width(), "small")
        ink.text(
            plot.left() - self.theme.px(AXIS), plot.top() - self.theme.px(8), words, "small", self.theme.muted
        )
        levels = facts.levels if facts.count <= PIECES else facts.levels[[0, -1]]
        heights = heights_of(scale, round(plot.height()), levels, facts.reference)
        over = []
        if facts.faulty:
            over = beyond(heights, facts.accumulated, facts.reference, facts.comparison is not None)
        ink.painter.setPen(Qt.PenStyle.NoPen)
        ink.painter.setBrush(ink.faulty())
        ink.painter.drawRects(hatched(plot, places, over))
        pixels = picture(self.theme, heights, places, round(plot.width()), facts.count, over)
        rows, width = pixels.shape
        # the pixels are only lent to the image, which is gone before them
        image = QImage(pixels.data, width, rows, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)
        ink.painter.drawImage(plot.topLeft(), image)
        paint_heads(ink, plot, places, scale, facts)
        paint_names(ink, plot, places, facts.groups, plot.bottom() + self.theme.px(NAMES - 4))
        if self._chosen is not None:
            self._paint_chosen(plot, places, self._chosen)

    def _paint_chosen(self, plot: QRectF, places: Places, index: int) -> None:
        """A frame around the column."""
        left = plot.left() + float(places.lefts[index])
        self._ink.line(self.theme.ink, 1.2)
        frame = QRectF(left - 2.5, plot.top() + 0.5, places.width + 4, plot.height() - 1)
        self._ink.painter.drawRect(frame)

    def _paint_detail(self, area: QRectF, plot: QRectF, facts: Facts) -> None:
        """What the colours mean; or, where a weight is chosen, its numbers."""
        px, top = self.theme.px, plot.bottom() + self.theme.px(NAMES)
        if self._chosen is None:
            paint_key(self._ink, plot.left(), area.right(), top + px(16), facts)
            hint = "hover or click a column for its numbers"
            hint = self._ink.fitting((hint,), plot.width(), "small")
            self._ink.text(plot.left(), top + px(34), hint, "small", self.theme.muted)
            return
        lines = weight_lines(facts, self._chosen)
        told = (*lines[:2], "  ".join(lines[2:]))
        for row, words in enumerate(told):
            shown = self._ink.fitting((words,), area.width(), "small")
            colour = self.theme.ink if row < 2 else self.theme.muted
            self._ink.text(area.left(), top + px(14 * (row + 1)), shown, "small", colour)

    def _index_at(self, position: QPointF) -> int | None:
        if self._facts is None or self._facts.problem:
            return None
        plot = self._plot(self.content())
        if not plot.contains(position):
            return None
        return self._places(plot, self._facts).index(position.x() - plot.left())

    def _describe(self) -> None:
        if self._facts is None:
            self.describe(self._waiting)
            return
        axis = axis_words(self.scale, self._facts)[-1]
        words = f"Step {self._facts.window.step}. {self.headline()}. The axis is {axis}."
        if self._chosen is not None and not self._facts.problem:
            words = f"{words} {'. '.join(weight_lines(self._facts, self._chosen)[:2])}."
        self.describe(words)

    def _place_button(self) -> None:
        pad, button = self.theme.px(14), self._logarithmic
        button.move(round(self.width() - pad - button.width()), round(pad * 0.6))

    def _on_logarithmic_toggled(self) -> None:
        self._place_button()
        self._describe()
        self.update()

    def keeps_key(self, event: QKeyEvent) -> bool:
        """Those that choose a weight, while it has the keyboard by Tab."""
        return self._ringed and _chooses(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.keeps_key(event):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            self._ringed = False
            self.choose(None)
        else:
            self.choose((self._chosen or 0) + _STEPS[Qt.Key(event.key())])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.choose(self._index_at(event.position()))
        super().mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        # the window gives it the keyboard too, but without a ring: the arrows then move through the run
        if self._ringed and self._chosen is None:
            self.choose(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_button()
        self._fit()

    def _fit(self) -> None:
        """Show as many weights as have room."""
        shown = facts_of(self._moment, self._most())
        if shown is not None and self._facts and len(shown.reference) != len(self._facts.reference):
            self._facts, self._chosen = shown, None
            self._describe()


def _reach(facts: Facts, logarithmic: bool) -> float:
    """How far from zero anything goes, or will go if every piece brings what its weight promises.

    A linear axis is set by the full batch, or its values would be a flat line: what is far beyond is cut off.
    """
    if facts.problem:
        return 0.0
    largest = float(abs(facts.reference).max())
    if facts.expected > _SEVERAL and not logarithmic:
        return largest * _MARGIN
    reach = float(max(largest * max(1.0, facts.expected), abs(facts.levels).max()))
    return reach if logarithmic else min(reach, largest * _SEVERAL)


def _chooses(event: QKeyEvent) -> bool:
    plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
    return plain and (event.key() in _STEPS or event.key() == Qt.Key.Key_Escape)
