"""The order of things: what happens in a window, and when each fact about it is told."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Generator, Iterator

import torch

from gradviz.config import ConfigError, RunConfig
from gradviz.control import Answer, Control
from gradviz.events import Event, Resynced, RunFailed, RunFinished
from gradviz.failures import in_words
from gradviz.lanes import Lanes
from gradviz.plane import sample_plane
from gradviz.step import Step
from gradviz.tasks import own
from gradviz.why import Circumstances, Record, explain
from gradviz.window import Window

logger = logging.getLogger(__name__)

MEASURED_STEPS = 2
"""The first steps whose memory is measured unasked: optimizers take their state at the first."""


class Trainer:
    """Trains the lanes of one run in lockstep and tells what happens."""

    def __init__(self, config: RunConfig, steps: int | None = None) -> None:
        """`steps` optimizer steps are taken, or as many as are allowed."""
        self._config = config
        self._device = config.device
        self._steps_wanted = steps
        self._step = 0
        self._applied = config
        self._record = Record()
        self._previous_seen = True
        self._measured: tuple[int, ...] = ()

    def run(self, control: Control) -> Iterator[Event]:
        """Go on as `control` allows, in the calling thread. Never raises: the end is an event too."""
        try:
            yield from self._run(control)
            return
        except ConfigError as error:
            sentence = str(error)
        # a task's own code may even ask the process to end
        except (Exception, SystemExit) as error:
            # the exception holds the tensors of all its frames, so only words of it are kept
            logger.error("the run failed\n%s", traceback.format_exc())
            where = own.place_in(self._config.task, error)
            sentence = (f"{where}: " if where else "") + in_words(error, self._step, self._device)
        yield RunFailed(self._step, sentence)

    def _run(self, control: Control) -> Iterator[Event]:
        torch.set_num_threads(self._config.threads)
        lanes = Lanes(self._config)
        self._device = str(lanes.device)
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
        if not (yield from self._wait_where_no_pieces_are_taken(lanes, control)):
            return False
        indices = lanes.order.next_window(lanes.config.batch).to(lanes.device)
        step, unasked = Step(lanes, self._step, indices), 0
        seen = step.seen = self._grant_wishes(lanes, step, control)
        if step.window is not None:
            if seen:
                step.window.see(scored=True)
                yield from _begin(lanes, step.window, control)
            # held while nobody watched: the window that is stopped in is shown whole
            unasked = len(step.window.sizes) if control.held and not self._previous_seen else 0
            self._previous_seen = seen
        step.take_whole()
        yield from step.memory("full", complete=False)
        if step.window is not None:
            may_step = yield from self._accumulate(lanes, control, step, step.window, unasked)
            if not may_step:
                return False
            self._record.count(self._step, step.window.comparison, lanes)
        finished = step.finish()
        yield from step.memory("full", complete=True)
        yield from step.memory("accumulated", complete=True)
        yield finished
        return True

    def _wait_where_no_pieces_are_taken(self, lanes: Lanes, control: Control) -> Generator[Event, None, bool]:
        """Without an accumulated lane that steps, a credit is a whole window. Returns False to stop."""
        while lanes.accumulated is None or not lanes.accumulated.steps:
            answer = control.ask(spend=True, wait=True)
            if answer is Answer.RETAKE:
                # nothing has begun; a resync may bring the lane back
                yield from self._apply_changes(lanes, control)
            else:
                return answer is Answer.GO
        return True

    def _apply_changes(self, lanes: Lanes, control: Control) -> Generator[Event, None, bool]:
        """Take over what `control` was asked for. Returns whether the lanes were resynced."""
        config, wanted = control.take_changes()
        if config is not self._applied:
            self._applied = config
            lanes.apply(config)
        resynced = wanted and lanes.resync()
        if resynced:
            self._record = Record()
            yield Resynced(self._step)
        return resynced

    def _grant_wishes(self, lanes: Lanes, step: Step, control: Control) -> bool:
        """Measure the memory of the step's lanes if it is time to. Returns whether the window is seen."""
        seen, memory = control.take_wishes()
        last = self._step == self._steps_wanted
        due = memory or last or self._step <= MEASURED_STEPS or self._measured != lanes.sizes
        if due and (seen or last):
            self._measured = lanes.sizes
            step.measure_memory("full")
            step.measure_memory("accumulated")
        return seen or last

    def _accumulate(
        self, lanes: Lanes, control: Control, step: Step, window: Window, unasked: int
    ) -> Generator[Event, None, bool]:
        """Take the pieces, anew as often as `control` asks for it, until it lets the lanes step."""
        while True:
            answer, added = yield from window.take_pieces(control, step.meters.get("accumulated"), unasked)
            if answer is Answer.GO:
                yield from self._compare(lanes, step, window)
                answer = control.ask(spend=False, wait=window.probe is not None)
            if answer in (Answer.GO, Answer.STOP):
                return answer is Answer.GO
            unasked = yield from self._take_back(lanes, control, window, answer, added)
            if "accumulated" in step.meters or self._measured != window.sizes:
                self._measured = window.sizes
                step.measure_memory("accumulated")
            yield from _begin(lanes, window, control)

    def _take_back(
        self, lanes: Lanes, control: Control, window: Window, answer: Answer, added: int
    ) -> Generator[Event, None, int]:
        """Bring the window back to its start; returns how many pieces are then taken again without asking.

        Held in a window that nobody sees, it is taken again up to its end; else up to the same part of it.
        """
        before = len(window.sizes)
        window.take_back()
        resynced = yield from self._apply_changes(lanes, control)
        window.cut()
        if window.probe is None or resynced:
            window.see()
        after = len(window.sizes)
        return after if added == before or answer is Answer.HELD else added * after // before

    def _compare(self, lanes: Lanes, step: Step, window: Window) -> Iterator[Event]:
        if window.probe is None:
            return
        window.compare()
        assert window.comparison is not None
        around = Circumstances(
            config=lanes.config,
            sizes=window.sizes,
            record=self._record,
            loss_full=step.loss_full,
            loss_accumulated=window.mean_loss(),
        )
        yield window.compared(explain(window.comparison, window.probe, around))


def _begin(lanes: Lanes, window: Window, control: Control) -> Iterator[Event]:
    """A seen window begins, or begins again."""
    yield window.started(control.watched.layer)
    if control.watched.plane and lanes.problem.plane is not None:
        yield sample_plane(lanes, lanes.problem.plane, window.step)
