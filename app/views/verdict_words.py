"""What the verdict pane says, as sentences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradviz.comparison import Comparison
from gradviz.events import LaneName, RunFailed
from gradviz.history import History, Moment

from .marks import Mark

NOT_YET = "not yet"
UNKNOWN = "unknown"
MEANINGS = (
    "size: ‖.grad‖ ÷ ‖full batch‖, 1 where they are equally long\n"
    "relative error: ‖.grad − full batch‖ ÷ ‖full batch‖, 0 where they are the same"
)
IN_PIECES = "The batch does not fit whole: the full-batch gradient is the sum of its pieces', by samples."

# a loss above this counts as diverged, as a loss that is not finite does
_DIVERGED_ABOVE = 1e6


@dataclass(frozen=True, slots=True)
class Judgement:
    """All that the pane shows: mark and headline, the figures as (name, value), and sentences below them.

    `step` is that of the window which it is about, None where there is none.
    """

    mark: Mark
    headline: str
    figures: tuple[tuple[str, str], ...]
    sentences: tuple[str, ...]
    can_resync: bool
    step: int | None = None

    @property
    def spoken(self) -> str:
        """Everything in one paragraph."""
        figures = ", ".join(f"{name} {value}" for name, value in self.figures)
        begin = f"{self.headline}." if self.step is None else f"Step {self.step}: {self.headline}."
        return " ".join([begin, *([f"{figures}."] if figures else []), *self.sentences])


def judge(history: History, moment: Moment | None) -> Judgement:
    """The verdict on the window of `moment`, if that is complete, and how the lanes are getting on."""
    if isinstance(history.ended, RunFailed) and not history.steps and (moment is None or not moment.window):
        return Judgement("cross", "The run did not start", (), (), False)
    if moment is None:
        return Judgement("dots", "No window yet", _figures(None, NOT_YET), (), False)
    if moment.run.config.lanes == "full":
        return Judgement(
            "dots", "Nothing to compare: one run alone", (), lane_sentences(history, moment), False
        )
    if moment.window is None:
        headline = "No window seen yet" if moment.steps else f"0 of {moment.run.config.micro_batches} added"
        return Judgement("dots", headline, _figures(None, NOT_YET), (), False)
    lanes = lane_sentences(history, moment)
    compared = moment.compared
    if compared is None:
        headline = f"{len(moment.added)} of {len(moment.window.sizes)} added"
        return Judgement("dots", headline, _figures(None, NOT_YET), lanes, False, moment.window.step)
    comparison, precision = compared.comparison, moment.run.config.precision
    again = comparison.decided_in != precision
    sentences = [f"Measured again in {comparison.decided_in}: that decides."] if again else []
    if moment.window.reference_in_pieces:
        sentences.append(IN_PIECES)
    sentences += [f"Why? {capitalised(compared.why.rstrip('.'))}."] if compared.why else []
    return Judgement(
        mark_of(comparison),
        capitalised(comparison.verdict),
        _figures(comparison, UNKNOWN),
        (*sentences, *lanes),
        "Resync" in compared.why,
        moment.window.step,
    )


def mark_of(comparison: Comparison) -> Mark:
    """A check where the gradients are equal, a cross where they are not, dots where neither can be said."""
    if comparison.kind == "equal":
        return "check"
    return "dots" if comparison.kind == "none" else "cross"


def size_words(ratio: float | None) -> str:
    """‖.grad‖ ÷ ‖full‖ with the digits that tell whether it is 1."""
    if ratio is None:
        return UNKNOWN
    if abs(ratio - 1) < 1e-3:
        return f"{ratio:.6f}"
    return f"{ratio:.3f}" if 1e-2 <= ratio < 1e4 else scientific(ratio)


def angle_words(degrees: float | None) -> str:
    """An angle in degrees."""
    if degrees is None:
        return UNKNOWN
    return f"{degrees:.2f}°" if degrees < 10 else f"{degrees:.1f}°"


def error_words(error: float | None) -> str:
    """A relative error, written with a power of ten where it is small."""
    if error is None:
        return UNKNOWN
    if error == 0:
        return "0, bit for bit"
    return f"{error:.3f}" if 1e-2 <= error < 1e4 else scientific(error)


def scientific(value: float) -> str:
    """2.9e-7, without the zero that Python puts into the exponent."""
    digits, _, power = f"{value:.1e}".partition("e")
    return f"{digits}e{int(power)}"


def capitalised(sentence: str) -> str:
    """`sentence` with a large first letter and nothing else changed."""
    return sentence[:1].upper() + sentence[1:]


def lane_sentences(history: History, moment: Moment) -> tuple[str, ...]:
    """One sentence for each lane that does not simply train."""
    names: dict[LaneName, str] = {"full": "Full batch", "accumulated": "Accumulated"}
    return tuple(
        f"{name} {words}."
        for lane, name in names.items()
        if (words := _state_words(history, moment, lane)) is not None
    )


def diverged_step(losses: np.ndarray) -> int | None:
    """The step at which a lane diverged: the last with a loss, if that is too large, else the one after."""
    known = np.flatnonzero(~np.isnan(losses))
    if not len(known):
        return 1 if len(losses) else None
    last = int(known[-1])
    return last + 1 if abs(losses[last]) > _DIVERGED_ABOVE else last + 2


def _state_words(history: History, moment: Moment, lane: LaneName) -> str | None:
    match moment.states.get(lane):
        case "exploded":
            return "exploded: its loss is above 10 × its first"
        case "stuck":
            if moment.units_off is None:
                return "stuck: its loss stays at guessing"
            return f"stuck: {moment.units_off[0]} of {moment.units_off[1]} hidden units off"
        case "does not fit":
            return "does not fit in memory whole: it trains no more"
        case "diverged":
            step = diverged_step(history.column(f"loss_{lane}")[: moment.steps])
            return "diverged" if step is None else f"diverged at step {step}"
        case _:
            return None


def _figures(comparison: Comparison | None, missing: str) -> tuple[tuple[str, str], ...]:
    names = ("size: .grad ÷ full batch", "angle to the full batch", "relative error")
    if comparison is None:
        return tuple((name, missing) for name in names)
    values = (
        size_words(comparison.ratio),
        angle_words(comparison.angle_degrees),
        error_words(comparison.relative_error),
    )
    return tuple(zip(names, values, strict=True))
