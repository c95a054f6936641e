"""Pictures of the window without a display."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gradviz.config import RunConfig
from gradviz_app.look import Look
from gradviz_app.render import RenderError, record, render_png

LOOK = Look()
CONFIG = RunConfig.of({"batch": 32, "micro_batches": 4})


def nothing(step: int, steps: int) -> None:
    """Nobody listens."""


def render(out: Path, steps: int = 2, micro_batch: int | None = None, look: Look = LOOK) -> bytes:
    render_png(CONFIG, out, steps=steps, micro_batch=micro_batch, look=look, on_step=nothing)
    return out.read_bytes()


def test_that_the_same_command_gives_the_same_bytes(qtbot: QtBot) -> None:
    assert render(Path("a.png")) == render(Path("b.png"))


def test_that_theme_steps_and_micro_batch_change_the_picture(qtbot: QtBot) -> None:
    pictures = {
        render(Path("a.png")),
        render(Path("b.png"), look=Look(theme="light")),
        render(Path("c.png"), steps=3),
        render(Path("d.png"), micro_batch=2),
        render(Path("e.png"), micro_batch=3),
        render(Path("f.png"), look=Look(tab="heatmap")),
        render(Path("g.png"), look=Look(zoom=1.5)),
    }
    assert len(pictures) == 7


def test_that_a_boundary_needs_points_in_a_plane(qtbot: QtBot) -> None:
    with pytest.raises(RenderError, match="The inputs of digits are no points in a plane"):
        render(Path("a.png"), look=Look(tab="boundary"))
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("size", [(640, 360), (1000, 700), (1920, 1080)])
def test_that_the_picture_has_the_size_that_was_asked_for(qtbot: QtBot, size: tuple[int, int]) -> None:
    out = Path("a.png")
    render_png(CONFIG, out, steps=1, micro_batch=None, look=Look(size), on_step=nothing)
    assert QImage(str(out)).size().toTuple() == size
    assert [file.name for file in Path().iterdir()] == ["a.png"]


@pytest.mark.parametrize(
    ("steps", "micro_batch", "rows", "step", "added"),
    [(3, None, 3, 3, 4), (3, 2, 3, 4, 2), (0, 1, 0, 1, 1), (2, 0, 2, 3, 0), (2, 4, 2, 3, 4)],
)
def test_that_it_stops_where_it_was_asked_to(
    steps: int, micro_batch: int | None, rows: int, step: int, added: int
) -> None:
    history = record(CONFIG, steps, micro_batch, nothing)
    moment = history.at(-1)
    assert moment is not None
    assert moment.window is not None
    assert (history.steps, moment.window.step, len(moment.added)) == (rows, step, added)


def test_that_every_step_is_told(qtbot: QtBot) -> None:
    told: list[tuple[int, int]] = []
    record(CONFIG, 3, None, lambda step, steps: told.append((step, steps)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_that_a_folder_that_is_not_there_is_said(qtbot: QtBot) -> None:
    with pytest.raises(RenderError, match="cannot be written"):
        render(Path("nowhere") / "a.png")


def test_that_a_run_that_cannot_begin_is_said() -> None:
    with pytest.raises(RenderError, match="cuda"):
        record(CONFIG.changed(device="cuda:99"), 1, None, nothing)


@pytest.mark.parametrize("steps", [0, 2])
@pytest.mark.parametrize("micro_batch", [1, 3, 4])
def test_that_a_picture_within_a_window_has_all_that_is_drawn_of_its_pieces(
    steps: int, micro_batch: int
) -> None:
    moment = record(CONFIG, steps, micro_batch, nothing).at(-1)
    assert moment is not None
    arrows = moment.arrows()
    assert arrows is not None
    assert len(arrows.pieces) == len(moment.added) == micro_batch
    sampled = moment.memory["accumulated"]
    assert (sampled.step, len(sampled.sample.ticks)) == (steps + 1, micro_batch)
