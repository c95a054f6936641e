"""What the window shows instead of its panels side by side: one of them alone, or that none is here."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ..controls.parts import button, label
from ..style import style_sheet
from ..theme import Theme


class Slot(QWidget):
    """Room for one panel, which may be elsewhere."""

    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)

    def take(self, panel: QWidget) -> None:
        """Show the panel here."""
        self._rows.addWidget(panel)
        panel.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


class EnlargedPage(Slot):
    """One panel alone, under a line with its name and the way back."""

    back_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._title = label("", "title")
        self.back = button("Back to all panels", "button", "back to all panels (Esc, or a double click)")
        self._head = QHBoxLayout()
        self._head.addWidget(self._title, 1)
        self._head.addWidget(self.back)
        self._rows.addLayout(self._head)
        self._theme: Theme | None = None
        self.back.clicked.connect(self.back_asked)

    @property
    def head_height(self) -> int:
        """Pixels that the panel does not get."""
        return self._head.sizeHint().height() + self._rows.spacing()

    def set_title(self, title: str) -> None:
        """The name of the panel that is here."""
        self._title.setText(title)

    def dress(self, docked: Theme, enlarged: Theme) -> None:
        """The line in the type of the window, the panel in larger type."""
        self._rows.setSpacing(round(docked.px(6)))
        if enlarged != self._theme:
            self._theme = enlarged
            self.setStyleSheet(style_sheet(enlarged))
        for part in (self._title, self.back):
            part.setStyleSheet(style_sheet(docked))

    def take(self, panel: QWidget) -> None:
        super().take(panel)
        self._rows.setStretchFactor(panel, 1)


class EmptyPage(QWidget):
    """Says that all panels are elsewhere, and brings them back."""

    back_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        words = label("All panels are hidden or in windows of their own.", "muted", wraps=True)
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.back = button("Bring them back", "button", "all panels side by side, as at the first start")
        rows = QVBoxLayout(self)
        rows.addStretch(1)
        rows.addWidget(words)
        rows.addWidget(self.back, 0, Qt.AlignmentFlag.AlignHCenter)
        rows.addStretch(1)
        self.back.clicked.connect(self.back_asked)
