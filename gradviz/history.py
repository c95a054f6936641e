"""What happened so far: numbers of every step, and detail of the windows that were seen."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from gradviz.arrows import Arrows, project
from gradviz.columns import Changes, Column
from gradviz.events import (
    Compared,
    Event,
    LaneName,
    MemorySampled,
    MicroBatchAdded,
    PlaneSampled,
    Resynced,
    RunFailed,
    RunFinished,
    RunStarted,
    State,
    StepFinished,
    WindowStarted,
)
from gradviz.scaling import is_forgotten

SEEN_WINDOWS = 200
"""How many seen windows keep their detail; older ones keep their plain numbers."""
KEPT_NUMBERS = 2**24
"""Fewer windows keep their detail where it is more than so many numbers (128 MiB)."""
_EVENT_NUMBERS = 64
"""About as much as so many numbers is held by an event beside its arrays."""

_LOSSES = ("loss_full", "loss_accumulated", "loss_twin")


@dataclass(frozen=True, slots=True)
class Scores:
    """The lanes' mean scores over the samples of the window of `step`; None for a lane without one."""

    step: int
    full: float | None
    accumulated: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """All that is to be shown of one moment: a seen window with the micro-batches added so far.

    `window` is None before the first window, `compared` before a window's end. `memory` is each lane's newest
    sample as of the pieces so far, or that of the whole window where none was taken between them. `steps` is
    the number of steps in the history's columns that had been taken by then, `finished` the last of them,
    `states` each lane's state,
    `units_off` what was known of off units and `scores` the newest measured scores. `products` are the inner
    products of the pieces so far in units of ‖R‖², shape (k, k), where they are known, and `plane` what was
    sampled of the inputs' plane in the window.
    """

    run: RunStarted
    window: WindowStarted | None
    added: tuple[MicroBatchAdded, ...]
    compared: Compared | None
    memory: Mapping[LaneName, MemorySampled]
    steps: int
    finished: StepFinished | None
    states: Mapping[LaneName, State | None]
    units_off: tuple[int, int] | None
    scores: Scores | None
    products: np.ndarray | None
    plane: PlaneSampled | None

    def arrows(self) -> Arrows | None:
        """The pieces so far as arrows in a plane with R, computed at each call; None where it is unknown."""
        along = np.array([np.nan if piece.share is None else piece.share for piece in self.added])
        if self.products is None or not (np.isfinite(self.products).all() and np.isfinite(along).all()):
            return None
        return project(self.products, along, whole=self.compared is not None)


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What the steps up to one of them have told."""

    steps: int = 0
    finished: StepFinished | None = None
    states: Mapping[LaneName, State | None] = field(default_factory=dict)
    units_off: tuple[int, int] | None = None
    scores: Scores | None = None


@dataclass(slots=True, eq=False)
class _Window:
    """A seen window, and what else was known before its step and, once that is finished, after it.

    `memories` are the newest samples with 0, 1, … k pieces added.
    """

    started: WindowStarted
    before: _Known
    memories: list[Mapping[LaneName, MemorySampled]]
    after: _Known | None = None
    added: list[MicroBatchAdded] = field(default_factory=list)
    compared: Compared | None = None
    plane: PlaneSampled | None = None
    numbers: int = 0


class History:
    """The events of one run, kept so that any seen moment can be shown again, in bounded memory."""

    def __init__(self) -> None:
        self.run: RunStarted | None = None
        self.ended: RunFinished | RunFailed | None = None
        self.first: StepFinished | None = None
        self.finished: StepFinished | None = None
        self.resynced: list[int] = []
        self._columns = {name: Column() for name in (*_LOSSES, "difference", "twin_apart")}
        self._changes = {name: Changes() for name in ("micro_batches", "lr", "faulty")}
        self._windows: deque[_Window] = deque()
        self._numbers = 0
        self._memory: Mapping[LaneName, MemorySampled] = {}
        self._known = _Known()

    @property
    def steps(self) -> int:
        """Optimizer steps so far, each with its value in every column."""
        return self._known.steps

    def numbers(self, name: str) -> Column:
        """loss_full, loss_accumulated or loss_twin; "difference", how far full and accumulated are apart; or
        "twin_apart", how far the twin is from the accumulated lane, as a part of that one's loss.
        """
        return self._columns[name]

    def column(self, name: str) -> np.ndarray:
        """A new array of one number a step, as far as they are known one by one, else NaN; for few reads."""
        return self._columns[name].values()

    def changes(self, name: str) -> Changes:
        """micro_batches, lr, or "faulty": 1 where several micro-batches were added unscaled, else 0."""
        return self._changes[name]

    def append(self, event: Event) -> None:
        """Take the next event of the run."""
        match event:
            case RunStarted():
                self.run = event
            case WindowStarted():
                self._start_window(event)
            case MicroBatchAdded():
                self._windows[-1].added.append(event)
                self._windows[-1].memories.append(self._memory)
                self._count(event.values, event.products, event.watched_values)
            case Compared():
                self._windows[-1].compared = event
                self._count(event.products)
            case PlaneSampled():
                self._windows[-1].plane = event
                self._count(event.full, event.accumulated)
            case MemorySampled():
                self._memory = {**self._memory, event.lane: event}
                if self._windows and self._windows[-1].started.step == event.step:
                    self._windows[-1].memories[-1] = self._memory
            case StepFinished():
                self._finish_step(event)
            case Resynced():
                self.resynced.append(event.step)
                states: dict[LaneName, State | None] = {**self._known.states, "accumulated": "training"}
                self._known = replace(self._known, states=states, units_off=None)
            case RunFinished() | RunFailed():
                self.ended = event

    def __len__(self) -> int:
        """The number of moments that can be shown: each seen window before, and after each of its pieces."""
        return sum(1 + len(window.added) for window in self._windows)

    def at(self, index: int) -> Moment | None:
        """Moment `index`, from 0 (the oldest kept) to len − 1, or −1 (the newest); None before the run began.

        What lies before the oldest is the oldest, what lies after the newest is the newest.
        """
        if self.run is None:
            return None
        if not self._windows:
            return self._moment_of(self.run, None, 0)
        index = max(0, index if index >= 0 else len(self) + index)
        for window in self._windows:
            if index <= len(window.added):
                return self._moment_of(self.run, window, index)
            index -= 1 + len(window.added)
        return self._moment_of(self.run, self._windows[-1], len(self._windows[-1].added))

    def index_of_step(self, step: int) -> int:
        """The last moment of the newest seen window that is not after `step`; 0 where there is none."""
        index = -1
        for window in self._windows:
            if window.started.step > step:
                break
            index += 1 + len(window.added)
        return max(0, index)

    def _moment_of(self, run: RunStarted, window: _Window | None, added: int) -> Moment:
        newest = window is None or (window is self._windows[-1] and added == len(window.added))
        complete = window is not None and added == len(window.started.sizes)
        if window is None or newest:
            # the newest moment goes on with the steps that are not seen
            known, memory = self._known, self._memory
        else:
            known, memory = (window.after if complete else None) or window.before, _memory(window, added)
        return Moment(
            run=run,
            window=window.started if window else None,
            added=tuple(window.added[:added]) if window else (),
            compared=window.compared if window and complete else None,
            memory=memory,
            steps=known.steps,
            finished=known.finished,
            states=known.states,
            units_off=known.units_off,
            scores=known.scores,
            plane=window.plane if window else None,
            products=_products(window, added) if window else None,
        )

    def _start_window(self, event: WindowStarted) -> None:
        if event.retaken and self._windows and self._windows[-1].started.step == event.step:
            self._numbers -= self._windows.pop().numbers
        self._windows.append(_Window(event, self._known, [self._memory]))
        self._count(event.coordinates, event.reference_values, event.watched_reference)

    def _count(self, *arrays: np.ndarray | None) -> None:
        """The newest window holds these too; what is too old for them goes."""
        numbers = _EVENT_NUMBERS + sum(array.size for array in arrays if array is not None)
        self._windows[-1].numbers += numbers
        self._numbers += numbers
        while len(self._windows) > SEEN_WINDOWS or (self._numbers > KEPT_NUMBERS and len(self._windows) > 1):
            self._numbers -= self._windows.popleft().numbers

    def _finish_step(self, event: StepFinished) -> None:
        for name, value in _numbers(event):
            self._columns[name].append(value)
        self._changes["faulty"].append(float(is_forgotten(event.scaling, event.micro_batches)))
        self._changes["micro_batches"].append(event.micro_batches)
        self._changes["lr"].append(event.lr)
        self.first = self.first or event
        self.finished = event
        self._known = _known_after(event, self._known)
        if self._windows and self._windows[-1].started.step == event.step:
            self._windows[-1].after = self._known


def _memory(window: _Window, count: int) -> Mapping[LaneName, MemorySampled]:
    """What was known with `count` pieces added, if the window was sampled by then, else in the end."""
    then = window.memories[count]
    sampled = any(sample.step == window.started.step for sample in then.values())
    return then if sampled else window.memories[-1]


def _products(window: _Window, count: int) -> np.ndarray | None:
    """Those of the first `count` pieces, from the window's end where it has come, else piece by piece."""
    if window.compared is not None:
        whole = window.compared.products
        return None if whole is None or count == 0 else whole[:count, :count]
    rows = [piece.products for piece in window.added[:count]]
    products = np.zeros((count, count))
    for index, row in enumerate(rows):
        if row is None:
            return None
        products[index, : index + 1] = products[: index + 1, index] = row
    return products if count else None


def _numbers(event: StepFinished) -> Iterator[tuple[str, float]]:
    full, accumulated, twin = (
        math.nan if loss is None else loss
        for loss in (event.loss_full, event.loss_accumulated, event.loss_twin)
    )
    yield from zip(_LOSSES, (full, accumulated, twin), strict=True)
    # both infinite: there is no difference to speak of, and that is NaN
    yield "difference", abs(full - accumulated)
    yield "twin_apart", abs(accumulated - twin) / (accumulated or math.nan)


def _known_after(event: StepFinished, before: _Known) -> _Known:
    states: dict[LaneName, State | None] = {
        "full": event.state_full,
        "accumulated": event.state_accumulated,
    }
    # counted on seen steps only, and still so on those between
    still = before.units_off if "stuck" in states.values() else None
    scores = before.scores
    if event.score_full is not None or event.score_accumulated is not None:
        scores = Scores(event.step, event.score_full, event.score_accumulated)
    return _Known(before.steps + 1, event, states, event.units_off or still, scores)
