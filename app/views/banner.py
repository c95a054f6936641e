"""What went wrong, in one sentence, with what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from ..controls.parts import button, label


class Banner(QFrame):
    """A line under the top one; hidden while all is well. The program stays usable."""

    restart_asked = Signal()
    default_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.sentence = label("", "value", wraps=True)
        self.restart = button("Restart", "primary")
        self.default = button("Back to the default", "button")
        self.close_it = button("Close", "button")
        layout = QHBoxLayout(self)
        layout.addWidget(self.sentence, 1)
        for choice in (self.restart, self.default, self.close_it):
            layout.addWidget(choice)
        self.restart.clicked.connect(self.restart_asked)
        self.default.clicked.connect(self.default_asked)
        self.close_it.clicked.connect(self.hide)
        self.hide()

    def say(self, sentence: str, *, can_restart: bool, can_default: bool) -> None:
        """Show the sentence and the buttons that help."""
        self.sentence.setText(sentence)
        self.restart.setVisible(can_restart)
        self.default.setVisible(can_default)
        self.show()
