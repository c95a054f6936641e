"""Columns of bounded size: extremes against plain numpy, what is known of a step, runs of changes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from gradviz import columns
from gradviz.columns import Changes, Column, Reading

Floats = NDArray[np.float64]

VALUES = st.lists(st.one_of(st.integers(-9, 9).map(float), st.just(math.nan)), max_size=300)
SIZES = st.sampled_from([(2, 2), (4, 4), (4, 16), (8, 4), (16, 64)])


def made(values: list[float], recent: int, buckets: int) -> Column:
    """A column with these values that keeps much less than usual."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "RECENT", recent)
        patch.setattr(columns, "BUCKETS", buckets)
        column = Column()
        for value in values:
            column.append(value)
    return column


def known_until(column: Column, steps: int) -> int:
    """Of the first `steps` steps, those that are not known only together with later ones."""
    width = column.width(1)
    return steps if steps >= column._old else steps // width * width


def right_extremes(values: Floats, width: int) -> Floats:
    rows = []
    for start in range(0, len(values), width):
        inside = values[start : start + width]
        inside = inside[~np.isnan(inside)]
        rows.append((inside.min(), inside.max()) if len(inside) else (math.nan, math.nan))
    return np.array(rows).reshape(-1, 2)


@given(VALUES, SIZES, st.sampled_from([1, 2, 8, 64]), st.floats(0, 1))
def test_that_extremes_are_those_of_all_values(
    values: list[float], sizes: tuple[int, int], wanted: int, part: float
) -> None:
    column, steps = made(values, *sizes), round(part * len(values))
    found = column.extremes(steps, wanted)
    right = right_extremes(np.array(values)[: known_until(column, steps)], column.width(wanted))
    assert np.array_equal(found, right, equal_nan=True)


@given(VALUES, SIZES, st.floats(0, 1))
def test_that_the_largest_value_is_known_with_its_step_or_not_at_all(
    values: list[float], sizes: tuple[int, int], part: float
) -> None:
    column, steps = made(values, *sizes), round(part * len(values))
    known = np.array(values[:steps])
    right = None
    if not np.isnan(known).all():
        best = int(np.nanargmax(known))
        right = (best + 1, known[best])
    found = column.peak(steps)
    assert found == right or (found is None and known_until(column, steps) < steps)


@given(VALUES, SIZES)
def test_that_a_stretch_is_never_read_as_one_step(values: list[float], sizes: tuple[int, int]) -> None:
    column = made(values, *sizes)
    for step, value in enumerate(values, 1):
        reading = column.at(step)
        if reading is None:
            assert math.isnan(value)
            continue
        assert reading.first <= step <= reading.last
        inside = np.array(values[reading.first - 1 : reading.last])
        assert (reading.low, reading.high) == (np.nanmin(inside), np.nanmax(inside))
        assert not reading.exact or reading.low == value


@given(VALUES, SIZES, st.floats(0, 1))
def test_that_the_end_of_the_values_is_known_exactly_where_it_is_their_end(
    values: list[float], sizes: tuple[int, int], part: float
) -> None:
    column, steps = made(values, *sizes), round(part * len(values))
    known = np.flatnonzero(~np.isnan(values[:steps]))
    ending = column.ending(steps)
    if ending is None:
        assert not len(known)
        return
    gaps = np.flatnonzero(np.isnan(values[: known[-1]]))
    assert (ending.begun, ending.step) == (gaps[-1] + 2 if len(gaps) else 1, known[-1] + 1)
    if ending.step == len(values) or math.isnan(values[ending.step]):
        assert ending.reading == Reading(ending.step, ending.step, *[values[ending.step - 1]] * 2)


@given(VALUES, SIZES)
def test_that_the_values_known_one_by_one_are_right(values: list[float], sizes: tuple[int, int]) -> None:
    column, right = made(values, *sizes), np.array(values)
    found = column.values()
    known = ~np.isnan(found)
    assert np.array_equal(found[known], right[known])
    assert np.array_equal(found[column._old :], right[column._old :], equal_nan=True)
    singly = [step for step in range(1, len(values) + 1) if (at := column.at(step)) and at.exact]
    assert known[[step - 1 for step in singly]].all()


def test_that_a_million_values_take_no_more_than_a_hundred_thousand() -> None:
    values = np.random.default_rng(0).lognormal(size=1_000_000)
    column, sizes = Column(), []
    for count, value in enumerate(values.tolist(), 1):
        column.append(value)
        if count % 100_000 == 0:
            column.extremes(count, 1024)
            sizes.append(column.nbytes)
    assert max(sizes) <= 2e6
    assert sizes[-1] <= 1.1 * sizes[0]
    assert column.peak(1_000_000) == (int(values.argmax()) + 1, values.max())
    assert np.array_equal(column.extremes(1_000_000, 1024), right_extremes(values, 1024))
    newest = [column.at(step) for step in range(1_000_000 - columns.RECENT + 1, 1_000_001)]
    assert [reading.low for reading in newest if reading and reading.exact] == values[
        -columns.RECENT :
    ].tolist()


def test_that_infinite_values_are_the_largest() -> None:
    column = made([1.0, math.inf, 2.0] * 20, 4, 4)
    assert column.peak(60) == (2, math.inf)
    assert column.extremes(60, 1)[:, 1].tolist() == [math.inf] * len(column.extremes(60, 1))


@given(
    st.lists(st.sampled_from([0.0, 1.0, 0.5]), max_size=60), st.sampled_from([1, 2, 4, 16]), st.floats(0, 1)
)
def test_that_a_setting_is_known_for_each_step_and_whether_any_of_several_had_it(
    values: list[float], width: int, part: float
) -> None:
    changes, steps = Changes(), round(part * len(values))
    for value in values:
        changes.append(value)
    assert [changes.at(step) for step in range(1, len(values) + 1)] == values
    assert changes.at(0) is changes.at(len(values) + 1) is None
    right = [any(values[start : min(start + width, steps)]) for start in range(0, steps, width)]
    assert changes.any_set(steps, width).tolist() == right


def test_that_of_very_many_changes_the_newest_are_known() -> None:
    changes = Changes()
    for step in range(1, 2 * columns.CHANGES + 1):
        changes.append(step % 2)
    assert changes.at(columns.CHANGES) is None
    assert changes.at(2 * columns.CHANGES) == 0
    assert changes.at(2 * columns.CHANGES - 1) == 1
