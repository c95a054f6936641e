"""How the workspace was left, as JSON text."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from .names import PanelName

Coordinate = Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)]
Length = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
Share = Annotated[float, msgspec.Meta(gt=0.0, le=1.0)]


class Spot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a window of its own stood: the corner of its frame and the size of its inside."""

    x: Coordinate
    y: Coordinate
    width: Length
    height: Length
    full_screen: bool = False


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is remembered. `shares` are the parts that panels have of a row or column, where dragged."""

    version: Literal[1]
    hidden: list[PanelName] = []
    detached: dict[PanelName, Spot] = {}
    enlarged: PanelName | None = None
    tab: str = ""
    shares: dict[str, dict[str, Share]] = {}


def encoded(state: State) -> str:
    """The text to keep."""
    return msgspec.json.encode(state).decode()


def decoded(text: str) -> State | None:
    """What was kept; None where the text is damaged, from another version, or not there."""
    try:
        return msgspec.json.decode(text, type=State)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
