"""In which order Tab goes round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def put_in_order(window: QWidget, parts: Sequence[QWidget]) -> None:
    """Let Tab go through these parts of a window, one after the other, whatever else stands between them."""
    stops = [stop for part in parts if part.window() is window for stop in stops_in(part)]
    for one, other in pairwise(stops):
        QWidget.setTabOrder(one, other)


def stops_in(part: QWidget) -> Iterator[QWidget]:
    """The part, and what is in it, as far as Tab gives them the keyboard."""
    for widget in (part, *part.findChildren(QWidget)):
        # the list of a combo box is a window of its own
        inside = widget.window() is part.window() and widget.focusProxy() is None
        if inside and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            yield widget
