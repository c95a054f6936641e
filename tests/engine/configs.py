"""Settings of every kind, for the tests that write them down and read them back."""

from __future__ import annotations

from hypothesis import strategies as st

from gradviz import tasks
from gradviz.config import RunConfig, choices

_VALUES: dict[str, st.SearchStrategy[object]] = {
    "scaling": st.sampled_from(choices("scaling")),
    "optimizer": st.sampled_from(choices("optimizer")),
    "lr": st.floats(1e-6, 100.0),
    "lanes": st.sampled_from(choices("lanes")),
    "twin": st.booleans(),
    "device": st.sampled_from(["auto", "cpu", "cuda", "cuda:1"]),
    "precision": st.sampled_from(choices("precision")),
    "seed": st.integers(0, 2**31 - 1),
    "threads": st.integers(1, 256),
    "card": st.integers(1024, 2**49),
}
_SHAPES: dict[str, st.SearchStrategy[object]] = {
    "width": st.integers(1, 512),
    "depth": st.integers(0, 8),
    "activation": st.sampled_from(choices("activation")),
}


@st.composite
def configs(draw: st.DrawFn) -> RunConfig:
    """A run of a task that ships, with any of its settings left alone or not."""
    task = tasks.find(draw(st.sampled_from(tasks.names())))
    model = draw(st.sampled_from(task.models))
    shapes = {name: values for name, values in _SHAPES.items() if name in task.settings(model)}
    settings = draw(st.fixed_dictionaries({}, optional={**_VALUES, **shapes}))
    settings |= {"task": task.name, "model": model}
    match draw(st.sampled_from(["as it is", "even", "by hand"])):
        case "even":
            batch = draw(st.integers(1, task.samples))
            settings |= {"batch": batch, "micro_batches": draw(st.integers(1, batch))}
        case "by hand":
            settings["sizes"] = draw(
                st.lists(st.integers(1, 6), min_size=1, max_size=min(30, task.samples // 6))
            )
    return RunConfig.of(settings)
