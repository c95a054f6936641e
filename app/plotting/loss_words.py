"""What the loss pane says about its curves, and how a loss is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gradviz.columns import Reading
from gradviz.events import LaneName
from gradviz.history import Moment

BETWEEN = "  ·  "
"""Stands between two things said in one line."""


@dataclass(frozen=True, slots=True)
class LossWords:
    """What the pane says about the curves. `caption` has its parts in the lines it may be broken into.

    `short` are the names for a narrow plot. `compared` says whether there are two lanes, whose difference is
    drawn where there is room.
    """

    names: dict[LaneName, str]
    short: dict[LaneName, str]
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


def reading_words(step: int, readings: Mapping[str, Reading]) -> str:
    """What is known at `step`, by name; of older steps that is where the values of several lay."""
    parts = [f"{name} {_between(reading)}" for name, reading in readings.items()]
    stretch = next((reading for reading in readings.values() if not reading.exact), None)
    place = f"step {step}" if stretch is None else f"steps {stretch.first} to {stretch.last}"
    return BETWEEN.join([place, *parts])


def score_words(moment: Moment) -> tuple[str, ...]:
    """The newest score that was measured, and where, in ever fewer words; nothing where there is none.

    Of a lane that is trained but was not measured then, that is said.
    """
    scores, title, unit = moment.scores, moment.run.score_title, moment.run.score_unit
    if scores is None or title is None:
        return ()
    trained = {"full": scores.full, "accumulated": scores.accumulated}
    if moment.run.config.lanes != "both":
        trained = {moment.run.config.lanes: trained[moment.run.config.lanes]}
    told = {lane: "not measured" if value is None else _score(value, unit) for lane, value in trained.items()}
    places = (f"{title} in the batch of step {scores.step}: ", f"{title} at step {scores.step}: ")
    if len(told) == 2 and len(set(told.values())) == 1:
        return tuple(f"{place}{told['full']} in both runs" for place in places)
    long, short = (
        ", ".join(f"{names[lane]} {words}" for lane, words in told.items())
        for names in (
            {"full": "full batch", "accumulated": "accumulated"},
            {"full": "full", "accumulated": "accum."},
        )
    )
    return (places[0] + long, places[1] + long, places[1] + short)


def _score(value: float, unit: str) -> str:
    if unit == "%":
        return f"{100 * value:.1f} %"
    return f"{number(value)} {unit}".rstrip()


def _between(reading: Reading) -> str:
    low, high = number(reading.low), number(reading.high)
    return low if low == high else f"{low} to {high}"
