"""What the stack says, in which unit, and where its words stand."""

from __future__ import annotations

import itertools
from dataclasses import replace
from itertools import pairwise

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from pytestqt.qtbot import QtBot

from gradviz.events import RunFailed, StepFinished
from gradviz.history import History
from gradviz_app.theme import DARK
from gradviz_app.views.ink import Ink
from gradviz_app.views.stack.arrow_words import beside, captions
from gradviz_app.views.stack.arrows import above_line
from gradviz_app.views.stack.axis import labelled, name_place
from gradviz_app.views.stack.bars import bar_boxes
from gradviz_app.views.stack.course import SHRINK_AFTER, Course
from gradviz_app.views.stack.facts import mark_of
from gradviz_app.views.stack.labels import back_marks, numbered, share_labels
from gradviz_app.views.stack.motion import Shown
from gradviz_app.views.stack.scale import natural, ratio, written
from gradviz_app.views.stack.weights import strip_axis, summary_of
from gradviz_app.views.verdict_words import capitalised, judge

from .stacks import (
    UNEVEN,
    a_layout,
    facts,
    make_history,
    make_moment,
    make_stack,
    noisy,
    picture,
    show,
    with_window,
    without_reference,
)


@pytest.mark.parametrize(
    ("moment", "words", "mark"),
    [
        (lambda: make_moment(k=0), "0 of 8 added: the target stands, .grad is empty", "dots"),
        (lambda: make_moment(), "all 8 added: lands on the full-batch gradient", "check"),
        (lambda: make_moment(n=1), "1 of 1 added: lands on the full-batch gradient", "check"),
        (
            lambda: make_moment(scaling="unscaled"),
            "all 8 added: 8.000 × too large, same direction",
            "cross",
        ),
        (lambda: without_reference(make_moment()), "all 8 added: no gradient to compare with", None),
    ],
)
def test_that_the_headline_says_what_was_reached(qtbot, moment, words, mark) -> None:  # type: ignore[no-untyped-def]
    stack = make_stack(qtbot)
    show(stack, moment())
    assert stack.headline() == words
    assert mark_of(facts(moment())) == mark


def test_that_the_headline_counts_up_in_percent_and_from_twice_the_target_on_in_times(qtbot: QtBot) -> None:
    stack = make_stack(qtbot)
    show(stack, make_moment(k=4))
    total = make_moment(k=4).added[-1].total or 0.0
    assert stack.headline() == f"4 of 8 added: {total * 100:.0f} % of the full-batch gradient"
    show(stack, make_moment(k=4, scaling="unscaled"))
    total = make_moment(k=4, scaling="unscaled").added[-1].total or 0.0
    assert stack.headline() == f"4 of 8 added: {total:.2f} × the full-batch gradient"


def test_that_the_headline_of_an_unequal_window_is_what_the_verdict_says(qtbot: QtBot) -> None:
    stack, moment = make_stack(qtbot), make_moment(sizes=UNEVEN)
    show(stack, moment)
    assert moment.compared is not None
    for given in (moment, make_moment(n=3), make_moment(n=3, step=3), make_moment(n=4, scaling="unscaled")):
        show(stack, given)
        assert given.compared is not None
        count, verdict = len(given.added), given.compared.comparison.verdict
        assert stack.headline() == f"all {count} added: {verdict}"
        assert capitalised(verdict) == judge(History(), given).headline


def test_that_the_full_batch_alone_and_a_run_that_failed_at_once_are_not_waited_for(qtbot: QtBot) -> None:
    stack, moment = make_stack(qtbot), replace(make_moment(), window=None, added=(), compared=None)
    config = msgspec.structs.replace(moment.run.config, lanes="full")
    show(stack, replace(moment, run=replace(moment.run, config=config)))
    assert stack.headline() == "only the full batch is trained here: there are no pieces to stack"
    failed = History()
    failed.append(RunFailed(step=1, sentence="no memory"))
    for given in (None, moment):
        stack.refresh(failed, given)
        assert stack.headline() == stack.accessibleDescription() == "the run did not start"
        picture(stack)


def test_that_a_lane_that_diverged_is_said_to_step_no_more(qtbot: QtBot) -> None:
    stack, moment, history = make_stack(qtbot), make_moment(), make_history(3)
    lost = StepFinished(4, 2.0, None, None, 8, "unscaled", 9.0, "training", "diverged", None, None, None)
    history.append(lost)
    stack.refresh(history, replace(moment, steps=4, states={"full": "training", "accumulated": "diverged"}))
    assert stack.headline() == "diverged at step 4: it steps no more"
    stack.refresh(history, moment)
    assert stack.headline() == "all 8 added: lands on the full-batch gradient"


def test_that_one_picture_is_written_in_one_unit(qtbot: QtBot) -> None:
    stack = make_stack(qtbot)
    show(stack, make_moment(k=1, scaling="unscaled"))
    total = make_moment(k=1, scaling="unscaled").added[-1].total or 0.0
    assert total < 2
    assert stack.headline() == f"1 of 8 added: {total:.2f} × the full-batch gradient"
    found, axis = facts(make_moment(sizes=(4, 4, 2), lr=0.1, step=3)), strip_axis(1.0)
    in_percent = summary_of(found, False, axis)
    assert all("%" in words and "×" not in words for words in in_percent)
    assert all("×" in words and "%" not in words for words in summary_of(found, True, axis))


def test_that_a_weight_far_off_the_strip_is_told_with_a_short_number() -> None:
    found = replace(facts(make_moment(k=4)), ratios=np.array([0.5, 110.2]))
    assert summary_of(found, False, strip_axis(1.0)) == ("up to 110 ×",)
    assert summary_of(replace(found, ratios=np.array([0.5, 1.1])), False, strip_axis(1.0)) == ()


def test_that_cut_bars_end_in_an_arrow_head(qtbot: QtBot) -> None:
    stack, moment = make_stack(qtbot), make_moment(k=4)
    high = replace(moment.added[-1], values=moment.added[-1].values * 40)
    show(stack, replace(moment, added=(*moment.added[:-1], high)))
    strip = picture(stack).copy(0, 350, 740, 50)
    show(stack, moment)
    assert picture(stack).copy(0, 350, 740, 50) != strip


@pytest.mark.parametrize("scaling", ["mean", "unscaled"])
def test_that_the_name_of_the_line_stands_on_no_bar_number_or_outline(qtbot: QtBot, scaling: str) -> None:
    ink, free_places = Ink(DARK), 0
    for n, step, k in itertools.product((1, 2, 8, 16), (1, 3), (0, 1, 2, 8)):
        if k > n:
            continue
        found = facts(make_moment(n=n, scaling=scaling, step=step, k=k))
        axis = natural(min(0.0, found.levels.min()), max(1.0, found.expected))
        layout = a_layout()
        shown = Shown(found.levels, found.points, found.ratios, axis, strip_axis(found.expected))
        bars = bar_boxes(found.levels, axis, layout, n)
        written_at = [label.box for label in share_labels(ink, layout, shown, found, bars)]
        written_at += [mark.box for mark in back_marks(ink, layout, shown, found, bars)]
        place = name_place(ink, layout, shown, found, written_at)
        assert place is not None
        x, baseline, words, free = place
        box = QRectF(x, baseline - 11, ink.width(words, "title", 0.93), 12)
        assert box.right() < layout.column.left()
        assert not free or not any(box.intersects(other) for other in [*bars, *written_at])
        free_places += free
    assert free_places >= 20


@pytest.mark.parametrize("count", [100, 256])
def test_that_the_name_stands_at_the_left_of_a_staircase_that_ends_above_the_line(
    qtbot: QtBot, count: int
) -> None:
    ink, layout, found = Ink(DARK), a_layout(), facts(make_moment(n=count))
    levels = np.linspace(0.0, 1.25, count + 1)
    shown = Shown(levels, found.points, found.ratios, natural(0.0, 1.25), strip_axis(1.25))
    place = name_place(ink, layout, shown, replace(found, levels=levels), [])
    assert place is not None
    x, baseline, words, free = place
    assert free
    reached = (x + ink.width(words, "title", 0.93) - layout.slots.left()) / layout.slots.width()
    assert shown.axis.y(1.25 * reached, layout.plot) > baseline
    assert x < layout.slots.center().x()


def test_that_the_name_moves_below_bars_that_all_lie_at_the_line(qtbot: QtBot) -> None:
    ink, layout, found = Ink(DARK), a_layout(), facts(make_moment())
    levels = np.array([0.0, 0.97, 0.99, 0.99, 0.98, 0.99, 0.98, 0.98, 1.0])
    shown = Shown(levels, found.points, found.ratios, natural(0.0, 1.0), strip_axis(1.0))
    bars = bar_boxes(levels, shown.axis, layout, 8)
    written_at = [label.box for label in share_labels(ink, layout, shown, found, bars)]
    place = name_place(ink, layout, shown, replace(found, levels=levels), written_at)
    assert place is not None
    _, baseline, words, free = place
    assert free
    assert words == "full batch = 100 %"
    assert baseline > shown.axis.y(0.97, layout.plot)


def test_that_zero_and_the_full_batch_are_always_on_the_axis_and_no_numbers_meet() -> None:
    plot = a_layout().plot
    for top in (1.0, 2.0, 8.0, 16.0, 32.0, 64.0):
        axis = natural(0.0, top)
        one, zero = round(axis.y(1.0, plot)), round(axis.y(0.0, plot))
        ticks = [(value, round(axis.y(value, plot))) for value in axis.ticks()]
        found = dict(labelled(ticks, one, zero, 10.0))
        assert 0.0 in found
        heights = sorted([*found.values(), float(one)])
        assert all(b - a >= 10.0 for a, b in pairwise(heights))
    sixteen = natural(0.0, 16.0)
    ticks = [(value, round(sixteen.y(value, plot))) for value in sixteen.ticks()]
    assert 2.0 in dict(labelled(ticks, round(sixteen.y(1.0, plot)), round(sixteen.y(0.0, plot)), 10.0))


def test_that_an_arrow_is_hatched_in_colour_exactly_where_its_bar_is() -> None:
    assert above_line(facts(make_moment()).levels, 9, facts(make_moment())) == [False] * 8
    unscaled = facts(make_moment(scaling="unscaled"))
    expected = [bool(level > 1.0) for level in unscaled.levels[1:]]
    assert above_line(unscaled.levels, 9, unscaled) == expected
    assert expected[-1]


def test_that_numbers_of_arrows_stay_beside_them_and_apart(qtbot: QtBot) -> None:
    ink = Ink(DARK)
    panel = QRectF(0.0, 0.0, 178.0, 165.0)
    for n, step in itertools.product((2, 8, 16), (1, 3)):
        points = facts(make_moment(n=n, step=step)).points
        ends = [QPointF(89.0 + x * 140, 160.0 - y * 140) for x, y in points.tolist()]
        boxes: list[QRectF] = []
        for number in numbered(n, 12 / (2 * 140 / n)):
            box = beside(ink, ends, number, panel, 14.0, boxes)
            if box is not None:
                boxes.append(box)
                middle = (ends[number - 1].x() + ends[number].x()) / 2
                assert abs(box.center().x() - middle) < 60
        assert len(boxes) >= 0.7 * len(numbered(n, 12 / (2 * 140 / n)))
        assert not any(a.intersects(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_that_room_below_zero_is_there_before_any_piece_points_back() -> None:
    assert natural(0.0, 1.0) == natural(-0.02, 1.0)
    assert natural(0.0, 8.0) == natural(-0.1, 8.0)


def test_that_an_axis_shrinks_only_after_several_windows() -> None:
    course, moment = Course(), make_moment()
    course.take(noisy(moment))
    tall = course.shown
    assert tall is not None
    for step in range(1, SHRINK_AFTER + 3):
        course.take(with_window(moment, step=step))
        assert course.shown is not None
        assert (course.shown.axis == tall.axis) == (step <= SHRINK_AFTER)


def test_that_a_share_of_about_zero_is_not_called_backwards(qtbot: QtBot) -> None:
    assert written(-0.001, True, signed=True) == "0.00"
    stack, moment = make_stack(qtbot), make_moment()
    pictures = []
    for share in (-0.004, -0.006):
        added = (replace(moment.added[0], share=share, total=share), *moment.added[1:])
        show(stack, replace(moment, added=added))
        pictures.append(picture(stack))
    grey = [
        sum(image.pixelColor(x, y).name() == DARK.muted for x in range(60, 120) for y in range(260, 300))
        for image in pictures
    ]
    assert grey[0] < grey[1]


def test_that_before_the_first_window_the_stack_waits_in_words(qtbot: QtBot) -> None:
    stack = make_stack(qtbot)
    show(stack, None)
    waiting = picture(stack)
    assert stack.headline() == stack.accessibleDescription() == "reading torch, building the model …"
    show(stack, replace(make_moment(), window=None, added=(), compared=None))
    assert picture(stack) == waiting


def test_that_the_accessible_description_changes_with_the_moment(qtbot: QtBot) -> None:
    stack = make_stack(qtbot)
    show(stack, make_moment(k=0))
    before = stack.accessibleDescription()
    show(stack, make_moment())
    assert before != stack.accessibleDescription() == f"Step 1. {stack.headline()}."


def test_that_numbers_are_written_as_people_write_them() -> None:
    assert [written(v, False, signed=True) for v in (0.161, -0.07, 0.004, -0.0001)] == [
        "+16 %",
        "−7 %",
        "+0.4 %",
        "0 %",
    ]
    assert [written(v, True) for v in (1.0, -2.5, 64.0)] == ["1.00 ×", "−2.50 ×", "64.0 ×"]
    assert [ratio(v) for v in (8.0, 256.0, 1.00003)] == ["8.000 ×", "256.0 ×", "1.000030 ×"]


def test_that_the_hatch_of_the_fault_is_for_what_ends_above_or_is_known_to() -> None:
    assert not facts(make_moment(k=4)).fault_above
    assert not facts(make_moment(n=3)).fault_above
    ends = [facts(make_moment(sizes=UNEVEN, step=step)) for step in (1, 2, 3)]
    assert [found.fault_above for found in ends] == [found.levels[-1] > 1.001 for found in ends]
    assert facts(make_moment(sizes=(4, 4, 2), lr=0.1, step=3)).fault_above
    assert not facts(make_moment(n=1, scaling="unscaled")).fault_above
    assert facts(make_moment(k=2, scaling="unscaled")).fault_above


def test_that_the_plane_is_captioned_in_one_wording() -> None:
    for given in (make_moment(), make_moment(sizes=UNEVEN), make_moment(scaling="unscaled")):
        assert captions(facts(given), False)[-1][0].endswith(" % of length in this plane")
