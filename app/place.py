"""How far a run has come in its window, as far as that has been heard of."""

from __future__ import annotations

from gradviz.config import RunConfig
from gradviz.events import Event, MicroBatchAdded, StepFinished, WindowStarted


class Place:
    """Counts micro-batches added, and credits granted and not yet heard of.

    It is not settled after a hold, when a micro-batch may be on its way and others are not heard of yet, nor
    where the window is to be taken again.
    """

    def __init__(self, config: RunConfig) -> None:
        self.step, self.ahead = 1, 0
        self.settled, self.steps_asked = True, 0
        self.undivided = config.lanes == "full"
        self._added, self._pieces = 0, config.micro_batches

    def hold(self) -> None:
        """All credits were taken back."""
        self.ahead, self.settled, self.steps_asked = 0, False, 0

    def settle(self) -> int:
        """The run waits and everything was heard of; returns how many steps were asked for meanwhile."""
        asked = self.steps_asked
        self.ahead, self.settled, self.steps_asked = 0, True, 0
        return asked

    def to_the_end(self, pieces_next: int) -> int:
        """Micro-batches up to the end of the window, or of the next one, which has `pieces_next`."""
        position, pieces = self._added + self.ahead, self._pieces
        if position >= pieces:
            position, pieces = position - pieces, pieces_next
        return pieces - position % pieces

    def take(self, event: Event) -> None:
        """Something has happened."""
        match event:
            case WindowStarted():
                self.step, self._added, self._pieces = event.step, 0, len(event.sizes)
            case MicroBatchAdded():
                self._added = event.index
                self.ahead = max(0, self.ahead - 1)
            case StepFinished():
                if event.loss_accumulated is None:
                    # only the full-batch lane stepped: that cost one credit, as a piece does
                    self.ahead = max(0, self.ahead - 1)
                self.undivided = event.state_accumulated in (None, "diverged")
