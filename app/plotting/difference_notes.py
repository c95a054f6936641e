"""The words beside the plot of the difference."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF

from ..theme import Theme
from .loss_lines import LossPicture
from .loss_scale import FLOOR
from .loss_words import number
from .marks import Block
from .plot_areas import PlotAreas, y


def difference_notes(areas: PlotAreas, picture: LossPicture, theme: Theme) -> Iterator[tuple[Block, QRectF]]:
    """What the shaded band is, always at one place, and the last difference, always above it."""
    area, left = areas.lower, areas.lower.right() + theme.px(9)
    band = _block("rounding", theme.accumulated, theme)
    top = y(area, picture.difference_scale.height(picture.rounding)) + 1
    box = band.at(left, min(top, area.bottom() - 2 * band.height))
    yield band, box
    line = picture.difference
    if line is not None and bool((line.ys < FLOOR).any()):
        yield from _zero(areas, box, theme)
    if line is None or line.step == picture.steps:
        # it follows its line nowhere: words that change places from step to step cannot be read
        name = "|difference|" if line is None else f"|difference|  {number(line.loss)}"
        apart = _block(name, theme.ink, theme)
        yield apart, apart.at(left, box.top() - apart.height)


def _zero(areas: PlotAreas, band: QRectF, theme: Theme) -> Iterator[tuple[Block, QRectF]]:
    """Where an exact zero is drawn, which a logarithmic axis does not have, beside the band's name."""
    zero = _block("0 at the bottom", theme.muted, theme)
    box = zero.at(band.right() + theme.px(6), band.top())
    if box.right() <= areas.whole.right():
        yield zero, box


def _block(words: str, colour: str, theme: Theme) -> Block:
    return Block([(words, theme.font("small"), colour)])
