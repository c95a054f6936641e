"""What one moment says of each layer, in numbers and words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gradviz.comparison import TOLERANCE, judge
from gradviz.history import Moment
from gradviz.layers import LayerComparison

from ..marks import Mark
from ..stack.scale import ratio
from ..verdict_words import NOT_YET, UNKNOWN, angle_words, capitalised, error_words, mark_of, scientific

AT_THE_END = "known after the last micro-batch"
ROUNDING = "up to rounding"
ZERO_LAYER = "unknown: full batch is 0"


@dataclass(frozen=True, slots=True)
class Row:
    """One layer. What is unknown or not measured yet is NaN; `known` tells whether there are numbers at all.

    `share` is ‖R_l‖²/‖R‖², `wrong` says that the layer is marked, `judgement` why, or what is unknown of it.
    """

    name: str
    shape: tuple[int, ...]
    share: float
    size: float
    angle: float
    error: float
    known: bool
    wrong: bool
    judgement: str

    @property
    def words(self) -> tuple[str, ...]:
        """What stands in the columns of the table."""
        missing = UNKNOWN if self.known else NOT_YET
        return (
            self.name,
            "×".join(map(str, self.shape)) or "1",
            missing if math.isnan(self.share) else percent(self.share),
            missing if math.isnan(self.size) else ratio(self.size),
            missing if math.isnan(self.angle) else angle_words(self.angle),
            missing if math.isnan(self.error) else error_words(self.error),
            self.judgement,
        )

    @property
    def keys(self) -> tuple[str | float, ...]:
        """What the columns are sorted by; the unknown is less than anything."""
        numbers = (self.share, self.size, self.angle, self.error)
        ordered = [-math.inf if math.isnan(number) else number for number in numbers]
        return (self.name, float(math.prod(self.shape)), *ordered, self.judgement)


@dataclass(frozen=True, slots=True)
class Table:
    """All layers in their natural order, the sentence over them, and the rule by which they are marked."""

    step: int
    mark: Mark
    headlines: tuple[str, ...]
    rule: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def spoken(self) -> str:
        """The main numbers in one paragraph."""
        wrong = [f"{row.name} {row.judgement}" for row in self.rows if row.wrong]
        words = [f"Step {self.step}", self.headlines[0], f"{len(self.rows)} layers", *wrong[:6]]
        return f"{'. '.join(words)}."


def table_of(moment: Moment | None) -> Table | None:
    """Read a moment; None before its first window."""
    if moment is None or moment.window is None:
        return None
    comparison = moment.compared.comparison if moment.compared else None
    tolerance = TOLERANCE[moment.run.config.precision]
    judged = comparison is not None and comparison.kind in ("scaled", "direction")
    rows = _rows(moment, tolerance if judged else None)
    return Table(
        moment.window.step,
        mark_of(comparison) if comparison else "dots",
        _headlines(moment, rows),
        _rule(moment, tolerance),
        rows,
    )


def percent(share: float) -> str:
    """A share of the whole: 57.1 %, 0.02 %, and what is less as such."""
    if 0 < share < 5e-5:
        return "<0.01 %"
    return f"{share * 100:.1f} %" if share >= 9.95e-4 or share == 0 else f"{share * 100:.2f} %"


def _rows(moment: Moment, tolerance: float | None) -> tuple[Row, ...]:
    """`tolerance` is the error above which a layer is marked; None where none is."""
    assert moment.window is not None
    found, whole = _measured(moment), moment.window.reference_norm
    limit = TOLERANCE[moment.run.config.precision]
    rows = []
    for index, layer in enumerate(moment.run.layers):
        norm = float(moment.window.layer_norms[index])
        share = (norm / whole) ** 2 if whole > 0 and math.isfinite(norm / whole) else math.nan
        numbers = (math.nan,) * 3
        if found is not None:
            numbers = (float(found.sizes[index]), float(found.angles[index]), float(found.errors[index]))
        size, angle, error = numbers
        wrong = tolerance is not None and error > tolerance
        judgement = ""
        if tolerance is not None and wrong:
            judgement = judge(size, None if math.isnan(angle) else angle, error, tolerance)[1]
            judgement = judgement.removesuffix(", same direction")
        elif norm == 0:
            judgement = ZERO_LAYER
        elif moment.compared is not None and error <= limit:
            judgement = ROUNDING
        elif found is not None and math.isnan(error):
            judgement = UNKNOWN
        rows.append(
            Row(layer.name, layer.shape, share, size, angle, error, found is not None, wrong, judgement)
        )
    return tuple(rows)


def _measured(moment: Moment) -> LayerComparison | None:
    if moment.compared is not None:
        return moment.compared.layers
    return moment.added[-1].layers if moment.added else None


def _headlines(moment: Moment, rows: tuple[Row, ...]) -> tuple[str, ...]:
    assert moment.window is not None
    k, n = len(moment.added), len(moment.window.sizes)
    begin = f"all {n} added: " if k == n > 1 else f"{k} of {n} added: "
    if moment.compared is None:
        if k == 0:
            return (f"{begin}.grad is empty",)
        return (f"{begin}values so far",) if rows and rows[0].known else (f"{begin}{AT_THE_END}",)
    comparison = moment.compared.comparison
    wrong = sum(row.wrong for row in rows)
    if comparison.kind in ("scaled", "direction"):
        differ = f"{wrong} of {len(rows)} layers differ"
        return (f"{begin}{differ}: {comparison.verdict}", f"{begin}{differ}", differ)
    worst = max((row for row in rows if not math.isnan(row.error)), key=lambda row: row.error, default=None)
    largest = f"; largest error {scientific(worst.error)}, in {worst.name}" if worst and worst.error else ""
    return (
        f"{begin}{comparison.verdict}{largest}",
        begin + comparison.verdict,
        capitalised(comparison.verdict),
    )


def _rule(moment: Moment, tolerance: float) -> tuple[str, ...]:
    precision = moment.run.config.precision
    if moment.compared is None:
        return (
            f"A layer is judged when the window is complete; {AT_THE_END}.",
            "Judged after the last micro-batch.",
        )
    if moment.compared.comparison.kind == "none":
        return ("There is no gradient to compare with, so no layer is judged.", "No layer is judged.")
    bound = f"relative error above {scientific(tolerance).replace('.0e', 'e')}"
    if moment.compared.comparison.kind == "equal":
        return ("The window is equal, up to rounding, so no layer is marked.", "Equal: no layer is marked.")
    return (
        f"The window is not equal. Marked are the layers with a {bound}, more than rounding in {precision}.",
        f"Marked: {bound} ({precision}).",
    )
