"""The weights pane: how pieces lie on one another, its axis, its sentences, the weight that is chosen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QImage, QKeyEvent, QPainter
from pytestqt.qtbot import QtBot
from watched import SIZES, painted, picture, show, watched

from gradviz.history import Moment
from gradviz_app.keys import uses
from gradviz_app.theme import DARK, LIGHT, Theme
from gradviz_app.views.ink import Ink
from gradviz_app.views.weights.columns import bands, beyond, heights_of, places_of
from gradviz_app.views.weights.columns import picture as pixels_of
from gradviz_app.views.weights.facts import Facts, facts_of
from gradviz_app.views.weights.ground import axis_words, cut_off, paint_heads
from gradviz_app.views.weights.pane import Weights
from gradviz_app.views.weights.scale import DECADES, Scale, held, nice, tick_label
from gradviz_app.views.weights.words import weight_lines

FAULTY = {"scaling": "unscaled"}


def make(qtbot: QtBot, moment: Moment | None = None, theme: Theme = DARK) -> Weights:
    pane = Weights(theme)
    qtbot.addWidget(pane)
    pane.resize(round(715 * theme.scale), round(375 * theme.scale))
    if moment is not None:
        show(pane, moment)
    return pane


def read(moment: Moment) -> Facts:
    facts = facts_of(moment, 1000)
    assert facts is not None
    return facts


@given(st.lists(st.integers(1, 80), min_size=1, max_size=6), st.integers(0, 300), st.floats(2, 40))
def test_that_all_columns_stand_inside_of_the_plot(counts: list[int], spare: int, gap: float) -> None:
    ends = np.cumsum(counts).tolist()
    groups = [(str(end), end - count, end) for end, count in zip(ends, counts, strict=True)]
    places = places_of(ends[-1] + spare, groups, gap)
    assert len(places.lefts) == ends[-1]
    assert places.lefts[0] >= 0
    assert (np.diff(places.lefts) >= places.pitch).all()
    assert places.lefts[-1] + places.pitch <= ends[-1] + spare


def test_that_a_column_ends_at_what_grad_holds_and_its_pieces_lie_side_by_side() -> None:
    random = np.random.default_rng(0)
    levels = np.vstack([np.zeros(300), np.cumsum(random.normal(0.1, 0.4, (9, 300)), axis=0)])
    found = bands(levels)
    assert found[-1] == pytest.approx(levels[-1])
    assert not found[0].any()
    assert (np.diff(np.abs(found), axis=0) >= 0).all()


def test_that_a_piece_backwards_shortens_those_before_it() -> None:
    levels = np.array([[0.0], [0.5], [0.9], [0.3], [1.0]])
    assert bands(levels)[:, 0].tolist() == [0.0, 0.3, 0.3, 0.3, 1.0]
    assert bands(-levels)[:, 0].tolist() == [0.0, -0.3, -0.3, -0.3, -1.0]


def test_that_weights_stand_in_the_order_of_the_model_with_their_layers() -> None:
    facts = read(watched(step=2))
    assert (np.diff(facts.coordinates) > 0).all()
    assert [name for name, _, _ in facts.groups] == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert facts.groups[0][1] == 0
    assert facts.groups[-1][2] == len(facts.coordinates)


def test_that_in_a_correct_window_no_column_goes_beyond_its_full_batch_value() -> None:
    facts = read(watched(step=2))
    heights = heights_of(
        Scale(nice(np.abs(facts.reference).max()), False), 400, facts.levels, facts.reference
    )
    assert beyond(heights, facts.accumulated, facts.reference, True) == []


@pytest.mark.parametrize("logarithmic", [False, True])
def test_that_without_1_over_n_every_column_that_can_be_seen_goes_beyond_it(logarithmic: bool) -> None:
    facts = read(watched(step=2, **FAULTY))
    scale = Scale(nice(8 * np.abs(facts.reference).max()), logarithmic)
    heights = heights_of(scale, 400, facts.levels, facts.reference)
    seen = np.flatnonzero(np.abs(heights.edges[-1] - heights.target) > 1).tolist()
    assert [index for index, _, _ in beyond(heights, facts.accumulated, facts.reference, True)] == seen
    assert len(seen) > (250 if logarithmic else 100)


def test_that_the_pixels_of_a_column_are_its_pieces_in_order_up_to_the_line() -> None:
    levels, reference = np.array([[0.0, 0.0], [0.25, -0.5], [0.75, -1.0]]), np.array([0.75, -1.0])
    heights = heights_of(Scale(1.0, False), 201, levels, reference)
    places = places_of(40.0, (("a", 0, 1), ("b", 1, 2)), 4.0)
    pixels = pixels_of(DARK, heights, places, 40, 2, [])
    first, second, line = DARK.piece(0, 2).rgb(), DARK.piece(1, 2).rgb(), int(DARK.full[1:], 16) | 0xFF000000
    up, down = (pixels[:, int(left)].tolist() for left in places.lefts)
    assert (up[90], up[60], up[25], up[10]) == (first, second, line, 0)
    assert (down[110], down[190], down[200]) == (first, second, line)
    assert down[90] == 0


def test_that_columns_never_overlap_and_stay_in_the_plot() -> None:
    groups = (("a", 0, 200), ("b", 200, 204), ("c", 204, 256))
    for width in (150.0, 300.0, 611.0, 1400.0):
        places = places_of(width, groups, 8.0)
        assert (np.diff(places.lefts) >= places.width).all()
        if width >= 256:
            assert places.lefts[-1] + places.width <= width
        assert all(places.index(float(left)) == i for i, left in enumerate(places.lefts))


def test_that_the_axis_is_symmetric_and_keeps_the_order_of_values() -> None:
    values = np.array([-2.0, -1.0, -0.1, -1e-5, 0.0, 1e-5, 0.1, 1.0, 2.0])
    for logarithmic in (False, True):
        scale = Scale(1.0, logarithmic)
        found = scale.at(values)
        assert found == pytest.approx(-found[::-1])
        assert (np.diff(found) >= 0).all()
        assert scale.at(1.0) == 1.0
    assert Scale(1.0, True).at(1e-2) == pytest.approx((1 + DECADES - 2) / (1 + DECADES))


def test_that_the_axis_stands_still_from_piece_to_piece(qtbot: QtBot) -> None:
    pane = make(qtbot)
    ends = set()
    for k in range(9):
        show(pane, watched(step=2, k=k))
        ends.add(pane.scale.limit)
    assert len(ends) == 1


def test_that_many_times_too_long_columns_are_cut_off_and_the_targets_stay_tall(qtbot: QtBot) -> None:
    moment = watched(step=2, **FAULTY)
    pane, facts = make(qtbot, moment), read(moment)
    largest = abs(facts.reference).max()
    assert 1.1 * largest <= pane.scale.limit <= 1.5 * largest
    cut = cut_off(pane.scale, facts)
    assert 0 < cut.sum() < 256
    assert (abs(facts.accumulated[cut]) > pane.scale.limit).all()
    words = "arrow heads: cut off, the longest is 8.00 × the largest full-batch value"
    assert axis_words(pane.scale, facts)[0] == f"gradient value, linear · {words}"
    pane._logarithmic.click()
    assert not cut_off(pane.scale, facts).any()
    right = read(watched(step=2))
    assert not cut_off(make(qtbot, watched(step=2)).scale, right).any()


@pytest.mark.parametrize("pieces", [FAULTY, {}])
def test_that_an_arrow_head_ends_each_column_that_is_cut_off_and_no_other(pieces: dict[str, object]) -> None:
    facts, plot = read(watched(step=2, **pieces)), QRectF(0, 0, 600, 200)
    places, ink, image = (
        places_of(600, facts.groups, 8.0),
        Ink(DARK),
        QImage(600, 200, QImage.Format.Format_RGB32),
    )
    scale = Scale(0.6 * float(np.abs(facts.reference).max()), False)
    image.fill(0)
    ink.painter = QPainter(image)
    paint_heads(ink, plot, places, scale, facts)
    ink.painter.end()
    colour, cut = QColor(DARK.fault if pieces else DARK.accumulated).rgb(), cut_off(scale, facts)
    assert 0 < cut.sum() < 256
    for index, left in enumerate(places.lefts.tolist()):
        # the row where a head is widest
        row = 7 if facts.accumulated[index] > 0 else 192
        seen = {image.pixel(x, row) & 0xFFFFFF for x in range(left, left + places.width)}
        near = cut[max(0, index - 4) : index + 5].any()
        assert seen & {colour & 0xFFFFFF} if cut[index] else near or seen == {0}


def test_that_pieces_that_cancel_do_not_make_a_flat_line_of_the_full_batch(qtbot: QtBot) -> None:
    moment = watched(step=2)
    added = [replace(one, values=one.values * (40 if k < 7 else 1)) for k, one in enumerate(moment.added)]
    pane = make(qtbot)
    for k in range(9):
        show(pane, replace(moment, added=tuple(added[:k])))
        assert pane.scale.limit <= 3 * np.abs(moment.window.reference_values).max()
    show(pane, replace(moment, added=tuple(added[:7])))
    assert "arrow heads: cut off, the longest is " in axis_words(pane.scale, pane._facts)[0]


def test_that_the_axis_grows_where_it_must_and_shrinks_only_a_lot() -> None:
    assert held(None, 0.9) == 1.0
    assert held(1.0, 0.5) == 1.0
    assert held(1.0, 1.4) == 1.5
    assert held(1.0, 0.1) == 0.12


def test_that_numbers_at_the_axis_are_short() -> None:
    assert [tick_label(value, 0.03) for value in Scale(0.03, False).ticks()][:4] == [
        "−0.03",
        "−0.02",
        "−0.01",
        "0",
    ]
    assert tick_label(2e-7, 1e-6) == "2e−7"
    assert tick_label(0.0001, 0.4) == "0.0001"


def test_that_the_sentence_says_what_was_measured(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2, k=0))
    assert pane.headline() == "0 of 8 added: the full batch is the target, .grad is still empty"
    show(pane, watched(step=2, k=3))
    assert pane.headline().startswith("3 of 8 added: half of the weights have reached ")
    show(pane, watched(step=2))
    assert pane.headline().startswith("all 8 added: every weight ends at its full-batch value, to within ")
    show(pane, replace(watched(step=2, **FAULTY), compared=None))
    assert pane.headline() == "all 8 added: all 256 are 8.00 × their full-batch values"
    show(pane, watched(step=2, k=3, **FAULTY))
    assert pane.headline().endswith(" × their full-batch value")
    show(pane, watched(step=2, **FAULTY))
    assert pane.headline() == "all 8 added: all 256 are 8.00 × their full-batch values"
    assert "Step 2" in pane.accessibleDescription()


def test_that_a_weight_is_told_by_name_place_values_and_the_shares_of_its_pieces() -> None:
    moment = watched(step=2)
    facts = read(moment)
    lines = weight_lines(facts, 0)
    full, now = moment.window.reference_values[0], moment.added[-1].values[0]
    place = int(facts.coordinates[0])
    assert lines[0] == f"0.weight[0, {place}], weight {place + 1} of 4810"
    assert lines[1] == f".grad {now:.6g}, full batch {full:.6g}, 100 % of it".replace("-", "−")
    assert "8: " in lines[-1]


def test_that_numbers_that_are_not_finite_are_said_and_not_drawn(qtbot: QtBot) -> None:
    moment = watched(step=2)
    values = np.full_like(moment.added[-1].values, np.nan)
    broken = replace(moment, added=(*moment.added[:-1], replace(moment.added[-1], values=values)))
    pane = make(qtbot, broken)
    assert pane.headline() == "all 8 added: the gradient is not finite"
    picture(pane)


def test_that_arrows_choose_a_weight_only_after_tab(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2))
    press(pane, Qt.Key.Key_Right)
    assert pane.chosen is None
    assert not overrides(pane, Qt.Key.Key_Right)
    pane.focusInEvent(QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    assert pane.chosen == 0
    press(pane, Qt.Key.Key_Right)
    press(pane, Qt.Key.Key_PageDown)
    assert pane.chosen == 11
    press(pane, Qt.Key.Key_End)
    assert pane.chosen == 255
    assert overrides(pane, Qt.Key.Key_Right)
    assert not overrides(pane, Qt.Key.Key_Space)
    assert "2.bias" in pane.accessibleDescription()
    press(pane, Qt.Key.Key_Escape)
    assert pane.chosen is None
    assert not overrides(pane, Qt.Key.Key_Right)


def test_that_hover_and_click_find_the_column_that_is_painted(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2))
    found = {pane.hover_text(QPointF(x / 2, 150.0)).split("\n")[0] for x in range(2 * pane.width())} - {""}
    names = [weight_lines(read(watched(step=2)), index)[0] for index in range(256)]
    assert found == set(names)
    qtbot.mouseClick(pane, Qt.MouseButton.LeftButton, pos=QPointF(300, 150).toPoint())
    assert pane.chosen is not None
    assert pane.hover_text(QPointF(3, 3)) == ""


@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize(("width", "height", "scale"), SIZES)
def test_that_it_paints_every_moment_at_every_size(
    qtbot: QtBot, theme: Theme, width: int, height: int, scale: float
) -> None:
    pane = make(qtbot, theme=theme.scaled(scale))
    pane.resize(width, height)
    seen = set()
    for moment in (None, watched(step=2, k=0), watched(step=2, k=3), watched(step=2, **FAULTY)):
        show(pane, moment)
        seen.add(painted(pane))
    pane.choose(4)
    assert painted(pane) not in seen
    assert len(seen) == 4


def test_that_of_very_many_pieces_only_the_sum_is_drawn(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(micro_batches=128))
    picture(pane)
    assert (
        "too many" in pane.hover_text(QPointF(300, 150))
        or "too many" in weight_lines(read(watched(micro_batches=128)), 0)[-1]
    )


def press(pane: Weights, key: Qt.Key) -> None:
    pane.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier))


def overrides(pane: Weights, key: Qt.Key) -> bool:
    return uses(pane, QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier))
