"""The memory pane: its sentences, and what it paints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from pytestqt.qtbot import QtBot

from gradviz.history import History, Moment
from gradviz.memory import KINDS
from gradviz_app.theme import DARK, LIGHT, Theme
from gradviz_app.views.memory.layout import card_layout, segments_of
from gradviz_app.views.memory.names import _names, _placed
from gradviz_app.views.memory.pane import Memory
from gradviz_app.views.memory.peaks import peak_words
from gradviz_app.views.memory.trace import columns, paint_strip, strip_top

from .memories import KIB, measured_of, moment_of, painted, pixels_of, sample_of


def test_that_the_bars_stand_at_equal_scale_and_out_of_the_card(qtbot: QtBot) -> None:
    measured = measured_of(sample_of(1), sample_of(8))
    layout = card_layout(DARK, QRectF(0, 0, 272, 160), measured)
    full, accumulated = measured.sample("full"), measured.sample("accumulated")
    assert full is not None
    assert accumulated is not None
    assert layout.height(full.peak_bytes) < layout.card_y < layout.height(accumulated.peak_bytes)
    heights = [layout.floor - layout.height(sample.peak_bytes) for sample in (full, accumulated)]
    assert heights[0] / heights[1] == pytest.approx(full.peak_bytes / accumulated.peak_bytes)


def test_that_a_card_far_above_the_bars_is_left_open(qtbot: QtBot) -> None:
    measured = measured_of(sample_of(1), sample_of(8), card=24 * 2**30)
    layout = card_layout(DARK, QRectF(0, 0, 272, 160), measured)
    assert layout.open_above
    assert layout.floor - layout.height(294 * KIB) > 60
    assert strip_top(measured) < 400 * KIB


def test_that_a_long_trace_keeps_its_peak_in_few_columns() -> None:
    trace = np.zeros((10_000, 6))
    trace[4321] = (1, 2, 3, 4, 5, 6)
    reduced = columns(trace, 250)
    assert len(reduced) == 250
    assert reduced.max(0).tolist() == [1, 3, 6, 10, 15, 21]


def test_that_only_what_exceeds_the_card_is_hatched(qtbot: QtBot) -> None:
    def rows_in_fault_colour(card: int) -> int:
        image = painted(qtbot, moment_of(sample_of(1), sample_of(8), card=card * KIB))
        return sum(pixels_of(image.copy(0, y, 300, 1), DARK.fault) > 0 for y in range(300))

    assert rows_in_fault_colour(100) > rows_in_fault_colour(192) > 30
    assert rows_in_fault_colour(400) == 0


def test_that_strips_are_what_a_short_pane_leaves_out(qtbot: QtBot) -> None:
    moment = moment_of(sample_of(1), sample_of(8), card=400 * KIB)

    def foot_and_line(height: int) -> int:
        return pixels_of(painted(qtbot, moment, 300, height), DARK.full)

    assert foot_and_line(330) > foot_and_line(220) > 0


def test_that_an_unfinished_trace_leaves_the_rest_empty(qtbot: QtBot) -> None:
    image = painted(qtbot, moment_of(None, sample_of(8, begun=2), k=2, lanes="accumulated"), 300, 330)
    strip = image.copy(0, 250, 300, 62)
    lit = [x for x in range(300) if pixels_of(strip.copy(x, 0, 1, 62), DARK.kinds["activations"])]
    assert lit
    assert max(lit) < 14 + 272 / 4 + 2


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize(("width", "height", "scale"), [(280, 300, 1.0), (450, 500, 1.45), (560, 900, 1.45)])
def test_that_the_same_moment_is_painted_alike_bit_for_bit(
    qtbot: QtBot, theme: Theme, width: int, height: int, scale: float
) -> None:
    moment = moment_of(sample_of(1), sample_of(8))
    first = painted(qtbot, moment, width, height, theme.scaled(scale))
    second = painted(qtbot, moment, width, height, theme.scaled(scale))
    assert first == second
    assert pixels_of(first, theme.kinds["activations"]) > 500


def test_that_a_tick_without_news_asks_for_no_repaint(qtbot: QtBot) -> None:
    moment = moment_of(sample_of(1), sample_of(8))
    pane = Memory(DARK)
    qtbot.addWidget(pane)
    asked: list[None] = []
    pane.update = lambda: asked.append(None)  # type: ignore[method-assign, assignment]
    pane.refresh(History(), moment)
    pane.refresh(History(), replace(moment, steps=99))
    assert len(asked) == 1
    pane.refresh(History(), moment_of(sample_of(1), sample_of(8)))
    assert len(asked) == 2


def test_that_the_description_is_made_of_sentences(qtbot: QtBot) -> None:
    pane = Memory(DARK)
    qtbot.addWidget(pane)
    pane.refresh(History(), None)
    assert pane.accessibleDescription() == "Memory is not measured yet."
    pane.refresh(History(), moment_of(sample_of(1), sample_of(8)))
    words = pane.accessibleDescription()
    assert words.startswith("peak of a window · traced at step 1. full batch: 294 KiB, 102 KiB too many;")
    assert words.endswith("activations shrink 8 ×.")


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize("width", [260, 300, 420])
def test_that_the_bars_stand_still_whatever_sentence_is_said(
    qtbot: QtBot, width: int, complete: bool
) -> None:
    def foot(moment: Moment) -> list[int]:
        image = painted(qtbot, moment, width=width)
        return [y for y in range(330) if pixels_of(image.copy(0, y, width, 1), DARK.full) >= 20][:1]

    whole = moment_of(sample_of(1), sample_of(8, optimizer=0 if complete else 37.6))
    assert foot(whole) == foot(moment_of(sample_of(1), sample_of(8, begun=3), k=3)) != []


def test_that_the_strip_has_the_kinds_of_the_bar_in_their_colours(qtbot: QtBot) -> None:
    sample = sample_of(1, optimizer=37.6)
    assert sample.trace is not None
    trace = sample.trace.copy()
    trace[:, KINDS.index("other")] = trace[:, KINDS.index("activations")] / 2
    full = replace(sample, trace=trace, peak_bytes=int(trace.sum(1).max()))
    pane = Memory(DARK)
    qtbot.addWidget(pane)
    image = QImage(300, 80, QImage.Format.Format_RGB32)
    image.fill(QColor(DARK.ground))
    painter = QPainter(image)
    measured = measured_of(full, sample_of(8))
    paint_strip(pane, painter, QRectF(0, 0, 300, 80), "full", measured, strip_top(measured))
    painter.end()
    for kind in ("parameters", "optimizer", "window", "activations", "other"):
        assert pixels_of(image, DARK.kinds[kind]) > 50


@pytest.mark.parametrize("right", [90, 120, 160])
@pytest.mark.parametrize("height", [140, 200, 260])
def test_that_no_name_is_printed_over_what_is_too_many(qtbot: QtBot, right: float, height: int) -> None:
    measured = measured_of(sample_of(1), sample_of(16), card=8 * KIB)
    layout = card_layout(DARK, QRectF(0, 0, 220, height), measured)
    segments = {lane: segments_of(layout, lane, measured) for lane in measured.lanes}
    names = _names(layout, measured, segments)
    words = peak_words(DARK, layout, "accumulated", measured)
    assert words is not None
    placed = _placed(DARK, layout, names, [words.box], (layout.bars["full"][0] + 24, right))
    small = QFontMetricsF(DARK.font("small"))
    assert placed
    for name, y, middle in placed:
        width = small.horizontalAdvance(name.words)
        assert not words.box.intersects(QRectF(middle - width / 2, y - 4, width, 8))
