"""Losses made up for the tests of the loss pane, and what they ask of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from gradviz.config import RunConfig
from gradviz.events import RunStarted, State, StepFinished
from gradviz.history import History, Moment
from gradviz_app.plotting.loss_chart import LossChart
from gradviz_app.plotting.loss_lines import LossLines, LossPicture
from gradviz_app.plotting.marks import Words
from gradviz_app.theme import DARK, Theme
from gradviz_app.views.loss import Loss

Row = tuple[float | None, float | None, float | None]
LN_10 = math.log(10)


def history_of(
    rows: Sequence[Row], states: Callable[[int], State] = lambda step: "training", **settings: object
) -> History:
    """A history with these losses (full, accumulated, twin); `states` gives that of the accumulated lane."""
    config = RunConfig.of({"lr": 0.5, **settings})
    history = History()
    history.append(run_started(config))
    for step, losses in enumerate(rows, 1):
        history.append(finished(step, losses, config, states(step)))
    return history


def run_started(config: RunConfig) -> RunStarted:
    return RunStarted(
        config=config,
        task_title="digits",
        model_title="MLP",
        device_title="cpu",
        parameters=4810,
        guessing_loss=LN_10,
        guessing_title="ln 10",
        layers=(),
        score_title="accuracy",
        score_unit="%",
        points=None,
        labels=None,
    )


def finished(
    step: int,
    losses: Row,
    config: RunConfig,
    state: State = "training",
    scores: tuple[float | None, float | None] = (None, None),
) -> StepFinished:
    """A step with these losses and scores (of the full lane and the accumulated one)."""
    return StepFinished(
        step=step,
        loss_full=losses[0],
        loss_accumulated=losses[1],
        loss_twin=losses[2],
        micro_batches=config.micro_batches,
        scaling=config.scaling,
        lr=config.lr,
        state_full="training",
        state_accumulated=state,
        units_off=None,
        score_full=scores[0],
        score_accumulated=scores[1],
    )


def falling(steps: int, apart: float = 0.0) -> list[Row]:
    losses = [2.3 * math.exp(-step / 20) + 0.1 for step in range(steps)]
    return [(loss, loss * (1 + apart), None) for loss in losses]


def newest(history: History) -> Moment:
    moment = history.at(-1)
    assert moment is not None
    return moment


def picture_of(history: History, pixels: int = 500) -> LossPicture:
    lines = LossLines()
    lines.take(history, newest(history))
    picture = lines.picture(pixels)
    assert picture is not None
    return picture


def pane_of(qtbot: QtBot, history: History, theme: Theme = DARK, width: int = 740, height: int = 250) -> Loss:
    pane = Loss(theme)
    qtbot.addWidget(pane)
    pane.resize(width, height)
    pane.show()
    pane.refresh(history, history.at(-1))
    return pane


def chart_of(pane: Loss) -> LossChart:
    chart = pane.findChild(LossChart)
    assert isinstance(chart, LossChart)
    return chart


def notes_of(pane: Loss) -> list[Words]:
    notes = chart_of(pane).notes
    return [] if notes is None else notes.marks.words


def words_of(pane: Loss) -> list[str]:
    return [words.text for words in notes_of(pane)]


def image_of(pane: Loss, ratio: float = 1.0) -> QImage:
    image = QImage(pane.size() * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    pane.render(image)
    return image


def pixels_like(image: QImage, colour: str) -> int:
    wanted = QColor(colour).rgb()
    return sum(image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height()))


def thickness(image: QImage, x: int) -> int:
    """How many pixels of column x are the full-batch lane's colour, or nearly."""
    wanted = QColor(DARK.full)
    column = [image.pixelColor(x, y) for y in range(image.height())]
    return sum(abs(c.red() - wanted.red()) + abs(c.green() - wanted.green()) < 90 for c in column)


def twin_switch(pane: Loss) -> QToolButton:
    switch = pane.findChild(QToolButton)
    assert isinstance(switch, QToolButton)
    return switch
