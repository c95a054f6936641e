"""What the memory pane says, and where its words stand."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest
from moments import make_moment
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from gradviz.events import MemorySampled
from gradviz.history import History
from gradviz_app.theme import DARK
from gradviz_app.views.memory.names import number_place, off_line, spread
from gradviz_app.views.memory.pane import Memory
from gradviz_app.views.memory.trace import part_done
from gradviz_app.views.memory.words import (
    Measured,
    lane_sentence,
    memory_sentence,
    peaks_only,
    source_line,
    strip_caption,
    times,
)

from .memories import KIB, measured_of, moment_of, sample_of, written


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


def test_that_a_gradient_too_small_to_be_seen_in_the_bars_is_not_spoken_of() -> None:
    full = sample_of(1)
    tiny = replace(full, gradients_bytes=0)
    small = replace(sample_of(8), gradients_bytes=full.peak_bytes // 60)
    assert memory_sentence(measured_of(tiny, small)) == "Weights stay; activations shrink 8 ×."


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
    assert strip_caption("accumulated", half) == "accumulated: not measured yet"


def test_that_one_lane_has_nothing_to_compare_with() -> None:
    alone = measured_of(sample_of(1), sample_of(8), lanes="accumulated")
    assert alone.lanes == ("accumulated",)
    assert memory_sentence(alone).startswith("One lane only")


def test_that_an_unfinished_window_claims_no_factor() -> None:
    measured = Measured.of(moment_of(sample_of(1), sample_of(8, begun=3), k=3))
    assert source_line(measured) == "so far · traced at step 1"
    assert memory_sentence(measured) == "Not complete: the peak may still rise."
    assert strip_caption("accumulated", measured) == "accumulated: 3 of 8 micro-batches so far"
    assert "so far" in lane_sentence("accumulated", measured)
    assert part_done(sample_of(8, begun=3), 8) == pytest.approx(3 / 8)


def test_that_source_and_step_are_named() -> None:
    assert source_line(Measured.of(moment_of(sample_of(1), sample_of(8), step=12))) == (
        "peak of a window · traced at step 12"
    )
    moment = moment_of(sample_of(1), None, step=11)
    later = {**moment.memory, "accumulated": MemorySampled(12, "accumulated", sample_of(8))}
    both = Measured.of(replace(moment, memory=later))
    assert source_line(both) == "traced: step 11 (full batch), 12 (accumulated)"


def test_that_the_steps_of_both_samples_fit_the_pane(qtbot: QtBot) -> None:
    words = "traced: step 9875 (full batch), 10284 (accumulated)"
    assert QFontMetricsF(DARK.font("small")).horizontalAdvance(words) <= DARK.px(290)


def test_that_only_samples_of_the_shown_window_are_said_to_be_from_before_its_step() -> None:
    unfinished = replace(sample_of(8), complete=False)
    older = Measured.of(moment_of(sample_of(1), sample_of(8), step=875))
    assert source_line(older) == "peak of a window · traced at step 875"
    assert memory_sentence(older) == "Weights and .grad stay; activations shrink 8 ×."
    shown = moment_of(sample_of(1), unfinished)
    mixed = {**shown.memory, "full": MemorySampled(875, "full", sample_of(1))}
    measured = Measured.of(replace(shown, memory=mixed))
    assert source_line(measured) == "traced: step 875 (full batch), 1 (accumulated)"
    assert memory_sentence(measured) == "Weights and .grad stay; activations shrink 8 ×."


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


def test_that_micro_batches_and_what_does_not_fit_are_counted() -> None:
    measured = measured_of(sample_of(1), sample_of(8))
    assert strip_caption("full", measured) == "full batch: all at once"
    assert strip_caption("accumulated", measured) == "accumulated: 8 micro-batches"
    assert "294 KiB, 102 KiB too many" in lane_sentence("full", measured)
    assert "fits the card of 192 KiB" in lane_sentence("accumulated", measured)


@pytest.mark.parametrize(("factor", "words"), [(8.0, "8 ×"), (7.96, "8 ×"), (7.44, "7.4 ×"), (63.4, "63 ×")])
def test_that_factors_have_the_digits_they_deserve(factor: float, words: str) -> None:
    assert times(factor) == words


def test_that_names_never_overlap() -> None:
    placed = spread([100.0, 99.0, 98.0, 40.0, 39.0], 12.0, 95.0, 30.0)
    assert all(low - high >= 12.0 - 1e-9 for low, high in pairwise(placed))
    assert placed[0] <= 95.0
    assert placed[-1] >= 30.0


def test_that_a_number_stands_over_the_card_only_where_the_name_has_room_with_it() -> None:
    place = partial(number_place, card_y=50, needed=12)
    assert place(100, 140) == 120
    assert place(40, 140) == 95
    assert place(10, 62) == 56
    assert place(10, 55) == 30
    assert place(37, 55) == 43.5
    assert place(45, 55) is None


def test_that_names_on_the_cards_line_move_beside_it() -> None:
    beside = off_line([118.0, 103.0, 60.0], [118.0, 103.0, 60.0], 12.0, (130.0, 20.0), (92.0, 108.0))
    assert beside == [120.0, 108.0, 60.0]
    tight = off_line([118.0, 114.0, 60.0], [118.0, 106.0, 60.0], 12.0, (118.0, 20.0), (92.0, 108.0))
    assert tight == [118.0, 92.0, 60.0]
    nowhere = [118.0, 100.0]
    assert off_line([118.0, 100.0], nowhere, 12.0, (106.0, 91.0), (92.0, 108.0)) is nowhere
    free = [118.0, 60.0]
    assert off_line(free, free, 12.0, (130.0, 20.0), (92.0, 108.0)) is free


@pytest.mark.parametrize(("width", "height"), [(300, 330), (420, 520)])
def test_that_a_kind_that_is_named_in_its_bar_is_named_nowhere_else(
    qtbot: QtBot, width: int, height: int
) -> None:
    full = replace(sample_of(1), other_bytes=400 * KIB, peak_bytes=sample_of(1).peak_bytes + 400 * KIB)
    found = written(qtbot, moment_of(full, sample_of(8), card=100 * KIB), width, height)
    assert len(found["workspace"]) == 1
    assert {"400", "400 KiB"} & found.keys()
    assert {"190", "190 KiB"} & found.keys()


@pytest.mark.parametrize("settings", [{}, {"card": 50 * KIB}, {"card": 24 * 2**30}])
@pytest.mark.parametrize("pieces", [1, 8])
def test_that_every_kind_that_can_be_seen_is_named_and_no_words_meet(
    qtbot: QtBot, pieces: int, settings: dict[str, object]
) -> None:
    moment = moment_of(sample_of(1), sample_of(pieces), **settings)  # type: ignore[arg-type]
    found = written(qtbot, moment)
    assert {"weights", ".grad", "samples", "activations"} <= found.keys()
    boxes = [box.adjusted(0.5, 1, -0.5, -0.5) for places in found.values() for box in places]
    assert not any(a.intersects(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_that_a_card_far_above_says_how_far_it_goes_on(qtbot: QtBot) -> None:
    moment = moment_of(sample_of(1), sample_of(8, begun=3), k=3, card=24 * 2**30)
    found = written(qtbot, moment)
    assert "card goes on to 24 GiB ↑" in found
    assert "so far" in found
    assert not any(box.intersects(found["so far"][0]) for box in found["card goes on to 24 GiB ↑"])


def test_that_with_all_pieces_in_the_peaks_are_compared_before_the_step() -> None:
    full, accumulated = replace(sample_of(1), complete=False), replace(sample_of(8), complete=False)
    measured = measured_of(full, accumulated)
    assert memory_sentence(measured) == "Weights and .grad stay; activations shrink 8 ×."
    assert source_line(measured) == "before its step · traced at step 1"
    assert strip_caption("accumulated", measured) == "accumulated: 8 micro-batches"


def test_that_the_last_complete_window_speaks_while_the_next_one_is_not_complete(qtbot: QtBot) -> None:
    pane, whole = Memory(DARK), moment_of(sample_of(1), sample_of(8), step=1)
    qtbot.addWidget(pane)
    pane.refresh(History(), whole)
    part = moment_of(sample_of(1), sample_of(8, begun=3), k=3, step=1)
    pane.refresh(History(), replace(part, run=whole.run))
    assert pane.accessibleDescription().endswith("At step 1: weights and .grad stay; activations shrink 8 ×.")
    other = replace(part, run=replace(whole.run), memory=dict(part.memory))
    pane.refresh(History(), None)
    pane.refresh(History(), other)
    assert pane.accessibleDescription().endswith("Not complete: the peak may still rise.")


def test_that_a_lane_that_does_not_fit_is_not_merely_unmeasured() -> None:
    moment = make_moment()
    moment = replace(moment, states={"full": "does not fit", "accumulated": "training"})
    measured = Measured.of(moment)
    assert measured.sample("full") is None
    assert memory_sentence(measured) == "Full batch: does not fit."
    assert lane_sentence("full", measured) == "full batch: does not fit."
