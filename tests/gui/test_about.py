"""What the program is made of."""

from __future__ import annotations

import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid
from windows import until

from gradviz_app.about import UNKNOWN, About, as_text, facts, version_of
from gradviz_app.theme import DARK

LOG = Path("/var/log/a <b> & c/gradviz.log")


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def about(window: QWidget) -> About:
    about = About(window, DARK, LOG)
    about.show()
    return about


def test_that_it_names_every_version_and_where_the_log_is() -> None:
    known = dict(facts(LOG))
    assert known["gradviz"] == metadata.version("gradviz")
    assert known["torch"] == metadata.version("torch")
    assert known["numpy"] == metadata.version("numpy")
    assert known["pyqtgraph"] == metadata.version("pyqtgraph")
    assert known["PySide6"] == metadata.version("PySide6-Essentials")
    assert (known["Qt"], known["Python"]) == (qVersion(), platform.python_version())
    assert (known["system"], known["licence"], known["log"]) == (platform.platform(), "MIT", str(LOG))


def test_that_what_is_not_installed_is_unknown() -> None:
    assert version_of("no-such-package-anywhere") == UNKNOWN


def test_that_torch_is_not_read_for_its_version() -> None:
    code = "import sys; from gradviz_app.about import version_of; version_of('torch'); "
    code += "sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def test_that_all_of_it_is_copied_as_text(about: About, qtbot: QtBot) -> None:
    qtbot.mouseClick(about.copy, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert copied == as_text(about.facts)
    assert f"log: {LOG}" in copied.splitlines()
    assert about.copy.text() == "Copied"


def test_that_its_text_can_be_selected_and_is_shown_as_it_is(about: About, qtbot: QtBot) -> None:
    about.text.setFocus()
    qtbot.keyClick(about.text, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert str(LOG) in about.text.selectedText()
    assert metadata.version("torch") in about.text.selectedText()


def test_that_escape_closes_it_for_good(about: About, qtbot: QtBot) -> None:
    qtbot.keyClick(about, Qt.Key.Key_Escape)
    until(qtbot, lambda: not isValid(about))
