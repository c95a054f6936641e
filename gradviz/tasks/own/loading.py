"""Runs the user's file and its function, and leaves the interpreter as it was."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from gradviz.sentences import suggestion
from gradviz.tasks.own.blame import blamed
from gradviz.tasks.own.source import Source, refusal

MODULE = "_gradviz_own_task"
"""What the file is called as a module while it runs."""


class Printed(io.TextIOBase):
    """Takes what is printed and keeps the beginning of it."""

    LONGEST = 16384

    def __init__(self) -> None:
        self._kept: list[str] = []
        self._room = self.LONGEST

    @property
    def text(self) -> str:
        """What was printed, up to its first 16 384 letters."""
        return "".join(self._kept) + ("" if self._room > 0 else "\n… and more")

    def write(self, text: str) -> int:
        if self._room > 0:
            self._kept.append(text[: self._room])
            self._room -= len(text)
        return len(text)

    def writable(self) -> bool:
        return True


def returned(source: Source, printed: Printed) -> dict[str, Any]:
    """What the function returns, loaded afresh.

    Raises:
        ConfigError: one sentence, whatever the code did.
    """
    module = ModuleType(MODULE)
    module.__file__ = str(source.path)
    with _as_it_was(source.path.parent), _silenced(printed), blamed(source, source.path.name):
        sys.modules[MODULE] = module
        exec(compile(source.text, str(source.path), "exec", dont_inherit=True), module.__dict__)
        function = _function(source, module)
        result = function()
    if not isinstance(result, dict):
        raise refusal(
            f"{where(source, function)}: {source.function} returns {a(result)}; "
            "it must return a dict with model, inputs, targets and loss"
        )
    return {**result, "where": where(source, function)}


def where(source: Source, function: object) -> str:
    """File and line of the function, as a sentence begins."""
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    if code is None or code.co_filename != str(source.path):
        return source.path.name
    return f"{source.path.name}, line {code.co_firstlineno}"


def a(value: object) -> str:
    """The kind of a value with its article, such as "a list" or "nothing"."""
    if value is None:
        return "nothing"
    kind = type(value).__name__
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"


def _function(source: Source, module: ModuleType) -> Callable[[], object]:
    name, file = source.function, source.path.name
    if name not in vars(module):
        made = [n for n, v in vars(module).items() if getattr(v, "__module__", "") == MODULE and callable(v)]
        raise refusal(f"{file} has no function {name!r}{suggestion(name, made)}")
    function = vars(module)[name]
    if not callable(function):
        raise refusal(f"{file}: {name} is {a(function)}, not a function")
    missing = _missing(function)
    if missing:
        raise refusal(f"{where(source, function)}: {name} is called without arguments; {missing}")
    return function  # type: ignore[no-any-return]


def _missing(function: Callable[..., object]) -> str:
    """What a call without arguments lacks, or ""."""
    try:
        inspect.signature(function).bind()
    except TypeError as error:
        return str(error)
    except ValueError:
        # a few built-in ones do not tell what they take
        pass
    return ""


@contextlib.contextmanager
def _silenced(printed: Printed) -> Iterator[None]:
    # stdout may be read by a program
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        yield


@contextlib.contextmanager
def _as_it_was(folder: Path) -> Iterator[None]:
    """Inside, modules beside the file can be imported; afterwards nothing of it all is left."""
    # torch takes a second to read, and who only lists tasks does not need it
    import torch

    path, modules, caches = list(sys.path), dict(sys.modules), sys.dont_write_bytecode
    dtype, threads, device = torch.get_default_dtype(), torch.get_num_threads(), torch.get_default_device()
    here = _working_directory()
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    try:
        with torch.enable_grad():
            yield
    finally:
        if here is not None:
            os.chdir(here)
        torch.set_default_dtype(dtype)
        if torch.get_default_device() != device:
            torch.set_default_device(None)
        torch.set_num_threads(threads)
        sys.path[:], sys.dont_write_bytecode = path, caches
        new = [name for name in sys.modules if name not in modules]
        for name in [n for n in new if n == MODULE or _lies_in(folder, n.partition(".")[0], modules)]:
            del sys.modules[name]


def _working_directory() -> Path | None:
    try:
        return Path.cwd()
    except OSError:
        # somebody has removed it
        return None


def _lies_in(folder: Path, package: str, before: dict[str, ModuleType]) -> bool:
    """Whether that top-level module was found in the folder itself, and only now."""
    module = sys.modules.get(package)
    if package in before or module is None:
        return False
    file, places = getattr(module, "__file__", None), getattr(module, "__path__", ())
    found = [Path(place).parent for place in places] or ([Path(file).parent] if file else [])
    return folder in found
