"""What is put on the clipboard."""

from __future__ import annotations

from dataclasses import replace

import pytest
from moments import make_history
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot
from windows import CONFIG

from gradviz.config import RunConfig
from gradviz.history import History
from gradviz.moment_table import moment_table
from gradviz_app.copying import Copying, picture
from gradviz_app.playback import Playback
from gradviz_app.session import Session


class Desk:
    """A session that shows what was recorded, and what copies from it."""

    def __init__(self, widget: QWidget) -> None:
        self.session = Session(CONFIG)
        self.playback = Playback(self.session)
        self.said: list[str] = []
        clipboard = QGuiApplication.clipboard()
        self.copying = Copying(self.session, self.playback, widget, clipboard, self.said.append)


@pytest.fixture
def widget(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setStyleSheet("background: #123456")
    widget.resize(320, 200)
    widget.show()
    return widget


@pytest.fixture
def desk(widget: QWidget) -> Desk:
    return Desk(widget)


@pytest.fixture(scope="module")
def history() -> History:
    return make_history(2, n=4, scaling="unscaled", batch=32)


def table(text: str) -> dict[str, list[str]]:
    """The rows by their first cell; of two with the same the first."""
    rows: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, *cells = line.split("\t")
        rows.setdefault(name, cells)
    return rows


def copied() -> str:
    return QGuiApplication.clipboard().text()


def test_that_the_command_of_the_settings_is_copied_and_said(desk: Desk) -> None:
    desk.session._config = RunConfig.of({"micro_batches": 16, "scaling": "unscaled"})
    desk.copying.copy_command()
    assert copied() == "gradviz -n 16 --scaling unscaled"
    assert desk.said == ["copied: gradviz -n 16 --scaling unscaled"]


def test_that_the_command_of_a_run_whose_settings_were_changed_says_so(desk: Desk) -> None:
    history = make_history(2, n=4, scaling="unscaled", batch=32)
    desk.session.show_recorded(history)
    desk.copying.copy_command()
    history.append(replace(history.finished, step=3, scaling="mean"))
    desk.copying.copy_command()
    plain, changed = desk.said
    assert changed == f"{plain}; this run had other settings before"


def test_that_the_numbers_on_the_screen_are_copied_as_measured(desk: Desk, history: History) -> None:
    desk.session.show_recorded(history)
    desk.copying.copy_numbers()
    rows, moment = table(copied()), history.at(-1)
    assert moment
    assert moment.compared
    assert moment.window
    comparison = moment.compared.comparison
    assert float(rows["size ‖A‖/‖R‖"][0]) == comparison.ratio == pytest.approx(4.0, rel=1e-4)
    assert float(rows["relative error ‖A−R‖/‖R‖"][0]) == comparison.relative_error
    assert rows["verdict"] == [comparison.verdict]
    losses = [history.column(f"loss_{lane}")[1] for lane in ("full", "accumulated")]
    assert [float(cell) for cell in rows["loss"]] == losses
    assert rows["losses of step"] == ["2", "2"]
    assert (rows["scaling"], rows["micro-batches N"], rows["step"]) == (["unscaled"], ["4"], ["2"])
    peaks = [moment.memory[lane].sample.peak_bytes for lane in ("full", "accumulated")]
    assert rows["peak, bytes"] == [str(peak) for peak in peaks]
    assert rows["memory source"] == ["traced", "traced"]
    assert float(rows["3"][3]) == moment.added[2].share
    assert desk.said == ["numbers of step 2 copied, as a table"]


def test_that_a_moment_looked_back_at_is_what_is_copied(desk: Desk, history: History) -> None:
    desk.session.show_recorded(history)
    desk.playback.go_to(2)
    desk.copying.copy_numbers()
    rows = table(copied())
    assert (rows["step"], rows["micro-batches added"]) == (["1"], ["2"])
    # nothing of what came later is known then
    assert rows["loss"] == rows["losses of step"] == ["unknown", "unknown"]
    assert rows["angle, degrees"] == rows["verdict"] == ["unknown"]
    assert "3" not in rows


def test_that_a_lane_that_is_not_trained_is_said_to_be_none(history: History) -> None:
    moment = history.at(-1)
    assert moment
    # the same run but for what it says of its lanes
    run = replace(moment.run, config=moment.run.config.changed(lanes="accumulated"))
    rows = table(moment_table(history, replace(moment, run=run)))
    assert rows["loss"][0] == rows["peak, bytes"][0] == "not trained"
    assert float(rows["loss"][1])


def test_that_no_cell_breaks_the_table(history: History) -> None:
    moment = history.at(-1)
    assert moment
    for line in moment_table(history, moment).splitlines():
        assert line.isprintable() or "\t" in line
        assert len(line.split("\t")) <= 6


def test_that_there_are_no_numbers_before_the_run_has_begun(desk: Desk) -> None:
    QGuiApplication.clipboard().setText("as it was")
    assert not desk.copying.has_numbers
    desk.copying.copy_numbers()
    assert copied() == "as it was"
    assert desk.said == ["no numbers yet: the run has not begun"]


def test_that_the_picture_is_copied_pixel_for_pixel(desk: Desk, widget: QWidget) -> None:
    desk.copying.copy_picture()
    image = QGuiApplication.clipboard().image()
    assert (image.width(), image.height()) == (320, 200)
    assert image.pixelColor(160, 100) == QColor("#123456")
    assert desk.said == ["picture copied, 320 × 200 pixels"]


def test_that_one_panel_can_be_copied(desk: Desk, widget: QWidget) -> None:
    panel = QLabel(widget)
    panel.setStyleSheet("background: #654321")
    panel.resize(60, 40)
    panel.show()
    desk.copying.copy_picture_of(panel)
    assert QGuiApplication.clipboard().image().size() == panel.size()
    assert QGuiApplication.clipboard().image().pixelColor(30, 20) == QColor("#654321")


def test_that_a_picture_is_as_sharp_as_its_screen(widget: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QWidget, "devicePixelRatioF", lambda self: 2.0)
    image = picture(widget)
    assert (image.width(), image.height(), image.devicePixelRatio()) == (640, 400, 2.0)
    assert image.pixelColor(639, 399) == QColor("#123456")
