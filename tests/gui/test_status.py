"""The words at the top right, the banner, and the log behind them."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QFontMetricsF
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradviz_app.application import _Program, uncaught_in_words
from gradviz_app.logs import logging_to
from gradviz_app.style import style_sheet
from gradviz_app.theme import CONTRAST, DARK, LIGHT, PROJECTOR, Theme
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
    status._reading.stop()
    for step, stands in ((12, True), (13, True), (14, False)):
        status.show_state("training live", [f"step {step}"], True)
        assert status.words.startswith("× 1 from the next window on") == stands


@pytest.mark.parametrize("state", ["paused", "looking back at step 12"])
def test_that_what_was_said_goes_with_the_state_it_was_said_in(status: Status, state: str) -> None:
    status.say("× 1 from the next window on")
    status._reading.stop()
    status.show_state("training live", ["step 12", "micro-batch 4 / 8"], True)
    assert status.words.startswith("× 1")
    status.show_state(state, ["step 12"], False)
    assert status.words == f"{state} · step 12"
    assert not status._fade.isActive()


def test_that_the_state_that_comes_of_what_is_said_does_not_withdraw_it(status: Status) -> None:
    status.say("new run: B = 64")
    status._reading.stop()
    status.show_state("starting", [], True)
    status.show_state("training live", ["step 1"], True)
    status.show_state("training live", ["step 2"], True)
    assert status.words.startswith("new run: B = 64")
    status.show_state("training live", ["step 3"], True)
    assert status.words == "training live · step 3"


def test_that_what_was_said_stands_until_it_could_be_read_even_flat_out(status: Status, qtbot: QtBot) -> None:
    status.say("everything 1.5 × as large")
    for step in range(13, 900, 7):
        status.show_state("training live", [f"step {step}"], True)
        assert status.words.startswith("everything 1.5 ×")
    assert 700 <= status._reading.interval() <= 1500
    status._reading.start(1)
    qtbot.waitUntil(lambda: status.words.startswith("training live"))


@pytest.mark.parametrize("room", [60, 100, 200, 300, 1000])
def test_that_what_is_said_or_the_state_is_whole_and_never_are_both_cut(status: Status, room: int) -> None:
    status.say("step 12 taken again with × 1")
    metrics = QFontMetricsF(DARK.font("small"))
    said, state = status._fitting(metrics, room)
    lines = said.split("\n")
    assert len(lines) <= 2
    assert max(map(metrics.horizontalAdvance, lines)) + metrics.horizontalAdvance(state) <= room
    if state:
        assert said == "step 12 taken again with × 1 · "
        assert state.startswith("training live")
    else:
        told = " ".join(lines).replace("\u00a0", " ")
        assert "step 12 taken again with × 1".startswith(told.removesuffix("…").rstrip())
        # what is cut is the end
        assert all("…" not in line for line in lines[:-1])


@pytest.fixture
def banner(qtbot: QtBot) -> Banner:
    body = QWidget()
    body.resize(600, 300)
    qtbot.addWidget(body)
    body.show()
    return Banner(body, DARK)


def test_that_the_banner_offers_only_what_helps(banner: Banner) -> None:
    banner.say("It did not work.", can_restart=False, can_default=True)
    assert banner.isVisible()
    assert banner.restart.isHidden()
    assert not banner.default.isHidden()
    banner.close_it.click()
    assert not banner.isVisible()


def test_that_the_banner_lies_over_the_top_of_the_body_as_high_as_its_sentence(banner: Banner) -> None:
    banner.say("It did not work.", can_restart=False, can_default=False)
    body, low = banner.parentWidget(), banner.height()
    assert (banner.pos().x(), banner.pos().y(), banner.width()) == (0, 0, body.width())
    banner.say("It did not work. " * 12, can_restart=False, can_default=False)
    assert low < banner.height() < body.height()
    body.resize(1200, 300)
    assert banner.width() == 1200


@pytest.mark.parametrize("theme", [DARK, LIGHT, CONTRAST, PROJECTOR], ids=lambda theme: theme.name)
def test_that_the_banner_has_the_colour_of_a_fault(banner: Banner, theme: Theme) -> None:
    banner.window().setStyleSheet(style_sheet(theme))
    banner.set_theme(theme)
    banner.say("It did not work.", can_restart=False, can_default=False)
    image = banner.grab().toImage()
    middle = image.height() // 2
    assert image.pixelColor(1, middle) == QColor(theme.fault)
    mark = banner.mark.geometry()
    seen = [image.pixelColor(x, y) for x in range(mark.left(), mark.right()) for y in range(8, middle + 8)]
    assert QColor(theme.fault) in seen


def test_that_an_exception_is_told_with_its_type_and_where_the_log_is() -> None:
    words = uncaught_in_words(KeyError("x\ny"))
    assert words.startswith("Something went wrong in the window (KeyError: 'x\\ny'); the log says where: ")
    assert words.endswith("gradviz.log")
    assert "(ValueError)" in uncaught_in_words(ValueError())
    assert len(uncaught_in_words(ValueError("y" * 5000))) < 500


class Broken:
    """A window that cannot show anything any more."""

    def show_problem(self, sentence: str) -> None:
        raise RuntimeError("the window is gone")


def test_that_an_exception_is_not_lost_where_it_cannot_be_shown(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    program = _Program.__new__(_Program)
    program._reporting, program._window = False, Broken()  # type: ignore[assignment]
    with caplog.at_level(logging.CRITICAL, "gradviz_app.application"):
        for _ in range(2):
            program._report(KeyError, KeyError("first"), None)
    assert capsys.readouterr().err.count("KeyError: 'first'") == 2
    assert not program._reporting


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
