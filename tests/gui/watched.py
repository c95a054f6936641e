"""Moments of real runs that are looked at closely, and what the tests of several panes need."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage

from gradviz.config import RunConfig
from gradviz.control import Control, Watch
from gradviz.events import Event, StepFinished
from gradviz.history import History, Moment
from gradviz.trainer import Trainer
from gradviz_app.views.pane import Pane

SIZES = ((715, 375, 1.0), (1072, 562, 1.5), (1430, 750, 2.0), (300, 220, 1.0))
"""Width, height and scale of panes: those of a small, a large and a very large window, and a narrow one."""


@cache
def watched(
    step: int = 1,
    k: int | None = None,
    layer: int | None = None,
    plane: bool = False,
    counted: bool = False,
    **settings: object,
) -> Moment:
    """The moment with `k` pieces added (None: all, and compared) in the window of `step`.

    `counted` goes piece by piece, as somebody does who watches each.
    """
    history = History()
    for event in _events(step, Watch(layer, plane), counted, settings):
        if isinstance(event, StepFinished) and event.step == step:
            break
        history.append(event)
    newest = history.at(-1)
    assert newest is not None
    assert newest.window is not None
    moment = history.at(len(history) - 1 - (0 if k is None else len(newest.window.sizes) - k))
    assert moment is not None
    return moment


def _events(steps: int, watch: Watch, counted: bool, settings: dict[str, object]) -> list[Event]:
    config = RunConfig.of({"threads": 1, **settings})
    control = Control(config, always_seen=True)
    control.watch(watch)
    control.allow(steps * (config.micro_batches + 1) if counted else None)
    return list(Trainer(config, steps).run(control))


def show(pane: Pane, moment: Moment | None) -> None:
    pane.refresh(History(), moment)


def picture(pane: Pane) -> QImage:
    image = QImage(pane.size(), QImage.Format.Format_RGB32)
    pane.render(image, QPoint())
    return image


def painted(pane: Pane) -> bytes:
    """All pixels, four bytes each."""
    image = picture(pane)
    return bytes(image.constBits())
