"""How many micro-batches are due at a speed, and how fast it really goes."""

from __future__ import annotations

import math
from collections import deque

FLAT_OUT = math.inf
SPEEDS: tuple[float, ...] = (0.5, 1, 2, 4, 8, 16, 32, 64, FLAT_OUT)
"""Micro-batches a second that can be chosen."""

HUMAN_SPEED = 2.0

_LONGEST_GAP_S = 0.25
_ASLEEP_S = 5.0
_MOST_NOTES = 256


class Pace:
    """Turns time that has passed into whole micro-batches, without a burst after a standstill."""

    def __init__(self) -> None:
        self._last_s: float | None = None
        self._owed = 0.0

    def restart(self) -> None:
        """The next micro-batch is due at once."""
        self._last_s, self._owed = None, 0.0

    def due(self, speed: float, now_s: float) -> int:
        """Micro-batches that are due since the last call, at `speed` a second. `now_s` is monotonic."""
        if self._last_s is None:
            self._last_s = now_s
            return 1
        self._owed += max(0.0, min(now_s - self._last_s, _LONGEST_GAP_S)) * speed
        self._last_s = now_s
        whole = int(self._owed)
        self._owed -= whole
        return whole


class Rate:
    """Steps a second over the last second."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque(maxlen=_MOST_NOTES)

    def forget(self) -> None:
        """What comes has nothing to do with what was."""
        self._seen.clear()

    def measure(self, now_s: float, steps: int) -> float | None:
        """Take note of `steps` at `now_s`; the rate, or None in the first half second.

        So long without a note, the machine slept: that time is no part of any rate.
        """
        if self._seen and not 0 <= now_s - self._seen[-1][0] < _ASLEEP_S:
            self.forget()
        self._seen.append((now_s, steps))
        while len(self._seen) > 2 and now_s - self._seen[0][0] > 1.0:
            self._seen.popleft()
        first_s, first = self._seen[0]
        return (steps - first) / (now_s - first_s) if now_s - first_s >= 0.5 else None
