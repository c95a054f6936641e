"""One layer of the model as four pictures, and what it is chosen with."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox

from gradviz.history import History, Moment
from gradviz.layers import Layer
from gradviz.names import WeightNames

from ...controls.parts import Choice
from ...theme import Theme
from ..heading import paint_heading
from ..pointed import PointedPane
from ..stack.words import WAITING, waiting_for
from ..toggle import Toggle
from ..weights.scale import held
from .facts import Facts, difference_limit, facts_of, headlines, mark_of, scale_end
from .layout import Layout, layout_of
from .painting import paint_bars, paint_pictures
from .places import Places, places_of
from .words import missing, notes, number_in_words

_TOP, _FOOT, _BARS = 50.0, 42.0, 500.0


class Heatmap(PointedPane):
    """Says which layer it wants to be told of; shows it as soon as a moment has it."""

    layer_chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__("Heatmap", theme)
        self._moment: Moment | None = None
        self._facts: Facts | None = None
        self._waiting: tuple[str, ...] = (WAITING,)
        self._limit: float | None = None
        self._setting: tuple[object, ...] = ()
        self._layers: tuple[Layer, ...] = ()
        self._names = WeightNames(())
        self.choice = Choice("Layer")
        self.choice.setParent(self)
        self.choice.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.activated.connect(self._on_activated)
        tip = "each unit's weights as a picture, as the samples are, or all as one matrix"
        self.as_pictures = Toggle(self, "as pictures", "as a matrix", tip)
        self.as_pictures.setChecked(True)
        self.as_pictures.toggled.connect(self._on_toggled)
        self._dress()

    @property
    def layer(self) -> int:
        """The layer that is chosen, by its place among the run's layers."""
        return max(0, self.choice.currentIndex())

    @property
    def limit(self) -> float:
        """The end of the scale that the first three pictures have in common."""
        return self._limit or 1.0

    def refresh(self, history: History, moment: Moment | None) -> None:
        self._moment = moment
        if moment is not None and moment.run.layers != self._layers:
            self._fill(moment.run.layers)
        self._read(history, moment)
        self.choice.setVisible(bool(self._layers))
        self._place()
        self.update()

    def choose(self, layer: int) -> None:
        """Show another layer, and say so."""
        self.choice.setCurrentIndex(layer)
        self._on_activated(layer)

    def headline(self) -> str:
        """The sentence over the pictures."""
        return headlines(self._facts)[0] if self._facts else self._waiting[0]

    def hover_text(self, position: QPointF) -> str:
        if self._facts is None:
            return ""
        places, layout = self._placed(self.content(), self._facts)
        found = layout.find(position, *places.shape)
        return "" if found is None else number_in_words(self._facts, self._names, places, *found[1:])

    def paint(self, painter: QPainter, area: QRectF) -> None:
        ink, facts = self._ink, self._facts
        ink.painter = painter
        taken = self.width() - self.theme.px(14) - self._controls_left() + self.theme.px(10)
        titles = ("One layer's gradient", "One layer", "")
        if facts is None:
            paint_heading(ink, area, titles, "", None, ("",), taken)
            words = ink.fitting(self._waiting, area.width(), "title")
            ink.text(area.center().x(), area.center().y(), words, "title", self.theme.muted, 0.5)
            return
        paint_heading(ink, area, titles, f"step {facts.step}", mark_of(facts), headlines(facts), taken)
        self._paint_pictures(area, facts)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._dress()

    def _read(self, history: History, moment: Moment | None) -> None:
        self._facts = facts_of(moment, self.layer) if moment is not None else None
        if self._facts is None:
            self._waiting = (waiting_for(history, moment),)
            if moment is not None and moment.window is not None:
                self._waiting = missing(moment, self.layer)
            self.describe(f"{self._waiting[0]}.")
        elif moment is not None:
            setting = (moment.run, self.layer, self._facts.count, self._facts.scaling)
            if setting != self._setting:
                self._setting, self._limit = setting, None
            self._limit = held(self._limit, scale_end(self._facts))
            name = self._facts.layer.name
            self.describe(f"Step {self._facts.step}, layer {name}. {self.headline()}.")
        self._show_toggle()

    def _fill(self, layers: tuple[Layer, ...]) -> None:
        """Other layers to choose from; the one of the same name stays chosen, else it is the first."""
        before = self._layers[self.layer].name if self._layers else None
        self._layers, self._names = layers, WeightNames(layers)
        self.choice.clear()
        for layer in layers:
            self.choice.addItem(f"{layer.name}   {' × '.join(map(str, layer.shape))}")
        names = [layer.name for layer in layers]
        self.choice.setCurrentIndex(names.index(before) if before in names else 0)
        self._place()
        if self.isVisible():
            self.layer_chosen.emit(self.layer)

    def _unit(self, facts: Facts) -> tuple[int, int] | None:
        """Height and width of a unit's picture, where there can be one and it is wanted."""
        return facts.unit if self.as_pictures.isChecked() else None

    def _placed(self, area: QRectF, facts: Facts) -> tuple[Places, Layout]:
        """Where the numbers stand; gaps between pictures or kernels go first where there is no room."""
        for gap in (1, 0):
            places = places_of(facts.layer.shape, self._unit(facts), gap)
            layout = self._layout(area, facts, places)
            if min(layout.cell) >= 1:
                break
        return places, layout

    def _layout(self, area: QRectF, facts: Facts, places: Places) -> Layout:
        px = self.theme.px
        inner = QRectF(area.left(), area.top() + px(_TOP), area.width(), area.height() - px(_TOP + _FOOT))
        stretches = len(facts.layer.shape) < 3 and self._unit(facts) is None
        rows, columns = places.shape
        return layout_of(inner, self.theme, rows, columns, stretches)

    def _paint_pictures(self, area: QRectF, facts: Facts) -> None:
        px, limit = self.theme.px, self.limit
        places, layout = self._placed(area, facts)
        limits = (limit, difference_limit(facts, limit))
        paint_pictures(self._ink, layout, facts, places, limits)
        top = min(area.bottom() - px(34), layout.boxes[-1].bottom() + px(14))
        words = notes(facts, self._unit(facts), min(layout.cell) < 1, limit)
        fitting = self._ink.fitting(words, area.width(), "small")
        # below the pictures, and not beyond the pane's edge
        free = max(0.0, area.width() - max(px(_BARS), self._ink.width(fitting, "small")))
        left = area.left() + min(free, max(0.0, layout.boxes[0].left() - area.left()))
        paint_bars(self._ink, QRectF(left, top, area.right() - left, px(16)), facts, limits)
        self._ink.text(left, top + px(32), fitting, "small", self.theme.muted)

    def _show_toggle(self) -> None:
        """Only where rows can be pictures there is something to choose."""
        self.as_pictures.setVisible(self._facts is not None and self._facts.unit is not None)

    def _dress(self) -> None:
        self.choice.setFont(self.theme.font("small"))
        self.as_pictures.set_theme(self.theme)
        self._show_toggle()
        self._place()

    def _place(self) -> None:
        pad, px = self.theme.px(14), self.theme.px
        width, height = round(min(px(190), self.width() * 0.4)), round(px(21))
        top = round(pad * 0.55)
        self.choice.setGeometry(round(self.width() - pad - width), top, width, height)
        left = self.choice.x() - self.as_pictures.width() - px(8)
        self.as_pictures.setGeometry(round(left), top, self.as_pictures.width(), height)

    def _controls_left(self) -> float:
        return float(self.choice.x() if self.as_pictures.isHidden() else self.as_pictures.x())

    def _on_activated(self, layer: int) -> None:
        self._read(History(), self._moment)
        self._place()
        self.update()
        self.layer_chosen.emit(layer)

    def _on_toggled(self) -> None:
        self._show_toggle()
        self._place()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._layers:
            self.layer_chosen.emit(self.layer)
