"""One step of all lanes: the full batch taken whole, the window in pieces, the twin, and the optimizers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import torch
from torch import Tensor

from gradviz.accumulation import accumulate
from gradviz.events import LaneName, MemorySampled, StepFinished
from gradviz.failures import is_out_of_memory
from gradviz.hidden_units import count_off
from gradviz.lane import Lane
from gradviz.lanes import Lanes
from gradviz.memory import Meter
from gradviz.memory.sources import meter_for
from gradviz.rng import untouched
from gradviz.scaling import weights
from gradviz.scored import Scored
from gradviz.window import Window, gather


class Step:
    """The samples of one window, and what each lane does with them; `window` is the accumulated lane's.

    `seen` says that its detail is wanted.
    """

    def __init__(self, lanes: Lanes, number: int, indices: Tensor) -> None:
        self.number = number
        self.loss_full: float | None = None
        self.seen = False
        self._score_full: float | None = None
        self.meters: dict[LaneName, Meter] = {}
        self._lanes, self._indices = lanes, indices
        accumulated = lanes.accumulated
        takes_pieces = accumulated is not None and accumulated.steps
        self.window = Window(lanes, accumulated, number, indices) if accumulated and takes_pieces else None

    def measure_memory(self, name: LaneName) -> None:
        """Measure this lane's memory from the start of its window on, if it still steps."""
        lane = self._lanes.full if name == "full" else self._lanes.accumulated
        if lane is not None and lane.steps:
            self.meters[name] = meter_for(lane.model, lane.optimizer, lane.device)
            self.meters[name].begin()

    def memory(self, name: LaneName, *, complete: bool) -> Iterator[MemorySampled]:
        """What was measured of a lane's memory, if it was."""
        if name in self.meters:
            yield MemorySampled(self.number, name, self.meters[name].sample(complete=complete))

    def take_whole(self) -> None:
        """Leave the gradient of the whole window in the full lane's `.grad`."""
        lane = self._lanes.full
        if lane is None or not lane.steps:
            # what could not be taken whole for the reference has no peak either
            self.meters.pop("full", None)
            return
        meter = self.meters.get("full")
        problem = self._lanes.problem
        scored = Scored(problem) if self.seen and problem.score is not None else None
        whole = (gather(self._lanes, part, meter) for part in (self._indices,))
        try:
            with lane.drawing(), meter or nullcontext():
                if meter is not None:
                    meter.tick()
                [loss] = accumulate(lane.model, scored or problem.loss, whole, [1.0])
        except Exception as error:
            if self.window is None or not is_out_of_memory(error):
                raise
        else:
            self.loss_full = float(loss)
            self._score_full = None if scored is None else scored.mean
            return
        # the pieces may fit all the same
        del whole
        self.meters.pop("full", None)
        self._lanes.run_out_of_memory()

    def finish(self) -> StepFinished:
        """Judge the losses, let the lanes step that have not diverged, and tell the step's plain numbers."""
        lanes, config = self._lanes, self._lanes.config
        loss_accumulated = None if self.window is None else self.window.mean_loss()
        loss_twin = self._take_twin()
        _step(lanes.full, self.loss_full, self.meters.get("full"))
        _step(lanes.accumulated, loss_accumulated, self.meters.get("accumulated"))
        _step(lanes.twin, loss_twin, None)
        return StepFinished(
            step=self.number,
            loss_full=self.loss_full,
            loss_accumulated=loss_accumulated,
            loss_twin=loss_twin,
            micro_batches=config.micro_batches,
            scaling=config.scaling,
            lr=config.lr,
            state_full=None if lanes.full is None else lanes.full.progress.state,
            state_accumulated=None if lanes.accumulated is None else lanes.accumulated.progress.state,
            units_off=self._units_off(),
            score_full=self._score_full,
            score_accumulated=None if self.window is None else self.window.score,
        )

    def _take_twin(self) -> float | None:
        """Leave the correctly weighted gradient of the same pieces in the twin's `.grad`; return its loss."""
        twin, window = self._lanes.twin, self.window
        if twin is None or window is None or not twin.steps:
            return None
        parts = torch.split(self._indices, list(window.sizes))
        pieces = (gather(self._lanes, part, None) for part in parts)
        with twin.drawing():
            right = weights("mean", window.sizes)
            losses = list(accumulate(twin.model, self._lanes.problem.loss, pieces, right))
        return window.weighted(losses)

    def _units_off(self) -> tuple[int, int] | None:
        lane = self._lanes.accumulated
        if lane is None or self.window is None or self.window.probe is None:
            return None
        if lane.progress.state != "stuck":
            return None
        with untouched(lane.model, lane.device):
            off, units = count_off(lane.model, self._lanes.problem.inputs[self._indices])
        return (off, units) if units else None


def _step(lane: Lane | None, loss: float | None, meter: Meter | None) -> None:
    if lane is None or loss is None:
        return
    if lane.progress.observe(loss) == "diverged":
        lane.optimizer.zero_grad()
        return
    with meter or nullcontext():
        lane.step()
    lane.begin_window()
