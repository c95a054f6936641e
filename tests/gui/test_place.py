"""Where in its window a run stops when somebody steps while it plays, or just after."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot
from windows import until

from gradviz.config import RunConfig
from gradviz_app.pace import FLAT_OUT
from gradviz_app.place import Place
from gradviz_app.session import Session

CONFIG = RunConfig.of({"width": 4, "batch": 16, "micro_batches": 4})


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    session = Session(CONFIG)
    session.start(CONFIG)
    qtbot.waitUntil(lambda: session.drain() and session.history.at(-1) is not None, timeout=20_000)
    yield session
    session.stop()


def stands(session: Session) -> bool:
    """Nothing more happens, and all that has happened was heard of."""
    session.drain()
    return session._place.settled and session.ahead == 0


def place(session: Session) -> tuple[int, int]:
    moment = session.history.at(-1)
    assert moment is not None
    assert moment.window is not None
    return moment.window.step, len(moment.added)


def halfway(session: Session, qtbot: QtBot) -> None:
    """The run is held within a window, of which the session has not heard."""
    before = session.history.steps
    session.set_speed(FLAT_OUT)
    session.play()
    until(qtbot, lambda: session.drain() and session.history.steps > before)
    session.pause()
    until(qtbot, lambda: stands(session))
    session.set_speed(1.0)
    session.play()
    session.grant(2)


def pause_and_step(session: Session) -> None:
    session.pause()
    session.one_step()


@pytest.mark.parametrize("pause", [Session.one_step, pause_and_step])
def test_that_a_step_asked_for_while_the_run_plays_ends_a_window(
    session: Session, qtbot: QtBot, pause: Callable[[Session], object]
) -> None:
    for _ in range(30):
        halfway(session, qtbot)
        pause(session)
        until(qtbot, lambda: stands(session))
        assert place(session)[1] == 4


def test_that_steps_asked_for_while_the_run_plays_are_all_taken(session: Session, qtbot: QtBot) -> None:
    session.one_step()
    until(qtbot, lambda: session.drain() and session.ahead == 0)
    session.play()
    for _ in range(3):
        session.one_step()
    until(qtbot, lambda: stands(session))
    assert place(session) == (4, 4)


@pytest.mark.parametrize("change", [Session.play, Session.pause, Session.restart])
def test_that_a_step_that_was_not_begun_is_given_up_with_what_comes_next(
    session: Session, change: Callable[[Session], object]
) -> None:
    session.play()
    session.one_step()
    assert session._place.steps_asked == 1
    change(session)
    assert session._place.steps_asked == 0


def test_that_a_place_counts_to_the_end_of_the_window_or_of_the_next() -> None:
    held = Place(CONFIG)
    assert held.to_the_end(8) == 4
    held.ahead = 3
    assert held.to_the_end(8) == 1
    held.ahead = 4
    assert held.to_the_end(8) == 8


def test_that_an_unsettled_place_counts_nothing_twice() -> None:
    place = Place(CONFIG)
    place.ahead = 2
    place.hold()
    assert (place.ahead, place.settled) == (0, False)
    place.steps_asked = 2
    assert place.settle() == 2
    assert place.settle() == 0


@pytest.mark.parametrize("wait_ms", [0, 1, 5])
def test_that_a_step_asked_for_right_after_another_n_ends_the_window(
    session: Session, qtbot: QtBot, wait_ms: int
) -> None:
    session.grant(2)
    until(qtbot, lambda: session.drain() and place(session) == (1, 2))
    session.change(micro_batches=8)
    qtbot.wait(wait_ms)
    session.one_step()
    until(qtbot, lambda: stands(session))
    assert place(session) == (1, 8)
