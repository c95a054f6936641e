"""Fonts and icons: they load under the names that the program uses, and show what it writes."""

from __future__ import annotations

from importlib import resources

import pytest
from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QImage, QPainter, QRawFont
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

FONTS = {
    "Inter-Regular.otf": ("Inter", QFont.Weight.Normal),
    "Inter-SemiBold.otf": ("Inter", QFont.Weight.DemiBold),
    "JetBrainsMono-Regular.ttf": ("JetBrains Mono", QFont.Weight.Normal),
    "JetBrainsMono-Bold.ttf": ("JetBrains Mono", QFont.Weight.Bold),
}
COMMON = "÷×Σ·→←−°≤≥…|–—’“”≈±²√ΔÅéµ"
NEEDED = {"play", "pause", "micro-batch", "step", "restart", "back", "gradviz"}
ICONS = sorted(
    file.name.removesuffix(".svg")
    for file in resources.files("gradviz.resources").joinpath("icons").iterdir()
    if file.name.endswith(".svg")
)


def content(path: str) -> QByteArray:
    return QByteArray(resources.files("gradviz.resources").joinpath(path).read_bytes())


@pytest.mark.parametrize("name", FONTS)
def test_that_a_font_has_the_characters_that_are_written(name: str, qapp: QApplication) -> None:
    font = QRawFont(content(f"fonts/{name}"), 14.0)
    letters = COMMON + ("‖" if name.startswith("Inter") else "")
    assert [letter for letter in letters if not font.supportsCharacter(ord(letter))] == []


def test_that_fonts_are_found_by_family_and_weight(qapp: QApplication) -> None:
    added = [QFontDatabase.addApplicationFontFromData(content(f"fonts/{name}")) for name in FONTS]
    try:
        for family, weight in FONTS.values():
            font = QFont(family)
            font.setWeight(weight)
            found = QFontInfo(font)
            assert (found.family(), found.weight()) == (family, weight.value)
    finally:
        for font_id in added:
            QFontDatabase.removeApplicationFont(font_id)


def test_that_the_controls_have_their_icons() -> None:
    assert set(ICONS) >= NEEDED


@pytest.mark.parametrize("name", ICONS)
def test_that_an_icon_is_drawn_and_fits_its_square(name: str, qapp: QApplication) -> None:
    drawing = QSvgRenderer(content(f"icons/{name}.svg"))
    assert drawing.isValid()
    assert (drawing.viewBoxF().width(), drawing.viewBoxF().height()) == (24, 24)
    image = QImage(48, 48, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    drawing.render(painter, QRectF(0, 0, 48, 48))
    painter.end()
    inked = sum(image.pixelColor(x, y).alpha() > 128 for x in range(48) for y in range(48))
    assert 48 * 48 * 0.05 < inked < 48 * 48


@pytest.mark.parametrize("name", [name for name in ICONS if name != "gradviz"])
def test_that_the_controls_icons_have_one_colour_that_can_be_replaced(name: str) -> None:
    text = bytes(content(f"icons/{name}.svg").data()).decode("utf-8")
    colours = {part.split('"')[0] for part in text.split("#")[1:]}
    assert colours == {"000000"}
