"""Every colour, pen, brush and font of the program."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

Role = Literal["headline", "title", "body", "strong", "small", "code", "number", "large"]

_FONTS: dict[Role, tuple[str, float, QFont.Weight]] = {
    "headline": ("Inter", 17.0, QFont.Weight.DemiBold),
    "title": ("Inter", 14.0, QFont.Weight.DemiBold),
    "body": ("Inter", 12.0, QFont.Weight.Normal),
    "strong": ("Inter", 12.0, QFont.Weight.DemiBold),
    "small": ("Inter", 11.0, QFont.Weight.Normal),
    "code": ("JetBrains Mono", 12.0, QFont.Weight.Normal),
    "number": ("JetBrains Mono", 12.0, QFont.Weight.Bold),
    "large": ("Inter", 22.0, QFont.Weight.DemiBold),
}


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as #rrggbb. `scale` enlarges every length and font; 1 is meant for 1280×720.

    `pieces` are the first and last colour of a lane's micro-batches: the order is told by lightness.
    """

    name: Literal["dark", "light"]
    window: str
    ground: str
    raised: str
    border: str
    grid: str
    ink: str
    muted: str
    full: str
    full_text: str
    full_tint: str
    accumulated: str
    fault: str
    fault_tint: str
    pieces: tuple[str, str]
    kinds: dict[str, str]
    scale: float = 1.0

    def scaled(self, scale: float) -> Theme:
        """The same colours, everything `scale` times as large as at 1280×720."""
        return replace(self, scale=scale)

    def px(self, length: float) -> float:
        """A length in pixels, given for 1280×720."""
        return length * self.scale

    def font(self, role: Role, factor: float = 1.0) -> QFont:
        """The font for a role, at this theme's scale."""
        return _font(role, max(9, round(_FONTS[role][1] * self.scale * factor)))

    def width(self, words: str, role: Role) -> float:
        """How wide `words` are in the font for a role, in pixels."""
        return _width(words, role, max(9, round(_FONTS[role][1] * self.scale)))

    def pen(self, colour: str, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        """A pen `width` pixels wide at 1280×720."""
        pen = QPen(QColor(colour), self.px(width), style)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        return pen

    def hatch(self, line: str, ground: str) -> QBrush:
        """Diagonal stripes of `line` on `ground`: the mark that something is wrong, or points backwards."""
        return QBrush(_hatch(line, ground, max(4, round(self.px(6)))))

    def piece(self, index: int, count: int) -> QColor:
        """The colour of micro-batch `index` (from 0) of `count`: later is lighter."""
        first, last = QColor(self.pieces[0]), QColor(self.pieces[1])
        part = index / max(1, count - 1)
        return QColor.fromRgbF(
            first.redF() + (last.redF() - first.redF()) * part,
            first.greenF() + (last.greenF() - first.greenF()) * part,
            first.blueF() + (last.blueF() - first.blueF()) * part,
        )

    def ink_on(self, ground: QColor) -> QColor:
        """Black or white, whichever is read better on `ground` (relative luminance as in WCAG 2)."""
        parts = (ground.redF(), ground.greenF(), ground.blueF())
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        light = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.25
        return QColor("#0b1420" if light else "#ffffff")


@cache
def _font(role: Role, pixels: int) -> QFont:
    family, _, weight = _FONTS[role]
    font = QFont(family)
    font.setPixelSize(pixels)
    font.setWeight(weight)
    return font


@lru_cache(4096)
def _width(words: str, role: Role, pixels: int) -> float:
    return QFontMetricsF(_font(role, pixels)).horizontalAdvance(words)


@cache
def _hatch(line: str, ground: str, size: int) -> QPixmap:
    tile = QPixmap(size, size)
    tile.fill(QColor(ground))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(line), size / 3))
    for shift in (-size, 0, size):
        painter.drawLine(shift - 1, size + 1, shift + size + 1, -1)
    painter.end()
    return tile


DARK = Theme(
    name="dark",
    window="#0f141b",
    ground="#171d27",
    raised="#2a3342",
    border="#2a3342",
    grid="#2c3542",
    ink="#e8ecf2",
    muted="#9aa6b8",
    full="#fdce3e",
    full_text="#fdce3e",
    full_tint="#272a2a",
    accumulated="#5ab9f0",
    fault="#fb6188",
    fault_tint="#5a2b3d",
    pieces=("#2f6f9c", "#a9dcfb"),
    kinds={
        "parameters": "#5d6a80",
        "gradients": "#8fa0bb",
        "optimizer": "#d3dbe8",
        "window": "#b7c68b",
        "activations": "#9b7be0",
        "other": "#6f5b8f",
    },
)

LIGHT = Theme(
    name="light",
    window="#edf0f5",
    ground="#ffffff",
    raised="#dfe4ec",
    border="#dfe4ec",
    grid="#e3e7ee",
    ink="#161b24",
    muted="#566173",
    full="#c08a00",
    full_text="#7d5900",
    full_tint="#fbf6ea",
    accumulated="#1d5bc9",
    fault="#9c0046",
    fault_tint="#e8c3d2",
    pieces=("#123f90", "#86b4f5"),
    kinds={
        "parameters": "#5a6578",
        "gradients": "#9aa6ba",
        "optimizer": "#2b3340",
        "window": "#7c8c45",
        "activations": "#7a4fc4",
        "other": "#a796c4",
    },
)
