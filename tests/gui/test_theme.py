"""Colours that can be read and told apart, in every theme and by every sight."""

from __future__ import annotations

from itertools import combinations

import pytest
from colour_distance import SIGHTS, Sight, blended, ciede2000, contrast, distance, luminance
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from gradviz_app.style import colours, style_sheet
from gradviz_app.theme import CONTRAST, PROJECTOR, THEMES, Role, Theme

# CIELAB of two colours and their ΔE00, from the supplement of Sharma, Wu, Dalal (2005)
SHARMA = """
50 2.6772 -79.7751  50 0 -82.7485  2.0425
50 3.1571 -77.2803  50 0 -82.7485  2.8615
50 2.8361 -74.0200  50 0 -82.7485  3.4412
50 -1.3802 -84.2814  50 0 -82.7485  1.0000
50 -1.1848 -84.8006  50 0 -82.7485  1.0000
50 -0.9009 -85.5211  50 0 -82.7485  1.0000
50 0 0  50 -1 2  2.3669
50 -1 2  50 0 0  2.3669
50 2.4900 -0.0010  50 -2.4900 0.0009  7.1792
50 2.4900 -0.0010  50 -2.4900 0.0010  7.1792
50 2.4900 -0.0010  50 -2.4900 0.0011  7.2195
50 2.4900 -0.0010  50 -2.4900 0.0012  7.2195
50 -0.0010 2.4900  50 0.0009 -2.4900  4.8045
50 -0.0010 2.4900  50 0.0010 -2.4900  4.8045
50 -0.0010 2.4900  50 0.0011 -2.4900  4.7461
50 2.5 0  50 0 -2.5  4.3065
50 2.5 0  73 25 -18  27.1492
50 2.5 0  61 -5 29  22.8977
50 2.5 0  56 -27 -3  31.9030
50 2.5 0  58 24 15  19.4535
50 2.5 0  50 3.1736 0.5854  1.0000
50 2.5 0  50 3.2972 0  1.0000
50 2.5 0  50 1.8634 0.5757  1.0000
50 2.5 0  50 3.2592 0.3350  1.0000
60.2574 -34.0099 36.2677  60.4626 -34.1751 39.4387  1.2644
63.0109 -31.0961 -5.8663  62.8187 -29.7946 -4.0864  1.2630
61.2901 3.7196 -5.3901  61.4292 2.2480 -4.9620  1.8731
35.0831 -44.1164 3.7933  35.0232 -40.0716 1.5901  1.8645
22.7233 20.0904 -46.6940  23.0331 14.9730 -42.5619  2.0373
36.4612 47.8580 18.3852  36.2715 50.5065 21.2231  1.4146
90.8027 -2.0831 1.4410  91.1528 -1.6435 0.0447  1.4441
90.9257 -0.5406 -0.9208  88.6381 -0.8985 -0.7239  1.5381
6.7747 -0.2908 -2.4247  5.8714 -0.0985 -2.2286  0.6377
2.0776 0.0795 -1.1350  0.9033 -0.0636 -0.5514  0.9082
"""
LANES_APART, KINDS_APART = 20.0, 12.0
BY_LIGHTNESS = 0.25
"""So much of relative luminance lies between what is to be told apart on a weak projector."""

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


def grounds(theme: Theme) -> dict[str, str]:
    """What words are written on: grounds, tints over them, and the grounds of controls."""
    controls = colours(theme)
    chip = blended(theme.ink, theme.raised, 0.22)
    return {
        "window": theme.window,
        "ground": theme.ground,
        "raised": theme.raised,
        "hovered": controls["hovered"],
        "pressed": controls["pressed"],
        "up to the full batch": theme.full_tint,
        "faulty line": theme.fault_tint,
        "card": blended(theme.raised, theme.ground, 0.35),
        "switch in the code": chip,
        "switch at the faulty line": blended(theme.ink, theme.fault_tint, 0.22),
        "off the scale": blended(theme.raised, theme.ground, 110 / 255),
        "off the scale by a fault": blended(theme.fault_tint, theme.ground, 110 / 255),
        "rounding": blended(theme.accumulated, theme.ground, 38 / 255),
    }


def words(theme: Theme) -> dict[str, tuple[str, list[str]]]:
    """The colours of words, and the names of the grounds on which each is written."""
    plain = ["window", "ground"]
    off = ["off the scale", "off the scale by a fault"]
    return {
        "ink": (theme.ink, list(grounds(theme))),
        "muted": (
            theme.muted,
            [*plain, *off, "raised", "up to the full batch", "card", "rounding"],
        ),
        "full_text": (theme.full_text, ["ground", "up to the full batch", *off]),
        "accumulated": (theme.accumulated, ["ground", *off]),
        "fault_text": (theme.fault_text, ["ground", *off]),
    }


@pytest.mark.parametrize("line", SHARMA.strip().splitlines())
def test_that_the_distance_of_colours_is_the_published_one(line: str) -> None:
    l1, a1, b1, l2, a2, b2, published = map(float, line.split())
    assert ciede2000((l1, a1, b1), (l2, a2, b2)) == pytest.approx(published, abs=5e-5)


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.478), ("#ff0000", "#0000ff", 2.149)],
)
def test_that_the_contrast_is_the_one_of_wcag(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == contrast(other, one) == pytest.approx(ratio, abs=1e-3)


def test_that_the_simulated_sights_confuse_what_such_eyes_confuse() -> None:
    assert distance("#d00000", "#507a00") > 50
    assert distance("#8a6d00", "#6d7a00", "deutan") < distance("#8a6d00", "#6d7a00") / 2
    assert distance("#00857c", "#0082a0", "tritan") < distance("#00857c", "#0082a0") / 1.8
    for sight in SIGHTS:
        assert distance("#ffffff", "#000000", sight) == pytest.approx(100, abs=0.1)


@every_theme
def test_that_words_can_be_read_on_whatever_they_are_written_on(theme: Theme) -> None:
    needed = 7.0 if theme is CONTRAST else 4.5
    found = grounds(theme)
    pairs = {
        (name, place): contrast(colour, found[place])
        for name, (colour, places) in words(theme).items()
        for place in places
    }
    assert {pair: ratio for pair, ratio in pairs.items() if ratio < needed} == {}


@every_theme
def test_that_words_on_coloured_grounds_can_be_read(theme: Theme) -> None:
    controls = colours(theme)
    on = {name: controls[name] for name in ("accumulated", "accumulated_hovered")}
    assert {n: c for n, c in on.items() if contrast(theme.on_accumulated, c) < 4.5} == {}
    # the numbers in the bars
    bars = [*theme.kinds.values(), *(theme.piece(index, 32).name() for index in range(32))]
    assert [bar for bar in bars if contrast(theme.ink_on(QColor(bar)).name(), bar) < 4.5] == []
    # the arrows of the file dialog are black
    assert contrast("#000000", controls["under_black"]) >= 4.5
    # the bubbles of the first start
    assert contrast(theme.ground, theme.ink) >= 4.5


def test_that_black_or_white_can_be_read_on_any_grey() -> None:
    for grey in range(256):
        ground = f"#{grey:02x}{grey:02x}{grey:02x}"
        assert contrast(CONTRAST.ink_on(QColor(ground)).name(), ground) >= 4.58


@every_theme
def test_that_lanes_and_fault_stand_out_and_so_does_the_keyboards_ring(theme: Theme) -> None:
    marks = {"full": theme.full, "accumulated": theme.accumulated, "fault": theme.fault, "muted": theme.muted}
    assert {name: mark for name, mark in marks.items() if contrast(mark, theme.ground) < 3} == {}
    beside = {name: grounds(theme)[name] for name in ("window", "ground", "raised", "hovered")}
    assert {name: ground for name, ground in beside.items() if contrast(theme.accumulated, ground) < 3} == {}
    assert contrast(colours(theme)["primary_ring"], theme.accumulated) >= 2
    assert contrast(colours(theme)["primary_ring"], theme.window) >= 3
    assert contrast(colours(theme)["handle"], theme.ground) >= 3


@every_theme
@pytest.mark.parametrize("sight", SIGHTS)
def test_that_the_lanes_and_the_fault_are_told_apart_by_every_sight(theme: Theme, sight: Sight) -> None:
    marks = {"full": theme.full, "accumulated": theme.accumulated, "fault": theme.fault}
    near = apart(marks, sight, LANES_APART)
    # without any colour the hatch and the words say what is wrong
    near.pop(("accumulated", "fault") if sight == "grey" else ("", ""), None)
    assert near == {}


@every_theme
@pytest.mark.parametrize("sight", SIGHTS)
def test_that_kinds_of_memory_are_told_apart_by_every_sight(theme: Theme, sight: Sight) -> None:
    assert apart(theme.kinds, sight, KINDS_APART) == {}


@every_theme
def test_that_every_kind_of_memory_is_another_colour_than_the_ground(theme: Theme) -> None:
    assert {kind: colour for kind, colour in theme.kinds.items() if distance(colour, theme.ground) < 10} == {}


def apart(marks: dict[str, str], sight: Sight, least: float) -> dict[tuple[str, str], float]:
    """The pairs that are nearer than that."""
    pairs = {(one, other): distance(marks[one], marks[other], sight) for one, other in combinations(marks, 2)}
    return {pair: found for pair, found in pairs.items() if found < least}


def test_that_on_a_projector_lightness_tells_apart_what_must_not_be_mistaken() -> None:
    theme = PROJECTOR
    pairs = {
        "grid": (theme.grid, theme.ground),
        "border": (theme.border, theme.window),
        "edge of a control": (theme.edge, theme.raised),
        "full batch": (theme.full, theme.ground),
        "full batch on its tint": (theme.full, theme.full_tint),
        "accumulated": (theme.accumulated, theme.ground),
        "fault": (theme.fault, theme.ground),
        "stripes of a fault": (theme.fault, theme.fault_tint),
        "lanes": (theme.full, theme.accumulated),
        "keyboard's ring": (theme.accumulated, theme.raised),
        **{
            f"piece {index} and what parts it": (theme.piece(index, 8).name(), theme.ground)
            for index in range(8)
        },
        **{f"{kind} and what parts it": (colour, theme.ground) for kind, colour in theme.kinds.items()},
    }
    steps = {name: abs(luminance(one) - luminance(other)) for name, (one, other) in pairs.items()}
    assert {name: step for name, step in steps.items() if step < BY_LIGHTNESS} == {}


@pytest.mark.parametrize("width", [0.0, 1.0, 1.2, 2.2, 4.0])
@pytest.mark.parametrize("scale", [0.8, 1.0, 2.0])
def test_that_no_line_of_the_projectors_is_thinner_than_three_pixels(width: float, scale: float) -> None:
    theme = PROJECTOR.scaled(scale)
    assert theme.pen(theme.ink, width).widthF() == pytest.approx(max(3.0, width) * scale)
    assert theme.line(width) == pytest.approx(max(3.0, width) * scale)
    assert theme.hair >= 3 * scale


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_that_the_projectors_words_are_larger_and_stay_smaller_than_what_is_above_them(scale: float) -> None:
    projector, other = PROJECTOR.scaled(scale), THEMES["light"].scaled(scale)
    roles: tuple[Role, ...] = ("small", "body", "strong", "title")
    for role in roles:
        assert projector.type_size(role) >= 1.08 * other.type_size(role)
        assert projector.font(role).pixelSize() == projector.type_size(role)
    for role in ("code", "number", "headline", "large"):
        assert projector.type_size(role) == other.type_size(role)
    sizes = [projector.type_size(role) for role in ("small", "body", "title", "headline", "large")]
    assert sizes == sorted(set(sizes))


@every_theme
def test_that_the_controls_have_the_themes_own_type(theme: Theme) -> None:
    sheet = style_sheet(theme.scaled(1.25))
    body, small = (theme.scaled(1.25).type_size(role) for role in ("body", "small"))
    assert f"* {{ font-family: Inter; font-size: {body}px;" in sheet
    assert f'QLabel[role="note"] {{ color: {theme.muted}; font-size: {small}px; }}' in sheet


@pytest.mark.parametrize("name", ["dark", "light"])
def test_that_other_themes_draw_lines_as_thick_as_asked(name: str) -> None:
    theme = {theme.name: theme for theme in THEMES.values()}[name].scaled(1.5)  # type: ignore[index]
    assert theme.pen(theme.ink, 1.2).widthF() == pytest.approx(1.8)
    assert theme.hair == 1.0


def test_that_the_stripes_of_the_projectors_hatch_are_no_thinner_either(qapp: QApplication) -> None:
    image = QImage(90, 90, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.fillRect(image.rect(), PROJECTOR.hatch("#000000", "#ffffff"))
    painter.end()
    row = [image.pixelColor(QPointF(x, 40).toPoint()).lightness() < 128 for x in range(90)]
    runs = "".join("x" if dark else " " for dark in row).split()
    # a stripe is slanted by 45°, so a row cuts it √2 times as wide
    assert min(len(run) for run in runs[1:-1]) >= 3 * 1.4


@every_theme
def test_that_high_contrast_and_projector_show_the_edges_of_controls(theme: Theme) -> None:
    sheet = style_sheet(theme)
    assert f"solid {theme.edge}" in sheet
    if theme in (CONTRAST, PROJECTOR):
        assert contrast(theme.edge, theme.ground) >= 3
        assert contrast(theme.border, theme.ground) >= 3
        assert theme.ring >= 3
