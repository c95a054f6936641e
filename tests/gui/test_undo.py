"""Settings put back and changed again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fake_run import fake_run
from pytestqt.qtbot import QtBot
from windows import CONFIG, until

from gradviz import tasks
from gradviz.config import ConfigError, RunConfig
from gradviz.control import Control
from gradviz.events import Event, RunFailed, RunStarted
from gradviz_app.session import Session
from gradviz_app.undo import TOGETHER_S, Undo


class Hand:
    """A pointer's button and a clock that a test holds."""

    def __init__(self) -> None:
        self.held, self.now_s = False, 0.0


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    """A session whose run goes on, held before its first micro-batch."""
    session = Session(CONFIG, fake_run)
    session.start(CONFIG)
    yield session
    session.stop()


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def undo(session: Session, hand: Hand) -> Undo:
    return Undo(session, lambda: hand.held, lambda: hand.now_s)


@pytest.fixture
def said(session: Session) -> list[str]:
    sentences: list[str] = []
    session.said.connect(sentences.append)
    return sentences


def test_that_a_live_setting_is_put_back_and_changed_again(
    session: Session, undo: Undo, said: list[str]
) -> None:
    session.change(micro_batches=16)
    history = session.history
    undo.undo()
    assert (session.config, said[-1]) == (CONFIG, "N = 4 again")
    undo.redo()
    assert (session.config.micro_batches, said[-1]) == (16, "N = 16 again")
    # that was one run all the time
    assert session.history is history


def test_that_a_setting_that_starts_a_new_run_is_put_back_by_a_new_run(
    session: Session, undo: Undo, said: list[str]
) -> None:
    session.change(optimizer="adam")
    undo.undo()
    assert (session.config, said[-1]) == (CONFIG, "new run: Optimizer sgd, learning rate 0.5 again")


def test_that_all_changes_are_undone_one_by_one_and_all_are_done_again(session: Session, undo: Undo) -> None:
    configs = [session.config]
    for change in ({"lr": 0.1}, {"scaling": "unscaled"}, {"batch": 64}, {"seed": 3}):
        session.change(**change)
        configs.append(session.config)
    for config in reversed(configs[:-1]):
        undo.undo()
        assert session.config == config
    assert not undo.can_undo
    for config in configs[1:]:
        undo.redo()
        assert session.config == config
    assert not undo.can_redo


def test_that_undoing_is_no_change_that_could_be_undone(session: Session, undo: Undo) -> None:
    session.change(lr=0.1)
    session.change(lr=0.2)
    for _ in range(2):
        undo.undo()
        undo.redo()
    undo.undo()
    undo.undo()
    assert session.config == CONFIG
    assert not undo.can_undo


def test_that_a_change_after_an_undo_forgets_what_was_undone(session: Session, undo: Undo) -> None:
    session.change(lr=0.1)
    undo.undo()
    session.change(lr=0.2)
    assert not undo.can_redo
    undo.undo()
    assert session.config == CONFIG


def test_that_a_preset_and_a_new_run_are_undone_as_one(session: Session, undo: Undo, said: list[str]) -> None:
    session.start(RunConfig.of({"sizes": [4, 4, 2], "optimizer": "adam", "seed": 7}))
    assert undo.undo_words == "digits mlp · N = 4 · ÷ N · sgd 0.5"
    undo.undo()
    assert session.config == CONFIG
    undo.redo()
    assert session.config.sizes == (4, 4, 2)


def test_that_another_task_is_undone_by_its_title(session: Session, undo: Undo, said: list[str]) -> None:
    session.change(task="moons")
    undo.undo()
    assert (session.config, said[-1]) == (CONFIG, f"new run: task {tasks.find('digits').title} again")


def test_that_playing_pausing_and_restarting_are_no_settings(session: Session, undo: Undo) -> None:
    session.play()
    session.pause()
    session.restart()
    assert not undo.can_undo


def test_that_nothing_to_undo_is_said(session: Session, undo: Undo, said: list[str]) -> None:
    undo.undo()
    undo.redo()
    assert said == ["no setting was changed before this", "nothing was undone that could be done again"]
    assert (undo.undo_words, undo.redo_words) == ("", "")


def test_that_a_drag_is_one_change(session: Session, undo: Undo, hand: Hand) -> None:
    hand.held = True
    for n in (8, 16, 32):
        hand.now_s += TOGETHER_S / 2
        session.change(micro_batches=n)
    hand.held = False
    undo.undo()
    assert session.config == CONFIG
    undo.redo()
    assert session.config.micro_batches == 32


@pytest.mark.parametrize("case", ["two settings", "long after", "let go"])
def test_that_only_one_drag_is_one_change(session: Session, undo: Undo, hand: Hand, case: str) -> None:
    hand.held = True
    session.change(micro_batches=8)
    hand.held, hand.now_s = case != "let go", 2 * TOGETHER_S if case == "long after" else 0.0
    session.change(**({"lr": 0.1} if case == "two settings" else {"micro_batches": 16}))
    undo.undo()
    assert session.config == CONFIG.changed(micro_batches=8)


def test_that_a_run_that_could_not_begin_is_not_in_the_way(qtbot: QtBot) -> None:
    def refusing(config: RunConfig, control: Control) -> Iterator[Event]:
        if config.seed == 13:
            yield RunFailed(0, "it does not fit")
            return
        yield from fake_run(config, control)

    session = Session(CONFIG, refusing)
    undo = Undo(session)
    session.start(CONFIG)
    until(qtbot, lambda: session.drain() and isinstance(session.history.run, RunStarted))
    session.change(lr=0.1)
    session.change(seed=13)
    until(qtbot, lambda: bool(session.drain()) and session.fell_back)
    assert session.config.lr == 0.1
    undo.undo()
    assert session.config == CONFIG
    assert not undo.can_undo
    session.stop()


def test_that_a_refused_change_leaves_the_place(
    session: Session, undo: Undo, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**settings: object) -> None:
        raise ConfigError("the task is not known any more")

    session.change(lr=0.1)
    monkeypatch.setattr(session, "change", refuse)
    undo.undo()
    assert said[-1] == "the task is not known any more"
    assert (undo.undo_words, undo.redo_words) == ("learning rate 0.5", "")
