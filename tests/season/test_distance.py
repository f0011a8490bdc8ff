"""Squared distances between tournaments."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats
from tables import grid, sentence

from winodds import rate_each
from winodds.arrays import Floats, Ints
from winodds.demo import rate_results
from winodds.errors import TooFewTournaments
from winodds.season.distance import measure
from winodds.season.rated import Rated, rate_tournaments


def made(seed: int, players: int = 9, tournaments: int = 4) -> list[Rated]:
    """Ratings of some of the players in every tournament, in any order."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(tournaments):
        places = rng.permutation(players)[: players - int(rng.integers(0, 4))]
        clusters = 3 + number
        influence = 0.3 * rng.normal(size=(places.size, clusters))
        own = rng.normal(size=places.size)
        found.append(Rated(places, own, np.ones(places.size), influence, clusters - 1.0))
    return found


def rated(value: list[float], influence: Floats, df: float = 3.0) -> Rated:
    return Rated(np.arange(len(value)), np.array(value), np.ones(len(value)), influence, df)


def test_two_tournaments_worked_by_hand() -> None:
    """d = (2, 0, −2); one cluster moves the first player of each by ±0.3."""
    one = np.array([[0.3], [0.0], [0.0]])
    found = measure([rated([1.0, 0.0, -1.0], one, 4.0), rated([-1.0, 0.0, 1.0], -one)])
    # Centred, a cluster moves by 0.2, −0.1 and −0.1: squares add up to 0.06.
    noise = 2.0 * 0.06 / 3.0
    assert found.noise[0, 1] == pytest.approx(noise)
    assert found.square[0, 1] == pytest.approx(8.0 / 3.0 - noise)
    # A d = ±0.6, and A Aᵀ is 0.06 times a matrix of ±1.
    error = np.sqrt(4.0 * 2.0 * 0.6**2 + 2.0 * 4.0 * 0.06**2) / 3.0
    half = stats.t.ppf(0.975, 3.0) * error
    assert found.low[0, 1] == pytest.approx(max(found.square[0, 1] - half, 0.0))
    assert found.high[0, 1] == pytest.approx(found.square[0, 1] + half)
    assert found.shared.tolist() == [[3, 3], [3, 3]]


def slow_twin(first: Rated, second: Rated) -> tuple[float, float]:
    """Squared distance and its standard error from the formulas, with arrays of all shared."""
    both = sorted(set(first.places.tolist()) & set(second.places.tolist()))

    def rows(own: Rated) -> Ints:
        return np.array([own.places.tolist().index(player) for player in both])

    d = first.value[rows(first)] - second.value[rows(second)]
    d = d - d.mean()
    a = np.vstack([first.influence[rows(first)].T, second.influence[rows(second)].T])
    a = a - a.mean(axis=1, keepdims=True)
    n = len(both)
    square = (d**2).sum() / n - (a**2).sum() / n
    return square, np.sqrt(4 * ((a @ d) ** 2).sum() + 2 * ((a @ a.T) ** 2).sum()) / n


@settings(max_examples=20)
@given(seed=st.integers(0, 200))
def test_the_slow_twin_agrees_with_gaps(seed: int) -> None:
    tournaments = made(seed)
    found = measure(tournaments)
    for one, first in enumerate(tournaments):
        for other, second in enumerate(tournaments[:one]):
            square, error = slow_twin(first, second)
            half = stats.t.ppf(0.975, min(first.df, second.df)) * error
            assert found.square[one, other] == pytest.approx(square)
            assert found.low[one, other] == pytest.approx(max(square - half, 0.0))
            assert found.high[other, one] == pytest.approx(max(square + half, 0.0))


@settings(max_examples=10)
@given(seed=st.integers(0, 50))
def test_order_of_tournaments_and_shifts_of_a_scale_do_not_matter(seed: int) -> None:
    tournaments = made(seed)
    found = measure(tournaments)
    order = np.random.default_rng(seed).permutation(4)
    moved = [
        Rated(own.places, own.value + 3.0, own.variance, own.influence, own.df)
        for own in (tournaments[k] for k in order)
    ]
    again = measure(moved)
    for name in ("square", "low", "high", "shared"):
        np.testing.assert_allclose(
            getattr(again, name), getattr(found, name)[np.ix_(order, order)], atol=1e-12
        )


def test_tournaments_that_share_two_players_have_no_distance() -> None:
    still = np.zeros((3, 2))
    first = Rated(np.array([0, 1, 2]), np.array([1.0, 0.0, -1.0]), np.ones(3), still, 1.0)
    second = Rated(np.array([1, 2, 3]), np.array([1.0, 0.0, -1.0]), np.ones(3), still, 1.0)
    found = measure([first, second])
    assert np.isnan(found.square[0, 1])
    assert found.shared[0, 1] == 2
    assert found.nearest(0).tolist() == []


def test_nearest_come_first() -> None:
    still = np.zeros((3, 2))
    found = measure([rated([k, 0.0, -k], still) for k in (0.0, 3.0, 1.0, -2.0)])
    assert found.nearest(0).tolist() == [2, 3, 1]


def test_ratings_are_those_of_the_boards_without_their_bias() -> None:
    season = rate_results()
    [first, *_] = rate_tournaments(season.lineup)
    part = season["breast_cancer"].components[0]
    np.testing.assert_allclose(first.value, part.intervals.beta - part.intervals.bias)
    np.testing.assert_allclose(np.sqrt(first.variance), part.uncertainty.of_ratings("all").se)
    robust = part.uncertainty.clustering.variances(first.influence)
    np.testing.assert_allclose((first.influence**2).sum(axis=1), robust)
    assert first.df == part.intervals.clusters - 1


def test_named_distances_and_a_round_trip_through_json() -> None:
    season = rate_results()
    found = season.distances()
    [nearest, *others] = found.nearest("wine")
    assert (nearest.first, nearest.second, nearest.shared) == ("wine", "digits", 20)
    assert len(others) == 2
    plain = found.to_dict()
    assert len(plain["pairs"]) == 6
    assert plain["unknown"] == []
    pair = plain["pairs"][2]
    assert (pair["first"], pair["second"]) == ("breast_cancer", "wine")
    assert pair["square"] == found.found.square[0, 3]
    again = type(season).from_json(season.to_json()).distances()
    np.testing.assert_allclose(again.found.square, found.found.square, rtol=1e-9)


def test_pairs_that_share_too_few_players_are_named() -> None:
    tables = {
        "x": {"a": [1.0, 2.0], "b": [2.0, 1.0], "c": [3.0, 3.0]},
        "y": {"a": [1.0, 2.0], "b": [2.0, 1.0], "c": [3.0, 0.0]},
        "z": {"a": [1.0, 2.0], "b": [2.0, 1.0], "d": [3.0, 0.0]},
    }
    long = pl.concat([grid(own).with_columns(data=pl.lit(name)) for name, own in tables.items()])
    season = rate_each(long, tournament="data", higher_is_better=True)
    assert season.distances().unknown() == (("x", "z"), ("y", "z"))
    alone = type(season)({"x": season["x"]})
    assert sentence(TooFewTournaments, alone.distances) == (
        "A distance between tournaments needs at least 2 tournaments; there is 1."
    )
