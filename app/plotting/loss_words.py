"""What the loss pane says about its curves, and how a loss is written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradviz.events import LaneName


@dataclass(frozen=True, slots=True)
class LossWords:
    """What the pane says about the curves. `caption` has its parts in the lines it may be broken into.

    `compared` says whether there are two lanes, whose difference is drawn.
    """

    names: dict[LaneName, str]
    colours: dict[LaneName, str]
    states: dict[LaneName, str]
    guessing: float
    guessing_title: str
    caption: tuple[str, ...] = ()
    caption_colour: str = ""
    faulty: bool = False
    compared: bool = True


def number(value: float, digits: int = 4) -> str:
    """A loss with about `digits` digits (one fewer below 1), as people write it."""
    if value == 0 or not np.isfinite(value):
        return "0" if value == 0 else "not finite"
    if 1e-3 <= abs(value) < 1e5:
        power = int(np.floor(np.log10(abs(value))))
        places = max(0, digits - 1 - power - (power < 0))
        return f"{value:.{places}f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}".replace("-", "−")
