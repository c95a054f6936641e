"""Windows open within a screen, whatever was remembered."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QByteArray, QDataStream, QIODevice, QPoint, QRect, QSize
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradviz_app.geometry import TITLE_BAR, available_screens, centred, rect_of, safe_rect, smallest_size

LAPTOP = QRect(0, 0, 1280, 720)
BEAMER = QRect(1280, 0, 1920, 1080)
LEFT = QRect(-1920, -200, 1920, 1080)
USUAL = QSize(1000, 600)


def on_one_screen(rect: QRect, screens: list[QRect]) -> bool:
    """The title bar and all under it."""
    framed = QRect(rect.topLeft(), QSize(rect.width(), rect.height() + TITLE_BAR))
    return any(screen.contains(framed) for screen in screens)


@pytest.mark.parametrize(
    "rect",
    [
        QRect(100, 80, 900, 500),
        QRect(0, 0, 1280, 680),
        QRect(1400, 20, 1500, 900),
        QRect(-1800, -150, 300, 200),
    ],
)
def test_that_a_window_that_fits_opens_where_it_was(rect: QRect) -> None:
    assert safe_rect(rect, [LAPTOP, BEAMER, LEFT], USUAL) == rect


def test_that_a_window_of_a_screen_that_is_gone_opens_in_the_middle_of_the_first() -> None:
    found = safe_rect(QRect(1700, 300, 800, 500), [LAPTOP], USUAL)
    assert found == QRect(240, 90, 800, 500)
    assert on_one_screen(found, [LAPTOP])


def test_that_a_smaller_resolution_makes_a_window_smaller() -> None:
    small = QRect(0, 30, 1024, 600)
    found = safe_rect(QRect(0, 0, 1920, 1040), [small], USUAL)
    assert found == QRect(0, 30, 1024, 600 - TITLE_BAR)


def test_that_a_window_that_sticks_out_is_pulled_in() -> None:
    for corner in (QPoint(-300, -90), QPoint(900, 500), QPoint(-1, 400)):
        found = safe_rect(QRect(corner, QSize(700, 400)), [LAPTOP], USUAL)
        assert found.size() == QSize(700, 400)
        assert on_one_screen(found, [LAPTOP])


def test_that_a_window_across_two_screens_goes_to_the_one_that_has_more_of_it() -> None:
    assert LAPTOP.contains(safe_rect(QRect(600, 50, 900, 400), [LAPTOP, BEAMER], USUAL))
    assert BEAMER.contains(safe_rect(QRect(1000, 50, 900, 400), [LAPTOP, BEAMER], USUAL))


@pytest.mark.parametrize(
    "rect",
    [
        QRect(),
        QRect(0, 0, -5, 400),
        QRect(10**8, 0, 500, 400),
        QRect(0, -(10**9), 500, 400),
        QRect(0, 0, 10**9, 10**9),
        QRect(-(2**31), -(2**31), 1, 1),
    ],
)
def test_that_absurd_numbers_give_the_usual_window(rect: QRect) -> None:
    assert safe_rect(rect, [LAPTOP, BEAMER], USUAL) == QRect(140, 40, 1000, 600)


def test_that_the_usual_window_is_no_larger_than_the_screen_either() -> None:
    assert safe_rect(QRect(), [QRect(0, 0, 640, 360)], USUAL) == QRect(0, 0, 640, 360 - TITLE_BAR)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_that_the_bytes_of_qt_are_read(version: int) -> None:
    frame, inside = QRect(100, 60, 804, 530), QRect(102, 88, 800, 500)
    assert rect_of(saved(frame, inside, version=version)) == QRect(100, 60, 800, 500)


def test_that_what_qt_itself_saves_is_read(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setGeometry(50, 70, 400, 300)
    window.show()
    assert rect_of(window.saveGeometry()) == QRect(window.pos(), QSize(400, 300))


def test_that_of_a_maximized_window_the_normal_size_counts() -> None:
    assert rect_of(saved(QRect(0, 0, 1280, 720), QRect(2000, 90, 800, 500))) == QRect(2000, 90, 800, 500)


@pytest.mark.parametrize("length", range(0, 40, 3))
def test_that_damaged_bytes_give_the_usual_window(length: int) -> None:
    whole = saved(QRect(100, 60, 804, 530), QRect(102, 88, 800, 500))
    expected = QRect(140, 40, 1000, 600)
    assert safe_rect(whole.first(length), [LAPTOP], USUAL) == expected
    assert safe_rect(QByteArray(b"\x55" * length), [LAPTOP], USUAL) == expected
    assert safe_rect(saved(QRect(), QRect(), version=9), [LAPTOP], USUAL) == expected


def test_that_no_window_insists_on_more_than_the_smallest_screen_has() -> None:
    wanted = QSize(1024, 600)
    assert smallest_size(wanted, [BEAMER]) == wanted
    assert smallest_size(wanted, [BEAMER, QRect(0, 0, 853, 480)]) == QSize(853, 480 - TITLE_BAR)


def test_that_a_window_in_the_middle_of_a_screen_is_all_on_it() -> None:
    for size in (QSize(500, 400), QSize(5000, 4000)):
        for screen in (LAPTOP, BEAMER):
            assert on_one_screen(centred(size, screen), [screen])


def test_that_there_is_a_screen(qtbot: QtBot) -> None:
    assert not available_screens()[0].isEmpty()


def saved(frame: QRect, inside: QRect, version: int = 3) -> QByteArray:
    """Bytes as QWidget.saveGeometry writes them."""
    data = QByteArray()
    stream = QDataStream(data, QIODevice.OpenModeFlag.WriteOnly)
    stream.setVersion(QDataStream.Version.Qt_4_0)
    stream.writeUInt32(0x1D9D0CB)
    stream.writeUInt16(version)
    stream.writeUInt16(0)
    stream << frame << inside
    stream.writeInt32(0)
    return data
