"""Small things that the controls are made of."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QWidget

from ..icons import icon
from ..words import as_sentence

Change = Callable[..., None]
"""Takes settings by name and raises ConfigError, with one sentence, if they cannot be."""


def label(text: str, role: str, wraps: bool = False) -> QLabel:
    """A label in one of the style sheet's roles."""
    made = QLabel(text)
    made.setProperty("role", role)
    made.setWordWrap(wraps)
    return made


def button(text: str, role: str, tip: str = "") -> QPushButton:
    """A button that a click does not give the keyboard to."""
    made = QPushButton(text)
    made.setProperty("role", role)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.setAccessibleName(text or tip)
    made.setToolTip(tip)
    return made


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget another of the style sheet's roles."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class Entry(QLineEdit):
    """A line in which a value is typed. Enter applies it and gives the keyboard back to the stage."""

    def __init__(self, name: str, role: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("role", role)
        self.setMaxLength(40)
        self.returnPressed.connect(self._on_return_pressed)

    def show_text(self, text: str) -> None:
        """Show the value that holds, whatever was typed."""
        if self.text() != text:
            self.setText(text)
        self.setCursorPosition(0)

    def _on_return_pressed(self) -> None:
        self.clearFocus()


class Choice(QComboBox):
    """A list to choose from, with an arrow: a style sheet would leave it out."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        # on Linux Qt gives the text that is chosen as the name
        self.setAccessibleDescription(name)

    def showPopup(self) -> None:
        view = self.view()
        view.ensurePolished()
        # Qt makes the list as wide as the box, and cuts what is longer
        room = view.sizeHintForColumn(0) + 2 * view.frameWidth() + view.verticalScrollBar().sizeHint().width()
        view.setMinimumWidth(max(self.width(), room))
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        # whoever scrolls past must not change the run
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = self.height() // 2
        painter = QPainter(self)
        icon("unfolded", self.palette().text().color().name()).paint(
            painter, self.width() - side - side // 3, (self.height() - side) // 2, side, side
        )
        painter.end()


class Refusal(QLabel):
    """The sentence that says why a value was not taken."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "refusal")
        self.setWordWrap(True)
        self.hide()

    def say(self, sentence: str) -> None:
        """Show the sentence."""
        self.setText(as_sentence(sentence))
        self.show()

    @Slot()
    def withdraw(self) -> None:
        """All is well again."""
        self.hide()
        self.clear()
