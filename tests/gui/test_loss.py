"""The loss pane as a widget: lines on the screen, the twin's switch, pointing, themes, what is left."""

from __future__ import annotations

import gc
import itertools
import weakref
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gradviz.history import History
from gradviz_app.plotting.curve import MOST, Curve
from gradviz_app.plotting.loss_chart import LossChart
from gradviz_app.theme import DARK, LIGHT

from .losses import (
    Row,
    chart_of,
    falling,
    history_of,
    image_of,
    newest,
    pane_of,
    pixels_like,
    thickness,
    twin_switch,
    words_of,
)
from .moments import make_history


def test_that_a_value_alone_between_two_gaps_is_seen(qtbot: QtBot) -> None:
    rows: list[Row] = [(2.0, None, None), *[(None, None, None)] * 20, (1.0, None, None)]
    rows += [(None, None, None)] * 20
    without = pixels_like(image_of(pane_of(qtbot, history_of([(2.0, None, None), *rows[1:21]]))), DARK.full)
    assert pixels_like(image_of(pane_of(qtbot, history_of(rows))), DARK.full) > without


@pytest.mark.parametrize("count", [60, 1000])
def test_that_a_wide_line_is_wide_with_few_and_with_many_points(qtbot: QtBot, count: int) -> None:
    history = history_of([(1.0, None, None)] * count)
    assert thickness(image_of(pane_of(qtbot, history)), 150) == 4


def test_that_lines_are_as_wide_on_an_image_of_double_density(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, history_of([(1.0, None, None)] * 60))
    assert thickness(image_of(pane, 2.0), 300) in (7, 8)


def test_that_a_pane_without_a_run_is_drawn(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, History())
    assert pane.findChild(LossChart) is None
    assert not image_of(pane).isNull()
    assert pane.second_title() == ""


def test_that_a_run_without_steps_and_one_with_one_are_drawn(qtbot: QtBot) -> None:
    assert "guessing: ln 10 = 2.303" in words_of(pane_of(qtbot, history_of([])))
    image = image_of(pane_of(qtbot, history_of(falling(1))))
    assert pixels_like(image, DARK.full) > 5


@pytest.mark.parametrize("alone", ["full", "accumulated"])
def test_that_a_lane_alone_has_no_difference(qtbot: QtBot, alone: str) -> None:
    rows: list[Row] = [
        (loss, None, None) if alone == "full" else (None, loss, None) for loss, _, _ in falling(9)
    ]
    pane = pane_of(qtbot, history_of(rows, lanes=alone))
    assert not {"rounding", "|difference|"} & set(words_of(pane))
    run = "full-batch" if alone == "full" else "accumulated"
    assert pane.second_title() == f"the {run} run alone · SGD, learning rate 0.5"


def test_that_the_twin_is_dotted_also_where_it_rises_steeply() -> None:
    twin = Curve()
    twin.set_bounds(QRectF(0, 0, 1000, 1), QSizeF(500, 200))
    twin.set_style(DARK.full, 1.5, (2.5, 4.0), along=True)
    xs = np.arange(1000.0)
    ys = np.where(xs < 500, 0.0, 1.0)
    twin.set_line(xs, ys)
    rises = [stroke for stroke in twin._strokes if stroke.boundingRect().height() > 0]
    # 200 pixels in the middle, a dash each 6.5 pixels
    assert 25 <= len(rises) <= 35
    assert all(stroke.boundingRect().height() * 200 <= 2.6 for stroke in rises)


def test_that_a_twin_that_goes_up_and_down_a_lot_is_drawn_in_few_dashes() -> None:
    twin = Curve()
    twin.set_bounds(QRectF(0, 0, 1000, 1), QSizeF(500, 200))
    twin.set_style(DARK.full, 1.5, (2.5, 4.0), along=True)
    twin.set_line(np.arange(1000.0), np.arange(1000) % 2.0)
    assert len(twin._strokes) <= MOST + 1


@pytest.mark.parametrize("steps", [60, 400])
def test_that_the_twin_covers_nothing_of_the_accumulated_curve_and_is_seen(qtbot: QtBot, steps: int) -> None:
    rows = [(2.0 + step / steps, 0.5 + step / steps, None) for step in range(steps)]
    alone = image_of(pane_of(qtbot, history_of(rows, scaling="unscaled")))
    twin = [(full, accumulated, 0.4 + step / steps) for step, (full, accumulated, _) in enumerate(rows)]
    pane = pane_of(qtbot, history_of(twin, scaling="unscaled", twin=True))
    image = image_of(pane)
    assert pixels_like(image, DARK.full) > pixels_like(alone, DARK.full)
    assert "twin" in words_of(pane)
    items = chart_of(pane)._upper.allChildren()
    assert items.index(chart_of(pane)._twin) < items.index(chart_of(pane)._faulty)


def test_that_a_twin_on_the_very_same_curve_is_seen_through_its_gaps(qtbot: QtBot) -> None:
    rows = [(2.0, 0.5 + step / 60, 0.5 + step / 60) for step in range(60)]
    same = pane_of(qtbot, history_of(rows, scaling="unscaled", twin=True))
    without = pane_of(qtbot, history_of([(*row[:2], None) for row in rows], scaling="unscaled", twin=True))
    strip = QRect(80, 60, 150, 120)
    assert near(image_of(same).copy(strip)) > near(image_of(without).copy(strip))


def near(image: QImage) -> int:
    """How many pixels are about as amber as the full batch."""
    return sum(thickness(image, x) for x in range(image.width()))


def test_that_a_twin_that_is_no_longer_trained_is_not_named(qtbot: QtBot) -> None:
    rows: list[Row] = [(2.0, 0.5, 0.5)] * 10 + [(2.0, 0.5, None)] * 10
    assert "twin" not in words_of(pane_of(qtbot, history_of(rows, scaling="unscaled", twin=True)))


def test_that_the_switch_of_the_twin_is_there_for_sgd_without_scaling_only(qtbot: QtBot) -> None:
    for optimizer, scaling in itertools.product(("sgd", "adam"), ("mean", "unscaled")):
        pane = pane_of(qtbot, history_of(falling(5), optimizer=optimizer, scaling=scaling))
        assert twin_switch(pane).isVisible() == ((optimizer, scaling) == ("sgd", "unscaled"))


def test_that_the_switch_tells_what_the_user_wants_and_nothing_else(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, history_of(falling(5), scaling="unscaled"))
    switch = twin_switch(pane)
    assert switch.text() == "show the twin"
    with qtbot.waitSignal(pane.twin_toggled) as told:
        switch.click()
    assert told.args == [True]
    assert switch.text() == "hide the twin"
    with qtbot.assertNotEmitted(pane.twin_toggled):
        pane.set_twin(False)
    assert not switch.isChecked()


def test_that_pointing_at_a_step_reads_its_losses(qtbot: QtBot) -> None:
    rows: list[Row] = [(2.0, 1.5, None)] * 60
    pane = pane_of(qtbot, history_of(rows))
    qtbot.mouseMove(pane, QPoint(300, 120))
    title = pane.second_title()
    assert title.startswith("step ")
    assert title.endswith("full batch 2.000  ·  accumulated 1.500  ·  difference 0.500")
    pane.refresh(history_of(rows[:2]), newest(history_of(rows[:2])))
    assert not pane.second_title().startswith("step ")


def test_that_another_theme_restyles_everything_at_once(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, make_history(12, scaling="unscaled"))
    pane.set_theme(LIGHT.scaled(1.2))
    image = image_of(pane)
    dark = (DARK.ground, DARK.full, DARK.fault, DARK.ink, DARK.accumulated)
    assert [pixels_like(image, colour) for colour in dark] == [0] * len(dark)
    assert pixels_like(image, LIGHT.fault) > 100
    assert image_of(pane_of(qtbot, make_history(12, scaling="unscaled"), LIGHT.scaled(1.2))) == image


def test_that_the_same_moment_is_painted_the_same_to_the_bit(qtbot: QtBot) -> None:
    history = make_history(12, scaling="unscaled")
    pane = pane_of(qtbot, history)
    first = image_of(pane)
    pane.refresh(history, replace(newest(history), steps=3))
    pane.refresh(history, history.at(-1))
    assert image_of(pane) == first


def test_that_a_tiny_pane_is_drawn(qtbot: QtBot) -> None:
    assert not image_of(pane_of(qtbot, make_history(6, scaling="unscaled"), width=30, height=20)).isNull()


def test_that_a_pane_leaves_no_timer_and_no_history_behind(qtbot: QtBot) -> None:
    history = history_of(falling(9))
    pane = pane_of(qtbot, history)
    assert not any(timer.isActive() for timer in pane.findChildren(QTimer))
    gone = weakref.ref(history)
    del history
    gc.collect()
    assert gone() is None


def test_that_the_chart_lets_the_mouse_through_and_takes_no_focus(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, history_of(falling(9)))
    chart = chart_of(pane)
    assert chart.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    assert chart.focusPolicy() == Qt.FocusPolicy.NoFocus
    assert all(item.boundingRect().isValid() for item in chart.scene().items() if isinstance(item, Curve))
