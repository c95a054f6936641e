"""A slider with stops that are named under it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QSlider

from ..theme import Role, Theme


class StopSlider(QSlider):
    """Stops from left to right, evenly spaced. The handle may also stand between two of them.

    Clicking does not take the keyboard away from the stage; tabbing to the slider does. What a place means is
    said in words by the stop's name and second line, or else by whoever calls `say`.
    """

    chosen = Signal(int)

    def __init__(
        self,
        name: str,
        theme: Theme,
        stops: Sequence[str] = (),
        notes: Sequence[str] = (),
        large: bool = False,
    ) -> None:
        """`notes` are second lines under the stops' names. Stops without names are given by `set_count`."""
        super().__init__(Qt.Orientation.Horizontal)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setPageStep(1)
        self.fault = False
        self._large = large
        self._theme = theme
        self._stops, self._notes = tuple(stops), tuple(notes)
        self._place = 0.0
        self.setMaximum(max(0, len(self._stops) - 1))
        self.valueChanged.connect(self._on_value_changed)

    @property
    def notes(self) -> tuple[str, ...]:
        """The second lines under the stops' names."""
        return self._notes

    @property
    def place(self) -> float:
        """Where the handle stands, counted in stops."""
        return self._place

    def set_stops(self, stops: Sequence[str], notes: Sequence[str] = ()) -> None:
        """Other stops and second lines; choose a place afterwards."""
        self._stops, self._notes = tuple(stops), tuple(notes)
        self.set_count(len(self._stops))

    def set_count(self, count: int) -> None:
        """So many stops, named or not; choose a place afterwards."""
        self.blockSignals(True)
        self.setMaximum(count - 1)
        self.blockSignals(False)
        self.update()

    def show_place(self, place: float) -> None:
        """Put the handle somewhere without anybody having chosen it."""
        self._place = place
        self.blockSignals(True)
        self.setValue(round(place))
        self.blockSignals(False)
        self._say_stop()
        self.update()

    def say(self, words: str) -> None:
        """What the handle's place means, for who cannot see it: a number counted in stops says nothing."""
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def _on_value_changed(self, value: int) -> None:
        self._place = float(value)
        self._say_stop()
        self.update()
        self.chosen.emit(value)

    def _say_stop(self) -> None:
        stop = self.value()
        if self._place == stop and stop < len(self._stops):
            self.say(", ".join([self._stops[stop], *self._notes[stop : stop + 1]]))

    def _ends(self) -> tuple[float, float]:
        margin = self._theme.px(14)
        return margin, self.width() - margin

    def _x(self, place: float) -> float:
        left, right = self._ends()
        return left + (right - left) * place / max(1, self.maximum())

    def _choose_at(self, x: float) -> None:
        left, right = self._ends()
        part = min(1.0, max(0.0, (x - left) / max(1.0, right - left)))
        stop = round(part * self.maximum())
        if stop != self.value():
            self.setValue(stop)
        elif self._place != stop:
            # the handle stood between two stops, nearest to this one
            self._on_value_changed(stop)

    def _colour(self) -> QColor:
        if not self.isEnabled():
            return QColor(self._theme.muted)
        return QColor(self._theme.fault if self.fault else self._theme.accumulated)

    def _paint_track(self, painter: QPainter) -> None:
        theme, y = self._theme, self._theme.px(11)
        left, right = self._ends()
        painter.setPen(
            QPen(QColor(theme.edge), theme.line(4), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        )
        painter.drawLine(QPointF(left, y), QPointF(right, y))
        painter.setPen(theme.pen(theme.muted, 1.2))
        for stop in range(len(self._stops)):
            x = self._x(stop)
            painter.drawLine(QPointF(x, y - theme.px(5)), QPointF(x, y + theme.px(5)))
        centre, radius = QPointF(self._x(self._place), y), theme.px(9.0 if self._large else 7.5)
        if self.hasFocus():
            ring = theme.px(theme.ring)
            # as far out as there is room for
            reach = min(radius + theme.px(1.5) + ring / 2, y - ring / 2)
            painter.setPen(theme.pen(theme.ink, theme.ring))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, reach, reach)
            radius = min(radius, reach - ring / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colour())
        painter.drawEllipse(centre, radius, radius)

    def _paint_names(self, painter: QPainter) -> None:
        here = self.value() if self._place == self.value() else -1
        last = len(self._stops) - 1
        taken: list[QRectF] = []
        # the chosen stop and the ends are named before the others; who finds no room goes unnamed
        for stop in sorted(range(len(self._stops)), key=lambda s: (s != here, s not in (0, last), s)):
            box = self._name_box(stop, stop == here)
            apart = box.adjusted(-self._theme.px(3), 0, self._theme.px(3), 0)
            if not any(apart.intersects(other) for other in taken):
                taken.append(box)
                self._paint_name(painter, stop, box, stop == here)

    def _fonts(self, stop: int, here: bool) -> tuple[QFont, QFont]:
        chosen: Role = "title" if self._large and len(self._stops[stop]) < 5 else "strong"
        return self._theme.font(chosen if here else "small"), self._theme.font("small", 0.92)

    def _name_box(self, stop: int, here: bool) -> QRectF:
        font, note_font = self._fonts(stop, here)
        width = QFontMetricsF(font).horizontalAdvance(self._stops[stop])
        if self._notes:
            width = max(width, QFontMetricsF(note_font).horizontalAdvance(self._notes[stop]))
        left = min(max(0.0, self._x(stop) - width / 2), self.width() - width)
        return QRectF(left, self._theme.px(22), width, self._theme.px(15))

    def _paint_name(self, painter: QPainter, stop: int, box: QRectF, here: bool) -> None:
        font, note_font = self._fonts(stop, here)
        painter.setPen(QColor(self._theme.ink if here and self.isEnabled() else self._theme.muted))
        painter.setFont(font)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
        painter.drawText(box, flags, self._stops[stop])
        if self._notes:
            painter.setPen(QColor(self._theme.muted))
            painter.setFont(note_font)
            painter.drawText(box.translated(0, self._theme.px(15)), flags, self._notes[stop])

    def sizeHint(self) -> QSize:
        height = 22.0 if not self._stops else 54.0 if self._notes else 39.0
        return QSize(round(self._theme.px(60)), round(self._theme.px(height)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def wheelEvent(self, event: QWheelEvent) -> None:
        # whoever scrolls past must not change the run
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose_at(event.position().x())
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose_at(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        self._paint_track(painter)
        self._paint_names(painter)
        painter.end()
