"""What the loss plot shows of a run at one moment, thinned out to the pixels there are."""

from __future__ import annotations

import weakref
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gradviz.events import LaneName
from gradviz.history import History, Moment

from .decimate import Columns, Rows, bucket_width, highest
from .loss_scale import FLOOR, LARGEST, DifferenceScale, LossScale, comfortable_maximum

Floats = NDArray[np.float64]

ROUNDING = {"float32": 1e-5, "float64": 1e-12}
"""Two losses of one run that differ by less than this part of the first loss differ by rounding."""

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
        known = self.difference.ys[~np.isnan(self.difference.ys)]
        return bool(known[-1] <= self.rounding)

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


class LossLines:
    """Reads a history's loss columns and keeps what it has thinned out, so that only new rows cost."""

    def __init__(self) -> None:
        self._history: weakref.ref[History] | None = None
        self._columns = {
            name: Columns() for name in ("full", "accumulated", "twin", "difference", "apart", "faulty")
        }
        self._losses: dict[str, Floats] = {}
        self._faulty: Floats = np.empty(0)
        self._resynced: list[int] = []
        self._moment: Moment | None = None
        self._all = 0

    def take(self, history: History, moment: Moment | None) -> None:
        """Look at `history` up to `moment` from now on."""
        if self._history is None or self._history() is not history:
            self._history = weakref.ref(history)
            for columns in self._columns.values():
                columns.clear()
        self._moment, self._all = moment, history.steps
        self._losses = {name: history.column(f"loss_{name}") for name in ("full", "accumulated", "twin")}
        self._faulty, self._resynced = history.column("faulty"), history.resynced

    @property
    def has_twin_now(self) -> bool:
        """Whether the newest step of all had a twin."""
        return self._all > 0 and not np.isnan(self._losses["twin"][self._all - 1])

    def made_faulty(self, step: int) -> bool:
        """Whether `step` was taken without 1/N."""
        return 1 <= step <= len(self._faulty) and bool(self._faulty[step - 1])

    def loss_at(self, name: str, step: int) -> float | None:
        """The loss of a lane or of the twin at `step`, as it was measured."""
        value = float(self._losses[name][step - 1])
        return None if np.isnan(value) else value

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
        difference, largest = self._difference(moment, width) if len(lanes) == 2 else (None, None)
        peaks = self._peaks(lanes, moment.steps, width)
        return LossPicture(
            steps=moment.steps,
            last_step=last,
            scale=LossScale.of(first, self._peak_of_all(width)),
            difference_scale=DifferenceScale.of(largest),
            rounding=max(ROUNDING[moment.run.config.precision] * first, FLOOR),
            lanes=lanes,
            twin=lines["twin"],
            twin_apart=self._twin_apart(moment.steps, width) if lines["twin"] else 0.0,
            difference=difference,
            peaks=peaks,
            faulty=self._flags(moment.steps, width),
            peak_faulty="accumulated" in peaks and self.made_faulty(peaks["accumulated"][0] - 1),
            resyncs=self._resyncs(moment.steps),
            twin_from=self._begin(lines["twin"], width) if lines["twin"] else 0,
        )

    def _flags(self, steps: int, width: int) -> NDArray[np.bool_]:
        faulty = self._faulty
        _, ys = self._columns["faulty"].line(lambda start, stop: faulty[start:stop], steps, width)
        if width == 1:
            return ys > 0
        return np.repeat(ys[1::2] > 0, 2)

    def _resyncs(self, steps: int) -> tuple[tuple[int, float], ...]:
        found = [(step, self.loss_at("accumulated", step)) for step in self._resynced if step <= steps]
        return tuple((step, min(loss, LARGEST)) for step, loss in found if loss is not None)[-_RESYNCS:]

    def _begin(self, twin: Line, width: int) -> int:
        """The first step of the twin's last stretch."""
        known = ~np.isnan(twin.ys)
        last = int(np.flatnonzero(known)[-1])
        gaps = np.flatnonzero(~known[:last])
        first = int(gaps[-1]) + 1 if len(gaps) else 0
        start = max(0, round(float(twin.xs[first]) - (width + 1) / 2))
        block = self._losses["twin"][start : start + width]
        return start + int(np.flatnonzero(~np.isnan(block))[0]) + 1

    def _line(self, name: str, moment: Moment, width: int) -> Line | None:
        xs, ys = self._columns[name].line(self._read(name), moment.steps, width)
        known = np.flatnonzero(~np.isnan(ys))
        if not len(known):
            return None
        step = moment.steps
        if np.isnan(self._losses[name][step - 1]):
            start = max(0, round(float(xs[known[-1]]) - (width + 1) / 2))
            block = self._losses[name][start : min(start + width, step)]
            step = start + int(np.flatnonzero(~np.isnan(block))[-1]) + 1
        loss = float(self._losses[name][step - 1])
        diverged = None
        if name != "twin" and moment.states.get(name) == "diverged":  # type: ignore[call-overload]
            # a loss that is not a number leaves no row: it was the step after the last one known
            diverged = step + (1 if loss <= LARGEST and step < moment.steps else 0)
        return Line(xs, ys, step, loss, diverged)

    def _difference(self, moment: Moment, width: int) -> tuple[Line | None, float | None]:
        read = self._apart("full", "accumulated", relative=False)
        _, whole = self._columns["difference"].line(read, self._all, width)
        largest = float(np.nanmax(whole)) if not np.isnan(whole).all() else None
        xs, ys = self._columns["difference"].line(read, moment.steps, width)
        known = np.flatnonzero(~np.isnan(ys))
        if not len(known):
            return None, largest
        value = float(read(moment.steps - 1, moment.steps)[0])
        step = round(float(xs[known[-1]])) if np.isnan(value) else moment.steps
        return Line(xs, ys, step, value, None), largest

    def _twin_apart(self, steps: int, width: int) -> float:
        read = self._apart("accumulated", "twin", relative=True)
        _, ys = self._columns["apart"].line(read, steps, width)
        return float(np.nanmax(ys)) if not np.isnan(ys).all() else 0.0

    def _peaks(
        self, lanes: dict[LaneName, Line], steps: int, width: int
    ) -> dict[LaneName, tuple[int, float]]:
        found = {
            name: highest(self._read(name), steps, line.xs, line.ys, width) for name, line in lanes.items()
        }
        return {name: peak for name, peak in found.items() if peak is not None}

    def _peak_of_all(self, width: int) -> float | None:
        # of all that is known, not only of what is drawn: going back in time must not move the axis
        peaks: list[float] = []
        for name in ("full", "accumulated"):
            _, ys = self._columns[name].line(self._read(name), self._all, width)
            if not np.isnan(ys).all():
                peaks.append(float(np.nanmax(ys)))
        return max(peaks, default=None)

    def _first_loss(self, guessing: float) -> float:
        for name in ("full", "accumulated"):
            if self._all and np.isfinite(self._losses[name][0]):
                return min(float(self._losses[name][0]), LARGEST)
        return guessing if np.isfinite(guessing) else 1.0

    def _read(self, name: str) -> Rows:
        losses = self._losses[name]
        return lambda start, stop: np.minimum(losses[start:stop], LARGEST)

    def _apart(self, one: str, other: str, relative: bool) -> Rows:
        first, second = self._losses[one], self._losses[other]

        def read(start: int, stop: int) -> Floats:
            with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
                apart = np.abs(first[start:stop] - second[start:stop])
                # both infinite: there is no difference to speak of, and that is NaN already
                return np.minimum(apart / first[start:stop] if relative else apart, LARGEST)

        return read
