"""How exactly the accumulated gradient is the full batch's, in float64."""

from __future__ import annotations

from figures import Figure

from gradviz.config import RunConfig
from gradviz.control import Control
from gradviz.events import Compared
from gradviz.trainer import Trainer

STEPS = 300


def measure() -> list[Figure]:
    """The largest error of all windows of a run, for several N."""
    errors = [error for pieces in (2, 8, 64) for error in _errors(pieces)]
    note = f"largest of {len(errors)} windows, N 2, 8 and 64"
    return [Figure("float64 equality, relative error", 1e-14, max(errors), note=note)]


def _errors(pieces: int) -> list[float]:
    config = RunConfig.of({"threads": 1, "precision": "float64", "micro_batches": pieces})
    control = Control(config, always_seen=True)
    control.allow(None)
    events = list(Trainer(config, STEPS).run(control))
    compared = [event.comparison.relative_error for event in events if isinstance(event, Compared)]
    found = [error for error in compared if error is not None]
    if len(found) != STEPS:
        raise RuntimeError("not every window was compared")
    return found
