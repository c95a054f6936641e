"""The lanes of one run: built from its configuration, kept in step with its live settings."""

from __future__ import annotations

import copy

import msgspec
import torch

from gradviz import devices, tasks
from gradviz.config import RunConfig
from gradviz.events import RunStarted
from gradviz.lane import Lane
from gradviz.layers import layers_of
from gradviz.order import SampleOrder
from gradviz.probes import Room
from gradviz.scaling import even_sizes, weights
from gradviz.tasks import Problem


class Lanes:
    """The problem and up to three lanes: full batch, accumulated, and the twin of a faulty accumulated one.

    The twin is a correct ÷ N run at N times the learning rate, which is what SGD makes of a missing 1/N.
    """

    def __init__(self, config: RunConfig) -> None:
        """Draw the first weights, the same for every lane.

        Raises:
            ConfigError: the device is not on this machine, or does not have the precision.
        """
        self.device = devices.resolve(config.device, config.precision)
        self.config = msgspec.structs.replace(config, device=str(self.device))
        task = tasks.find(config.task)
        torch.manual_seed(config.seed)
        self.problem: Problem = task.build(config, self.device, getattr(torch, config.precision))
        self.fits_whole = True
        self.order = SampleOrder(task.samples, config.seed)
        model = self.problem.model
        self.full = self._lane(copy.deepcopy(model)) if config.lanes != "accumulated" else None
        self.accumulated = self._lane(model) if config.lanes != "full" else None
        self.twin: Lane | None = None
        self.layers, self.room = layers_of(model), Room()
        self._title = task.title
        self._warm_up()
        self.apply(self.config)

    def started(self) -> RunStarted:
        """The fact that all this stands."""
        score, plane = self.problem.score, self.problem.plane
        return RunStarted(
            config=self.config,
            task_title=self._title,
            model_title=self.problem.model_title,
            device_title=devices.title(self.device),
            parameters=sum(parameter.numel() for parameter in self.problem.model.parameters()),
            guessing_loss=self.problem.guessing_loss,
            guessing_title=self.problem.guessing_title,
            layers=self.layers,
            score_title=None if score is None else score.title,
            score_unit="" if score is None else score.unit,
            points=None if plane is None else plane.points,
            labels=None if plane is None else plane.labels,
        )

    @property
    def any_steps(self) -> bool:
        """Whether a lane is left that has not diverged."""
        return any(lane is not None and lane.steps for lane in (self.full, self.accumulated))

    def apply(self, config: RunConfig) -> None:
        """Take over live settings; the rest of `config` is as it was."""
        self.sizes = config.sizes or even_sizes(config.batch, config.micro_batches)
        self.weights = weights(config.scaling, self.sizes)
        right = weights("samples", self.sizes)
        self.equal_by_design = all(abs(a - b) <= 1e-12 for a, b in zip(self.weights, right, strict=True))
        self.config = msgspec.structs.replace(config, device=str(self.device))
        for lane in (self.full, self.accumulated):
            if lane is not None:
                lane.set_learning_rate(config.lr)
        self._prepare_twin()

    def run_out_of_memory(self) -> None:
        """Take no whole batch any more, and give back what was held for one."""
        self.fits_whole = False
        if self.full is not None:
            self.full.progress.give_up()
            self.full.optimizer.zero_grad()
        devices.release(self.device)

    def resync(self) -> bool:
        """Copy the full-batch lane to the accumulated one; returns whether there was one to copy."""
        if self.full is None or self.accumulated is None or not self.full.steps:
            return False
        self.accumulated.become(self.full)
        self.twin = None
        self._prepare_twin()
        return True

    def _lane(self, model: torch.nn.Module) -> Lane:
        return Lane(model, self.config, self.device, self.problem.guessing_loss)

    def _prepare_twin(self) -> None:
        config, original = self.config, self.accumulated
        has_twin = config.twin and config.optimizer == "sgd" and config.scaling == "unscaled"
        if not has_twin or original is None or not original.steps:
            self.twin = None
            return
        if self.twin is None:
            self.twin = self._lane(copy.deepcopy(original.model))
            self.twin.become(original)
        self.twin.set_learning_rate(config.lr * config.micro_batches)

    def _warm_up(self) -> None:
        if self.device.type == "cpu":
            return
        inputs, targets = self.problem.inputs[:2], self.problem.targets[:2]
        for lane in (self.full, self.accumulated):
            if lane is not None:
                lane.warm_up(self.problem.loss, inputs, targets)
