"""Where a run's events wait for the screen."""

from __future__ import annotations

import threading
from collections import deque

from gradviz.events import Event


class Mailbox:
    """A row of events with a limit: when it is full the sender waits, so that none is lost."""

    def __init__(self, capacity: int = 1024) -> None:
        self._capacity = capacity
        self._events: deque[Event] = deque()
        self._room = threading.Condition()
        self._closed = False

    def put(self, event: Event) -> bool:
        """Add an event, waiting for room. False once the mailbox is closed: nobody will read it."""
        with self._room:
            self._room.wait_for(lambda: self._closed or len(self._events) < self._capacity)
            if not self._closed:
                self._events.append(event)
            return not self._closed

    def take(self) -> deque[Event]:
        """All events that wait, oldest first."""
        if not self._events:
            return deque()
        with self._room:
            events, self._events = self._events, deque()
            self._room.notify_all()
            return events

    def close(self) -> None:
        """Want no more events and let a waiting sender go."""
        with self._room:
            self._closed = True
            self._events = deque()
            self._room.notify_all()
