"""Models, and the loops whose memory is measured and logged, for the tests of memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim import SGD, Adam, Optimizer
from torch.profiler import ProfilerActivity, profile, record_function

from gradviz.memory import KINDS, MemorySample, Meter
from gradviz.memory.traced import TracedMemory

MIB = 2**20
Loss = Callable[[Tensor, Tensor], Tensor]


class Setup(NamedTuple):
    """A model, its data and its optimizer; `model` makes a new one each time."""

    model: Callable[[], nn.Module]
    inputs: Tensor
    targets: Tensor
    optimizer: Callable[[nn.Module], Optimizer]
    loss: Loss = functional.cross_entropy


def sgd(model: nn.Module) -> Optimizer:
    return SGD(model.parameters(), 0.1)


def momentum(model: nn.Module) -> Optimizer:
    return SGD(model.parameters(), 0.1, momentum=0.9)


def adam(model: nn.Module) -> Optimizer:
    return Adam(model.parameters(), 0.01)


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 10))


def relu_net() -> nn.Module:
    hidden = [layer for _ in range(3) for layer in (nn.Linear(128, 128), nn.ReLU())]
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), *hidden, nn.Linear(128, 10))


def cnn() -> nn.Module:
    return nn.Sequential(
        nn.Unflatten(1, (1, 8, 8)),
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(512, 10),
    )


def wide_cnn() -> nn.Module:
    return nn.Sequential(
        nn.Unflatten(1, (1, 8, 8)),
        nn.Conv2d(1, 32, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(32, 64, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(1024, 10),
    )


def convolution_net() -> nn.Module:
    return nn.Sequential(
        nn.Unflatten(1, (1, 8, 8)),
        nn.Conv2d(1, 8, 3, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.Conv2d(8, 8, 3, padding=1),
        nn.Flatten(),
        nn.Linear(512, 10),
    )


def dropout_net() -> nn.Module:
    return nn.Sequential(
        nn.Linear(64, 128), nn.LayerNorm(128), nn.GELU(), nn.Dropout(0.2), nn.Linear(128, 10)
    )


def linears() -> nn.Module:
    return nn.Sequential(*[nn.Linear(512, 512) for _ in range(8)])


def tanhs() -> nn.Module:
    return nn.Sequential(*[layer for _ in range(12) for layer in (nn.Linear(256, 256), nn.Tanh())])


def digits_like(
    model: Callable[[], nn.Module], optimizer: Callable[[nn.Module], Optimizer] = sgd, batch: int = 256
) -> Setup:
    return Setup(model, torch.randn(batch, 64), torch.randint(10, (batch,)), optimizer)


def mean_square(outputs: Tensor, _: Tensor) -> Tensor:
    return outputs.pow(2).mean()


def take_window(
    model: nn.Module,
    optimizer: Optimizer,
    setup: Setup,
    pieces: Sequence[Tensor],
    meter: Meter | None = None,
    after_piece: Callable[[], None] = lambda: None,
) -> None:
    """Gradient accumulation as people write it; the piece is let go before the next one is gathered."""
    measured: AbstractContextManager[object] = nullcontext() if meter is None else meter
    for indices in pieces:
        with measured:
            if meter is not None:
                meter.tick()
            inputs, targets = setup.inputs[indices], setup.targets[indices]
            if meter is not None:
                meter.hold_window(inputs, targets)
            loss = setup.loss(model(inputs), targets) / len(pieces)
            loss.backward()
        after_piece()
        del inputs, targets, loss
    with measured:
        optimizer.step()
        optimizer.zero_grad()


def cut(setup: Setup, pieces: int) -> tuple[Tensor, ...]:
    return torch.tensor_split(torch.arange(len(setup.inputs)), pieces)


def traced(setup: Setup, pieces: int, windows: int = 1) -> list[MemorySample]:
    model = setup.model()
    optimizer = setup.optimizer(model)
    meter = TracedMemory(model, optimizer)
    samples = []
    for _ in range(windows):
        meter.begin()
        take_window(model, optimizer, setup, cut(setup, pieces), meter)
        samples.append(meter.sample(complete=True))
    return samples


def logged_peaks(setup: Setup, pieces: int, windows: int) -> list[int]:
    """The peak of each window by the allocator's own log, which sees the model made, but not the data."""
    indices = cut(setup, pieces)
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        model = setup.model()
        optimizer = setup.optimizer(model)
        for _ in range(windows):
            with record_function("one window"):
                take_window(model, optimizer, setup, indices)
    events = profiler.profiler.kineto_results.events()
    log = sorted(
        ((event.start_ns(), event.nbytes()) for event in events if event.name() == "[memory]"),
        key=lambda change: change[0],
    )
    at = np.array([time for time, _ in log])
    live = np.cumsum([change for _, change in log])
    starts = sorted(event.start_ns() for event in events if event.name() == "one window")
    assert len(starts) == windows
    first = np.searchsorted(at, starts)
    # what is live when a window begins is the last figure before it
    return [int(live[a - 1 : b].max()) for a, b in zip(first, [*first[1:], len(live)], strict=True)]


def parameter_bytes(model: nn.Module) -> int:
    return sum(parameter.numel() * parameter.element_size() for parameter in model.parameters())


def kinds_at_peak(sample: MemorySample) -> list[int]:
    return [getattr(sample, f"{kind}_bytes") for kind in KINDS]


# The published cases cut their pieces out of one loaded batch, which stays and is counted; there are no
# targets. So 16.09 and 17.10 MiB; a lane that holds its piece alone has 17.07 in place of 17.10. The trough
# of 4.01 MiB is parameters and inputs. The ratios 0.68 and 0.58 come of a loop that keeps a piece's outputs
# in a variable until the next outputs are there; the other figures are the same without, or need it so.
def window_held_whole(
    setup: Setup, pieces: int, windows: int = 1, *, keeps_outputs: bool = False
) -> list[MemorySample]:
    model = setup.model()
    optimizer = setup.optimizer(model)
    meter = TracedMemory(model, optimizer)
    meter.hold_window(setup.inputs)
    samples = []
    for _ in range(windows):
        meter.begin()
        outputs = []
        for inputs in setup.inputs.tensor_split(pieces):
            with meter:
                meter.tick()
                outputs.append(model(inputs))
                del outputs[:-1]
                loss = setup.loss(outputs[0] if keeps_outputs else outputs.pop(), inputs) / pieces
                loss.backward()
            del loss
        del outputs
        with meter:
            optimizer.step()
            optimizer.zero_grad()
        samples.append(meter.sample(complete=True))
    return samples


def case(
    model: Callable[[], nn.Module], batch: int, width: int, optimizer: Callable[..., Optimizer]
) -> Setup:
    return Setup(model, torch.randn(batch, width), torch.zeros(batch), optimizer, mean_square)
