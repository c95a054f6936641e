"""What the loss plot shows of a run at one moment, thinned out to the pixels there are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gradviz.columns import Changes, Column, Reading
from gradviz.events import LaneName, StepFinished
from gradviz.history import History, Moment

from .decimate import bucket_width, thinned
from .loss_scale import FLOOR, LARGEST, DifferenceScale, LossScale, comfortable_maximum

Floats = NDArray[np.float64]

ROUNDING = {"float32": 1e-5, "float64": 1e-12, "bfloat16": 2.0**-7}
"""Two losses of one run that differ by less than this part of the first loss differ by rounding.

bfloat16 has 8 significant bits, so neighbours are up to 2⁻⁷ apart. Correct runs of digits and moons, in 4 to
256 micro-batches, with SGD and Adam, were apart by at most 3.4e-3 in 100 steps: less than half of that.
"""

_COLUMNS = ("loss_full", "loss_accumulated", "loss_twin", "difference", "twin_apart")
# of more than so many resyncs the newest are marked
_RESYNCS = 20


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A lane's losses as a polyline; `step` and `loss` are its end, `diverged` when it diverged, if so."""

    xs: Floats
    ys: Floats
    step: int
    loss: float
    diverged: int | None


@dataclass(frozen=True, slots=True, eq=False)
class LossPicture:
    """All that the loss plot draws. `twin` and `difference` have no words of their own: only the lines.

    `faulty` says of each point of the lines whether the step taken there was made without 1/N: a loss is
    measured before its step, so this coloured what follows the point. `peak_faulty` says so of the step
    that led to the accumulated lane's peak. `resyncs` are steps and losses right after each resync,
    `twin_from` is the first step of the twin's last stretch.
    """

    steps: int
    last_step: int
    scale: LossScale
    difference_scale: DifferenceScale
    rounding: float
    lanes: dict[LaneName, Line]
    twin: Line | None
    twin_apart: float
    difference: Line | None
    peaks: dict[LaneName, tuple[int, float]]
    faulty: NDArray[np.bool_]
    peak_faulty: bool
    resyncs: tuple[tuple[int, float], ...]
    twin_from: int

    @property
    def equal(self) -> bool:
        """Whether the last known difference of the lanes is no more than rounding."""
        if self.difference is None:
            return False
        return self.difference.loss <= self.rounding

    @property
    def coincide(self) -> bool:
        """Whether the eye cannot tell the two lanes' lines apart."""
        if len(self.lanes) < 2:
            return False
        full, accumulated = (self.lanes[name].ys for name in ("full", "accumulated"))
        return bool(np.isnan(full).sum() == np.isnan(accumulated).sum()) and not self._seen_apart(
            full, accumulated
        )

    @property
    def twin_coincides(self) -> bool:
        """Whether the eye cannot tell the twin's line from the accumulated lane's."""
        accumulated = self.lanes.get("accumulated")
        if self.twin is None or accumulated is None:
            return False
        return not self._seen_apart(self.twin.ys, accumulated.ys)

    def _seen_apart(self, one: Floats, other: Floats) -> bool:
        apart = np.abs(self.scale.heights(one) - self.scale.heights(other))
        return bool((apart > 0.012).any())


def told(column: str, finished: StepFinished) -> float | None:
    """What a step said of itself that went into this column."""
    value: float | None
    if column == "difference":
        full, accumulated = finished.loss_full, finished.loss_accumulated
        value = None if full is None or accumulated is None else abs(full - accumulated)
    else:
        value = getattr(finished, column)
    return None if value is None or np.isnan(value) else value


class LossLines:
    """Reads a history's columns up to a moment, and thins them out."""

    def __init__(self) -> None:
        self._columns = {name: Column() for name in _COLUMNS}
        self._faulty = Changes()
        self._resynced: list[int] = []
        self._first: StepFinished | None = None
        self._moment: Moment | None = None
        self._all = 0

    def take(self, history: History, moment: Moment | None) -> None:
        """Look at `history` up to `moment` from now on."""
        # its columns, and not itself: nobody but the session is to keep a run
        self._columns = {name: history.numbers(name) for name in _COLUMNS}
        self._faulty, self._resynced = history.changes("faulty"), history.resynced
        self._first, self._moment, self._all = history.first, moment, history.steps

    @property
    def has_twin_now(self) -> bool:
        """Whether the newest step of all had a twin."""
        return self._all > 0 and self._columns["loss_twin"].at(self._all) is not None

    def made_faulty(self, step: int) -> bool:
        """Whether `step` was taken without 1/N."""
        return bool(self._faulty.at(step))

    def reading(self, column: str, step: int) -> Reading | None:
        """A column's value at `step`, or what is known of it."""
        value = self._newest(column)
        if value is not None and self._moment is not None and step == self._moment.steps:
            return Reading(step, step, value, value)
        return self._columns[column].at(step)

    def picture(self, pixels: int) -> LossPicture | None:
        """The lines for a plot that is `pixels` wide; None before there is a run."""
        if self._moment is None:
            return None
        moment, last = self._moment, comfortable_maximum(max(self._all, 1))
        width = bucket_width(last, pixels)
        lines = {name: self._line(name, moment, width) for name in ("full", "accumulated", "twin")}
        lanes: dict[LaneName, Line] = {}
        for name in ("full", "accumulated"):
            if (line := lines[name]) is not None:
                lanes[name] = line
        first = self._first_loss(moment.run.guessing_loss)
        difference = self._difference(moment, width) if len(lanes) == 2 else None
        peaks = self._peaks(lanes, moment.steps)
        points = max((len(line.xs) for line in lanes.values()), default=0)
        return LossPicture(
            steps=moment.steps,
            last_step=last,
            scale=LossScale.of(first, self._peak_of_all()),
            difference_scale=DifferenceScale.of(self._largest("difference") if len(lanes) == 2 else None),
            rounding=max(ROUNDING[moment.run.config.precision] * first, FLOOR),
            lanes=lanes,
            twin=lines["twin"],
            twin_apart=self._twin_apart(moment.steps, width) if lines["twin"] else 0.0,
            difference=difference,
            peaks=peaks,
            faulty=self._flags(moment.steps, width)[:points],
            peak_faulty="accumulated" in peaks and self.made_faulty(peaks["accumulated"][0] - 1),
            resyncs=self._resyncs(moment.steps),
            twin_from=self._begin(moment.steps) if lines["twin"] else 0,
        )

    def _newest(self, column: str) -> float | None:
        """The moment's own last value; where the column has only a stretch there, as its step told it."""
        steps = self._moment.steps if self._moment is not None else 0
        reading = self._columns[column].at(steps) if steps else None
        if reading is None or reading.exact:
            return None if reading is None else reading.low
        finished = self._moment.finished if self._moment is not None else None
        return None if finished is None else told(column, finished)

    def _flags(self, steps: int, width: int) -> NDArray[np.bool_]:
        width = self._columns["loss_full"].width(width)
        flags = self._faulty.any_set(steps, width)
        return flags if width == 1 else np.repeat(flags, 2)

    def _resyncs(self, steps: int) -> tuple[tuple[int, float], ...]:
        found = [(step, self.reading("loss_accumulated", step)) for step in self._resynced if step <= steps]
        # in a stretch the mark stands at its middle, and tells no value
        known = [(step, (at.low + at.high) / 2) for step, at in found if at is not None]
        return tuple((step, min(loss, LARGEST)) for step, loss in known)[-_RESYNCS:]

    def _begin(self, steps: int) -> int:
        """The first step of the twin's last stretch."""
        ending = self._columns["loss_twin"].ending(steps)
        return ending.begun if ending is not None else 0

    def _points(self, name: str, value: float | None, steps: int, width: int) -> tuple[Floats, Floats]:
        """A column as a polyline that ends with the moment's own `value` where its stretch goes on."""
        xs, ys = thinned(self._columns[name], steps, width)
        if len(xs) and steps > xs[-1] + (self._columns[name].width(width) - 1) / 2:
            xs, ys = np.append(xs, float(steps)), np.append(ys, np.nan if value is None else value)
        return xs, np.minimum(ys, LARGEST)

    def _line(self, name: str, moment: Moment, width: int) -> Line | None:
        name_of_column = f"loss_{name}"
        value, ending = self._newest(name_of_column), self._columns[name_of_column].ending(moment.steps)
        if ending is None:
            return None
        xs, ys = self._points(name_of_column, value, moment.steps, width)
        # of a stretch of losses that is over, the last one is known
        step, loss = (moment.steps, value) if value is not None else (ending.step, ending.reading.high)
        diverged = None
        if name != "twin" and moment.states.get(name) == "diverged":  # type: ignore[call-overload]
            # a loss that is not a number leaves no row: it was the step after the last one known
            diverged = step + (1 if loss <= LARGEST and step < moment.steps else 0)
        return Line(xs, ys, step, loss, diverged)

    def _difference(self, moment: Moment, width: int) -> Line | None:
        value, ending = self._newest("difference"), self._columns["difference"].ending(moment.steps)
        if ending is None:
            return None
        xs, ys = self._points("difference", value, moment.steps, width)
        step, apart = (moment.steps, value) if value is not None else (ending.step, ending.reading.high)
        return Line(xs, ys, step, apart, None)

    def _twin_apart(self, steps: int, width: int) -> float:
        ends = self._columns["twin_apart"].extremes(steps, width)
        return float(np.nanmax(ends)) if not np.isnan(ends).all() else 0.0

    def _peaks(self, lanes: dict[LaneName, Line], steps: int) -> dict[LaneName, tuple[int, float]]:
        found = {name: self._columns[f"loss_{name}"].peak(steps) for name in lanes}
        return {name: (peak[0], min(peak[1], LARGEST)) for name, peak in found.items() if peak is not None}

    def _largest(self, name: str) -> float | None:
        """Of all steps, not only of those drawn: going back in time must not move an axis."""
        peak = self._columns[name].peak(self._all)
        return None if peak is None else min(peak[1], LARGEST)

    def _peak_of_all(self) -> float | None:
        peaks = [self._largest(f"loss_{name}") for name in ("full", "accumulated")]
        return max((peak for peak in peaks if peak is not None), default=None)

    def _first_loss(self, guessing: float) -> float:
        first = self._first
        for loss in (first.loss_full, first.loss_accumulated) if first is not None else ():
            if loss is not None and np.isfinite(loss):
                return min(loss, LARGEST)
        return guessing if np.isfinite(guessing) else 1.0
