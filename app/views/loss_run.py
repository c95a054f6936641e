"""What the loss pane says of the run's settings."""

from __future__ import annotations

from gradviz.events import LaneName
from gradviz.history import Moment

_OPTIMIZERS = {"sgd": "SGD", "momentum": "SGD with momentum", "adam": "Adam", "adamw": "AdamW"}
_RUNS = {
    "both": "same data, same start",
    "full": "the full-batch run alone",
    "accumulated": "the accumulated run alone",
    "unfit": "whole, the batch does not fit: the accumulated run goes on alone",
}
_STATES = {"stuck": "= guessing", "exploded": "exploded", "does not fit": "does not fit"}


def run_words(moment: Moment) -> tuple[str, str]:
    """Which lanes are trained, and how."""
    lanes = "unfit" if "does not fit" in moment.states.values() else moment.run.config.lanes
    rate = f"{_OPTIMIZERS[moment.run.config.optimizer]}, learning rate {decimal(learning_rate(moment))}"
    return _RUNS[lanes], rate


def pieces(moment: Moment) -> int:
    """How many micro-batches the window has."""
    return len(moment.window.sizes) if moment.window else moment.run.config.micro_batches


def learning_rate(moment: Moment) -> float:
    """The learning rate of the window."""
    return moment.window.lr if moment.window else moment.run.config.lr


def state_words(moment: Moment, lane: LaneName) -> str:
    """What is wrong with a lane; empty where nothing is."""
    return _STATES.get(moment.states.get(lane) or "", "")


def decimal(value: float) -> str:
    """A learning rate with a point, so that 4 is read as 4.0."""
    return f"{value:.1f}" if value == round(value, 1) else f"{value:.4g}"


def guessing_words(moment: Moment) -> str:
    """The loss of guessing, and where it comes from."""
    return f"guessing: {moment.run.guessing_title} = {moment.run.guessing_loss:.3f}"
