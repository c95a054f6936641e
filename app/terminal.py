"""A run in the terminal: data to stdout, words and progress to stderr."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from io import TextIOBase
from pathlib import Path
from typing import TextIO

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from gradviz import report
from gradviz.config import ConfigError, RunConfig
from gradviz.control import Control
from gradviz.events import Compared, Event, RunFailed, RunFinished, RunStarted, StepFinished

from . import signals
from .logs import log_file, logging_to
from .look import Look

ROWS = 20
"""About so many lines has a table."""

_log = logging.getLogger(__name__)


def open_task(address: str) -> str:
    """Examine the task of the user's own at FILE.py:NAME, which takes some seconds; returns its name.

    Raises:
        ConfigError: one sentence about what is wrong with it.
    """
    from gradviz.tasks import own

    console = Console(stderr=True)
    waiting = console.status(f"trying {address}") if console.is_terminal else nullcontext()
    signals.end_by_exception()
    try:
        with logging_to(log_file()), waiting:
            return own.open_task(address).name
    except ConfigError as error:
        raise ConfigError(f"--task: {error}") from None
    finally:
        signals.end_quietly()


def run_headless(config: RunConfig, steps: int, form: str) -> int:
    """Train for `steps` steps and print them as "text" or "jsonl". Returns the exit code."""
    # torch takes a second to read, which no mistake in an option should have to wait for
    from gradviz import devices
    from gradviz.trainer import Trainer

    signals.end_by_exception()
    devices.resolve(config.device, config.precision)
    control = Control(config, always_seen=True)
    control.allow(None)
    summary = report.Summary()
    printer = _Table(sys.stdout, steps, summary) if form == "text" else _JsonLines(sys.stdout, summary)
    failed = False
    # a task of the user's own may print, and stdout is for data
    with logging_to(log_file()), _progress("training", steps) as advance, redirect_stdout(_Log()):
        for event in Trainer(config, steps).run(control):
            summary.append(event)
            printer.print(event)
            if isinstance(event, StepFinished):
                advance(event.step)
            if isinstance(event, RunFailed):
                failed = True
                click.echo(f"gradviz: {report.failure(event)} (details in {log_file()})", err=True)
    return 1 if failed else 0


def render_with_progress(
    config: RunConfig, out: Path, steps: int, micro_batch: int | None, look: Look
) -> int:
    """Train, paint and write, with a progress bar. Returns the exit code."""
    from gradviz import devices

    from .render import RenderError, render_png

    signals.end_by_exception()
    devices.resolve(config.device, config.precision)
    try:
        with _progress("rendering", steps) as advance:
            early = render_png(
                config,
                out,
                steps=steps,
                micro_batch=micro_batch,
                look=look,
                on_step=lambda step, _steps: advance(step),
            )
    except RenderError as error:
        click.echo(f"gradviz: {error}", err=True)
        return 1
    if early:
        click.echo(f"gradviz: {early}", err=True)
    return 0


class _Log(TextIOBase):
    """Writes the lines that it is given into the log."""

    def write(self, text: str) -> int:
        if text.strip():
            _log.info("printed: %s", text.rstrip())
        return len(text)

    def writable(self) -> bool:
        return True


class _JsonLines:
    def __init__(self, out: TextIO, summary: report.Summary) -> None:
        self._out, self._summary = out, summary

    def print(self, event: Event) -> None:
        click.echo(report.json_line(event, self._summary), file=self._out)


class _Table:
    def __init__(self, out: TextIO, steps: int, summary: report.Summary) -> None:
        self._out = out
        self._steps, self._every = steps, max(1, -(-steps // ROWS))
        self._summary = summary
        self._compared: Compared | None = None

    def print(self, event: Event) -> None:
        match event:
            case RunStarted():
                self._lines(report.heading(event))
            case Compared():
                self._compared = event
            case StepFinished() if event.step in (1, self._steps) or event.step % self._every == 0:
                click.echo(report.row(event, self._compared), file=self._out)
            case RunFinished():
                self._lines(report.conclusion(self._summary, event.steps, self._steps))
            case _:
                pass

    def _lines(self, lines: Iterator[str]) -> None:
        for line in lines:
            click.echo(line, file=self._out)


@contextmanager
def _progress(words: str, steps: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr where that is a terminal; nothing where it is a file."""
    console = Console(stderr=True)
    columns = (TextColumn(words), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(words, total=steps)
        yield lambda step: progress.update(task, completed=step)
