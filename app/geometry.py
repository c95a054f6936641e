"""Where a window may open: never outside of a screen, never larger than it, its title bar within reach."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QDataStream, QPoint, QRect, QSize
from PySide6.QtGui import QGuiApplication

TITLE_BAR = 40
"""Pixels that a window manager may need above a window."""

_MAGIC, _MAJOR = 0x1D9D0CB, (1, 2, 3)
_ABSURD = 100_000


def available_screens() -> list[QRect]:
    """What windows may cover of each screen, the primary one first."""
    primary = QGuiApplication.primaryScreen()
    others = [screen for screen in QGuiApplication.screens() if screen is not primary]
    return [screen.availableGeometry() for screen in (primary, *others)]


def smallest_size(wanted: QSize, screens: Sequence[QRect]) -> QSize:
    """The least size that a window may insist on: `wanted`, unless one of the screens has no room for it."""
    room = wanted
    for screen in screens:
        room = room.boundedTo(QSize(screen.width(), screen.height() - TITLE_BAR))
    return room


def safe_rect(wanted: QByteArray | QRect, screens: Sequence[QRect], usual: QSize) -> QRect:
    """Corner of the frame and size of the inside of a window that was at `wanted`, put on one screen.

    Bytes are those of QWidget.saveGeometry. What makes no sense gives a window of the usual size in the
    middle of the first screen.
    """
    rect = rect_of(wanted) if isinstance(wanted, QByteArray) else wanted
    if rect is None or not _makes_sense(rect):
        return centred(usual, screens[0])
    shared = [_area(screen.intersected(rect)) for screen in screens]
    screen = screens[shared.index(max(shared))]
    if not max(shared):
        return centred(rect.size(), screen)
    size = _fitting(rect.size(), screen)
    # the last corner at which all of it, title bar included, is still on the screen
    right = screen.left() + screen.width() - size.width()
    bottom = screen.top() + screen.height() - TITLE_BAR - size.height()
    left = max(screen.left(), min(rect.left(), right))
    return QRect(QPoint(left, max(screen.top(), min(rect.top(), bottom))), size)


def rect_of(saved: QByteArray) -> QRect | None:
    """Corner of the frame and size of the inside from the bytes of QWidget.saveGeometry; None if damaged."""
    stream, frame, normal = QDataStream(saved), QRect(), QRect()
    stream.setVersion(QDataStream.Version.Qt_4_0)
    magic, major = stream.readUInt32(), stream.readUInt16()
    stream.readUInt16()
    if magic != _MAGIC or major not in _MAJOR:
        return None
    stream >> frame >> normal
    if stream.status() != QDataStream.Status.Ok:
        return None
    # a maximized window's frame says nothing about where its normal one begins
    corner = frame.topLeft() if frame.contains(normal) else normal.topLeft()
    return QRect(corner, normal.size())


def centred(size: QSize, screen: QRect) -> QRect:
    """In the middle of the screen, no larger than it."""
    size = _fitting(size, screen)
    left = screen.left() + (screen.width() - size.width()) // 2
    top = screen.top() + (screen.height() - TITLE_BAR - size.height()) // 2
    return QRect(QPoint(left, top), size)


def _makes_sense(rect: QRect) -> bool:
    numbers = (rect.left(), rect.top(), rect.width(), rect.height())
    return rect.width() > 0 and rect.height() > 0 and max(map(abs, numbers)) < _ABSURD


def _fitting(size: QSize, screen: QRect) -> QSize:
    return size.boundedTo(QSize(screen.width(), screen.height() - TITLE_BAR))


def _area(rect: QRect) -> int:
    return max(0, rect.width()) * max(0, rect.height())
