"""The boundary pane: contours against functions that are known, what is said, and what is drawn where."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from pytestqt.qtbot import QtBot
from watched import SIZES, painted, show, watched

from gradviz.history import Moment
from gradviz_app.theme import DARK, LIGHT, Theme
from gradviz_app.views.boundary.contour import contours
from gradviz_app.views.boundary.facts import facts_of, headlines, mark_of
from gradviz_app.views.boundary.pane import Boundary
from gradviz_app.views.boundary.plot import plot_of
from gradviz_app.views.ink import Ink

MOONS = {"task": "moons", "batch": 64}


def moons(step: int = 1, **settings: object) -> Moment:
    return watched(step=step, plane=True, **MOONS, **settings)


def make(qtbot: QtBot, moment: Moment | None = None, theme: Theme = DARK) -> Boundary:
    pane = Boundary(theme)
    qtbot.addWidget(pane)
    pane.resize(715, 375)
    if moment is not None:
        show(pane, moment)
    return pane


def grid(count: int = 41) -> tuple[np.ndarray, np.ndarray]:
    side = np.linspace(-2.0, 2.0, count)
    xs, ys = np.meshgrid(side, side)
    return xs, ys


def test_that_a_plane_has_one_straight_contour() -> None:
    xs, ys = grid()
    (line,) = contours(xs + 2 * ys + 0.3, 0.0)
    points = np.array(line) / 10 - 2
    assert points[:, 0] + 2 * points[:, 1] == pytest.approx(-0.3, abs=1e-9)
    assert {tuple(np.abs(end).max(keepdims=True).round(9)) for end in (points[0], points[-1])} == {(2.0,)}


def test_that_a_circle_is_one_closed_line_of_its_radius() -> None:
    xs, ys = grid()
    (line,) = contours(xs**2 + ys**2, 1.3**2)
    points = np.array(line) / 10 - 2
    assert line[0] == line[-1]
    assert np.hypot(points[:, 0], points[:, 1]) == pytest.approx(1.3, abs=2e-3)
    lengths = np.hypot(*np.diff(points, axis=0).T)
    assert lengths.sum() == pytest.approx(2 * math.pi * 1.3, rel=5e-3)


def test_that_two_islands_are_two_lines_and_a_flat_ground_none() -> None:
    xs, ys = grid()
    islands = np.maximum(np.exp(-((xs - 1) ** 2 + ys**2) * 4), np.exp(-((xs + 1) ** 2 + ys**2) * 4))
    assert len(contours(islands, 0.5)) == 2
    assert contours(np.zeros((5, 5)), 0.5) == []


def test_that_in_a_saddle_the_mean_decides_which_sides_belong_together() -> None:
    saddle = np.array([[1.0, 0.0], [0.0, 0.9]])
    # 0.475 in the middle: above the level the high corners are joined and the low ones cut off
    assert sides(contours(saddle, 0.4)) == {frozenset({"bottom", "right"}), frozenset({"top", "left"})}
    assert sides(contours(saddle, 0.6)) == {frozenset({"bottom", "left"}), frozenset({"top", "right"})}


def test_that_no_side_of_a_cell_is_crossed_twice_by_the_contours_of_noise() -> None:
    noise = np.random.default_rng(3).normal(size=(30, 40))
    lines = contours(noise, 0.0)
    points = [point for line in lines for point in (line[:-1] if line[0] == line[-1] else line)]
    assert len(points) == len(set(points))
    above = noise >= 0
    crossed = np.count_nonzero(above[:, 1:] != above[:, :-1]) + np.count_nonzero(above[1:] != above[:-1])
    assert len(points) == crossed


def test_that_lanes_that_agree_are_said_to_agree_everywhere() -> None:
    facts = facts_of(moons(step=3))
    assert facts is not None
    assert facts.apart == 0
    assert headlines(facts)[0] == "Both lanes divide the plane alike, at every point of the grid"
    assert list(facts.lines) == ["full", "accumulated"]


def test_that_where_lanes_part_it_is_said_on_how_much_of_the_plane() -> None:
    moment = moons(step=3)
    assert moment.plane is not None
    grids = np.zeros((2, 50, 50))
    grids[0, :, :20], grids[1, :, :25] = 1.0, 1.0
    facts = facts_of(replace(moment, plane=replace(moment.plane, full=grids[0], accumulated=grids[1])))
    assert facts is not None
    assert headlines(facts)[0] == "The lanes choose differently on 10 % of the plane"
    assert mark_of(facts) == "cross"
    nearly = grids[0].copy()
    nearly[:12, 20] = 1.0
    alike = facts_of(replace(moment, plane=replace(moment.plane, full=grids[0], accumulated=nearly)))
    assert alike is not None
    assert headlines(alike)[0] == "The lanes choose differently on 0.5 % of the plane"
    assert mark_of(alike) == "check"


def test_that_a_lane_that_chooses_one_class_everywhere_is_said_to_have_no_line() -> None:
    moment = moons(step=3)
    assert moment.plane is not None
    facts = facts_of(replace(moment, plane=replace(moment.plane, accumulated=np.full((50, 50), 0.9))))
    assert facts is not None
    assert not facts.lines["accumulated"]
    assert facts.everywhere("accumulated") == 1
    assert facts.everywhere("full") is None


def test_that_the_legend_names_the_full_batch_first_and_whose_background_it_is(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane, said = make(qtbot, moons(step=3)), []
    pane.resize(1072, 375)

    def heard(ink: Ink, x: float, y: float, words: str, *rest: object) -> float:
        said.append(words)
        return ink.width(words)

    monkeypatch.setattr(Ink, "text", heard)
    painted(pane)
    legend = ["full batch", "accumulated", "background: accumulated run"]
    assert [words for words in said if words in legend] == legend


def test_that_the_lines_are_where_the_probability_is_one_half() -> None:
    moment = moons(step=3)
    facts = facts_of(moment)
    assert facts is not None
    plane = facts.plane
    assert plane.full is not None
    rows, columns = plane.full.shape
    for line in facts.lines["full"]:
        for x, y in line:
            column = (x - plane.low[0]) / (plane.high[0] - plane.low[0]) * (columns - 1)
            row = (y - plane.low[1]) / (plane.high[1] - plane.low[1]) * (rows - 1)
            part = plane.full[
                math.floor(row + 1e-9) : math.floor(row + 1e-9) + 2,
                math.floor(column + 1e-9) : math.floor(column + 1e-9) + 2,
            ]
            assert part.min() <= 0.5 <= part.max()


def test_that_the_plane_is_drawn_at_equal_scale_with_its_y_axis_upwards() -> None:
    plot = plot_of(QRectF(50, 60, 480, 280), (-1.0, -2.0), (3.0, 1.0))
    assert plot.box.width() / 4 == pytest.approx(plot.box.height() / 3, rel=0.01)
    assert plot.at(-1.0, -2.0) == plot.box.bottomLeft()
    assert plot.inputs(plot.at(0.3, 0.4)) == pytest.approx((0.3, 0.4))


def test_that_hover_tells_the_input_and_what_both_lanes_say(qtbot: QtBot) -> None:
    pane = make(qtbot, moons(step=3))
    words = pane.hover_text(QPointF(200, 200)).splitlines()
    assert words[0].startswith("x ")
    assert words[1].startswith("full batch: class 1 with ")
    assert words[2] == words[1].replace("full batch", "accumulated")
    assert pane.hover_text(QPointF(2, 2)) == ""


def test_that_without_a_plane_it_says_why(qtbot: QtBot) -> None:
    pane = make(qtbot, watched())
    assert pane.headline() == "this task's inputs are no points in a plane"
    show(pane, watched(**MOONS))
    assert pane.headline() == "the boundary is shown from the next window on"
    show(pane, None)
    assert pane.headline().startswith("reading torch")


def test_that_it_says_at_whose_weights_it_stands(qtbot: QtBot) -> None:
    pane = make(qtbot, moons(step=3))
    assert pane.accessibleDescription().startswith("At the weights at which step 3 begins: Both lanes divide")


def test_that_a_coinciding_pair_of_lines_shows_both_colours(qtbot: QtBot) -> None:
    pane = make(qtbot, moons(step=3))
    pixels = np.frombuffer(painted(pane), dtype=np.uint32)
    for colour in (DARK.full, DARK.accumulated):
        assert np.count_nonzero(pixels == (int(colour[1:], 16) | 0xFF000000)) > 100


def test_that_points_are_painted_anew_only_for_another_place_or_theme(qtbot: QtBot) -> None:
    pane = make(qtbot, moons(step=3))
    dark = painted(pane)
    pane.set_theme(LIGHT)
    light = painted(pane)
    pane.set_theme(DARK)
    assert light != dark
    assert painted(pane) == dark


def test_that_outputs_that_are_not_finite_are_said_and_not_drawn(qtbot: QtBot) -> None:
    moment = moons(step=3)
    assert moment.plane is not None
    broken = np.full((61, 61), np.nan)
    pane = make(qtbot, replace(moment, plane=replace(moment.plane, accumulated=broken)))
    assert pane.headline() == "The outputs are not finite"
    painted(pane)


@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize(("width", "height", "scale"), SIZES)
def test_that_it_paints_every_moment_at_every_size(
    qtbot: QtBot, theme: Theme, width: int, height: int, scale: float
) -> None:
    pane = make(qtbot, theme=theme.scaled(scale))
    pane.resize(width, height)
    seen = set()
    for moment in (None, watched(**MOONS), moons(step=1), moons(step=3)):
        show(pane, moment)
        seen.add(painted(pane))
    assert len(seen) == 4


def sides(lines: list[list[tuple[float, float]]]) -> set[frozenset[str]]:
    """The sides of a single cell that each line joins."""
    return {frozenset(_side(x, y) for x, y in line) for line in lines}


def _side(x: float, y: float) -> str:
    return "left" if x == 0 else "right" if x == 1 else "bottom" if y == 0 else "top"
