"""One window of the accumulated lane: its pieces, what is measured of them, and how it is taken again."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import torch
from torch import Tensor

from gradviz.accumulation import accumulate, reference_gradient, reference_in_pieces
from gradviz.comparison import Comparison, compare
from gradviz.control import Answer, Control
from gradviz.devices import has
from gradviz.events import Compared, Event, MemorySampled, MicroBatchAdded, WindowStarted
from gradviz.failures import is_out_of_memory
from gradviz.lane import Lane
from gradviz.lanes import Lanes
from gradviz.layers import trainable
from gradviz.memory import Meter
from gradviz.probes import Probe, flatten
from gradviz.scored import Scored

PICTURES = 16
"""So many samples of each micro-batch are shown."""
SAMPLES = 64
"""About so many times in a window its memory so far is told, and whenever the run waits."""


class Window:
    """The samples of one step, cut into micro-batches by the settings that hold now."""

    def __init__(self, lanes: Lanes, lane: Lane, step: int, indices: Tensor) -> None:
        self.step = step
        self.probe: Probe | None = None
        self.comparison: Comparison | None = None
        self._lanes, self._lane, self._indices = lanes, lane, indices
        self._retaken = False
        self._losses: list[Tensor] = []
        self._scored: Scored | None = None
        self.cut()

    def cut(self) -> None:
        """Take over N, sizes and scaling from the run's settings."""
        self.sizes, self.weights = self._lanes.sizes, self._lanes.weights

    def take_back(self) -> None:
        """Be as before the first micro-batch. Nothing has been stepped, so the weights are the same."""
        self._lane.take_back_window()
        self._retaken = True
        self.comparison = None

    def see(self, *, scored: bool = False) -> None:
        """Take the reference gradient at the lane's own weights; the run goes on as if it had not been.

        With `scored` the task's score is measured too; not where the full lane has gone by without.
        """
        problem = self._lanes.problem
        reference = self._reference()
        lanes, pieces = self._lanes, len(self.sizes)
        precision, room = lanes.config.precision, lanes.room
        self.probe = Probe(reference, self._lane.model, lanes.layers, pieces, precision, room)
        if scored and problem.score is not None:
            self._scored = Scored(problem)

    def _reference(self) -> list[Tensor]:
        """R of the whole batch, or where that does not fit, taken in pieces."""
        lanes, model, loss = self._lanes, self._lane.model, self._lanes.problem.loss
        inputs, targets = lanes.problem.inputs[self._indices], lanes.problem.targets[self._indices]
        if lanes.fits_whole:
            try:
                with self._lane.aside(model):
                    return reference_gradient(model, loss, inputs, targets)
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
            # outside of the block nothing holds the error, and it not the tensors of its frames
            lanes.run_out_of_memory()
        with self._lane.aside(model):
            return reference_in_pieces(model, loss, inputs, targets, len(self.sizes))

    def started(self, watched: int | None) -> WindowStarted:
        """The fact that this window begins, with its target; `watched` is a layer, or None."""
        assert self.probe is not None
        self.probe.restart(len(self.sizes), watched)
        config = self._lanes.config
        return WindowStarted(
            step=self.step,
            retaken=self._retaken,
            sizes=self.sizes,
            weights=self.weights,
            scaling=config.scaling,
            lr=config.lr,
            reference_norm=self.probe.norm,
            layer_norms=self.probe.layer_norms,
            coordinates=self.probe.coordinates,
            reference_values=self.probe.reference_values,
            watched=self.probe.watched,
            watched_reference=self.probe.watched_reference,
            reference_in_pieces=not self._lanes.fits_whole,
            pictures=self._pictures(),
        )

    def take_pieces(
        self, control: Control, meter: Meter | None, unasked: int
    ) -> Generator[Event, None, tuple[Answer, int]]:
        """Accumulate, asking `control` before each piece after the first `unasked`.

        Returns GO with all pieces, or what stopped it with the number of pieces that were added until then.
        """
        self._losses = []
        if self._scored is not None:
            self._scored.restart()
        measured: AbstractContextManager[object] = meter or nullcontext()
        loss, seen, told = self._scored or self._lanes.problem.loss, self.probe is not None, 0
        with self._lane.drawing():
            pieces = accumulate(self._lane.model, loss, self._micro_batches(meter), self.weights)
            for index in range(len(self.sizes)):
                answer = Answer.GO if index < unasked else control.ask(spend=True, wait=seen)
                if answer is not Answer.GO:
                    pieces.close()
                    return answer, index
                with measured:
                    if meter is not None:
                        meter.tick()
                    mean_loss = next(pieces)
                # an ordinary loop keeps no losses: where its memory is measured, copies outlive them
                self._losses.append(mean_loss if meter is None else mean_loss.clone())
                del mean_loss
                if self.probe is not None:
                    self.probe.read()
                    # told as they come where somebody watches, else all at the end, which is cheaper
                    if control.counted or not self.probe.keeps:
                        yield from self._tell_pieces(told, control.counted)
                        told = index + 1
                        yield from self._memory_so_far(index, meter, waits=control.held)
            # the generator still holds the last piece
            pieces.close()
        yield from self._tell_pieces(told, control.counted)
        return Answer.GO, len(self.sizes)

    @property
    def score(self) -> float | None:
        """The mean of the task's score over the window, where it is seen and the task has one."""
        return None if self._scored is None else self._scored.mean

    def mean_loss(self) -> float:
        """Σ (b_k/B)·L_k, whatever the weights; one read from the device."""
        return self.weighted(self._losses)

    def weighted(self, losses: list[Tensor]) -> float:
        """Σ (b_k/B)·L_k of mean losses L_k, in float64."""
        values = torch.stack(losses).tolist()
        return float(sum(b * value for b, value in zip(self.sizes, values, strict=True)) / sum(self.sizes))

    def compare(self) -> None:
        """Judge A against R. Where the precision leaves it open, the window is measured again in float64."""
        self.comparison = self._judge()

    def _judge(self) -> Comparison:
        assert self.probe is not None
        measured = self.probe.compare()
        precision = self._lanes.config.precision
        if measured.relative_error is None or precision == "float64" or measured.kind == "equal":
            return measured
        if not self.probe.may_be_rounding(measured.relative_error * self.probe.norm):
            return measured
        decided = self._compare_in_float64()
        if decided is None:
            return measured
        return dataclasses.replace(
            measured, kind=decided.kind, verdict=decided.verdict, decided_in=decided.decided_in
        )

    def compared(self, why: str) -> Compared:
        """The fact that the window was compared."""
        assert self.probe is not None
        assert self.comparison is not None
        return Compared(self.step, self.comparison, why, self.probe.products(), self.probe.layers())

    def _tell_pieces(self, told: int, watched: bool) -> Iterator[Event]:
        """The pieces that were read and not yet told of; their products only where they are watched."""
        if self.probe is None:
            return
        measured = self.probe.measure()
        for index in range(told, len(measured)):
            products = self.probe.products() if watched else None
            yield MicroBatchAdded(
                step=self.step,
                index=index + 1,
                samples=self.sizes[index],
                weight=self.weights[index],
                loss=float(self._losses[index]),
                share=measured[index].share,
                total=measured[index].total,
                values=measured[index].values,
                products=None if products is None else products[index, : index + 1],
                layers=self.probe.layers_of(index) if watched else None,
                watched_values=self.probe.watched_values(index),
            )

    def _memory_so_far(self, index: int, meter: Meter | None, waits: bool) -> Iterator[Event]:
        # each sample reads the whole log
        due = index % max(1, len(self.sizes) // SAMPLES) == 0 or index == len(self.sizes) - 1
        if meter is not None and (due or waits):
            yield MemorySampled(self.step, "accumulated", meter.sample(complete=False))

    def _micro_batches(self, meter: Meter | None) -> Iterator[tuple[Tensor, Tensor]]:
        for indices in torch.split(self._indices, list(self.sizes)):
            # nothing is bound to a name here: the caller alone holds the piece
            yield gather(self._lanes, indices, meter)

    def _compare_in_float64(self) -> Comparison | None:
        """The verdict in float64, or None where the batch does not fit whole, let alone twice as large."""
        if not self._lanes.fits_whole:
            return None
        problem, device = self._lanes.problem, self._lanes.device
        device = device if has(str(device), "float64") else torch.device("cpu")
        model = copy.deepcopy(self._lane.model).to(device).double()
        model.zero_grad()
        inputs = _doubled(problem.inputs[self._indices].to(device))
        targets = _doubled(problem.targets[self._indices].to(device))
        parts = zip(inputs.split(list(self.sizes)), targets.split(list(self.sizes)), strict=True)
        with self._lane.aside(model):
            reference = reference_gradient(model, problem.loss, inputs, targets)
        with self._lane.aside(model):
            for _ in accumulate(model, problem.loss, parts, self.weights):
                pass
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in trainable(model)]
        return compare(flatten(gradients), flatten(reference), None, "float64")

    def _pictures(self) -> tuple[np.ndarray, ...] | None:
        pictures = self._lanes.problem.pictures
        if pictures is None:
            return None
        indices, start, parts = self._indices.cpu().numpy(), 0, []
        for size in self.sizes:
            parts.append(pictures[indices[start : start + min(size, PICTURES)]])
            start += size
        return tuple(parts)


def _doubled(tensor: Tensor) -> Tensor:
    return tensor.double() if tensor.is_floating_point() else tensor


def gather(lanes: Lanes, indices: Tensor, meter: Meter | None) -> tuple[Tensor, Tensor]:
    """Copy the samples at `indices` out of the data set, and tell the meter that they are window data."""
    inputs, targets = lanes.problem.inputs[indices], lanes.problem.targets[indices]
    if meter is not None:
        meter.hold_window(inputs, targets)
    return inputs, targets
