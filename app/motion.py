"""Whether pictures move from one state to the next, or are simply the next."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QStyle

from .look import MotionChoice


def is_reduced(choice: MotionChoice) -> bool:
    """What follows from the user's choice; a system that is to move nothing gives its animations no time."""
    if choice != "system":
        return choice == "reduced"
    return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0
