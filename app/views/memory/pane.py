"""The memory pane: what each lane holds at its peak, and whether the card has room for it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter

from gradviz.events import RunStarted
from gradviz.history import History, Moment

from ...theme import Theme
from ..lines import elided, wrapped
from ..pane import Pane
from .card import paint_card
from .layout import least_height
from .trace import has_trace, paint_strip, strip_top
from .words import (
    LONGEST,
    NOT_COMPLETE,
    UNKNOWN,
    Measured,
    earlier,
    lane_sentence,
    memory_sentence,
    peaks_only,
    source_line,
)

# lengths at 1280×720
_STRIP_LEAST = 38.0
_STRIP_MOST = 110.0
_FOOTER = 14.0


class Memory(Pane):
    """Each lane's memory standing in the card, one computed sentence, and a trace of the window a lane."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Memory", theme)
        self._measured: Measured | None = None
        self._sentence = ""
        self._complete: tuple[RunStarted, int, str, int] | None = None
        self._describe()

    def refresh(self, history: History, moment: Moment | None) -> None:
        measured = Measured.of(moment) if moment is not None else None
        if _same(measured, self._measured):
            return
        self._measured = measured
        self._remember(moment)
        self._describe()
        self.update()

    def paint(self, painter: QPainter, area: QRectF) -> None:
        top = self._paint_title(painter, area)
        if self._measured is None:
            return
        px, body = self.theme.px, QRectF(area.left(), top, area.width(), area.bottom() - top)
        sentence = wrapped(self._sentence, self.theme.font("strong"), area.width())
        spoken = px(4 + 15 * max(len(sentence), self._usual_lines(area.width())))
        strip = self._strip_height(body.height() - spoken)
        strips = px(_FOOTER) + (len(self._measured.lanes) * strip if has_trace(self._measured) else 0.0)
        strips = strips if strip else 0.0
        card = QRectF(body.left(), top, body.width(), body.height() - spoken - strips)
        paint_card(self, painter, card, self._measured)
        for row, line in enumerate(sentence):
            self.text(painter, area.left(), card.bottom() + px(16 + 15 * row), line, "strong")
        if strip:
            self._paint_strips(
                painter, QRectF(body.left(), card.bottom() + spoken, body.width(), strips), strip
            )

    def _usual_lines(self, width: float) -> int:
        """How many lines a usual sentence takes: no fewer are left free, or the bars would jump with it."""
        assert self._measured is not None
        if len(self._measured.lanes) == 1:
            return 1
        return len(wrapped(LONGEST, self.theme.font("strong"), width))

    def _remember(self, moment: Moment | None) -> None:
        """Keep what the last complete window told, for the time in which the next one is not complete."""
        measured, self._sentence = self._measured, ""
        if moment is None or measured is None:
            return
        self._sentence = memory_sentence(measured)
        if len(measured.samples) == 2 and measured.complete:
            step = max(sampled.step for sampled in measured.samples.values())
            self._complete = (moment.run, measured.pieces("accumulated") or 0, self._sentence, step)
        elif self._sentence == NOT_COMPLETE and self._complete is not None:
            run, pieces, sentence, step = self._complete
            if run is moment.run and pieces == len(measured.sizes):
                self._sentence = earlier(sentence, step)

    def _paint_title(self, painter: QPainter, area: QRectF) -> float:
        """Title and source, in one row if it is wide enough; returns where the rest begins."""
        px, source = self.theme.px, source_line(self._measured) if self._measured else UNKNOWN
        y = area.top() + px(13)
        width = self.text(painter, area.left(), y, "Memory", "title")
        # as long as it usually gets, or all under it would jump
        traced = source.partition(" · ")[2].partition(" at step ")[0] or "traced"
        longest = max((f"peak of a window · {traced} at step 8888", source), key=len)
        needed = QFontMetricsF(self.theme.font("small")).horizontalAdvance(longest)
        if width + px(7) + needed <= area.width():
            self.text(painter, area.left() + width + px(7), y, source, "small", self.theme.muted)
            return y + px(5)
        self.text(painter, area.left(), y + px(15), source, "small", self.theme.muted)
        return y + px(20)

    def _strip_height(self, height: float) -> float:
        """The height of one strip, or 0 where there is no room: the strips are what is left out first."""
        assert self._measured is not None
        px, lanes = self.theme.px, len(self._measured.lanes)
        if not any(self._measured.sample(lane) for lane in self._measured.lanes):
            return 0.0
        spare = height - least_height(self.theme, self._measured) - px(_FOOTER) - lanes * px(_STRIP_LEAST)
        if spare < 0:
            return 0.0
        return min(px(_STRIP_MOST), px(_STRIP_LEAST) + 0.4 * spare / lanes)

    def _paint_strips(self, painter: QPainter, area: QRectF, height: float) -> None:
        assert self._measured is not None
        if not has_trace(self._measured):
            words = elided(peaks_only(self._measured), self.theme.font("small"), area.width())
            self.text(painter, area.left(), area.bottom(), words, "small", self.theme.muted)
            return
        px, top_bytes = self.theme.px, strip_top(self._measured)
        for row, lane in enumerate(self._measured.lanes):
            strip = QRectF(area.left(), area.top() + px(4) + row * height, area.width(), height - px(2))
            paint_strip(self, painter, strip, lane, self._measured, top_bytes)
        footer = "one window, operation by operation →"
        self.text(painter, area.left(), area.bottom(), footer, "small", self.theme.muted)

    def _describe(self) -> None:
        if self._measured is None:
            lanes, words = "", "Memory is not measured yet."
        else:
            each = [lane_sentence(lane, self._measured) for lane in self._measured.lanes]
            lanes = "\n".join(each)
            words = " ".join([f"{source_line(self._measured)}.", *each, self._sentence])
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
            self.setToolTip(lanes)

    def sizeHint(self) -> QSize:
        return QSize(round(self.theme.px(300)), round(self.theme.px(330)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(self.theme.px(250)), round(self.theme.px(185)))


def _same(one: Measured | None, other: Measured | None) -> bool:
    """Whether both would be painted alike, so that a tick without news costs no repaint."""
    if one is None or other is None:
        return one is other
    same_samples = one.samples.keys() == other.samples.keys() and all(
        one.samples[lane] is other.samples[lane] for lane in one.samples
    )
    unfinished = any(not sampled.sample.complete for sampled in one.samples.values())
    unsure = unfinished or any(not sampled.sample.ticks for sampled in one.samples.values())
    same_window = not unsure or (one.step, one.sizes, one.added) == (other.step, other.sizes, other.added)
    return same_samples and same_window and (one.lanes, one.card_bytes) == (other.lanes, other.card_bytes)
