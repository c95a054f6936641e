"""The items of the plots: axes, thinning, strokes, places for words."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from gradviz.columns import Column
from gradviz_app.plotting.band import Band, covered
from gradviz_app.plotting.curve import runs, side_by_side
from gradviz_app.plotting.decimate import bucket_width, thinned
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


def column_of(values: list[float]) -> Column:
    column = Column()
    for value in values:
        column.append(value)
    return column


def test_that_few_steps_are_a_point_each_and_many_the_ends_of_each_bucket() -> None:
    column = column_of([3.0, 1.0, math.nan, 2.0, 5.0])
    xs, ys = thinned(column, 5, 1)
    assert xs.tolist() == [1, 2, 3, 4, 5]
    assert np.array_equal(ys, [3, 1, np.nan, 2, 5], equal_nan=True)
    xs, ys = thinned(column, 5, 2)
    assert xs.tolist() == [1.5, 1.5, 3.5, 3.5, 5.5, 5.5]
    assert ys.tolist() == [1, 3, 2, 2, 5, 5]


def test_that_there_is_about_one_bucket_a_pixel() -> None:
    for steps in (10, 999, 40_000, 1_000_000):
        assert steps / bucket_width(steps, 500) <= 1.5 * 500
    assert bucket_width(10, 500) == 1


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


def walk(points: int, pixels: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A line that goes up and down from the left to the right."""
    random = np.random.default_rng(seed)
    return np.sort(random.uniform(0.3, pixels, points)), random.uniform(20, 80, points)


@pytest.mark.parametrize("points", [2, 30, 700])
def test_that_a_band_covers_each_pixel_column_from_the_lines_lowest_to_its_highest_point(points: int) -> None:
    xs, ys = walk(points, 60.0, points)
    columns, tops, bottoms = covered(xs, ys, 1.0)
    assert columns.tolist() == list(range(math.floor(xs[0]), math.ceil(xs[-1])))
    fine = np.unique(np.concatenate([np.linspace(xs[0], xs[-1], 60_000), xs]))
    heights = np.interp(fine, xs, ys)
    for column, top, bottom in zip(columns, tops, bottoms, strict=True):
        inside = heights[(fine >= column) & (fine <= column + 1)]
        assert top == pytest.approx(inside.min() - 0.5, abs=0.2)
        assert bottom == pytest.approx(inside.max() + 0.5, abs=0.2)


def test_that_a_band_reaches_half_its_width_around_the_line() -> None:
    xs, ys = np.arange(20.0), np.where(np.arange(20) == 10, 5.0, 50.0)
    columns, tops, bottoms = covered(xs, ys, 4.0)
    assert bottoms.tolist() == [52.0] * len(columns)
    # the peak is two pixels wide, and two more on either side of it
    assert [column for column, top in zip(columns, tops, strict=True) if top == 3.0] == [7, 8, 9, 10, 11, 12]


def painted(band: Band) -> np.ndarray:
    """How much of each pixel of 60 × 100 the band covers, from 0 to 1."""
    image = QImage(60, 100, QImage.Format.Format_Grayscale8)
    image.fill(Qt.GlobalColor.black)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    band.paint(painter, QColor("white"))
    painter.end()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(100, image.bytesPerLine())
    return rows[:, :60] / 255


@pytest.mark.parametrize("rough", [False, True])
def test_that_what_is_painted_is_what_is_covered(qapp: QApplication, rough: bool) -> None:
    xs = np.arange(0.0, 60.5, 0.5)
    ys = 50.3 + (30 * np.sin(xs) if rough else xs / 40)
    _, tops, bottoms = covered(xs, ys, 2.0)
    cover = painted(Band(xs, ys, 2.0))
    assert cover.sum(axis=0) == pytest.approx(bottoms - tops, abs=0.6)


@pytest.mark.parametrize("rough", [False, True])
def test_that_the_dashes_of_a_band_leave_gaps(qapp: QApplication, rough: bool) -> None:
    xs = np.arange(0.0, 60.5, 0.5)
    ys = 50.3 + (30 * np.sin(xs) if rough else 0 * xs)
    cover = painted(Band(xs, ys, 2.0, (7.0, 5.0))).sum(axis=0)
    assert [bool(column) for column in cover > 0] == [x % 12 < 7 for x in range(60)]


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
