"""The code pane: the training loop with the line at work lit, and `/ N` in it as a switch."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter

from gradviz.history import History, Moment

from ..theme import Theme
from .code_lines import BACKWARD, FOR, MISSING, Loop, loop_of
from .lines import elided
from .pane import Pane

_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
# on both sides of the switch, at 1280×720
_CHIP_GAP = 7.0
# height of a row of words under the code
_FOOTER = 16.0


class Code(Pane):
    """The loop that people write; `/ N`, or the note that it is missing, is a switch for mouse and keys."""

    scaling_toggled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__("Code", theme)
        self._loop: Loop | None = None
        # what was painted last is what can be clicked
        self._hot = QRectF()
        self._hovered = False
        self.setMouseTracking(True)
        # by Tab only: after a click, Space still plays and pauses instead of switching back
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def refresh(self, history: History, moment: Moment | None) -> None:
        loop = loop_of(moment)
        if loop == self._loop:
            return
        self._loop = loop
        # nothing to switch is nothing to reach by Tab either
        switched = loop is not None and not loop.plain
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if switched else Qt.FocusPolicy.NoFocus)
        self.setAccessibleDescription(loop.spoken if loop else "Not running yet.")
        self.setToolTip(loop.tip if loop else "")
        self.update()

    def is_control_at(self, position: QPointF) -> bool:
        """Whether the switch is there."""
        return self._hot.contains(position)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        self._hot = QRectF()
        if self._loop is None:
            return
        factor = self._fitting_factor(area.width())
        footer = self._footer(area.width())
        row = min(self.theme.px(24), (area.height() - self.theme.px(_FOOTER) * len(footer)) / 4)
        for index, line in enumerate(self._loop.lines):
            self._paint_line(
                painter,
                QRectF(area.left(), area.top() + index * row, area.width(), row),
                index,
                line,
                factor,
            )
        self._paint_footer(painter, area, area.top() + len(self._loop.lines) * row, footer)

    def _fitting_factor(self, width: float) -> float:
        """By how much the code font must shrink to fit, whichever line is lit and however it is scaled.

        The count at the lit line does not shrink, and 0/N stands at the first line.
        """
        assert self._loop is not None
        theme, whole, px = self.theme, self.theme.type_size("code"), self.theme.px
        progress = theme.width(self._loop.widest_progress, "number")
        for size in range(whole, 1, -1):
            factor = size / whole
            widths = [theme.width(line, "code", factor) for line in self._loop.lines]
            if not self._loop.plain:
                code, switch = MISSING
                missing = theme.width(code, "code", factor) + theme.width(switch, "small", factor)
                widths[BACKWARD] = max(widths[BACKWARD], missing) + progress + px(3 * _CHIP_GAP)
                widths[FOR] += progress + px(_CHIP_GAP)
            if max(widths) <= width:
                return factor
        return 1 / whole

    def _paint_line(self, painter: QPainter, row: QRectF, index: int, line: str, factor: float) -> None:
        assert self._loop is not None
        theme, loop = self.theme, self._loop
        lit, faulty = index == loop.current, index == BACKWARD and loop.faulty
        if lit or faulty:
            ground = row.adjusted(-theme.px(8), 0, theme.px(8), 0)
            painter.fillRect(ground, QColor(theme.fault_tint if faulty else theme.raised))
            if lit:
                mark = QRectF(ground.left(), row.top(), theme.px(3), row.height())
                painter.fillRect(mark, QColor(theme.fault if faulty else theme.accumulated))
        font = theme.font("code", factor)
        painter.setFont(font)
        baseline = row.center().y() + QFontMetricsF(font).capHeight() / 2
        painter.setPen(QColor(theme.ink))
        if index == BACKWARD and not loop.plain:
            self._paint_backward(painter, row, baseline, factor)
        else:
            painter.drawText(round(row.left()), round(baseline), line)
        if lit:
            # where even the smallest type is too wide, the count covers the end of the code
            needed = theme.width(loop.progress, "number") + theme.px(4)
            plate = QRectF(row.right() - needed, row.top(), needed, row.height())
            painter.fillRect(plate, QColor(theme.fault_tint if faulty else theme.raised))
            self.text(painter, row.right(), baseline, loop.progress, "number", align="right")

    def _paint_backward(self, painter: QPainter, row: QRectF, baseline: float, factor: float) -> None:
        assert self._loop is not None
        theme, loop = self.theme, self._loop
        code = QFontMetricsF(painter.font())
        painter.drawText(round(row.left()), round(baseline), loop.before)
        start = row.left() + code.horizontalAdvance(loop.before)
        switch_font = theme.font("small", factor) if loop.missing else painter.font()
        width = QFontMetricsF(switch_font).horizontalAdvance(loop.switch)
        start += theme.px(_CHIP_GAP)
        chip = QRectF(start, row.top(), width, row.height()).adjusted(-theme.px(4), 1.5, theme.px(4), -1.5)
        self._paint_chip(painter, chip)
        painter.drawText(round(start + width + theme.px(_CHIP_GAP)), round(baseline), loop.after)
        painter.setFont(switch_font)
        painter.drawText(round(start), round(baseline), loop.switch)
        # a larger target than what is seen: the pointer of somebody who stands and talks is not precise
        self._hot = chip.adjusted(-theme.px(4), -theme.px(3), theme.px(4), theme.px(3))

    def _paint_chip(self, painter: QPainter, chip: QRectF) -> None:
        theme, focused = self.theme, self.hasFocus()
        painter.save()
        fill = QColor(theme.ink)
        fill.setAlphaF(0.22 if self._hovered else 0.10)
        assert self._loop is not None
        line = theme.ink if focused else theme.fault if self._loop.faulty else theme.muted
        painter.setBrush(fill)
        painter.setPen(theme.pen(line, 2.2 if focused else 1.2))
        painter.drawRoundedRect(chip, theme.px(4), theme.px(4))
        painter.restore()

    def _footer(self, width: float) -> list[tuple[str, str]]:
        """Rows of words for left and right: the values, a note if there is one, and always the tip."""
        assert self._loop is not None
        small, loop = QFontMetricsF(self.theme.font("small")), self._loop
        rows = [(words, "") for words in (loop.values, loop.note) if words]
        if not loop.tip:
            return rows
        room = width - small.horizontalAdvance(loop.tip) - self.theme.px(10)
        for index, (words, _) in enumerate(rows):
            if small.horizontalAdvance(words) <= room:
                rows[index] = (words, loop.tip)
                return rows
        return [*rows, (loop.tip, "")]

    def _paint_footer(
        self, painter: QPainter, area: QRectF, top: float, footer: list[tuple[str, str]]
    ) -> None:
        assert self._loop is not None
        font, muted = self.theme.font("small"), self.theme.muted
        for row, (left, right) in enumerate(footer):
            baseline = top + self.theme.px(_FOOTER * (row + 1) - 2)
            colour = muted if left == self._loop.tip else self.theme.ink
            self.text(painter, area.left(), baseline, elided(left, font, area.width()), "small", colour)
            self.text(painter, area.right(), baseline, right, "small", muted, "right")

    def _hover(self, hovered: bool) -> None:
        if hovered != self._hovered:
            self._hovered = hovered
            self.setCursor(Qt.CursorShape.PointingHandCursor if hovered else Qt.CursorShape.ArrowCursor)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(self.theme.px(300)), round(self.theme.px(130)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(self.theme.px(220)), round(self.theme.px(110)))

    def keeps_key(self, event: QKeyEvent) -> bool:
        """Those that work the switch."""
        return _toggles(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _toggles(event) and self._loop is not None and not self._loop.plain:
            if not event.isAutoRepeat():
                self.scaling_toggled.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._hot.contains(event.position()):
            self.scaling_toggled.emit()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._hot.contains(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(False)


def _toggles(event: QKeyEvent) -> bool:
    plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
    return plain and event.key() in _KEYS
