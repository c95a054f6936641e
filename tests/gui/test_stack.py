"""The stack: sentences, geometry, movement on a virtual clock, hover, and sizes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gradviz.events import WindowStarted
from gradviz.names import WeightNames
from gradviz_app.theme import DARK, LIGHT, Theme
from gradviz_app.views.stack.bars import bar_boxes
from gradviz_app.views.stack.column import stacked
from gradviz_app.views.stack.facts import mark_of, shown_weights
from gradviz_app.views.stack.labels import numbered
from gradviz_app.views.stack.scale import held, natural

from .stacks import (
    UNEVEN,
    a_layout,
    facts,
    make_moment,
    make_stack,
    noisy,
    picture,
    retaken,
    show,
    with_window,
    without_reference,
)


def test_that_each_bar_ends_at_the_sum_of_the_shares_so_far() -> None:
    found, layout, axis = facts(make_moment()), a_layout(), natural(0.0, 1.0)
    boxes = bar_boxes(found.levels, axis, layout, 8)
    sums = np.cumsum([micro_batch.share for micro_batch in found.added])
    assert np.allclose(found.levels[1:], sums)
    for box, begin, end in zip(boxes, found.levels, found.levels[1:], strict=False):
        assert box.bottom() == pytest.approx(axis.y(min(begin, end), layout.plot), abs=1.0)
        assert box.top() == pytest.approx(axis.y(max(begin, end), layout.plot), abs=1.0)


def test_that_the_last_bar_ends_on_the_line_of_the_full_batch_and_unscaled_at_n_times_it() -> None:
    layout = a_layout()
    for scaling, end in (("mean", 1.0), ("unscaled", 8.0)):
        axis = natural(0.0, end)
        boxes = bar_boxes(facts(make_moment(scaling=scaling)).levels, axis, layout, 8)
        assert boxes[-1].top() == round(axis.y(end, layout.plot))


def test_that_bars_stand_side_by_side_in_order_and_left_of_the_column() -> None:
    layout = a_layout()
    for count in (1, 2, 8, 32, 64):
        edges = [layout.bar(index, count) for index in range(count)]
        flat = [x for edge in edges for x in edge]
        assert flat == sorted(flat)
        assert all(right > left for left, right in edges)
        assert layout.plot.left() <= flat[0]
        assert flat[-1] < layout.column.left()


def test_that_a_piece_backwards_takes_away_what_lies_on_top_of_the_column() -> None:
    assert stacked(np.array([0.0, 0.5, 0.9, 0.3, 1.0])) == [(0, 0.0, 0.3), (3, 0.3, 1.0)]
    assert stacked(np.array([0.0, 0.5, -0.2])) == [(1, 0.0, -0.2)]
    assert stacked(np.array([0.0, -0.4, 0.6])) == [(1, 0.0, 0.6)]


def test_that_the_column_always_ends_at_the_total() -> None:
    random = np.random.default_rng(0)
    for _ in range(200):
        levels = np.concatenate([[0.0], np.cumsum(random.normal(0.1, 0.4, 9))])
        parts = stacked(levels)
        assert parts[-1][2] == pytest.approx(levels[-1])
        assert parts[0][1] == 0.0
        assert all(a[2] == b[1] for a, b in pairwise(parts))


def test_that_thumbnails_go_first_then_the_strip_and_the_tower_never() -> None:
    seen = []
    for height in range(460, 100, -5):
        layout = a_layout(height=height)
        assert layout.plot.height() > 0
        seen.append((layout.pictures is not None, layout.strip is not None))
    assert list(dict.fromkeys(seen)) == [(True, True), (False, True), (False, False)]


def test_that_the_arrows_grow_where_the_direction_differs_and_leave_narrow_panes() -> None:
    small, large, none = a_layout().arrows, a_layout(angle=True).arrows, a_layout(width=300).arrows
    assert small is not None
    assert large is not None
    assert large.width() > 1.2 * small.width()
    assert none is None


def test_that_an_axis_holds_still_unless_the_values_leave_it_or_shrink_to_a_small_part() -> None:
    axis = natural(0.0, 1.2)
    assert held(axis, 0.0, 1.0) is axis
    assert held(axis, 0.0, 1.4).top >= 1.4
    assert held(axis, -0.2, 1.0).bottom <= -0.2
    assert held(natural(0.0, 8.0), 0.0, 1.0) == natural(0.0, 1.0)


def test_that_below_the_lowest_bar_there_is_room_for_its_mark() -> None:
    for low, high in ((-0.07, 1.0), (-0.2, 1.0), (-1.5, 4.0)):
        axis = natural(low, high)
        assert axis.bottom <= low - 0.08 * axis.top
        assert held(axis, low, high) is axis


def test_that_axes_end_on_round_numbers_and_have_few_ticks() -> None:
    assert natural(0.0, 8.0000003).top == 8.0
    for high in (1.0, 1.3, 2.5, 8.0, 31.0, 64.0, 256.0, 65536.0):
        axis = natural(0.0, high)
        assert high <= axis.top * 1.01
        assert 3 <= len(axis.ticks()) <= 14


def test_that_the_numbers_under_the_bars_begin_with_one_and_end_with_n() -> None:
    assert numbered(8, 0.5) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert numbered(1, 3.0) == [1]
    for count, apart in ((8, 1.5), (32, 1.8), (200, 20.0), (65536, 5000.0)):
        numbers = numbered(count, apart)
        assert numbers[0] == 1
        assert numbers[-1] == count
        assert all(b - a >= apart for a, b in pairwise(numbers))


def test_that_noise_stops_at_five_times_but_a_scale_fault_does_not() -> None:
    found = facts(noisy(make_moment()))
    assert found.noisy
    assert found.levels.max() == 5.0
    unscaled = facts(make_moment(scaling="unscaled"))
    assert not unscaled.noisy
    assert unscaled.levels[-1] == pytest.approx(8.0)


def test_that_numbers_that_are_not_finite_are_said_and_not_drawn(qtbot: QtBot) -> None:
    moment = make_moment()
    broken = replace(moment.added[-1], share=float("nan"), total=float("nan"))
    stack = make_stack(qtbot)
    show(stack, replace(moment, added=(*moment.added[:-1], broken), compared=None))
    assert stack.headline() == "all 8 added: the gradient is not finite"
    picture(stack)


def test_that_a_new_bar_grows_within_200_ms_to_the_settled_picture(qtbot: QtBot) -> None:
    stack, settled = make_stack(qtbot), make_stack(qtbot)
    stack.advance(0.0)
    show(stack, make_moment(k=3))
    show(stack, replace(make_moment(k=4), run=make_moment(k=3).run))
    assert stack.advance(10.0)
    seen = [picture(stack)]
    assert stack.advance(10.1)
    seen.append(picture(stack))
    stack.advance(10.3)
    assert not stack.advance(10.4)
    show(settled, make_moment(k=4))
    assert seen[0] != seen[1] != picture(stack)
    assert picture(stack) == picture(settled)


def test_that_bars_that_come_faster_than_they_grow_stand_at_once(qtbot: QtBot) -> None:
    stack = make_stack(qtbot)
    run = make_moment(k=3).run
    stack.advance(0.0)
    for index, now_s in enumerate((1.0, 1.06, 1.12)):
        show(stack, replace(make_moment(k=3 + index, scaling="unscaled"), run=run))
        stack.advance(now_s)
    settled = make_stack(qtbot)
    show(settled, make_moment(k=5, scaling="unscaled"))
    assert picture(stack) == picture(settled)


def test_that_other_weights_first_move_the_tower_and_then_the_axis(qtbot: QtBot) -> None:
    stack, correct = make_stack(qtbot), make_moment()
    stack.advance(0.0)
    show(stack, correct)
    show(stack, retaken(correct, "unscaled"))
    line = []
    for now_s in (5.0, 5.1, 5.24, 5.5, 5.7):
        assert stack.advance(now_s)
        line.append(line_of(picture(stack)))
    assert line[0] == line[1] == line[2] < line[3] < line[4]
    stack.advance(6.0)
    settled = make_stack(qtbot)
    show(settled, retaken(correct, "unscaled"))
    assert picture(stack) == picture(settled)


def line_of(image: QImage) -> int:
    """The row of the full batch's line, seen in the gap between the last bar and the column."""
    return next(y for y in range(image.height()) if image.pixelColor(430, y).name() == DARK.full)


def test_that_toggling_back_gives_the_first_picture_bit_for_bit(qtbot: QtBot) -> None:
    stack, correct = make_stack(qtbot), make_moment()
    stack.advance(0.0)
    show(stack, correct)
    first = picture(stack)
    for index, moment in enumerate((retaken(correct, "unscaled"), correct)):
        show(stack, moment)
        stack.advance(10.0 * index)
        stack.advance(10.0 * index + 5.0)
    assert picture(stack) == first


def test_that_reduced_motion_shows_the_end_at_once_with_a_break_mark_on_the_axis(qtbot: QtBot) -> None:
    stack, settled, correct = make_stack(qtbot), make_stack(qtbot), make_moment()
    stack.reduced_motion = True
    stack.advance(0.0)
    show(stack, correct)
    plain = picture(stack)
    show(settled, correct)
    assert plain == picture(settled)
    show(stack, retaken(correct, "unscaled"))
    show(settled, retaken(correct, "unscaled"))
    assert not stack.advance(1.0)
    assert picture(stack) != picture(settled)
    assert picture(stack).copy(80, 0, 660, 400) == picture(settled).copy(80, 0, 660, 400)


def test_that_settling_ends_all_movement(qtbot: QtBot) -> None:
    stack, settled = make_stack(qtbot), make_stack(qtbot)
    stack.advance(0.0)
    show(stack, make_moment(k=3))
    show(stack, replace(make_moment(k=4), run=make_moment(k=3).run))
    stack.settle()
    assert not stack.advance(1.0)
    show(settled, make_moment(k=4))
    assert picture(stack) == picture(settled)


def test_that_several_micro_batches_at_once_are_shown_at_once(qtbot: QtBot) -> None:
    stack, moment = make_stack(qtbot), make_moment(k=2)
    stack.advance(0.0)
    show(stack, moment)
    show(stack, replace(make_moment(k=6), run=moment.run))
    assert not stack.advance(1.0)


def test_that_the_same_moment_gives_the_same_picture(qtbot: QtBot) -> None:
    stack, moment = make_stack(qtbot), make_moment(scaling="unscaled")
    stack.advance(0.0)
    show(stack, moment)
    first = picture(stack)
    show(stack, moment)
    assert not stack.advance(1.0)
    assert picture(stack) == first


def test_that_a_bar_under_the_pointer_tells_its_numbers(qtbot: QtBot) -> None:
    stack, moment = make_stack(qtbot), make_moment(k=4)
    show(stack, moment)
    texts = {stack.hover_text(QPointF(x, 200.0)) for x in range(0, 740, 4)}
    first = next(text for text in texts if text.startswith("micro-batch 1 of 8: 32 samples"))
    assert f"mean loss {moment.added[0].loss:.6g} × weight 0.125" in first
    assert any(text.startswith("micro-batch 8") and text.endswith("not added yet") for text in texts)
    assert stack.hover_text(QPointF(5.0, 5.0)) == ""


def test_that_a_single_weight_under_the_pointer_tells_name_index_and_raw_values(qtbot: QtBot) -> None:
    stack, moment = make_stack(qtbot), make_moment()
    show(stack, moment)
    window = moment.window
    assert isinstance(window, WindowStarted)
    texts = {stack.hover_text(QPointF(x, 378.0)) for x in range(740)} - {""}
    assert len(texts) == 24
    shown = shown_weights(window)
    for index, name in zip(shown, WeightNames(moment.run.layers).at(window.coordinates[shown]), strict=True):
        expected = (
            f"{name}\n",
            f".grad {moment.added[-1].values[index]:.6g}",
            f"full batch {window.reference_values[index]:.6g}",
        )
        assert any(all(part in text for part in expected) for text in texts)


def test_that_the_pointer_is_answered_at_every_place(qtbot: QtBot) -> None:
    stack = make_stack(qtbot)
    for moment in (None, make_moment(k=0), make_moment(n=200), without_reference(make_moment())):
        show(stack, moment)
        texts = {stack.hover_text(QPointF(x, y)) for x in range(0, 741, 5) for y in range(0, 401, 5)}
        assert "" in texts
        assert len(texts) == 1 if moment is None else len(texts) > 8


def test_that_a_click_is_told(qtbot: QtBot) -> None:
    stack = make_stack(qtbot)
    with qtbot.waitSignal(stack.clicked):
        qtbot.mouseClick(stack, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("theme", [DARK, LIGHT.scaled(1.45), DARK.scaled(3.0)])
@pytest.mark.parametrize("size", [(300, 200), (240, 160), (560, 380), (900, 250), (2500, 1500)])
def test_that_every_moment_can_be_painted_at_every_size(
    qtbot: QtBot, theme: Theme, size: tuple[int, int]
) -> None:
    stack = make_stack(qtbot, theme, *size)
    correct = make_moment()
    for moment in (
        make_moment(k=0),
        make_moment(k=1),
        correct,
        make_moment(n=1),
        make_moment(n=64, scaling="unscaled"),
        make_moment(n=200),
        make_moment(n=256, scaling="unscaled"),
        make_moment(sizes=UNEVEN),
        make_moment(sizes=UNEVEN, scaling="unscaled"),
        noisy(correct),
        without_reference(correct),
        with_window(correct, pictures=None),
        replace(correct, products=None),
        with_window(
            replace(make_moment(k=0)),
            coordinates=np.array([], dtype=int),
            reference_values=np.array([]),
        ),
    ):
        show(stack, moment)
        image = picture(stack)
        colours = {image.pixelColor(x, y).name() for x in range(0, size[0], 7) for y in range(0, size[1], 7)}
        assert len(colours) > 3


def test_that_one_piece_unscaled_is_right_and_nothing_of_it_is_hatched() -> None:
    alone = facts(make_moment(n=1, scaling="unscaled"))
    assert not alone.fault_above
    assert mark_of(alone) == "check"
    assert facts(make_moment(n=2, scaling="unscaled")).fault_above
