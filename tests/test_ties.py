"""Numbers that are equal on paper and differ by rounding, wherever results hang on their order."""

import numpy as np
import pytest

from winodds.arrays import Floats, at_least, levels, order_of
from winodds.board.quality import QualityDifference
from winodds.board.relation import fit_line
from winodds.inference.contrasts import Contrasts, told_apart
from winodds.inference.intervals import square_root
from winodds.inference.moderation import make_noise
from winodds.inference.pairwise import wald
from winodds.inference.posterior import Posterior, best_of
from winodds.quality.deviance import find_circles
from winodds.quality.goodness import correct_share, count_as_bad
from winodds.season.embedding import embed
from winodds.show.figures.boxes import make_box
from winodds.show.layout.cells import percent
from winodds.show.words.fit import describe_quality_difference
from winodds.show.words.verdicts import of_hundred, p_words

TINY = 1e-13
"""What rounding makes of equal numbers, about."""


def _blur(values: Floats, seed: int = 0) -> Floats:
    """The numbers as another processor would have rounded them."""
    rng = np.random.default_rng(seed)
    return np.asarray(values * (1.0 + TINY * rng.uniform(-1.0, 1.0, values.shape)))


def test_numbers_are_compared_relative_to_their_size_and_to_one() -> None:
    value = np.array([1e6 - 1e-4, 1e6 - 1e-2, 1e6])
    assert at_least(value, 1e6).tolist() == [True, False, True]
    assert at_least(np.array([-1e-10, -1e-8]), 0.0).tolist() == [True, False]


def test_equal_numbers_share_a_level_and_keep_their_order() -> None:
    values = _blur(np.array([3.0, 1.0, 3.0, 2.0, 1.0, 3.0]))
    assert levels(values).tolist() == [2, 0, 2, 1, 0, 2]
    assert order_of(values).tolist() == [1, 4, 3, 0, 2, 5]
    assert order_of([]).tolist() == []


def test_drawn_tables_that_fit_exactly_as_badly_count() -> None:
    """7 of 19 tables fit as badly: with the observed one, 8 of 20."""
    drawn = _blur(np.repeat([1.0, 2.5, 4.0], [12, 4, 3]))
    assert count_as_bad(drawn, 2.5) == (19, 8 / 20)


def test_a_share_that_ends_among_equal_deviances_counts_as_many_of_them() -> None:
    """0.6 of 18 steps end at 10.8 of the first 12 tables, all of one deviance: 1.2 are left."""
    drawn = np.repeat([1.0, 2.5, 4.0], [12, 4, 3])
    for seed in range(3):
        found = correct_share(0.4, _blur(drawn, seed), _blur(drawn, seed + 9))
        assert found == pytest.approx((1 + 7 + 1.2) / 20)


def test_a_share_that_ends_between_deviances_counts_what_is_above() -> None:
    drawn = np.arange(10.0)
    assert correct_share(0.25, drawn, drawn) == 4 / 11


def test_a_p_value_at_the_level_tells_apart_by_a_rule_and_not_by_rounding() -> None:
    p = np.array([0.5 * (1.0 - TINY), 0.5, 0.5 * (1.0 + TINY), 0.5001])
    assert told_apart(p, 0.5).tolist() == [True, True, True, False]
    assert told_apart(np.array([1e-13, 1e-10]), 1.0 - 1e-12).tolist() == [True, False]


@pytest.mark.parametrize("value", [0.0, 1e-16, -1e-13])
def test_equal_players_have_the_same_test_however_they_are_rounded(value: float) -> None:
    found = Contrasts(
        value=np.array([value]),
        model=np.array([0.4]),
        robust=np.array([0.3]),
        units=np.array([6]),
        df=np.array([5.0]),
        cut=np.array([False]),
    )
    test = wald(found)
    assert (test.statistic, test.df, test.p_value, test.law) == (0.0, 5, 1.0, "t")


def test_draws_of_equal_ratings_share_the_first_place() -> None:
    draws = _blur(np.tile([1.0, 1.0, 0.2], (50, 1)))
    found = Posterior(draws.mean(axis=0), draws, 1.0)
    assert best_of(found, np.arange(3), 0.95).p_best == pytest.approx(0.5)
    assert found.p_best == pytest.approx([0.5, 0.5, 0.0])


def test_robust_errors_that_are_only_rounding_have_no_correlations() -> None:
    rng = np.random.default_rng(3)
    beta, model, df = np.array([1.0, 0.5, -1.5]), np.array([1.0, 2.0, 4.0]), np.full(3, 4.0)
    noise = make_noise(beta, model, 1e-16 * rng.normal(size=(3, 5)), df, 5)
    np.testing.assert_array_equal(noise.common, 0.0)
    np.testing.assert_allclose(noise.variance, [1.5, 3.0, 6.0])


def test_the_root_of_a_covariance_does_not_hang_on_eigenvectors() -> None:
    meat = np.array([[2.0, -1.0, -1.0], [-1.0, 2.0, -1.0], [-1.0, -1.0, 2.0]])
    root = square_root(meat)
    np.testing.assert_allclose(root @ root, meat, atol=1e-12)
    np.testing.assert_allclose(root, root.T, atol=1e-12)
    np.testing.assert_allclose(square_root(_blur(meat)), root, atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_axes_of_equal_length_lie_the_same_way_each_time(seed: int) -> None:
    ring = np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0], [-1.0, 0.0, 1.0]])
    expected, found = embed(ring), embed(_blur(ring, seed))
    np.testing.assert_allclose(found.rows, expected.rows, atol=1e-9)
    np.testing.assert_allclose(found.columns, expected.columns, atol=1e-9)
    np.testing.assert_allclose(found.columns.T @ found.columns, np.eye(2), atol=1e-9)
    np.testing.assert_allclose(found.rows @ found.columns.T, ring, atol=1e-9)


def test_majorities_of_equal_size_are_the_same_circle() -> None:
    lead = np.zeros((3, 3))
    lead[[0, 1, 2], [1, 2, 0]] = _blur(np.full(3, 0.2))
    found = find_circles(lead - lead.T)
    assert (found.count, found.strongest.tolist()) == (1, [[0, 1, 2]])
    assert find_circles(TINY * (lead - lead.T)).count == 0


def test_the_box_of_equal_values_holds_them() -> None:
    box = make_box([0.1816476310044401, 0.18164763100444012])
    assert box.low == pytest.approx(box.high)
    assert box.beyond == (0, 1)


def test_a_line_through_the_origin_says_so() -> None:
    x = np.array([-0.7, 0.1, 0.2, 0.4])
    line = fit_line(x, _blur(3.0 * x))
    assert line is not None
    assert line.intercept == 0.0
    assert line.slope == pytest.approx(3.0)
    assert fit_line(1e-16 * x, x) is None


@pytest.mark.parametrize("value", [0.625 * (1.0 - TINY), 0.625, 0.625 * (1.0 + TINY)])
def test_a_number_halfway_between_two_is_printed_the_same(value: float) -> None:
    assert percent(value) == "62%"
    assert of_hundred(value) == "62 of 100"
    assert p_words(value) == "p = 0.62"


def test_boards_with_the_same_deviance_up_to_rounding_fit_alike() -> None:
    said = describe_quality_difference(QualityDifference(1.5, 1.5 + TINY))
    assert said == (
        "Both boards have the same deviance for their size (standardised deviance 1.50 against "
        "1.50)."
    )
