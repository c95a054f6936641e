"""A repaint of the loss pane after a million steps."""

from __future__ import annotations

import statistics
import time

import numpy as np
from figures import Figure
from PySide6.QtWidgets import QApplication

from gradviz.config import RunConfig
from gradviz.events import RunStarted, StepFinished
from gradviz.history import History
from gradviz_app.fonts import load_fonts
from gradviz_app.theme import DARK
from gradviz_app.views.loss import Loss

POINTS, REPAINTS = 1_000_000, 60


def measure() -> list[Figure]:
    """One more step, refreshed and painted, as it happens while a long run goes on."""
    application = QApplication([])
    load_fonts()
    history, losses = History(), _losses(POINTS + REPAINTS)
    history.append(_started())
    for step in range(1, POINTS + 1):
        history.append(_finished(step, losses[step - 1]))
    pane = Loss(DARK.scaled(1.5))
    # the pane's part of a window of 1920 × 1080
    pane.resize(1100, 370)
    pane.show()
    pane.refresh(history, history.at(-1))
    application.processEvents()
    times_ms = []
    for step in range(POINTS + 1, POINTS + REPAINTS + 1):
        history.append(_finished(step, losses[step - 1]))
        begun_s = time.perf_counter()
        pane.refresh(history, history.at(-1))
        application.processEvents()
        times_ms.append(1000 * (time.perf_counter() - begun_s))
    pane.close()
    note = "median; off-screen, both lanes and their difference"
    return [Figure("loss curve of 1e6 points, a repaint", 4.0, statistics.median(times_ms), "ms", note=note)]


def _started() -> RunStarted:
    return RunStarted(
        config=RunConfig.of({}),
        task_title="digits",
        model_title="MLP",
        device_title="CPU",
        parameters=4810,
        guessing_loss=2.303,
        guessing_title="ln 10",
        layers=(),
        score_title="accuracy",
        score_unit="%",
        points=None,
        labels=None,
    )


def _losses(count: int) -> list[float]:
    steps = np.arange(count)
    noise = np.random.default_rng(0).normal(1.0, 0.2, count)
    losses: list[float] = (np.abs(noise) * (0.1 + 2.2 * np.exp(-steps / 1e5))).tolist()
    return losses


def _finished(step: int, loss: float) -> StepFinished:
    return StepFinished(
        step=step,
        loss_full=loss,
        loss_accumulated=loss * (1 + 1e-7),
        loss_twin=None,
        micro_batches=8,
        scaling="mean",
        lr=0.5,
        state_full="training",
        state_accumulated="training",
        units_off=None,
        score_full=None,
        score_accumulated=None,
    )
