"""A panel in a window of its own, such as for a second screen."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from ..geometry import available_screens, centred, safe_rect
from ..paint_clock import PaintClock
from ..style import style_sheet
from ..theme import Theme
from .names import TITLES, PanelName
from .scales import suited_scale
from .state import Spot

_MOST = 0.7
"""The part of a screen's width and height that a window first covers, where the main one is there, too."""
_FRAME = 8


class DetachedWindow(QWidget):
    """Closing it docks the panel. It never keeps the program alive."""

    closed = Signal(str)
    resized = Signal()
    painted = Signal(float)
    """So many seconds of this thread went into painting."""

    def __init__(self, name: PanelName) -> None:
        super().__init__()
        self.name = name
        self._theme: Theme | None = None
        self._closing = False
        self._normal = QRect()
        self.setObjectName("root")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setWindowTitle(f"{TITLES[name]} – gradviz")
        self.setMinimumSize(200, 140)
        self._rows = QVBoxLayout(self)
        PaintClock(self).painted.connect(self.painted)

    @property
    def spot(self) -> Spot:
        """Where it stands, or stood before it filled the screen."""
        rect = self._normal if self.isFullScreen() else QRect(self.pos(), self.size())
        return Spot(rect.x(), rect.y(), max(1, rect.width()), max(1, rect.height()), self.isFullScreen())

    def take(self, panel: QWidget) -> None:
        """Show the panel here."""
        self._rows.addWidget(panel)
        panel.show()

    def open_at(self, rect: QRect, full_screen: bool) -> None:
        """Show the window, the corner of its frame and the size of its inside given."""
        self._normal = rect
        self.move(rect.topLeft())
        self.resize(rect.size())
        if full_screen:
            self.showFullScreen()
        else:
            self.show()

    def theme_for(self, theme: Theme, zoom: float) -> Theme:
        """The theme at a scale that suits the size of this window."""
        return theme.scaled(suited_scale(self.name, self.width(), self.height()) * zoom)

    def dress(self, theme: Theme) -> None:
        """Other colours or another scale around the panel."""
        if theme == self._theme:
            return
        self._theme = theme
        margin = round(theme.px(8))
        self._rows.setContentsMargins(margin, margin, margin, margin)
        self.setStyleSheet(style_sheet(theme))

    def toggle_full_screen(self) -> None:
        """Fill the screen, or no more."""
        if self.isFullScreen():
            self.showNormal()
        else:
            self._normal = QRect(self.pos(), self.size())
            self.showFullScreen()

    def leave(self) -> None:
        """Leave the full screen."""
        if self.isFullScreen():
            self.showNormal()

    def vanish(self) -> None:
        """Go without saying so."""
        self._closing = True
        self.hide()
        self.deleteLater()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        if not self._closing:
            self.closed.emit(self.name)


def first_place(size: QSize, main: QRect) -> QRect:
    """Where a panel's window first opens: on another screen, else where it covers least of the `main` one.

    That is its lower right: what is worked with is at the top and at the left.
    """
    screens = available_screens()
    others = [screen for screen in screens if not screen.intersects(main)]
    if others:
        return centred(size, others[0])
    own = max(screens, key=lambda screen: _shared(screen, main))
    fitting = size.boundedTo(own.size() * _MOST)
    corner = QPoint(own.left() + own.width() - fitting.width(), own.top() + own.height() - fitting.height())
    # the frame is a little wider than the inside
    return safe_rect(QRect(corner, fitting), screens, fitting).translated(-_FRAME, -_FRAME)


def _shared(one: QRect, other: QRect) -> int:
    both = one.intersected(other)
    return max(0, both.width()) * max(0, both.height())


def toggle_full_screen(main: QWidget) -> None:
    """Let the window that is in use fill the screen, or no more: the main one, or that of a panel."""
    active = QApplication.activeWindow()
    if isinstance(active, DetachedWindow):
        active.toggle_full_screen()
    elif main.isFullScreen():
        main.showNormal()
    else:
        main.showFullScreen()


def close_active(main: QWidget) -> None:
    """Close the window that is in use: that of a panel, which is docked then, or the main one."""
    active = QApplication.activeWindow()
    (active if isinstance(active, DetachedWindow) else main).close()
