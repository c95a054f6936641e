"""The heatmap pane: its colours, scales and sentences, and how a layer is chosen."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from watched import SIZES, painted, picture, show, watched

from gradviz.history import Moment
from gradviz_app.style import style_sheet
from gradviz_app.theme import DARK, LIGHT, PROJECTOR, THEMES, Theme
from gradviz_app.views.heatmap.colours import pixels_of, ramp
from gradviz_app.views.heatmap.facts import Facts, difference_limit, facts_of, headlines, magnified, mark_of
from gradviz_app.views.heatmap.pane import Heatmap
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


def test_that_one_piece_of_eight_can_be_seen_on_the_scale_of_the_sum() -> None:
    for theme in THEMES.values():
        shades = [QColor.fromRgb(int(pixel)) for pixel in ramp(theme)[0, 127:]]
        apart = [
            sum(abs(a - b) for a, b in zip(shade.getRgb(), shades[0].getRgb(), strict=True))
            for shade in shades
        ]
        assert apart[127 // 8] > 0.25 * apart[-1]
        assert apart == sorted(apart)


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
    begun = headlines(read(watched(step=2, k=0, layer=0)))[0]
    assert begun == "0 of 8 added: the full batch is the target, .grad is still empty"


def test_that_after_the_last_micro_batch_only_what_is_measured_is_said() -> None:
    right, wrong = (
        read(replace(watched(step=2, layer=0, **settings), compared=None)) for settings in ({}, FAULTY)
    )
    assert (right.complete, right.judged) == (True, False)
    assert mark_of(right) == "check"
    assert headlines(right)[0].startswith("all 8 added: rounding only, difference at most ")
    # nobody has compared the gradients yet
    assert mark_of(wrong) == "dots"


def test_that_a_small_difference_is_never_written_as_none() -> None:
    facts = read(watched(step=2, k=3, layer=0))
    near = replace(facts, accumulated=facts.reference + 2e-4 * facts.largest)
    assert headlines(near)[0] == "3 of 8 added: difference up to 2.0e-4 of the largest in the full batch"


def test_that_the_difference_has_the_common_scale_until_it_is_ten_times_smaller() -> None:
    facts = read(watched(step=2, layer=0))
    assert difference_limit(facts, 1.0) == pytest.approx(10.0 ** math.ceil(math.log10(facts.apart)))
    same = replace(facts, accumulated=facts.reference)
    assert difference_limit(same, 0.5) == 0.5
    far = replace(facts, accumulated=facts.reference + 0.3)
    assert difference_limit(far, 1.0) == 1.0


def test_that_a_finer_scale_of_the_difference_is_said_in_times() -> None:
    assert magnified((0.5, 0.5)) == ""
    assert magnified((0.5, 0.05)) == "10"
    assert magnified((0.03, 3e-8)) == "1 000 000"
    assert magnified((0.03, 3e-16)) == "1e14"


@pytest.mark.parametrize("theme", THEMES.values())
def test_that_magnified_rounding_has_none_of_the_colours_of_a_gradient(theme: Theme, qtbot: QtBot) -> None:
    greys, colours = set(ramp(theme, grey=True).flat), set(ramp(theme).flat)
    assert len(greys) > 20
    assert not {int(QColor(colour).rgb()) for colour in (theme.full, theme.accumulated)} & greys
    right, wrong = watched(step=2, layer=0), watched(step=2, layer=0, **FAULTY)
    for moment, is_grey in ((right, True), (wrong, False)):
        pane = make(qtbot, moment, theme)
        facts = read(moment)
        places, layout = pane._placed(pane.content(), facts)
        box = layout.boxes[3].toRect().adjusted(1, 1, -1, -1)
        image = picture(pane).copy(box)
        seen = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
        assert (len(seen & greys) > 3) == is_grey
        assert (len(seen & (colours - greys)) > 3) != is_grey
        assert facts.rounding == is_grey
        assert places.shape == (71, 71)


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
    assert notes(facts, None, False, facts.largest)[0].startswith(
        "grey: rounding only, no real difference · "
    )
    facts = replace(facts, rounding=False)
    large = replace(facts, layer=replace(facts.layer, shape=(512, 512)))
    limit = 1.02 * facts.largest
    assert notes(large, None, False, limit)[0].startswith("the first 131 072 of 262 144 weights · ")
    assert "not all are drawn" in notes(large, None, True, limit)[0]
    assert notes(large, None, True, limit)[-1] == "the first 131 072 of 262 144 weights"
    assert notes(facts, None, False, limit) == ("a row for each output, a column for each input",)


def test_that_the_full_batch_sets_the_scale_and_what_goes_beyond_is_said(qtbot: QtBot) -> None:
    moment = watched(step=2, layer=0, **FAULTY)
    pane, facts = make(qtbot, moment), read(moment)
    assert facts.largest <= pane.limit <= 1.3 * facts.largest
    assert difference_limit(facts, pane.limit) == pane.limit
    told = notes(facts, (8, 8), False, pane.limit)
    assert told[-1] == "beyond the scale: up to 8.00 × the largest in the full batch"


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("theme", [DARK, LIGHT, PROJECTOR, DARK.scaled(1.5)])
@pytest.mark.parametrize("count", [3, 60])
def test_that_the_open_list_of_layers_is_whole_and_wholly_in_the_themes_colours(
    qtbot: QtBot, theme: Theme, count: int
) -> None:
    pane = make(qtbot, watched(step=2, layer=0), theme)
    pane.setStyleSheet(style_sheet(theme))
    pane.choice.clear()
    pane.choice.addItems([f"blocks.{index}.projection.weight   64 × 64 × 3 × 3" for index in range(count)])
    pane.show()
    pane.choice.showPopup()
    view = pane.choice.view()
    image = view.window().grab().toImage()
    edges = {image.pixelColor(image.width() // 2, y).name() for y in (0, 1, image.height() - 1)}
    inside = {image.pixelColor(x, 4).name() for x in (image.width() - 12, image.width() // 2)}
    longest = max(view.sizeHintForIndex(view.model().index(row, 0)).width() for row in range(count))
    pane.choice.hidePopup()
    assert edges <= {theme.accumulated, theme.muted, theme.ground, theme.ink}
    assert "#efefef" not in inside
    assert longest <= view.viewport().width()


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
