"""How far apart two colours look: CIEDE2000, WCAG 2 contrast, and sight that lacks a kind of cone."""

from __future__ import annotations

import math
from typing import Literal

Sight = Literal["normal", "protan", "deutan", "tritan", "grey"]
SIGHTS: tuple[Sight, ...] = ("normal", "protan", "deutan", "tritan", "grey")
Triple = tuple[float, float, float]

_MACHADO: dict[str, tuple[Triple, Triple, Triple]] = {
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency,
IEEE Transactions on Visualization and Computer Graphics 15 (2009), severity 1.0, for linear RGB."""

_LUMINANCE = (0.2126, 0.7152, 0.0722)
_TO_XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE = (0.95047, 1.0, 1.08883)


def linear(colour: str) -> Triple:
    """#rrggbb as linear RGB from 0 to 1."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return red, green, blue


def luminance(colour: str) -> float:
    """Relative luminance as in WCAG 2, from 0 (black) to 1 (white)."""
    return _dot(_LUMINANCE, linear(colour))


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def blended(colour: str, ground: str, alpha: float) -> str:
    """What a see-through colour looks like on `ground`: mixed as Qt does, without linear light."""
    pairs = [(int(colour[place : place + 2], 16), int(ground[place : place + 2], 16)) for place in (1, 3, 5)]
    return "#" + "".join(f"{round(over * alpha + under * (1 - alpha)):02x}" for over, under in pairs)


def seen(colour: str, sight: Sight) -> Triple:
    """The colour in linear RGB as somebody with that sight has it; grey keeps the luminance alone."""
    rgb = linear(colour)
    if sight == "normal":
        return rgb
    if sight == "grey":
        return (_dot(_LUMINANCE, rgb),) * 3
    red, green, blue = (min(1.0, max(0.0, _dot(row, rgb))) for row in _MACHADO[sight])
    return red, green, blue


def lab(rgb: Triple) -> Triple:
    """CIELAB under D65 of linear RGB."""
    x, y, z = (_cube_root(_dot(row, rgb) / white) for row, white in zip(_TO_XYZ, _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, sight: Sight = "normal") -> float:
    """ΔE00 of two colours in a sight."""
    return ciede2000(lab(seen(one, sight)), lab(seen(other, sight)))


def ciede2000(one: Triple, other: Triple) -> float:
    """ΔE00 of two colours in CIELAB, after Sharma, Wu, Dalal: Color Research and Application 30 (2005)."""
    (light1, a1, b1), (light2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25.0**7))
    chroma1, chroma2 = math.hypot(stretch * a1, b1), math.hypot(stretch * a2, b2)
    hue1, hue2 = _hue(stretch * a1, b1), _hue(stretch * a2, b2)
    turn = (hue2 - hue1 + 180) % 360 - 180 if chroma1 * chroma2 else 0.0
    if turn == -180 and hue2 > hue1:
        turn = 180.0
    light, chroma = (light1 + light2) / 2, (chroma1 + chroma2) / 2
    hue = _mean_hue(hue1, hue2) if chroma1 * chroma2 else hue1 + hue2
    by_light = (light2 - light1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    by_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    by_hue = 2 * math.sqrt(chroma1 * chroma2) * math.sin(math.radians(turn / 2))
    by_hue /= 1 + 0.015 * chroma * _hue_weight(hue)
    rotation = -math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    rotation *= 2 * math.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    return math.sqrt(by_light**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue)


def _hue_weight(hue: float) -> float:
    def cosine(degrees: float) -> float:
        return math.cos(math.radians(degrees))

    return (
        1
        - 0.17 * cosine(hue - 30)
        + 0.24 * cosine(2 * hue)
        + 0.32 * cosine(3 * hue + 6)
        - 0.20 * cosine(4 * hue - 63)
    )


def _mean_hue(one: float, other: float) -> float:
    if abs(one - other) <= 180:
        return (one + other) / 2
    return (one + other + 360) / 2 if one + other < 360 else (one + other - 360) / 2


def _hue(a: float, b: float) -> float:
    return math.degrees(math.atan2(b, a)) % 360 if a or b else 0.0


def _cube_root(part: float) -> float:
    return part ** (1 / 3) if part > (6 / 29) ** 3 else part / (3 * (6 / 29) ** 2) + 4 / 29


def _dot(row: Triple, other: Triple) -> float:
    return sum(a * b for a, b in zip(row, other, strict=True))
