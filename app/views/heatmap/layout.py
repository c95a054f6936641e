"""Where the four pictures stand: in a row, in a square or below one another, whichever is largest."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from ...theme import Theme

_STRETCHED = 3.0
"""A matrix's cells may be so many times wider than high, or the other way round."""
_NAME = 130.0
"""Width that the name of a picture needs, at 1280×720."""
TITLE = 18.0
"""Height of what is written over a picture, at 1280×720."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The pictures' rectangles, and the width and height of a cell in pixels."""

    boxes: tuple[QRectF, ...]
    slots: tuple[QRectF, ...]
    cell: tuple[float, float]

    def find(self, position: QPointF, rows: int, columns: int) -> tuple[int, int, int] | None:
        """(picture, row, column) at `position`."""
        for index, box in enumerate(self.boxes):
            if box.contains(position):
                row = int((position.y() - box.top()) / box.height() * rows)
                column = int((position.x() - box.left()) / box.width() * columns)
                return index, min(rows - 1, row), min(columns - 1, column)
        return None


def layout_of(area: QRectF, theme: Theme, rows: int, columns: int, stretches: bool) -> Layout:
    """Four pictures of so many cells in `area`; `stretches` lets cells be other than square."""
    arrangements = [_arranged(area, theme, across, rows, columns, stretches) for across in (4, 2, 1)]
    return max(arrangements, key=lambda layout: layout.boxes[0].width() * layout.boxes[0].height())


def _arranged(area: QRectF, theme: Theme, across: int, rows: int, columns: int, stretches: bool) -> Layout:
    gap, title, down = theme.px(14), theme.px(TITLE), 4 // across
    width = (area.width() - gap * (across - 1)) / across
    height = area.height() / down - title - (theme.px(4) if down > 1 else 0)
    wide, high = max(1.0, width) / columns, max(1.0, height) / rows
    limit = _STRETCHED if stretches else 1.0
    cell = (_whole(min(wide, high * limit)), _whole(min(high, wide * limit)))
    size = (max(1.0, cell[0] * columns), max(1.0, cell[1] * rows))
    # what is left over stands around them in equal parts, and no picture is narrower than its title needs
    step = max(size[0], min(width, theme.px(_NAME))) + gap
    first = area.left() + max(0.0, area.width() - step * across + gap) / 2
    deep = title + size[1] + (theme.px(4) if down > 1 else 0)
    above = area.top() + max(0.0, area.height() - deep * down) / 2
    boxes, slots = [], []
    for index in range(4):
        left = first + (index % across) * step
        top = above + (index // across) * deep
        slots.append(QRectF(left, top, step - gap, title))
        boxes.append(QRectF(round(left), round(top + title), *size))
    return Layout(tuple(boxes), tuple(slots), cell)


def _whole(length: float) -> float:
    """Whole pixels where a cell has any: all are of one size then."""
    return float(int(length)) if length >= 1 else length
