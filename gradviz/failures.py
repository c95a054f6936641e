"""Errors of a run in one sentence, and what running out of memory looks like."""

from __future__ import annotations

import torch

_OUT_OF_MEMORY = ("not enough memory", "can't allocate memory", "out of memory")
"""What torch says where memory runs out: the CPU's on Windows and on Linux, and that of Apple's devices."""
_DEVICE = ("CUDA error", "CUDA driver error", "MPS backend", "cuDNN error", "CUBLAS_STATUS")
"""What torch's errors begin with where a device has failed or is gone."""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether memory ran out, of whatever device."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    return isinstance(error, RuntimeError) and any(words in _first_line(error) for words in _OUT_OF_MEMORY)


def in_words(error: BaseException, step: int, device: str) -> str:
    """What went wrong, and where; step 0 is before the first."""
    where = f"in step {step}" if step else "while the model was built"
    line = _first_line(error)
    if is_out_of_memory(error):
        way_on = ": with more micro-batches each of them needs less" if step else ""
        return f"out of memory on {device} {where}{way_on}"
    if line.startswith(_DEVICE):
        return f"the device {device} failed {where} ({line}): use another, or start the program again"
    return f"{type(error).__name__} {where}" + (f": {line}" if line else "")


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [""])[0].rstrip(".")
