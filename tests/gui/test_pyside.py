"""PySide6 itself: the releases with a fault that would end the program are kept out."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Signal

CALLS = 1000
SLACK = CALLS // 10


class Emitter(QObject):
    happened = Signal(object)


def test_that_void_calls_and_emits_take_no_reference_from_none_and_true() -> None:
    # from Python 3.12 on these two are immortal, and a lost reference does no harm
    thing = Emitter()
    thing.setObjectName("warm")
    before = sys.getrefcount(None), sys.getrefcount(True)
    for _ in range(CALLS):
        thing.setObjectName("a")
        thing.happened.emit(None)
    after = sys.getrefcount(None), sys.getrefcount(True)
    assert abs(after[0] - before[0]) < SLACK
    assert abs(after[1] - before[1]) < SLACK


def test_that_an_emit_takes_and_keeps_no_reference_of_what_it_carries() -> None:
    thing, payload = Emitter(), object()
    received: list[object] = []
    thing.happened.connect(received.append)
    before = sys.getrefcount(payload)
    for _ in range(CALLS):
        thing.happened.emit(payload)
    assert len(received) == CALLS
    assert all(item is payload for item in received)
    received.clear()
    assert sys.getrefcount(payload) == before
