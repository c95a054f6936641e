"""gradviz among the programs of a Linux desktop."""

from __future__ import annotations

import configparser
import os
import re
import stat
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner
from pytestqt.qtbot import QtBot

from gradviz_app import desktop

ENTRY = "Desktop Entry"


def parsed(text: str) -> configparser.SectionProxy:
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    assert parser.sections() == [ENTRY]
    return parser[ENTRY]


@pytest.fixture
def shipped() -> configparser.SectionProxy:
    return parsed((resources.files("gradviz.resources") / "gradviz.desktop").read_text("utf-8"))


def test_that_the_desktop_file_has_what_a_desktop_asks_for(shipped: configparser.SectionProxy) -> None:
    assert {key: shipped[key] for key in ("Type", "Name", "Exec", "Icon", "StartupWMClass", "Terminal")} == {
        "Type": "Application",
        "Name": "gradviz",
        "Exec": "gradviz",
        "Icon": "gradviz",
        "StartupWMClass": "gradviz",
        "Terminal": "false",
    }
    assert shipped["Categories"] == "Education;Science;"
    assert shipped["Keywords"].endswith(";")
    assert shipped["Comment"]
    # a kind of file that only gradviz opened would be claimed from all other programs
    assert "MimeType" not in shipped
    assert all(re.fullmatch(r"[A-Za-z]+", key) for key in shipped)


def test_that_the_desktop_file_is_the_one_that_the_window_names(qtbot: QtBot) -> None:
    text = (Path(__file__).parents[2] / "app" / "application.py").read_text("utf-8")
    assert f'setDesktopFileName("{desktop.DESKTOP.stem}")' in text


def test_that_both_files_are_installed_below_the_data_home(tmp_path: Path) -> None:
    paths = desktop.install(tmp_path / "data", "/opt/gradviz/bin/gradviz")
    assert paths == (
        tmp_path / "data/applications/gradviz.desktop",
        tmp_path / "data/icons/hicolor/scalable/apps/gradviz.svg",
    )
    assert parsed(paths[0].read_text("utf-8"))["Exec"] == "/opt/gradviz/bin/gradviz"
    assert paths[1].read_text("utf-8").startswith("<svg")
    files = sorted(path.name for path in (tmp_path / "data").rglob("*") if path.is_file())
    assert files == ["gradviz.desktop", "gradviz.svg"]
    assert not stat.S_IMODE(paths[0].stat().st_mode) & stat.S_IXUSR


def test_that_installing_again_replaces_what_was_there(tmp_path: Path) -> None:
    desktop.install(tmp_path, "/old/gradviz")
    paths = desktop.install(tmp_path, "/new/gradviz")
    assert parsed(paths[0].read_text("utf-8"))["Exec"] == "/new/gradviz"


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("/usr/bin/gradviz", "/usr/bin/gradviz"),
        ("/home/a b/gradviz", '"/home/a b/gradviz"'),
        ("/100%/gradviz", '"/100%%/gradviz"'),
        ('/a"b$c/gradviz', '"/a\\\\"b\\\\$c/gradviz"'),
    ],
)
def test_that_a_path_is_quoted_as_the_specification_wants_it(command: str, written: str) -> None:
    assert desktop.quoted(command) == written


@pytest.mark.parametrize(
    ("environment", "home"),
    [
        ({"XDG_DATA_HOME": os.path.abspath("/data")}, Path(os.path.abspath("/data"))),  # noqa: PTH100
        ({"XDG_DATA_HOME": "data"}, None),
        ({"XDG_DATA_HOME": ""}, None),
        ({}, None),
    ],
)
def test_that_the_data_home_is_the_users(environment: dict[str, str], home: Path | None) -> None:
    assert desktop.data_home(environment) == (home or Path.home() / ".local" / "share")


def test_that_the_command_says_where_it_put_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    done = CliRunner().invoke(desktop.main)
    assert done.exit_code == 0
    written = [Path(line) for line in done.output.splitlines()]
    assert written == [tmp_path / "data" / desktop.DESKTOP, tmp_path / "data" / desktop.ICON]
    assert all(path.is_file() for path in written)
    assert parsed(written[0].read_text("utf-8"))["Exec"].strip('"').endswith("gradviz")


def test_that_a_place_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").write_text("a file stands where a folder should")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    done = CliRunner().invoke(desktop.main)
    assert done.exit_code == 1
    assert "cannot be written" in done.output
