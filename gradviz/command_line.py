"""A run as the command that makes it again."""

from __future__ import annotations

import shlex
import subprocess
import sys

from gradviz.config import RunConfig
from gradviz.presets import differing

_FLAGS = {"micro_batches": "-n"}


def command_line(config: RunConfig, platform: str = sys.platform) -> str:
    """Such as "gradviz -n 16 --lr 0.1": what differs from the defaults, quoted for that platform's shell."""
    words = ["gradviz"]
    for name, value in differing(config).items():
        words += _option(name, value)
    return subprocess.list2cmdline(words) if platform == "win32" else shlex.join(words)


def _option(name: str, value: object) -> list[str]:
    flag = _FLAGS.get(name, f"--{name.replace('_', '-')}")
    if isinstance(value, bool):
        return [flag if value else f"--no-{flag.removeprefix('--')}"]
    if isinstance(value, tuple):
        return [flag, ",".join(map(str, value))]
    return [flag, str(value)]
