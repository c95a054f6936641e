"""The memory pane: its sentences, and what it paints."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import moments
import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from gradviz.events import LaneName, MemorySampled
from gradviz.history import History, Moment
from gradviz.memory import MemorySample
from gradviz_app.theme import DARK, LIGHT, Theme
from gradviz_app.views.memory import Memory
from gradviz_app.views.memory_layout import card_layout
from gradviz_app.views.memory_names import number_place, spread
from gradviz_app.views.memory_trace import columns, part_done, strip_top
from gradviz_app.views.memory_words import (
    Measured,
    lane_sentence,
    memory_sentence,
    peaks_only,
    source_line,
    teeth_caption,
    times,
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


def test_that_the_measured_factor_stands_in_the_sentence() -> None:
    assert memory_sentence(measured_of(sample_of(1), sample_of(8))) == (
        "Weights and .grad stay; activations shrink 8 ×."
    )
    assert memory_sentence(measured_of(sample_of(1), sample_of(64))).endswith("shrink 64 ×.")


def test_that_the_optimizer_is_named_among_what_stays() -> None:
    sentence = memory_sentence(measured_of(sample_of(1, optimizer=37.6), sample_of(8, optimizer=37.6)))
    assert sentence == "Weights, .grad and optimizer stay; activations shrink 8 ×."


def test_that_a_gradient_which_is_only_there_when_accumulating_is_said_to_be_added() -> None:
    full = sample_of(1)
    full = replace(full, gradients_bytes=0, peak_bytes=full.peak_bytes - full.gradients_bytes)
    sentence = memory_sentence(measured_of(full, sample_of(8)))
    assert sentence == "Weights stay, .grad adds 19 KiB; activations shrink 8 ×."


def test_that_a_risen_peak_is_explained() -> None:
    full = sample_of(1)
    more = round(0.06 * full.peak_bytes)
    grown = replace(
        sample_of(2), peak_bytes=full.peak_bytes + more, gradients_bytes=full.gradients_bytes + more
    )
    sentence = memory_sentence(measured_of(full, grown))
    assert sentence == ".grad of the first piece stays while the next runs: the peak rises 6 %."
    other = replace(grown, gradients_bytes=full.gradients_bytes, window_bytes=grown.window_bytes + more)
    assert memory_sentence(measured_of(full, other)) == "The peak rises 6 %."


def test_that_activations_which_have_become_workspace_are_not_said_to_be_gone() -> None:
    full, accumulated = sample_of(1), sample_of(8)
    backward = replace(accumulated, activations_bytes=40, other_bytes=accumulated.activations_bytes - 40)
    assert memory_sentence(measured_of(full, backward)) == (
        "Weights and .grad stay; activations and workspace shrink 8 ×."
    )


def test_that_one_piece_is_the_same_work() -> None:
    assert memory_sentence(measured_of(sample_of(1), sample_of(1))) == "One piece: the same work."


def test_that_what_is_unknown_is_said_and_never_zero() -> None:
    nothing = measured_of(None, None)
    assert source_line(nothing) == "not measured yet"
    assert memory_sentence(nothing) == "Memory is not measured yet."
    half = measured_of(sample_of(1), None)
    assert memory_sentence(half) == "Accumulated: not measured yet."
    assert lane_sentence("accumulated", half) == "accumulated: not measured yet."
    assert teeth_caption("accumulated", half) == "accumulated: not measured yet"


def test_that_one_lane_has_nothing_to_compare_with() -> None:
    alone = measured_of(sample_of(1), sample_of(8), lanes="accumulated")
    assert alone.lanes == ("accumulated",)
    assert memory_sentence(alone).startswith("One lane only")


def test_that_an_unfinished_window_claims_no_factor() -> None:
    measured = Measured.of(moment_of(sample_of(1), sample_of(8, begun=3), k=3))
    assert source_line(measured) == "so far · traced at step 1"
    assert memory_sentence(measured) == "Not complete: the peak may still rise."
    assert teeth_caption("accumulated", measured) == "accumulated: 3 of 8 teeth so far"
    assert "so far" in lane_sentence("accumulated", measured)
    assert part_done(sample_of(8, begun=3), 8) == pytest.approx(3 / 8)


def test_that_source_and_step_are_named() -> None:
    assert source_line(Measured.of(moment_of(sample_of(1), sample_of(8), step=12))) == (
        "peak of a window · traced at step 12"
    )
    moment = moment_of(sample_of(1), None, step=11)
    later = {**moment.memory, "accumulated": MemorySampled(12, "accumulated", sample_of(8))}
    both = Measured.of(replace(moment, memory=later))
    assert source_line(both) == "peak of a window · traced at steps 11 and 12"


def test_that_a_sample_of_another_window_keeps_its_own_number_of_pieces() -> None:
    measured = Measured.of(moment_of(sample_of(1), sample_of(4), step=12))
    assert measured.pieces("accumulated") == 4
    without_ticks = replace(sample_of(4), ticks=(), trace=None)
    assert Measured.of(moment_of(None, without_ticks, step=12)).pieces("accumulated") is None
    assert Measured.of(moment_of(None, without_ticks, step=1)).pieces("accumulated") == 8


def test_that_a_source_without_workspace_or_trace_says_so() -> None:
    plain = [replace(sample_of(n), source="CUDA allocator", other_bytes=None, trace=None) for n in (1, 8)]
    measured = measured_of(*plain)
    assert memory_sentence(measured) == "Weights and .grad stay; activations and workspace shrink 8 ×."
    assert peaks_only(measured) == "CUDA allocator: peaks only, no trace"
    assert "activations and workspace 190 KiB" in lane_sentence("full", measured)


def test_that_teeth_and_what_does_not_fit_are_counted() -> None:
    measured = measured_of(sample_of(1), sample_of(8))
    assert teeth_caption("full", measured) == "full batch: one tooth"
    assert teeth_caption("accumulated", measured) == "accumulated: 8 teeth"
    assert "294 KiB, 102 KiB too many" in lane_sentence("full", measured)
    assert "fits the card of 192 KiB" in lane_sentence("accumulated", measured)


@pytest.mark.parametrize(("factor", "words"), [(8.0, "8 ×"), (7.96, "8 ×"), (7.44, "7.4 ×"), (63.4, "63 ×")])
def test_that_factors_have_the_digits_they_deserve(factor: float, words: str) -> None:
    assert times(factor) == words


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


def test_that_names_never_overlap() -> None:
    placed = spread([100.0, 99.0, 98.0, 40.0, 39.0], 12.0, 95.0, 30.0)
    assert all(low - high >= 12.0 - 1e-9 for low, high in pairwise(placed))
    assert placed[0] <= 95.0
    assert placed[-1] >= 30.0


def test_that_a_number_stands_in_the_larger_part_of_its_kind() -> None:
    assert number_place(100, 140, card_y=50, needed=12) == 120
    assert number_place(40, 140, card_y=50, needed=12) == 95
    assert number_place(20, 62, card_y=50, needed=12) == 35
    assert number_place(45, 55, card_y=50, needed=12) is None


def test_that_a_long_trace_keeps_its_peak_in_few_columns() -> None:
    trace = np.zeros((10_000, 6))
    trace[4321] = (1, 2, 3, 4, 5, 6)
    reduced = columns(trace, 250)
    assert len(reduced) == 250
    assert reduced.max(0).tolist() == [6, 21]


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
