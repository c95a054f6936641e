"""One training run: a model with its optimizer, its random state and what has become of it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.optim import SGD, Adam, AdamW, Optimizer

from gradviz.config import RunConfig
from gradviz.rng import RandomState, put_back_buffers, save_buffers, untouched
from gradviz.run_state import RunState

_OPTIMIZERS: dict[str, Callable[[Iterator[nn.Parameter], float], Optimizer]] = {
    "sgd": lambda parameters, lr: SGD(parameters, lr),
    "momentum": lambda parameters, lr: SGD(parameters, lr, momentum=0.9),
    "adam": lambda parameters, lr: Adam(parameters, lr),
    "adamw": lambda parameters, lr: AdamW(parameters, lr),
}


class Lane:
    """A model that is trained on its own. Lanes share nothing but the samples they are given."""

    def __init__(
        self, model: nn.Module, config: RunConfig, device: torch.device, guessing_loss: float
    ) -> None:
        """Train `model` from here on; its random state starts as torch's global one is now."""
        self.model = model
        self.optimizer = _OPTIMIZERS[config.optimizer](model.parameters(), config.lr)
        self.device = device
        self.guessing_loss = guessing_loss
        self.progress = RunState(guessing_loss)
        self.random_state = RandomState.now(device)
        self._buffers = list(model.buffers())
        self.begin_window()

    @property
    def steps(self) -> bool:
        """Whether it still steps: a lane that has diverged or does not fit does not."""
        return self.progress.goes_on

    def drawing(self) -> _Drawing:
        """Inside, torch's global random state is this lane's own."""
        return _Drawing(self)

    @contextmanager
    def aside(self, model: nn.Module) -> Iterator[None]:
        """Inside, `model` draws what this lane draws in its window from the start; nothing of it remains."""
        with untouched(model, self.device):
            self._window_random_state.put_back()
            yield

    def begin_window(self) -> None:
        """Remember random state and buffers: weights change only in the step, so that is all to go back."""
        self._window_random_state = self.random_state
        self._window_buffers: list[Tensor] = save_buffers(self._buffers)

    def take_back_window(self) -> None:
        """Be as at `begin_window`, with no gradient."""
        self.random_state = self._window_random_state
        put_back_buffers(self._buffers, self._window_buffers)
        self.optimizer.zero_grad()

    def step(self) -> None:
        """Let the optimizer step, then set the gradients to None, as everybody's loop does."""
        self.optimizer.step()
        self.optimizer.zero_grad()

    def set_learning_rate(self, lr: float) -> None:
        """Use `lr` from the next step on."""
        for group in self.optimizer.param_groups:
            group["lr"] = lr

    def become(self, other: Lane) -> None:
        """Copy the other lane: weights, optimizer, and random state and buffers as its window began.

        Called before the first piece of a window; the gradient is dropped.
        """
        self.optimizer.zero_grad()
        with torch.no_grad():
            for mine, theirs in zip(self.model.parameters(), other.model.parameters(), strict=True):
                mine.copy_(theirs)
        put_back_buffers(self._buffers, other._window_buffers)
        self.optimizer.load_state_dict(copy.deepcopy(other.optimizer.state_dict()))
        self.random_state = other._window_random_state
        self.progress = RunState(self.guessing_loss)
        self.begin_window()

    def warm_up(self, loss: Callable[[Tensor, Tensor], Tensor], inputs: Tensor, targets: Tensor) -> None:
        """Run forward and backward once, without a trace: libraries take workspaces at the first use."""
        with self.drawing():
            loss(self.model(inputs), targets).mean().backward()
        self.take_back_window()


class _Drawing:
    """Puts a lane's random state in the place of torch's global one, and keeps what has become of it.

    A generator with @contextmanager would cost half a percent of a step, twice.
    """

    __slots__ = ("_lane",)

    def __init__(self, lane: Lane) -> None:
        self._lane = lane

    def __enter__(self) -> None:
        self._lane.random_state.put_back()

    def __exit__(self, *_: object) -> None:
        self._lane.random_state = RandomState.now(self._lane.device)
