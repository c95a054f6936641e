"""What is written over the stack and under it: title, headline, captions, and the waiting text."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from gradviz.events import RunFailed
from gradviz.history import History, Moment

from ..ink import Ink
from ..verdict_words import diverged_step
from .facts import Facts, mark_of, sizes_in_words
from .layout import Layout

WAITING = "reading torch, building the model …"
NOT_STARTED = "the run did not start"
FULL_ALONE = "only the full batch is trained here: there are no pieces to stack"


def waiting_for(history: History, moment: Moment | None) -> str:
    """Why there is no window to be shown."""
    if isinstance(history.ended, RunFailed) and not history.steps:
        return NOT_STARTED
    return FULL_ALONE if moment is not None and moment.run.config.lanes == "full" else WAITING


def stopped(history: History, moment: Moment | None) -> str:
    """That the accumulated lane has diverged and so adds nothing more, or nothing."""
    if moment is None or moment.states.get("accumulated") != "diverged":
        return ""
    step = diverged_step(history.column("loss_accumulated")[: moment.steps])
    return f"diverged at step {step}: it steps no more" if step else "diverged: it steps no more"


def paint_waiting(ink: Ink, area: QRectF, why: str) -> None:
    """There is no window yet."""
    words = ink.fitting((why, why.partition(":")[0]), area.width(), "title")
    ink.text(area.center().x(), area.center().y(), words, "title", ink.theme.muted, 0.5)


def paint_heading(ink: Ink, layout: Layout, area: QRectF, facts: Facts, choices: tuple[str, ...]) -> None:
    """Title and step, and below them the first of the sentences that fits, with its mark."""
    left, y = area.left(), layout.title_y
    if y is not None:
        titles = ("Micro-batch gradients adding up in .grad", "Adding up in .grad")
        width = ink.text(left, y, ink.fitting(titles, area.width() * 0.8, "title"), "title")
        ink.text(left + width + ink.px(8), y, f"step {facts.window.step}", "small", ink.theme.muted)
    mark, size = mark_of(facts), ink.px(16)
    if mark is not None:
        ink.mark(mark, left, layout.headline_y - ink.px(6), size)
        left += size + ink.px(8)
    words = ink.fitting(choices, area.right() - left, "headline")
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
