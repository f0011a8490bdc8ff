"""Numbers are rounded to significant digits as decimals are."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from winodds.arrays import round_digits


def _slow(value: float, digits: int) -> float:
    return float(f"{value:.{digits - 1}e}")


@given(st.lists(st.floats(-1e9, 1e9), min_size=1))
def test_rounding_to_digits_is_that_of_decimals(values: list[float]) -> None:
    """Halves may go either way, by one unit of the twelfth digit."""
    usual = np.array([value if abs(value) > 1e-9 else 0.0 for value in values])
    expected = np.array([_slow(value, 12) for value in usual.tolist()])
    np.testing.assert_allclose(round_digits(usual, 12), expected, rtol=1.01e-11)


@given(st.integers(10**11 + 1, 10**12 - 1), st.integers(-15, 3), st.integers(-20, 20))
def test_neighbours_of_a_number_of_twelve_digits_become_that_number(
    number: int, power: int, ulps: int
) -> None:
    exact = float(f"{number}e{power}")
    near = exact + ulps * np.spacing(exact)
    assert round_digits(np.array([exact, -near]), 12).tolist() == [exact, -exact]


@pytest.mark.parametrize("value", [0.0, np.inf, -np.inf, 1e-300, 5e-324, 1.7e308])
def test_numbers_beyond_any_score_stay_as_they_are(value: float) -> None:
    assert round_digits(np.array([value]), 12).tolist() == [value]


def test_no_score_stays_no_score() -> None:
    assert np.isnan(round_digits(np.array([np.nan]), 12)).all()


def test_powers_of_ten_are_reached_from_both_sides() -> None:
    near = np.array([np.nextafter(1.0, 0.0), 1.0, np.nextafter(1.0, 2.0), np.nextafter(1e12, 0.0)])
    assert round_digits(near, 12).tolist() == [1.0, 1.0, 1.0, 1e12]
