"""The reins of a run: what one thread may ask of a trainer that works in another."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from enum import Enum, auto

from gradviz.config import FIELDS, LIVE, ConfigError, RunConfig, meta


class Answer(Enum):
    """What the trainer is to do next."""

    GO = auto()
    RETAKE = auto()
    HELD = auto()
    STOP = auto()


@dataclass(frozen=True, slots=True)
class Watch:
    """What is looked at closely: a layer, by its place among the layers, and the inputs' plane."""

    layer: int | None = None
    plane: bool = False


class Control:
    """Credits, changes and wishes, safe to use from any thread.

    One credit is one micro-batch. Without credits the trainer waits: to run, pause, take one micro-batch or
    one step, and to go at some speed, are all credits given or taken back.
    """

    def __init__(self, config: RunConfig, *, always_seen: bool = False) -> None:
        """`always_seen` makes every step a seen step, for consumers that want the detail of each."""
        self._condition = threading.Condition()
        self._config = config
        self._always_seen = always_seen
        self._credits: int | None = 0
        self._changed = self._resync = self._now = self._stopped = False
        self._free = self._waiting = False
        self._detail_wanted = self._memory_wanted = True
        self._watch = Watch()

    @property
    def config(self) -> RunConfig:
        """The settings as last asked for."""
        return self._config

    @property
    def watched(self) -> Watch:
        """What is to be told of seen windows beyond what is always told."""
        return self._watch

    @property
    def counted(self) -> bool:
        """Whether the run goes by counted credits: then each piece is watched, and none is in a hurry."""
        return self._credits is not None

    @property
    def held(self) -> bool:
        """Whether there is no credit left."""
        return self._credits == 0

    @property
    def waiting(self) -> bool:
        """Whether the trainer waits for credits: until it is given some, nothing more happens."""
        return self._waiting

    def allow(self, micro_batches: int | None) -> None:
        """Give credits for so many more micro-batches; None: as many as it likes, until `hold`."""
        with self._condition:
            endless = micro_batches is None or self._credits is None
            self._credits = None if endless else (self._credits or 0) + (micro_batches or 0)
            self._notify()

    def hold(self) -> None:
        """Take all credits back. A micro-batch that has begun is finished."""
        with self._condition:
            self._credits = 0
            self._notify()

    def set(self, *, now: bool = False, **changes: object) -> RunConfig:
        """Change live settings, at the next window or, if `now`, by taking the present window again.

        Raises:
            ConfigError: if a value is not allowed, or the setting cannot change while a run goes on.
        """
        for name in changes:
            if name in FIELDS and name not in LIVE:
                raise ConfigError(f"{meta(name).title} cannot change in a run: it starts a new one")
        with self._condition:
            self._config = self._config.changed(**changes)
            self._changed = True
            self._now = self._now or now
            self._notify()
            return self._config

    def resync(self, *, now: bool = False) -> None:
        """Copy the full lane's weights and optimizer state to the accumulated one; `now` as in `set`."""
        with self._condition:
            self._resync = True
            self._now = self._now or now
            self._notify()

    def watch(self, watch: Watch, *, now: bool = False) -> None:
        """Look at something else closely, from the next seen window on; `now` as in `set`."""
        with self._condition:
            self._watch = watch
            self._detail_wanted = True
            self._changed = self._changed or now
            self._now = self._now or now
            self._notify()

    def want_detail(self, *, memory: bool = False) -> None:
        """Make the next window a seen one, and with `memory` measure its memory too."""
        with self._condition:
            self._detail_wanted = True
            self._memory_wanted = self._memory_wanted or memory

    def stop(self) -> None:
        """End the run at the next micro-batch."""
        with self._condition:
            self._stopped = True
            self._notify()

    def ask(self, *, spend: bool, wait: bool) -> Answer:
        """May the trainer go on? Called in its own thread, before each micro-batch and before the step.

        With `spend` a credit is used up. Without credits it blocks, or answers HELD if not to `wait`.
        """
        if self._free:
            return Answer.GO
        with self._condition:
            while True:
                if self._stopped:
                    return Answer.STOP
                if self._now and (self._changed or self._resync):
                    return Answer.RETAKE
                if self._credits is None:
                    return Answer.GO
                if self._credits > 0:
                    self._credits -= 1 if spend else 0
                    return Answer.GO
                if not wait:
                    return Answer.HELD
                self._waiting = True
                self._condition.wait()

    def take_changes(self) -> tuple[RunConfig, bool]:
        """The settings that hold from now on, and whether to resync; asked once, answered once."""
        with self._condition:
            resync = self._resync
            self._changed = self._resync = self._now = False
            self._notify()
            return self._config, resync

    def take_wishes(self) -> tuple[bool, bool]:
        """(whether the window that begins is a seen one, whether its memory is wanted); asked once a window.

        A run that goes by counted credits is watched, so all its windows are seen.
        """
        with self._condition:
            seen = self._always_seen or self._detail_wanted or self._credits is not None
            memory = seen and self._memory_wanted
            if seen:
                self._detail_wanted = self._memory_wanted = False
            return seen, memory

    def _notify(self) -> None:
        """Wake the trainer. That nothing is to be asked, as mostly, it sees without the lock."""
        self._free = self._credits is None and not (self._stopped or self._now)
        self._waiting = False
        self._condition.notify_all()
