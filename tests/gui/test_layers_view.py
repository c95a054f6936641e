"""The layers pane: its numbers against plain numpy, what is marked, how it is sorted."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from pytestqt.qtbot import QtBot
from watched import SIZES, painted, picture, show, watched

from gradviz.history import Moment
from gradviz_app.keys import uses
from gradviz_app.theme import DARK, LIGHT, Theme
from gradviz_app.views.layers.pane import Layers
from gradviz_app.views.layers.rows import ROUNDING, ZERO_LAYER, Table, percent, table_of
from gradviz_app.views.layers.table import HEADINGS

FAULTY = {"scaling": "unscaled"}
UNEVEN = {"sizes": (200, 8, 8, 8, 8, 8, 8, 8)}
NAMES = ["0.weight", "0.bias", "2.weight", "2.bias"]


def make(qtbot: QtBot, moment: Moment | None = None, theme: Theme = DARK) -> Layers:
    pane = Layers(theme)
    qtbot.addWidget(pane)
    pane.resize(715, 375)
    if moment is not None:
        show(pane, moment)
    return pane


def read(moment: Moment) -> Table:
    table = table_of(moment)
    assert table is not None
    return table


def shown(pane: Layers, column: str = "layer") -> list[str]:
    model = pane.table.model()
    return [model.index(row, HEADINGS.index(column)).data() for row in range(model.rowCount())]


def test_that_the_parts_of_all_layers_add_up_to_the_whole() -> None:
    rows = read(watched(step=2)).rows
    assert [row.name for row in rows] == NAMES
    assert sum(row.share for row in rows) == pytest.approx(1.0)


def test_that_without_1_over_n_every_layer_is_n_times_too_large_and_marked() -> None:
    table = read(watched(step=2, **FAULTY))
    assert all(row.wrong for row in table.rows)
    assert {row.judgement for row in table.rows} == {"8.000 × too large"}
    assert {row.words[3] for row in table.rows} == {"8.000 ×"}
    assert table.headlines[0] == "all 8 added: 4 of 4 layers differ: 8.000 × too large, same direction"
    assert table.mark == "cross"
    assert "above 1e-5" in table.rule[0]


def test_that_in_an_equal_window_no_layer_is_marked() -> None:
    table = read(watched(step=2))
    assert not any(row.wrong for row in table.rows)
    assert {row.judgement for row in table.rows} == {ROUNDING}
    assert table.mark == "check"


def test_that_only_layers_above_the_tolerance_are_marked() -> None:
    moment = watched(step=2, **UNEVEN)
    assert moment.compared is not None
    layers = moment.compared.layers
    errors = layers.errors.copy()
    errors[1] = 1e-6
    changed = replace(moment, compared=replace(moment.compared, layers=replace(layers, errors=errors)))
    assert [row.wrong for row in read(changed).rows] == [True, False, True, True]
    assert read(changed).headlines[0].startswith("all 8 added: 3 of 4 layers differ")


def test_that_another_direction_is_said_with_its_angle() -> None:
    rows = read(watched(step=2, **UNEVEN)).rows
    assert all(row.judgement.startswith("different direction, ") for row in rows)


def test_that_before_the_windows_end_numbers_are_so_far_or_not_yet() -> None:
    unwatched, counted = read(watched(step=2, k=3)), read(watched(step=1, k=3, counted=True))
    assert {row.words[3] for row in unwatched.rows} == {"not yet"}
    assert unwatched.headlines[0] == "3 of 8 added: known after the last micro-batch"
    assert counted.headlines[0] == "3 of 8 added: values so far"
    assert all(0 < row.size < 1 for row in counted.rows)
    assert not any(row.wrong for row in counted.rows)


def test_that_a_layer_without_gradient_is_unknown_and_says_why() -> None:
    moment = watched(step=2, **FAULTY)
    assert moment.window is not None
    assert moment.compared is not None
    norms, layers = moment.window.layer_norms.copy(), moment.compared.layers
    norms[1] = 0.0
    unknown = {name: getattr(layers, name).copy() for name in ("sizes", "angles", "errors")}
    for values in unknown.values():
        values[1] = math.nan
    compared = replace(moment.compared, layers=replace(layers, **unknown))
    rows = read(replace(moment, window=replace(moment.window, layer_norms=norms), compared=compared)).rows
    assert rows[1].words[3:] == ("unknown", "unknown", "unknown", ZERO_LAYER)
    assert not rows[1].wrong
    assert rows[0].wrong


def test_that_shares_are_written_with_the_digits_they_need() -> None:
    assert [percent(share) for share in (0.571, 0.008, 0.0002, 1e-6, 0.0, 1.0)] == [
        "57.1 %", "0.8 %", "0.02 %", "<0.01 %", "0.0 %", "100.0 %",
    ]  # fmt: skip


def test_that_headings_sort_upwards_downwards_and_back_to_the_models_order(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2, **UNEVEN))
    table = read(watched(step=2, **UNEVEN))
    upwards = [row.name for row in sorted(table.rows, key=lambda row: row.angle)]
    assert shown(pane) == NAMES
    click(qtbot, pane, "angle")
    assert shown(pane) == upwards
    click(qtbot, pane, "angle")
    assert shown(pane) == upwards[::-1]
    click(qtbot, pane, "angle")
    assert shown(pane) == NAMES


def test_that_enter_sorts_by_the_column_of_the_cell_with_the_keyboard(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2, **UNEVEN))
    model = pane.table.model()
    pane.table.setCurrentIndex(model.index(2, HEADINGS.index("size")))
    qtbot.keyClick(pane.table, Qt.Key.Key_Return)
    sizes = [float(words.removesuffix(" ×")) for words in shown(pane, "size")]
    assert sizes == sorted(sizes)
    qtbot.keyClick(pane.table, Qt.Key.Key_Up)
    assert pane.table.currentIndex().isValid()


def test_that_the_table_keeps_its_keys_and_leaves_the_others_to_the_window(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2))
    for key, kept in ((Qt.Key.Key_Down, True), (Qt.Key.Key_Return, True), (Qt.Key.Key_U, False)):
        event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier)
        assert uses(pane.table, event) == kept


def test_that_new_numbers_keep_the_row_that_is_looked_at(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2, k=3))
    pane.table.selectRow(2)
    show(pane, watched(step=2))
    assert [index.row() for index in pane.table.selectionModel().selectedRows()] == [2]


def test_that_numbers_stand_at_the_right_and_are_told_to_those_who_do_not_see_them(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2, **FAULTY))
    cell = pane.table.model().index(0, HEADINGS.index("size"))
    assert Qt.AlignmentFlag.AlignRight in cell.data(Qt.ItemDataRole.TextAlignmentRole)
    assert cell.data(Qt.ItemDataRole.AccessibleTextRole) == "size 8.000 ×"
    first = pane.table.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert first == "marked as wrong, layer 0.weight"
    assert "0.weight 8.000 × too large" in pane.accessibleDescription()


def test_that_a_narrow_table_leaves_columns_out_and_cuts_none(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2, **FAULTY))
    for width in (715, 560, 480, 400, 320):
        pane.resize(width, 300)
        picture(pane)
        headings = pane.table.headings
        used = sum(headings.sectionSize(column) for column in range(len(HEADINGS)))
        assert used <= pane.table.viewport().width()
        assert not headings.isSectionHidden(0)
        assert not headings.isSectionHidden(len(HEADINGS) - 1)


def test_that_whatever_a_number_is_it_has_room_in_its_column(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2))
    picture(pane)
    room = [pane.table.headings.sectionSize(column) - 16 for column in range(len(HEADINGS))]
    longest = (
        (1, "64×64×3×3", "small"),
        (3, "1.000000 ×", "code"),
        (4, "180.0°", "code"),
        (5, "1.3e-10", "code"),
    )
    for column, words, role in (*longest, (6, "different direction, 180°", "small")):
        mark = 17 if column == 6 else 0
        assert DARK.width(words, role) + mark <= room[column], words
    for share in (1.0, 1e-6, 0.12, 0.0004):
        assert DARK.width(percent(share), "code") <= 0.64 * room[2]


def test_that_a_table_is_there_only_where_there_are_layers(qtbot: QtBot) -> None:
    pane = make(qtbot)
    show(pane, None)
    assert pane.table.isHidden()
    assert pane.headline().startswith("reading torch")
    show(pane, watched(step=2))
    assert not pane.table.isHidden()


@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize(("width", "height", "scale"), SIZES)
def test_that_marked_rows_are_tinted_at_every_size(
    qtbot: QtBot, theme: Theme, width: int, height: int, scale: float
) -> None:
    tint = int(theme.fault_tint[1:], 16) | 0xFF000000
    for moment, tinted in ((watched(step=2), False), (watched(step=2, **FAULTY), True)):
        pane = make(qtbot, moment, theme.scaled(scale))
        pane.resize(width, height)
        pixels = np.frombuffer(painted(pane), dtype=np.uint32)
        assert bool((pixels == tint).sum() > 1000) == tinted


def click(qtbot: QtBot, pane: Layers, column: str) -> None:
    headings = pane.table.headings
    x = headings.sectionViewportPosition(HEADINGS.index(column)) + 5
    centre = headings.viewport().rect().center()
    centre.setX(x)
    qtbot.mouseClick(headings.viewport(), Qt.MouseButton.LeftButton, pos=centre)


def test_that_headings_are_words_that_fit_and_formulas_are_left_to_the_hover(qtbot: QtBot) -> None:
    pane = make(qtbot, watched(step=2))
    picture(pane)
    for column, words in enumerate(HEADINGS):
        assert "‖" not in words
        if not pane.table.headings.isSectionHidden(column):
            assert DARK.width(words, "small") <= pane.table.headings.sectionSize(column) - 16
    tip = pane.table.layers.headerData(
        HEADINGS.index("full-batch share"), Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    )
    assert "share of ‖full batch‖²" in str(tip)
