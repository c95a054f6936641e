"""A small button in a pane that shows its picture the other way."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from ..theme import Theme


class Toggle(QToolButton):
    """Checkable; says what a click leads to. A click does not take the keyboard."""

    def __init__(self, parent: QWidget, off: str, on: str, tip: str) -> None:
        """`off` is the text while it is not checked, `on` while it is."""
        super().__init__(parent)
        self._texts = (off, on)
        self.setCheckable(True)
        self.setToolTip(tip)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.toggled.connect(self._on_toggled)
        self._on_toggled()

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self.setFont(theme.font("small"))
        radius, above, beside = (round(theme.px(length)) for length in (5, 2, 8))
        edge = f"{round(theme.hair)}px solid {theme.edge}"
        self.setStyleSheet(
            f"QToolButton {{ color: {theme.ink}; background: {theme.raised}; border: {edge};"
            f" border-radius: {radius}px; padding: {above}px {beside}px; }}"
            f"QToolButton:hover {{ border-color: {theme.muted}; }}"
            f"QToolButton:focus {{ border-color: {theme.accumulated}; }}"
        )
        self.adjustSize()

    def _on_toggled(self) -> None:
        self.setText(self._texts[self.isChecked()])
        self.adjustSize()
