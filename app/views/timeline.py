"""The line at the bottom: the moments seen so far."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gradviz.history import History, Moment

from ..controls.parts import button, label
from ..controls.stop_slider import StopSlider
from ..theme import Theme


class Timeline(QWidget):
    """A slider over what was seen, and the way back to what happens now."""

    moved = Signal(int)
    live_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.slider = StopSlider("Moments seen so far", theme)
        self.slider.setToolTip("the moments seen so far (← and →)")
        self.live = button("Live", "button", "back to the newest moment (End)")
        self.place = label("", "muted")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        layout = self._layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.slider, 1, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.place)
        layout.addWidget(self.live)
        self.slider.chosen.connect(self.moved)
        self.live.clicked.connect(self.live_asked)
        self.show_place(-1, True)
        self.set_theme(theme)

    def refresh(self, history: History, moment: Moment | None) -> None:
        """Take over how many moments there are, and which one `moment` is."""
        window = moment.window if moment else None
        # where no window is seen at all there is nowhere to go, and the only place is the newest
        unseen = moment is not None and moment.steps > 0 and len(history) < 2
        self.slider.setEnabled(not unseen)
        self.slider.set_count(2 if unseen else max(1, len(history)))
        if self._live:
            self.slider.show_place(1 if unseen else max(0, len(history) - 1))
        if moment is None or window is None:
            self.place.setText(f"step {moment.steps}" if moment is not None and moment.steps else "")
            self.slider.say("no window seen yet")
        else:
            self.place.setText(f"step {window.step} · {len(moment.added)} / {len(window.sizes)}")
            self.slider.say(f"step {window.step}, micro-batch {len(moment.added)} of {len(window.sizes)}")

    def show_place(self, index: int, live: bool) -> None:
        """Put the handle on a moment, or let it follow the newest."""
        self._live = live
        self.live.setEnabled(not live)
        if not live:
            self.slider.show_place(index)

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self._layout.setSpacing(round(theme.px(8)))
        self.place.setFixedWidth(round(theme.px(110)))
        self.slider.set_theme(theme)
