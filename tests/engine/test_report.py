"""JSON lines that any program can read, and a table that a person can."""

from __future__ import annotations

import json
import math

import pytest
import runs

from gradviz import report
from gradviz.events import Compared, Event, RunFailed, RunFinished, RunStarted, StepFinished

KEYS = {
    "event", "steps", "task", "model", "batch", "micro_batches", "scaling", "optimizer", "lr", "precision",
    "device", "threads", "seed", "loss_full", "loss_accumulated", "state", "comparison", "memory",
}  # fmt: skip
COMPARISON_KEYS = {
    "step", "ratio", "angle_degrees", "cosine", "relative_error", "max_over_scale", "ulp_p50", "ulp_p99",
    "shares", "verdict",
}  # fmt: skip
MEMORY_KEYS = {
    "step", "peak_bytes", "parameters_bytes", "gradients_bytes", "optimizer_bytes", "window_bytes",
    "activations_bytes", "other_bytes", "source",
}  # fmt: skip


def lines(events: list[Event]) -> list[dict[str, object]]:
    summary, written = report.Summary(), []
    for event in events:
        summary.append(event)
        written.append(report.json_line(event, summary))
    assert not any("\n" in line or "NaN" in line or "Infinity" in line for line in written)
    return [json.loads(line) for line in written]


def text(events: list[Event], wanted: int = 0) -> str:
    summary = report.Summary()
    for event in events:
        summary.append(event)
    started = events[0]
    assert isinstance(started, RunStarted)
    finished = [event for event in events if isinstance(event, StepFinished)]
    compared = runs.of_type(events, Compared)
    rows = [report.row(step, c) for step, c in zip(finished, compared, strict=False)]
    return "\n".join(
        [*report.heading(started), *rows, *report.conclusion(summary, len(finished), wanted or len(finished))]
    )


def test_that_the_last_line_has_every_figure_and_its_memory_adds_up() -> None:
    last = lines(runs.run(3))[-1]
    assert set(last) == KEYS
    assert (last["event"], last["steps"], last["scaling"], last["lr"]) == ("run_finished", 3, "mean", 0.5)
    assert last["state"] == {"full": "training", "accumulated": "training"}
    assert set(last["comparison"]) == COMPARISON_KEYS
    assert sum(last["comparison"]["shares"]) == pytest.approx(1)
    for lane in ("full", "accumulated"):
        memory = last["memory"][lane]
        assert set(memory) == MEMORY_KEYS
        kinds = sum(value for key, value in memory.items() if key.endswith("_bytes") and key != "peak_bytes")
        assert kinds == memory["peak_bytes"]


def test_that_every_event_is_one_object_with_its_name() -> None:
    names = [line["event"] for line in lines(runs.run(2, micro_batches=2))]
    assert names[0] == "run_started"
    assert names[-1] == "run_finished"
    assert {"window_started", "micro_batch_added", "compared", "memory_sampled", "step_finished"} < set(names)


def test_that_unknown_numbers_are_null_and_the_comparison_is_the_last_finite_one() -> None:
    events = runs.run(40, scaling="unscaled", lr=4.0, batch=64, micro_batches=64, depth=4, activation="relu")
    written = lines(events)
    last = written[-1]
    assert last["state"]["accumulated"] == "diverged"
    assert last["loss_accumulated"] is None
    steps = [event for event in events if isinstance(event, StepFinished)]
    finite = [s.step for s in steps if s.loss_accumulated is not None and math.isfinite(s.loss_accumulated)]
    assert last["comparison"]["step"] == finite[-1]
    assert last["comparison"]["ratio"] is None or math.isfinite(last["comparison"]["ratio"])


def test_that_one_lane_alone_leaves_the_other_null() -> None:
    last = lines(runs.run(3, lanes="full"))[-1]
    assert (last["comparison"], last["memory"]["accumulated"], last["loss_accumulated"]) == (None, None, None)
    assert last["memory"]["full"]["step"] == 3


def test_that_a_failure_is_a_line_too() -> None:
    [line] = lines(runs.run(1, device="cuda:9"))
    assert (line["event"], line["step"]) == ("run_failed", 0)
    assert (
        report.failure(RunFailed(3, "out of memory in step 3")) == "the run failed: out of memory in step 3"
    )


def test_that_the_table_says_which_run_is_wrong_and_by_how_much() -> None:
    shown = text(runs.run(5, scaling="unscaled"))
    assert "digits · 64-64-10 tanh MLP · 4810 parameters" in shown
    assert "8.000 × too large, same direction" in shown
    assert "Why: 1/N is missing: the gradient is 8 times too large, which acts like learning rate 4." in shown
    assert "too many for the card of 192 KiB" in shown
    assert "fits the card of 192 KiB" in shown


def test_that_the_table_of_one_lane_marks_what_is_not_trained() -> None:
    events = runs.run(2, lanes="full")
    step = runs.of_type(events, StepFinished)[0]
    assert report.row(step, None).split()[2:4] == ["–", "–"]
    assert isinstance(events[-1], RunFinished)
