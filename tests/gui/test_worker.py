"""The training thread and its mailbox."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from fake_run import fake_run

from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import Event, RunFailed, RunFinished, RunStarted, StepFinished
from gradviz_app.mailbox import Mailbox
from gradviz_app.worker import Worker, train

CONFIG = RunConfig.of({"batch": 8, "micro_batches": 2})


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.001)


def all_of(worker: Worker, mailbox: Mailbox) -> list[Event]:
    worker.join(10)
    assert not worker.is_alive()
    return list(mailbox.take())


def test_that_a_full_mailbox_makes_the_sender_wait_and_loses_nothing() -> None:
    mailbox = Mailbox(capacity=3)
    sent = [RunFinished(index) for index in range(10)]
    sender = threading.Thread(target=lambda: [mailbox.put(event) for event in sent])
    sender.start()
    wait_for(lambda: len(mailbox._events) == 3)
    assert sender.is_alive()
    received: list[Event] = []
    wait_for(lambda: received.extend(mailbox.take()) or len(received) == 10)
    sender.join()
    assert received == sent


def test_that_closing_a_full_mailbox_lets_the_sender_go() -> None:
    mailbox = Mailbox(capacity=1)
    answers: list[bool] = []
    sender = threading.Thread(target=lambda: answers.extend(mailbox.put(RunFinished(i)) for i in range(2)))
    sender.start()
    wait_for(lambda: len(answers) == 1)
    mailbox.close()
    sender.join(10)
    assert answers == [True, False]
    assert not mailbox.take()


def test_that_no_step_is_lost_on_the_way_through_a_small_mailbox() -> None:
    control, mailbox = Control(CONFIG), Mailbox(capacity=5)
    worker = Worker(CONFIG, control, mailbox, fake_run)
    control.allow(None)
    worker.start()
    steps: list[int] = []
    while len(steps) < 500:
        steps += [event.step for event in mailbox.take() if isinstance(event, StepFinished)]
    worker.end()
    worker.join()
    assert steps == list(range(1, len(steps) + 1))


def test_that_an_error_in_a_run_becomes_a_sentence(expect_log: Callable[[str], None]) -> None:
    expect_log("ended by an error")

    def broken(config: RunConfig, control: Control) -> Iterator[Event]:
        yield RunStarted(config, "", "", "", 0, 0.0, "", (), None, "", None, None)
        raise ValueError("no such thing")

    mailbox = Mailbox()
    worker = Worker(CONFIG, Control(CONFIG), mailbox, broken)
    worker.start()
    last = all_of(worker, mailbox)[-1]
    assert isinstance(last, RunFailed)
    assert "no such thing" in last.sentence


def test_that_an_error_before_the_first_event_becomes_a_sentence(expect_log: Callable[[str], None]) -> None:
    expect_log("ended by an error")

    def unreadable(config: RunConfig, control: Control) -> Iterator[Event]:
        raise ImportError("no torch here")

    mailbox = Mailbox()
    worker = Worker(CONFIG, Control(CONFIG), mailbox, unreadable)
    worker.start()
    [only] = all_of(worker, mailbox)
    assert isinstance(only, RunFailed)
    assert "no torch here" in only.sentence


def test_that_the_generator_is_closed_in_the_thread_that_ran_it() -> None:
    closed_in: list[threading.Thread] = []

    def watched(config: RunConfig, control: Control) -> Iterator[Event]:
        try:
            yield from fake_run(config, control)
        finally:
            closed_in.append(threading.current_thread())

    control, mailbox = Control(CONFIG), Mailbox(capacity=1)
    worker = Worker(CONFIG, control, mailbox, watched)
    control.allow(None)
    worker.start()
    wait_for(lambda: bool(mailbox.take()))
    mailbox.close()
    worker.join(10)
    assert closed_in == [worker]


def test_that_a_run_begins_only_when_the_one_before_has_ended() -> None:
    gone = threading.Event()
    order: list[str] = []

    def first(config: RunConfig, control: Control) -> Iterator[Event]:
        gone.wait(10)
        order.append("first ended")
        yield RunFinished(0)

    def second(config: RunConfig, control: Control) -> Iterator[Event]:
        order.append("second began")
        yield RunFinished(0)

    before = Worker(CONFIG, Control(CONFIG), Mailbox(), first)
    after = Worker(CONFIG, Control(CONFIG), Mailbox(), second, after=before)
    before.start()
    after.start()
    gone.set()
    after.join(10)
    assert order == ["first ended", "second began"]


@pytest.mark.parametrize("micro_batches", [0, 1, 3])
def test_that_the_real_run_ends_when_asked(micro_batches: int) -> None:
    control, mailbox = Control(CONFIG), Mailbox()
    worker = Worker(CONFIG, control, mailbox, train)
    control.allow(micro_batches)
    worker.start()
    received: list[Event] = []
    wait_for(lambda: received.extend(mailbox.take()) or any(isinstance(e, RunStarted) for e in received))
    control.stop()
    received += all_of(worker, mailbox)
    assert isinstance(received[-1], RunFinished)
