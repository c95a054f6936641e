"""The code pane: which line is lit, and `/ N` as a switch."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import moments
import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gradviz.history import History, Moment
from gradviz_app.keys import Keys
from gradviz_app.theme import DARK, LIGHT, Theme
from gradviz_app.views.code import Code
from gradviz_app.views.code_lines import BACKWARD, FOR, STEP, Loop, loop_of, values_of

# training is slow, and a moment does not change
make_moment = cache(moments.make_moment)


def known_loop(moment: Moment) -> Loop:
    loop = loop_of(moment)
    assert loop is not None
    return loop


def pane_of(qtbot: QtBot, moment: Moment | None, theme: Theme = DARK) -> Code:
    pane = Code(theme)
    qtbot.addWidget(pane)
    pane.resize(300, 130)
    pane.refresh(History(), moment)
    image_of(pane)
    return pane


def image_of(pane: Code) -> QImage:
    image = QImage(pane.size(), QImage.Format.Format_RGB32)
    pane.render(image)
    return image


def switch_of(pane: Code) -> QPoint:
    """The middle of what can be clicked, found by moving the pointer over the pane."""
    found = [
        QPoint(x, y)
        for y in range(0, pane.height(), 3)
        for x in range(0, pane.width(), 3)
        if pane._hot.contains(QPoint(x, y))
    ]
    return found[len(found) // 2]


def test_that_the_loop_is_what_people_write() -> None:
    assert known_loop(make_moment(8)).lines == (
        "for x, y in window.tensor_split(N):",
        "    loss = loss_fn(model(x), y)",
        "    (loss / N).backward()",
        "opt.step(); opt.zero_grad()",
    )


def test_that_each_scaling_has_its_own_backward_line() -> None:
    unscaled = known_loop(make_moment(8, "unscaled"))
    assert unscaled.lines[BACKWARD] == "    loss.backward()"
    assert unscaled.faulty
    assert unscaled.switch == "/ N is missing"
    samples = known_loop(make_moment(3, "samples", sizes=(4, 4, 2)))
    assert samples.lines[BACKWARD] == "    (loss * b / B).backward()"
    assert not samples.faulty


@pytest.mark.parametrize(
    ("k", "line", "progress"),
    [(0, FOR, "0/8"), (1, BACKWARD, "1/8"), (7, BACKWARD, "7/8"), (8, STEP, "8/8")],
)
def test_that_the_line_at_work_is_lit(k: int, line: int, progress: str) -> None:
    loop = known_loop(make_moment(8, k=k))
    assert (loop.current, loop.progress) == (line, progress)


def test_that_a_finished_step_is_told_from_one_that_waits() -> None:
    moment = moments.make_history(2).at(-1)
    assert moment is not None
    assert known_loop(moment).progress == "stepped"


def test_that_the_window_shown_decides_and_not_what_is_set_now() -> None:
    moment = make_moment(8, "unscaled", k=3)
    config = msgspec.structs.replace(moment.run.config, scaling="mean", micro_batches=4)
    loop = known_loop(replace(moment, run=replace(moment.run, config=config)))
    assert loop.faulty
    assert loop.values == "N = 8 · b = 32 · B = 256"


def test_that_before_the_first_window_the_settings_are_shown_and_no_line_is_lit() -> None:
    moment = replace(make_moment(8), window=None, added=(), compared=None)
    loop = known_loop(moment)
    assert loop.current is None
    assert loop.values == "N = 8 · b = 32 · B = 256"
    assert loop_of(None) is None


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ((32,) * 8, "N = 8 · b = 32 · B = 256"),
        ((4, 4, 2), "N = 3 · b = 4, 4, 2 · B = 10"),
        ((13,) * 4 + (12,) * 4, "N = 8 · b = 12 to 13 · B = 100"),
    ],
)
def test_that_actual_sizes_are_given(sizes: tuple[int, ...], words: str) -> None:
    assert values_of(sizes) == words


@pytest.mark.parametrize("scaling", ["mean", "unscaled", "samples"])
def test_that_a_click_on_the_switch_toggles(qtbot: QtBot, scaling: str) -> None:
    pane = pane_of(qtbot, make_moment(8, scaling, k=3))
    with qtbot.waitSignal(pane.scaling_toggled, timeout=1000):
        qtbot.mouseClick(pane, Qt.MouseButton.LeftButton, pos=switch_of(pane))


def test_that_a_click_elsewhere_or_with_the_other_button_does_nothing(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, make_moment(8, k=3))
    with qtbot.assertNotEmitted(pane.scaling_toggled):
        qtbot.mouseClick(pane, Qt.MouseButton.LeftButton, pos=QPoint(30, 18))
        qtbot.mouseClick(pane, Qt.MouseButton.LeftButton, pos=QPoint(280, 65))
        qtbot.mouseClick(pane, Qt.MouseButton.RightButton, pos=switch_of(pane))


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_that_the_switch_has_keys(qtbot: QtBot, key: Qt.Key) -> None:
    pane = pane_of(qtbot, make_moment(8, k=3))
    with qtbot.waitSignal(pane.scaling_toggled, timeout=1000):
        qtbot.keyClick(pane, key)


def test_that_a_key_held_down_toggles_once(qtbot: QtBot) -> None:
    pane, toggled = pane_of(qtbot, make_moment(8, k=3)), []
    pane.scaling_toggled.connect(lambda: toggled.append(1))
    for repeated in (False, True, True):
        press, none = QKeyEvent.Type.KeyPress, Qt.KeyboardModifier.NoModifier
        pane.keyPressEvent(QKeyEvent(press, Qt.Key.Key_Space, none, " ", repeated))
    assert len(toggled) == 1


def test_that_other_keys_and_an_empty_pane_do_not_toggle(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, make_moment(8, k=3))
    with qtbot.assertNotEmitted(pane.scaling_toggled):
        qtbot.keyClick(pane, Qt.Key.Key_A)
        qtbot.keyClick(pane, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
        qtbot.keyClick(pane_of(qtbot, None), Qt.Key.Key_Space)


def test_that_space_belongs_to_the_window_unless_the_switch_has_the_focus(qtbot: QtBot) -> None:
    window, pane, played, toggled = QWidget(), Code(DARK), [], []
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(pane)
    pane.refresh(History(), make_moment(8, k=3))
    window.resize(320, 160)
    Keys(window, {"toggle_play": lambda: played.append(1)})
    pane.scaling_toggled.connect(lambda: toggled.append(1))
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    window.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window.setFocus()
    image_of(pane)
    qtbot.mouseClick(pane, Qt.MouseButton.LeftButton, pos=switch_of(pane))
    assert not pane.hasFocus()
    qtbot.keyClick(window, Qt.Key.Key_Space)
    assert (len(played), len(toggled)) == (1, 1)
    pane.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(pane.hasFocus)
    qtbot.keyClick(pane, Qt.Key.Key_Space)
    assert (len(played), len(toggled)) == (1, 2)


def test_that_the_hand_shows_only_over_the_switch(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, make_moment(8, k=3))
    with qtbot.waitExposed(pane):
        pane.show()
    qtbot.mouseMove(pane, switch_of(pane))
    assert pane.cursor().shape() == Qt.CursorShape.PointingHandCursor
    qtbot.mouseMove(pane, QPoint(20, 20))
    assert pane.cursor().shape() == Qt.CursorShape.ArrowCursor


def test_that_tip_and_description_say_what_can_be_done(qtbot: QtBot) -> None:
    pane = pane_of(qtbot, make_moment(8, "unscaled", k=3))
    assert pane.toolTip() == "click: / N back again (U)"
    assert pane.accessibleDescription() == (
        "loss.backward() runs unscaled: / N is missing. Adding micro-batches, 3/8. N = 8 · b = 32 · B = 256."
    )


@pytest.mark.parametrize(
    ("scaling", "tip"),
    [
        ("mean", "click / N: forget it (U)"),
        ("samples", "click * b / B: forget it (U)"),
        ("unscaled", "click: / N back again (U)"),
    ],
)
@pytest.mark.parametrize("sizes", [None, (86, 85, 85), (13,) * 4 + (12,) * 4])
def test_that_the_tip_names_what_is_there_and_never_vanishes(
    qtbot: QtBot, scaling: str, tip: str, sizes: tuple[int, ...] | None
) -> None:
    moment = make_moment(8, scaling, sizes=sizes)
    pane = pane_of(qtbot, moment)
    assert known_loop(moment).tip == tip
    assert tip in [words for row in pane._footer(272.0) for words in row]


def test_that_pieces_of_other_sizes_are_noted_where_they_are_weighted_alike() -> None:
    note = "pieces are uneven: by samples is right"
    uneven = (86, 85, 85)
    assert known_loop(make_moment(3, sizes=uneven)).note == note
    assert known_loop(make_moment(3, sizes=uneven)).spoken.endswith("Pieces are uneven: by samples is right.")
    assert known_loop(make_moment(3, "samples", sizes=uneven)).note == ""
    assert known_loop(make_moment(8)).note == ""


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize(("width", "height", "scale"), [(280, 90, 1.0), (450, 190, 1.45), (560, 300, 1.45)])
def test_that_the_switch_lies_in_the_pane_at_every_size(
    qtbot: QtBot, theme: Theme, width: int, height: int, scale: float
) -> None:
    pane = Code(theme.scaled(scale))
    qtbot.addWidget(pane)
    pane.resize(width, height)
    for moment in (make_moment(8, k=3), make_moment(256, "unscaled", k=255)):
        pane.refresh(History(), moment)
        image_of(pane)
        assert pane.rect().toRectF().contains(pane._hot)
        assert pane._hot.width() > theme.px(20)


def test_that_the_same_moment_is_painted_alike_bit_for_bit(qtbot: QtBot) -> None:
    moment = make_moment(8, "unscaled", k=3)
    assert image_of(pane_of(qtbot, moment)) == image_of(pane_of(qtbot, moment))
    assert image_of(pane_of(qtbot, moment)) != image_of(pane_of(qtbot, make_moment(8, k=3)))


def test_that_a_batch_that_is_taken_whole_has_the_plain_loop_and_no_switch(qtbot: QtBot) -> None:
    moment = make_moment(8)
    config = msgspec.structs.replace(moment.run.config, lanes="full")
    moment = replace(moment, window=None, added=(), run=replace(moment.run, config=config))
    loop = known_loop(moment)
    assert loop.lines == ("loss = loss_fn(model(x), y)", "loss.backward()", "opt.step(); opt.zero_grad()")
    assert (loop.values, loop.tip, loop.note) == ("B = 256", "", "")
    assert "N" not in loop.spoken
    pane = pane_of(qtbot, moment)
    assert pane._hot.isEmpty()
    assert pane.focusPolicy() == Qt.FocusPolicy.NoFocus
    with qtbot.assertNotEmitted(pane.scaling_toggled):
        qtbot.keyClick(pane, Qt.Key.Key_Space)
    pane.refresh(History(), make_moment(8))
    assert pane.focusPolicy() == Qt.FocusPolicy.TabFocus


def test_that_one_piece_unscaled_is_no_fault_and_the_words_say_that_it_is_right(qtbot: QtBot) -> None:
    moment = make_moment(1, "unscaled")
    loop = known_loop(moment)
    assert loop.missing
    assert not loop.faulty
    assert loop.note == "one piece: × 1 is right at N = 1"
    image = image_of(pane_of(qtbot, moment))
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert not seen & {DARK.fault, DARK.fault_tint}


@pytest.mark.parametrize(
    ("width", "height", "scale"),
    [
        (306, 142, 1.0),
        (300, 130, 1.0),
        (280, 110, 1.0),
        (450, 190, 1.45),
        (560, 300, 2.0),
        (1260, 640, 3.0),
        (200, 140, 1.0),
        (300, 210, 1.5),
        (525, 350, 2.5),
    ],
)
@pytest.mark.parametrize("scaling", ["mean", "unscaled"])
def test_that_the_count_of_micro_batches_stands_at_the_lit_line_at_every_size(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, width: int, height: int, scale: float, scaling: str
) -> None:
    pane, written = Code(DARK.scaled(scale)), []
    qtbot.addWidget(pane)
    pane.resize(width, height)
    text = pane.text
    monkeypatch.setattr(pane, "text", lambda *args, **kw: (written.append(args[3]), text(*args, **kw)))
    for k in (0, 1, 127, 128):
        pane.refresh(History(), make_moment(128, scaling, k=k))
        written.clear()
        image_of(pane)
        assert f"{k}/128" in written
