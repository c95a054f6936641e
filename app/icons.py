"""Icons from the program's SVG files, in the colours of a theme."""

from __future__ import annotations

from functools import cache
from importlib import resources

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_DRAWN_IN = "#000000"
_SIDE = 96


@cache
def icon(name: str, colour: str) -> QIcon:
    """The icon `name` with its black drawn as `colour`, sharp up to 96 pixels."""
    return QIcon(_pixmap(_svg(name).replace(_DRAWN_IN, colour)))


@cache
def program_icon() -> QIcon:
    """The icon of the program itself, in its own colours."""
    return QIcon(_pixmap(_svg("gradviz")))


def _svg(name: str) -> str:
    return (resources.files("gradviz.resources") / "icons" / f"{name}.svg").read_text("utf-8")


def _pixmap(svg: str) -> QPixmap:
    pixmap = QPixmap(_SIDE, _SIDE)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, _SIDE, _SIDE))
    painter.end()
    return pixmap
