"""What went wrong, in one sentence, with what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from ..controls.parts import button, label
from ..icons import icon
from ..theme import Theme


class Banner(QFrame):
    """Lies over the top of `body` and moves nothing there; hidden while all is well."""

    restart_asked = Signal()
    default_asked = Signal()

    def __init__(self, body: QWidget, theme: Theme) -> None:
        super().__init__(body)
        self._body = body
        self.setObjectName("banner")
        self.mark = QLabel()
        self.sentence = label("", "value", wraps=True)
        self.restart = button("Restart", "primary")
        self.default = button("Back to the default", "button")
        self.close_it = button("Close", "button", "close this message (Esc)")
        layout = self._layout = QHBoxLayout(self)
        layout.addWidget(self.mark)
        layout.addWidget(self.sentence, 1)
        for choice in (self.restart, self.default, self.close_it):
            layout.addWidget(choice)
        self.restart.clicked.connect(self.restart_asked)
        self.default.clicked.connect(self.default_asked)
        self.close_it.clicked.connect(self.hide)
        self.hide()
        self.set_theme(theme)
        body.installEventFilter(self)

    def say(self, sentence: str, *, can_restart: bool, can_default: bool) -> None:
        """Show the sentence and the buttons that help."""
        self.sentence.setText(sentence)
        self.restart.setVisible(can_restart)
        self.default.setVisible(can_default)
        self.setAccessibleName(f"Problem: {sentence}")
        self.show()
        self._place()

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        side, gap = round(theme.px(18)), round(theme.px(8))
        self.mark.setPixmap(icon("problem", theme.fault).pixmap(QSize(side, side)))
        self._layout.setContentsMargins(round(theme.px(12)), gap, gap, gap)
        self._layout.setSpacing(gap)
        self._place()

    def _place(self) -> None:
        """Over the top of the body, as wide as that and as high as the sentence needs."""
        if self.isHidden():
            return
        self._layout.activate()
        width = self._body.width()
        height = max(self._layout.heightForWidth(width), self._layout.minimumSize().height())
        self.setGeometry(0, 0, width, min(height, self._body.height()))
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.ChildAdded):
            self._place()
        return False
