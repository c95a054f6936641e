"""What is said under the pictures, and of one number in them."""

from __future__ import annotations

import numpy as np

from gradviz.history import Moment
from gradviz.names import WeightNames

from ..stack.scale import written
from ..weights.words import raw
from .facts import Facts
from .painting import arrays_of, names_of
from .places import MOST, Places, in_a_row

NEXT = "is shown from the next window on"


def missing(moment: Moment, chosen: int) -> tuple[str, ...]:
    """Why there is nothing of the chosen layer."""
    name = moment.run.layers[chosen].name if chosen < len(moment.run.layers) else "this layer"
    if moment.window is not None and moment.window.watched == chosen:
        return (f"{name} was not read after this micro-batch", "not read after this micro-batch")
    return (f"{name} {NEXT}", f"{NEXT}")


def notes(facts: Facts, unit: tuple[int, int] | None, crowded: bool, limit: float) -> tuple[str, ...]:
    """What goes beyond the end of the scale, how the layer is laid out, what is not shown; then shorter."""
    layer, found = facts.layer, []
    if facts.largest and facts.reach > limit:
        most = written(facts.reach / facts.largest, True)
        found.append(f"beyond the scale: up to {most} the largest in the full batch")
    if layer.size > MOST:
        found.append(f"the first {_spaced(MOST)} of {_spaced(layer.size)} weights")
    if crowded:
        found.append("more weights than pixels: not all are drawn")
    if facts.rounding and facts.apart:
        found.append("grey: rounding only, no real difference")
    if unit is not None:
        found.append(
            f"each tile: the {unit[0] * unit[1]} weights of one unit, {unit[0]} × {unit[1]} as in the data"
        )
    elif len(layer.shape) == 2:
        found.append("a row for each output, a column for each input")
    elif len(layer.shape) > 2:
        kernel = " × ".join(map(str, layer.shape[2:]))
        order = "one output after the other" if in_a_row(layer.shape) else "outputs downwards, inputs across"
        found.append(f"kernels of {kernel}: {order}")
    return tuple(" · ".join(found[:count]) for count in range(len(found), 0, -1)) or ("",)


def number_in_words(facts: Facts, names: WeightNames, places: Places, row: int, column: int) -> str:
    """Name, index and values of the number at a cell; empty where there is none."""
    index = int(places[row, column])
    if not 0 <= index < len(facts.reference):
        return ""
    name = names.at(np.array([facts.layer.start + index]))[0]
    values = zip(names_of(facts), arrays_of(facts), strict=True)
    lines = [f"{words} {raw(float(array[index]))}" for (words, _), array in values if array is not None]
    return "\n".join([name, *lines])


def _spaced(count: int) -> str:
    return f"{count:,}".replace(",", " ")
