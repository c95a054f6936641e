"""Devices by name, on machines that this one is made to look like."""

from __future__ import annotations

import pytest
import torch

from gradviz import devices
from gradviz.config import ConfigError


def machine(patch: pytest.MonkeyPatch, cards: int = 0, apple: bool = False) -> None:
    patch.setattr(torch.cuda, "is_available", lambda: cards > 0)
    patch.setattr(torch.cuda, "device_count", lambda: cards)
    patch.setattr(torch.backends.mps, "is_available", lambda: apple)


@pytest.mark.parametrize(
    ("cards", "apple", "precision", "found"),
    [
        (0, False, "float32", "cpu"),
        (2, False, "float32", "cuda:0"),
        (0, True, "float32", "mps"),
        (0, True, "bfloat16", "mps"),
        (0, True, "float64", "cpu"),
        (1, False, "float64", "cuda:0"),
    ],
)
def test_that_auto_is_the_fastest_device_that_has_the_precision(
    cards: int, apple: bool, precision: str, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, cards, apple)
    assert str(devices.resolve("auto", precision)) == found


def test_that_several_cards_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, cards=3)
    names = ("cuda", "cuda:0", "cuda:2", "cpu")
    assert [str(devices.resolve(name, "float32")) for name in names] == ["cuda:0", "cuda:0", "cuda:2", "cpu"]
    with pytest.raises(ConfigError) as raised:
        devices.resolve("cuda:3", "float32")
    words = "device cuda:3 is not on this machine, which has cpu, cuda:0, cuda:1, cuda:2"
    assert (str(raised.value), raised.value.setting) == (words, "device")


@pytest.mark.parametrize("name", ["cuda", "cuda:1", "mps"])
def test_that_a_device_that_is_not_there_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch)
    with pytest.raises(ConfigError, match=f"^device {name} is not on this machine, which has cpu$"):
        devices.resolve(name, "float32")


def test_that_a_precision_that_the_device_lacks_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, apple=True)
    with pytest.raises(ConfigError) as raised:
        devices.resolve("mps", "float64")
    words = "precision is float64, which device mps does not have"
    assert (str(raised.value), raised.value.setting) == (words, "precision")
