"""What the pointer finds in the stack, in words."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from ..ink import Ink
from .facts import Facts
from .layout import Layout
from .motion import Shown
from .weights import strip_parts, weight_box, weight_in_words


def hover_text(
    ink: Ink, layout: Layout, shown: Shown, facts: Facts, position: QPointF, in_times: bool
) -> str:
    """Of the single weight or micro-batch at `position`: its numbers; empty elsewhere."""
    count = len(facts.ratios)
    if layout.strip is not None and count:
        plot, _ = strip_parts(ink, layout.strip)
        if plot.contains(position):
            index = min(count - 1, int((position.x() - plot.left()) / plot.width() * count))
            inside = weight_box(plot, index, count).contains(position)
            return weight_in_words(facts, index, in_times) if inside else ""
    slots = layout.slots
    inside = slots.left() <= position.x() < slots.right() and slots.top() <= position.y() <= layout.numbers_y
    if not inside:
        return ""
    index = int((position.x() - slots.left()) / layout.pitch(facts.count))
    return micro_batch_in_words(facts, index, in_times)


def micro_batch_in_words(facts: Facts, index: int, in_times: bool) -> str:
    """Samples, weight and, once it is added, loss and share of micro-batch `index`, from 0."""
    window = facts.window
    lines = [f"micro-batch {index + 1} of {facts.count}: {window.sizes[index]} samples"]
    if index >= len(facts.added):
        return "\n".join([*lines, f"weight {window.weights[index]:.6g}", "not added yet"])
    added = facts.added[index]
    lines.append(f"mean loss {added.loss:.6g} × weight {added.weight:.6g}")
    if added.share is not None and added.total is not None:
        share, total = _exactly(added.share, in_times, "+"), _exactly(added.total, in_times, "")
        lines.append(f"share {share}, then {total} in .grad")
    return "\n".join(lines)


def _exactly(value: float, in_times: bool, plus: str) -> str:
    """A share or a total with more digits than are printed in the picture."""
    size = abs(value) if in_times else 100 * abs(value)
    return f"{'−' if value < 0 else plus}{size:.6g} {'×' if in_times else '%'}"
