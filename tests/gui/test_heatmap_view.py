"""The heatmap pane: where each number stands, its colour, scales and sentences, and how a layer is chosen."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from watched import SIZES, painted, show, watched

from gradviz.history import Moment
from gradviz_app.theme import DARK, LIGHT, THEMES, Theme
from gradviz_app.views.heatmap.colours import pixels_of, ramp
from gradviz_app.views.heatmap.facts import Facts, difference_limit, facts_of, headlines, mark_of
from gradviz_app.views.heatmap.layout import layout_of
from gradviz_app.views.heatmap.pane import Heatmap
from gradviz_app.views.heatmap.places import MOST, places_of
from gradviz_app.views.heatmap.words import notes

FAULTY = {"scaling": "unscaled"}


def make(qtbot: QtBot, moment: Moment | None = None, theme: Theme = DARK) -> Heatmap:
    pane = Heatmap(theme)
    qtbot.addWidget(pane)
    pane.resize(715, 375)
    if moment is not None:
        show(pane, moment)
    return pane


def read(moment: Moment, layer: int = 0) -> Facts:
    facts = facts_of(moment, layer)
    assert facts is not None
    return facts


def test_that_a_matrix_stands_as_it_is_and_a_bias_is_one_row() -> None:
    assert places_of((2, 3), None).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert places_of((4,), None).tolist() == [[0, 1, 2, 3]]
    assert places_of((), None).tolist() == [[0]]


def test_that_rows_as_pictures_stand_side_by_side_with_a_gap() -> None:
    found = places_of((3, 4), (2, 2))
    assert found.tolist() == [
        [0, 1, -1, 4, 5],
        [2, 3, -1, 6, 7],
        [-1, -1, -1, -1, -1],
        [8, 9, -1, -1, -1],
        [10, 11, -1, -1, -1],
    ]


def test_that_kernels_stand_in_the_place_of_their_matrix_entry() -> None:
    found = places_of((2, 2, 1, 2), None)
    assert found.tolist() == [[0, 1, -1, 2, 3], [-1, -1, -1, -1, -1], [4, 5, -1, 6, 7]]
    assert places_of((2, 2, 1, 2), None, 0).tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert places_of((2, 3, 1, 1), None).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_that_kernels_of_few_inputs_are_a_grid_and_no_thin_strip() -> None:
    assert places_of((4, 1, 1, 2), None).tolist() == [[0, 1, -1, 2, 3], [-1] * 5, [4, 5, -1, 6, 7]]
    assert places_of((64, 1, 3, 3), None).shape == (31, 31)


@pytest.mark.parametrize(
    "shape",
    [
        (64, 64),
        (10,),
        (8, 4, 3, 3),
        (64, 1, 3, 3),
        (33, 3, 2, 2),
        (5, 2, 3),
        (3, 2, 2, 2, 2),
        (600, 300),
        (2, 200_000),
    ],
)
def test_that_every_number_that_is_told_stands_in_exactly_one_place(shape: tuple[int, ...]) -> None:
    places = places_of(shape, None)
    assert sorted(places[places >= 0].tolist()) == list(range(min(MOST, math.prod(shape))))


def test_that_a_very_large_layer_is_cut_without_making_room_for_all_of_it() -> None:
    places = places_of((50_000, 768), None)
    assert places.shape == (-(-MOST // 768), 768)


def test_that_colours_are_of_equal_strength_to_both_sides_and_differ_in_hue() -> None:
    for theme in THEMES.values():
        values = np.array([-1.0, -0.5, 0.0, 0.5, 1.0, 5.0, np.nan])
        pixels = pixels_of(theme, values, np.arange(7)[None, :], 1.0)[0].tolist()
        colours = [QColor.fromRgb(pixel) for pixel in pixels]
        assert pixels[0] == ramp(theme)[0, 0]
        assert colours[0] == QColor(theme.accumulated)
        assert colours[4] == colours[5] == QColor(theme.full)
        assert colours[6] == QColor(theme.fault)
        assert len(set(pixels[:5])) == 5


def test_that_a_number_without_a_place_has_no_colour() -> None:
    pixels = pixels_of(DARK, np.array([1.0, 1.0]), np.array([[0, -1, 5]]), 1.0)
    assert pixels[0, 1] == pixels[0, 2] == 0
    assert pixels[0, 0] != 0


def test_that_the_four_arrays_are_those_of_the_window() -> None:
    facts, before = read(watched(step=2, k=5, layer=2), 2), read(watched(step=2, k=4, layer=2), 2)
    moment = watched(step=2, k=5, layer=2)
    assert moment.window is not None
    assert np.array_equal(facts.reference, moment.window.watched_reference)
    assert facts.piece == pytest.approx(facts.accumulated - before.accumulated, abs=0)
    assert facts.difference == pytest.approx(facts.accumulated - facts.reference, abs=0)
    assert len(facts.reference) == 640


def test_that_a_correct_window_ends_with_rounding_only() -> None:
    facts = read(watched(step=2, layer=0))
    assert facts.rounding
    assert mark_of(facts) == "check"
    assert headlines(facts)[0].startswith("all 8 added: rounding only, difference at most ")


def test_that_without_1_over_n_the_difference_is_n_minus_1_times_the_full_batch() -> None:
    facts = read(watched(step=2, layer=0, **FAULTY))
    assert facts.difference == pytest.approx(7 * facts.reference, rel=1e-3, abs=1e-6 * facts.largest)
    assert headlines(facts)[0] == "all 8 added: difference up to 7.00 × the largest in the full batch"
    assert mark_of(facts) == "cross"
    assert facts.reach == pytest.approx(8 * facts.largest, rel=1e-4)


def test_that_on_the_way_it_is_not_judged() -> None:
    assert mark_of(read(watched(step=2, k=3, layer=0))) == "dots"
    assert (
        headlines(read(watched(step=2, k=0, layer=0)))[0] == "0 of 8 added: the target stands, .grad is empty"
    )


def test_that_the_difference_has_the_common_scale_until_it_is_ten_times_smaller() -> None:
    facts = read(watched(step=2, layer=0))
    assert difference_limit(facts, 1.0) == pytest.approx(10.0 ** math.ceil(math.log10(facts.apart)))
    same = replace(facts, accumulated=facts.reference)
    assert difference_limit(same, 0.5) == 0.5
    far = replace(facts, accumulated=facts.reference + 0.3)
    assert difference_limit(far, 1.0) == 1.0


def test_that_equal_to_the_last_bit_is_said_so() -> None:
    facts = read(watched(step=2, layer=0))
    assert "bit for bit" in headlines(replace(facts, accumulated=facts.reference))[0]


def test_that_only_the_first_layer_of_a_task_with_pictures_is_drawn_as_pictures(qtbot: QtBot) -> None:
    assert read(watched(step=2, layer=0)).unit == (8, 8)
    # as many columns as a picture has pixels, but they are hidden units
    assert read(watched(step=2, layer=2), 2).unit is None
    pane = make(qtbot, watched(step=2, layer=0))
    assert not pane.as_pictures.isHidden()
    as_pictures = painted(pane)
    pane.as_pictures.toggle()
    assert painted(pane) != as_pictures


def test_that_the_scale_stands_still_from_piece_to_piece(qtbot: QtBot) -> None:
    pane = make(qtbot)
    limits = set()
    for k in range(9):
        show(pane, watched(step=2, k=k, layer=0))
        limits.add(pane.limit)
    assert len(limits) == 1


def test_that_choosing_a_layer_says_so_and_waits_for_it(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2, layer=0))
    with qtbot.waitSignal(pane.layer_chosen, check_params_cb=lambda layer: layer == 2):
        pane.choose(2)
    assert pane.headline() == "2.weight is shown from the next window on"
    show(pane, watched(step=2, layer=2))
    assert pane.headline().startswith("all 8 added: ")
    assert "layer 2.weight" in pane.accessibleDescription()


def test_that_coming_into_sight_asks_for_the_layer(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2))
    assert pane.headline() == "0.weight is shown from the next window on"
    with qtbot.waitSignal(pane.layer_chosen, check_params_cb=lambda layer: layer == 0):
        pane.show()


def test_that_a_run_with_the_same_layers_keeps_the_one_that_is_chosen(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2, layer=0))
    pane.choose(2)
    show(pane, watched(step=2, layer=2, **FAULTY))
    assert pane.layer == 2
    show(pane, watched(step=1, model="cnn"))
    assert pane.layer == 0
    assert pane.choice.count() == len(watched(step=1, model="cnn").run.layers)


def test_that_hover_tells_the_number_that_is_painted(qtbot: QtBot) -> None:
    moment = watched(step=2, layer=2)
    pane = make(qtbot, moment)
    pane.choose(2)
    show(pane, moment)
    facts = read(moment, 2)
    found = {pane.hover_text(QPointF(x, y)) for x in range(0, 715, 2) for y in range(0, 375, 2)} - {""}
    names = {words.split("\n")[0] for words in found}
    assert names == {f"2.weight[{row}, {column}]" for row in range(10) for column in range(64)}
    first = next(words for words in found if words.startswith("2.weight[0, 0]\n"))
    assert f"full batch {facts.reference[0]:.6g}".replace("-", "−") in first


def test_that_what_is_left_out_is_said() -> None:
    facts = read(watched(step=2, layer=0))
    large = replace(facts, layer=replace(facts.layer, shape=(512, 512)))
    limit = 1.02 * facts.largest
    assert notes(large, None, False, limit)[0].startswith("the first 131 072 of 262 144 numbers · ")
    assert "not all are drawn" in notes(large, None, True, limit)[0]
    assert notes(large, None, True, limit)[-1] == "the first 131 072 of 262 144 numbers"
    assert notes(facts, None, False, limit) == ("a row for each output, a column for each input",)


def test_that_the_full_batch_sets_the_scale_and_what_goes_beyond_is_said(qtbot: QtBot) -> None:
    moment = watched(step=2, layer=0, **FAULTY)
    pane, facts = make(qtbot, moment), read(moment)
    assert facts.largest <= pane.limit <= 1.3 * facts.largest
    assert difference_limit(facts, pane.limit) == pane.limit
    told = notes(facts, (8, 8), False, pane.limit)
    assert told[-1] == "beyond the scale: up to 8.00 × the largest in the full batch"


@pytest.mark.parametrize(
    ("rows", "columns"), [(64, 64), (1, 64), (10, 64), (640, 64), (1, 5000), (71, 71), (900, 2)]
)
def test_that_pictures_stay_in_their_place_and_apart(rows: int, columns: int) -> None:
    for width, height in ((687, 250), (370, 120), (1400, 600)):
        area = QRectF(10, 50, width, height)
        layout = layout_of(area, DARK, rows, columns, True)
        assert all(area.adjusted(-1, -1, 2, 2).contains(box) for box in layout.boxes)
        pairs = [(a, b) for i, a in enumerate(layout.boxes) for b in layout.boxes[i + 1 :]]
        assert not any(a.intersects(b) for a, b in pairs)


def test_that_every_cell_of_a_picture_is_found_under_the_pointer() -> None:
    layout = layout_of(QRectF(0, 0, 687, 250), DARK, 10, 64, True)
    wide, high = layout.cell
    for picture, box in enumerate(layout.boxes):
        at = QPointF(box.left() + 5.5 * wide, box.top() + 3.5 * high)
        assert layout.find(at, 10, 64) == (picture, 3, 5)
    assert layout.find(QPointF(-5, -5), 10, 64) is None


def test_that_numbers_that_are_not_finite_are_said_and_painted(qtbot: QtBot) -> None:
    moment = watched(step=2, layer=0)
    values = moment.added[-1].watched_values.copy()
    values[3] = np.inf
    broken = replace(moment, added=(*moment.added[:-1], replace(moment.added[-1], watched_values=values)))
    pane = make(qtbot, broken)
    assert pane.headline() == "all 8 added: the gradient is not finite"
    fault = int(DARK.fault[1:], 16) | 0xFF000000
    assert fault in np.frombuffer(painted(pane), dtype=np.uint32)


@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize(("width", "height", "scale"), SIZES)
def test_that_it_paints_every_moment_at_every_size(
    qtbot: QtBot, theme: Theme, width: int, height: int, scale: float
) -> None:
    pane = make(qtbot, theme=theme.scaled(scale))
    pane.resize(width, height)
    seen = set()
    moments = (
        None,
        watched(step=2, k=0, layer=0),
        watched(step=2, k=3, layer=0),
        watched(step=2, layer=0, **FAULTY),
    )
    for moment in moments:
        show(pane, moment)
        seen.add(painted(pane))
    assert len(seen) == 4
