"""Which source tells a device's memory."""

from __future__ import annotations

import torch
from torch import nn
from torch.optim import Optimizer

from gradviz.memory import Meter
from gradviz.memory.cuda import CudaMemory
from gradviz.memory.traced import TracedMemory


def meter_for(model: nn.Module, optimizer: Optimizer, device: torch.device) -> Meter:
    """A meter for the lane that trains `model` with `optimizer` on `device`."""
    if device.type == "cuda":
        return CudaMemory(model, optimizer, device)
    return TracedMemory(model, optimizer)
