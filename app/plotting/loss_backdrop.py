"""What lies behind the curves of the loss plot and seldom changes: grid, numbers, strip and band."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor

from ..theme import Theme
from .loss_lines import LossPicture
from .loss_scale import step_ticks
from .loss_words import LossWords
from .marks import MarkList, Words, size_of
from .plot_areas import PlotAreas, y


def backdrop(areas: PlotAreas, picture: LossPicture, words: LossWords, theme: Theme) -> MarkList:
    """Grid, numbers at the axes, the strip that is off the scale, the band of rounding, the guessing line."""
    marks = MarkList()
    _add_losses(marks, areas, picture, words.faulty, theme)
    height = picture.scale.height(words.guessing)
    if 0 < height < 1:
        _add_line(marks, areas.upper, height, theme.muted, 1.2, theme, Qt.PenStyle.DotLine)
    if words.compared:
        _add_differences(marks, areas, picture, theme)
    _add_steps(marks, areas, theme)
    return marks


def tint(colour: str, alpha: int) -> QColor:
    """A see-through colour."""
    see_through = QColor(colour)
    see_through.setAlpha(alpha)
    return see_through


def _add_losses(marks: MarkList, areas: PlotAreas, picture: LossPicture, faulty: bool, theme: Theme) -> None:
    scale, area = picture.scale, areas.upper
    spacing = size_of("0", theme.font("small"))[1]
    strip_colour = theme.fault_text if faulty else theme.ink
    linear_height = scale.linear_part * area.height()
    ticks = scale.linear_ticks(max(1, int(linear_height / (spacing * 1.9))))
    ends = area.top() - spacing
    if scale.ceiling is not None:
        strip = QRectF(area.left(), area.top(), area.width(), area.height() - linear_height)
        marks.fills.append((strip, tint(theme.fault_tint if faulty else theme.raised, 110)))
        _add_line(marks, area, scale.linear_part, theme.muted, 1.0, theme, Qt.PenStyle.DashLine)
        for value, words in scale.strip_ticks():
            at = y(area, scale.height(value))
            if at - ends >= spacing:
                _add_number(marks, areas, at, words, strip_colour, theme)
                ends = at
    for value, words in ticks:
        at = y(area, scale.height(value))
        _add_line(marks, area, scale.height(value), theme.grid, 1.0, theme)
        if at - ends >= spacing:
            _add_number(marks, areas, at, words, theme.muted, theme)


def _add_differences(marks: MarkList, areas: PlotAreas, picture: LossPicture, theme: Theme) -> None:
    scale, area = picture.difference_scale, areas.lower
    band = y(area, scale.height(picture.rounding))
    marks.fills.append(
        (QRectF(area.left(), band, area.width(), area.bottom() - band), tint(theme.accumulated, 38))
    )
    spacing = size_of("0", theme.font("small"))[1]
    for value, words in scale.ticks(area.height() / (1.15 * spacing)):
        _add_line(marks, area, scale.height(value), theme.grid, 1.0, theme)
        _add_number(marks, areas, y(area, scale.height(value)), words, theme.muted, theme)
    _add_line(marks, area, 0.0, theme.muted, 1.0, theme)


def _add_steps(marks: MarkList, areas: PlotAreas, theme: Theme) -> None:
    font = theme.font("small")
    area, widest = areas.lower, size_of(f"{areas.last_step:,}", font)[0]
    ends = -1e9
    for step, words in step_ticks(areas.last_step, max(2, int(area.width() / (widest + theme.px(40))))):
        width = size_of(words, font)[0]
        left = areas.x(step) - width / 2
        if left < ends + theme.px(8):
            continue
        marks.words.append(Words(words, font, theme.muted, left, area.bottom() + theme.px(4)))
        ends = left + width
    beside = max(ends, area.right()) + theme.px(12)
    room = areas.whole.right() - beside
    named = next((words for words in ("optimizer step", "step") if size_of(words, font)[0] <= room), None)
    if named is not None:
        marks.words.append(Words(named, font, theme.muted, beside, area.bottom() + theme.px(4)))


def _add_line(
    marks: MarkList,
    area: QRectF,
    height: float,
    colour: str,
    width: float,
    theme: Theme,
    style: Qt.PenStyle = Qt.PenStyle.SolidLine,
) -> None:
    at = round(y(area, height)) + 0.5
    marks.lines.append((QLineF(area.left(), at, area.right(), at), theme.pen(colour, width, style)))


def _add_number(marks: MarkList, areas: PlotAreas, at: float, words: str, colour: str, theme: Theme) -> None:
    width, height = size_of(words, theme.font("small"))
    left = areas.upper.left() - theme.px(8) - width
    marks.words.append(Words(words, theme.font("small"), colour, left, at - height / 2))
