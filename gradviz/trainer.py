"""The order of things: what happens in a window, and when each fact about it is told."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Generator, Iterator
from contextlib import nullcontext

import torch
from torch import Tensor

from gradviz.accumulation import accumulate
from gradviz.config import ConfigError, RunConfig
from gradviz.control import Answer, Control
from gradviz.events import (
    Event,
    LaneName,
    MemorySampled,
    Resynced,
    RunFailed,
    RunFinished,
    StepFinished,
)
from gradviz.hidden_units import count_off
from gradviz.lane import Lane
from gradviz.lanes import Lanes
from gradviz.memory import Meter
from gradviz.memory.sources import meter_for
from gradviz.rng import untouched
from gradviz.scaling import weights
from gradviz.why import Circumstances, explain
from gradviz.window import Window, gather, weighted_loss

logger = logging.getLogger(__name__)

MEASURED_STEPS = 2
"""The first steps whose memory is measured unasked: optimizers take their state at the first."""


class Trainer:
    """Trains the lanes of one run in lockstep and tells what happens."""

    def __init__(self, config: RunConfig, steps: int | None = None) -> None:
        """`steps` optimizer steps are taken, or as many as are allowed."""
        self._config = config
        self._steps_wanted = steps
        self._step = 0
        self._seen_windows = self._equal_windows = 0
        self._equal, self._seen = False, True
        self._applied = config
        self._measured_settings: tuple[object, ...] = ()

    def run(self, control: Control) -> Iterator[Event]:
        """Go on as `control` allows, in the calling thread. Never raises: the end is an event too."""
        try:
            yield from self._run(control)
            return
        except ConfigError as error:
            sentence = str(error)
        except Exception as error:
            # the exception holds the tensors of all its frames, so only words of it are kept
            logger.error("the run failed\n%s", traceback.format_exc())
            sentence = _in_words(error, self._step)
        yield RunFailed(self._step, sentence)

    def _run(self, control: Control) -> Iterator[Event]:
        torch.set_num_threads(self._config.threads)
        lanes = Lanes(self._config)
        yield lanes.started()
        steps = 0
        while lanes.any_steps and steps != self._steps_wanted:
            self._step += 1
            if not (yield from self._take_window(lanes, control)):
                break
            steps += 1
        yield RunFinished(steps)

    def _take_window(self, lanes: Lanes, control: Control) -> Generator[Event, None, bool]:
        """One window, from the samples to the step. Returns False if the run was stopped in it."""
        yield from self._apply_changes(lanes, control)
        indices = lanes.order.next_window(lanes.config.batch).to(lanes.device)
        seen, meters = self._wishes(lanes, control)
        window, unasked = None, 0
        if lanes.accumulated is not None and lanes.accumulated.steps:
            window = Window(lanes, lanes.accumulated, self._step, indices)
            if seen:
                window.see()
                yield window.started()
            # held while nobody watched: the window that is stopped in is shown whole
            unasked = len(window.sizes) if control.held and not self._seen else 0
            self._seen = seen
        elif control.ask(spend=True, wait=True) is Answer.STOP:
            return False
        loss_full = None
        if lanes.full is not None and lanes.full.steps:
            loss_full = _take_whole(lanes, lanes.full, indices, meters.get("full"))
            yield from self._memory_so_far("full", meters)
        if window is not None:
            may_step = yield from self._accumulate(lanes, control, window, meters, loss_full, unasked)
            if not may_step:
                return False
        yield from self._step_lanes(lanes, window, indices, loss_full, meters)
        return True

    def _apply_changes(self, lanes: Lanes, control: Control) -> Generator[Event, None, bool]:
        """Take over what `control` was asked for. Returns whether the lanes were resynced."""
        config, resync = control.take_changes()
        if config is not self._applied:
            self._applied = config
            lanes.apply(config)
        if resync:
            lanes.resync()
            yield Resynced(self._step)
        return resync

    def _wishes(self, lanes: Lanes, control: Control) -> tuple[bool, dict[LaneName, Meter]]:
        """Whether this window is seen, and the meters of its lanes if its memory is measured."""
        seen, memory = control.take_wishes()
        config = lanes.config
        last = self._step == self._steps_wanted
        settings = (config.micro_batches, config.sizes)
        memory = memory or self._step <= MEASURED_STEPS or settings != self._measured_settings or last
        meters: dict[LaneName, Meter] = {}
        if memory and (seen or last):
            self._measured_settings = settings
            if lanes.full is not None and lanes.full.steps:
                meters["full"] = meter_for(lanes.full.model, lanes.full.optimizer, lanes.device)
            if lanes.accumulated is not None and lanes.accumulated.steps:
                meters["accumulated"] = meter_for(
                    lanes.accumulated.model, lanes.accumulated.optimizer, lanes.device
                )
        for meter in meters.values():
            meter.begin()
        return seen or last, meters

    def _accumulate(
        self,
        lanes: Lanes,
        control: Control,
        window: Window,
        meters: dict[LaneName, Meter],
        loss_full: float | None,
        unasked: int,
    ) -> Generator[Event, None, bool]:
        """Take the pieces, anew as often as `control` asks for it, until it lets the lanes step."""
        while True:
            answer, added = yield from window.take_pieces(control, meters.get("accumulated"), unasked)
            if answer is Answer.GO:
                yield from self._compare(lanes, window, loss_full)
                answer = control.ask(spend=False, wait=window.probe is not None)
            if answer is Answer.GO:
                return True
            if answer is Answer.STOP:
                return False
            unasked = yield from self._take_back(lanes, control, window, answer, added)
            if "accumulated" in meters:
                meters["accumulated"].begin()
            if window.probe is not None:
                yield window.started()

    def _take_back(
        self, lanes: Lanes, control: Control, window: Window, answer: Answer, added: int
    ) -> Generator[Event, None, int]:
        """Bring the window back to its start; returns how many pieces are then taken again without asking."""
        before = len(window.sizes)
        resynced = (yield from self._apply_changes(lanes, control)) if answer is Answer.RETAKE else False
        window.take_back()
        after = len(window.sizes)
        if answer is Answer.HELD:
            # held in a window that nobody sees: it is taken again up to its end, and seen
            window.see()
            return after
        if resynced and window.probe is not None:
            window.see()
        return after if added == before else added * after // before

    def _compare(self, lanes: Lanes, window: Window, loss_full: float | None) -> Iterator[Event]:
        if window.probe is None:
            return
        comparison = window.compare()
        self._equal = comparison.kind == "equal"
        around = Circumstances(
            scaling=lanes.config.scaling,
            sizes=window.sizes,
            lr=lanes.config.lr,
            optimizer=lanes.config.optimizer,
            parted_since=lanes.parted_since,
            equal_windows=self._equal_windows + self._equal,
            seen_windows=self._seen_windows + 1,
            loss_full=loss_full,
            loss_accumulated=window.mean_loss(),
        )
        yield window.compared(comparison, explain(comparison, window.probe, around))

    def _step_lanes(
        self,
        lanes: Lanes,
        window: Window | None,
        indices: Tensor,
        loss_full: float | None,
        meters: dict[LaneName, Meter],
    ) -> Iterator[Event]:
        """Judge the losses, let the lanes step that have not diverged, and tell the step's plain numbers."""
        config = lanes.config
        loss_accumulated = None if window is None else window.mean_loss()
        loss_twin = _take_twin(lanes, window, indices)
        if lanes.full is not None:
            _step(lanes.full, loss_full, meters.get("full"))
        if lanes.accumulated is not None:
            _step(lanes.accumulated, loss_accumulated, meters.get("accumulated"))
        if lanes.twin is not None:
            _step(lanes.twin, loss_twin, None)
        if window is not None:
            self._count(lanes, window)
        for name, meter in meters.items():
            yield MemorySampled(self._step, name, meter.sample(complete=True))
        yield StepFinished(
            step=self._step,
            loss_full=loss_full,
            loss_accumulated=loss_accumulated,
            loss_twin=loss_twin,
            micro_batches=config.micro_batches,
            scaling=config.scaling,
            lr=config.lr,
            state_full=None if lanes.full is None else lanes.full.progress.state,
            state_accumulated=None if lanes.accumulated is None else lanes.accumulated.progress.state,
            units_off=_units_off(lanes, window, indices),
        )

    def _count(self, lanes: Lanes, window: Window) -> None:
        """Remember whether this window was equal, and since when the lanes have other weights."""
        if window.probe is not None:
            self._seen_windows += 1
            self._equal_windows += self._equal
        if lanes.parted_since is None and not lanes.equal_by_design:
            lanes.parted_since = self._step

    def _memory_so_far(self, name: LaneName, meters: dict[LaneName, Meter]) -> Iterator[Event]:
        if name in meters:
            yield MemorySampled(self._step, name, meters[name].sample(complete=False))


def _take_whole(lanes: Lanes, lane: Lane, indices: Tensor, meter: Meter | None) -> float:
    """Leave the gradient of the window, taken whole, in the lane's `.grad`; returns its loss."""
    whole = (gather(lanes, part, meter) for part in (indices,))
    lane.begin_window()
    with lane.drawing(), meter or nullcontext():
        if meter is not None:
            meter.tick()
        [loss] = accumulate(lane.model, lanes.problem.loss, whole, [1.0])
    return weighted_loss([loss], (len(indices),))


def _take_twin(lanes: Lanes, window: Window | None, indices: Tensor) -> float | None:
    """Leave the correctly weighted gradient of the same pieces in the twin's `.grad`; returns its loss."""
    twin = lanes.twin
    if twin is None or window is None or not twin.steps:
        return None
    pieces = (gather(lanes, part, None) for part in torch.split(indices, list(window.sizes)))
    with twin.drawing():
        losses = list(accumulate(twin.model, lanes.problem.loss, pieces, weights("mean", window.sizes)))
    return weighted_loss(losses, window.sizes)


def _step(lane: Lane, loss: float | None, meter: Meter | None) -> None:
    if loss is None:
        return
    if lane.progress.observe(loss) == "diverged":
        lane.optimizer.zero_grad()
        return
    with meter or nullcontext():
        lane.step()


def _units_off(lanes: Lanes, window: Window | None, indices: Tensor) -> tuple[int, int] | None:
    lane = lanes.accumulated
    if lane is None or window is None or window.probe is None or lane.progress.state != "stuck":
        return None
    with untouched(lane.model, lane.device):
        return count_off(lane.model, lanes.problem.inputs[indices])


def _in_words(error: Exception, step: int) -> str:
    """What went wrong, and where, in one sentence."""
    first_line = (str(error).strip().splitlines() or [""])[0].rstrip(".")
    if isinstance(error, torch.OutOfMemoryError) or "not enough memory" in first_line:
        return f"out of memory in step {step}: with more micro-batches each of them needs less"
    return f"{type(error).__name__} in step {step}" + (f": {first_line}" if first_line else "")
