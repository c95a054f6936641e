"""The keyboard: what each key does, and when a control keeps it."""

from __future__ import annotations

import pytest
from fake_run import fake_run
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from windows import make_window, reaches, until

from gradviz_app.keys import BINDINGS, in_words, sheet
from gradviz_app.main_window import MainWindow

Key = Qt.Key


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    return make_window(qtbot, fake_run)


@pytest.mark.parametrize("key", [Key.Key_Right, Key.Key_PageDown])
def test_that_a_key_takes_one_micro_batch(window: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    qtbot.keyClick(window, key)
    reaches(qtbot, window, 1, 1)


@pytest.mark.parametrize("key", [Key.Key_Left, Key.Key_PageUp])
def test_that_a_key_goes_back_and_end_goes_live(window: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    window.session.one_step()
    reaches(qtbot, window, 1, 4)
    qtbot.keyClick(window, key)
    reaches(qtbot, window, 1, 3)
    assert not window.playback.live
    qtbot.keyClick(window, Key.Key_End)
    reaches(qtbot, window, 1, 4)


def test_that_shift_and_right_takes_a_step(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    reaches(qtbot, window, 1, 4)


def test_that_space_plays_and_pauses(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Key.Key_Space)
    assert window.session.playing
    reaches(qtbot, window, 1, 1)
    qtbot.keyClick(window, Key.Key_Space)
    assert not window.session.playing


def test_that_u_forgets_the_one_over_n_and_puts_it_back(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Key.Key_U)
    assert window.session.config.scaling == "unscaled"
    assert window.panel.scaling.slider.fault
    qtbot.keyClick(window, Key.Key_U)
    assert window.session.config.scaling == "mean"


def test_that_r_starts_again(window: MainWindow, qtbot: QtBot) -> None:
    window.session.one_step()
    reaches(qtbot, window, 1, 4)
    qtbot.keyClick(window, Key.Key_R)
    reaches(qtbot, window, 1, 0)


@pytest.mark.parametrize("key", [Key.Key_B, Key.Key_Period])
def test_that_the_screen_is_blanked_and_comes_back(window: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    qtbot.keyClick(window, key)
    assert window.blank.isVisible()
    assert window.blank.size() == window.size()
    assert window.grab().toImage().pixelColor(640, 360).name() == "#000000"
    qtbot.keyClick(window, key)
    assert not window.blank.isVisible()


def test_that_f1_shows_the_keys_and_escape_takes_them_away(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Key.Key_F1)
    assert window.key_sheet.isVisible()
    qtbot.keyClick(window, Key.Key_Escape)
    assert not window.key_sheet.isVisible()


def test_that_f11_fills_the_screen_and_escape_leaves(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Key.Key_F11)
    until(qtbot, window.isFullScreen)
    qtbot.keyClick(window, Key.Key_Escape)
    until(qtbot, lambda: not window.isFullScreen())


@pytest.mark.parametrize("key", [Key.Key_Q, Key.Key_W])
def test_that_the_window_can_be_closed_by_key(window: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    qtbot.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
    assert not window.isVisible()
    assert not window.session.running


def test_that_a_focused_slider_keeps_the_arrows_but_not_space(window: MainWindow, qtbot: QtBot) -> None:
    slider = window.panel.n.slider
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(slider, Key.Key_Right)
    assert window.session.config.micro_batches == 8
    qtbot.keyClick(slider, Key.Key_Space)
    assert window.session.playing


def test_that_shift_and_right_steps_even_from_a_slider(window: MainWindow, qtbot: QtBot) -> None:
    slider = window.panel.n.slider
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(slider, Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    reaches(qtbot, window, 1, 4)


def test_that_an_entry_keeps_letters_and_arrows(window: MainWindow, qtbot: QtBot) -> None:
    entry = window.panel.learning_rate.entry
    entry.setFocus()
    entry.clear()
    qtbot.keyClicks(entry, "ub. r")
    qtbot.keyClick(entry, Key.Key_Left)
    assert entry.text() == "ub. r"
    assert entry.cursorPosition() == 4
    assert window.session.config.scaling == "mean"
    assert not window.session.playing


def test_that_a_focused_button_keeps_space_but_not_the_arrows(window: MainWindow, qtbot: QtBot) -> None:
    button = window.transport.restart
    button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(button, Key.Key_Space)
    assert not window.session.playing
    reaches(qtbot, window, 1, 0)
    qtbot.keyClick(button, Key.Key_Right)
    reaches(qtbot, window, 1, 1)


def test_that_escape_gives_the_keys_back_to_the_stage(window: MainWindow, qtbot: QtBot) -> None:
    entry = window.panel.n.entry
    entry.setFocus()
    qtbot.keyClick(entry, Key.Key_Escape)
    assert QApplication.focusWidget() is window.stage.stack
    qtbot.keyClick(window, Key.Key_Right)
    reaches(qtbot, window, 1, 1)


def test_that_a_click_on_the_stage_gives_the_keys_back(window: MainWindow, qtbot: QtBot) -> None:
    window.panel.n.entry.setFocus()
    qtbot.mouseClick(window.stage.stack, Qt.MouseButton.LeftButton)
    assert QApplication.focusWidget() is window.stage.stack


def test_that_enter_gives_the_keys_back(window: MainWindow, qtbot: QtBot) -> None:
    entry = window.panel.n.entry
    entry.setFocus()
    entry.selectAll()
    qtbot.keyClicks(entry, "3")
    qtbot.keyClick(entry, Key.Key_Return)
    assert window.session.config.micro_batches == 3
    assert not entry.hasFocus()


def test_that_clicking_a_control_leaves_the_keys_with_the_stage(window: MainWindow, qtbot: QtBot) -> None:
    slider = window.panel.scaling.slider
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(window.transport.micro_batch, Qt.MouseButton.LeftButton)
    reaches(qtbot, window, 1, 1)
    qtbot.keyClick(window, Key.Key_Right)
    reaches(qtbot, window, 1, 2)


def test_that_no_key_stands_twice_in_the_table() -> None:
    keys = [QKeySequence(key).toString() for binding in BINDINGS for key in binding.keys]
    assert all(keys)
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("key", "platform", "words"),
    [
        ("Shift+Right", "linux", "Shift + →"),
        ("PgDown", "linux", "Page Down"),
        ("Ctrl++", "linux", "Ctrl + +"),
        ("Ctrl+-", "win32", "Ctrl + −"),
        (".", "linux", "."),
        ("Ctrl+Shift+Z", "darwin", "⌘ + ⇧ + Z"),
    ],
)
def test_that_keys_are_called_what_people_call_them(key: str, platform: str, words: str) -> None:
    assert in_words(key, platform) == words


def test_that_the_sheet_has_every_key_and_neighbours_that_do_the_same_once() -> None:
    rows = list(sheet())
    assert {does for _, does in rows} == {binding.does for binding in BINDINGS if binding.keys}
    assert len(rows) == len({does for _, does in rows})
    tabs = [keys for keys, does in rows if does == "a tab of the stage"]
    assert tabs[0].endswith("1 … 5")


@pytest.mark.parametrize("size", [(1280, 720), (1024, 600)])
def test_that_the_sheet_of_keys_lies_within_the_window(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    window.key_sheet.toggle()
    image = window.grab().toImage()
    # the ground of the sheet is drawn in the middle, and not at the window's edge
    middle = image.pixelColor(size[0] // 2, size[1] // 2)
    edge = {image.pixelColor(x, y).name() for x in (1, size[0] - 2) for y in (1, size[1] - 2)}
    assert middle.name() not in edge
