"""Every colour, pen, brush and font of the program."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

Role = Literal["headline", "title", "body", "strong", "small", "code", "number", "large"]

ThemeName = Literal["dark", "light", "contrast", "projector"]

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
_LETTERED = frozenset[Role](("title", "body", "strong", "small"))
"""What a theme may enlarge: the others are large already, or stand in columns as wide as their figures."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as #rrggbb. `scale` enlarges every length and font; 1 is meant for 1280×720.

    `pieces` are the first and last colour of a lane's micro-batches: the order is told by lightness. Marks
    have the colours `full`, `accumulated` and `fault`, words that are to have them `full_text`, `accumulated`
    and `fault_text`. `edge` is around buttons and entries. No line is thinner than `least_line`, and what has
    the keyboard gets a ring as wide as `ring`, both in pixels at 1280×720. Words are
    `lettering` times as large as in other themes; headlines and figures are not.
    """

    name: ThemeName
    window: str
    ground: str
    raised: str
    border: str
    edge: str
    grid: str
    ink: str
    muted: str
    full: str
    full_text: str
    full_tint: str
    accumulated: str
    fault: str
    fault_text: str
    fault_tint: str
    pieces: tuple[str, str]
    kinds: dict[str, str]
    scale: float = 1.0
    least_line: float = 0.0
    ring: float = 2.0
    lettering: float = 1.0

    def scaled(self, scale: float) -> Theme:
        """The same colours, everything `scale` times as large as at 1280×720."""
        return replace(self, scale=scale)

    def px(self, length: float) -> float:
        """A length in pixels, given for 1280×720."""
        return length * self.scale

    def type_size(self, role: Role, factor: float = 1.0) -> int:
        """The size of the font for a role, in pixels."""
        lettering = self.lettering if role in _LETTERED else 1.0
        return max(9, round(_FONTS[role][1] * self.scale * lettering * factor))

    def font(self, role: Role, factor: float = 1.0) -> QFont:
        """The font for a role, at this theme's scale."""
        return _font(role, self.type_size(role, factor))

    def width(self, words: str, role: Role, factor: float = 1.0) -> float:
        """How wide `words` are in the font for a role, in pixels."""
        return _width(words, role, self.type_size(role, factor))

    def line(self, width: float) -> float:
        """How thick a line is, in pixels, that is `width` thick at 1280×720 unless the theme wants more."""
        return self.px(max(width, self.least_line))

    @property
    def hair(self) -> float:
        """The thickness of a border in pixels: one, whatever the scale, unless the theme wants more."""
        return max(1.0, self.px(self.least_line))

    def pen(self, colour: str, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        """A pen `width` pixels wide at 1280×720, or as wide as the theme's thinnest line."""
        pen = QPen(QColor(colour), self.line(width), style)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        return pen

    def hatch(self, line: str, ground: str) -> QBrush:
        """Diagonal stripes of `line` on `ground`: the mark that something is wrong, or points backwards."""
        return QBrush(_hatch(line, ground, max(4, round(3 * self.line(2)))))

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
        """Black or white, whichever has more contrast on `ground` as WCAG 2 has it: 4.58 at least."""
        parts = (ground.redF(), ground.greenF(), ground.blueF())
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        lightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
        return QColor("#000000" if lightness / 0.05 > 1.05 / lightness else "#ffffff")

    @property
    def on_accumulated(self) -> str:
        """The colour of words and icons on the accumulated lane's own colour."""
        return self.ink_on(QColor(self.accumulated)).name()


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
    edge="#2a3342",
    grid="#2c3542",
    ink="#e8ecf2",
    muted="#9aa6b8",
    full="#fffa67",
    full_text="#fffa67",
    full_tint="#272a2a",
    accumulated="#21adeb",
    fault="#fb6188",
    fault_text="#fb6188",
    fault_tint="#5a2b3d",
    pieces=("#2f6f9c", "#a9dcfb"),
    kinds={
        "parameters": "#4e586d",
        "gradients": "#8e9bb6",
        "optimizer": "#fcfeff",
        "window": "#bbce8c",
        "activations": "#8466cd",
        "other": "#3c295c",
    },
)

LIGHT = Theme(
    name="light",
    window="#edf0f5",
    ground="#ffffff",
    raised="#dfe4ec",
    border="#dfe4ec",
    edge="#dfe4ec",
    grid="#e3e7ee",
    ink="#161b24",
    muted="#566173",
    full="#c08a00",
    full_text="#7d5900",
    full_tint="#fbf6ea",
    accumulated="#1f59c6",
    fault="#9c0046",
    fault_text="#9c0046",
    fault_tint="#e8c3d2",
    pieces=("#123f90", "#86b4f5"),
    kinds={
        "parameters": "#586275",
        "gradients": "#9ca6b9",
        "optimizer": "#00192c",
        "window": "#778904",
        "activations": "#4a2591",
        "other": "#dfccfd",
    },
)

CONTRAST = replace(
    DARK,
    name="contrast",
    window="#000000",
    ground="#000000",
    raised="#242424",
    border="#b4b4b4",
    edge="#d6d6d6",
    grid="#6e6e6e",
    ink="#ffffff",
    muted="#d6d6d6",
    full_tint="#1e1e0c",
    fault_text="#ff9db6",
    fault_tint="#400f20",
    pieces=("#55a5dd", "#d9f0ff"),
    least_line=1.5,
    ring=3.5,
)
"""White on black, every border to be seen. Words have a contrast of 7 at least, numbers in bars 4.5."""

PROJECTOR = replace(
    LIGHT,
    name="projector",
    window="#ffffff",
    raised="#d3dae4",
    border="#8a94a4",
    edge="#566173",
    grid="#c3cad5",
    ink="#000000",
    muted="#3b4454",
    full="#c08c03",
    full_text="#6a4b00",
    full_tint="#f6ecd0",
    accumulated="#00215c",
    fault="#b32c57",
    fault_text="#96003f",
    fault_tint="#f2d5df",
    pieces=("#0a2f7a", "#86b4f5"),
    least_line=3.0,
    ring=4.0,
    lettering=1.12,
)
"""For a weak projector in a bright room: no line under 3 pixels, larger type, told apart by lightness."""

THEMES: dict[ThemeName, Theme] = {theme.name: theme for theme in (DARK, LIGHT, CONTRAST, PROJECTOR)}
