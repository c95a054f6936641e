"""The table of layers: its model, how its cells are painted, and its keys."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from ...theme import Role, Theme
from ..lines import elided
from ..marks import paint_mark
from ..verdict_words import NOT_YET, UNKNOWN
from .headings import Headings
from .rows import ROUNDING, Row

HEADINGS = ("layer", "shape", "full-batch share", "size", "angle", "relative error", "judgement")
TIPS = (
    "the parameter, as PyTorch names it",
    "its shape",
    "share of ‖full batch‖²: how much of the full-batch gradient's squared length lies in this layer",
    "‖.grad‖ ÷ ‖full batch‖, each in this layer",
    "the angle between .grad and the full-batch gradient in this layer",
    "‖.grad − full batch‖ ÷ ‖full batch‖, each in this layer: how far off .grad is",
    "what is wrong, where the window is not equal",
)
_NAME, _SHAPE, _SHARE, _JUDGEMENT = 0, 1, 2, 6
# at 1280×720; the name gets all that is left, and in a narrow pane the columns of `_GOING` go one by one
_WIDTHS = (78, 88, 108, 90, 62, 98, 174)
_GOING = (1, 2, 4, 5)
_ROW, _TALL_ROW = 22.0, 32.0
_KEYS = frozenset(
    {
        Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End,
    }
)  # fmt: skip
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_Index = QModelIndex | QPersistentModelIndex


class LayerModel(QAbstractTableModel):
    """Rows as words, with the numbers that they are sorted by."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[Row, ...] = ()
        self._words: list[tuple[str, ...]] = []

    def set_rows(self, rows: tuple[Row, ...]) -> None:
        """Show other numbers; whoever looks at a row stays at it as long as the layers stay the same."""
        if rows == self._rows:
            return
        same = [row.name for row in rows] == [row.name for row in self._rows]
        if not same:
            self.beginResetModel()
        self._rows, self._words = rows, [row.words for row in rows]
        if not same:
            self.endResetModel()
        else:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(HEADINGS) - 1))

    def row(self, index: _Index) -> Row:
        """The layer of a cell."""
        return self._rows[index.row()]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(HEADINGS)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, column = self._rows[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._words[index.row()][column]
            case Qt.ItemDataRole.UserRole:
                return row.keys[column]
            case Qt.ItemDataRole.ToolTipRole:
                return _told(self._words[index.row()])
            case Qt.ItemDataRole.AccessibleTextRole:
                marked = "marked as wrong, " if row.wrong and column == _NAME else ""
                return f"{marked}{HEADINGS[column]} {self._words[index.row()][column] or 'nothing'}"
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation == Qt.Orientation.Vertical:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return HEADINGS[section]
            case Qt.ItemDataRole.ToolTipRole:
                return f"{TIPS[section]}\nclick: sort, again: the other way round, again: as in the model"
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(section)
        return None


class _Cells(QStyledItemDelegate):
    """Paints a cell with the theme's fonts: a bar at the share, a mark at the judgement."""

    def __init__(
        self, parent: QWidget, theme: Theme, model: LayerModel, order: QSortFilterProxyModel
    ) -> None:
        super().__init__(parent)
        self.theme, self._model, self._order = theme, model, order

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        theme, source = self.theme, self._order.mapToSource(index)
        row, column = self._model.row(source), index.column()
        area, words = QRectF(option.rect), str(self._model.data(source))
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if row.wrong or selected:
            painter.fillRect(area, QColor(theme.fault_tint if row.wrong else theme.raised))
        if row.wrong and column == _NAME:
            painter.fillRect(QRectF(area.left(), area.top(), theme.px(3), area.height()), QColor(theme.fault))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(theme.pen(theme.ink, theme.ring * 0.7))
            painter.drawRect(area.adjusted(0.5, 0.5, -1.5, -1.5))
        inner = area.adjusted(theme.px(8), 0, -theme.px(8), 0)
        if column == _SHARE:
            _paint_bar(painter, theme, inner, row.share)
        if column == _JUDGEMENT and row.wrong:
            size = theme.px(11)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_mark(
                painter, theme, "cross", QRectF(inner.left(), inner.center().y() - size / 2, size, size)
            )
            inner.setLeft(inner.left() + size + theme.px(6))
        _paint_words(painter, theme, inner, words, column)


class LayerTable(QTableView):
    """Sorted by a click on a heading or, with the keyboard, by Enter in a cell of the column."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.layers = LayerModel()
        self.headings = Headings(theme)
        self._order = QSortFilterProxyModel(self)
        self._order.setSourceModel(self.layers)
        self._order.setSortRole(Qt.ItemDataRole.UserRole)
        self._cells = _Cells(self, theme, self.layers, self._order)
        self.setAccessibleName("Layers")
        self.setModel(self._order)
        self.setItemDelegate(self._cells)
        self.setHorizontalHeader(self.headings)
        self._set_behaviour()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Other colours or another scale."""
        self.theme = self._cells.theme = self.headings.theme = theme
        self.setStyleSheet(f"QTableView {{ background: {theme.ground}; border: none; }}")
        self.headings.setFixedHeight(round(theme.px(24)))
        self.fit()
        self.viewport().update()
        self.headings.viewport().update()

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        """Show other numbers, or other layers."""
        before = self.layers.rowCount()
        self.layers.set_rows(rows)
        if len(rows) != before:
            self.fit()

    def fit(self) -> None:
        """Divide the room there is: few layers have taller rows, a narrow table has fewer columns."""
        px = self.theme.px
        needed = px(sum(_WIDTHS))
        for column in _GOING:
            self.headings.setSectionHidden(column, needed > self.width())
            needed -= px(_WIDTHS[column]) if self.headings.isSectionHidden(column) else 0.0
        for column, width in enumerate(_WIDTHS[1:], start=1):
            self.headings.resizeSection(column, round(px(width)))
        room = (self.height() - self.headings.height()) / max(1, self.layers.rowCount())
        self.verticalHeader().setDefaultSectionSize(round(min(px(_TALL_ROW), max(px(_ROW), room))))

    def _set_behaviour(self) -> None:
        self.headings.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.headings.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        self.setSortingEnabled(True)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(8)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # by Tab only: after a click, the arrows still move through the run
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def keeps_key(self, event: QKeyEvent) -> bool:
        """Those that move among the rows, and those that sort."""
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        return plain and event.key() in (*_KEYS, *_ENTER)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and self.currentIndex().isValid():
            self.headings.sort_by(self.currentIndex().column())
        elif event.key() in _KEYS:
            super().keyPressEvent(event)
        else:
            # no search by typing: letters are the window's
            event.ignore()


def _told(words: tuple[str, ...]) -> str:
    lines = [f"{heading}: {told}" for heading, told in zip(HEADINGS[1:], words[1:], strict=True) if told]
    return "\n".join([words[0], *lines])


def _alignment(column: int) -> Qt.AlignmentFlag:
    right = _SHARE <= column < _JUDGEMENT
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _paint_bar(painter: QPainter, theme: Theme, area: QRectF, share: float) -> None:
    """The share as a part of the cell's left half."""
    room = QRectF(area.left(), area.center().y() - theme.px(4), area.width() * 0.36, theme.px(8))
    painter.fillRect(room, QColor(theme.grid))
    if share > 0:
        room.setWidth(max(1.0, room.width() * min(1.0, share)))
        painter.fillRect(room, QColor(theme.full))


def _paint_words(painter: QPainter, theme: Theme, area: QRectF, words: str, column: int) -> None:
    unknown = words in (UNKNOWN, NOT_YET, ROUNDING)
    role: Role = "strong" if column == _NAME else "code"
    if unknown or column in (_SHAPE, _JUDGEMENT):
        role = "small"
    font = theme.font(role)
    painter.setFont(font)
    painter.setPen(QColor(theme.muted if unknown else theme.ink))
    shown = words if theme.width(words, role) <= area.width() else elided(words, font, area.width())
    painter.drawText(area, int(_alignment(column)), shown)
