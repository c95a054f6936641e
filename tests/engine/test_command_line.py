"""The command that makes a run again, read by the real commands."""

from __future__ import annotations

import shlex

import pytest
from configs import configs
from hypothesis import given

from gradviz import presets
from gradviz.command_line import command_line
from gradviz.config import RunConfig
from gradviz_app import commands  # noqa: TID251  (what reads the words is what the test is about)


def read_back(command: str) -> RunConfig:
    """What the real command makes of the words."""
    program, *words = shlex.split(command)
    assert program == "gradviz"
    context = commands.cli.make_context("gradviz", words)
    options = {**context.params}
    assert (options.pop("paused"), options.pop("theme")) == (False, None)
    return commands._config(options)


def test_that_a_run_with_nothing_changed_is_the_bare_command() -> None:
    assert command_line(RunConfig.of({})) == "gradviz"


@pytest.mark.parametrize(
    ("settings", "command"),
    [
        ({"micro_batches": 16, "lr": 0.1}, "gradviz -n 16 --lr 0.1"),
        ({"scaling": "unscaled", "twin": True}, "gradviz --scaling unscaled --twin"),
        ({"optimizer": "adam"}, "gradviz --optimizer adam"),
        ({"optimizer": "adam", "lr": 0.5}, "gradviz --optimizer adam --lr 0.5"),
        ({"card": "1MiB"}, "gradviz --card 1048576"),
        ({"sizes": [4, 4, 2]}, "gradviz --sizes 4,4,2"),
    ],
)
def test_that_only_what_differs_is_told(settings: dict[str, object], command: str) -> None:
    assert command_line(RunConfig.of(settings)) == command


@given(configs())
def test_that_the_command_makes_the_same_run(config: RunConfig) -> None:
    assert read_back(command_line(config)) == config


@pytest.mark.parametrize("name", presets.names())
def test_that_every_preset_can_be_told_as_a_command(name: str) -> None:
    config = RunConfig.of(presets.load(name).settings)
    assert read_back(command_line(config)) == config


def test_that_a_path_is_quoted_for_the_shell_that_reads_it() -> None:
    # a task of one's own has its path as its name; whether it is admitted is not asked here
    config = RunConfig(task="my nets/it's.py:problem")
    command = command_line(config, "linux")
    assert shlex.split(command)[:3] == ["gradviz", "--task", "my nets/it's.py:problem"]
    assert '--task "my nets/it\'s.py:problem"' in command_line(config, "win32")
