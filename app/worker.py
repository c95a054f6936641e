"""The thread that trains."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import cast

from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import Event, RunFailed

from .mailbox import Mailbox

EventSource = Callable[[RunConfig, Control], Iterator[Event]]

_log = logging.getLogger(__name__)


def train(config: RunConfig, control: Control) -> Iterator[Event]:
    """The events of a training run, in the calling thread."""
    # reading torch takes a second, which the first painted window must not wait for
    from gradviz.trainer import Trainer

    return Trainer(config).run(control)


class Worker(threading.Thread):
    """Works through one run and puts its events into a mailbox. Nothing of Qt is touched here.

    A plain thread that is no daemon: should all else fail, the interpreter waits for it before it ends.
    """

    def __init__(
        self,
        config: RunConfig,
        control: Control,
        mailbox: Mailbox,
        source: EventSource = train,
        after: Worker | None = None,
    ) -> None:
        """`after` is the worker of the run before; this one begins when that one has ended."""
        super().__init__(name="gradviz training", daemon=False)
        self._config = config
        self._control = control
        self._mailbox = mailbox
        self._source = source
        self._after = after

    def end(self) -> None:
        """Ask the run to end; returns at once. `join` waits until it has."""
        self._control.stop()
        self._mailbox.close()

    def run(self) -> None:
        if self._after is not None:
            self._after.join()
            self._after = None
        try:
            self._deliver()
        except Exception as error:
            _log.exception("the run ended by an error")
            self._mailbox.put(RunFailed(0, f"The run ended by an error: {error or type(error).__name__}."))

    def _deliver(self) -> None:
        events = cast("Generator[Event, None, None]", self._source(self._config, self._control))
        with closing(events):
            for event in events:
                if not self._mailbox.put(event):
                    return
