"""The items of the plots: axes, thinning, strokes, places for words."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from gradviz_app.plotting.curve import runs, side_by_side
from gradviz_app.plotting.decimate import Columns, bucket_width, highest
from gradviz_app.plotting.loss_lines import LossLines
from gradviz_app.plotting.loss_scale import (
    FLOOR,
    STRIP,
    DifferenceScale,
    LossScale,
    comfortable_maximum,
    step_ticks,
)
from gradviz_app.plotting.placing import Placer, spread

from .losses import (
    history_of,
    newest,
)


def test_that_the_axis_is_linear_up_to_1_15_times_the_first_loss() -> None:
    scale = LossScale.of(2.0, 2.0)
    assert scale.ceiling is None
    assert scale.heights(np.array([0.0, 1.15, 2.3])) == pytest.approx([0.0, 0.5, 1.0])


def test_that_a_loss_above_it_makes_a_logarithmic_strip_of_a_sixth_of_the_height() -> None:
    scale = LossScale.of(2.0, 12.4)
    assert scale.ceiling == 100.0
    middle = math.sqrt(2.3 * 100.0)
    heights = scale.heights(np.array([2.3, middle, 100.0]))
    assert heights == pytest.approx([1 - STRIP, 1 - STRIP / 2, 1.0])
    assert pytest.approx(1 / 6) == STRIP


@given(st.floats(0.01, 100), st.one_of(st.none(), st.floats(0.01, 1e9)), st.floats(0, 1))
def test_that_value_undoes_height(first: float, peak: float | None, height: float) -> None:
    scale = LossScale.of(first, peak)
    assert scale.height(scale.value(height)) == pytest.approx(height, abs=1e-9)


@given(st.floats(0, 1e300), st.floats(0, 1e300))
def test_that_a_larger_loss_never_stands_lower(one: float, other: float) -> None:
    scale = LossScale.of(2.3, 150.0)
    low, high = sorted((one, other))
    assert 0 <= scale.height(low) <= scale.height(high) <= 1 + 1e-12


def test_that_a_difference_of_zero_is_drawn_at_the_floor() -> None:
    scale = DifferenceScale.of(0.5)
    assert scale.heights(np.array([0.0, FLOOR, 10.0, 1e300])) == pytest.approx([0, 0, 1, 1])
    assert np.isnan(scale.heights(np.array([np.nan]))[0])


def test_that_the_last_step_on_the_axis_moves_seldom_and_is_never_passed() -> None:
    lasts = [comfortable_maximum(steps) for steps in range(1, 3000)]
    assert all(last >= step for step, last in enumerate(lasts, 1))
    assert sorted(set(lasts)) == [60, 80, 100, 150, 200, 300, 500, 800, 1000, 1500, 2000, 3000]
    assert comfortable_maximum(1_000_001) == 1_500_000


def test_that_steps_are_numbered_from_one() -> None:
    assert [words for _, words in step_ticks(60, 6)] == ["1", "10", "20", "30", "40", "50", "60"]


@given(
    st.lists(st.one_of(st.floats(-1e6, 1e6), st.just(math.nan)), min_size=1, max_size=300), st.integers(1, 40)
)
def test_that_each_bucket_keeps_its_smallest_and_largest_value(values: list[float], width: int) -> None:
    column = np.array(values)
    xs, ys = Columns().line(lambda start, stop: column[start:stop], len(column), width)
    assert np.all(np.diff(xs) >= 0)
    if width == 1:
        assert np.array_equal(ys, column, equal_nan=True)
        return
    for bucket, start in enumerate(range(0, len(column), width)):
        inside = column[start : start + width]
        inside = inside[~np.isnan(inside)]
        kept = ys[2 * bucket : 2 * bucket + 2]
        assert np.isnan(kept).all() if not len(inside) else list(kept) == [inside.min(), inside.max()]


def test_that_a_peak_of_a_single_step_survives_among_a_million() -> None:
    losses = np.ones(1_000_000)
    losses[[7, 123_456, 999_999]] = 50.0, 40.0, 30.0
    width = bucket_width(len(losses), 500)
    xs, ys = Columns().line(lambda start, stop: losses[start:stop], len(losses), width)
    assert len(xs) < 3 * 500
    assert {50.0, 40.0, 30.0} <= set(ys)
    found = highest(lambda start, stop: losses[start:stop], len(losses), xs, ys, width)
    assert found == (8, 50.0)


def test_that_appending_reads_only_new_rows_and_ends_at_the_same_line() -> None:
    losses = np.random.default_rng(0).random(40_000)
    grown, read = Columns(), []

    def counted(start: int, stop: int) -> np.ndarray:
        read.append(stop - start)
        return losses[start:stop]

    for rows in range(1000, 40_001, 1000):
        width = bucket_width(comfortable_maximum(rows), 500)
        line = grown.line(counted, rows, width)
    assert sum(read) < 1.2 * len(losses)
    fresh = Columns().line(lambda start, stop: losses[start:stop], 40_000, width)
    assert all(np.array_equal(one, other) for one, other in zip(line, fresh, strict=True))


def test_that_going_back_shows_the_line_as_it_was() -> None:
    losses = np.random.default_rng(0).random(5000)
    columns = Columns()
    columns.line(lambda start, stop: losses[start:stop], 5000, 8)
    _, ys = columns.line(lambda start, stop: losses[start:stop], 2501, 8)
    fresh = Columns().line(lambda start, stop: losses[start:stop], 2501, 8)[1]
    assert np.array_equal(ys, fresh)


def test_that_another_run_is_not_drawn_with_the_buckets_of_the_last() -> None:
    lines = LossLines()
    for level in (1.0, 2.0):
        history = history_of([(level, level, None)] * 3000)
        lines.take(history, newest(history))
        picture = lines.picture(300)
        assert picture is not None
        assert set(picture.lanes["full"].ys) == {level}


def test_that_a_line_is_broken_at_gaps() -> None:
    xs, ys = np.arange(6.0), np.array([1, np.nan, 2, 3, np.nan, np.nan])
    assert [list(part) for part, _ in runs(xs, ys)] == [[0.0], [2.0, 3.0]]
    assert runs(xs[:0], ys[:0]) == []


def test_that_strokes_side_by_side_cover_the_width_without_gaps() -> None:
    for width in (1.0, 2.0, 4.0, 5.8):
        down = sorted(dy for dx, dy in side_by_side(width) if dx == 0)
        assert down[-1] - down[0] == pytest.approx(width - 1)
        assert all(step <= 1 for step in np.diff(down))


def test_that_names_keep_apart_and_stay_inside() -> None:
    tops = spread([50.0, 51.0, 52.0, 99.0], [14.0] * 4, 0.0, 100.0)
    assert min(np.diff(tops)) >= 14
    assert tops[0] >= 0
    assert tops[-1] <= 86


def test_that_words_avoid_curves() -> None:
    xs = np.linspace(0, 100, 50)
    placer = Placer([(xs, np.full(50, 20.0))], 100)
    on, off = QRectF(30, 10, 40, 20), QRectF(30, 40, 40, 20)
    assert placer.place([on, off]) == off
    placer.take(off)
    assert not placer.is_free(off)
