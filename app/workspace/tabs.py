"""Several panes in one place, of which one is seen."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QStackedLayout, QTabBar, QVBoxLayout, QWidget

from ..theme import Theme
from ..views.pane import Pane
from .scales import suit


class TabBar(QTabBar):
    """Titles that the arrow keys choose among, while they have the keyboard."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Pictures")
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


class Tabs(QWidget):
    """A slim row of titles over the pane that is chosen. A single pane needs no row."""

    shown = Signal()
    """Another pane can be seen."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.bar = TabBar()
        self._panes: list[Pane] = []
        self._wanted = ""
        self._pages, self._rows = QStackedLayout(), QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.addWidget(self.bar)
        self._rows.addLayout(self._pages, 1)
        self.bar.hide()
        self.bar.currentChanged.connect(self._on_current_changed)

    @property
    def panes(self) -> tuple[Pane, ...]:
        """All panes, as their titles stand in the row."""
        return tuple(self._panes)

    @property
    def titles(self) -> tuple[str, ...]:
        """All titles, from left to right."""
        return tuple(self.bar.tabText(index) for index in range(self.bar.count()))

    @property
    def current(self) -> Pane:
        """The pane that is seen."""
        return self._panes[self.bar.currentIndex()]

    @property
    def wanted(self) -> str:
        """The title that was chosen last, which need not be there at the moment."""
        return self._wanted

    def add(self, title: str, pane: Pane) -> None:
        """One more pane, at the right end; it is shown at once if it was the last one chosen."""
        self._panes.append(pane)
        self._pages.addWidget(pane)
        self.bar.addTab(title)
        self.bar.setVisible(self.bar.count() > 1)
        self.set_theme(self.theme)
        if title == self._wanted:
            self.bar.setCurrentIndex(self.bar.count() - 1)

    def remove(self, pane: Pane) -> None:
        """Take a pane away; it is not deleted. The first one cannot be taken."""
        index, seen = self._panes.index(pane), self.current
        # a run that starts anew brings its pane back, and whoever looked at it goes on: it stays wanted
        self.bar.blockSignals(True)
        self.bar.removeTab(index)
        self.bar.blockSignals(False)
        del self._panes[index]
        # only now: a pane that comes into sight asks at once which one is seen
        self._pages.setCurrentWidget(self.current)
        self._pages.removeWidget(pane)
        pane.hide()
        self.bar.setVisible(self.bar.count() > 1)
        if seen is pane:
            self.shown.emit()

    def show_title(self, title: str) -> None:
        """Show the pane with that title, as soon as there is one."""
        self._wanted = title
        if title in self.titles:
            self.bar.setCurrentIndex(self.titles.index(title))

    def show_index(self, index: int) -> None:
        """Show a pane by its place, from 0; what is not there changes nothing."""
        if 0 <= index < self.bar.count():
            self.show_title(self.titles[index])

    def show_next(self, by: int = 1) -> None:
        """Show the pane after, or with -1 before, this one, and round again."""
        self.show_index((self.bar.currentIndex() + by) % self.bar.count())

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self.theme = theme
        self._dress()
        self._fit()

    def _dress(self) -> None:
        """Titles side by side, closer together or in smaller type where they would find no room."""
        theme = self.theme
        self._rows.setSpacing(round(theme.px(4)))
        for pad, factor in ((9, 1.0), (6, 1.0), (4, 0.9), (3, 0.8), (2, 0.7)):
            font = theme.font("small", factor)
            words = sum(QFontMetricsF(font).horizontalAdvance(title) for title in self.titles)
            if words + theme.px(2 * pad + 4) * self.bar.count() <= self.width():
                break
        sheet = _sheet(theme, font.pixelSize(), pad)
        if sheet != self.bar.styleSheet():
            self.bar.setStyleSheet(sheet)

    def _fit(self) -> None:
        """Give every pane the theme, at a scale at which it finds room."""
        above = self.bar.sizeHint().height() if self.bar.count() > 1 else 0
        room = QSize(self.width(), self.height() - above)
        for pane in self._panes:
            suit(pane, self.theme, room, self.theme)

    def _on_current_changed(self, index: int) -> None:
        if 0 <= index < len(self._panes):
            self._wanted = self.bar.tabText(index)
            self._pages.setCurrentWidget(self._panes[index])
            self.shown.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._dress()
        self._fit()


def _sheet(theme: Theme, size: int, pad: int) -> str:
    edge, gap, side, radius = (max(1, round(theme.px(length))) for length in (1.5, 1.5, pad, 5))
    return (
        "QTabBar { background: transparent; }"
        f"QTabBar::tab {{ background: transparent; color: {theme.muted}; font-size: {size}px; margin: 0px;"
        f" padding: {gap}px {side}px; border: {edge}px solid transparent; border-radius: {radius}px; }}"
        f"QTabBar::tab:selected {{ background: {theme.raised}; color: {theme.ink}; }}"
        f"QTabBar::tab:hover {{ color: {theme.ink}; }}"
        f"QTabBar::tab:focus {{ border-color: {theme.accumulated}; }}"
    )
