"""Which devices this machine has."""

from __future__ import annotations

import torch

from gradviz.config import ConfigError


def resolve(name: str) -> torch.device:
    """The device that "auto", "cpu", "cuda" or "cuda:1" stands for here.

    Raises:
        ConfigError: the machine has no such device.
    """
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if name == "auto":
        name = "cuda" if count else "cpu"
    if name == "cpu":
        return torch.device("cpu")
    device = torch.device("cuda", 0) if name == "cuda" else torch.device(name)
    if device.index >= count:
        present = ", ".join(["cpu", *(f"cuda:{index}" for index in range(count))])
        raise ConfigError(f"device {name} is not on this machine, which has {present}")
    return device


def title(device: torch.device) -> str:
    """The device as people call it, such as "cpu" or "cuda:0 (NVIDIA H200)"."""
    return f"{device} ({torch.cuda.get_device_name(device)})" if device.type == "cuda" else str(device)
