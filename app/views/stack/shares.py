"""Shares as they are printed: rounded together, so that what is printed adds up to the printed total."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gradviz.events import MicroBatchAdded


def printed_shares(added: Sequence[MicroBatchAdded], in_times: bool) -> tuple[list[str], str]:
    """A share for each micro-batch so far and their total, in words: +57 %, −3 %, 8.00 ×."""
    shares = [piece.share or 0.0 for piece in added]
    total = (added[-1].total or 0.0) if added else 0.0
    digits = _digits(max(abs(total), *map(abs, shares), 0.0), in_times)
    units, whole = rounded_together(shares, total, digits if in_times else digits + 2)
    words = [_words(unit, digits, "+") + ("" if in_times else " %") for unit in units]
    return words, _words(whole, digits, "") + (" ×" if in_times else " %")


def rounded_together(shares: Sequence[float], total: float, digits: int) -> tuple[list[int], int]:
    """`shares` and their `total` in whole units of the last of `digits` decimal places.

    Each is rounded down and the units that are missing go to those with the largest remainders, so that the
    shares add up to the rounded total. None is more than a unit off, and none changes its sign.
    """
    scale = 10**digits
    whole, units = round(total * scale), [math.floor(share * scale) for share in shares]
    if units:
        missing = whole - sum(units)
        order = sorted(range(len(units)), key=lambda index: units[index] - shares[index] * scale)
        for place, index in enumerate(order):
            units[index] += missing // len(units) + (place < missing % len(units))
    return units, whole


def _digits(largest: float, in_times: bool) -> int:
    """Decimal places where the largest number is this one, in units of the full-batch gradient."""
    if in_times:
        return 2 if largest < 99.995 else 1 if largest < 999.95 else 0
    return 1 if largest < 0.0095 else 0


def _words(unit: int, digits: int, plus: str) -> str:
    sign = "−" if unit < 0 else plus if unit > 0 else ""
    return f"{sign}{abs(unit) / 10**digits:.{digits}f}"
