"""History: any seen moment again, a column of numbers for every step, a bound on what is kept."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gradviz.columns import Reading
from gradviz.comparison import Comparison
from gradviz.config import RunConfig
from gradviz.events import (
    Compared,
    Event,
    LaneName,
    MemorySampled,
    MicroBatchAdded,
    Resynced,
    RunFailed,
    RunFinished,
    RunStarted,
    StepFinished,
    WindowStarted,
)
from gradviz.history import SEEN_WINDOWS, History
from gradviz.memory import MemorySample

NOTHING = np.empty(0)


def made(kind: type, **values: Any) -> Any:
    """An event of which only `values` matter here."""
    fields = (field.name for field in dataclasses.fields(kind))
    return kind(**{**dict.fromkeys(fields), **values})


def run_started() -> RunStarted:
    started: RunStarted = made(RunStarted, config=RunConfig.of({}))
    return started


def finished(step: int, **values: Any) -> StepFinished:
    defaults = {"loss_full": 1.0 / step, "loss_accumulated": 2.0 / step, "micro_batches": 2, "lr": 0.5}
    states = {"state_full": "training", "state_accumulated": "training"}
    event: StepFinished = made(StepFinished, **{"step": step, **defaults, **states, **values})
    return event


def opened(step: int, pieces: int = 2, retaken: bool = False) -> Iterator[Event]:
    """A seen window up to its comparison; its step is not finished."""
    yield made(WindowStarted, step=step, retaken=retaken, sizes=(4,) * pieces, coordinates=NOTHING)
    for index in range(1, pieces + 1):
        yield made(MicroBatchAdded, step=step, index=index)
    yield made(Compared, step=step, comparison=made(Comparison))


def seen(step: int, **values: Any) -> Iterator[Event]:
    yield from opened(step)
    yield finished(step, **values)


def sampled(step: int, lane: LaneName = "full") -> MemorySampled:
    event: MemorySampled = made(MemorySampled, step=step, lane=lane, sample=made(MemorySample))
    return event


def told(*events: Event) -> History:
    history = History()
    for event in (run_started(), *events):
        history.append(event)
    return history


def test_that_there_is_no_moment_before_the_run_began() -> None:
    history = History()
    assert (len(history), history.steps) == (0, 0)
    assert history.at(-1) is history.at(0) is None


def test_that_a_run_without_a_seen_window_shows_its_numbers() -> None:
    history = told(finished(1), finished(2, state_accumulated="exploded"), sampled(2))
    moment = history.at(-1)
    assert moment is not None
    assert (moment.window, moment.added, moment.compared, moment.steps) == (None, (), None, 2)
    assert moment.states == {"full": "training", "accumulated": "exploded"}
    assert set(moment.memory) == {"full"}
    assert len(history) == 0


def test_that_a_window_has_a_moment_before_and_after_each_of_its_pieces() -> None:
    history = told(*seen(1), *seen(2))
    assert len(history) == 6
    moments = [history.at(index) for index in range(6)]
    assert [moment.window.step for moment in moments if moment and moment.window] == [1, 1, 1, 2, 2, 2]
    assert [len(moment.added) for moment in moments if moment] == [0, 1, 2, 0, 1, 2]
    assert [moment.compared is not None for moment in moments if moment] == [False, False, True] * 2
    assert [moment.steps for moment in moments if moment] == [0, 0, 1, 1, 1, 2]


def test_that_the_newest_moment_grows_with_the_events() -> None:
    history = told()
    counts = []
    for event in opened(1):
        history.append(event)
        moment = history.at(-1)
        assert moment is not None
        counts.append((len(moment.added), moment.compared is not None, moment.steps))
    assert counts == [(0, False, 0), (1, False, 0), (2, False, 0), (2, True, 0)]
    history.append(finished(1))
    moment = history.at(-1)
    assert moment is not None
    assert moment.steps == 1


@pytest.mark.parametrize(("asked", "same"), [(-1, 5), (-6, 0), (-7, 0), (-1000, 0), (6, 5), (1000, 5)])
def test_that_an_index_beyond_the_ends_is_the_end(asked: int, same: int) -> None:
    history = told(*seen(1), *seen(2))
    one, other = history.at(asked), history.at(same)
    assert one is not None
    assert other is not None
    assert (one.window, one.added, one.steps) == (other.window, other.added, other.steps)


def test_that_states_are_those_known_at_the_moment() -> None:
    history = told(*seen(1), *seen(2, state_accumulated="exploded"), *opened(3))
    states = [moment.states.get("accumulated") for index in range(9) if (moment := history.at(index))]
    assert states == [None, None, "training", "training", "training", "exploded", *["exploded"] * 3]


def test_that_units_found_off_stay_known_while_the_run_is_stuck() -> None:
    stuck = {"state_accumulated": "stuck"}
    history = told(*seen(1, units_off=(64, 64), **stuck), finished(2, **stuck))
    newest = history.at(-1)
    assert newest is not None
    assert newest.units_off == (64, 64)
    history.append(finished(3))
    newest = history.at(-1)
    assert newest is not None
    assert newest.units_off is None


def test_that_the_newest_moment_goes_on_with_unseen_steps_and_older_ones_do_not() -> None:
    history = told(*seen(1), *seen(2), *(finished(step) for step in range(3, 10)))
    newest, earlier = history.at(-1), history.at(2)
    assert newest is not None
    assert earlier is not None
    assert (newest.steps, earlier.steps) == (9, 1)


def test_that_a_window_taken_again_replaces_itself_and_no_other() -> None:
    history = told(*seen(1), *opened(2), *opened(2, retaken=True))
    assert len(history) == 6
    assert [history.at(index).window.step for index in (2, 3)] == [1, 2]  # type: ignore[union-attr]
    assert history.at(3).window.retaken  # type: ignore[union-attr]
    unseen_before = told(*seen(1), *opened(2, retaken=True))
    assert len(unseen_before) == 6


def test_that_a_window_taken_again_may_have_other_pieces() -> None:
    history = told(*opened(1), *opened(1, pieces=5, retaken=True))
    assert len(history) == 6
    moment = history.at(-1)
    assert moment is not None
    assert moment.compared is not None


def test_that_a_step_is_found_by_its_last_moment() -> None:
    history = told(*seen(1), *seen(5), *seen(9))
    assert [history.index_of_step(step) for step in (0, 1, 4, 5, 8, 9, 99)] == [0, 2, 2, 5, 5, 8, 8]
    assert History().index_of_step(3) == 0


def test_that_memory_belongs_to_the_window_it_was_sampled_in() -> None:
    first, second, other = sampled(1), sampled(2), sampled(2, "accumulated")
    history = told(*opened(1), first, finished(1), *opened(2), second, other, finished(2))
    earlier, newest = history.at(2), history.at(-1)
    assert earlier is not None
    assert newest is not None
    assert dict(earlier.memory) == {"full": first}
    assert dict(newest.memory) == {"full": second, "accumulated": other}


def test_that_looking_back_shows_the_memory_as_of_that_piece() -> None:
    started, first, second, compared = opened(1)
    one, two, whole = (sampled(1, "accumulated") for _ in range(3))
    history = told(started, first, one, second, two, compared, finished(1), whole, *opened(2))
    seen_then = [moment.memory.get("accumulated") for index in range(3) if (moment := history.at(index))]
    assert seen_then == [whole, one, whole]


def test_that_a_window_sampled_only_at_its_end_shows_that_sample_throughout() -> None:
    whole, later = sampled(1), sampled(2)
    history = told(*seen(1), whole, *seen(2), later, *opened(3))
    shown = [moment.memory.get("full") for index in range(7) if (moment := history.at(index))]
    assert shown == [whole] * 3 + [later] * 4


def test_that_steps_made_unscaled_in_several_pieces_are_marked_as_faulty() -> None:
    history = told(
        finished(1, scaling="mean"),
        finished(2, scaling="unscaled"),
        finished(3, scaling="unscaled", micro_batches=1),
        finished(4, scaling="samples"),
    )
    assert [history.changes("faulty").at(step) for step in (1, 2, 3, 4)] == [0.0, 1.0, 0.0, 0.0]


def test_that_columns_hold_a_number_for_every_step_and_nan_where_there_is_none() -> None:
    count = 10_000
    history = told()
    for step in range(1, count + 1):
        history.append(finished(step, loss_full=None if step % 2 else float(step), lr=step / 1e6))
    assert history.steps == count
    assert len(history) == 0
    full = history.column("loss_full")
    assert np.isnan(full[::2]).all()
    np.testing.assert_array_equal(full[1::2], np.arange(2.0, count + 1, 2))
    assert [history.changes("lr").at(step) for step in (3000, count)] == [0.003, count / 1e6]
    assert history.changes("micro_batches").at(count) == 2
    assert np.isnan(history.column("loss_twin")).all()
    assert math.isclose(history.column("loss_accumulated")[-1], 2 / count)


def test_that_differences_have_columns_of_their_own() -> None:
    history = told(
        finished(1, loss_full=2.0, loss_accumulated=1.5, loss_twin=1.2),
        finished(2, loss_full=math.inf, loss_accumulated=math.inf, loss_twin=None),
        finished(3, loss_full=None, loss_accumulated=0.0, loss_twin=0.0),
    )
    apart, twin = history.numbers("difference"), history.numbers("twin_apart")
    assert [apart.at(step) for step in (1, 2, 3)] == [Reading(1, 1, 0.5, 0.5), None, None]
    assert twin.peak(3) == (1, pytest.approx(0.2))


def test_that_a_moment_knows_the_last_step_that_it_had() -> None:
    history = told(finished(1), *seen(2), finished(3))
    steps = [moment.finished.step for index in (0, 1, 2) if (moment := history.at(index)) and moment.finished]
    assert steps == [1, 1, 3]
    history = told(finished(1), *seen(2), *seen(3))
    looked_back = history.at(2)
    assert looked_back is not None
    assert looked_back.finished is not None
    assert looked_back.finished.step == looked_back.steps == 2


def test_that_what_was_read_of_a_column_stays_as_it_was() -> None:
    history = told(finished(1))
    column = history.column("loss_full")
    column[0] = 7.0
    history.append(finished(2))
    assert history.column("loss_full").tolist() == [1.0, 0.5]


def test_that_only_the_newest_windows_keep_their_detail() -> None:
    history = told(*(event for step in range(1, SEEN_WINDOWS + 51) for event in seen(step)))
    assert len(history) == 3 * SEEN_WINDOWS
    oldest = history.at(0)
    assert oldest is not None
    assert oldest.window is not None
    assert (oldest.window.step, oldest.steps) == (51, 50)
    assert history.index_of_step(3) == 0
    assert history.steps == SEEN_WINDOWS + 50


@pytest.mark.parametrize("end", [RunFinished(steps=1), RunFailed(step=1, sentence="no memory")])
def test_that_the_end_and_a_resync_are_remembered(end: RunFinished | RunFailed) -> None:
    history = told(*seen(1), Resynced(step=2), end)
    assert history.resynced == [2]
    assert history.ended is end
    assert len(history) == 3


def test_that_a_resynced_lane_is_training_again() -> None:
    exploded = [
        replace(event, state_accumulated="exploded") if isinstance(event, StepFinished) else event
        for event in seen(1)
    ]
    following = next(event for event in seen(2) if isinstance(event, WindowStarted))
    for resynced, state in (((), "exploded"), ((Resynced(step=2),), "training")):
        newest = told(*exploded, *resynced, following).at(-1)
        assert newest is not None
        assert newest.states["accumulated"] == state
