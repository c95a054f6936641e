"""The scaling slider where there is one piece: whatever is chosen is right."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gradviz.config import RunConfig
from gradviz_app.controls.scaling_slider import ScalingSlider
from gradviz_app.theme import DARK


@pytest.mark.parametrize(("count", "faulty"), [(1, False), (2, True), (8, True)])
def test_that_times_one_is_a_fault_of_several_pieces_only(qtbot: QtBot, count: int, faulty: bool) -> None:
    slider = ScalingSlider(DARK, lambda **changes: None)
    qtbot.addWidget(slider)
    slider.resize(220, 120)
    slider.show_config(RunConfig.of({"scaling": "unscaled", "micro_batches": count}))
    image = slider.slider.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert (DARK.fault in colours) == slider.slider.fault == faulty
    assert slider.slider.notes[1] == ("forgot it" if faulty else "the same")
