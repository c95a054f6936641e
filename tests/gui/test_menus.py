"""The menus: what stands in them, what cannot be done now, and the keys that do the same."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from desks import OWN, Desk
from moments import make_history
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from pytestqt.qtbot import QtBot
from windows import CONFIG, until

from gradviz_app.about import About
from gradviz_app.keys import BINDINGS
from gradviz_app.logs import log_file
from gradviz_app.look import MOTION_CHOICES, THEME_CHOICES, ZOOMS
from gradviz_app.menus import MENUS, Menus
from gradviz_app.workspace.names import NAMES, TITLES


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(qtbot)
    desk.session.start(CONFIG)
    yield desk
    desk.commands.files.stop()
    desk.session.stop()


def test_that_every_command_of_the_table_is_there_and_every_menu_names_commands(desk: Desk) -> None:
    names = {binding.action for binding in BINDINGS}
    assert set(desk.commands.keys.actions) == names
    listed = [name for _, entries in MENUS for name in entries if name]
    titles = {"Open recent", "Panels", "Detached panels", "Enlarged panel", "Theme", "Motion"}
    assert set(listed) == (names - {"leave", "close_window"}) | titles
    assert len(listed) == len(set(listed))


def test_that_an_entry_shows_its_keys_and_what_it_does(desk: Desk) -> None:
    for binding in BINDINGS:
        action = desk.action(binding.action)
        assert [key.toString() for key in action.shortcuts()] == [
            QKeySequence(key).toString() for key in binding.keys
        ]
        assert action.toolTip() == binding.does


def test_that_no_letter_of_a_menu_is_taken_twice() -> None:
    letters = [title[title.index("&") + 1] for title, _ in MENUS]
    assert len(letters) == len(set(letters))


@pytest.mark.parametrize("name", OWN)
def test_that_what_the_window_does_is_done_from_the_menu(desk: Desk, name: str) -> None:
    desk.action(name).trigger()
    assert desk.done == [name]


def test_that_what_cannot_be_done_now_is_disabled_while_the_menu_is_open(desk: Desk) -> None:
    menu = desk.menu("Run")
    disabled = ("back", "go_live", "undo", "redo")
    assert [name for name in disabled if desk.action(name).isEnabled()] == []
    assert all(desk.action(name).isEnabled() for name in ("forward", "restart", "toggle_scaling", "resync"))
    menu.aboutToHide.emit()
    # a key still comes through, to be told why nothing happens
    desk.action("undo").trigger()
    assert desk.said == ["no setting was changed before this"]


def test_that_looking_back_can_be_left_from_the_menu(desk: Desk) -> None:
    desk.session.show_recorded(make_history(1, n=4, batch=32))
    desk.playback.go_to(2)
    desk.menu("Run")
    assert desk.action("go_live").isEnabled()
    assert desk.action("back").isEnabled()
    desk.action("go_live").trigger()
    assert desk.playback.live


def test_that_one_lane_alone_has_no_scaling_to_toggle(desk: Desk) -> None:
    desk.session.change(lanes="full")
    desk.menu("Run")
    assert not desk.action("toggle_scaling").isEnabled()
    assert not desk.action("resync").isEnabled()


def test_that_entries_say_what_they_will_do(desk: Desk) -> None:
    desk.menu("Run")
    assert [desk.action(name).text() for name in ("toggle_play", "toggle_scaling", "undo")] == [
        "Run",
        "Forget the 1/N",
        "Undo",
    ]
    desk.session.play()
    desk.session.toggle_scaling()
    desk.menu("Run")
    assert [desk.action(name).text() for name in ("toggle_play", "toggle_scaling", "undo")] == [
        "Pause",
        "Back to ÷ N",
        "Undo: ÷ N again",
    ]


def test_that_settings_are_undone_and_done_again_by_key(desk: Desk, qtbot: QtBot) -> None:
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    desk.session.change(micro_batches=16)
    qtbot.keyClick(desk.body, Qt.Key.Key_Z, control)
    assert desk.session.config == CONFIG
    assert desk.said[-1] == "N = 4 again"
    qtbot.keyClick(desk.body, Qt.Key.Key_Z, control | shift)
    assert desk.session.config.micro_batches == 16


def test_that_a_line_with_the_focus_keeps_its_own_undo_and_copy(desk: Desk, qtbot: QtBot) -> None:
    desk.session.change(micro_batches=16)
    desk.entry.setFocus()
    qtbot.keyClicks(desk.entry, "abc")
    desk.entry.selectAll()
    qtbot.keyClick(desk.entry, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "abc"
    qtbot.keyClick(desk.entry, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert desk.entry.text() == ""
    assert desk.session.config.micro_batches == 16


def test_that_the_picture_and_the_command_are_copied_by_key(desk: Desk, qtbot: QtBot) -> None:
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(desk.body, Qt.Key.Key_C, control)
    assert QGuiApplication.clipboard().image().size() == desk.body.size()
    qtbot.keyClick(desk.body, Qt.Key.Key_C, control | shift)
    assert QGuiApplication.clipboard().text() == "gradviz --batch 32 -n 4"


def test_that_panels_are_hidden_detached_and_enlarged(desk: Desk) -> None:
    shown = desk.entries("View", "Panels")
    assert list(shown) == [TITLES[name] for name in NAMES]
    assert all(action.isChecked() for action in shown.values())
    shown["Memory"].trigger()
    assert desk.panels.hidden == {"memory"}
    assert not desk.entries("View", "Panels")["Memory"].isChecked()
    detached = desk.entries("View", "Detached panels")
    assert not detached["Memory"].isEnabled()
    detached["Loss"].trigger()
    assert desk.panels.detached == {"loss"}
    assert desk.entries("View", "Detached panels")["Loss"].isChecked()
    desk.entries("View", "Enlarged panel")["Verdict"].trigger()
    assert desk.panels.enlarged == "verdict"
    desk.entries("View", "Enlarged panel")["Verdict"].trigger()
    assert desk.panels.enlarged is None
    desk.entries("View", "Detached panels")["Loss"].trigger()
    desk.action("reset_panels").trigger()
    assert desk.panels.hidden | desk.panels.detached == set()


def test_that_tabs_are_in_the_menu_by_their_titles_and_have_keys(desk: Desk, qtbot: QtBot) -> None:
    desk.menu("View")
    assert [desk.action(f"tab_{n}").text() for n in (1, 2)] == ["Stack", "Weights && more"]
    assert [desk.action(f"tab_{n}").isVisible() for n in range(1, 6)] == [True, True, False, False, False]
    assert [desk.action(f"tab_{n}").isChecked() for n in (1, 2)] == [True, False]
    qtbot.keyClick(desk.body, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert desk.tabs.wanted == "Weights & more"
    qtbot.keyClick(desk.body, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert desk.tabs.wanted == "Stack"
    qtbot.keyClick(desk.body, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    assert desk.tabs.wanted == "Stack"


def test_that_a_tab_that_comes_later_has_its_key_at_once(desk: Desk, qtbot: QtBot) -> None:
    desk.menu("View").aboutToHide.emit()
    desk.tabs.titles = ("Stack", "Weights & more", "Layers")
    qtbot.keyClick(desk.body, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert desk.tabs.wanted == "Layers"


def test_that_every_theme_and_motion_can_be_chosen(desk: Desk) -> None:
    themes = desk.entries("View", "Theme")
    assert [action.isChecked() for action in themes.values()] == [c == "dark" for c in THEME_CHOICES]
    themes["Light"].trigger()
    assert (desk.appearance.choice, desk.preferences.theme) == ("light", "light")
    motions = desk.entries("View", "Motion")
    assert [action.isChecked() for action in motions.values()] == [c == "system" for c in MOTION_CHOICES]
    motions["Reduced"].trigger()
    assert (desk.preferences.motion, desk.done) == ("reduced", ["set_motion"])


def test_that_everything_is_enlarged_in_steps_and_made_usual_again(desk: Desk, qtbot: QtBot) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    for key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
        qtbot.keyClick(desk.body, key, control)
    assert desk.preferences.zoom == ZOOMS[2]
    qtbot.keyClick(desk.body, Qt.Key.Key_Minus, control)
    assert (desk.preferences.zoom, desk.said[-1]) == (ZOOMS[1], "everything 1.1 × as large")
    desk.commands.zoom(99)
    assert desk.preferences.zoom == ZOOMS[-1]
    desk.menu("View")
    assert not desk.action("zoom_in").isEnabled()
    desk.menu("View").aboutToHide.emit()
    qtbot.keyClick(desk.body, Qt.Key.Key_0, control)
    assert (desk.preferences.zoom, desk.said[-1]) == (1.0, "usual size")
    assert desk.done == ["restyle"] * 5


def test_that_the_bar_is_slim(desk: Desk) -> None:
    assert desk.commands.menus.bar.height() <= 24


def test_that_full_screen_has_no_bar_until_alt_is_pressed(desk: Desk, qtbot: QtBot) -> None:
    bar = desk.commands.menus.bar
    assert bar.isVisible()
    desk.window.showFullScreen()
    until(qtbot, bar.isHidden)
    qtbot.keyClick(desk.body, Qt.Key.Key_Alt)
    assert bar.isVisible()
    qtbot.keyClick(desk.body, Qt.Key.Key_Alt)
    assert bar.isHidden()
    # Qt gives the keyboard to the bar as Alt comes up, and then to the first thing that can have it
    assert QApplication.focusWidget() is desk.body
    assert desk.window.isFullScreen()
    desk.menu("View")
    assert desk.action("toggle_full_screen").isChecked()
    desk.window.showNormal()
    until(qtbot, bar.isVisible)
    qtbot.keyClick(desk.body, Qt.Key.Key_Alt)
    assert bar.isVisible()


def test_that_the_bar_goes_again_when_its_menu_was_used(desk: Desk, qtbot: QtBot) -> None:
    bar = desk.commands.menus.bar
    desk.window.showFullScreen()
    until(qtbot, bar.isHidden)
    qtbot.keyClick(desk.body, Qt.Key.Key_Alt)
    assert bar.isVisible()
    desk.menu("Run").aboutToHide.emit()
    until(qtbot, bar.isHidden)


def test_that_the_bar_stays_where_a_menu_was_used_in_a_window(desk: Desk, qtbot: QtBot) -> None:
    desk.menu("Run").aboutToHide.emit()
    QApplication.processEvents()
    assert desk.commands.menus.bar.isVisible()


def test_that_keys_work_in_full_screen_where_the_bar_is_hidden(desk: Desk, qtbot: QtBot) -> None:
    desk.window.showFullScreen()
    until(qtbot, desk.commands.menus.bar.isHidden)
    qtbot.keyClick(desk.body, Qt.Key.Key_Space)
    assert desk.done == ["toggle_play"]


def test_that_the_keys_do_the_same_in_a_window_of_its_own(desk: Desk, qtbot: QtBot) -> None:
    other = QWidget()
    qtbot.addWidget(other)
    desk.commands.keys.add_window(other)
    other.show()
    other.activateWindow()
    qtbot.waitActive(other)
    qtbot.keyClick(other, Qt.Key.Key_Space)
    assert desk.done == ["toggle_play"]


def test_that_recent_presets_are_in_the_menu(desk: Desk, tmp_path: Path) -> None:
    desk.menu("File")
    (recent,) = [a for a in desk.menu("File").actions() if a.text() == "Open recent"]
    assert not recent.isEnabled()
    path = tmp_path / "mine.toml"
    path.write_text('title = "Mine"\nabout = "For me."\n\n[run]\nmicro_batches = 16\n', "utf-8")
    desk.preferences.recent = (str(path),)
    first, clear = desk.entries("File", "Open recent").values()
    assert first.text().endswith("mine.toml")
    first.trigger()
    assert desk.session.config.micro_batches == 16
    clear.trigger()
    assert desk.preferences.recent == ()


def test_that_about_is_shown_from_the_menu(desk: Desk, qtbot: QtBot) -> None:
    desk.action("show_about").trigger()
    (about,) = desk.window.findChildren(About)
    assert about.isVisible()
    about.close()


@pytest.mark.parametrize("opens", [True, False])
def test_that_the_logs_folder_is_opened_or_named(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, opens: bool
) -> None:
    asked: list[str] = []

    def open_url(url: QUrl) -> bool:
        asked.append(url.toLocalFile())
        return opens

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    desk.action("open_log_folder").trigger()
    (folder,) = asked
    assert Path(folder).is_dir()
    assert log_file().is_relative_to(folder)
    assert desk.problems == ([] if opens else [f"The log is {log_file()}."])


def test_that_a_window_does_not_stay_for_a_menu_that_has_just_closed(qapp: QApplication) -> None:
    window = QMainWindow()
    menus = Menus(window, {}, {}, {})
    menus.menus["File"].aboutToHide.emit()
    kept = weakref.ref(window)
    del window, menus
    gc.collect()
    assert kept() is None
