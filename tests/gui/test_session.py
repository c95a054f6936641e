"""Starting, stopping, stepping and changing a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from fake_run import fake_run
from pytestqt.qtbot import QtBot

from gradviz.config import ConfigError, RunConfig
from gradviz.control import Control
from gradviz.events import Event, RunFailed
from gradviz_app.pace import FLAT_OUT
from gradviz_app.playback import Playback
from gradviz_app.session import Session
from gradviz_app.worker import train

CONFIG = RunConfig.of({"batch": 8, "micro_batches": 4})


@pytest.fixture(params=[fake_run, train], ids=["fake", "real"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    session = Session(CONFIG, request.param)
    yield session
    session.stop()


@pytest.fixture
def held(session: Session, qtbot: QtBot) -> Session:
    """A run that waits for its first micro-batch."""
    session.start(CONFIG)
    until(qtbot, session, lambda: place(session) == (1, 0))
    return session


def until(qtbot: QtBot, session: Session, condition: Callable[[], bool]) -> None:
    qtbot.waitUntil(lambda: (session.drain() or True) and condition(), timeout=10_000)


def place(session: Session) -> tuple[int, int] | None:
    """(step, micro-batches added) of the newest moment."""
    moment = session.history.at(-1)
    return (moment.window.step, len(moment.added)) if moment and moment.window else None


def test_that_one_micro_batch_is_taken_at_a_time(held: Session, qtbot: QtBot) -> None:
    for added in (1, 2, 3, 4):
        held.one_micro_batch()
        until(qtbot, held, lambda added=added: place(held) == (1, added))


def test_that_stepping_waits_once_more_before_the_optimizer_steps(held: Session, qtbot: QtBot) -> None:
    held.one_step()
    until(qtbot, held, lambda: place(held) == (1, 4))
    assert held.history.steps == 0
    held.one_micro_batch()
    until(qtbot, held, lambda: place(held) == (2, 1))
    assert held.history.steps == 1


@pytest.mark.parametrize("begun", [0, 1, 3, 4])
def test_that_one_step_ends_at_the_end_of_a_window(held: Session, qtbot: QtBot, begun: int) -> None:
    for _ in range(begun):
        held.one_micro_batch()
    until(qtbot, held, lambda: place(held) == (1, begun))
    held.one_step()
    until(qtbot, held, lambda: place(held) == ((2, 4) if begun == 4 else (1, 4)))


def test_that_steps_asked_for_faster_than_they_are_taken_still_end_windows(
    held: Session, qtbot: QtBot
) -> None:
    held.grant(3)
    held.one_step()
    held.grant(2)
    held.one_step()
    until(qtbot, held, lambda: place(held) == (2, 4))


def test_that_playing_flat_out_goes_on_until_it_is_held(held: Session, qtbot: QtBot) -> None:
    held.set_speed(FLAT_OUT)
    held.play()
    until(qtbot, held, lambda: held.history.steps > 20)
    held.pause()
    assert not held.playing
    drained: list[bool] = []
    qtbot.waitUntil(lambda: drained.append(held.drain()) or drained[-5:] == [False] * 5)


@pytest.mark.parametrize("changes", [{"scaling": "unscaled"}, {"micro_batches": 2}, {"lr": 0.1}])
def test_that_a_change_while_held_takes_the_window_again(
    held: Session, qtbot: QtBot, changes: dict[str, object]
) -> None:
    said: list[str] = []
    held.said.connect(said.append)
    held.one_step()
    until(qtbot, held, lambda: place(held) == (1, 4))
    held.change(**changes)
    expected = changes.get("micro_batches", 4)
    until(qtbot, held, lambda: bool(_window(held).retaken) and place(held) == (1, expected))
    assert said[-1].startswith("step 1 taken again with")
    assert _window(held).scaling == held.config.scaling
    assert _window(held).lr == held.config.lr


def test_that_a_change_while_running_fast_waits_for_the_next_window(held: Session) -> None:
    said: list[str] = []
    held.said.connect(said.append)
    held.set_speed(64)
    held.play()
    held.change(scaling="unscaled")
    assert said == ["× 1 from the next window on"]


def test_that_a_change_while_running_slowly_takes_the_window_again(held: Session) -> None:
    said: list[str] = []
    held.said.connect(said.append)
    held.set_speed(2)
    held.play()
    held.change(scaling="unscaled")
    assert said == ["step 1 taken again with × 1"]


@pytest.mark.parametrize(
    "changes", [{"seed": 3}, {"batch": 16}, {"optimizer": "adam"}, {"precision": "float64"}]
)
def test_that_other_settings_start_a_new_run(held: Session, qtbot: QtBot, changes: dict[str, object]) -> None:
    said: list[str] = []
    held.said.connect(said.append)
    with qtbot.waitSignals([held.changed]):
        held.change(**changes)
    until(qtbot, held, lambda: held.history.run is not None and _matches(held, changes))
    assert said[0].startswith("new run")


def test_that_toggling_the_scaling_twice_comes_back(held: Session) -> None:
    held.toggle_scaling()
    assert held.config.scaling == "unscaled"
    held.toggle_scaling()
    assert held.config.scaling == "mean"


def test_that_a_wrong_setting_changes_nothing(held: Session) -> None:
    with pytest.raises(ConfigError, match="micro-batches N"):
        held.change(micro_batches=9)
    assert held.config == CONFIG
    assert held.running


def test_that_the_old_picture_stays_until_the_new_run_has_begun(held: Session, qtbot: QtBot) -> None:
    before = held.history
    held.restart()
    assert held.history is before
    until(qtbot, held, lambda: held.history is not before)
    assert held.history.run is not None


def test_that_a_hundred_restarts_leave_one_run(held: Session, qtbot: QtBot) -> None:
    for seed in range(100):
        held.change(seed=seed + 1)
    until(qtbot, held, lambda: held.history.run is not None and held.history.run.config.seed == 100)


def test_that_a_failed_run_is_told_and_can_be_started_again(qtbot: QtBot) -> None:
    fails = [True, False]

    def source(config: RunConfig, control: Control) -> Iterator[Event]:
        if fails.pop(0):
            yield RunFailed(0, "it did not work")
        else:
            yield from fake_run(config, control)

    session = Session(CONFIG, source)
    session.start(CONFIG)
    until(qtbot, session, lambda: session.failure is not None)
    assert not session.running
    session.restart()
    until(qtbot, session, lambda: place(session) == (1, 0))
    assert session.failure is None
    session.stop()


def test_that_stepping_an_ended_run_is_answered(qtbot: QtBot) -> None:
    session = Session(CONFIG, fake_run)
    said: list[str] = []
    session.said.connect(said.append)
    session.one_micro_batch()
    assert said == ["the run has ended: R starts it again"]


def test_that_looking_back_holds_the_run_and_end_goes_live(held: Session, qtbot: QtBot) -> None:
    playback = Playback(held)
    held.one_step()
    until(qtbot, held, lambda: place(held) == (1, 4))
    held.play()
    playback.back()
    assert not held.playing
    moment = playback.moment()
    assert moment is not None
    assert len(moment.added) == 3
    playback.forward()
    assert playback.live
    playback.forward()
    until(qtbot, held, lambda: place(held) == (2, 1))


def test_that_looking_back_ends_where_it_began(held: Session, qtbot: QtBot) -> None:
    playback = Playback(held)
    held.one_micro_batch()
    until(qtbot, held, lambda: place(held) == (1, 1))
    for _ in range(5):
        playback.back()
    moment = playback.moment()
    assert moment is not None
    assert moment.added == ()
    assert not playback.live


def test_that_a_step_forward_in_the_past_ends_at_the_end_of_a_window(held: Session, qtbot: QtBot) -> None:
    playback = Playback(held)
    held.grant(10)
    until(qtbot, held, lambda: place(held) == (3, 2))
    playback.go_to(1)
    playback.forward_a_step()
    moment = playback.moment()
    assert moment is not None
    assert moment.window is not None
    assert (moment.window.step, len(moment.added)) == (1, 4)


def test_that_playing_again_goes_live(held: Session, qtbot: QtBot) -> None:
    playback = Playback(held)
    held.one_step()
    until(qtbot, held, lambda: place(held) == (1, 4))
    playback.go_to(1)
    held.play()
    assert playback.live


def _window(session: Session):
    moment = session.history.at(-1)
    assert moment is not None
    assert moment.window is not None
    return moment.window


def _matches(session: Session, changes: dict[str, object]) -> bool:
    assert session.history.run is not None
    return all(getattr(session.history.run.config, name) == value for name, value in changes.items())


def test_that_a_change_made_while_looking_back_is_seen_live(held: Session, qtbot: QtBot) -> None:
    playback, said = Playback(held), []
    playback.said.connect(said.append)
    held.one_step()
    until(qtbot, held, lambda: place(held) == (1, 4))
    for change in ({"scaling": "unscaled"}, {"micro_batches": 2}, {"lr": 0.1}, {"twin": True}):
        playback.back()
        assert not playback.live
        held.change(**change)
        assert playback.live
        assert said[-1].startswith("live again: ")
    held.change(lr=0.2)
    assert said[-1] == "step 1 taken again with learning rate 0.2"
    playback.back()
    held.resync()
    assert playback.live


def failing_source(config: RunConfig, control: Control) -> Iterator[Event]:
    """Fails before it begins where another device is asked for."""
    if config.device != "auto":
        yield RunFailed(0, f"there is no {config.device}")
    else:
        yield from fake_run(config, control)


def test_that_a_run_that_fails_before_it_begins_leaves_the_one_before(qtbot: QtBot) -> None:
    session = Session(CONFIG, failing_source)
    said: list[str] = []
    session.said.connect(said.append)
    session.start(CONFIG)
    until(qtbot, session, lambda: place(session) == (1, 0))
    session.change(lr=0.25)
    before = session.config
    shown = session.history
    for device in ("cuda", "cuda:1"):
        session.change(device=device)
        until(qtbot, session, lambda: session.failure is not None)
        assert (session.config, session.history) == (before, shown)
        assert session.history.ended is None
        assert session.fell_back
    session.restart()
    until(qtbot, session, lambda: session.history is not shown and place(session) == (1, 0))
    assert said[-1] == "new run, same settings"
    assert not session.fell_back
    session.stop()


def test_that_a_first_run_that_fails_can_go_back_to_the_default(qtbot: QtBot) -> None:
    config = CONFIG.changed(device="cuda")
    session = Session(config, failing_source)
    said: list[str] = []
    session.said.connect(said.append)
    session.start(config)
    until(qtbot, session, lambda: session.failure is not None)
    assert session.config == config
    assert not session.fell_back
    assert session.history.ended is session.failure
    session.start_default()
    assert said == ["new run: default settings"]
    until(qtbot, session, lambda: place(session) == (1, 0))
    session.stop()


def test_that_a_new_run_names_its_settings_as_the_form_does(held: Session) -> None:
    said: list[str] = []
    held.said.connect(said.append)
    held.change(batch=10)
    assert said == ["new run: Batch B 10"]


def test_that_a_step_of_the_full_batch_lane_alone_costs_one_credit(qtbot: QtBot) -> None:
    session = Session(CONFIG.changed(lanes="full"))
    said: list[str] = []
    session.said.connect(said.append)
    session.start(session.config)
    for step in (1, 2, 3):
        session.one_step()
        until(qtbot, session, lambda step=step: session.history.steps == step)
        assert session.ahead == 0
    session.one_micro_batch()
    until(qtbot, session, lambda: session.history.steps == 4)
    session.toggle_scaling()
    assert session.config.scaling == "mean"
    assert said == ["the full-batch lane alone takes no micro-batches"]
    session.stop()


def test_that_a_step_costs_one_credit_once_the_accumulated_lane_has_diverged(qtbot: QtBot) -> None:
    settings = {"batch": 64, "micro_batches": 64, "scaling": "unscaled", "lr": 20, "activation": "relu"}
    session = Session(RunConfig.of(settings))
    session.start(session.config)
    session.set_speed(FLAT_OUT)
    session.play()
    until(qtbot, session, lambda: _state(session) == "diverged")
    session.pause()
    steps = _settled_steps(session, qtbot)
    session.one_step()
    until(qtbot, session, lambda: session.history.steps > steps)
    assert _settled_steps(session, qtbot) == steps + 1
    session.stop()


def _state(session: Session) -> str | None:
    finished = session.history.finished
    return finished.state_accumulated if finished else None


def _settled_steps(session: Session, qtbot: QtBot) -> int:
    drained: list[bool] = []
    qtbot.waitUntil(lambda: drained.append(session.drain()) or drained[-5:] == [False] * 5)
    return session.history.steps
