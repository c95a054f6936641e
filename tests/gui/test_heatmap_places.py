"""Where the heatmap's numbers stand in a picture, and its pictures in the pane."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPointF, QRectF

from gradviz_app.theme import DARK
from gradviz_app.views.heatmap.layout import layout_of
from gradviz_app.views.heatmap.places import MOST, places_of


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


@pytest.mark.parametrize(("rows", "columns", "stretches"), [(71, 71, False), (64, 7, True), (1, 10, True)])
def test_that_room_that_is_left_over_is_the_same_on_all_sides(
    rows: int, columns: int, stretches: bool
) -> None:
    area = QRectF(10, 50, 687, 280)
    layout = layout_of(area, DARK, rows, columns, stretches)
    whole = layout.slots[0]
    for rect in (*layout.boxes, *layout.slots):
        whole = whole.united(rect)
    assert whole.left() - area.left() == pytest.approx(area.right() - whole.right(), abs=1.5)
    assert whole.top() - area.top() == pytest.approx(area.bottom() - whole.bottom(), abs=6)


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
    for index, box in enumerate(layout.boxes):
        at = QPointF(box.left() + 5.5 * wide, box.top() + 3.5 * high)
        assert layout.find(at, 10, 64) == (index, 3, 5)
    assert layout.find(QPointF(-5, -5), 10, 64) is None
