"""Somebody who does anything at all to the window, drawn by lot but always the same for the same seed."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from own_files import GOOD
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QDragEnterEvent,
    QDropEvent,
    QHelpEvent,
    QKeySequence,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QSplitterHandle,
    QWidget,
)

from gradviz_app.about import About
from gradviz_app.keys import BINDINGS
from gradviz_app.main_window import MainWindow
from gradviz_app.workspace.window import DetachedWindow

NONSENSE = (
    "",
    " ",
    "abc",
    "-1",
    "0",
    "1e999",
    "nan",
    "inf",
    "٣",
    "²",
    "½",
    "9" * 40,
    "3.5",
    "1_0",
    "0x10",
    "🙂",
    "1,5",
)
GOOD_VALUES = {
    "batch": ("16", "32", "12", "1"),
    "seed": ("0", "1", "7"),
    "card": ("64 KiB", "1MiB", "200000"),
    "width": ("4", "8", "2"),
    "depth": ("1", "2", "3"),
    "threads": ("1", "2"),
    "device": ("cpu", "auto"),
}
RATES = ("0.5", "0.1", "0.05", "1", "10", "0.0001", "1e-7", ".25")
ASIDE = frozenset({"close", "close_window", "open_preset", "save_preset", "open_task", "show_about"})
"""Commands that open something else."""
LEFT = Qt.MouseButton.LeftButton

_HEAD = 'title = "Mine"\nabout = "For me."\n\n[run]\n'
_TINY = "batch = 16\nmicro_batches = 4\n"
_FILES = {
    "good.toml": f'{_HEAD}{_TINY}width = 4\nprecision = "float64"\n',
    "uneven.toml": f"{_HEAD}sizes = [4, 4, 2]\nwidth = 4\n",
    "damaged.toml": f"{_HEAD}batch = \n",
    "wrong.toml": f'{_HEAD}batch = "many"\n',
    "unopened.toml": f'{_HEAD}task = "somewhere.py:make"\n',
    "broken.py": "def make(:\n",
    "empty.py": "",
    "note.txt": "nothing",
}
MISSING = "missing.toml"


class Somebody:
    """Acts on the window that is handed in. `did` are the last things that were done."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.dice = random.Random(seed)
        self.did: deque[str] = deque(maxlen=15)
        self.folder = folder
        self.window: MainWindow
        for name, text in _FILES.items():
            (folder / name).write_text(text, "utf-8")
        self._acts = [(weight, getattr(self, name)) for name, weight in _WEIGHTS.items()]

    def act(self) -> None:
        """Do something, and let the program go on a little."""
        weights, acts = zip(*self._acts, strict=True)
        (act,) = self.dice.choices(acts, weights)
        self.note(act.__name__)
        act()
        QApplication.processEvents()
        # which else waits for a loop of events to come
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def note(self, words: str) -> None:
        """Write down what is done."""
        self.did.append(words)

    def choose_n(self) -> None:
        """Another N, by slider or typed."""
        self._slide_or_type(self.window.panel.n, ("1", "2", "3", "4", "5", "8", "16"))

    def choose_rate(self) -> None:
        """Another learning rate."""
        self._slide_or_type(self.window.panel.learning_rate, RATES)

    def choose_scaling(self) -> None:
        """Another scaling."""
        slider = self.window.panel.scaling.slider
        self._click(slider, self._point(slider))

    def choose_speed(self) -> None:
        """Another speed, the fastest more often."""
        slider = self.window.transport.speed.slider
        slider.setValue(self.dice.choice([*range(slider.maximum() + 1), slider.maximum()]))
        self.note(f"speed stop {slider.value()}")

    def edit_experiment(self) -> None:
        """Another value in the form, good or nonsense."""
        name, field = self.dice.choice(list(self.window.panel.experiment.fields.items()))
        if isinstance(field.editor, QComboBox):
            self._pick(field.editor, name)
        else:
            good = self.dice.random() < 0.6
            self._type(field.editor, self.dice.choice(GOOD_VALUES[name] if good else NONSENSE), name)

    def make_it_small(self) -> None:
        """A run that takes no time, in double precision."""
        self.window.session.change(batch=16, micro_batches=4, lanes="both", precision="float64")
        self.window.session.change(scaling=self.dice.choice(["mean", "samples"]), lr=0.5)

    def watch_a_window(self) -> None:
        """A whole window, with nothing else done meanwhile: it must come on the screen."""
        session, playback = self.window.session, self.window.playback
        if not session.running:
            session.restart()
        playback.go_live()
        self._wait(lambda: playback.moment() is not None and session.history.run is not None)
        session.one_step()
        self._wait(lambda: self._is_whole() or not session.running)

    def let_it_run(self) -> None:
        """As fast as it goes, for some steps."""
        session = self.window.session
        self.window.transport.speed.slider.setValue(self.window.transport.speed.slider.maximum())
        if not session.playing:
            self.window.transport.play.click()
        before, history = session.history.steps, session.history
        self._wait(
            lambda: (
                session.history.steps >= before + 5 or session.history is not history or not session.running
            )
        )

    def choose_preset(self) -> None:
        """A preset that ships."""
        experiment = self.window.panel.experiment
        experiment.set_open(self.dice.random() < 0.7)
        self._pick(experiment.preset, "preset")

    def press_a_key(self) -> None:
        """A command by its key, wherever the keyboard is."""
        binding = self.dice.choice([each for each in BINDINGS if each.keys and each.action not in ASIDE])
        self._press(self.dice.choice(binding.keys))

    def step(self) -> None:
        """On and on, as one does most."""
        key = self.dice.choice(
            ["Right", "Right", "Shift+Right", "Space", "Left", "End", "Ctrl+Z", "Ctrl+Y", "U"]
        )
        self._press(key)

    def press_a_button(self) -> None:
        """One of the buttons at the top."""
        transport = self.window.transport
        buttons = (transport.play, transport.play, transport.micro_batch, transport.step, transport.restart)
        button = self.dice.choice([*buttons, self.window.stage.timeline.live])
        if button.isVisible():
            self._click(button, button.rect().center())

    def use_a_menu(self) -> None:
        """An entry of a menu, or of one in it."""
        menu = self.dice.choice(list(self.window.commands.menus.menus.values()))
        menu.popup(self.window.mapToGlobal(QPoint(5, 5)))
        action = self._entry(menu)
        self.note(f"menu entry {action.text() if action else None!r}")
        menu.close()
        if action is not None and action.objectName() not in ASIDE:
            action.trigger()

    def use_a_panels_menu(self) -> None:
        """What a right click offers."""
        pane = self._pane()
        point = self._point(pane)
        where = pane.mapToGlobal(point)
        QApplication.sendEvent(pane, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, where))
        menu = QApplication.activePopupWidget()
        if not isinstance(menu, QMenu):
            return
        action = self._entry(menu)
        self.note(f"panel's menu entry {action.text() if action else None!r}")
        if action is not None:
            action.trigger()
        menu.close()

    def double_click(self) -> None:
        """A double click somewhere."""
        pane = self._pane()
        QTest.mouseDClick(pane, LEFT, pos=self._point(pane))

    def click(self) -> None:
        """A click somewhere, on whatever is there."""
        pane = self._pane()
        point = self._point(pane)
        child = pane.childAt(point)
        self._click(child or pane, child.mapFrom(pane, point) if child else point)
        if QApplication.activePopupWidget() is not None:
            QApplication.activePopupWidget().close()

    def hover(self) -> None:
        """The pointer comes by, rests, and goes."""
        pane = self._pane()
        for _ in range(2):
            self._move(pane, self._point(pane), Qt.MouseButton.NoButton)
        if self.dice.random() < 0.3:
            point = self._point(pane)
            QApplication.sendEvent(pane, QHelpEvent(QEvent.Type.ToolTip, point, pane.mapToGlobal(point)))
        if self.dice.random() < 0.5:
            QApplication.sendEvent(pane, QEvent(QEvent.Type.Leave))

    def turn_the_wheel(self) -> None:
        """Scroll over something."""
        pane = self._pane()
        point = QPointF(self._point(pane))
        turn = QPoint(0, self.dice.choice([-120, 120]))
        none, phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
        glob = QPointF(pane.mapToGlobal(point))
        event = QWheelEvent(point, glob, QPoint(), turn, Qt.MouseButton.NoButton, none, phase, False)
        QApplication.sendEvent(pane.childAt(point.toPoint()) or pane, event)

    def look_back(self) -> None:
        """To some moment, by the timeline."""
        slider = self.window.stage.timeline.slider
        if slider.isVisible():
            self._click(slider, self._point(slider))

    def choose_a_tab(self) -> None:
        """Another tab."""
        bar = self.window.stage.tabs.bar
        if bar.isVisible():
            index = self.dice.randrange(bar.count())
            self.note(f"tab {bar.tabText(index)}")
            self._click(bar, bar.tabRect(index).center())

    def choose_a_layer(self) -> None:
        """Another layer of the heatmap."""
        self._pick(self.window.stage.heatmap.choice, "layer")

    def sort_the_layers(self) -> None:
        """By another column."""
        header = self.window.stage.layers.table.horizontalHeader()
        if header.isVisible() and header.count():
            section = self.dice.randrange(header.count())
            x = header.sectionViewportPosition(section) + header.sectionSize(section) // 2
            view = header.viewport()
            if view.rect().contains(x, view.height() // 2):
                self._click(view, QPoint(x, view.height() // 2))

    def toggle_the_twin(self) -> None:
        """Where there is a switch for it."""
        if self.window.stage.loss._twin.isVisible():
            self.window.stage.loss._twin.click()

    def drag_a_border(self) -> None:
        """Divide the panels otherwise."""
        grips = [grip for grip in self.window.findChildren(QSplitterHandle) if grip.isVisible()]
        if grips:
            grip = self.dice.choice(grips)
            begin, by = (
                grip.rect().center(),
                QPoint(self.dice.randint(-300, 300), self.dice.randint(-300, 300)),
            )
            self._mouse(grip, QEvent.Type.MouseButtonPress, begin, LEFT)
            for part in (begin + by / 2, begin + by):
                self._move(grip, part, LEFT)
            self._mouse(grip, QEvent.Type.MouseButtonRelease, begin + by, LEFT)

    def drag_a_slider(self) -> None:
        """N, while the button is held."""
        slider = self.window.panel.n.slider
        self._mouse(slider, QEvent.Type.MouseButtonPress, self._point(slider), LEFT)
        for _ in range(3):
            self._move(slider, self._point(slider), LEFT)
        self._mouse(slider, QEvent.Type.MouseButtonRelease, self._point(slider), LEFT)

    def resize(self) -> None:
        """Another size, from the least to a large screen's."""
        least = self.window.minimumSize()
        width, height = self.dice.randint(least.width(), 1920), self.dice.randint(least.height(), 1080)
        self.note(f"{width} × {height}")
        if not self.window.isFullScreen():
            self.window.resize(width, height)

    def use_a_detached_window(self) -> None:
        """Resize it, fill the screen, press a key in it, or close it."""
        windows = [each for each in QApplication.topLevelWidgets() if isinstance(each, DetachedWindow)]
        for window in [each for each in windows if each.isVisible()][:1]:
            what = self.dice.choice(["resize", "close", "full", "leave", "key"])
            self.note(f"{window.name} {what}")
            if what == "resize":
                window.resize(self.dice.randint(200, 1000), self.dice.randint(140, 800))
            elif what == "close":
                window.close()
            elif what == "key":
                QTest.keyClick(window, self.dice.choice([Qt.Key.Key_Right, Qt.Key.Key_U, Qt.Key.Key_F11]))
            else:
                (window.toggle_full_screen if what == "full" else window.leave)()

    def press_the_theme_button(self) -> None:
        """The next theme."""
        self._click(self.window.top.theme_button, self.window.top.theme_button.rect().center())

    def drop_a_file(self) -> None:
        """Drag a file over the window and let it go."""
        path = self._file()
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        actions, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
        entered = QDragEnterEvent(QPoint(5, 5), actions, data, LEFT, none)
        entered.ignore()
        QApplication.sendEvent(self.window, entered)
        if entered.isAccepted():
            QApplication.sendEvent(self.window, QDropEvent(QPointF(5, 5), actions, data, LEFT, none))

    def use_a_file_dialog(self) -> None:
        """Open it, and leave it or name a file that is good, damaged or not there."""
        command = self.dice.choice(["open_preset", "save_preset", "open_task"])
        self.window.commands.keys.actions[command].trigger()
        for dialog in filter(QWidget.isVisible, self.window.findChildren(QFileDialog)):
            if self.dice.random() < 0.4:
                self.note(f"{command} left")
                dialog.reject()
            else:
                path = self.folder / "saved.toml" if command == "save_preset" else self._file()
                self.note(f"{command} {path.name}")
                self._name_in(dialog, path)

    def look_at_about(self) -> None:
        """What the program is made of."""
        self.window.commands.keys.actions["show_about"].trigger()
        for about in filter(QWidget.isVisible, self.window.findChildren(About)):
            about.copy.click()
            self.dice.choice([about.close, about.reject, about.close_it.click])()

    def answer_the_banner(self) -> None:
        """One of its buttons."""
        banner = self.window.banner
        choices = [each for each in (banner.restart, banner.default, banner.close_it) if each.isVisible()]
        if choices:
            self.dice.choice(choices).click()

    def open_a_task(self) -> None:
        """One of one's own, which takes a second."""
        path = self.folder / "own.py"
        path.write_text(GOOD, "utf-8")
        self.note("own task")
        self.window.commands.files.open_file(str(path))

    def _is_whole(self) -> bool:
        moment = self.window.playback.moment()
        return moment is not None and (moment.compared is not None or moment.run.config.lanes == "full")

    def _wait(self, until: Callable[[], bool]) -> None:
        """The pump and the worker have their turn until it is so."""
        end_s = time.monotonic() + 5.0
        while not until():
            if time.monotonic() > end_s:
                session, words = self.window.session, self.window.status.words
                raise TimeoutError(f"it is stuck at {words!r}: {session.config}, {session.ahead} ahead")
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
            time.sleep(0.001)

    def _slide_or_type(self, part: QWidget, good: tuple[str, ...]) -> None:
        if self.dice.random() < 0.4:
            self._click(part.slider, self._point(part.slider))
        else:
            words = self.dice.choice(good if self.dice.random() < 0.7 else NONSENSE)
            self._type(part.entry, words, type(part).__name__)

    def _type(self, entry: QLineEdit, words: str, name: str) -> None:
        entry.setFocus()
        if not entry.hasFocus():
            # it is out of sight, or cannot be used now
            return
        self.note(f"{name}: {words!r}")
        entry.selectAll()
        if words:
            entry.insert(words)
        else:
            QTest.keyClick(entry, Qt.Key.Key_Delete)
        if self.dice.random() < 0.9:
            QTest.keyClick(entry, Qt.Key.Key_Return)

    def _pick(self, box: QComboBox, name: str) -> None:
        if box.count() and box.isEnabled():
            index = self.dice.randrange(box.count())
            self.note(f"{name}: {box.itemText(index)}")
            box.setCurrentIndex(index)
            box.activated.emit(index)

    def _press(self, keys: str) -> None:
        self.note(keys)
        where = QApplication.focusWidget() or self.window
        QTest.keySequence(where, QKeySequence(keys))

    def _entry(self, menu: QMenu) -> QAction | None:
        """One of the entries that can be chosen."""
        while True:
            entries = [each for each in menu.actions() if each.isEnabled() and each.isVisible()]
            entries = [each for each in entries if not each.isSeparator()]
            if not entries:
                return None
            action = self.dice.choice(entries)
            if not isinstance(action.menu(), QMenu):
                return action
            menu = action.menu()

    def _pane(self) -> QWidget:
        """A part of the screen that can be seen."""
        window = self.window
        panes = [*window.stage.panes, window.panel, window.stage.tabs, window.stage.timeline, window.top]
        return self.dice.choice([pane for pane in panes if pane.isVisible()] or [window])

    def _point(self, widget: QWidget) -> QPoint:
        return QPoint(
            self.dice.randrange(max(1, widget.width())), self.dice.randrange(max(1, widget.height()))
        )

    def _file(self) -> Path:
        path = self.folder / self.dice.choice([*_FILES, MISSING, "good.toml"])
        self.note(path.name)
        return path

    def _name_in(self, dialog: QFileDialog, path: Path) -> None:
        entry = dialog.findChild(QLineEdit, "fileNameEdit")
        assert entry is not None
        entry.setText(str(path))
        # Qt asks whether a file is to be replaced, or says that it is not there, and waits for an answer
        asker = QTimer(dialog)
        asker.timeout.connect(_answer)
        asker.start(10)
        QTest.keyClick(entry, Qt.Key.Key_Return)
        asker.stop()
        if dialog.isVisible():
            dialog.reject()

    def _click(self, widget: QWidget, point: QPoint) -> None:
        QTest.mouseClick(widget, LEFT, pos=point)

    def _move(self, widget: QWidget, point: QPoint, button: Qt.MouseButton) -> None:
        self._mouse(widget, QEvent.Type.MouseMove, point, button)

    def _mouse(self, widget: QWidget, kind: QEvent.Type, point: QPoint, button: Qt.MouseButton) -> None:
        own = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
        held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
        place = QPointF(point)
        event = QMouseEvent(kind, place, widget.mapToGlobal(place), own, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(widget, event)


def _answer() -> None:
    box = QApplication.activeModalWidget()
    if isinstance(box, QMessageBox):
        QTest.keyClick(box, Qt.Key.Key_Return)


_WEIGHTS: dict[str, float] = {
    "choose_n": 8,
    "choose_rate": 4,
    "choose_scaling": 6,
    "choose_speed": 6,
    "edit_experiment": 10,
    "make_it_small": 8,
    "watch_a_window": 3,
    "let_it_run": 3,
    "choose_preset": 2,
    "press_a_key": 8,
    "step": 20,
    "press_a_button": 10,
    "use_a_menu": 5,
    "use_a_panels_menu": 3,
    "double_click": 2,
    "click": 6,
    "hover": 8,
    "turn_the_wheel": 3,
    "look_back": 4,
    "choose_a_tab": 5,
    "choose_a_layer": 3,
    "sort_the_layers": 4,
    "toggle_the_twin": 3,
    "drag_a_border": 2,
    "drag_a_slider": 3,
    "resize": 1,
    "use_a_detached_window": 3,
    "press_the_theme_button": 1,
    "drop_a_file": 3,
    "use_a_file_dialog": 1,
    "look_at_about": 0.5,
    "answer_the_banner": 3,
}
