"""The file with a task of the user's own, read as text. No code is run here."""

from __future__ import annotations

import ast
import contextlib
from dataclasses import dataclass
from pathlib import Path

from gradviz.sentences import ConfigError, shown
from gradviz.tasks import own_name

MAX_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class Source:
    """What the file said when it was opened, and the function in it that makes the task."""

    path: Path
    function: str
    text: str

    @property
    def name(self) -> str:
        """The task's name: the file's whole path and the function."""
        return f"{self.path}:{self.function}"


def refusal(sentence: str) -> ConfigError:
    """The error that says `sentence` of the setting "task"."""
    return ConfigError(sentence, "task")


def read(address: str) -> Source:
    """The file at FILE.py:NAME.

    Raises:
        ConfigError: there is no such file, or it is no text.
    """
    file, _, function = address.rpartition(":")
    if not file.endswith(".py"):
        file, function = (address, "") if address.endswith(".py") else (file or address, function)
    path = Path(own_name(f"{file}:{function}").rpartition(":")[0])
    text = _text(path, file)
    if not function.isidentifier():
        raise refusal(f"{shown(address)} names no function; write {_offer(path.name, text)}")
    return Source(path, function, text)


def functions(file: str) -> tuple[str, ...]:
    """The functions without arguments in a file, as far as can be seen without running it: NAME may be one.

    Raises:
        ConfigError: there is no such file, or it is no Python.
    """
    path = Path(own_name(f"{file}:")[:-1])
    try:
        return _functions(_text(path, file))
    except SyntaxError as error:
        raise refusal(f"{path.name}, line {error.lineno}: {error.msg}") from None


def _functions(text: str) -> tuple[str, ...]:
    try:
        body = ast.parse(text).body
    except (RecursionError, MemoryError):
        # too deeply nested to be read here
        return ()
    found = (node for node in body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"))
    return tuple(node.name for node in found if not _needed(node.args))


def _needed(arguments: ast.arguments) -> bool:
    """Whether a call must give some."""
    given = len(arguments.posonlyargs) + len(arguments.args)
    return given > len(arguments.defaults) or None in arguments.kw_defaults


def _offer(file: str, text: str) -> str:
    with contextlib.suppress(SyntaxError):
        return " or ".join(f"{file}:{name}" for name in _functions(text)[:3]) or f"{file}:NAME"
    return f"{file}:NAME"


def _text(path: Path, asked: str) -> str:
    try:
        if path.suffix != ".py":
            raise refusal(f"{shown(asked)} is not the name of a Python file; write FILE.py:NAME")
        if path.is_dir():
            raise refusal(f"{shown(asked)} is a directory, not a Python file")
        if not path.exists():
            raise refusal(f"there is no file {shown(asked)}")
        if not path.is_file():
            raise refusal(f"{shown(asked)} is not a file")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, ConfigError):
            raise
        why = getattr(error, "strerror", None) or "that is no path"
        raise refusal(f"{shown(asked)} cannot be read: {why}") from None
    return _decoded(raw, path.name)


def _decoded(raw: bytes, file: str) -> str:
    if len(raw) > MAX_BYTES:
        raise refusal(f"{shown(file)} is larger than 1 MiB; that is no Python file")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise refusal(f"{file}, line {line}: a byte that is not text in UTF-8") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise refusal(f"{file}, line {line}: a null byte, so that is no Python file")
    return text
