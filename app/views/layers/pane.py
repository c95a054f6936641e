"""The layers pane: a row a parameter, size, angle and error of each, and which are wrong."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QResizeEvent

from gradviz.history import History, Moment

from ...theme import Theme
from ..heading import paint_heading
from ..ink import Ink
from ..pane import Pane
from ..stack.words import WAITING, paint_waiting, waiting_for
from .rows import Table, table_of
from .table import LayerTable

_TOP, _FOOT = 50.0, 22.0


class Layers(Pane):
    """Heading and rule are painted; the rows are a table with a keyboard and headings of its own."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Layers", theme)
        self._ink = Ink(theme)
        self._table: Table | None = None
        self._waiting = WAITING
        self.table = LayerTable(theme)
        self.table.setParent(self)
        self.table.hide()

    def refresh(self, history: History, moment: Moment | None) -> None:
        self._waiting = waiting_for(history, moment)
        table = table_of(moment)
        if table != self._table:
            self._table = table
            self.table.show_rows(table.rows if table else ())
        self.describe(table.spoken if table else self._waiting)
        self.table.setVisible(table is not None)
        self.update()

    def headline(self) -> str:
        """The sentence over the table."""
        return self._table.headlines[0] if self._table else self._waiting

    def paint(self, painter: QPainter, area: QRectF) -> None:
        self._ink.painter = painter
        if self._table is None:
            paint_waiting(self._ink, area, self._waiting)
            return
        table, titles = self._table, ("Layers: .grad against the full batch", "Layers")
        paint_heading(self._ink, area, titles, f"step {table.step}", table.mark, table.headlines)
        rule = self._ink.fitting(table.rule, area.width(), "small")
        self._ink.text(area.left(), area.bottom() - self.theme.px(1), rule, "small", self.theme.muted)

    def set_theme(self, theme: Theme) -> None:
        self._ink = Ink(theme)
        self.table.set_theme(theme)
        super().set_theme(theme)
        self._place_table()

    def _place_table(self) -> None:
        px, pad = self.theme.px, self.theme.px(14)
        top, below = pad * 0.7 + px(_TOP), pad * 0.7 + px(_FOOT)
        height = max(1, round(self.height() - top - below))
        self.table.setGeometry(round(pad * 0.5), round(top), max(1, round(self.width() - pad)), height)
        self.table.fit()

    def sizeHint(self) -> QSize:
        return QSize(round(self.theme.px(740)), round(self.theme.px(400)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(self.theme.px(380)), round(self.theme.px(200)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_table()
