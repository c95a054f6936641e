"""Memory made up for the tests of the memory pane, and what it paints and writes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import moments
import msgspec
import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from gradviz.events import LaneName, MemorySampled
from gradviz.history import History, Moment
from gradviz.memory import MemorySample
from gradviz_app.theme import DARK, Theme
from gradviz_app.views.memory.pane import Memory
from gradviz_app.views.memory.words import (
    Measured,
)

KIB = 1024


# training is slow, and a moment does not change
make_moment = cache(moments.make_moment)


def sample_of(pieces: int, begun: int | None = None, optimizer: float = 0.0) -> MemorySample:
    """What the digits model at B = 256 holds in `pieces` pieces, with a trace of the `begun` ones."""
    rows: list[tuple[float, ...]] = []
    ticks: list[int] = []
    samples, activations, gradients = 66 / pieces, 190 / pieces, 0.0
    for _ in range(begun or pieces):
        ticks.append(len(rows))
        levels = [activations * part / 8 for part in range(9)]
        rows += [(18.8, gradients, optimizer, samples, level, 0) for level in levels]
        gradients = 18.8
        rows += [(18.8, gradients, optimizer, samples, level, 0) for level in reversed(levels)]
    trace = np.array(rows) * KIB
    kinds = [round(kind) for kind in trace[trace.sum(1).argmax()]]
    kinds[1] = round(18.8 * KIB)
    return MemorySample("traced", begun is None, sum(kinds), *kinds, trace, tuple(ticks))


def moment_of(
    full: MemorySample | None, accumulated: MemorySample | None, k: int = 8, step: int = 1, **settings: object
) -> Moment:
    """A moment in the first window with these samples, taken at `step`."""
    moment = make_moment(8, k=k)
    given: dict[LaneName, MemorySample | None] = {"full": full, "accumulated": accumulated}
    memory = {lane: MemorySampled(step, lane, sample) for lane, sample in given.items() if sample is not None}
    config = msgspec.structs.replace(moment.run.config, **settings)
    return replace(moment, memory=memory, run=replace(moment.run, config=config))


def measured_of(full: MemorySample | None, accumulated: MemorySample | None, **settings: object) -> Measured:
    return Measured.of(moment_of(full, accumulated, **settings))  # type: ignore[arg-type]


def painted(
    qtbot: QtBot, moment: Moment | None, width: int = 300, height: int = 330, theme: Theme = DARK
) -> QImage:
    pane = Memory(theme)
    qtbot.addWidget(pane)
    pane.resize(width, height)
    pane.refresh(History(), moment)
    image = QImage(pane.size(), QImage.Format.Format_RGB32)
    pane.render(image)
    return image


def pixels_of(image: QImage, colour: str) -> int:
    """How many pixels have exactly this colour."""
    seen = np.frombuffer(image.constBits(), dtype=np.uint32)
    return int((seen & 0xFFFFFF == QColor(colour).rgb() & 0xFFFFFF).sum())


def written(qtbot: QtBot, moment: Moment, width: int = 300, height: int = 330) -> dict[str, list[QRectF]]:
    """What is written in the pane, and where."""
    pane, found = Memory(DARK), {}  # type: ignore[var-annotated]
    qtbot.addWidget(pane)
    pane.resize(width, height)
    pane.refresh(History(), moment)
    write = pane.text

    def noted(painter, x, y, words, role="body", colour=None, align="left"):  # type: ignore[no-untyped-def]
        wide = write(painter, x, y, words, role, colour, align)
        left = x - {"left": 0.0, "centre": wide / 2, "right": wide}[align]
        found.setdefault(words, []).append(QRectF(left, y - 9, wide, 9))
        return wide

    pane.text = noted  # type: ignore[method-assign]
    pane.render(QImage(pane.size(), QImage.Format.Format_RGB32))
    return found
