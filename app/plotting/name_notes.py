"""The names of the lines, as long as there is room for them."""

from __future__ import annotations

from gradviz.events import LaneName

from ..theme import Theme
from .loss_lines import Line
from .loss_words import LossWords, number
from .marks import Block


def lane_block(
    words: LossWords, name: LaneName, line: Line, theme: Theme, room: float, *, wide: bool
) -> Block:
    """A lane's name, last loss and state; beside a plot that is not `wide` with its short name."""
    title, colour, state = words.names[name], words.colours[name], words.states[name]
    strong, value = theme.font("strong"), f"{number(line.loss)}  {state}".rstrip()
    if not wide:
        lines = [f"{words.short[name]}  {number(line.loss)}", state]
        return Block([(said, strong, colour) for said in lines if said])
    one = Block([(f"{title}  {value}", strong, colour)])
    if one.width <= room:
        return one
    return Block([(title, strong, colour), (value, theme.font("body"), colour)])


def guessing_block(words: LossWords, theme: Theme, room: float) -> Block:
    """The name of the guessing line, shorter where a task says at length where the number comes from."""
    small, short = theme.font("small"), f"guessing {number(words.guessing)}"
    whole = Block([(words.guessing_title, small, theme.muted)])
    return whole if whole.width <= room else Block([(short, small, theme.muted)])
