"""Real moments for the tests of the panes, from real runs."""

from __future__ import annotations

from collections.abc import Iterator

from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import Event, RunFinished, RunStarted, StepFinished
from gradviz.history import History, Moment
from gradviz.trainer import Trainer


def make_moment(
    n: int = 8,
    scaling: str = "mean",
    k: int | None = None,
    step: int = 1,
    batch: int = 256,
    seed: int = 0,
    sizes: tuple[int, ...] | None = None,
    lr: float = 0.5,
) -> Moment:
    """The moment with `k` of `n` micro-batches added (None: all, and compared) in the window of `step`."""
    history = make_history(
        step, n, scaling, batch, seed, sizes, lr, seen=frozenset([step]), finish_last=False
    )
    moment = history.at(len(history) - 1 if k is None else k)
    assert moment is not None
    return moment


def make_history(
    steps: int = 12,
    n: int = 8,
    scaling: str = "mean",
    batch: int = 256,
    seed: int = 0,
    sizes: tuple[int, ...] | None = None,
    lr: float = 0.5,
    seen: frozenset[int] | None = None,
    finish_last: bool = True,
) -> History:
    """A history of `steps` steps of both lanes; `seen` are the steps with detail (None: all of them)."""
    history = History()
    for event in events(steps, n, scaling, batch, seed, sizes, lr, seen):
        if finish_last or not (isinstance(event, StepFinished) and event.step == steps):
            history.append(event)
    return history


def events(
    steps: int,
    n: int = 8,
    scaling: str = "mean",
    batch: int = 256,
    seed: int = 0,
    sizes: tuple[int, ...] | None = None,
    lr: float = 0.5,
    seen: frozenset[int] | None = None,
) -> Iterator[Event]:
    """What happens in a run of so many steps; detail only of the `seen` steps (None: all of them)."""
    cut = {"sizes": sizes} if sizes else {"batch": batch, "micro_batches": n}
    config = RunConfig.of({**cut, "scaling": scaling, "seed": seed, "lr": lr, "threads": 1})
    control = Control(config, always_seen=True)
    control.allow(None)
    for event in Trainer(config, steps).run(control):
        plain = isinstance(event, RunStarted | StepFinished | RunFinished)
        if plain or seen is None or event.step in seen:
            yield event
