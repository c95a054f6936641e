"""What is said where no window can be opened."""

from __future__ import annotations

import ctypes
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest

from gradviz_app.display import missing_display, missing_libraries, unreachable_display


def loads(name: str) -> object:
    return name


def loads_nothing(name: str) -> object:
    raise OSError(name)


def reaches(_environment: Mapping[str, str]) -> str | None:
    return None


@pytest.mark.parametrize("environment", [{}, {"QT_QPA_PLATFORM": "xcb"}, {"QT_QPA_PLATFORM": "wayland;xcb"}])
def test_that_a_missing_display_is_said_and_what_helps(environment: dict[str, str]) -> None:
    sentence = missing_display(environment, "linux", loads)
    assert sentence is not None
    assert "no display" in sentence
    assert "gradviz run --headless" in sentence


@pytest.mark.parametrize(
    "environment", [{"DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "wayland-0"}, {"QT_QPA_PLATFORM": "offscreen"}]
)
def test_that_a_display_is_enough(environment: dict[str, str]) -> None:
    assert missing_display(environment, "linux", loads, reaches) is None


def test_that_other_systems_need_no_display_of_that_kind() -> None:
    assert missing_display({}, "darwin", loads_nothing) is None


def test_that_missing_libraries_of_xcb_are_named() -> None:
    sentence = missing_display({"DISPLAY": ":0"}, "linux", loads_nothing)
    assert sentence is not None
    assert "libxcb-cursor0" in sentence
    assert "\n" not in sentence


def test_that_wayland_does_not_need_them() -> None:
    environment = {"WAYLAND_DISPLAY": "wayland-0"}
    assert missing_display(environment, "linux", loads_nothing, reaches) is None


@pytest.mark.parametrize("name", [":4999", "localhost:4999.0", "nowhere.invalid:0", "nonsense"])
def test_that_a_display_that_does_not_answer_is_named_in_one_line(name: str) -> None:
    try:
        ctypes.CDLL("libxcb.so.1")
    except OSError:
        pytest.skip("only libxcb knows")
    sentence = missing_display({"DISPLAY": name}, "linux", loads)
    assert sentence is not None
    assert name in sentence
    assert "gradviz run --headless" in sentence
    assert "\n" not in sentence


def test_that_a_display_of_which_nothing_is_known_is_left_to_qt() -> None:
    assert unreachable_display({"DISPLAY": ":4999"}, loads_nothing) is None


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there is no Wayland here")
def test_that_wayland_is_asked_at_its_socket() -> None:
    environment = {"WAYLAND_DISPLAY": "way", "XDG_RUNTIME_DIR": ""}
    assert "'way'" in (unreachable_display(environment, loads_nothing) or "")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(Path("way")))
        server.listen()
        assert unreachable_display(environment, loads_nothing) is None


def test_that_no_package_is_named_for_what_no_package_mends() -> None:
    def fails() -> None:
        raise ImportError("cannot import name 'QtSvg'")

    assert "apt" not in (missing_libraries(fails) or "")


def test_that_missing_libraries_of_qt_are_named() -> None:
    def fails() -> None:
        raise ImportError("libEGL.so.1: cannot open shared object file")

    sentence = missing_libraries(fails)
    assert sentence is not None
    assert "libEGL.so.1" in sentence
    assert "libegl1" in sentence
