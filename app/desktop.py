"""Puts gradviz among the programs of a Linux desktop: python -m gradviz_app.desktop."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

import click

DESKTOP = Path("applications") / "gradviz.desktop"
ICON = Path("icons") / "hicolor" / "scalable" / "apps" / "gradviz.svg"


def data_home(environment: Mapping[str, str] = os.environ) -> Path:
    """Where a user's own desktop files lie: XDG_DATA_HOME, or ~/.local/share where that is no whole path."""
    named = Path(environment.get("XDG_DATA_HOME", ""))
    return named if named.is_absolute() else Path.home() / ".local" / "share"


def program() -> str:
    """The command of this very installation, which need not be on the path of the desktop."""
    beside = Path(sys.executable).with_name("gradviz")
    return str(beside) if beside.is_file() else shutil.which("gradviz") or "gradviz"


def install(home: Path, command: str) -> tuple[Path, Path]:
    """Write the desktop file, which starts `command`, and the icon below `home`; returns both paths.

    Raises:
        OSError: a file cannot be written. What stood there before stands there still.
    """
    folder = resources.files("gradviz.resources")
    text = (folder / "gradviz.desktop").read_text("utf-8")
    _write(home / DESKTOP, text.replace("Exec=gradviz\n", f"Exec={quoted(command)}\n"))
    _write(home / ICON, (folder / "icons" / "gradviz.svg").read_text("utf-8"))
    return home / DESKTOP, home / ICON


def quoted(command: str) -> str:
    """A path as the desktop entry specification wants it in Exec: in quotes where it is not plain."""
    if all(letter.isalnum() or letter in "/._-" for letter in command):
        return command
    # escaped once as an argument, and then as any text of the file
    argument = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in command)
    return '"' + argument.replace("\\", "\\\\").replace("%", "%%") + '"'


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.part")
    try:
        beside.write_text(text, "utf-8", newline="\n")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


@click.command(help=__doc__)
def main() -> None:
    """Install, and say where."""
    try:
        for path in install(data_home(), program()):
            click.echo(path)
    except OSError as error:
        raise click.ClickException(f"{error.filename} cannot be written: {error.strerror}") from None


if __name__ == "__main__":
    main(prog_name="python -m gradviz_app.desktop")
