"""What must be true of a window and its run whatever somebody does to them."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import cast

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit

from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import Compared, Event, Resynced, RunFailed, RunStarted, StepFinished, WindowStarted
from gradviz.units import format_bytes, plain
from gradviz_app.geometry import available_screens
from gradviz_app.main_window import MainWindow
from gradviz_app.pace import SPEEDS
from gradviz_app.words import SCALINGS
from gradviz_app.worker import EventSource, train
from gradviz_app.workspace.window import DetachedWindow

OURS = ("gradviz training", "task reader")
_TAME_LR = 1.0
_CLOSE = 1e-9
_NO_GRADIENT = 1e-30


class Judged:
    """A run, each event of which is judged in passing; `faults` are sentences about what was wrong."""

    def __init__(self, source: EventSource = train) -> None:
        self.faults: list[str] = []
        self.steps = self.compared = self.losses_compared = 0
        self._source = source

    def __call__(self, config: RunConfig, control: Control) -> Iterator[Event]:
        clean, window, events = True, None, self._source(config, control)
        with closing(cast("Generator[Event, None, None]", events)):
            for event in events:
                match event:
                    case RunStarted():
                        config = event.config
                    case WindowStarted():
                        window = event
                    case Resynced():
                        clean = True
                    case Compared() if window is not None:
                        self._judge_gradient(window, event)
                    case StepFinished():
                        self.steps += 1
                        if clean and config.precision == "float64":
                            self._judge_losses(event)
                        clean = clean and _is_right(event, config)
                    case RunFailed():
                        self.faults.append(f"the run failed: {event.sentence}")
                yield event

    def _judge_gradient(self, window: WindowStarted, event: Compared) -> None:
        """A whole window that is scaled as it should be equals the full batch, unless there is nothing."""
        even = len(set(window.sizes)) == 1
        if window.scaling == "unscaled" or (window.scaling == "mean" and not even):
            return
        found, unknown = event.comparison, not _NO_GRADIENT < window.reference_norm < 1e300
        self.compared += 1
        if found.kind != "equal" and not (unknown and found.kind == "none"):
            self.faults.append(
                f"step {event.step}, {window.scaling}, {window.sizes}: {found.verdict} ({event.why})"
            )

    def _judge_losses(self, event: StepFinished) -> None:
        full, accumulated = event.loss_full, event.loss_accumulated
        if full is None or accumulated is None:
            return
        self.losses_compared += 1
        # two that are not finite are no longer compared
        if abs(full - accumulated) > _CLOSE * max(1.0, abs(full)):
            self.faults.append(f"step {event.step}: losses {full!r} and {accumulated!r}")


def _is_right(event: StepFinished, config: RunConfig) -> bool:
    """The lanes go on being equal after this step. With a large learning rate rounding grows like a fault."""
    same = config.sizes is not None and len(config.sizes) == event.micro_batches
    even = len(set(config.sizes or ())) == 1 if same else config.batch % event.micro_batches == 0
    scaled = event.scaling == "samples" or (event.scaling == "mean" and even)
    return scaled and event.lr <= _TAME_LR and event.state_full == event.state_accumulated == "training"


def of_window(window: MainWindow) -> Iterator[str]:
    """What is wrong with the window: what its controls show, where it stands, who works for it."""
    yield from _of_controls(window)
    yield from _of_transport(window)
    yield from _of_places(window)
    if not window.pump._timer.isActive():
        yield "the pump does not tick"


def threads() -> int:
    """How many threads of ours there are."""
    return sum(thread.name in OURS for thread in threading.enumerate())


def _of_controls(window: MainWindow) -> Iterator[str]:
    config, panel = window.session.config, window.panel
    shown: list[tuple[str, QLineEdit | QComboBox, str]] = [
        ("N", panel.n.entry, str(config.micro_batches)),
        ("learning rate", panel.learning_rate.entry, plain(config.lr)),
    ]
    for name, field in panel.experiment.fields.items():
        value = getattr(config, name)
        shown.append((name, field.editor, format_bytes(value) if name == "card" else str(value)))
    for name, editor, wanted in shown:
        if isinstance(editor, QLineEdit) and editor.hasFocus():
            # somebody may be typing
            continue
        found = editor.text() if isinstance(editor, QLineEdit) else str(editor.currentData())
        if found != wanted:
            yield f"{name} shows {found!r}, but is {wanted!r}"
    if panel.scaling.slider.place != list(SCALINGS).index(config.scaling):
        yield f"the scaling slider stands at {panel.scaling.slider.place} for {config.scaling}"
    if panel.scaling.slider.fault != (config.scaling == "unscaled" and config.micro_batches > 1):
        yield "the scaling slider's colour"
    if panel.n.isEnabled() == (config.lanes == "full"):
        yield "N can be changed where there are no pieces"


def _of_transport(window: MainWindow) -> Iterator[str]:
    session, transport = window.session, window.transport
    if transport.play.accessibleName() != ("Pause" if session.playing else "Run"):
        yield f"the button says {transport.play.accessibleName()!r}"
    if transport.speed.slider.place != SPEEDS.index(session.speed):
        yield f"speed shows {transport.speed.slider.place} for {session.speed}"
    timeline = window.stage.timeline
    if timeline.live.isEnabled() == window.playback.live:
        yield "the way back to live"


def _of_places(window: MainWindow) -> Iterator[str]:
    for other in QApplication.topLevelWidgets():
        if isinstance(other, (MainWindow, DetachedWindow)) and other.isVisible():
            corner = other.frameGeometry().topLeft()
            if not any(screen.contains(corner) for screen in available_screens()):
                yield f"{other.windowTitle()} stands at {corner.toTuple()}"


def is_on_a_screen(rect: QRect) -> bool:
    """The whole window can be seen."""
    return any(screen.contains(rect) for screen in available_screens())
