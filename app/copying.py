"""What can be put on the clipboard: the picture, the numbers, the command."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QClipboard, QImage, QPainter
from PySide6.QtWidgets import QWidget

from gradviz.command_line import command_line
from gradviz.moment_table import moment_table

from .playback import Playback
from .session import Session


class Copying:
    """Copies what is on the screen, and says what was copied."""

    def __init__(
        self,
        session: Session,
        playback: Playback,
        widget: QWidget,
        clipboard: QClipboard,
        say: Callable[[str], None],
    ) -> None:
        """`widget` is what a picture shows; `say` takes a few words."""
        self._session, self._playback = session, playback
        self._widget, self._clipboard, self._say = widget, clipboard, say

    @property
    def has_numbers(self) -> bool:
        """Something was measured that can be copied."""
        return self._playback.moment() is not None

    def copy_picture(self) -> None:
        """The whole window's inside, with as many pixels as it has on its screen."""
        self.copy_picture_of(self._widget)

    def copy_picture_of(self, widget: QWidget) -> None:
        """One widget, such as a panel."""
        image = picture(widget)
        self._clipboard.setImage(image)
        self._say(f"picture copied, {image.width()} × {image.height()} pixels")

    def copy_numbers(self) -> None:
        """The moment on the screen as a table."""
        moment = self._playback.moment()
        if moment is None:
            self._say("no numbers yet: the run has not begun")
            return
        self._clipboard.setText(moment_table(self._session.history, moment))
        where = f" of step {moment.window.step}" if moment.window else ""
        self._say(f"numbers{where} copied, as a table")

    def copy_command(self) -> None:
        """The command that makes this run again from its first step, with the settings as they are now."""
        command = command_line(self._session.config)
        self._clipboard.setText(command)
        but = "; this run had other settings before" if self._was_changed() else ""
        self._say(f"copied: {command}{but}")

    def _was_changed(self) -> bool:
        """Whether the command cannot tell all that has been done in this run."""
        history = self._session.history
        names = ("micro_batches", "faulty", "lr")
        return bool(history.resynced) or any(history.changes(name).changed for name in names)


def picture(widget: QWidget) -> QImage:
    """The widget as it is painted, sharp on the screen that it is on."""
    ratio = widget.devicePixelRatioF()
    size = widget.size() * ratio
    image = QImage(QSize(max(1, size.width()), max(1, size.height())), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(widget.palette().window().color())
    painter = QPainter(image)
    widget.render(painter, QPoint())
    painter.end()
    return image
