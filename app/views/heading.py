"""Title, step and one sentence with its mark over a picture."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from .ink import Ink
from .marks import Mark


def paint_heading(
    ink: Ink,
    area: QRectF,
    titles: tuple[str, ...],
    note: str,
    mark: Mark | None,
    choices: tuple[str, ...],
    taken: float = 0.0,
) -> float:
    """Title and note in the first row, whose last `taken` pixels are not free, the sentence below them.

    Of `titles` and `choices` the first that fits is written. Returns where the picture can begin.
    """
    px, left, room = ink.px, area.left(), area.width() - taken
    noted = ink.width(note, "small") + px(8) if note else 0.0
    width = ink.text(
        left, area.top() + px(13), ink.fitting(titles, max(px(40), room - noted), "title"), "title"
    )
    if width + noted <= room:
        ink.text(left + width + px(8), area.top() + px(13), note, "small", ink.theme.muted)
    y, size = area.top() + px(36), px(16)
    if mark is not None:
        ink.mark(mark, left, y - px(6), size)
        left += size + px(8)
    ink.text(left, y, ink.fitting(choices, area.right() - left, "headline"), "headline")
    return y + px(8)
