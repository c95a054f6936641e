"""A model and data of the user's own, from a file that he named: FILE.py:NAME.

NAME is a function without arguments that returns a dict; `template.TEMPLATE` shows it. The file's code is run
only by `open_task`, which tries it in another process first, and by the runs that follow.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from gradviz import tasks
from gradviz.tasks import Task
from gradviz.tasks.own.blame import place
from gradviz.tasks.own.building import build
from gradviz.tasks.own.process import LIMIT_S, Cancelled, examine
from gradviz.tasks.own.source import functions, read

__all__ = ["LIMIT_S", "MODEL", "Cancelled", "functions", "open_task", "place_in"]

MODEL = "own"
"""What the one model of such a task is called."""


def open_task(
    address: str, *, limit_s: float = LIMIT_S, cancelled: Callable[[], bool] = lambda: False
) -> Task:
    """Examine FILE.py:NAME and let `tasks.find` know it from then on. May be called in any thread.

    It takes some seconds, most of them to read torch in another process; `cancelled` is asked all the while.
    Runs use the file as it is now: who edits it opens it again.

    Raises:
        ConfigError: one sentence that says what is wrong, with file and line where there is one.
        Cancelled: `cancelled` said so; nothing has changed.
    """
    source = read(address)
    found = examine(source, limit_s, cancelled)
    about = f"{found.samples} samples, {found.model_title} with {found.parameters} parameters"
    task = Task(
        name=source.name,
        title=found.title,
        samples=found.samples,
        models=(MODEL,),
        build=partial(build, source, found),
        shapes={MODEL: ()},
        about=f"{about}, from {source.path}",
    )
    tasks.admit(task)
    return task


def place_in(name: str, error: BaseException) -> str:
    """File and line of that task in which a run failed, or "" where it was none of the user's own."""
    return place(error, Path(name.rpartition(":")[0])) if tasks.is_own(name) else ""
