"""What is said where no window can be opened."""

from __future__ import annotations

import pytest

from gradviz_app.display import missing_display, missing_libraries


def loads(name: str) -> object:
    return name


def loads_nothing(name: str) -> object:
    raise OSError(name)


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
    assert missing_display(environment, "linux", loads) is None


def test_that_other_systems_need_no_display_of_that_kind() -> None:
    assert missing_display({}, "darwin", loads_nothing) is None


def test_that_missing_libraries_of_xcb_are_named() -> None:
    sentence = missing_display({"DISPLAY": ":0"}, "linux", loads_nothing)
    assert sentence is not None
    assert "libxcb-cursor0" in sentence
    assert "\n" not in sentence


def test_that_wayland_does_not_need_them() -> None:
    assert missing_display({"WAYLAND_DISPLAY": "wayland-0"}, "linux", loads_nothing) is None


def test_that_missing_libraries_of_qt_are_named() -> None:
    def fails() -> None:
        raise ImportError("libEGL.so.1: cannot open shared object file")

    sentence = missing_libraries(fails)
    assert sentence is not None
    assert "libEGL.so.1" in sentence
    assert "libegl1" in sentence
