"""Which devices this machine has, and what they can do."""

from __future__ import annotations

import torch

from gradviz.config import ConfigError


def resolve(name: str, precision: str) -> torch.device:
    """The device that "auto", "cpu", "cuda", "cuda:1" or "mps" stands for here.

    Raises:
        ConfigError: the machine has no such device, or the device does not have the precision.
    """
    cards = torch.cuda.device_count() if torch.cuda.is_available() else 0
    present = ["cpu", *(f"cuda:{index}" for index in range(cards))]
    if torch.backends.mps.is_available():
        present.append("mps")
    if name == "auto":
        fast = [device for device in present[1:] if has(device, precision)]
        name = fast[0] if fast else "cpu"
    wanted = "cuda:0" if name == "cuda" else name
    if wanted not in present:
        raise ConfigError(f"device {name} is not on this machine, which has {', '.join(present)}", "device")
    if not has(wanted, precision):
        raise ConfigError(f"precision is {precision}, which device {wanted} does not have", "precision")
    return torch.device(wanted)


def has(device: str, precision: str) -> bool:
    """Whether the device computes in that number format."""
    return not (device == "mps" and precision == "float64")


def title(device: torch.device) -> str:
    """The device as people call it, such as "cpu" or "cuda:0 (NVIDIA H200)"."""
    return f"{device} ({torch.cuda.get_device_name(device)})" if device.type == "cuda" else str(device)


def release(device: torch.device) -> None:
    """Give memory that is cached but not used back to the device."""
    if device.type == "cuda":
        torch.cuda.empty_cache()
    elif device.type == "mps":
        torch.mps.empty_cache()
