"""The window as a picture, trained for so many steps, without a display."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import cast

from PySide6.QtCore import QPoint, QSettings, QSize, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtWidgets import QApplication

from gradviz.config import RunConfig
from gradviz.control import Control, Watch
from gradviz.events import Event, MemorySampled, MicroBatchAdded, RunFailed, StepFinished, WindowStarted
from gradviz.history import History

from .appearance import Appearance
from .fonts import load_fonts
from .look import Look
from .main_window import SMALLEST, MainWindow
from .preferences import Preferences
from .session import Session

_NOTHING = Watch()


class RenderError(RuntimeError):
    """The picture could not be made, said in one sentence."""


def render_png(
    config: RunConfig,
    out: Path,
    *,
    steps: int,
    micro_batch: int | None,
    look: Look,
    on_step: Callable[[int, int], None],
) -> str:
    """Train `steps` steps, then `micro_batch` micro-batches more, and paint the window into the file `out`.

    The same arguments give the same bytes. `on_step(step, steps)` is called after each step. Returns "", or
    a sentence where the run ended before it had come so far; what it came to is painted then.

    Raises:
        RenderError: the run failed, or the file cannot be written.
    """
    watch = Watch(layer=0 if look.tab == "heatmap" else None, plane=look.tab == "boundary")
    history = record(config, steps, micro_batch, on_step, watch)
    if look.tab == "boundary" and history.run is not None and history.run.points is None:
        raise RenderError(f"The inputs of {history.run.task_title} are no points in a plane: no boundary.")
    image = _paint(config, history, look)
    beside = out.with_name(f".{out.name}.part")
    try:
        if not QImageWriter(str(beside), b"PNG").write(image):
            raise RenderError(f"{out} cannot be written.")
        beside.replace(out)
    except OSError as error:
        raise RenderError(f"{out} cannot be written: {error.strerror}.") from None
    finally:
        beside.unlink(missing_ok=True)
    return _ended_early(history, steps, micro_batch)


def record(
    config: RunConfig,
    steps: int,
    micro_batch: int | None,
    on_step: Callable[[int, int], None],
    watch: Watch = _NOTHING,
) -> History:
    """What happens in `steps` steps, and up to `micro_batch` of the step after them."""
    # reading torch takes a second, which nobody else who imports this module must wait for
    from gradviz.trainer import Trainer

    history, control = History(), Control(config, always_seen=True)
    control.watch(watch)
    control.allow(None if steps else config.micro_batches)
    with closing(cast("Generator[Event, None, None]", Trainer(config).run(control))) as events:
        for event in events:
            history.append(event)
            if isinstance(event, RunFailed):
                raise RenderError(event.sentence)
            if isinstance(event, StepFinished):
                on_step(event.step, steps)
                if event.step >= steps - 1:
                    # the memory that is shown is that of the last whole window
                    control.want_detail(memory=True)
                if event.step == steps:
                    # by counted credits each piece is told as it comes, with all that is drawn of it
                    control.hold()
                    control.allow(config.micro_batches)
            if _is_last(event, steps, micro_batch):
                break
        following = next(events, None) if micro_batch else None
        if isinstance(following, MemorySampled):
            history.append(following)
    return history


def _ended_early(history: History, steps: int, micro_batch: int | None) -> str:
    newest, last = history.at(-1), history.finished
    begun = micro_batch is None or (newest and newest.window and newest.window.step == steps + 1)
    if last is None or (last.step == steps and begun):
        return ""
    if last.step < steps:
        words = f"the run ended with step {last.step}; {steps} steps were asked for"
    else:
        words = f"step {steps + 1} takes no micro-batches: the accumulated run has diverged"
    return f"{words}. The picture shows it as it stood then."


def _is_last(event: Event, steps: int, micro_batch: int | None) -> bool:
    match event:
        case StepFinished(step=step):
            # a step without micro-batches goes by at once
            return step == steps if micro_batch is None else step > steps
        case WindowStarted(step=step):
            return micro_batch == 0 and step == steps + 1
        case MicroBatchAdded(step=step, index=index):
            return step == steps + 1 and index == micro_batch
        case _:
            return False


def _paint(config: RunConfig, history: History, look: Look) -> QImage:
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication(["gradviz", "-platform", "offscreen"])
    load_fonts()
    session = Session(config)
    appearance = Appearance(application.styleHints(), look.theme)
    # nothing that somebody prefers may change the picture
    preferences = Preferences(QSettings("", QSettings.Format.IniFormat))
    preferences.zoom = look.zoom
    window = MainWindow(session, appearance, preferences)
    session.show_recorded(history)
    window.stage.tabs.show_title(look.tab.capitalize())
    window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    # a picture smaller than the smallest window is that window, painted smaller
    wide, high = look.size
    shrunk = min(1.0, wide / SMALLEST.width(), high / SMALLEST.height())
    window.resize(round(wide / shrunk), round(high / shrunk))
    window.menuBar().hide()
    window.show()
    window.refresh_all()
    QApplication.processEvents()
    image = QImage(QSize(wide, high), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(1.0)
    painter = QPainter(image)
    painter.scale(shrunk, shrunk)
    window.render(painter, QPoint())
    painter.end()
    window.close()
    window.deleteLater()
    QApplication.processEvents()
    return image
