"""A painter with the theme's fonts and marks at hand; fonts and their measures are made once."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QPixmap,
    QStaticText,
    QTransform,
)

from ..theme import Role, Theme
from .marks import Mark, paint_mark

_KEPT = 1000


class Ink:
    """Writes and draws with one theme. `painter` is set for the time of a painting."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.px = theme.px
        self.painter = QPainter()
        self._fonts: dict[tuple[Role, float], tuple[QFont, QFontMetricsF]] = {}
        self._widths: dict[tuple[str, Role, float], float] = {}
        self._texts: dict[tuple[str, Role, float], tuple[QStaticText, QFont, float, float]] = {}
        self._colours: dict[str, QColor] = {}
        self._pieces: dict[int, list[QColor]] = {}
        self._tiles: dict[tuple[str, int, int], QBrush] = {}

    def font(self, role: Role, factor: float = 1.0) -> tuple[QFont, QFontMetricsF]:
        """The font of a role and its measures."""
        found = self._fonts.get((role, factor))
        if found is None:
            font = self.theme.font(role, factor)
            found = self._fonts[role, factor] = (font, QFontMetricsF(font))
        return found

    def width(self, words: str, role: Role = "body", factor: float = 1.0) -> float:
        """How wide `words` are."""
        found = self._widths.get((words, role, factor))
        if found is None:
            if len(self._widths) > _KEPT:
                self._widths.clear()
            found = self._widths[words, role, factor] = self.font(role, factor)[1].horizontalAdvance(words)
        return found

    def colour(self, colour: str | QColor) -> QColor:
        """A colour of the theme, read once."""
        if isinstance(colour, QColor):
            return colour
        found = self._colours.get(colour)
        if found is None:
            found = self._colours[colour] = QColor(colour)
        return found

    def text(
        self,
        x: float,
        y: float,
        words: str,
        role: Role = "body",
        colour: str | QColor | None = None,
        align: float = 0.0,
        factor: float = 1.0,
    ) -> float:
        """Write with the baseline at y; x is at the left (0), the centre (0.5) or the right (1)."""
        found = self._texts.get((words, role, factor))
        if found is None:
            found = self._laid_out(words, role, factor)
        laid_out, font, ascent, width = found
        self.painter.setFont(font)
        self.painter.setPen(self.colour(self.theme.ink if colour is None else colour))
        self.painter.drawStaticText(round(x - align * width), round(y - ascent), laid_out)
        return width

    def fitting(self, choices: tuple[str, ...], width: float, role: Role, factor: float = 1.0) -> str:
        """The first of `choices` that is not wider than `width`, else the last one, cut."""
        for words in choices:
            if self.width(words, role, factor) <= width:
                return words
        return self.font(role, factor)[1].elidedText(choices[-1], Qt.TextElideMode.ElideRight, width)

    def piece(self, index: int, count: int) -> QColor:
        """The colour of micro-batch `index`, from 0, of `count`."""
        colours = self._pieces.get(count)
        if colours is None:
            if len(self._pieces) > 16:
                self._pieces.clear()
            colours = self._pieces[count] = [self.theme.piece(i, count) for i in range(count)]
        return colours[index]

    def backward(self, colour: QColor) -> QBrush:
        """The hatch of a piece that points backwards, in its own colour."""
        return self.theme.hatch(colour.name(), self.theme.ground)

    def faulty(self) -> QBrush:
        """The hatch of what is wrong."""
        return self.theme.hatch(self.theme.fault, self.theme.fault_tint)

    def line(self, colour: str, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> None:
        """Set a pen."""
        self.painter.setPen(self.theme.pen(colour, width, style))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def level(self, left: float, right: float, y: float, colour: str, thick: int = 1) -> None:
        """A level line on whole pixels: filling is several times quicker than stroking."""
        thick = max(thick, round(self.px(self.theme.least_line)))
        self.painter.fillRect(QRectF(left, y - thick // 2, right - left, thick), self.colour(colour))

    def dotted(
        self, left: float, right: float, y: float, colour: str, on: float = 1.5, off: float = 2.5
    ) -> None:
        """A dotted level line, 1 pixel thick at 1280×720 unless the theme wants more."""
        dot, gap = max(1, round(self.theme.line(on))), max(1, round(self.theme.line(off)))
        brush = self._tiles.get((colour, dot, gap))
        if brush is None:
            tile = QPixmap(dot + gap, 1)
            tile.fill(Qt.GlobalColor.transparent)
            painter = QPainter(tile)
            painter.fillRect(0, 0, dot, 1, QColor(colour))
            painter.end()
            brush = self._tiles[colour, dot, gap] = QBrush(tile)
        self.painter.fillRect(QRectF(left, y, right - left, max(1, round(self.theme.line(1)))), brush)

    def faulty_boxes(self, boxes: list[QRectF]) -> None:
        """Boxes hatched in the fault's colour, with an edge."""
        width = max(1.0, self.theme.line(1.5))
        self.painter.setPen(QPen(QColor(self.theme.fault), width))
        self.painter.setBrush(self.faulty())
        self.painter.drawRects([_inside(box, width) for box in boxes])

    def mark(self, kind: Mark, x: float, middle: float, size: float) -> None:
        """Draw a mark, `size` wide, from x on."""
        paint_mark(self.painter, self.theme, kind, QRectF(x, middle - size / 2, size, size))

    def _laid_out(self, words: str, role: Role, factor: float) -> tuple[QStaticText, QFont, float, float]:
        """Laying out costs three times what drawing costs, and most words stay."""
        font, metrics = self.font(role, factor)
        text = QStaticText(words)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.prepare(QTransform(), font)
        if len(self._texts) > _KEPT:
            self._texts.clear()
        self._texts[words, role, factor] = (text, font, metrics.ascent(), self.width(words, role, factor))
        return self._texts[words, role, factor]


def _inside(box: QRectF, width: float) -> QRectF:
    """The middle of an edge of that width which stays inside of `box`."""
    return QRectF(
        box.left() + width / 2,
        box.top() + width / 2,
        max(0.1, box.width() - width),
        max(0.1, box.height() - width),
    )
