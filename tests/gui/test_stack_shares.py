"""The shares as they are printed: they add up, and no words of the stack stand on others."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from pytestqt.qtbot import QtBot

from gradviz_app.theme import DARK, LIGHT
from gradviz_app.views.ink import Ink
from gradviz_app.views.stack.arrows import too_short
from gradviz_app.views.stack.axis import name_place
from gradviz_app.views.stack.bars import bar_boxes
from gradviz_app.views.stack.column import total_in_words, total_place
from gradviz_app.views.stack.facts import Facts, headlines
from gradviz_app.views.stack.labels import back_marks, share_labels
from gradviz_app.views.stack.layout import BARS
from gradviz_app.views.stack.motion import Shown
from gradviz_app.views.stack.scale import natural
from gradviz_app.views.stack.shares import printed_shares, rounded_together
from gradviz_app.views.stack.weights import strip_axis

from .stacks import a_layout, facts, make_moment, make_stack, picture, show

SHARES = st.lists(st.floats(-5.0, 5.0, allow_nan=False), min_size=1, max_size=BARS)


def with_shares(shares: list[float], scaling: str = "mean") -> Facts:
    """A complete window of as many micro-batches as there are shares."""
    moment = make_moment(n=len(shares), scaling=scaling)
    totals = np.cumsum(shares).tolist()
    added = tuple(
        replace(piece, share=share, total=total)
        for piece, share, total in zip(moment.added, shares, totals, strict=True)
    )
    return facts(replace(moment, added=added))


def as_number(words: str) -> float:
    return float(words.replace("−", "-").rstrip(" %×"))


@given(SHARES, st.integers(0, 3))
def test_that_shares_rounded_together_add_up_to_the_rounded_total(shares: list[float], digits: int) -> None:
    total = math.fsum(shares)
    units, whole = rounded_together(shares, total, digits)
    assert sum(units) == whole == round(total * 10**digits)
    for unit, share in zip(units, shares, strict=True):
        assert abs(unit - share * 10**digits) < 1.0 + 1e-6
        assert unit * share >= 0


@given(SHARES, st.booleans())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)
def test_that_printed_shares_add_up_to_the_printed_total(shares: list[float], in_times: bool) -> None:
    found = with_shares(shares)
    for k in range(1, len(shares) + 1):
        words, total = printed_shares(found.added[:k], in_times)
        assert math.fsum(map(as_number, words)) == pytest.approx(as_number(total), abs=1e-6)
        assert all(word.endswith(" %") != in_times for word in words)
        assert len({len(word.partition(".")[2]) for word in words}) == 1


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 24, 64])
@pytest.mark.parametrize("scaling", ["mean", "unscaled", "samples"])
def test_that_column_and_headline_tell_the_total_that_the_shares_add_up_to(n: int, scaling: str) -> None:
    in_times = scaling == "unscaled" and n > 1
    for k in {1, n // 2, n} - {0}:
        found = facts(make_moment(n=n, scaling=scaling, k=k))
        words, total = printed_shares(found.added, in_times)
        if found.comparison is None:
            assert total_in_words(found, in_times) == (total, None)
            assert f"{k} of {n} added: {total}" in headlines(found, in_times)[0]
        elif found.comparison.kind in ("equal", "scaled"):
            assert total_in_words(found, in_times)[0] == total
        assert math.fsum(map(as_number, words)) == pytest.approx(as_number(total), abs=1e-6)


def test_that_equal_pieces_keep_their_sum_and_the_pointer_tells_exact_shares(qtbot: QtBot) -> None:
    found = with_shares([0.125] * 8)
    words, total = printed_shares(found.added, False)
    assert sorted(words) == ["+12 %"] * 4 + ["+13 %"] * 4
    assert total == "100 %"
    stack, moment = make_stack(qtbot), make_moment()
    show(stack, moment)
    picture(stack)
    share = moment.added[0].share
    assert share is not None
    assert f"share +{100 * share:.6g} %" in stack.hover_text(QPointF(80, 250))


def _written(ink: Ink, found: Facts, width: float, height: float) -> tuple[list[QRectF], list[QRectF], bool]:
    """All that is written in the plot, all bars, and whether the line's name says that it is on no bar."""
    layout = a_layout(pictures=False, width=width, height=height)
    high = max(1.0, found.expected, float(found.levels.max()))
    axis = natural(min(0.0, float(found.levels.min())), high)
    shown = Shown(found.levels, found.points, found.ratios, axis, strip_axis(found.expected))
    bars = bar_boxes(found.levels, axis, layout, found.count)
    words = [label.box for label in share_labels(ink, layout, shown, found, bars)]
    words += [mark.box for mark in back_marks(ink, layout, shown, found, bars)]
    total = total_place(ink, layout, shown, found)
    if total is not None:
        words.append(total.box)
    place = name_place(ink, layout, shown, found, words)
    if place is None:
        return words, bars, False
    x, baseline, name, free = place
    box = QRectF(x, baseline - 11, ink.width(name, "title", 0.93), 12)
    return [*words, box], bars, free


@given(
    st.lists(st.sampled_from([-0.6, -0.02, 0.0, 0.01, 0.05, 0.3, 1.0, 1.4, 3.0]), min_size=1, max_size=12),
    st.sampled_from(["mean", "unscaled"]),
    st.sampled_from([(712.0, 380.0), (712.0, 230.0), (1040.0, 540.0)]),
)
@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    deadline=None,
    max_examples=150,
)
def test_that_no_words_stand_on_others_and_the_name_covers_no_bar_unless_it_has_its_own_ground(
    qtbot: QtBot, shares: list[float], scaling: str, size: tuple[float, float]
) -> None:
    words, bars, free = _written(Ink(DARK), with_shares(shares, scaling), *size)
    for one, other in combinations(words, 2):
        assert not one.intersects(other)
    assert not free or not any(words[-1].intersects(bar) for bar in bars)


@pytest.mark.parametrize("n", [16, 24, 64])
@pytest.mark.parametrize("width", [712.0, 1040.0])
def test_that_the_name_of_the_line_covers_no_bar_of_many_unscaled(qtbot: QtBot, n: int, width: float) -> None:
    for step in (1, 3):
        found = facts(make_moment(n=n, scaling="unscaled", step=step))
        words, bars, free = _written(Ink(LIGHT), found, width, 380.0)
        assert free
        assert not any(words[-1].intersects(bar) for bar in bars)


def test_that_the_full_batch_is_a_bar_with_its_name_where_it_is_too_short_for_an_arrow(qtbot: QtBot) -> None:
    ink, layout = Ink(DARK), a_layout()
    assert layout.arrows is not None
    assert [
        too_short(ink, natural(0.0, float(n)).unit(layout.arrows)) for n in (1, 2, 8, 24, 64)
    ] == [False, False, False, True, True]  # fmt: skip
    stack = make_stack(qtbot)
    show(stack, make_moment(n=64, scaling="unscaled"))
    image = picture(stack)
    left = round(layout.arrows.left())
    amber = [
        (x, y)
        for x in range(left, image.width())
        for y in range(60, 340)
        if image.pixelColor(x, y).name() == DARK.full
    ]
    # in whole pixels the bar is ten wide, three high at least, and there are words beside it
    rows = {y: [x for x, row in amber if row == y] for _, y in amber}
    solid = [y for y, xs in rows.items() if any(all(x + i in xs for i in range(10)) for x in xs)]
    assert len(solid) >= 3
    assert any(y < min(solid) - 3 for y in rows)
