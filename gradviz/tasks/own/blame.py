"""What the user's own code did wrong, in one sentence with file and line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from gradviz.sentences import ConfigError
from gradviz.tasks.own.source import Source, refusal

_LONGEST = 180


@contextmanager
def blamed(source: Source, where: str, doing: str = "") -> Iterator[None]:
    """Inside runs the user's code; what it raises becomes one sentence.

    `where` is said where no line of the user's own was on its way, `doing` on what occasion it was.

    Raises:
        ConfigError: in the place of anything else but Ctrl+C.
    """
    try:
        yield
    except (ConfigError, KeyboardInterrupt):
        raise
    except BaseException as error:
        # the error holds all that its frames hold, so only words of it are kept
        sentence = _sentence(error, place(error, source.path) or where, doing)
    else:
        return
    raise refusal(sentence)


def place(error: BaseException, file: Path) -> str:
    """The last line of the user's that was on its way, in the file or one beside it; "" if none was."""
    found = ""
    for path, line in _frames(error.__traceback__):
        if path == file or (path.is_relative_to(file.parent) and _is_the_users(path)):
            found = f"{path.name}, line {line}"
    return found


def one_line(text: object) -> str:
    """Any text as part of a sentence: on one line, printable, and cut where it is long."""
    try:
        words = " ".join(str(text).split())
    except Exception:  # the user's own __str__
        words = f"a {type(text).__name__}"
    words = "".join(letter if letter.isprintable() else "·" for letter in words)
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def _sentence(error: BaseException, where: str, doing: str) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        line = f", line {error.lineno}" if error.lineno else ""
        return one_line(f"{Path(error.filename).name}{line}: {error.msg}")
    occasion = f"{doing}: " if doing else ""
    if isinstance(error, SystemExit):
        return f"{where}: {occasion}it ends the program, which a task must not"
    words = one_line(error)
    return f"{where}: {occasion}{type(error).__name__}{f': {words}' if words else ''}"


def _frames(traceback: TracebackType | None) -> Iterator[tuple[Path, int]]:
    while traceback is not None:
        yield Path(traceback.tb_frame.f_code.co_filename), traceback.tb_lineno
        traceback = traceback.tb_next


def _is_the_users(path: Path) -> bool:
    # an environment of installed packages often lies beside one's own files, and so may gradviz
    return "site-packages" not in path.parts and Path(__file__).parents[2] not in path.parents
