"""Memory that an operation takes and gives back inside itself, by the CPU allocator's own log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

_autograd: Any = torch._C._autograd
_LOGS = hasattr(_autograd, "_enable_profiler_legacy") and hasattr(_autograd, "_disable_profiler_legacy")


def can_be_logged(device: torch.device) -> bool:
    """Whether the allocator's log can be had: this torch has it, and no profiler is at work that has it."""
    return bool(_LOGS and device.type == "cpu" and not _autograd._profiler_enabled())


class AllocatorLog:
    """Reads the allocator's log over single operations of the calling thread.

    This is what torch's profiler reads, but of one thread, and taken up and laid down in 4 µs where the
    profiler takes milliseconds.
    """

    def __init__(self) -> None:
        profiler: Any = torch._C._profiler
        experimental = profiler._ExperimentalConfig()
        # shapes no, memory yes, stacks no, operations no, modules no
        self._config = profiler.ProfilerConfig(
            profiler.ProfilerState.CPU, False, True, False, False, False, experimental
        )

    def call(
        self, func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Any, int, int]:
        """What `func` returns, the most bytes that it held at one moment, and those held at its end."""
        _autograd._enable_profiler_legacy(self._config)
        try:
            result = func(*args, **kwargs)
        finally:
            threads = _autograd._disable_profiler_legacy()
        held = most = 0
        for records in threads:
            for record in records:
                if record.kind() == "memory_alloc":
                    held += record.cpu_memory_usage()
                    most = max(most, held)
        return result, most, held
