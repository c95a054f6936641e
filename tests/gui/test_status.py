"""The words at the top right, the banner, and the log behind them."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from gradviz_app.logs import logging_to
from gradviz_app.theme import DARK
from gradviz_app.views.banner import Banner
from gradviz_app.views.status import Status

PARTS = ["step 12", "micro-batch 3 / 8", "digits MLP", "cpu", "float32"]


@pytest.fixture
def status(qtbot: QtBot) -> Status:
    status = Status(DARK)
    qtbot.addWidget(status)
    status.show_state("training live", PARTS, True)
    return status


def test_that_all_parts_are_said_in_order(status: Status) -> None:
    expected = "training live · step 12 · micro-batch 3 / 8 · digits MLP · cpu · float32"
    assert status.words == expected
    assert status.accessibleDescription() == expected


@pytest.mark.parametrize("room", [60, 120, 200, 300, 1000])
def test_that_the_least_important_parts_go_first(status: Status, room: int) -> None:
    metrics = QFontMetricsF(DARK.font("small"))
    _, words = status._fitting(metrics, room)
    assert metrics.horizontalAdvance(words) <= room
    if room >= 120:
        assert status.words.startswith(words)
        assert words.split(" · ")[-1] in ["training live", *PARTS]


def test_that_what_has_just_happened_stands_for_a_while(status: Status, qtbot: QtBot) -> None:
    status.say("step 12 taken again with × 1")
    assert status.words.startswith("step 12 taken again with × 1 · training live · step 12")
    assert status.accessibleDescription() == status.words
    status._fade.setInterval(1)
    qtbot.waitUntil(lambda: status.words.startswith("training live"))


def test_that_what_was_said_goes_once_the_steps_have_gone_on(status: Status) -> None:
    status.say("× 1 from the next window on")
    for step, stands in ((12, True), (13, True), (14, False)):
        status.show_state("training live", [f"step {step}"], True)
        assert status.words.startswith("× 1 from the next window on") == stands


@pytest.mark.parametrize("state", ["paused", "looking back at step 12"])
def test_that_what_was_said_goes_with_the_state_it_was_said_in(status: Status, state: str) -> None:
    status.say("× 1 from the next window on")
    status.show_state("training live", ["step 12", "micro-batch 4 / 8"], True)
    assert status.words.startswith("× 1")
    status.show_state(state, ["step 12"], False)
    assert status.words == f"{state} · step 12"
    assert not status._fade.isActive()


def test_that_the_state_that_comes_of_what_is_said_does_not_withdraw_it(status: Status) -> None:
    status.say("new run: B = 64")
    status.show_state("starting", [], True)
    status.show_state("training live", ["step 1"], True)
    status.show_state("training live", ["step 2"], True)
    assert status.words.startswith("new run: B = 64")
    status.show_state("training live", ["step 3"], True)
    assert status.words == "training live · step 3"


@pytest.mark.parametrize("room", [60, 200, 300, 1000])
def test_that_what_is_said_takes_no_room_from_the_state(status: Status, room: int) -> None:
    status.say("step 12 taken again with × 1")
    metrics = QFontMetricsF(DARK.font("small"))
    said, state = status._fitting(metrics, room)
    assert metrics.horizontalAdvance(said) + metrics.horizontalAdvance(state) <= room
    if room >= 200:
        assert state.startswith("training live")


def test_that_the_banner_offers_only_what_helps(qtbot: QtBot) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    banner.say("It did not work.", can_restart=False, can_default=True)
    assert banner.isVisible()
    assert banner.restart.isHidden()
    assert not banner.default.isHidden()
    banner.close_it.click()
    assert not banner.isVisible()


def test_that_everything_is_written_down_and_only_warnings_are_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = Path("state") / "gradviz.log"
    with logging_to(file):
        logging.getLogger("gradviz.test").info("a trifle")
    assert "a trifle" in file.read_text("utf-8")
    assert "a trifle" not in capsys.readouterr().err


def test_that_a_log_that_cannot_be_written_keeps_nothing_from_working() -> None:
    Path("state").write_text("in the way", "utf-8")
    with logging_to(Path("state") / "gradviz.log"):
        logging.getLogger("gradviz.test").info("a trifle")
    assert not logging.getLogger().level or logging.getLogger().level >= logging.WARNING
