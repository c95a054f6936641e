"""How a lane is doing, judged by its losses alone."""

from __future__ import annotations

import math
from collections import deque

from gradviz.events import State

EXPLODED = 10.0
"""A loss so many times the first one is called exploded."""
DIVERGED = 1e6
"""A loss above this, or one that is not a number, has diverged for good."""
STUCK_WINDOWS, STUCK_WITHIN = 20, 0.05
"""So many windows in a row, within so much of the guessing loss, are called stuck."""


class RunState:
    """Takes a loss a window and says what has become of the lane; "diverged" and "does not fit" are final."""

    def __init__(self, guessing_loss: float) -> None:
        self.state: State = "training"
        self._guessing_loss = guessing_loss
        self._first: float | None = None
        self._has_been_elsewhere = False
        self._near: deque[bool] = deque(maxlen=STUCK_WINDOWS)

    @property
    def goes_on(self) -> bool:
        """Whether the lane steps any more."""
        return self.state not in ("diverged", "does not fit")

    def give_up(self) -> None:
        """The window does not fit in memory."""
        self.state = "does not fit"

    def observe(self, loss: float) -> State:
        """Take the loss of the next window, return the state."""
        if self._first is None:
            self._first = loss
        near = abs(loss - self._guessing_loss) <= STUCK_WITHIN * self._guessing_loss
        self._has_been_elsewhere = self._has_been_elsewhere or not near
        self._near.append(near)
        if self.state == "diverged" or not math.isfinite(loss) or loss > DIVERGED:
            self.state = "diverged"
        elif loss > EXPLODED * self._first:
            self.state = "exploded"
        elif self._has_been_elsewhere and len(self._near) == STUCK_WINDOWS and all(self._near):
            self.state = "stuck"
        else:
            self.state = "training"
        return self.state
