"""The commands and their options. Qt and torch are imported only by the command that needs them."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar, get_args

import click

from gradviz import presets, tasks
from gradviz.config import FIELDS, ConfigError, RunConfig, allowed, choices, meta, shown

from .look import TABS, THEME_CHOICES, THEMES, ZOOMS, Look

_FLAGS = {"micro_batches": ("-n", "--micro-batches")}
_METAVARS = {
    "card": "SIZE",
    "micro_batches": "N",
    "sizes": "B1,B2,…",
    "task": f"{'|'.join(tasks.names())}|FILE.py:NAME",
    "model": "M",
}
_FIGURE = re.compile(r"(\d{3,5})x(\d{3,5})")

Command = TypeVar("Command", bound=Callable[..., Any])


def _option(name: str) -> Callable[[Command], Command]:
    about = meta(name)
    flags = _FLAGS.get(name, (f"--{name.replace('_', '-')}",))
    if get_args(FIELDS[name])[0] is bool:
        return click.option(f"{flags[0]}/--no-{name}", name, default=None, help=about.description)
    words = "|".join(choices(name))
    more = "" if words or about.ge is None else f" ({allowed(name)})"
    if name == "model":
        more = f" ({_models()})"
    metavar = _METAVARS.get(name) or words or name[0].upper()
    return click.option(*flags, name, metavar=metavar, help=f"{about.description}{more}")


def _models() -> str:
    """The models of the tasks that have several."""
    several = [task for task in map(tasks.find, tasks.names()) if len(task.models) > 1]
    return "; ".join(f"{task.name}: {' or '.join(task.models)}" for task in several)


def run_options(command: Command) -> Command:
    """Give a command an option for each setting of a run, and --preset."""
    for name in reversed(FIELDS):
        command = _option(name)(command)
    text = f"a preset that ships ({', '.join(presets.names())}) or a file"
    return click.option("--preset", metavar="NAME|FILE", help=text)(command)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@run_options
@click.option("--paused", is_flag=True, help="open the window without starting to train")
@click.option("--theme", type=click.Choice(THEME_CHOICES), help="colours of the window")
@click.version_option(package_name="gradviz", message="gradviz %(version)s")
@click.pass_context
def cli(context: click.Context, /, paused: bool, theme: str | None, **options: Any) -> None:
    """Gradient accumulation, seen and checked. Without a command: open the window."""
    if context.invoked_subcommand is not None:
        given = {**options, "paused": paused or None, "theme": theme}
        if any(value is not None for value in given.values()):
            raise click.UsageError(f"options come after {context.invoked_subcommand!r}, not before it")
        return
    config = _config(options)
    from .display import missing_display

    missing = missing_display()
    if missing is not None:
        raise click.UsageError(missing)
    from . import application

    sys.exit(application.run(config, paused=paused, theme=theme))


@cli.command()
@run_options
@click.option("--headless", is_flag=True, help="train in the terminal, without a window")
@click.option("--steps", type=click.IntRange(1), default=100, show_default=True, help="optimizer steps")
@click.option(
    "--format", "form", type=click.Choice(["text", "jsonl"]), default="text", help="table or JSON lines"
)
def run(headless: bool, steps: int, form: str, **options: Any) -> None:
    """Train both runs and say whether accumulation equals the full batch."""
    if not headless:
        raise click.UsageError("a run without a window needs --headless; for the window say just gradviz")
    config = _config(options)
    from .terminal import run_headless

    sys.exit(run_headless(config, steps, form))


@cli.command()
@run_options
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="the PNG to write"
)
@click.option(
    "--steps", type=click.IntRange(0), default=60, show_default=True, help="optimizer steps to take"
)
@click.option("--micro-batch", type=click.IntRange(0), help="then so many micro-batches of the next step")
@click.option("--size", default="1280x720", show_default=True, metavar="WxH", help="size in pixels")
@click.option("--theme", type=click.Choice(THEMES), default="dark", show_default=True)
@click.option("--tab", type=click.Choice(TABS), default="stack", show_default=True, help="tab of the stage")
@click.option("--zoom", type=click.Choice([f"{zoom:g}" for zoom in ZOOMS]), default="1", show_default=True)
def render(out: Path, steps: int, micro_batch: int | None, size: str, **options: Any) -> None:
    """Paint the window into a picture, as it stands after some steps. Needs no display."""
    look = Look(_size(size), options.pop("theme"), options.pop("tab"), float(options.pop("zoom")))
    if out.suffix.lower() != ".png":
        raise click.UsageError(f"{out} does not end in .png")
    if not out.absolute().parent.is_dir():
        raise click.UsageError(f"there is no folder {out.absolute().parent}")
    config = _config(options)
    if micro_batch is None and steps == 0:
        raise click.UsageError(
            "--steps 0 needs --micro-batch: before the first micro-batch there is nothing to show"
        )
    if micro_batch is not None and config.lanes == "full":
        raise click.UsageError("--micro-batch: the full-batch lane alone takes no micro-batches")
    if micro_batch is not None and micro_batch > config.micro_batches:
        raise click.UsageError(f"--micro-batch is {micro_batch}, but a window has {config.micro_batches}")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from .display import missing_libraries

    missing = missing_libraries()
    if missing is not None:
        raise click.UsageError(missing)
    from .terminal import render_with_progress

    sys.exit(render_with_progress(config, out, steps, micro_batch, look))


@cli.command()
@click.option("--template", is_flag=True, help="print a file with a task of your own, to begin with")
def task(template: bool) -> None:
    """List the tasks that ship, or print the beginnings of your own."""
    if template:
        from gradviz.tasks.own.template import TEMPLATE

        click.echo(TEMPLATE, nl=False)
        return
    for known in map(tasks.find, tasks.names()):
        click.echo(f"{known.name:10} {', '.join(known.models):10} {known.about}")
    click.echo("For a task of your own begin with the file that gradviz task --template prints.", err=True)


def obey() -> None:
    """Do what the command line says and end the process; see `cli.main`."""
    try:
        cli(standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except click.ClickException as error:
        _end(" ".join(error.format_message().split()), 2)
    except ConfigError as error:
        _end(str(error), 2)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(128 + signal.SIGINT)
    except OSError as error:
        # nothing more can be written there, not even at exit; that a reader has gone is no news
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _end("" if isinstance(error, BrokenPipeError) else f"{error.strerror or error}", 1)


def _end(sentence: str, code: int) -> NoReturn:
    if sentence:
        click.echo(f"gradviz: {sentence}", err=True)
    sys.exit(code)


def _config(options: dict[str, Any]) -> RunConfig:
    """The preset, or the defaults, changed by the options that were given."""
    preset, asked = options.pop("preset"), options.get("task")
    if asked is not None and asked not in tasks.names() and tasks.is_own(asked):
        from .terminal import open_task

        # a preset may name the same file
        options = {**options, "task": open_task(asked)}
    base = RunConfig.of({} if preset is None else presets.load(preset).settings)
    try:
        return base.changed(**{name: _read(name, v) for name, v in options.items() if v is not None})
    except ConfigError as error:
        if error.setting is None or options.get(error.setting) is None:
            raise
        raise ConfigError(f"{_flag(error.setting)}: {error}") from None


def _read(name: str, value: str | bool) -> object:
    """Text as the numbers that the setting is; what is none is left to the settings to judge."""
    if not isinstance(value, str):
        return value
    kind = get_args(FIELDS[name])[0]
    with contextlib.suppress(ValueError):
        if name == "sizes":
            return [int(size) for size in value.split(",")]
        if kind in (int, float) and name != "card":
            return kind(value)
    return value


def _flag(name: str) -> str:
    return _FLAGS.get(name, (f"--{name.replace('_', '-')}",))[0]


def _size(text: str) -> tuple[int, int]:
    match = _FIGURE.fullmatch(text)
    width, height = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (640 <= width <= 7680 and 400 <= height <= 4320):
        raise click.UsageError(f"--size is {shown(text)}; it must be WxH, from 640x400 to 7680x4320")
    return width, height
