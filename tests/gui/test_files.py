"""Presets and tasks in files: by dialog, from the recent ones, dropped on the window."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_run import fake_run
from PySide6.QtCore import QMimeData, QPoint, QSettings, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid
from windows import CONFIG, until

from gradviz import presets, tasks
from gradviz.config import ConfigError, RunConfig
from gradviz_app.files import Files
from gradviz_app.preferences import Preferences
from gradviz_app.session import Session
from gradviz_app.task_reader import TaskReader

PRESET = 'title = "Mine"\nabout = "For me."\n\n[run]\nmicro_batches = 16\n'
TWO = "".join(f"def {name}:\n    pass\n\n\n" for name in ("one()", "two(n=3)", "_hidden()", "needs(this)"))


class Opener:
    """Opens tasks as the engine does, without a process: at once, or when a test lets it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.holds = threading.Event()
        self.holds.set()
        self.error: Exception | None = None

    def __call__(self, address: str, cancelled: Callable[[], bool]) -> tasks.Task:
        self.asked.append(address)
        while not self.holds.wait(0.005):
            if cancelled():
                raise RuntimeError("called off")
        if self.error is not None:
            raise self.error
        return tasks.find("digits")


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    session = Session(CONFIG, fake_run)
    session.start(CONFIG)
    yield session
    session.stop()


@pytest.fixture
def preferences() -> Preferences:
    return Preferences(QSettings("preferences.ini", QSettings.Format.IniFormat))


@pytest.fixture
def problems() -> list[str]:
    return []


@pytest.fixture
def said(session: Session) -> list[str]:
    sentences: list[str] = []
    session.said.connect(sentences.append)
    return sentences


@pytest.fixture
def opener() -> Opener:
    return Opener()


@pytest.fixture
def files(
    qtbot: QtBot, session: Session, preferences: Preferences, problems: list[str], opener: Opener
) -> Iterator[Files]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 400)
    window.show()
    files = Files(window, session, preferences, problems.append, TaskReader(window, opener))
    yield files
    files.stop()


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(PRESET, "utf-8")
    return path


def shown_dialog(files: Files, kind: type[QFileDialog | QInputDialog]) -> QFileDialog | QInputDialog:
    window = files.parent()
    assert isinstance(window, QWidget)
    (dialog,) = window.findChildren(kind)
    assert dialog.isVisible()
    return dialog


def choose(files: Files, path: Path, qtbot: QtBot) -> None:
    """Type the path into the dialog and press Enter."""
    dialog = shown_dialog(files, QFileDialog)
    entry = dialog.findChild(QLineEdit, "fileNameEdit")
    assert entry
    entry.setText(str(path))
    qtbot.keyClick(entry, Qt.Key.Key_Return)
    until(qtbot, lambda: not isValid(dialog))


def dropped(files: Files, *paths: Path) -> bool:
    """Drag the files over the window and let them go; whether they were accepted."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    actions, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    entered = QDragEnterEvent(QPoint(5, 5), actions, data, button, Qt.KeyboardModifier.NoModifier)
    entered.ignore()
    files.consider(entered)
    if entered.isAccepted():
        event = QDropEvent(QPoint(5, 5), actions, data, button, Qt.KeyboardModifier.NoModifier)
        files.take(event)
    return entered.isAccepted()


def test_that_a_preset_is_opened_by_dialog(
    files: Files, session: Session, preferences: Preferences, said: list[str], mine: Path, qtbot: QtBot
) -> None:
    files.open_preset()
    choose(files, mine, qtbot)
    assert session.config == RunConfig.of({"micro_batches": 16})
    assert said == ["new run: Mine"]
    assert preferences.recent == (str(mine),)


def test_that_a_dialog_that_is_left_changes_nothing(files: Files, session: Session, qtbot: QtBot) -> None:
    files.open_preset()
    dialog = shown_dialog(files, QFileDialog)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    until(qtbot, lambda: not isValid(dialog))
    assert session.config == CONFIG


def test_that_the_settings_are_saved_and_come_back(
    files: Files, session: Session, preferences: Preferences, said: list[str], tmp_path: Path, qtbot: QtBot
) -> None:
    session.change(sizes=(4, 4, 2), optimizer="adam")
    kept = session.config
    files.save_preset()
    # without the ending, which is added
    choose(files, tmp_path / "kept", qtbot)
    assert said[-1] == "saved as kept.toml"
    assert preferences.recent == (str(tmp_path / "kept.toml"),)
    assert presets.load(tmp_path / "kept.toml").title == "kept"
    session.start(CONFIG)
    files.open_recent(str(tmp_path / "kept.toml"))
    assert session.config == kept


def test_that_a_place_that_cannot_be_written_is_a_sentence(
    files: Files, preferences: Preferences, problems: list[str], tmp_path: Path
) -> None:
    files.save_to(str(tmp_path / "nowhere" / "kept.toml"))
    (sentence,) = problems
    assert sentence.endswith("cannot be written: No such file or directory.")
    assert preferences.recent == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (PRESET + "colour = 1\n", "unknown setting 'colour'"),
        ("", "title is missing"),
        (PRESET + 'task = "mine.py:make"\n', "task"),
    ],
)
def test_that_a_preset_that_cannot_be_used_is_a_sentence_and_changes_nothing(
    files: Files,
    session: Session,
    preferences: Preferences,
    problems: list[str],
    opener: Opener,
    mine: Path,
    text: str,
    sentence: str,
) -> None:
    # a task that a preset names is never run for that
    mine.with_name("mine.py").write_text("raise SystemExit\n", "utf-8")
    mine.write_text(text, "utf-8")
    files.open_file(str(mine))
    (problem,) = problems
    assert sentence in problem
    assert "mine.toml" in problem
    assert (session.config, preferences.recent, opener.asked) == (CONFIG, (), [])


def test_that_the_recent_ones_are_newest_first_and_each_once(
    files: Files, preferences: Preferences, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{n}.toml" for n in range(10)]
    for path in [*paths, paths[4]]:
        path.write_text(PRESET, "utf-8")
        files.open_file(str(path))
    assert preferences.recent == tuple(str(paths[n]) for n in (4, 9, 8, 7, 6, 5, 3, 2))
    *entries, clear = files.recent_entries()
    assert [entry.text[-6:] for entry in entries] == ["4.toml", *(f"{n}.toml" for n in (9, 8, 7, 6, 5, 3, 2))]
    clear.call()
    assert preferences.recent == ()
    assert files.recent_entries() == []


def test_that_a_recent_file_that_has_gone_is_taken_off_the_list(
    files: Files, session: Session, preferences: Preferences, problems: list[str], mine: Path
) -> None:
    files.open_file(str(mine))
    session.start(CONFIG)
    mine.unlink()
    files.recent_entries()[0].call()
    assert problems == [f"{mine} is not there any more; it was taken off the list."]
    assert (preferences.recent, session.config) == ((), CONFIG)


def test_that_a_preset_is_dropped_on_the_window(files: Files, session: Session, mine: Path) -> None:
    assert dropped(files, mine)
    assert session.config.micro_batches == 16


def test_that_other_things_are_not_taken(files: Files, session: Session, mine: Path, tmp_path: Path) -> None:
    assert not dropped(files, tmp_path / "picture.png")
    assert not dropped(files, mine, mine)
    assert not dropped(files)
    assert session.config == CONFIG


def test_that_a_file_with_one_function_is_read_at_once(
    files: Files, session: Session, opener: Opener, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "net.py"
    path.write_text("def make():\n    raise SystemExit\n", "utf-8")
    session.change(seed=5)
    history = session.history
    assert dropped(files, path)
    assert files.reader.waiting
    until(qtbot, lambda: files.reader.waiting is None)
    assert opener.asked == [f"{path}:make"]
    # the opener's task is the one that is trained already: the file may have changed, so it begins anew
    assert session.config.seed == 5
    until(qtbot, lambda: session.drain() and session.history is not history)


def test_that_the_function_is_chosen_where_there_are_several(
    files: Files, opener: Opener, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "net.py"
    path.write_text(TWO, "utf-8")
    files.open_task()
    choose(files, path, qtbot)
    dialog = shown_dialog(files, QInputDialog)
    assert isinstance(dialog, QInputDialog)
    assert dialog.comboBoxItems() == ["one", "two"]
    dialog.setTextValue("two")
    dialog.accept()
    until(qtbot, lambda: not isValid(dialog))
    until(qtbot, lambda: files.reader.waiting is None)
    assert opener.asked == [f"{path}:two"]


@pytest.mark.parametrize("text", ["x = 1\n", "def needs(this):\n    pass\n"])
def test_that_a_file_without_a_function_is_a_sentence(
    files: Files, problems: list[str], opener: Opener, tmp_path: Path, text: str
) -> None:
    (tmp_path / "net.py").write_text(text, "utf-8")
    files.open_file(str(tmp_path / "net.py"))
    files.open_file(str(tmp_path / "gone.py"))
    assert problems[0] == "net.py has no function without arguments that could make a task."
    assert problems[1].startswith("There is no file ")
    assert opener.asked == []


def test_that_a_file_that_is_no_python_is_a_sentence_with_the_line(
    files: Files, problems: list[str], opener: Opener, tmp_path: Path
) -> None:
    (tmp_path / "net.py").write_text("x = 1\ndef (:\n", "utf-8")
    files.open_file(str(tmp_path / "net.py"))
    assert problems == ["net.py, line 2: invalid syntax."]
    assert opener.asked == []


def test_that_the_window_goes_on_while_a_task_is_read(
    files: Files, session: Session, said: list[str], opener: Opener, qtbot: QtBot
) -> None:
    opener.holds.clear()
    files.reader.read("net.py:make")
    until(qtbot, lambda: opener.asked == ["net.py:make"])
    session.change(lr=0.1)
    files.reader.read("other.py:make")
    assert said[-1] == "another task is still being read"
    assert files.reader.waiting
    assert files.reader.waiting.isVisible()
    opener.holds.set()
    until(qtbot, lambda: files.reader.waiting is None)
    assert opener.asked == ["net.py:make"]


def test_that_reading_can_be_cancelled_and_begun_again(
    files: Files, session: Session, said: list[str], opener: Opener, problems: list[str], qtbot: QtBot
) -> None:
    opener.holds.clear()
    files.reader.read("net.py:make")
    waiting = files.reader.waiting
    assert waiting
    qtbot.mouseClick(waiting.cancel, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: not isValid(waiting))
    until(qtbot, lambda: not files.reader.reading)
    assert (said, problems, session.config) == (["the task was not opened"], [], CONFIG)
    opener.holds.set()
    files.reader.read("net.py:make")
    until(qtbot, lambda: not files.reader.reading)
    assert len(opener.asked) == 2


def test_that_a_task_that_cannot_be_used_is_one_sentence(
    files: Files, session: Session, opener: Opener, problems: list[str], qtbot: QtBot
) -> None:
    opener.error = ConfigError("net.py, line 3: NameError: no such thing", "task")
    files.reader.read("net.py:make")
    until(qtbot, lambda: not files.reader.reading)
    assert problems == ["net.py, line 3: NameError: no such thing."]
    assert session.config == CONFIG


def test_that_whatever_else_goes_wrong_is_said_and_logged(
    files: Files,
    opener: Opener,
    problems: list[str],
    qtbot: QtBot,
    expect_log: Callable[[str], None],
) -> None:
    expect_log("a task could not be read")
    opener.error = RuntimeError("the disk is full")
    files.reader.read("net.py:make")
    until(qtbot, lambda: not files.reader.reading)
    assert problems == ["The task could not be read: the disk is full."]


def test_that_no_thread_is_left_when_the_window_closes_meanwhile(
    files: Files, session: Session, opener: Opener, problems: list[str], qtbot: QtBot
) -> None:
    opener.holds.clear()
    files.reader.read("net.py:make")
    files.stop()
    assert not [thread for thread in threading.enumerate() if thread.name == "task reader"]
    until(qtbot, lambda: not files.reader.reading)
    assert (problems, session.config) == ([], CONFIG)
