"""Panels in a row or a column, with borders between them that can be dragged."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from ..theme import Theme

Lengths = Callable[[float, tuple[str, ...]], dict[str, float]]
"""The usual length of each of the parts that are shown, given the whole length and their names."""


class Split(QSplitter):
    """Named parts. Until a border is dragged they have their usual lengths, from then on their shares."""

    dragged = Signal()

    def __init__(self, orientation: Qt.Orientation, parts: Mapping[str, QWidget], usual: Lengths) -> None:
        super().__init__(orientation)
        self._names, self._parts = tuple(parts), dict(parts)
        self._usual = usual
        self._shares: dict[str, float] = {}
        self.setChildrenCollapsible(False)
        for part in parts.values():
            self.addWidget(part)
        self.splitterMoved.connect(self._on_splitter_moved)

    @property
    def shares(self) -> dict[str, float]:
        """The parts of the whole, where borders have been dragged; else nothing."""
        return dict(self._shares)

    def set_shares(self, shares: Mapping[str, float]) -> None:
        """Divide the whole like this; without a share for each, as usual."""
        total = sum(shares.values())
        complete = set(shares) == set(self._names)
        self._shares = {name: share / total for name, share in shares.items()} if complete else {}
        self.arrange()

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self.setHandleWidth(round(theme.px(8)))
        for index in range(self.count()):
            handle = self.handle(index)
            if isinstance(handle, Grip):
                handle.set_theme(theme)
        self.arrange()

    def arrange(self) -> None:
        """Give every part that is shown its length."""
        shown = self._shown()
        if not shown:
            return
        whole = self._whole(shown)
        lengths = self._lengths(whole, shown)
        factor = whole / max(1e-9, sum(lengths.values()))
        self.setSizes([round(lengths.get(name, 0.0) * factor) for name in self._names])

    def _lengths(self, whole: float, shown: tuple[str, ...]) -> dict[str, float]:
        if not self._shares:
            return self._usual(whole, shown)
        return {name: self._shares[name] for name in shown}

    def _shown(self) -> tuple[str, ...]:
        return tuple(name for name, part in self._parts.items() if not part.isHidden())

    def _whole(self, shown: tuple[str, ...]) -> float:
        length = self.width() if self.orientation() == Qt.Orientation.Horizontal else self.height()
        return max(1.0, length - self.handleWidth() * (len(shown) - 1))

    def _on_splitter_moved(self) -> None:
        shown, sizes = self._shown(), dict(zip(self._names, self.sizes(), strict=True))
        whole = self._whole(self._names)
        before = self._shares or self._usual(whole, self._names)
        # what is hidden keeps its share of the whole; those that are shown divide the rest anew
        total = sum(before.values())
        rest = sum(before[name] for name in shown) / total
        taken = max(1, sum(sizes[name] for name in shown))
        self._shares = {
            name: max(1e-3, sizes[name] / taken * rest if name in shown else before[name] / total)
            for name in self._names
        }
        self.dragged.emit()

    def createHandle(self) -> QSplitterHandle:
        return Grip(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()


class Grip(QSplitterHandle):
    """The border between two parts: a short line that shows itself to the pointer. A double click resets."""

    def __init__(self, split: Split) -> None:
        super().__init__(split.orientation(), split)
        self._split = split
        self._theme: Theme | None = None
        self._pointed = False

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self._theme = theme
        self.update()

    def _point(self, pointed: bool) -> None:
        self._pointed = pointed
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._theme is None:
            return
        px = self._theme.px
        across = self.orientation() == Qt.Orientation.Horizontal
        long, thick = px(36 if self._pointed else 18), px(3 if self._pointed else 2)
        line = QRectF(0, 0, thick if across else long, long if across else thick)
        line.moveCenter(QRectF(self.rect()).center())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.muted if self._pointed else self._theme.border))
        painter.drawRoundedRect(line, thick / 2, thick / 2)
        painter.end()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._point(True)

    def leaveEvent(self, event: QEvent) -> None:
        self._point(False)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._split.set_shares({})
        self._split.dragged.emit()
