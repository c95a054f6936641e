"""What the memory pane says, as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gradviz.events import LaneName, MemorySampled
from gradviz.history import Moment
from gradviz.memory import KINDS, MemorySample
from gradviz.units import format_bytes

from ..verdict_words import capitalised

LANE_NAMES: dict[LaneName, str] = {"full": "full batch", "accumulated": "accumulated"}
KIND_NAMES = {
    "parameters": "weights",
    "gradients": ".grad",
    "optimizer": "optimizer",
    "window": "samples",
    "activations": "activations",
    "other": "workspace",
}
UNKNOWN = "not measured yet"
UNFIT = "does not fit"
NOT_COMPLETE = "Not complete: the peak may still rise."
LONGEST = "At step 8888: weights, .grad and optimizer stay; activations and workspace shrink 8.8 ×."
"""As long as a sentence usually gets: it has its room before it is said, so that nothing jumps."""

# less than this is no change that anybody would see
_SAME = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """The newest memory samples of the lanes that are trained, and the card that they should fit.

    `sizes` are those of the window shown now, `step` its step; both tell how far an unfinished sample is.
    `unfit` are the lanes that ran out of memory: of them no peak is known.
    """

    lanes: tuple[LaneName, ...]
    card_bytes: int
    samples: Mapping[LaneName, MemorySampled]
    sizes: tuple[int, ...]
    step: int
    added: int
    unfit: tuple[LaneName, ...] = ()

    @staticmethod
    def of(moment: Moment) -> Measured:
        """What `moment` knows of memory."""
        lanes: tuple[LaneName, ...] = ("full", "accumulated")
        config, window = moment.run.config, moment.window
        return Measured(
            lanes=tuple(lane for lane in lanes if config.lanes in ("both", lane)),
            card_bytes=config.card,
            samples=dict(moment.memory),
            sizes=window.sizes if window else (),
            step=window.step if window else 0,
            added=len(moment.added),
            unfit=tuple(lane for lane in lanes if moment.states.get(lane) == "does not fit"),
        )

    def missing(self, lane: LaneName) -> str:
        """Why there is no sample of `lane`."""
        return UNFIT if lane in self.unfit else UNKNOWN

    def sample(self, lane: LaneName) -> MemorySample | None:
        """The newest sample of `lane`; None where it is not trained or was not measured yet."""
        known = lane in self.lanes and lane in self.samples and lane not in self.unfit
        return self.samples[lane].sample if known else None

    def pieces(self, lane: LaneName) -> int | None:
        """Micro-batches in the whole window that was sampled; None if unknown."""
        if lane == "full":
            return 1
        sampled = self.samples.get(lane)
        if sampled is not None and sampled.sample.complete and sampled.sample.ticks:
            return len(sampled.sample.ticks)
        return len(self.sizes) if sampled is not None and sampled.step == self.step else None

    def whole(self, lane: LaneName) -> bool:
        """Whether all pieces are in the sample of `lane`: only the optimizer's step may be missing."""
        sampled, pieces = self.samples.get(lane), self.pieces(lane)
        if sampled is None or sampled.sample.complete:
            return sampled is not None
        if sampled.sample.ticks:
            return len(sampled.sample.ticks) == pieces
        return sampled.step == self.step and self.added == len(self.sizes) > 0

    @property
    def complete(self) -> bool:
        """Whether every known sample covers its window up to the end."""
        return all(self.samples[lane].sample.complete for lane in self.lanes if lane in self.samples)


def bytes_of(sample: MemorySample) -> dict[str, int]:
    """Bytes by kind at the peak, in stacking order, without the kinds that nothing is held for."""
    counts = {kind: getattr(sample, f"{kind}_bytes") for kind in KINDS}
    return {kind: count for kind, count in counts.items() if count}


def kind_name(kind: str, sample: MemorySample) -> str:
    """What a kind is called; where the source cannot tell, activations stand together with the workspace."""
    if kind == "activations" and sample.other_bytes is None:
        return "activations and workspace"
    return KIND_NAMES[kind]


def source_line(measured: Measured) -> str:
    """Where the figures are from: what they are, the source and the step."""
    taken = [measured.samples[lane] for lane in measured.lanes if lane in measured.samples]
    if not taken:
        return UNKNOWN
    source, step = taken[-1].sample.source, taken[-1].step
    if any(sampled.step != step for sampled in taken):
        each = [f"{sampled.step} ({LANE_NAMES[sampled.lane]})" for sampled in taken]
        return f"{source}: step {', '.join(each)}"
    if measured.complete:
        return f"peak of a window · {source} at step {step}"
    whole = all(measured.whole(lane) for lane in measured.lanes if lane in measured.samples)
    return f"{'before its step' if whole else 'so far'} · {source} at step {step}"


def memory_sentence(measured: Measured) -> str:
    """The one thing to be learnt from the two peaks, computed from them."""
    full, accumulated = measured.sample("full"), measured.sample("accumulated")
    if full is None and accumulated is None and not measured.unfit:
        return "Memory is not measured yet."
    if len(measured.lanes) == 1:
        return "One lane only: nothing to compare its peak with."
    if full is None or accumulated is None:
        lane: LaneName = "full" if full is None else "accumulated"
        return f"{capitalised(LANE_NAMES[lane])}: {measured.missing(lane)}."
    if not (measured.whole("full") and measured.whole("accumulated")):
        return NOT_COMPLETE
    # whether the optimizer's step is in it says the line of the source
    return _compared(full, accumulated, measured)


def earlier(sentence: str, step: int) -> str:
    """A sentence about a window that is over, while the next one is not complete."""
    return f"At step {step}: {sentence[:1].lower()}{sentence[1:]}"


def _compared(full: MemorySample, accumulated: MemorySample, measured: Measured) -> str:
    if measured.pieces("accumulated") == 1:
        return "One piece: the same work."
    if accumulated.peak_bytes > full.peak_bytes * 1.005:
        return _rising(full, accumulated)
    return _shrinking(full, accumulated)


def lane_sentence(lane: LaneName, measured: Measured) -> str:
    """All figures of one lane."""
    sample = measured.sample(lane)
    if sample is None:
        return f"{LANE_NAMES[lane]}: {measured.missing(lane)}."
    parts = [f"{kind_name(kind, sample)} {format_bytes(count)}" for kind, count in bytes_of(sample).items()]
    total = format_bytes(sample.peak_bytes) + ("" if measured.whole(lane) else " so far")
    fits = too_many(sample, measured.card_bytes) or f"fits the card of {format_bytes(measured.card_bytes)}"
    return f"{LANE_NAMES[lane]}: {total}, {fits}; {', '.join(parts)}."


def too_many(sample: MemorySample, card_bytes: int) -> str:
    """By how much the peak does not fit the card; empty if it fits."""
    beyond = sample.peak_bytes - card_bytes
    return f"{format_bytes(beyond)} too many" if beyond > 0 else ""


def strip_caption(lane: LaneName, measured: Measured) -> str:
    """What the trace of `lane` shows."""
    sample, pieces = measured.sample(lane), measured.pieces(lane)
    if sample is None:
        return f"{LANE_NAMES[lane]}: {measured.missing(lane)}"
    known, so_far = len(sample.ticks), "" if measured.whole(lane) else " so far"
    if pieces == 1:
        return f"{LANE_NAMES[lane]}: all at once{so_far}"
    if pieces is None or measured.whole(lane):
        return f"{LANE_NAMES[lane]}: {known} micro-batches{so_far}"
    return f"{LANE_NAMES[lane]}: {known} of {pieces} micro-batches so far"


def peaks_only(measured: Measured) -> str:
    """Why there is no trace."""
    sources = {s.source for lane in measured.lanes if (s := measured.sample(lane)) is not None}
    return f"{' and '.join(sorted(sources))}: peaks only, no trace"


def times(factor: float) -> str:
    """A factor with as many digits as it deserves: 8 ×, 7.4 ×, 63 ×."""
    return f"{factor:.1f}".removesuffix(".0") + " ×" if factor < 10 else f"{factor:.0f} ×"


def _rising(full: MemorySample, accumulated: MemorySample) -> str:
    percent = (accumulated.peak_bytes / full.peak_bytes - 1) * 100
    rise = f"the peak rises {percent:.0f} %." if percent >= 1 else f"the peak rises {percent:.1f} %."
    if accumulated.gradients_bytes > full.gradients_bytes * (1 + _SAME):
        return f".grad of the first piece stays while the next runs: {rise}"
    return rise.capitalize()


def _shrinking(full: MemorySample, accumulated: MemorySample) -> str:
    if not _passing(full) or not _passing(accumulated):
        return f"The peak shrinks {times(full.peak_bytes / max(1, accumulated.peak_bytes))}."
    # at its peak one lane may be in the forward pass and the other in the backward pass, where the same bytes
    # have become workspace: only both together can be compared
    apart = any(sample.other_bytes is None or _workspace(sample) for sample in (full, accumulated))
    name = "activations and workspace" if apart else "activations"
    factor, stay = _passing(full) / _passing(accumulated), _staying(full, accumulated)
    if abs(factor - 1) <= _SAME:
        return f"{stay}; {name} stay too."
    return (
        f"{stay}; {name} shrink {times(factor)}."
        if factor > 1
        else f"{stay}; {name} grow {times(1 / factor)}."
    )


def _passing(sample: MemorySample) -> int:
    """Bytes that come and go within a micro-batch."""
    return sample.activations_bytes + (sample.other_bytes or 0)


def _workspace(sample: MemorySample) -> bool:
    return (sample.other_bytes or 0) > _SAME * _passing(sample)


def _staying(full: MemorySample, accumulated: MemorySample) -> str:
    """Which standing kinds are as large in both lanes at their peaks, and what .grad does if it is not."""
    names = ["weights"]
    grown = accumulated.gradients_bytes - full.gradients_bytes
    same = abs(grown) <= _SAME * full.gradients_bytes
    if same:
        names.append(".grad")
    if full.optimizer_bytes and abs(accumulated.optimizer_bytes / full.optimizer_bytes - 1) <= _SAME:
        names.append("optimizer")
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    stay = f"{listed.capitalize()} stay"
    if same or abs(grown) <= _SAME * full.peak_bytes:
        # what cannot be seen in the bars is not spoken of
        return stay
    return f"{stay}, .grad {'adds' if grown > 0 else 'holds less by'} {format_bytes(abs(grown))}"
