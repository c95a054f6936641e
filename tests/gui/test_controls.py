"""Every control on its own: what it asks for, and what it says of a wrong value."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gradviz import presets
from gradviz.config import ConfigError, RunConfig
from gradviz_app.controls.experiment import FIELDS, Experiment
from gradviz_app.controls.field import read
from gradviz_app.controls.learning_rate import LearningRate
from gradviz_app.controls.n_slider import NSlider, place_of, stops_for
from gradviz_app.controls.panel import Panel
from gradviz_app.controls.scaling_slider import ScalingSlider
from gradviz_app.controls.speed import Speed
from gradviz_app.controls.stop_slider import StopSlider
from gradviz_app.controls.transport import Transport
from gradviz_app.pace import FLAT_OUT, SPEEDS
from gradviz_app.style import style_sheet
from gradviz_app.theme import DARK, LIGHT, Theme
from gradviz_app.words import split_in_words


class Asked:
    """Takes changes as the session does, and remembers them."""

    def __init__(self, **settings: object) -> None:
        self.config = RunConfig.of(settings)
        self.changes: list[dict[str, object]] = []

    def change(self, **settings: object) -> None:
        self.config = self.config.changed(**settings)
        self.changes.append(settings)


def type_into(qtbot: QtBot, entry: QLineEdit, text: str) -> None:
    entry.selectAll()
    qtbot.keyClicks(entry, text)
    qtbot.keyClick(entry, Qt.Key.Key_Return)


def show(qtbot: QtBot, widget: QWidget, width: int = 200) -> None:
    qtbot.addWidget(widget)
    widget.resize(width, max(60, widget.sizeHint().height()))
    widget.show()


@pytest.mark.parametrize(
    ("batch", "stops"),
    [(1, [1]), (8, [1, 2, 4, 8]), (10, [1, 2, 4, 8, 10]), (100, [1, 2, 4, 8, 16, 32, 64, 100])],
)
def test_that_the_stops_are_powers_of_two_and_the_batch(batch: int, stops: list[int]) -> None:
    assert stops_for(batch) == stops


def test_that_the_places_between_stops_are_logarithmic() -> None:
    assert place_of(8, [1, 2, 4, 8, 10]) == 3
    assert place_of(3, [1, 2, 4]) == pytest.approx(1.585, abs=1e-3)


def test_that_the_n_slider_asks_for_its_stops(qtbot: QtBot) -> None:
    asked = Asked(batch=10, micro_batches=3)
    slider = NSlider(DARK, asked.change)
    show(qtbot, slider)
    slider.show_config(asked.config)
    assert not asked.changes
    qtbot.keyClick(slider.slider, Qt.Key.Key_End)
    assert asked.changes == [{"micro_batches": 10}]


def test_that_the_stop_nearest_to_a_typed_n_can_still_be_chosen(qtbot: QtBot) -> None:
    asked = Asked(batch=16, micro_batches=3)
    slider = NSlider(DARK, asked.change)
    show(qtbot, slider)
    slider.show_config(asked.config)
    stop = slider.slider
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton, pos=QPoint(round(stop._x(2)), 10))
    assert asked.changes == [{"micro_batches": 4}]


@pytest.mark.parametrize("n", [1, 3, 7, 10])
def test_that_any_n_up_to_the_batch_can_be_typed(qtbot: QtBot, n: int) -> None:
    asked = Asked(batch=10, micro_batches=2)
    slider = NSlider(DARK, asked.change)
    show(qtbot, slider)
    slider.show_config(asked.config)
    type_into(qtbot, slider.entry, str(n))
    assert asked.config.micro_batches == n
    assert slider.refusal.isHidden()


@pytest.mark.parametrize("text", ["0", "11", "-1", "two", "1e3", "", "2.5", "9" * 30])
def test_that_a_wrong_n_is_refused_in_one_sentence_and_the_value_comes_back(qtbot: QtBot, text: str) -> None:
    asked = Asked(batch=10, micro_batches=2)
    slider = NSlider(DARK, asked.change)
    show(qtbot, slider)
    slider.show_config(asked.config)
    slider.entry.setText(text)
    slider.entry.editingFinished.emit()
    assert not asked.changes
    assert slider.entry.text() == "2"
    if len(text) < 30:
        assert slider.refusal.text().startswith(f"N is {int(text) if text.isdecimal() else repr(text)}; ")
    assert slider.refusal.text().endswith("it must be a whole number from 1 to 10, the batch.")
    type_into(qtbot, slider.entry, "4")
    assert slider.refusal.isHidden()


@pytest.mark.parametrize(("stop", "scaling"), [(1, "unscaled"), (2, "samples")])
def test_that_the_scaling_slider_asks_for_each_scaling(qtbot: QtBot, stop: int, scaling: str) -> None:
    asked = Asked()
    slider = ScalingSlider(DARK, asked.change)
    show(qtbot, slider)
    slider.show_config(asked.config)
    x = round(slider.slider._x(stop))
    qtbot.mouseClick(slider.slider, Qt.MouseButton.LeftButton, pos=QPoint(x, 10))
    assert asked.changes == [{"scaling": scaling}]


def test_that_the_scaling_slider_works_by_keyboard(qtbot: QtBot) -> None:
    asked = Asked()
    slider = ScalingSlider(DARK, asked.change)
    show(qtbot, slider)
    slider.show_config(asked.config)
    qtbot.keyClick(slider.slider, Qt.Key.Key_Right)
    assert asked.config.scaling == "unscaled"
    qtbot.keyClick(slider.slider, Qt.Key.Key_Left)
    assert asked.config.scaling == "mean"


@pytest.mark.parametrize("scaling", ["mean", "unscaled", "samples"])
def test_that_only_a_forgotten_scaling_takes_the_colour_of_the_fault(qtbot: QtBot, scaling: str) -> None:
    slider = ScalingSlider(DARK, Asked().change)
    show(qtbot, slider)
    slider.show_config(RunConfig.of({"scaling": scaling}))
    image = slider.slider.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert (DARK.fault in colours) == (scaling == "unscaled")


@pytest.mark.parametrize("text", ["0.3", "1e-5", "17"])
def test_that_a_learning_rate_can_be_typed(qtbot: QtBot, text: str) -> None:
    asked = Asked()
    rate = LearningRate(DARK, asked.change)
    show(qtbot, rate)
    rate.show_config(asked.config)
    type_into(qtbot, rate.entry, text)
    assert asked.config.lr == float(text)


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "fast", ""])
def test_that_a_wrong_learning_rate_is_refused_in_one_sentence(qtbot: QtBot, text: str) -> None:
    asked = Asked()
    rate = LearningRate(DARK, asked.change)
    show(qtbot, rate)
    rate.show_config(asked.config)
    rate.entry.setText(text)
    rate.entry.editingFinished.emit()
    assert not asked.changes
    assert rate.entry.text() == "0.5"
    assert "must be a number from" in rate.refusal.text()


def test_that_the_learning_rate_slider_goes_from_small_to_large(qtbot: QtBot) -> None:
    asked = Asked()
    rate = LearningRate(DARK, asked.change)
    show(qtbot, rate)
    rate.show_config(asked.config)
    qtbot.keyClick(rate.slider, Qt.Key.Key_Home)
    assert asked.config.lr == 1e-4
    qtbot.keyClick(rate.slider, Qt.Key.Key_End)
    assert asked.config.lr == 10.0


def test_that_the_speed_goes_from_a_half_to_flat_out(qtbot: QtBot) -> None:
    speed = Speed(DARK)
    show(qtbot, speed, 300)
    chosen: list[float] = []
    speed.chosen.connect(chosen.append)
    speed.show_speed(2)
    assert (speed.value.text(), speed.unit.text()) == ("2", "micro-batches\na second")
    qtbot.keyClick(speed.slider, Qt.Key.Key_End)
    qtbot.keyClick(speed.slider, Qt.Key.Key_Home)
    assert chosen == [FLAT_OUT, SPEEDS[0]]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "256 = 8 × 32 samples"),
        ({"micro_batches": 1}, "256 samples, all at once"),
        ({"sizes": [4, 4, 2]}, "10 = 4 + 4 + 2 samples"),
        ({"batch": 100, "micro_batches": 8}, "100 = 4 × 13 + 4 × 12 samples"),
        ({"sizes": [2, 4, 2, 4, 2]}, "14 = 2 + 4 + 2 + … samples"),
    ],
)
def test_that_the_split_is_told_in_words(settings: dict[str, object], words: str) -> None:
    assert split_in_words(RunConfig.of(settings)) == words


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("seed", "7", 7),
        ("batch", "64", 64),
        ("width", "32", 32),
        ("device", "cpu", "cpu"),
        ("threads", "2", 2),
        ("card", "1 MiB", 2**20),
    ],
)
def test_that_a_setting_can_be_typed(qtbot: QtBot, name: str, text: str, value: object) -> None:
    asked = Asked()
    experiment = Experiment(DARK, asked.change)
    show(qtbot, experiment, 220)
    experiment.set_open(True)
    experiment.show_config(asked.config)
    editor = experiment.fields[name].editor
    assert isinstance(editor, QLineEdit)
    type_into(qtbot, editor, text)
    assert getattr(asked.config, name) == value


@pytest.mark.parametrize(
    ("name", "word"),
    [("activation", "relu"), ("optimizer", "adam"), ("precision", "float64"), ("lanes", "full")],
)
def test_that_a_setting_of_a_few_words_can_be_chosen(qtbot: QtBot, name: str, word: str) -> None:
    asked = Asked()
    experiment = Experiment(DARK, asked.change)
    show(qtbot, experiment, 220)
    experiment.show_config(asked.config)
    editor = experiment.fields[name].editor
    assert isinstance(editor, QComboBox)
    editor.setCurrentText(word)
    editor.activated.emit(editor.currentIndex())
    assert asked.changes == [{name: word}]


@pytest.mark.parametrize(
    ("name", "text"), [("seed", "-1"), ("batch", "0"), ("batch", "a lot"), ("device", "tpu"), ("card", "big")]
)
def test_that_a_wrong_setting_is_refused_beside_it_and_changes_nothing(
    qtbot: QtBot, name: str, text: str
) -> None:
    asked = Asked()
    experiment = Experiment(DARK, asked.change)
    show(qtbot, experiment, 220)
    experiment.set_open(True)
    experiment.show_config(asked.config)
    field = experiment.fields[name]
    assert isinstance(field.editor, QLineEdit)
    shown = field.editor.text()
    type_into(qtbot, field.editor, text)
    assert not asked.changes
    assert field.editor.text() == shown
    assert not field.refusal.isHidden()
    assert field.refusal.text().endswith(".")
    assert "\n" not in field.refusal.text()


def test_that_every_setting_says_what_it_is(qtbot: QtBot) -> None:
    experiment = Experiment(DARK, Asked().change)
    qtbot.addWidget(experiment)
    for name in FIELDS:
        assert len(experiment.fields[name].toolTip()) > 10


def test_that_every_control_has_an_accessible_name(qtbot: QtBot) -> None:
    panel = Panel(DARK, Asked().change)
    qtbot.addWidget(panel)
    for kind in (QAbstractButton, QComboBox, QLineEdit, StopSlider):
        for control in panel.findChildren(kind):
            assert control.accessibleName(), control


def test_that_clicking_a_slider_does_not_take_the_keys_from_the_stage(qtbot: QtBot) -> None:
    panel = Panel(DARK, Asked().change)
    qtbot.addWidget(panel)
    for slider in panel.findChildren(QAbstractSlider):
        assert not slider.focusPolicy() & Qt.FocusPolicy.ClickFocus


def test_that_a_number_that_is_none_is_left_to_the_settings_to_judge() -> None:
    assert read("seed", "x") == "x"
    with pytest.raises(ConfigError, match="whole number"):
        RunConfig.of({"seed": read("seed", "x")})


def test_that_a_note_goes_when_the_value_is_typed_anew_even_as_it_was(qtbot: QtBot) -> None:
    asked = Asked()
    panel = Panel(DARK, asked.change)
    show(qtbot, panel, 212)
    panel.experiment.set_open(True)
    panel.show_config(asked.config)
    batch = panel.experiment.fields["batch"]
    assert isinstance(batch.editor, QLineEdit)
    rows = [
        (panel.n.entry, panel.n.refusal, "8"),
        (panel.learning_rate.entry, panel.learning_rate.refusal, "0.5"),
        (batch.editor, batch.refusal, "256"),
    ]
    for entry, refusal, valid in rows:
        type_into(qtbot, entry, "0")
        assert not refusal.isHidden()
        assert entry.text() == valid
        type_into(qtbot, entry, valid)
        assert refusal.isHidden()
        type_into(qtbot, entry, "abc")
        assert "'abc'" in refusal.text()
        qtbot.keyClicks(entry, "1")
        assert refusal.isHidden()
    assert not asked.changes


def test_that_a_note_goes_when_the_setting_changes_elsewhere(qtbot: QtBot) -> None:
    asked = Asked()
    panel = Panel(DARK, asked.change)
    show(qtbot, panel, 212)
    panel.show_config(asked.config)
    type_into(qtbot, panel.n.entry, "0")
    type_into(qtbot, panel.learning_rate.entry, "0")
    panel.show_config(asked.config)
    assert not panel.n.refusal.isHidden()
    panel.show_config(RunConfig.of({"micro_batches": 4, "lr": 0.1}))
    assert panel.n.refusal.isHidden()
    assert panel.learning_rate.refusal.isHidden()


def test_that_a_note_calls_the_setting_by_its_title(qtbot: QtBot) -> None:
    asked = Asked()
    rate = LearningRate(DARK, asked.change)
    show(qtbot, rate)
    rate.show_config(asked.config)
    type_into(qtbot, rate.entry, "0")
    assert rate.refusal.text() == "Learning rate is 0; it must be a number from 0.000001 to 100."


@pytest.mark.parametrize(("lr", "text"), [(0.5, "0.5"), (8.0, "8"), (1e-5, "0.00001"), (100.0, "100")])
def test_that_a_learning_rate_is_written_plainly(qtbot: QtBot, lr: float, text: str) -> None:
    rate = LearningRate(DARK, Asked().change)
    qtbot.addWidget(rate)
    rate.show_config(RunConfig.of({"lr": lr}))
    assert rate.entry.text() == text


def test_that_what_takes_no_pieces_cannot_be_cut_and_says_why(qtbot: QtBot) -> None:
    panel = Panel(DARK, Asked().change)
    qtbot.addWidget(panel)
    panel.show_config(RunConfig.of({"lanes": "full"}))
    for part in (panel.n, panel.scaling):
        assert not part.isEnabled()
        assert part.toolTip() == "the full-batch lane alone takes no micro-batches"
    assert panel.split.text().startswith("256 samples, all at once: ")
    panel.show_config(RunConfig.of({}))
    for part in (panel.n, panel.scaling):
        assert part.isEnabled()
        assert part.toolTip() == ""


def test_that_the_preset_that_is_on_stays_in_the_box_until_a_setting_differs(qtbot: QtBot) -> None:
    experiment = Experiment(DARK, Asked().change)
    qtbot.addWidget(experiment)
    preset = presets.load("adam-hides-it")
    config = RunConfig.of(preset.settings)
    experiment.show_config(config)
    experiment.show_start()
    assert experiment.preset_title == preset.title
    assert experiment.about.text() == preset.about
    assert preset.about in experiment.summary.text()
    experiment.show_config(config.changed(seed=1))
    assert experiment.preset_title == ""
    assert experiment.preset.currentIndex() == 0
    assert experiment.about.isHidden()


def test_that_settings_which_become_a_presets_on_the_way_are_not_told_as_its_run(qtbot: QtBot) -> None:
    experiment = Experiment(DARK, Asked().change)
    qtbot.addWidget(experiment)
    config = RunConfig.of({})
    experiment.show_config(config)
    experiment.show_start()
    assert experiment.preset_title == presets.load("digits").title
    experiment.show_config(config.changed(scaling="unscaled"))
    assert config.changed(scaling="unscaled") == RunConfig.of(presets.load("unscaled").settings)
    assert experiment.preset_title == ""
    experiment.show_start()
    assert experiment.preset_title == presets.load("unscaled").title


@pytest.mark.parametrize("refused", [True, False])
def test_that_a_preset_that_does_not_start_leaves_the_box_as_it_was(qtbot: QtBot, refused: bool) -> None:
    experiment = Experiment(DARK, Asked().change)
    qtbot.addWidget(experiment)
    digits, unscaled = (RunConfig.of(presets.load(name).settings) for name in ("digits", "unscaled"))
    experiment.show_config(digits)
    experiment.show_start()
    if refused:
        experiment.preset_chosen.connect(lambda _name: experiment.refuse_preset("it does not work"))
    else:
        experiment.preset_chosen.connect(lambda _name: experiment.show_config(unscaled))
    place = experiment.preset.findData("unscaled")
    experiment.preset.setCurrentIndex(place)
    experiment.preset.activated.emit(place)
    if not refused:
        assert experiment.preset_title == presets.load("unscaled").title
        # the run failed before it began
        experiment.show_config(digits)
    assert experiment.preset_title == presets.load("digits").title
    assert experiment.refusal.isHidden() is not refused
    experiment.show_config(unscaled)
    assert experiment.preset_title == ""


def test_that_a_note_below_the_fold_is_scrolled_into_view_by_the_one_bar_there_is(qtbot: QtBot) -> None:
    asked = Asked()
    panel = Panel(DARK, asked.change)
    show(qtbot, panel, 220)
    panel.resize(220, 300)
    panel.experiment.set_open(True)
    panel.show_config(asked.config)
    field = panel.experiment.fields["threads"]
    areas = panel.findChildren(QScrollArea)
    assert len(areas) == 1
    viewport = areas[0].viewport()
    assert isinstance(field.editor, QLineEdit)
    type_into(qtbot, field.editor, "0")

    def in_view() -> bool:
        bottom = field.refusal.mapTo(viewport, QPoint(0, field.refusal.height())).y()
        return 0 < bottom <= viewport.height()

    qtbot.waitUntil(in_view)


def test_that_the_full_batch_alone_is_only_stepped_through(qtbot: QtBot) -> None:
    transport = Transport(DARK)
    qtbot.addWidget(transport)
    transport.show_config(RunConfig.of({"lanes": "full"}))
    assert not transport.micro_batch.isEnabled()
    assert transport.step.isEnabled()
    assert transport.speed.unit.text() == "steps\na second"
    transport.show_config(RunConfig.of({}))
    assert transport.micro_batch.isEnabled()
    assert transport.speed.unit.text() == "micro-batches\na second"


def test_that_the_batch_says_how_many_samples_there_are(qtbot: QtBot) -> None:
    experiment = Experiment(DARK, Asked().change)
    qtbot.addWidget(experiment)
    experiment.show_config(RunConfig.of({}))
    assert "1797 samples" in experiment.fields["batch"].toolTip()


def test_that_a_value_is_shown_as_it_is_written_here_however_it_was_typed(qtbot: QtBot) -> None:
    asked = Asked()
    experiment = Experiment(DARK, asked.change)
    show(qtbot, experiment, 220)
    experiment.show_config(asked.config)
    editor = experiment.fields["batch"].editor
    assert isinstance(editor, QLineEdit)
    type_into(qtbot, editor, "0256")
    assert editor.text() == "256"


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_that_the_focus_looks_otherwise_than_the_pointer(qtbot: QtBot, theme: Theme) -> None:
    rules = {rule.split("{")[0].strip(): rule for rule in style_sheet(theme).split("}")}
    for focus, hover in (
        ("QPushButton:focus", "QPushButton:hover"),
        ("QLineEdit:focus, QComboBox:focus", "QLineEdit:hover, QComboBox:hover"),
    ):
        assert f"border-color: {theme.accumulated}" in rules[focus]
        assert "border" not in rules[hover]


@pytest.mark.parametrize(
    ("settings", "right"),
    [({}, "÷ N"), ({"micro_batches": 3}, "by samples"), ({"sizes": (4, 4, 2)}, "by samples")],
)
def test_that_the_scaling_called_right_is_the_one_that_is(
    qtbot: QtBot, settings: dict[str, object], right: str
) -> None:
    asked = Asked(**settings)
    slider = ScalingSlider(DARK, asked.change)
    show(qtbot, slider)
    slider.show_config(asked.config)
    names = ("÷ N", "× 1", "by samples")
    assert names[slider.slider.notes.index("right")] == right


def wheel(widget: QWidget) -> QWheelEvent:
    place = QPointF(widget.rect().center())
    event = QWheelEvent(
        place, place, QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
    return event


def test_that_a_wheel_that_turns_over_a_control_changes_nothing(qtbot: QtBot) -> None:
    asked = Asked()
    rate, form = LearningRate(DARK, asked.change), Experiment(DARK, asked.change)
    for part in (rate, form):
        show(qtbot, part)
        part.show_config(asked.config)
    for control in (rate.slider, *form.findChildren(QComboBox)):
        assert not wheel(control).isAccepted()
    assert not asked.changes
