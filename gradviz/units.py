"""Numbers as people write them: bytes, factors, rates."""

from __future__ import annotations

import math
import re
from fractions import Fraction

_UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
_DECIMAL = {"kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_BY_LOWER_CASE = {name.lower(): size for name, size in {**_UNITS, **_DECIMAL}.items()}


def format_bytes(count: float) -> str:
    """`count` bytes with a binary unit: at most three digits before the point, none after it from 10 up."""
    unit, size = "B", 1
    for name, factor in _UNITS.items():
        # 1023.7 KiB would be written as 1024 KiB
        if abs(count) >= factor * (1 if factor == 1 else 0.9995):
            unit, size = name, factor
    value = count / size
    return f"{value:.1f} {unit}" if size > 1 and abs(value) < 9.95 else f"{value:.0f} {unit}"


def plain(number: float) -> str:
    """A number as people write it: 0.5, 8, 0.000001; no exponent where that is at all readable."""
    if number == 0 or not 1e-9 < abs(number) < 1e15:
        return f"{number:g}"
    digits = max(0, 5 - math.floor(math.log10(abs(number))))
    written = f"{number:.{digits}f}"
    return written.rstrip("0").rstrip(".") if digits else written


def parse_bytes(text: str) -> int:
    """Read "192KiB", "24 GB" or "4096" as bytes.

    Raises:
        ValueError: one sentence, if the text is not a size.
    """
    match = re.fullmatch(r"\s*([0-9]{1,30}(?:\.[0-9]{1,30})?)\s*([A-Za-z]*)\s*", text)
    factor = _BY_LOWER_CASE.get((match[2] or "B").lower()) if match else None
    if match is None or factor is None:
        written = text if len(text) <= 40 else f"{text[:40]}…"
        raise ValueError(
            f"{written!r} is not a size; write a number and B, KiB, MiB, GiB, TiB, kB, MB, GB or TB"
        )
    return round(Fraction(match[1]) * factor)
