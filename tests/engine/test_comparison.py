"""Size, angle, error, ulps and the verdict, on gradients whose right values are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gradviz.comparison import compare, judge, norm

R = np.array([3.0, 4.0])


def test_that_a_gradient_is_equal_to_itself() -> None:
    c = compare(R, R, [0.5, 0.5], "float64")
    assert (c.ratio, c.angle_degrees, c.cosine, c.relative_error, c.max_over_scale) == (1, 0, 1, 0, 0)
    assert (c.ulp_p50, c.ulp_p99, c.shares, c.kind) == (0, 0, (0.5, 0.5), "equal")
    assert c.verdict == "equal, up to rounding"


def test_that_four_times_the_gradient_is_four_times_too_large_in_the_same_direction() -> None:
    c = compare(4 * R, R, None, "float64")
    assert (c.ratio, c.relative_error, c.max_over_scale) == (4.0, 3.0, 3.0)
    assert c.verdict == "4.000 × too large, same direction"
    assert compare(R / 4, R, None, "float64").verdict == "4.000 × too small, same direction"
    assert compare(R * 1.0001, R, None, "float64").verdict == "by 0.01 % too large, same direction"


@pytest.mark.parametrize(("degrees", "words"), [(90, "90°"), (37, "37°"), (5.2, "5.2°"), (180, "180°")])
def test_that_a_turned_gradient_has_its_angle(degrees: float, words: str) -> None:
    turn = math.radians(degrees)
    turned = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) @ R
    c = compare(turned, R, None, "float64")
    assert c.angle_degrees == pytest.approx(degrees, abs=1e-9)
    assert c.cosine == pytest.approx(math.cos(turn), abs=1e-12)
    assert c.verdict == f"different direction, {words}"


def test_that_an_angle_far_below_what_arccos_can_tell_is_measured() -> None:
    c = compare(R + 1e-11 * np.array([-4.0, 3.0]), R, None, "float64")
    assert c.angle_degrees == pytest.approx(math.degrees(1e-11), rel=1e-3)


@pytest.mark.parametrize(
    ("precision", "error", "kind"),
    [
        ("float64", 1e-13, "equal"),
        ("float64", 1e-11, "scaled"),
        ("float32", 9e-6, "equal"),
        ("float32", 2e-5, "scaled"),
    ],
)
def test_that_the_tolerance_is_that_of_the_precision(precision: str, error: float, kind: str) -> None:
    assert compare(R * (1 + error), R, None, precision).kind == kind


@pytest.mark.parametrize(("r", "a"), [([0.0, 0.0], [0.0, 0.0]), ([1e-31, 0.0], [1.0, 0.0])])
def test_that_without_a_gradient_nothing_is_known(r: list[float], a: list[float]) -> None:
    c = compare(np.array(a), np.array(r), [1.0], "float64")
    assert (c.ratio, c.angle_degrees, c.relative_error, c.shares, c.kind) == (None, None, None, None, "none")
    assert c.verdict == "no gradient"


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_that_a_gradient_that_is_not_finite_is_said_to_be_so(bad: float) -> None:
    for a, r in (([bad, 1.0], [1.0, 1.0]), ([1.0, 1.0], [1.0, bad])):
        assert compare(np.array(a), np.array(r), None, "float32").verdict == "the gradient is not finite"


def test_that_nothing_accumulated_is_said_to_be_zero() -> None:
    c = compare(np.zeros(2), R, None, "float64")
    assert (c.ratio, c.cosine, c.angle_degrees) == (0.0, None, None)
    assert c.verdict == "zero, where there should be a gradient"


def test_that_ulps_count_the_last_places_of_the_precision() -> None:
    r = np.ones(100, dtype=np.float32)
    a = r + np.arange(100, dtype=np.float32) * np.spacing(np.float32(1))
    c = compare(a, r, None, "float32")
    assert (c.ulp_p50, c.ulp_p99) == (49, 98)
    assert compare(np.array([1 + 2.0**-7]), np.array([1.0]), None, "bfloat16").ulp_p50 == 1


def test_that_the_norm_of_huge_and_tiny_numbers_is_right() -> None:
    assert norm(np.array([3e200, 4e200])) == pytest.approx(5e200)
    assert norm(np.array([3e-200, 4e-200])) == pytest.approx(5e-200)
    assert norm(np.zeros(3)) == 0
    assert norm(np.empty(0)) == 0


def test_that_a_small_angle_is_a_different_direction_only_from_a_tenth_of_a_degree_on() -> None:
    assert judge(1.0, 0.0999, 1e-3, 1e-5)[0] == "scaled"
    assert judge(1.0, 0.1, 1e-3, 1e-5) == ("direction", "different direction, 0.1°")


def test_that_a_small_error_of_direction_is_not_told_as_one_of_size() -> None:
    kind, words = judge(1.0, 0.05, 8.7e-4, 1e-5)
    assert (kind, words) == ("scaled", "off by 0.0009 of its length, nearly the same direction")


def test_that_a_norm_of_what_is_not_finite_is_not_finite() -> None:
    assert math.isnan(norm(np.array([1.0, math.nan])))
    assert norm(np.array([1.0, -math.inf])) == math.inf
