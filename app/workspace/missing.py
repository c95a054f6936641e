"""A line that says which panel found no room, and shows it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy

from ..theme import Theme


class Missing(QPushButton):
    """A button as quiet as a caption."""

    def __init__(self) -> None:
        super().__init__("No room for code: enlarge it")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip("the code fills the window; Esc brings all panels back")
        self.setAccessibleName(self.text())
        # its words must not widen the column
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        small, ring, above = theme.font("small").pixelSize(), round(theme.px(1)), round(theme.px(2))
        self.setStyleSheet(
            f"QPushButton {{ color: {theme.muted}; background: transparent; font-size: {small}px;"
            f" border: {ring}px solid transparent; padding: {above}px 0px; text-align: left; }}"
            f"QPushButton:hover {{ color: {theme.ink}; }}"
            f"QPushButton:focus {{ border-color: {theme.accumulated}; }}"
        )
