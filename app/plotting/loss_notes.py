"""The words in front of the curves: names at their ends, the peak, divergence, captions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor

from ..theme import Theme
from .difference_notes import difference_notes
from .loss_lines import Line, LossPicture
from .loss_scale import LARGEST
from .loss_words import LossWords, number
from .marks import Block, MarkList, Words, size_of
from .name_notes import guessing_block, lane_block
from .placing import Placer, spread
from .plot_areas import PlotAreas, is_wide, y

Floats = NDArray[np.float64]


class Notes:
    """Lays out the words of one picture so that none stands on another, nor on a curve if possible.

    `has_caption` is False where there was no room for the caption.
    """

    def __init__(self, areas: PlotAreas, picture: LossPicture, words: LossWords, theme: Theme) -> None:
        self.marks = MarkList()
        self._areas, self._picture, self._words, self._theme = areas, picture, words, theme
        self._wide = is_wide(areas.whole.width(), theme)
        self._ground = QColor(theme.ground)
        self._ground.setAlpha(200)
        lines = [line for line in (*picture.lanes.values(), picture.twin) if line is not None]
        curves = [(areas.xs(line.xs), self._ys(line)) for line in lines]
        self._placer = Placer(curves + self._straight_lines(), areas.whole.width())
        self._add_ends()
        self._add_peak()
        self._add_diverged()
        if not self._wide:
            self._add_guessing_inside()
        self._add_resyncs()
        strip_named = self._add_strip()
        self.has_caption = self._add_caption()
        if not strip_named:
            self._add_strip_elsewhere()
        if words.compared:
            for block, box in difference_notes(areas, picture, theme):
                self._set(block, box)

    def _ys(self, line: Line) -> Floats:
        area = self._areas.upper
        return area.bottom() - self._picture.scale.heights(line.ys) * area.height()

    def _straight_lines(self) -> list[tuple[Floats, Floats]]:
        area, scale = self._areas.upper, self._picture.scale
        heights = [scale.height(self._words.guessing), scale.linear_part]
        xs = np.array([area.left(), area.right()])
        return [(xs, np.full(2, y(area, height))) for height in heights if 0 < height < 1]

    def _point(self, step: int, loss: float) -> QPointF:
        return QPointF(self._areas.x(step), y(self._areas.upper, self._picture.scale.height(loss)))

    def _add_ends(self) -> None:
        """Names and last losses right of where the curves end, and the name of the guessing line."""
        areas, gap = self._areas, self._theme.px(9)
        blocks, wanted, lefts = [], [], []
        for name, line in self._picture.lanes.items():
            if line.diverged is None:
                point = self._point(line.step, line.loss)
                room = areas.whole.right() - point.x() - gap
                named = lane_block(self._words, name, line, self._theme, room, wide=self._wide)
                blocks.append(named)
                # whole pixels, so that names of equal losses keep their order
                wanted.append(float(round(self._off_border(point, blocks[-1]) / 2) * 2))
                lefts.append(min(point.x() + gap, areas.whole.right() - blocks[-1].width))
        twin = self._picture.twin
        if twin is not None and twin.step == self._picture.steps:
            point = self._point(twin.step, min(twin.loss, LARGEST))
            blocks.append(self._block("twin", "small", self._theme.full_text))
            wanted.append(self._off_border(point, blocks[-1]))
            lefts.append(min(point.x() + gap, areas.whole.right() - blocks[-1].width))
        height, right = self._picture.scale.height(self._words.guessing), areas.upper.right() + gap
        if 0 < height < 1 and self._wide:
            guessing = guessing_block(self._words, self._theme, areas.whole.right() - right)
            if any(left + block.width + gap > right for left, block in zip(lefts, blocks, strict=True)):
                blocks, wanted, lefts = (
                    [*blocks, guessing],
                    [*wanted, y(areas.upper, height)],
                    [*lefts, right],
                )
            else:
                self._set(guessing, guessing.at(right, y(areas.upper, height) - guessing.height / 2))
        # what is written under the plot stays free
        bottom = areas.upper.bottom() + self._theme.px(8 if self._words.compared else 3)
        tops = spread(wanted, [block.height for block in blocks], 0.0, bottom)
        for block, left, top in zip(blocks, lefts, tops, strict=True):
            self._set(block, block.at(left, top))

    def _add_guessing_inside(self) -> None:
        """Beside a narrow plot there is room for the lanes only: the name stands on its line, or nowhere."""
        area, height = self._areas.upper, self._picture.scale.height(self._words.guessing)
        if not 0 < height < 1:
            return
        block, at, gap = guessing_block(self._words, self._theme, 0.0), y(area, height), self._theme.px(6)
        lefts = np.linspace(area.right() - gap - block.width, area.left() + gap, 5)
        tops = [top for top in (at - block.height - 1, at + 1) if top >= 0]
        self._set_if_free(block, [block.at(float(left), top) for top in tops for left in lefts])

    def _off_border(self, point: QPointF, block: Block) -> float:
        """The middle of a name beside `point`, moved off the border of the strip that would strike it out."""
        area, scale = self._areas.upper, self._picture.scale
        border, half = y(area, scale.linear_part), block.height / 2 + 2
        beside = point.x() + self._theme.px(9) >= area.right()
        if scale.ceiling is None or beside or abs(point.y() - border) >= half:
            return point.y()
        return border - half if point.y() < border and border >= 2 * half else border + half

    def _add_peak(self) -> None:
        """The highest loss off the linear scale, unless it is the last or its lane's divergence is marked."""
        peaks = [
            (loss, name == "accumulated", step, name)
            for name, (step, loss) in self._picture.peaks.items()
            if loss > self._picture.scale.top and self._picture.lanes[name].diverged is None
        ]
        if not peaks:
            return
        # of equal peaks the accumulated lane's
        loss, _, step, name = max(peaks)
        if step == self._picture.lanes[name].step:
            return
        point, colour = self._point(step, loss), self._words.colours[name]
        if name == "accumulated":
            colour = self._theme.fault if self._picture.peak_faulty else self._theme.accumulated
        self.marks.dots.append((point, self._theme.px(4), QColor(colour)))
        block = self._block(f"{number(loss, 3)} at step {step}", "strong", colour)
        if any(self._is_clear(block, box, point) for box in self._near(block, point)):
            self._set_near(block, point)

    def _add_resyncs(self) -> None:
        """A tick on the curve where the weights were brought together, with the word where there is room."""
        reach, pen = self._theme.px(6), self._theme.pen(self._theme.ink, 1.5)
        for step, loss in self._picture.resyncs:
            point = self._point(step, loss)
            ends = QPointF(point.x(), point.y() - reach), QPointF(point.x(), point.y() + reach)
            self.marks.lines.append((QLineF(*ends), pen))
            block = self._block("resync", "small", self._theme.ink)
            left = point.x() - block.width / 2
            above, below = ends[0].y() - block.height, ends[1].y()
            self._set_if_free(block, [block.at(left, above), block.at(left, below)])

    def _add_diverged(self) -> None:
        font = self._theme.font("strong")
        for name, line in self._picture.lanes.items():
            if line.diverged is None:
                continue
            point, size = self._point(line.step, line.loss), self._theme.px(5)
            pen = self._theme.pen(self._theme.fault, 2.0)
            for rise in (-size, size):
                ends = (
                    QPointF(point.x() - size, point.y() - rise),
                    QPointF(point.x() + size, point.y() + rise),
                )
                self.marks.lines.append((QLineF(*ends), pen))
            title, words = self._words.names[name], f"diverged at step {line.diverged}"
            block = Block([(title, font, self._words.colours[name]), (words, font, self._theme.fault_text)])
            self._set_near(block, point)

    def _near(self, block: Block, point: QPointF) -> list[QRectF]:
        """Places beside a point of a curve, and a little off."""
        area, gap = self._areas.upper, self._theme.px(9)
        last = area.bottom() - block.height
        middle = min(max(point.y() - block.height / 2, 0.0), last)
        tops = [middle, max(point.y() - block.height, 0.0)]
        tops += [float(top) for top in np.arange(point.y(), last, self._theme.px(6))][:12]
        lefts = [left for left in (point.x() + gap, point.x() - gap - block.width) if left >= area.left()]
        lefts = [min(left, self._areas.whole.right() - block.width) for left in lefts]
        return [block.at(left, top) for top in tops for left in lefts]

    def _leader(self, box: QRectF, point: QPointF) -> QPointF | None:
        """Where the line that leads from a point to its words ends, where they do not stand beside it."""
        if box.top() <= point.y() + self._theme.px(9):
            return None
        return QPointF(box.left() if box.left() > point.x() else box.right(), box.center().y())

    def _is_clear(self, block: Block, box: QRectF, point: QPointF) -> bool:
        """Whether neither the words nor the line to them come near other words, nor pass the curves' ends."""
        gap, end = self._theme.px(6), self._leader(box, point)
        around = box.adjusted(-gap, -gap, gap, gap)
        if end is not None:
            around = around.united(QRectF(point, end).normalized())
        return box.right() <= self._areas.x(self._picture.steps) and not self._placer.is_taken(around)

    def _set_near(self, block: Block, point: QPointF) -> None:
        """Put a block beside a point of a curve, or a little off with a line that leads to it."""
        gap, places = self._theme.px(9), self._near(block, point)
        clear = [box for box in places if self._is_clear(block, box, point)]
        box = self._placer.place(clear or places)
        mark, end = QRectF(point.x() - gap / 2, point.y() - gap / 2, gap, gap), self._leader(box, point)
        if end is not None:
            self.marks.lines.insert(0, (QLineF(point, end), self._theme.pen(block.lines[0][2], 1.0)))
            mark = mark.united(QRectF(point, end).normalized())
        self._placer.take(mark)
        self._set(block, box)

    def _add_caption(self) -> bool:
        """The caption of the twin, or that nothing is to be seen, along the accumulated lane's curve."""
        line, area, gap = self._picture.lanes.get("accumulated"), self._areas.upper, self._theme.px(6)
        if not self._words.caption or line is None:
            return False
        font, colour = self._theme.font("small"), self._words.caption_colour
        block = Block([("".join(self._words.caption), font, colour)])
        if block.width > area.width() - 2 * gap:
            block = Block([(part, font, colour) for part in self._words.caption])
        xs, ys = self._areas.xs(line.xs), self._ys(line)
        places = []
        for left in np.linspace(area.right() - gap - block.width, area.left() + gap, 5):
            beside = ys[(xs >= left) & (xs <= left + block.width)]
            if len(beside):
                places.append(block.at(float(left), float(np.nanmin(beside)) - block.height - gap))
                places.append(block.at(float(left), float(np.nanmax(beside)) + gap))
        inside = [place for place in places if area.contains(place)]
        # further down it would seem to name the other curve
        rows = [place for place in self._rows(block, gap) if place.bottom() < area.center().y()]
        return self._set_if_free(block, inside + rows, self._theme.px(2))

    def _add_strip(self) -> bool:
        """Say in the strip that it is logarithmic; False where there is a strip, but no room for that."""
        area, scale, gap = self._areas.upper, self._picture.scale, self._theme.px(6)
        if scale.ceiling is None:
            return True
        middle = (area.top() + y(area, scale.linear_part)) / 2
        for words in ("off the scale: logarithmic from here up", "off the scale: logarithmic", "logarithmic"):
            block = self._block(words, "small", self._theme.muted)
            lefts = [area.right() - gap - block.width, area.center().x() - block.width / 2, area.left() + gap]
            if self._set_if_free(block, [block.at(left, middle - block.height / 2) for left in lefts]):
                return True
        return False

    def _add_strip_elsewhere(self) -> None:
        """Say under the strip or right of the plot, where there is room, that it is logarithmic."""
        gap = self._theme.px(6)
        for words in ("above the dashed line: off the scale, logarithmic", "above the dashes: logarithmic"):
            block = self._block(words, "small", self._theme.muted)
            if self._set_if_free(block, self._rows(block, gap) + self._column(block), gap / 3):
                return

    def _set_if_free(self, block: Block, places: list[QRectF], margin: float = 0.0) -> bool:
        spaced = ((place, place.adjusted(0, -margin, 0, margin)) for place in places)
        free = next((place for place, around in spaced if self._placer.is_free(around)), None)
        if free is not None:
            self._set(block, free)
        return free is not None

    def _column(self, block: Block) -> list[QRectF]:
        """Places right of the plot, from the top down."""
        area = self._areas.upper
        left = area.right() + self._theme.px(9)
        if left + block.width > self._areas.whole.right():
            return []
        tops = np.arange(area.top(), area.bottom() - block.height, self._theme.px(4))
        return [block.at(left, float(top)) for top in tops]

    def _rows(self, block: Block, gap: float) -> list[QRectF]:
        """Places in the linear part, from the top down and from the right to the left."""
        area = self._areas.upper
        top = y(area, self._picture.scale.linear_part) + 2
        tops = np.linspace(top, max(top, area.bottom() - block.height), 10)
        lefts = np.linspace(area.right() - gap - block.width, area.left() + gap, 3)
        return [block.at(float(left), float(top)) for top in tops for left in lefts]

    def _block(self, words: str, role: str, colour: str) -> Block:
        return Block([(words, self._theme.font(role), colour)])  # type: ignore[arg-type]

    def _set(self, block: Block, box: QRectF) -> None:
        top, area = box.top(), self._areas.upper
        # hides the grid behind the words; the strip has a ground of its own
        inside = box.left() < area.right() and box.top() >= y(area, self._picture.scale.linear_part) - 1
        for words, font, colour in block.lines:
            self.marks.words.append(
                Words(words, font, colour, box.left(), top, self._ground if inside else None)
            )
            top += size_of(words, font)[1]
        self._placer.take(box)
