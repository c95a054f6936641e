"""Settings kept in a file: those that ship, and the user's own."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import tomli_w

from gradviz.config import ConfigError, RunConfig, shown, suggestion

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MAX_BYTES = 2**20
_KEYS = ("title", "about", "run")


@dataclass(frozen=True, slots=True)
class Preset:
    """A named run: its title, a sentence about what it shows, and the settings that are not left alone."""

    name: str
    title: str
    about: str
    settings: Mapping[str, object]


def names() -> tuple[str, ...]:
    """The presets that ship, by name."""
    files = (file.name for file in _folder().iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


def load(name_or_path: str | Path) -> Preset:
    """The preset of that name, or else the one in that file.

    Raises:
        ConfigError: one sentence that names the file, what is wrong and where.
    """
    asked = str(name_or_path)
    if name_or_path in names():
        return _parse(asked, asked, (_folder() / f"{asked}.toml").read_text("utf-8"))
    path = Path(name_or_path)
    return _parse(shown(asked), path.stem, _read(path, asked))


def save(path: str | Path, preset: Preset) -> None:
    """Write the preset into a file, whole or not at all; of its settings only what `differing` names.

    Raises:
        ConfigError: one sentence; what stood in the file before stands there still.
    """
    path = Path(path)
    content = {
        "title": _text(shown(str(path)), {"title": preset.title}, "title"),
        "about": _text(shown(str(path)), {"about": preset.about}, "about"),
        "run": differing(RunConfig.of(preset.settings)),
    }
    try:
        _write(path, tomli_w.dumps(content))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "its name or its words are no text"
        raise ConfigError(f"{shown(str(path))} cannot be written: {why}") from None


def differing(config: RunConfig) -> dict[str, object]:
    """The fewest settings from which `RunConfig.of` makes this run; the rest follows from them."""
    known = msgspec.structs.asdict(config)
    told: dict[str, object] = {name: value for name, value in known.items() if value is not None}
    for name in RunConfig.__struct_fields__:
        rest = {other: value for other, value in told.items() if other != name}
        with contextlib.suppress(ConfigError):
            if RunConfig.of(rest) == config:
                told = rest
    return told


def _folder() -> Traversable:
    return resources.files("gradviz.resources") / "presets"


def _read(path: Path, asked: str) -> str:
    try:
        if not asked or not path.exists():
            raise ConfigError(f"there is no preset or file {shown(asked)}; {_which(asked)}")
        if path.is_dir():
            raise ConfigError(f"{shown(asked)} is a directory, not a preset")
        if not path.is_file():
            raise ConfigError(f"{shown(asked)} is not a file")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{shown(asked)} cannot be read: {error.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise ConfigError(f"{shown(asked)} is larger than 1 MiB; that is no preset")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{shown(asked)} is not text in UTF-8: line {line} has a byte that is not"
        ) from None


def _write(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.part")
    try:
        beside.write_text(text, "utf-8", newline="\n")
        beside.replace(path)
    finally:
        # where it cannot be removed it could not be written either
        with contextlib.suppress(OSError, ValueError):
            beside.unlink(missing_ok=True)


def _which(asked: str) -> str:
    return f"there is {', '.join(names())}{suggestion(asked, names())}"


def _parse(file: str, name: str, text: str) -> Preset:
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        why = " ".join(str(error).split()) if isinstance(error, ValueError) else "nested too deeply"
        raise ConfigError(f"{file} is not TOML: {why}") from None
    for key in content:
        if key not in _KEYS:
            raise ConfigError(f"{file}: unknown key {shown(key)}{_hint(key)}")
    run = content.get("run", {})
    if not isinstance(run, dict):
        raise ConfigError(f"{file}: run is {shown(run)}; it must be a table of settings, [run]")
    try:
        RunConfig.of(run)
    except ConfigError as error:
        key = "" if error.setting is None else f" {error.setting}"
        raise ConfigError(f"{file}: [run]{key}: {error}") from None
    return Preset(name, _text(file, content, "title"), _text(file, content, "about"), run)


def _hint(key: str) -> str:
    if key in RunConfig.__struct_fields__:
        return "; settings belong under [run]"
    return suggestion(key, _KEYS)


def _text(file: str, content: Mapping[str, object], key: str) -> str:
    if key not in content:
        raise ConfigError(f'{file}: {key} is missing; write {key} = "..." at the top')
    text = content[key]
    if not isinstance(text, str) or not text.strip() or "\n" in text:
        raise ConfigError(f"{file}: {key} is {shown(text)}; it must be one line of text")
    return text
