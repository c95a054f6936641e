"""Random state and buffers: saved, and put back as if nothing had been drawn or counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True, slots=True, eq=False)
class RandomState:
    """The state of torch's global generators: the CPU's, and that of one other device where there is one."""

    cpu: Tensor
    device: torch.device
    other: Tensor | None

    @classmethod
    def now(cls, device: torch.device) -> RandomState:
        """Read the present state."""
        other = None
        if device.type == "cuda":
            other = torch.cuda.get_rng_state(device)
        elif device.type == "mps":
            other = torch.mps.get_rng_state()
        return cls(torch.get_rng_state(), device, other)

    def put_back(self) -> None:
        """Make this the present state again."""
        torch.set_rng_state(self.cpu)
        if self.other is None:
            return
        if self.device.type == "cuda":
            torch.cuda.set_rng_state(self.other, self.device)
        else:
            torch.mps.set_rng_state(self.other)


@contextmanager
def untouched(model: nn.Module, device: torch.device) -> Iterator[None]:
    """Inside, the model may draw and count; afterwards random state and buffers are as they were."""
    buffers = list(model.buffers())
    state, saved = RandomState.now(device), save_buffers(buffers)
    try:
        yield
    finally:
        state.put_back()
        put_back_buffers(buffers, saved)


def save_buffers(buffers: Sequence[Tensor]) -> list[Tensor]:
    """Copies of a model's buffers, such as the running means of a normalization."""
    return [buffer.clone() for buffer in buffers]


def put_back_buffers(buffers: Sequence[Tensor], saved: Sequence[Tensor]) -> None:
    """Fill the buffers with what `save_buffers` returned."""
    with torch.no_grad():
        for buffer, values in zip(buffers, saved, strict=True):
            buffer.copy_(values)
