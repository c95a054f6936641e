"""The training loop as PyTorch, and which of its lines is at work."""

from __future__ import annotations

from dataclasses import dataclass

from gradviz.history import Moment
from gradviz.scaling import even_sizes, is_forgotten

FOR, LOSS, BACKWARD, STEP = range(4)
MISSING = ("    loss.backward()", "/ N is missing")
_PLAIN = ("loss = loss_fn(model(x), y)", "loss.backward()", "opt.step(); opt.zero_grad()")


@dataclass(frozen=True, slots=True)
class Loop:
    """What the pane shows. The backward line is `before`, the `switch` that can be clicked, and `after`.

    A space stands before the switch. Without a switch it is the `plain` loop of a batch that is taken
    whole. It is `faulty` where the scaling is missing and needed. `current` is the line at
    work, None before the first window; `progress` says how far it is, and is never longer than
    `widest_progress` while pieces are added. `note` says where / N is not the right weight.
    """

    before: str
    switch: str
    after: str
    faulty: bool
    current: int | None
    progress: str
    values: str
    widest_progress: str
    note: str

    @property
    def plain(self) -> bool:
        """Whether no pieces are taken, so that there is nothing to scale."""
        return not self.switch

    @property
    def missing(self) -> bool:
        """Whether the loss is not scaled, be that right or wrong."""
        return self.switch == MISSING[1]

    @property
    def lines(self) -> tuple[str, ...]:
        """The loop's lines as they are run."""
        if self.plain:
            return _PLAIN
        backward = self.before if self.missing else f"{self.before} {self.switch}{self.after}"
        return (
            "for x, y in window.tensor_split(N):",
            "    loss = loss_fn(model(x), y)",
            backward,
            "opt.step(); opt.zero_grad()",
        )

    @property
    def tip(self) -> str:
        """What a click does; empty where there is nothing to click."""
        if self.plain:
            return ""
        if self.missing:
            return "click: / N back again (U)"
        return f"click {self.switch}: forget it (U)"

    @property
    def spoken(self) -> str:
        """The loop's state as sentences."""
        if self.plain:
            return f"The batch is taken whole: {'; '.join(_PLAIN)}. {self.values}."
        scaled = (
            "loss.backward() runs unscaled: / N is missing."
            if self.missing
            else (f"The loss is scaled: {self.lines[BACKWARD].strip()}.")
        )
        doing = {FOR: "The window has begun", BACKWARD: "Adding micro-batches", STEP: "At the optimizer step"}
        now = f"{doing[self.current]}, {self.progress}." if self.current is not None else "Not running yet."
        return f"{scaled} {now} {self.values}." + (f" {self.note.capitalize()}." if self.note else "")


def loop_of(moment: Moment | None) -> Loop | None:
    """The loop of the window shown at `moment`, or as configured before there is one; None before a run."""
    if moment is None:
        return None
    config, window = moment.run.config, moment.window
    if config.lanes == "full":
        return Loop("loss.backward()", "", "", False, None, "", f"B = {config.batch}", "", "")
    scaling = window.scaling if window else config.scaling
    sizes = window.sizes if window else config.sizes or even_sizes(config.batch, config.micro_batches)
    before, switch, after = {
        "unscaled": (*MISSING, ""),
        "samples": ("    (loss", "* b / B", ").backward()"),
    }.get(scaling, ("    (loss", "/ N", ").backward()"))
    current, progress = _position(moment)
    widest = f"{len(sizes)}/{len(sizes)}"
    uneven = scaling == "mean" and min(sizes) != max(sizes)
    note = "pieces are uneven: by samples is right" if uneven else ""
    if scaling == "unscaled" and len(sizes) == 1:
        note = "one piece: × 1 is right at N = 1"
    faulty = is_forgotten(scaling, len(sizes))
    return Loop(before, switch, after, faulty, current, progress, values_of(sizes), widest, note)


def values_of(sizes: tuple[int, ...]) -> str:
    """N, b and B in numbers."""
    if min(sizes) == max(sizes):
        pieces = str(sizes[0])
    elif len(sizes) <= 4:
        pieces = ", ".join(str(size) for size in sizes)
    else:
        pieces = f"{min(sizes)} to {max(sizes)}"
    return f"N = {len(sizes)} · b = {pieces} · B = {sum(sizes)}"


def _position(moment: Moment) -> tuple[int | None, str]:
    if moment.window is None:
        return None, ""
    done, pieces = len(moment.added), len(moment.window.sizes)
    if done == pieces:
        return STEP, "stepped" if moment.steps >= moment.window.step else f"{done}/{pieces}"
    return (BACKWARD if done else FOR), f"{done}/{pieces}"
