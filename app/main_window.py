"""The window: builds the parts and connects them, nothing else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QVBoxLayout, QWidget

from gradviz import presets
from gradviz.config import ConfigError, RunConfig
from gradviz.history import History, Moment

from .appearance import Appearance
from .controls.panel import Panel
from .controls.top_line import TopLine
from .geometry import available_screens, smallest_size
from .hints import Hints
from .keys import sheet
from .motion import is_reduced
from .paint_clock import PaintClock
from .playback import Playback
from .preferences import Preferences
from .pump import Pump, View
from .session import Session
from .stage import Stage
from .status_words import parts_in_words, state_in_words
from .style import style_sheet
from .tab_order import put_in_order
from .theme import Theme
from .views.banner import Banner
from .views.overlay import BlankScreen, KeySheet
from .watching import Watching
from .window_commands import WindowCommands
from .words import as_sentence, run_in_words
from .workspace.missing import Missing
from .workspace.scales import scale_for
from .workspace.window import DetachedWindow, close_active, toggle_full_screen

SMALLEST = QSize(1024, 600)


class MainWindow(QMainWindow):
    """Everything on the screen. It owns the parts; the session owns the run."""

    first_painted = Signal()

    def __init__(self, session: Session, appearance: Appearance, preferences: Preferences) -> None:
        super().__init__()
        self.session, self._appearance, self._preferences = session, appearance, preferences
        self._theme = appearance.theme.scaled(0)
        theme = appearance.theme
        self.playback = Playback(session)
        self.top = TopLine(theme)
        self.transport, self.status = self.top.transport, self.top.status
        self.panel = Panel(theme, session.change)
        self.stage = Stage(theme)
        self.blank = BlankScreen(self)
        self.key_sheet = KeySheet(self, theme, list(sheet()))
        self.hints = Hints(self)
        self._views: tuple[View, ...] = (self, *self.stage.panes)
        self.pump = Pump(session, self.playback, self._views, self.stage.stack.advance)
        self.root, self._rows = QWidget(), QVBoxLayout()
        self._painted = False
        self._build_layout()
        self._watching = Watching(session, self.stage)
        self._connect()
        self.commands = WindowCommands(
            self,
            session,
            self.playback,
            appearance,
            preferences,
            panels=self.stage.workspace,
            tabs=self.stage.tabs,
            pictured=self.root,
            problem=self.show_problem,
            calls=self._calls(),
        )
        self.stage.workspace.window_opened.connect(self.commands.keys.add_window)
        self._set_motion()
        self.panel.experiment.set_open(preferences.experiment_open)
        self._on_session_changed()
        self._on_workspace_changed()
        self._focus_stage()

    def refresh(self, history: History, moment: Moment | None) -> None:
        """Say in the top line and in the timeline which moment is on the screen."""
        state = state_in_words(self.session, moment, self.playback.live)
        parts = parts_in_words(moment, self.pump.steps_per_second, self.playback.live)
        self.status.show_state(state, parts, self.session.playing and self.playback.live)
        self.stage.timeline.refresh(history, moment)

    def refresh_all(self) -> None:
        """Bring every part up to date at once."""
        moment = self.playback.moment()
        for view in self._views:
            view.refresh(self.session.history, moment)
        self.stage.stack.settle()

    def restyle(self) -> None:
        """Use the theme of the appearance, at the scale that suits the window's size and the user."""
        zoom = self._preferences.zoom
        theme = self._appearance.theme.scaled(scale_for(self.width(), self.height()) * zoom)
        if theme == self._theme:
            return
        self._theme = theme
        self.setStyleSheet(style_sheet(theme))
        self.top.show_theme(theme, self._appearance.choice)
        self.key_sheet.set_theme(theme)
        self.banner.set_theme(theme)
        self.stage.set_theme(theme, zoom)
        self._space_out(theme)
        self.hints.place_soon(theme)
        self.pump.mark_stale()

    def restore_workspace(self) -> None:
        """Put the panels where they were when the program was last closed."""
        self.stage.workspace.restore(self._preferences.workspace)

    def show_hints(self) -> None:
        """Put up the bubbles of the first start."""
        self.hints.dismiss()
        self.hints.show(self._theme)

    def show_problem(self, sentence: str) -> None:
        """Say in the banner what went wrong outside of the run."""
        self.banner.say(sentence, can_restart=False, can_default=False)

    def _build_layout(self) -> None:
        self.root.setObjectName("root")
        self._rows.addWidget(self.top)
        self._rows.addLayout(self.stage.layout(self.panel, self._appearance.theme), 1)
        self.banner = Banner(self.stage.workspace, self._appearance.theme)
        self.root.setLayout(self._rows)
        self.setCentralWidget(self.root)
        self.setWindowTitle("gradviz")
        self.setMinimumSize(smallest_size(SMALLEST, available_screens()))
        self.setAcceptDrops(True)

    def _space_out(self, theme: Theme) -> None:
        margin = round(theme.px(10))
        self._rows.setContentsMargins(margin, margin, margin, margin)
        self._rows.setSpacing(round(theme.px(8)))

    def _connect(self) -> None:
        session, playback, transport, stage = self.session, self.playback, self.transport, self.stage
        transport.play_toggled.connect(self._on_play_toggled)
        transport.micro_batch_asked.connect(playback.forward)
        transport.step_asked.connect(playback.forward_a_step)
        transport.restart_asked.connect(session.restart)
        transport.speed.chosen.connect(session.set_speed)
        for pane in (stage.stack, stage.weights, stage.heatmap, stage.boundary):
            pane.clicked.connect(self._focus_stage)
        stage.loss.twin_toggled.connect(self._on_twin_toggled)
        stage.verdict.resync_requested.connect(session.resync)
        stage.code.scaling_toggled.connect(session.toggle_scaling)
        stage.workspace.changed.connect(self._on_workspace_changed)
        stage.workspace.painted.connect(self.pump.add_painting)
        PaintClock(self).painted.connect(self._on_painted)
        stage.timeline.moved.connect(playback.go_to)
        stage.timeline.live_asked.connect(playback.go_live)
        playback.changed.connect(self._on_playback_changed)
        self.panel.experiment.preset_chosen.connect(self._on_preset_chosen)
        self.panel.experiment.fold_toggled.connect(self._on_fold_toggled)
        self.top.theme_button.clicked.connect(self._on_theme_clicked)
        self._appearance.changed.connect(self.restyle)
        self.banner.restart_asked.connect(session.restart)
        self.banner.default_asked.connect(session.start_default)
        session.changed.connect(self._on_session_changed)
        for slot in (self.banner.hide, self.panel.experiment.show_start, self._on_session_changed):
            session.run_started.connect(slot)
        session.run_ended.connect(self._on_run_ended)
        playback.said.connect(self._on_said)

    def _calls(self) -> dict[str, Callable[[], object]]:
        """What the window does itself of the commands."""
        return {
            "toggle_play": self._on_play_toggled,
            "toggle_full_screen": partial(toggle_full_screen, self),
            "toggle_blank": self.blank.toggle,
            "toggle_keys": self.key_sheet.toggle,
            "show_hints": self.show_hints,
            "leave": self._leave,
            "close": self.close,
            "close_window": partial(close_active, self),
            "restyle": self.restyle,
            "set_motion": self._set_motion,
        }

    def _set_motion(self) -> None:
        self.stage.stack.reduced_motion = is_reduced(self._preferences.motion)

    def _on_play_toggled(self) -> None:
        if self.session.playing:
            self.session.pause()
        else:
            self.session.play()

    def _on_session_changed(self) -> None:
        config = self.session.config
        self.panel.show_config(config)
        self.transport.show_config(config)
        self.transport.show_playing(self.session.playing)
        self.transport.speed.show_speed(self.session.speed)
        self.stage.loss.set_twin(config.twin)
        self.setWindowTitle(f"gradviz – {self.panel.experiment.preset_title or run_in_words(config)}")

    def _on_said(self, sentence: str) -> None:
        if self.session.failure is None:
            self.banner.hide()
        self.status.say(sentence)

    def _on_playback_changed(self) -> None:
        self.stage.timeline.show_place(self.playback.index, self.playback.live)

    def _on_run_ended(self) -> None:
        failure = self.session.failure
        if failure is not None:
            changed = self.session.fell_back or self.session.config != RunConfig.of({})
            after = " The run before and its settings are still there." if self.session.fell_back else ""
            self.banner.say(as_sentence(failure.sentence) + after, can_restart=True, can_default=changed)

    def _on_preset_chosen(self, name: str) -> None:
        preset = presets.load(name)
        try:
            self.session.start(RunConfig.of(preset.settings))
        except ConfigError as error:
            self.panel.experiment.refuse_preset(str(error))
        else:
            self.session.said.emit(f"new run: {preset.title}")
            self._focus_stage()

    def _on_twin_toggled(self, shown: bool) -> None:
        self.session.change(twin=shown)

    def _on_fold_toggled(self, is_open: bool) -> None:
        self._preferences.experiment_open = is_open

    def _on_theme_clicked(self) -> None:
        self._appearance.choose_next()
        self._preferences.theme = self._appearance.choice

    def _on_workspace_changed(self) -> None:
        stage = self.stage
        right = (stage.verdict, *stage.workspace.findChildren(Missing), stage.code)
        put_in_order(self, (self.top, self.panel, stage.tabs, stage.loss, stage.timeline, *right))
        self.pump.mark_stale()

    def _focus_stage(self) -> None:
        self.stage.take_focus()

    def _leave(self) -> None:
        """Leave what is innermost: a sheet, the focus, then the full screen."""
        self.hints.dismiss()
        for overlay in (self.blank, self.key_sheet, self.banner):
            if overlay.isVisible():
                overlay.hide()
                return
        active = QApplication.activeWindow()
        if isinstance(active, DetachedWindow):
            active.leave()
        elif self.stage.workspace.leave():
            return
        elif QApplication.focusWidget() not in (None, self, self.stage.tabs.current):
            self._focus_stage()
        elif self.isFullScreen():
            self.showNormal()

    def _on_painted(self, seconds: float) -> None:
        self.pump.add_painting(seconds)
        if not self._painted:
            self._painted = True
            self.first_painted.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.commands.files.consider(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.commands.files.take(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.restyle()
        self.hints.place_soon(self._theme)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._preferences.geometry = self.saveGeometry()
        self._preferences.workspace = self.stage.workspace.state()
        self.hide()
        self.commands.files.stop()
        self.stage.workspace.close_windows()
        self.hints.dismiss()
        self.pump.stop()
        self.session.stop()
        event.accept()
