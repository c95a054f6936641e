"""The tasks that ship: their data, their models, and that accumulation equals the full batch on each."""

from __future__ import annotations

import math
from importlib import resources

import numpy as np
import pytest
import runs
import torch
from torch import Tensor, nn
from torch.nn import functional

from gradviz import tasks
from gradviz.accumulation import accumulate
from gradviz.config import LEARNING_RATES, ConfigError, RunConfig
from gradviz.events import Compared, MemorySampled, RunStarted, StepFinished
from gradviz.scaling import even_sizes, weights
from gradviz.tasks import SHAPE, Problem, Task, moons, penguins

MODELS = [(name, model) for name in tasks.names() for model in tasks.find(name).models]
CPU = torch.device("cpu")


def problem_of(name: str, model: str, dtype: torch.dtype = torch.float64, **settings: object) -> Problem:
    torch.manual_seed(7)
    config = RunConfig.of({"task": name, "model": model, **settings})
    return tasks.find(name).build(config, CPU, dtype)


def plain_mean_loss(name: str, outputs: Tensor, targets: Tensor) -> Tensor:
    """The mean loss as everybody writes it."""
    if name == "penguins":
        return functional.mse_loss(outputs[:, 0], targets)
    return functional.cross_entropy(outputs, targets)


def gradient(model: nn.Module) -> Tensor:
    found = runs.flat([p.grad for p in model.parameters() if p.grad is not None])
    model.zero_grad()
    return found


def test_that_these_tasks_ship() -> None:
    assert tasks.names() == ("digits", "moons", "penguins")
    assert tasks.find("digits").models == ("mlp", "cnn")


@pytest.mark.parametrize(("name", "model"), MODELS)
@pytest.mark.parametrize("count", [1, 8, 7, 64])
def test_that_the_pieces_add_up_to_plain_torchs_gradient_of_the_whole_batch(
    name: str, model: str, count: int
) -> None:
    problem, sizes = problem_of(name, model), even_sizes(256, count)
    inputs, targets = problem.inputs[:256], problem.targets[:256]
    plain_mean_loss(name, problem.model(inputs), targets).backward()
    whole = gradient(problem.model)
    pieces = zip(inputs.split(list(sizes)), targets.split(list(sizes)), strict=True)
    for _ in accumulate(problem.model, problem.loss, pieces, weights("samples", sizes)):
        pass
    assert runs.relative_error(gradient(problem.model), whole) <= 1e-12


@pytest.mark.parametrize(("name", "model"), MODELS)
def test_that_each_model_learns_with_the_default_settings_and_every_step_is_equal(
    name: str, model: str
) -> None:
    events = runs.run(20, task=name, model=model, optimizer="adam")
    assert {event.comparison.kind for event in runs.of_type(events, Compared)} == {"equal"}
    assert runs.losses(events)[-1] < 0.7 * runs.losses(events)[0]
    started = events[0]
    assert isinstance(started, RunStarted)
    # a first guess that is wild would hide what is learned
    assert runs.losses(events)[0] == pytest.approx(started.guessing_loss, rel=0.4)


@pytest.mark.parametrize(("name", "model"), MODELS)
@pytest.mark.parametrize("optimizer", LEARNING_RATES)
def test_that_the_default_learning_rates_suit_each_model(name: str, model: str, optimizer: str) -> None:
    steps = 15 if model == "cnn" else 40
    events = runs.run(steps, seen=False, task=name, model=model, optimizer=optimizer)
    last = runs.of_type(events, StepFinished)[-1]
    assert (last.step, last.state_full, last.state_accumulated) == (steps, "training", "training")
    assert runs.losses(events)[-1] < 0.75 * runs.losses(events)[0]


@pytest.mark.parametrize(("name", "model"), MODELS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_that_a_problem_is_as_it_says(name: str, model: str, dtype: torch.dtype) -> None:
    task, problem = tasks.find(name), problem_of(name, model, dtype)
    assert len(problem.inputs) == len(problem.targets) == task.samples
    assert problem.inputs.dtype == dtype
    assert {parameter.dtype for parameter in problem.model.parameters()} == {dtype}
    outputs = problem.model(problem.inputs[:9])
    losses = problem.loss(outputs, problem.targets[:9])
    assert losses.shape == (9,)
    assert losses.dtype == dtype
    assert problem.score is not None
    scores = problem.score.of(outputs.detach().float().numpy(), problem.targets[:9].float().numpy())
    assert scores.shape == (9,)
    assert problem.pictures is None or problem.pictures.shape[0] == task.samples


@pytest.mark.parametrize(("name", "model"), MODELS)
@pytest.mark.parametrize("setting", SHAPE)
def test_that_exactly_the_settings_that_are_told_of_change_a_model(
    name: str, model: str, setting: str
) -> None:
    other = {"width": 32, "depth": 2, "activation": "relu"}[setting]
    if setting in tasks.find(name).settings(model):
        changed = problem_of(name, model, **{setting: other})
        assert changed.model_title != problem_of(name, model).model_title
    else:
        with pytest.raises(ConfigError, match=f"^{setting} has no effect on the {model} of {name}; leave"):
            RunConfig.of({"task": name, "model": model, setting: other})


def test_the_titles_and_sizes_of_the_models() -> None:
    found = {}
    for name, model in MODELS:
        problem = problem_of(name, model)
        parameters = sum(parameter.numel() for parameter in problem.model.parameters())
        found[name, model] = (problem.model_title, parameters)
    assert found == {
        ("digits", "mlp"): ("64-64-10 tanh MLP", 4810),
        ("digits", "cnn"): ("64-64-10 tanh CNN", 40138),
        ("moons", "mlp"): ("2-64-2 tanh MLP", 322),
        ("penguins", "mlp"): ("7-64-1 tanh MLP", 577),
    }
    assert problem_of("moons", "mlp", depth=0).model_title == "2-2 linear"


@pytest.mark.parametrize(("name", "classes"), [("digits", 10), ("moons", 2)])
def test_that_guessing_a_class_is_what_equal_outputs_get(name: str, classes: int) -> None:
    problem = problem_of(name, "mlp")
    same = torch.zeros(len(problem.targets), classes, dtype=torch.float64)
    assert float(problem.loss(same, problem.targets).mean()) == pytest.approx(problem.guessing_loss)
    assert problem.guessing_title == f"ln {classes}"


def test_that_guessing_a_mass_is_saying_the_mean() -> None:
    problem = problem_of("penguins", "mlp")
    mean = problem.targets.mean().expand(len(problem.targets), 1)
    assert float(problem.loss(mean, problem.targets).mean()) == pytest.approx(problem.guessing_loss)
    assert problem.guessing_loss == pytest.approx(1, abs=1e-12)


def test_that_accuracy_is_the_share_of_samples_that_are_right() -> None:
    score = problem_of("digits", "mlp").score
    assert score is not None
    outputs = np.array([[1.0, 2.0], [3.0, 0.0], [0.0, 1.0]])
    assert (score.title, score.unit) == ("accuracy", "%")
    assert score.of(outputs, np.array([1, 1, 1])).tolist() == [True, False, True]


def test_that_the_error_of_a_mass_is_told_in_grams() -> None:
    problem, (_, mass_g) = problem_of("penguins", "mlp"), penguins.penguins()
    assert problem.score is not None
    mean = np.zeros((len(mass_g), 1))
    assert problem.score.unit == "g"
    found = problem.score.of(mean, problem.targets.numpy())
    assert found == pytest.approx(np.abs(mass_g - mass_g.mean()))


def test_that_the_moons_are_two_half_circles_that_reach_into_each_other() -> None:
    points, labels = moons.points()
    assert points.shape == (1000, 2)
    assert np.bincount(labels).tolist() == [500, 500]
    upper, lower = points[labels == 0], points[labels == 1]
    assert np.hypot(*upper.T).mean() == pytest.approx(1, abs=0.02)
    assert np.hypot(*(lower - (1, 0.5)).T).mean() == pytest.approx(1, abs=0.02)
    assert upper[:, 1].mean() > 0.5 > 0 > lower[:, 1].mean()
    # the noise is the same on every machine
    assert (points[0] - (1, 0)).tolist() == pytest.approx([0.21168628, 0.04801886], abs=1e-7)


def test_that_the_plane_is_read_as_the_probability_of_the_second_moon() -> None:
    problem = problem_of("moons", "mlp")
    assert problem.plane is not None
    assert np.allclose(problem.inputs.numpy(), problem.plane.points)
    assert np.array_equal(problem.targets.numpy(), problem.plane.labels)
    logits = torch.tensor([[0.0, 0.0], [0.0, math.log(3)]])
    assert problem.plane.probability(logits).tolist() == pytest.approx([0.5, 0.75])


def test_that_the_penguins_are_all_there() -> None:
    with resources.files("gradviz.resources").joinpath("penguins.npz").open("rb") as file:
        data = dict(np.load(file, allow_pickle=False))
    assert {name: array.shape for name, array in data.items()} == {
        "sizes_mm": (333, 3),
        "species": (333,),
        "male": (333,),
        "mass_g": (333,),
    }
    # as counted in the file they come from
    assert np.bincount(data["species"]).tolist() == [146, 68, 119]
    assert int(data["male"].sum()) == 168
    assert data["mass_g"].mean() == pytest.approx(4207.057, abs=1e-3)
    assert data["sizes_mm"][0].tolist() == pytest.approx([39.1, 18.7, 181])
    columns, _ = penguins.penguins()
    assert columns.mean(axis=0) == pytest.approx(np.zeros(7), abs=1e-12)
    assert columns.std(axis=0) == pytest.approx(np.ones(7))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Task:
    """A task with 20 samples and learning rates of its own."""
    task = Task(
        "small", "small", 20, ("a", "b"), problem_of, {"b": ()}, {"a": {"sgd": 0.2}, "b": {"sgd": 0.3}}
    )
    find = tasks.find
    monkeypatch.setattr(tasks, "find", lambda name: task if name == "small" else find(name))
    return task


def test_that_a_small_task_brings_its_model_and_a_smaller_b_and_n(small: Task) -> None:
    config = RunConfig.of({"task": "small"})
    assert (config.model, config.batch, config.micro_batches, config.lr) == ("a", 20, 8, 0.2)
    assert RunConfig.of({"task": "small", "batch": 3}).micro_batches == 3
    assert RunConfig.of({}).changed(task="small") == config
    assert config.changed(task="digits") == RunConfig.of({})


def test_that_what_was_chosen_stays_where_the_new_task_can_use_it(small: Task) -> None:
    chosen = RunConfig.of({"lr": 0.1, "batch": 16, "micro_batches": 4, "seed": 3, "depth": 2})
    there = chosen.changed(task="small")
    assert (there.lr, there.batch, there.micro_batches, there.seed, there.depth) == (0.1, 16, 4, 3, 2)
    assert there.changed(task="digits") == chosen
    large = RunConfig.of({"batch": 512, "micro_batches": 64})
    assert (large.changed(task="small").batch, large.changed(task="small").micro_batches) == (20, 8)
    with pytest.raises(ConfigError, match=r"^batch B is 512, but small has 20 samples$"):
        large.changed(task="small", batch=512)


def test_that_sizes_stay_where_they_fit_the_new_task(small: Task) -> None:
    uneven = RunConfig.of({"sizes": [4, 4, 2]})
    assert uneven.changed(task="small").sizes == (4, 4, 2)
    assert uneven.changed(task="small").micro_batches == 3
    wide = RunConfig.of({"sizes": [40, 4, 2]}).changed(task="small")
    assert (wide.sizes, wide.batch, wide.micro_batches) == (None, 20, 8)


def test_that_a_new_model_brings_its_learning_rate_and_drops_what_it_does_not_obey(small: Task) -> None:
    config = RunConfig.of({"task": "small", "width": 32})
    assert (config.changed(model="b").lr, config.changed(model="b").width) == (0.3, 64)
    assert config.changed(lr=0.7).changed(model="b").lr == 0.7
    with pytest.raises(ConfigError, match="width has no effect on the b of small"):
        config.changed(model="b", width=32)
    assert RunConfig.of({"depth": 3}).changed(model="cnn") == RunConfig.of({"model": "cnn"})


def test_that_a_smaller_b_brings_a_smaller_n_only_where_n_was_not_chosen() -> None:
    assert RunConfig.of({}).changed(batch=4).micro_batches == 4
    assert RunConfig.of({}).changed(batch=4).changed(batch=64).micro_batches == 8
    with pytest.raises(ConfigError, match="micro-batches N is 16, more than the 4 samples"):
        RunConfig.of({"micro_batches": 16}).changed(batch=4)


@pytest.mark.parametrize(("name", "model"), MODELS)
def test_that_the_default_batch_fits_the_default_card_only_in_pieces(name: str, model: str) -> None:
    peaks: dict[str, int] = {}
    for event in runs.of_type(runs.run(2, task=name, model=model), MemorySampled):
        assert isinstance(event, MemorySampled)
        peaks[event.lane] = max(peaks.get(event.lane, 0), event.sample.peak_bytes)
    assert 1.3 * peaks["accumulated"] < tasks.find(name).card(model) < peaks["full"] / 1.3
