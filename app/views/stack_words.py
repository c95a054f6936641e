"""What is written over the stack and under it: title, headline, captions, and the waiting text."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from .stack_facts import Facts, headlines, mark_of, sizes_in_words
from .stack_ink import Ink
from .stack_layout import Layout

WAITING = "reading torch, building the model …"


def paint_waiting(ink: Ink, area: QRectF) -> None:
    """There is no window yet."""
    words = ink.fitting((WAITING,), area.width(), "title")
    ink.text(area.center().x(), area.center().y(), words, "title", ink.theme.muted, 0.5)


def paint_heading(ink: Ink, layout: Layout, area: QRectF, facts: Facts) -> None:
    """Title and step, and below them the sentence with its mark."""
    left, y = area.left(), layout.title_y
    if y is not None:
        choices = ("Micro-batch gradients adding up in .grad", "Adding up in .grad")
        width = ink.text(left, y, ink.fitting(choices, area.width() * 0.8, "title"), "title")
        ink.text(left + width + ink.px(8), y, f"step {facts.window.step}", "small", ink.theme.muted)
    mark, size = mark_of(facts), ink.px(16)
    if mark is not None:
        ink.mark(mark, left, layout.headline_y - ink.px(6), size)
        left += size + ink.px(8)
    words = ink.fitting(headlines(facts), area.right() - left, "headline")
    ink.text(left, layout.headline_y, words, "headline")


def paint_captions(ink: Ink, layout: Layout, facts: Facts) -> None:
    """What the bars are; or why there are none, or why they mean little."""
    ink.text(layout.column.center().x(), layout.numbers_y, ".grad", "number", ink.theme.ink, 0.5)
    if facts.problem:
        middle = layout.plot.center()
        ink.text(middle.x(), middle.y(), facts.problem, "title", ink.theme.muted, 0.5)
    if layout.caption_y is None:
        return
    left = layout.slots.left()
    room, samples = layout.plot.right() - left, sizes_in_words(facts.window)
    if facts.noisy:
        words = ink.fitting(
            ("mostly noise here: the pieces cancel", "noise: the pieces cancel"), room, "strong"
        )
        ink.text(left, layout.caption_y, words, "strong")
        return
    choices = (
        f"each micro-batch ({samples}): how far it goes along the full-batch gradient",
        f"each micro-batch ({samples}) along the full-batch gradient",
        f"each micro-batch: {samples}",
    )
    ink.text(left, layout.caption_y, ink.fitting(choices, room, "small"), "small", ink.theme.muted)
