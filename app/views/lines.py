"""Sentences broken into lines that fit."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF

_NUMBER_AND_UNIT = re.compile(r"(?<=\d) (?=(?:×|%|[KMGT]?i?B)(?:\W|$))")


def wrapped(words: str, font: QFont, width: float) -> list[str]:
    """`words` in as few lines as fit into `width` pixels; a word that is wider still is cut with an ellipsis.

    A number and its unit stay together.
    """
    metrics = QFontMetricsF(font)
    lines: list[str] = []
    for word in _NUMBER_AND_UNIT.sub("\u00a0", words).split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and metrics.horizontalAdvance(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(elided(word, font, width))
    return lines


def elided(words: str, font: QFont, width: float) -> str:
    """`words`, cut with an ellipsis where they are wider than `width` pixels."""
    return QFontMetricsF(font).elidedText(words, Qt.TextElideMode.ElideRight, width)


def limited(lines: list[str], count: int, font: QFont, width: float) -> list[str]:
    """The first `count` lines, with an ellipsis at the end where some are left out."""
    if len(lines) <= count:
        return lines
    return [*lines[: count - 1], elided(f"{lines[count - 1]} …", font, width)] if count > 0 else []
