"""What is said of input that cannot be used: one sentence, on one line, of bounded length."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable

_shown = reprlib.Repr()
_shown.maxstring = _shown.maxother = _shown.maxlong = 60


class ConfigError(ValueError):
    """A setting that cannot be used, said in one sentence; `setting` is its name where it is one of ours."""

    def __init__(self, sentence: str, setting: str | None = None) -> None:
        super().__init__(sentence)
        self.setting = setting


def suggestion(name: object, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: "; did you mean ...?", or "" where nothing is near."""
    near = difflib.get_close_matches(str(name).lower().replace("-", "_"), list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def shown(value: object) -> str:
    """`value` as it is written in a sentence: on one line, and cut where it is long."""
    try:
        return " ".join(_shown.repr(value).split())
    except Exception:  # any object may come, its own __repr__ included
        return f"a {type(value).__name__}"
