"""The four pictures, what is written over each, and the colour bars."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from ..ink import Ink
from ..weights.scale import tick_label
from .colours import Floats, Pixels, pixels_of, ramp
from .facts import Facts, magnified
from .layout import Layout
from .places import Places


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
        times = magnified(limits) if index == 3 else ""
        if times:
            name, meaning = f"(A − R) × {times}", "A − R"
        # a picture is known by its short name, too
        short = meaning if index else f"piece {facts.added}"
        name = ink.fitting((name, short), slot.width(), "strong")
        width = ink.text(slot.left(), slot.top() + px(13), name, "strong")
        if not times and name != meaning and width + px(8) + ink.width(meaning, "small") <= slot.width():
            ink.text(slot.left() + width + px(8), slot.top() + px(13), meaning, "small", theme.muted)
        if values is not None:
            grey = index == 3 and facts.rounding
            _draw(ink, box, pixels_of(theme, values, places, limits[index == 3], grey))
        else:
            words = ink.fitting(("none yet",), box.width(), "small")
            ink.text(
                box.left() + px(4), min(box.center().y(), box.bottom()) + px(4), words, "small", theme.muted
            )
        ink.line(theme.muted, 1.0)
        ink.painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5))


def paint_bars(ink: Ink, area: QRectF, facts: Facts, limits: tuple[float, float]) -> None:
    """A colour bar with its numbers for all pictures; where the difference has its own scale, two of them."""
    times, wide = magnified(limits), min(ink.px(90), area.width() / 8)
    if not times:
        _paint_bar(ink, area, wide, limits[0], ("all four pictures: gradient value", "all four pictures"))
        return
    half = QRectF(area.left(), area.top(), area.width() / 2, area.height())
    taken = _paint_bar(ink, half, wide, limits[0], ("the first three",)) + ink.px(20)
    words = (f"the difference, magnified {times} ×", f"magnified {times} ×", "difference")
    _paint_bar(ink, area.adjusted(taken, 0, 0, 0), wide, limits[1], words, facts.rounding)


def _paint_bar(
    ink: Ink, area: QRectF, wide: float, limit: float, choices: tuple[str, ...], grey: bool = False
) -> float:
    """A bar at the left of `area`, its ends' numbers, and words if they fit; returns the width of all."""
    px, end = ink.px, tick_label(limit, limit)
    y, x = area.top() + px(11), area.left()
    x += ink.text(x, y, f"−{end}", "small", ink.theme.muted) + px(6)
    bar = QRectF(x, area.top() + px(2), wide, px(11))
    _draw(ink, bar, ramp(ink.theme, grey))
    ink.level(bar.center().x(), bar.center().x() + 1, round(bar.bottom()) + 1, ink.theme.muted, 2)
    x = bar.right() + px(6)
    x += ink.text(x, y, end, "small", ink.theme.muted)
    room = area.right() - x - px(12)
    if ink.width(choices[-1], "small") <= room:
        words = ink.fitting(choices, room, "small")
        x += px(12) + ink.text(x + px(12), y, words, "small", ink.theme.muted)
    return x - area.left()


def _draw(ink: Ink, box: QRectF, pixels: Pixels) -> None:
    """Cells as they are, without smoothing."""
    rows, columns = pixels.shape
    # the pixels are only lent to the image, which is gone before them
    pixels = pixels.copy(order="C")
    image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32_Premultiplied)
    ink.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    ink.painter.setBrush(Qt.BrushStyle.NoBrush)
    ink.painter.drawImage(box, image)
