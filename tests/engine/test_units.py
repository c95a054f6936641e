"""Bytes as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradviz.units import format_bytes, parse_bytes, plain


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (70 * 1024, "70 KiB"),
        (192 * 1024, "192 KiB"),
        (9.96 * 1024, "10 KiB"),
        (1023.7 * 1024, "1.0 MiB"),
        (-102 * 1024, "-102 KiB"),
        (24 * 2**30, "24 GiB"),
        (2**49, "512 TiB"),
    ],
)
def test_that_bytes_are_written_with_a_binary_unit(count: float, text: str) -> None:
    assert format_bytes(count) == text


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("192KiB", 192 * 1024),
        ("192 kib", 192 * 1024),
        (" 24 GB ", 24 * 10**9),
        ("1.5MiB", 3 * 2**19),
        ("4096", 4096),
        ("4096B", 4096),
        ("0.1 kB", 100),
        ("2TiB", 2**41),
    ],
)
def test_that_sizes_are_read(text: str, count: int) -> None:
    assert parse_bytes(text) == count


@pytest.mark.parametrize(
    "text", ["", "KiB", "-1KiB", "1e3", "1,5MiB", "12 parsecs", "1KiB\n2", "nan", "inf", "٣KiB", "9" * 5000]
)
def test_that_what_is_no_size_is_told_in_one_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a size; write a number and B, KiB") as caught:
        parse_bytes(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 160


@given(st.integers(0, 2**49))
def test_that_a_written_size_is_read_back_within_its_rounding(count: int) -> None:
    assert parse_bytes(format_bytes(count)) == pytest.approx(count, rel=0.06)


@given(st.text(max_size=40))
def test_that_any_text_is_a_size_or_a_value_error(text: str) -> None:
    count, sentence = 0, "none"
    try:
        count = parse_bytes(text)
    except ValueError as error:
        sentence = str(error)
    assert count >= 0
    assert len(sentence.splitlines()) == 1


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0.5, "0.5"),
        (8.0, "8"),
        (1e-6, "0.000001"),
        (0.0, "0"),
        (-1.0, "-1"),
        (65536, "65536"),
        (2**31 - 1, "2147483647"),
        (1 / 3, "0.333333"),
        (123456.7, "123457"),
        (1e30, "1e+30"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
    ],
)
def test_that_a_number_is_written_plainly(number: float, written: str) -> None:
    assert plain(number) == written
