"""The body of the window: panels that can be enlarged, hidden, detached, and divided otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, QRect, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from ..controls.panel import Panel
from ..geometry import available_screens, safe_rect
from ..theme import Theme
from ..views.pane import Pane
from .clicks import Clicks
from .columns import Columns
from .menu import panel_menu
from .names import LEGIBLE, NAMES, TITLES, PanelName
from .pages import EmptyPage, EnlargedPage
from .scales import enlarged_scale, suit
from .state import Spot, State, decoded, encoded
from .tabs import Tabs
from .window import DetachedWindow, first_place

_ROOMIER = 1.4
"""How much larger than its panel a window of its own first is."""


class Workspace(QWidget):
    """Knows where each panel is, and puts it there."""

    changed = Signal()
    """Something is shown, hidden, moved or divided otherwise than before: what is seen may be out of date."""
    window_opened = Signal(object)
    """A DetachedWindow that is about to be shown, and has no keys yet."""
    painted = Signal(float)
    """So many seconds of this thread went into painting windows other than the main one."""

    def __init__(
        self, panels: Mapping[PanelName, Panel | Tabs | Pane], timeline: QWidget, theme: Theme
    ) -> None:
        super().__init__()
        self.enlarged: PanelName | None = None
        self._panels = dict(panels)
        self._timeline, self._theme, self._zoom = timeline, theme, 1.0
        self._hidden: set[PanelName] = set()
        self._windows: dict[PanelName, DetachedWindow] = {}
        self._columns = Columns(theme)
        self._page, self._empty = EnlargedPage(), EmptyPage()
        self._pages, self._rows = QStackedLayout(), QVBoxLayout(self)
        self._clicks = {
            name: Clicks(panel, name, self._on_double_click, self._on_menu_asked)
            for name, panel in self._panels.items()
        }
        self._build_layout()
        self._connect()
        self._arrange()

    @property
    def panels(self) -> tuple[tuple[PanelName, str], ...]:
        """Names and titles of all panels."""
        return tuple((name, TITLES[name]) for name in NAMES)

    def is_hidden(self, name: PanelName) -> bool:
        """The user does not want to see it."""
        return name in self._hidden

    def is_detached(self, name: PanelName) -> bool:
        """It is in a window of its own."""
        return name in self._windows

    def is_folded(self, name: PanelName) -> bool:
        """It is wanted, but there is no room for it at a legible size."""
        return self._columns.is_folded(name) and self._is_docked(name)

    def window_of(self, name: PanelName) -> QWidget:
        """The window in which the panel is."""
        return self._windows.get(name, self.window())

    def set_hidden(self, name: PanelName, hidden: bool) -> None:
        """Hide a panel wherever it is, or show it again."""
        if hidden == self.is_hidden(name):
            return
        if hidden:
            self._take_in(name)
            self.enlarged = None if self.enlarged == name else self.enlarged
            self._hidden.add(name)
        else:
            self._hidden.discard(name)
            self.enlarged = None
        self._settle()

    def detach(self, name: PanelName) -> None:
        """Give a panel a window of its own."""
        if self.is_detached(name):
            return
        size = self._columns.room(name).expandedTo(self._panels[name].sizeHint()) * _ROOMIER
        self._open_window(name, first_place(size, self.window().frameGeometry()), full_screen=False)
        self._settle()

    def dock(self, name: PanelName) -> None:
        """Take a panel back from its own window."""
        if self.is_detached(name):
            self._take_in(name)
            self._settle()

    def enlarge(self, name: PanelName | None) -> None:
        """Let one panel fill the place of all; None: all again, side by side."""
        if name == self.enlarged:
            return
        if name is not None:
            self._take_in(name)
            self._hidden.discard(name)
        self.enlarged = name
        self._settle()

    def leave(self) -> bool:
        """What Esc does here: all panels again, if one is enlarged. Says whether there was anything to do."""
        if self.enlarged is None:
            return False
        self.enlarge(None)
        return True

    def reset(self) -> None:
        """All panels side by side, as at the first start."""
        for name in NAMES:
            self._take_in(name)
        self._hidden.clear()
        self.enlarged = None
        self._columns.set_shares({})
        self._settle()

    def state(self) -> str:
        """Everything that is remembered, as text."""
        spots = {name: window.spot for name, window in self._windows.items()}
        hidden = [name for name in NAMES if name in self._hidden]
        tab, shares = self._tabs.wanted, self._columns.shares
        return encoded(State(1, hidden, spots, self.enlarged, tab, shares))

    def restore(self, text: str) -> None:
        """Put everything as the text says; a text that cannot be read changes nothing."""
        state = decoded(text)
        if state is None:
            return
        self.reset()
        self._columns.set_shares(state.shares)
        self._tabs.show_title(state.tab)
        self._hidden.update(state.hidden)
        for name, spot in state.detached.items():
            if name not in self._hidden:
                self._open_at(name, spot)
        if state.enlarged not in (*self._hidden, *self._windows):
            self.enlarged = state.enlarged
        self._settle()

    def close_windows(self) -> None:
        """Take all panels in, because the main window closes."""
        for name in NAMES:
            self._take_in(name)
        self._arrange()

    def set_theme(self, theme: Theme, zoom: float = 1.0) -> None:
        """Other colours or another scale, `zoom` being what the user has enlarged everything by."""
        self._theme, self._zoom = theme, zoom
        self._rows.setSpacing(round(theme.px(8)))
        self._columns.set_theme(theme)
        self._arrange()

    def watch(self, pane: QWidget) -> None:
        """A double click on this part of the stage enlarges the stage, too."""
        self._clicks["stage"].watch(pane)

    @property
    def _tabs(self) -> Tabs:
        tabs = self._panels["stage"]
        assert isinstance(tabs, Tabs)
        return tabs

    def _build_layout(self) -> None:
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.addLayout(self._pages, 1)
        # only now: the first page is shown at once, and without a parent it would be a window
        for page in (self._columns, self._page, self._empty):
            self._pages.addWidget(page)

    def _connect(self) -> None:
        self._columns.dragged.connect(self.changed)
        self._columns.resized.connect(self._dress)
        self._columns.enlarge_asked.connect(self.enlarge)
        self._tabs.shown.connect(self.changed)
        self._page.back_asked.connect(self._on_back_asked)
        self._empty.back_asked.connect(self.reset)

    def _is_docked(self, name: PanelName) -> bool:
        return name not in self._hidden and name not in self._windows and name != self.enlarged

    def _settle(self) -> None:
        self._arrange()
        # a button that is only the next in line must not get the keys because what had them has moved
        at_home = self._tabs.isVisibleTo(self.window()) and not self.is_detached("stage")
        (self._tabs.current if at_home else self).setFocus()
        self.changed.emit()

    def _arrange(self) -> None:
        """Put every panel where it belongs, at the scale that suits it there."""
        docked = {name for name in NAMES if self._is_docked(name)}
        if self.enlarged is not None:
            self._show_enlarged(self.enlarged)
        for name in NAMES:
            if name in docked or name in self._hidden:
                self._columns.take(name, self._panels[name])
        alone = self.enlarged is not None
        self._columns.show_only(docked, self.height())
        page = self._page if alone else self._columns if docked else self._empty
        self._pages.setCurrentWidget(page)
        self._place_timeline(below_all=page is not self._columns)
        self._dress()

    def _show_enlarged(self, name: PanelName) -> None:
        panel = self._panels[name]
        if panel.parentWidget() is not self._page:
            self._page.take(panel)
        self._page.set_title(TITLES[name])

    def _place_timeline(self, below_all: bool) -> None:
        """Under the middle column, or under everything where that is not there."""
        if not below_all and self._columns.take_timeline(self._timeline):
            return
        if self._timeline.parentWidget() is not self:
            self._rows.addWidget(self._timeline)
            self._timeline.show()

    def _dress(self) -> None:
        """Give every panel the theme at the scale that suits it where it is."""
        for name in NAMES:
            if name in self._windows:
                self._dress_window(name)
            elif name == self.enlarged:
                self._dress_enlarged(name)
            elif self.enlarged is None:
                wide, high = (round(self._theme.px(length)) for length in LEGIBLE[name])
                self._panels[name].setMinimumSize(wide, high)
                suit(self._panels[name], self._theme, self._columns.room(name), self._theme)

    def _dress_enlarged(self, name: PanelName) -> None:
        height = self.height() - self._page.head_height - self._timeline.sizeHint().height()
        scale = enlarged_scale(name, self.width(), height, self._theme.scale)
        theme = self._theme.scaled(scale)
        self._page.dress(self._theme, theme)
        suit(self._panels[name], theme, QSize(self.width(), height), theme)

    def _dress_window(self, name: PanelName) -> None:
        window = self._windows[name]
        theme = window.theme_for(self._theme, self._zoom)
        window.dress(theme)
        # whoever makes the window small gets a small panel
        self._panels[name].setMinimumSize(1, 1)
        suit(self._panels[name], theme, window.size(), theme)

    def _open_at(self, name: PanelName, spot: Spot) -> None:
        wanted = QRect(spot.x, spot.y, spot.width, spot.height)
        usual = self._panels[name].sizeHint()
        self._open_window(name, safe_rect(wanted, available_screens(), usual), spot.full_screen)

    def _open_window(self, name: PanelName, rect: QRect, full_screen: bool) -> None:
        self._hidden.discard(name)
        self.enlarged = None if self.enlarged == name else self.enlarged
        window = self._windows[name] = DetachedWindow(name)
        window.closed.connect(self.dock)
        window.resized.connect(self._dress)
        window.painted.connect(self.painted)
        window.take(self._panels[name])
        (self._tabs.current if name == "stage" else window).setFocus()
        window.resize(rect.size())
        self._dress_window(name)
        self.window_opened.emit(window)
        window.open_at(rect, full_screen)

    def _take_in(self, name: PanelName) -> None:
        window = self._windows.pop(name, None)
        if window is not None:
            self._columns.take(name, self._panels[name])
            window.vanish()

    def _on_double_click(self, name: PanelName) -> None:
        if self.is_detached(name):
            self._windows[name].toggle_full_screen()
        else:
            self.enlarge(None if self.enlarged == name else name)

    def _on_menu_asked(self, name: PanelName, where: QPoint) -> None:
        panel_menu(self, name).popup(where)

    def _on_back_asked(self) -> None:
        self.enlarge(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
