"""A task of the user's own: how it is opened, what may run its code and when, and that it trains."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import runs
import torch
from own_files import COUNTS, GOOD, MARK, opener
from torch import nn
from torch.nn import functional

from gradviz import presets, tasks
from gradviz.config import ConfigError, RunConfig
from gradviz.events import Compared, RunFailed, RunStarted, StepFinished, WindowStarted
from gradviz.tasks import Task, own
from gradviz.tasks.own.loading import MODULE
from gradviz.tasks.own.template import TEMPLATE


@pytest.fixture(autouse=True)
def _nothing_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_admitted", {})


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Task]:
    """A function that writes mine.py and opens it."""
    return opener(monkeypatch)


def test_that_the_template_is_opened_in_another_process_from_any_thread_and_trains() -> None:
    Path("mine.py").write_text(TEMPLATE, "utf-8")
    found: list[Task] = []
    thread = threading.Thread(target=lambda: found.append(own.open_task("mine.py:circle")))
    thread.start()
    thread.join(60)
    (task,) = found
    assert task.name == f"{Path('mine.py').resolve()}:circle"
    assert (task.title, task.samples, task.models, task.settings("own")) == ("circle", 600, ("own",), ())
    assert task.about.startswith("600 samples, Sequential with 162 parameters, from ")
    assert tasks.find("mine.py:circle") is tasks.find(task.name) is task
    assert tasks.admitted() == (task.name,)
    events = runs.run(40, task="mine.py:circle", optimizer="adam")
    started, last = events[0], runs.of_type(events, StepFinished)[-1]
    assert isinstance(started, RunStarted)
    assert (started.task_title, started.model_title, started.parameters) == ("circle", "Sequential", 162)
    assert started.config.task == task.name
    assert {event.comparison.kind for event in runs.of_type(events, Compared)} == {"equal"}
    assert runs.losses(events)[-1] < 0.7 * runs.losses(events)[0]
    assert last.score_accumulated > 0.8


def test_that_the_template_is_short() -> None:
    assert len(TEMPLATE.splitlines()) <= 22
    assert max(map(len, TEMPLATE.splitlines())) <= 110


def test_that_it_trains_as_plain_torch_does(opened: Callable[[str], Task]) -> None:
    opened(GOOD)
    events = runs.run(10, task="mine.py:make", precision="float64", scaling="samples", micro_batches=7)
    torch.manual_seed(0)
    model = nn.Linear(3, 2).double()
    points = torch.randn(30, 3, generator=torch.Generator().manual_seed(1)).double()
    targets, order = (points[:, 0] > 0).long(), torch.Generator().manual_seed(0)
    found = []
    for _ in range(10):
        window = torch.randperm(30, generator=order)
        loss = functional.cross_entropy(model(points[window]), targets[window])
        model.zero_grad()
        loss.backward()
        found.append(loss.item())
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= 0.5 * parameter.grad
    assert runs.losses(events, "full") == pytest.approx(found, rel=1e-12)
    assert runs.losses(events) == pytest.approx(found, rel=1e-12)
    for event in runs.of_type(events, Compared):
        assert event.comparison.relative_error <= 1e-12


def test_that_a_small_task_runs_with_nothing_else_said(opened: Callable[[str], Task]) -> None:
    opened(GOOD.replace("30, 3", "5, 3"))
    config = RunConfig.of({"task": "mine.py:make"})
    assert (config.model, config.batch, config.micro_batches) == ("own", 5, 5)
    assert len(runs.losses(runs.run(2, task="mine.py:make"))) == 2


@pytest.mark.parametrize("precision", ["float32", "float64", "bfloat16"])
def test_that_numbers_take_the_precision_and_whole_numbers_stay(
    opened: Callable[[str], Task], precision: str
) -> None:
    parts = GOOD.replace(
        "nn.Linear(3, 2)", "nn.Sequential(nn.Embedding(9, 2), nn.Flatten(), nn.Linear(6, 2))"
    )
    parts = parts.replace("inputs=points,", "inputs=(points.abs() * 2).to(torch.int32).numpy(),")
    dtype = getattr(torch, precision)
    build = opened(parts).build
    problem = build(RunConfig.of({"task": "mine.py:make"}), torch.device("cpu"), dtype)
    assert problem.inputs.dtype == torch.int32
    assert {parameter.dtype for parameter in problem.model.parameters()} == {dtype}
    assert runs.run(2, task="mine.py:make", precision=precision)[-1].steps == 2


def test_that_samples_are_shown_as_they_are_drawn(opened: Callable[[str], Task]) -> None:
    opened(GOOD.replace("make():", "make():\n    import numpy as np").replace(
        "loss=", "picture=lambda s: np.full((2, 4), 128.7 + np.sign(s[0])), loss="
    ))  # fmt: skip
    started = runs.of_type(runs.run(1, task="mine.py:make", micro_batches=3), WindowStarted)[0]
    assert started.pictures is not None
    assert [picture.shape for picture in started.pictures] == [(10, 2, 4)] * 3
    assert set(np.unique(started.pictures[0])) == {127, 129}


def test_that_what_guessing_gets_is_unknown_where_nobody_says_it(opened: Callable[[str], Task]) -> None:
    opened(GOOD)
    started = runs.run(1, task="mine.py:make")[0]
    assert np.isnan(started.guessing_loss)
    opened(GOOD.replace("loss=", "guessing_loss=0.7, loss="))
    assert runs.run(1, task="mine.py:make")[0].guessing_loss == 0.7


SETTINGS = [{"task": "mine.py:make"}, {"task": "mine.py"}, {"task": "./mine.py:make", "lr": 0.1}]


@pytest.mark.parametrize("settings", SETTINGS)
def test_that_settings_never_run_a_file_that_nobody_opened(settings: dict[str, object]) -> None:
    Path("mine.py").write_text(MARK + GOOD, "utf-8")
    Path("preset.toml").write_text('title = "t"\nabout = "a"\n[run]\ntask = "mine.py:make"\n', "utf-8")
    words = "is in a file that has not been opened here; name it with --task or open it with File → Open task"
    with pytest.raises(ConfigError, match=words) as caught:
        RunConfig.of(settings)
    assert caught.value.setting == "task"
    with pytest.raises(ConfigError, match=words):
        RunConfig.of({}).changed(**settings)
    with pytest.raises(ConfigError, match=words):
        presets.load("preset.toml")
    with pytest.raises(KeyError):
        tasks.find("mine.py:make")
    assert not Path("ran").exists()
    assert tasks.names() == ("digits", "moons", "penguins")


def test_that_a_preset_with_an_own_task_works_where_the_file_was_opened(
    opened: Callable[[str], Task],
) -> None:
    task = opened(GOOD)
    Path("preset.toml").write_text('title = "t"\nabout = "a"\n[run]\ntask = "mine.py:make"\n', "utf-8")
    config = RunConfig.of(presets.load("preset.toml").settings)
    assert config.task == task.name
    assert presets.differing(config) == {"task": task.name}


def test_that_the_files_path_is_whole_so_that_a_change_of_directory_does_not_matter(
    opened: Callable[[str], Task], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    task = opened(GOOD)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert tasks.find("../mine.py:make") is tasks.find(task.name) is task
    with pytest.raises(KeyError):
        tasks.find("mine.py:make")
    assert len(runs.losses(runs.run(1, task=task.name))) == 1


def test_that_only_opening_it_again_takes_an_edited_file(opened: Callable[[str], Task]) -> None:
    first = opened(GOOD)
    Path("mine.py").write_text(MARK + GOOD.replace("30, 3", "12, 3"), "utf-8")
    assert len(runs.losses(runs.run(1, task="mine.py:make"))) == 1
    assert not Path("ran").exists()
    second = opened(Path("mine.py").read_text("utf-8"))
    assert (first.samples, second.samples) == (30, 12)
    assert tasks.admitted() == (second.name,)
    assert RunConfig.of({"task": "mine.py:make"}).batch == 12


def test_that_modules_beside_the_file_are_found_and_nothing_of_them_stays(
    opened: Callable[[str], Task],
) -> None:
    Path("beside").mkdir()
    Path("beside/__init__.py").write_text("", "utf-8")
    Path("beside/deep.py").write_text("COUNT = 30\n", "utf-8")
    text = GOOD.replace("30, 3", "COUNT, 3").replace(
        "import torch\n", "import torch\nfrom beside.deep import COUNT\n", 1
    )
    before, path = set(sys.modules), list(sys.path)
    assert opened(text).samples == 30
    # in the same second and of the same length: compiled files left behind would hide it
    Path("beside/deep.py").write_text("COUNT = 31\n", "utf-8")
    assert opened(text).samples == 31
    assert {name for name in set(sys.modules) - before if name.startswith(("beside", MODULE))} == set()
    assert sys.path == path
    assert not list(Path().rglob("*.pyc"))


def test_that_what_is_printed_while_a_run_is_built_goes_to_the_log_and_is_cut(
    opened: Callable[[str], Task], capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    opened(
        GOOD.replace(
            "make():", "make():\n    import sys; print('hello'); print('x' * 99999, file=sys.stderr)"
        )
    )
    with caplog.at_level(logging.INFO):
        runs.run(1, task="mine.py:make")
    assert capsys.readouterr() == ("", "")
    (printed,) = [text for text in caplog.messages if "printed:" in text]
    assert "hello\nxxxx" in printed
    assert printed.endswith("… and more")
    assert len(printed) < 17000


def test_that_a_file_that_fails_only_in_the_run_is_one_sentence_with_its_line(
    opened: Callable[[str], Task],
) -> None:
    # at the third call: the first two are the examination
    opened(COUNTS + GOOD.replace("make():", "make():\n    if calls() > 2: 1 / 0"))
    [failed] = runs.run(1, task="mine.py:make")
    assert isinstance(failed, RunFailed)
    assert failed.sentence == "mine.py, line 8: ZeroDivisionError: division by zero"


def test_that_the_place_of_an_error_within_a_run_is_known(opened: Callable[[str], Task]) -> None:
    task = opened(COUNTS + GOOD.replace("loss=lambda o, t: ", "loss=lambda o, t: calls() > 2 and 1 / 0 or "))
    problem = task.build(RunConfig.of({"task": task.name}), torch.device("cpu"), torch.float32)
    with pytest.raises(ZeroDivisionError) as caught:
        problem.loss(torch.zeros(9, 2), torch.zeros(9, dtype=torch.int64))
    assert own.place_in(task.name, caught.value) == "mine.py, line 10"
    assert own.place_in("digits", caught.value) == ""
    assert own.place_in(task.name, ValueError("not raised")) == ""


def test_that_a_file_that_gives_other_samples_in_the_run_is_refused(opened: Callable[[str], Task]) -> None:
    grows = GOOD.replace("make():", "make():\n    n = 30 if calls() <= 2 else 31").replace("30, 3", "n, 3")
    opened(COUNTS + grows)
    [failed] = runs.run(1, task="mine.py:make")
    assert failed.sentence == "mine.py, line 7: make returns 31 samples now, and 30 when it was opened"
