"""Fills, straight lines, dots and words of a plot, in pixels, as one item."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsObject, QStyleOptionGraphicsItem, QWidget


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text whose box begins at `left` and `top`; `ground` is laid under it."""

    text: str
    font: QFont
    colour: str
    left: float
    top: float
    ground: QColor | None = None

    def box(self) -> QRectF:
        """The rectangle that the words fill."""
        width, height = size_of(self.text, self.font)
        return QRectF(self.left, self.top, width, height)


@dataclass(slots=True)
class Block:
    """Lines of words (text, font, colour) that stay together, one under another."""

    lines: list[tuple[str, QFont, str]]
    width: float = field(init=False)
    height: float = field(init=False)

    def __post_init__(self) -> None:
        sizes = [size_of(words, font) for words, font, _ in self.lines]
        self.width = max(width for width, _ in sizes)
        self.height = sum(height for _, height in sizes)

    def at(self, left: float, top: float) -> QRectF:
        """The rectangle that the block fills with its corner there."""
        return QRectF(left, top, self.width, self.height)


@dataclass(slots=True)
class MarkList:
    """What is painted, in this order: fills, lines, dots (centre, radius, colour), words."""

    fills: list[tuple[QRectF, QColor]] = field(default_factory=list)
    lines: list[tuple[QLineF, QPen]] = field(default_factory=list)
    dots: list[tuple[QPointF, float, QColor]] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)


class Marks(QGraphicsObject):
    """Paints a list of marks over the whole scene. `kept` ones are painted once and then copied."""

    def __init__(self, kept: bool) -> None:
        super().__init__()
        self._kept = kept
        self._copy: QPixmap | None = None
        self._bounds = QRectF()
        self.marks = MarkList()

    def show_marks(self, marks: MarkList, bounds: QRectF) -> None:
        """Other marks from the next repaint on."""
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds
        self.marks = marks
        self._copy = None
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        if not self._kept:
            _paint_marks(painter, self.marks)
            return
        ratio = pixels_per_unit(painter)
        if self._copy is None or self._copy.devicePixelRatio() != ratio:
            self._copy = self._painted(ratio)
        painter.drawPixmap(self._bounds.topLeft(), self._copy)

    def _painted(self, ratio: float) -> QPixmap:
        # Qt's own cache of an item is blurred where an image has more pixels than the screen
        size = self._bounds.size() * ratio
        copy = QPixmap(max(1, round(size.width())), max(1, round(size.height())))
        copy.setDevicePixelRatio(ratio)
        copy.fill(Qt.GlobalColor.transparent)
        painter = QPainter(copy)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        _paint_marks(painter, self.marks)
        painter.end()
        return copy


def pixels_per_unit(painter: QPainter) -> float:
    """Pixels of the device for each logical one: 2 on a screen or an image of double density."""
    return painter.deviceTransform().m22() / painter.worldTransform().m22()


def size_of(text: str, font: QFont) -> tuple[float, float]:
    """Width and height of one line of text."""
    return _size_of(text, font.key())


@lru_cache(2000)
def _size_of(text: str, font: str) -> tuple[float, float]:
    described = QFont()
    described.fromString(font)
    metrics = QFontMetricsF(described)
    return metrics.horizontalAdvance(text), metrics.height()


def _paint_marks(painter: QPainter, marks: MarkList) -> None:
    for rect, colour in marks.fills:
        painter.fillRect(rect, colour)
    for line, pen in marks.lines:
        painter.setPen(pen)
        painter.drawLine(line)
    painter.setPen(Qt.PenStyle.NoPen)
    for centre, radius, colour in marks.dots:
        painter.setBrush(QBrush(colour))
        painter.drawEllipse(centre, radius, radius)
    for words in marks.words:
        _paint_words(painter, words)


def _paint_words(painter: QPainter, words: Words) -> None:
    box = words.box()
    if words.ground is not None:
        painter.fillRect(box.adjusted(-3, 0, 3, 0), words.ground)
    painter.setFont(words.font)
    painter.setPen(QColor(words.colour))
    baseline = box.top() + QFontMetricsF(words.font).ascent()
    painter.drawText(round(words.left), round(baseline), words.text)
