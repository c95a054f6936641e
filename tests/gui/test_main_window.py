"""The whole window on a real run: every control does what it says."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from fake_run import fake_run, slow_run
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QSlider, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from windows import CONFIG, make_window, reaches, unstarted_window, until

from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import Event, RunFailed
from gradviz_app.main_window import MainWindow
from gradviz_app.pace import FLAT_OUT
from gradviz_app.theme import DARK, LIGHT
from gradviz_app.worker import EventSource, train
from gradviz_app.workspace.scales import scale_for


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    return make_window(qtbot)


def click(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def test_that_run_plays_and_says_pause(window: MainWindow, qtbot: QtBot) -> None:
    assert window.transport.play.text() == "Run"
    click(qtbot, window.transport.play)
    assert window.transport.play.text() == "Pause"
    reaches(qtbot, window, 1, 1)
    until(qtbot, lambda: window.status.words.startswith("training live"))
    click(qtbot, window.transport.play)
    until(qtbot, lambda: window.status.words.startswith("paused"))


def test_that_the_buttons_step(window: MainWindow, qtbot: QtBot) -> None:
    click(qtbot, window.transport.micro_batch)
    reaches(qtbot, window, 1, 1)
    click(qtbot, window.transport.step)
    reaches(qtbot, window, 1, 4)
    click(qtbot, window.transport.step)
    reaches(qtbot, window, 2, 4)
    click(qtbot, window.transport.restart)
    reaches(qtbot, window, 1, 0)


def test_that_flat_out_the_status_counts_steps_a_second(window: MainWindow, qtbot: QtBot) -> None:
    window.transport.speed.slider.setValue(window.transport.speed.slider.maximum())
    assert window.session.speed == FLAT_OUT
    click(qtbot, window.transport.play)
    until(qtbot, lambda: "steps/s" in window.status.words)
    click(qtbot, window.transport.play)
    until(qtbot, lambda: "steps/s" not in window.status.words)


def test_that_dragging_n_takes_the_window_again(window: MainWindow, qtbot: QtBot) -> None:
    click(qtbot, window.transport.step)
    reaches(qtbot, window, 1, 4)
    window.panel.n.slider.setValue(4)
    reaches(qtbot, window, 1, 16)
    assert window.panel.split.text() == "32 = 16 × 2 samples"
    assert "step 1 taken again with N = 16" in window.status.words


def test_that_forgetting_the_scaling_and_putting_it_back_shows_the_same_numbers(
    window: MainWindow, qtbot: QtBot
) -> None:
    click(qtbot, window.transport.step)
    reaches(qtbot, window, 1, 4)
    until(qtbot, lambda: _ratio(window) is not None)
    before = _ratio(window)
    window.panel.scaling.slider.setValue(1)
    until(qtbot, lambda: (_ratio(window) or 0) > 3.9)
    assert _ratio(window) == pytest.approx(4.0, rel=1e-4)
    window.panel.scaling.slider.setValue(0)
    until(qtbot, lambda: (_ratio(window) or 9) < 1.1)
    assert _ratio(window) == before


def test_that_the_code_and_the_verdict_act(window: MainWindow) -> None:
    window.stage.code.scaling_toggled.emit()
    assert window.session.config.scaling == "unscaled"
    window.stage.loss.twin_toggled.emit(True)
    assert window.session.config.twin


def test_that_resync_makes_the_lanes_the_same_again(window: MainWindow, qtbot: QtBot) -> None:
    window.session.change(scaling="unscaled")
    for step in (1, 2, 3):
        click(qtbot, window.transport.step)
        reaches(qtbot, window, step, 4)
    window.stage.verdict.resync_requested.emit()
    until(qtbot, lambda: window.session.history.resynced == [3])


def test_that_a_preset_starts_its_run(window: MainWindow, qtbot: QtBot) -> None:
    picker = window.panel.experiment.preset
    index = picker.findData("unscaled")
    assert index > 0
    picker.activated.emit(index)
    until(qtbot, lambda: window.session.history.run is not None and _run_config(window).scaling == "unscaled")
    assert window.session.config.batch == 256
    assert window.panel.n.entry.text() == str(window.session.config.micro_batches)


def test_that_the_timeline_goes_to_what_was_seen_and_live_comes_back(
    window: MainWindow, qtbot: QtBot
) -> None:
    click(qtbot, window.transport.step)
    reaches(qtbot, window, 1, 4)
    until(qtbot, lambda: window.stage.timeline.slider.maximum() == 4)
    window.stage.timeline.slider.setValue(2)
    reaches(qtbot, window, 1, 2)
    until(qtbot, lambda: window.status.words.startswith("looking back at step 1"))
    click(qtbot, window.stage.timeline.live)
    reaches(qtbot, window, 1, 4)
    until(qtbot, lambda: window.status.words.startswith("paused"))


def test_that_a_failed_run_is_said_and_the_program_stays_usable(qtbot: QtBot) -> None:
    fails = [True]

    def source(config: RunConfig, control: Control) -> Iterator[Event]:
        if fails and fails.pop():
            yield RunFailed(0, "It ran out of memory.")
        else:
            yield from fake_run(config, control)

    window = unstarted_window(qtbot, source)
    window.show()
    window.pump.start()
    window.session.start(CONFIG)
    until(qtbot, window.banner.isVisible)
    assert window.banner.sentence.text() == "It ran out of memory."
    assert window.status.words.startswith("failed")
    click(qtbot, window.banner.restart)
    reaches(qtbot, window, 1, 0)
    assert not window.banner.isVisible()


def test_that_a_failed_run_can_go_back_to_the_default(qtbot: QtBot) -> None:
    def source(config: RunConfig, control: Control) -> Iterator[Event]:
        if config == CONFIG:
            yield RunFailed(0, "It ran out of memory.")
        else:
            yield from fake_run(config, control)

    window = unstarted_window(qtbot, source)
    window.show()
    window.pump.start()
    window.session.start(CONFIG)
    until(qtbot, window.banner.default.isVisible)
    click(qtbot, window.banner.default)
    reaches(qtbot, window, 1, 0)
    assert window.session.config == RunConfig.of({})


def test_that_the_theme_button_goes_round(window: MainWindow, qtbot: QtBot) -> None:
    for choice in ("contrast", "projector", "system"):
        click(qtbot, window.top.theme_button)
        assert window._preferences.theme == choice
    click(qtbot, window.top.theme_button)
    assert window.stage.stack.theme.name == LIGHT.name
    click(qtbot, window.top.theme_button)
    assert window.stage.stack.theme.name == DARK.name
    assert window._preferences.theme == "dark"


@pytest.mark.parametrize(
    ("size", "scale"),
    [((1280, 720), 1.0), ((1024, 768), 0.8), ((1920, 1080), 1.5), ((3840, 2160), 3.0), ((640, 480), 0.8)],
)
def test_that_everything_grows_with_the_window(size: tuple[int, int], scale: float) -> None:
    assert scale_for(*size) == scale


@pytest.mark.parametrize("size", [(1024, 600), (1024, 768), (1280, 720), (1920, 1080), (3840, 2160)])
@pytest.mark.parametrize("is_open", [False, True])
def test_that_nothing_overlaps_or_leaves_the_window(
    qtbot: QtBot, size: tuple[int, int], is_open: bool
) -> None:
    window = unstarted_window(qtbot, fake_run)
    window.resize(*size)
    window.panel.experiment.set_open(is_open)
    window.show()
    parts: list[QWidget] = [
        *(pane for pane in window.stage.panes if pane.isVisible()),
        window.panel,
        window.stage.timeline,
        window.transport,
        window.status,
    ]
    areas = [QRect(part.mapTo(window, QPoint(0, 0)), part.size()) for part in parts]
    assert window.size().toTuple() == size
    for index, area in enumerate(areas):
        assert window.rect().contains(area), parts[index]
        assert not any(area.intersects(other) for other in areas[:index]), parts[index]


def test_that_every_control_has_an_accessible_name(qtbot: QtBot) -> None:
    window = unstarted_window(qtbot, fake_run)
    for kind in (QPushButton, QToolButton, QSlider, QComboBox, QLineEdit):
        for control in window.findChildren(kind):
            assert control.accessibleName() or getattr(control, "text", str)(), control


def test_that_the_title_tells_windows_apart(qtbot: QtBot) -> None:
    window = make_window(qtbot, fake_run)
    assert window.windowTitle() == "gradviz – digits mlp · N = 4 · ÷ N · sgd 0.5"
    window._on_preset_chosen("adam-hides-it")
    until(qtbot, lambda: window.windowTitle() == "gradviz – Adam hides it")


def test_that_a_device_that_is_not_there_leaves_the_run_and_the_form_as_they_were(qtbot: QtBot) -> None:
    window = make_window(qtbot)
    field = window.panel.experiment.fields["device"]
    field.edited.emit("device", "cuda:99")
    until(qtbot, window.banner.isVisible)
    assert window.banner.sentence.text().startswith("Device cuda:99 is not on this machine")
    assert window.banner.sentence.text().endswith(". The run before and its settings are still there.")
    assert window.session.config == CONFIG
    assert field._shown == CONFIG.device
    until(qtbot, lambda: window.status.words.startswith("the new run failed"))
    click(qtbot, window.banner.default)
    until(qtbot, lambda: window.session.history.run is not None and _run_config(window).batch == 256)
    assert window.status.words.startswith("new run: default settings")


def test_that_the_full_batch_lane_alone_has_a_step_in_the_status(qtbot: QtBot) -> None:
    config = CONFIG.changed(lanes="full")
    window = unstarted_window(qtbot, config=config)
    window.show()
    window.pump.start()
    window.session.start(config)
    until(qtbot, lambda: "paused · step 0" in window.status.words)
    click(qtbot, window.transport.step)
    until(qtbot, lambda: "paused · step 1" in window.status.words)
    assert "micro-batch" not in window.status.words


def test_that_the_form_is_as_it_was_left(qtbot: QtBot) -> None:
    window = unstarted_window(qtbot, fake_run)
    window.show()
    click(qtbot, window.panel.experiment.fold)
    assert window.panel.experiment.is_open
    assert unstarted_window(qtbot, fake_run).panel.experiment.is_open


MOMENTS = (
    "toggle_play", "forward", "forward_a_step", "back", "go_live", "restart", "toggle_scaling", "resync",
    "undo", "tab_3", "tab_4", "zoom_in",
)  # fmt: skip
"""What is done before the window is closed."""


@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("source", [train, slow_run], ids=["real", "slow"])
def test_that_the_window_closes_cleanly_at_any_moment(qtbot: QtBot, seed: int, source: EventSource) -> None:
    chance = random.Random(seed)
    window = unstarted_window(qtbot, source)
    window.show()
    window.pump.start()
    window.session.set_speed(chance.choice([2, 64, FLAT_OUT]))
    window.session.start(CONFIG)
    window.session.play()
    for _ in range(chance.randrange(6)):
        qtbot.wait(chance.randrange(12))
        window.commands.keys.actions[chance.choice(MOMENTS)].trigger()
    window.close()
    assert not window.session.running
    assert not window.isVisible()


def _ratio(window: MainWindow) -> float | None:
    moment = window.playback.moment()
    return moment.compared.comparison.ratio if moment and moment.compared else None


def _run_config(window: MainWindow) -> RunConfig:
    assert window.session.history.run is not None
    return window.session.history.run.config
