"""How often the detail of a window is asked for, flat out."""

from __future__ import annotations

from gradviz.events import Compared
from gradviz.history import Moment

_REST = 20.0
_AT_ONCE_S = 0.07
_LONGEST_REST_S = 10.0


class DetailPace:
    """A seen window takes longer than others, so where windows are slow the next one is asked for later.

    It rests twenty times as long as the last one let wait, but for the ticks in which it could not be
    noticed: a run of slow windows loses little of its speed, and one of fast windows is seen as often as it
    is painted.
    """

    def __init__(self) -> None:
        self._asked_s: float | None = None
        self._waits = False
        self._rest_s = 0.0
        self._compared: Compared | None = None

    def asked(self, now_s: float) -> None:
        """The detail of the next window was asked for."""
        self._asked_s, self._waits = now_s, True

    def see(self, moment: Moment | None, now_s: float) -> None:
        """What has come by now."""
        compared = moment.compared if moment is not None else None
        if compared is None or compared is self._compared:
            return
        self._compared = compared
        if self._waits and self._asked_s is not None:
            self._waits = False
            self._rest_s = min(_LONGEST_REST_S, _REST * max(0.0, now_s - self._asked_s - _AT_ONCE_S))

    def rests(self, now_s: float) -> bool:
        """Whether it is too early to ask for another one."""
        return self._asked_s is not None and 0 <= now_s - self._asked_s < self._rest_s
