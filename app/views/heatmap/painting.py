"""The four pictures, what is written over each, and the colour bars."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from ..ink import Ink
from ..weights.scale import tick_label
from .colours import Floats, Pixels, pixels_of, ramp
from .facts import Facts
from .layout import Layout
from .places import Places

_BARS = (
    ("the first three: gradient value", "the first three"),
    ("the difference, on its own scale", "difference"),
)


def arrays_of(facts: Facts) -> tuple[Floats | None, ...]:
    """This micro-batch, A, R, and A − R."""
    return (facts.piece, facts.accumulated, facts.reference, facts.difference)


def names_of(facts: Facts) -> tuple[tuple[str, str], ...]:
    """What stands over each picture: words, and what they mean in short."""
    piece = f"micro-batch {facts.added}" if facts.added else "micro-batch"
    grad = ".grad" if facts.complete else ".grad so far"
    return ((piece, "what it adds"), (grad, "A"), ("full batch", "R"), (".grad − full batch", "A − R"))


def paint_pictures(
    ink: Ink, layout: Layout, facts: Facts, places: Places, limits: tuple[float, float]
) -> None:
    """All four, with a frame; `limits` are the ends of the common scale and of the difference's."""
    theme, px = ink.theme, ink.px
    for index, values in enumerate(arrays_of(facts)):
        box, slot = layout.boxes[index], layout.slots[index]
        name, meaning = names_of(facts)[index]
        # a picture is known by its short name, too
        name = ink.fitting((name, meaning) if index else (name,), slot.width(), "strong")
        width = ink.text(slot.left(), slot.top() + px(13), name, "strong")
        if name != meaning and width + px(8) + ink.width(meaning, "small") <= slot.width():
            ink.text(slot.left() + width + px(8), slot.top() + px(13), meaning, "small", theme.muted)
        if values is not None:
            _draw(ink, box, pixels_of(theme, values, places, limits[index == 3]))
        else:
            words = ink.fitting(("none yet",), box.width(), "small")
            ink.text(
                box.left() + px(4), min(box.center().y(), box.bottom()) + px(4), words, "small", theme.muted
            )
        ink.line(theme.muted, 1.0)
        ink.painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5))


def paint_bars(ink: Ink, area: QRectF, limits: tuple[float, float]) -> None:
    """Colour bars with their numbers, side by side: that of the first three, and the difference's."""
    px, half = ink.px, (area.width() - ink.px(14)) / 2
    for index, (choices, limit) in enumerate(zip(_BARS, limits, strict=True)):
        left, words = area.left() + index * (half + px(14)), tick_label(limit, limit)
        y, wide = area.top() + px(11), ink.width(f"−{words}", "small")
        ink.text(left + wide, y, f"−{words}", "small", ink.theme.muted, 1.0)
        bar = QRectF(left + wide + px(6), area.top() + px(2), min(px(130), half * 0.34), px(11))
        _draw(ink, bar, ramp(ink.theme))
        ink.level(bar.center().x(), bar.center().x() + 1, round(bar.bottom()) + 1, ink.theme.muted, 2)
        x = bar.right() + px(6)
        x += ink.text(x, y, words, "small", ink.theme.muted) + px(12)
        room = left + half - x
        if ink.width(choices[-1], "small") + px(6) <= room:
            ink.text(x, y, ink.fitting(choices, room, "small"), "small", ink.theme.muted)


def _draw(ink: Ink, box: QRectF, pixels: Pixels) -> None:
    """Cells as they are, without smoothing."""
    rows, columns = pixels.shape
    # the pixels are only lent to the image, which is gone before them
    pixels = pixels.copy(order="C")
    image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32_Premultiplied)
    ink.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    ink.painter.setBrush(Qt.BrushStyle.NoBrush)
    ink.painter.drawImage(box, image)
