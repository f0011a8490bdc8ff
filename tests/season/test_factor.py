"""The weighted factor model."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats
from tables import grid, sentence

from winodds import rate_each
from winodds.arrays import Floats
from winodds.demo import load_results, rate_results
from winodds.errors import BadOption, NothingToEmbed, TooFewTournaments
from winodds.season.factor import Factors, choose_factors, fit_factors


def low_rank(
    seed: int, players: int = 20, tournaments: int = 12, *, factors: int = 2, noise: float = 0.2
) -> tuple[Floats, Floats]:
    """Ratings along some factors, with unequal errors, and the variances of these."""
    rng = np.random.default_rng(seed)
    strength = np.linspace(1.5, 0.8, factors)
    true = rng.normal(size=players)[:, None] + (
        rng.normal(size=(players, factors)) * strength
    ) @ rng.normal(size=(factors, tournaments))
    variance = noise**2 * rng.uniform(0.3, 3.0, size=true.shape)
    return true + np.sqrt(variance) * rng.normal(size=true.shape), variance


def with_gaps(value: Floats, share: float, seed: int = 0) -> Floats:
    gone = np.random.default_rng(seed).random(value.shape) < share
    gone[:2] = gone[:, :3] = False
    return np.where(gone, np.nan, value)


def log_likelihood(found: Factors, value: Floats, variance: Floats) -> float:
    """The slow twin: the normal density of differences from the tournament's first player."""
    total = 0.0
    for number in range(value.shape[1]):
        there = np.flatnonzero(~np.isnan(value[:, number]))
        contrast = np.eye(there.size)[1:] - np.eye(there.size)[0]
        spread = found.loadings[there] @ found.loadings[there].T
        spread += np.diag(found.rest + variance[there, number])
        total += stats.multivariate_normal.logpdf(
            contrast @ (value[there, number] - found.mean[there]),
            cov=contrast @ spread @ contrast.T,
        )
    return total


@pytest.mark.parametrize("factors", [0, 1, 2])
def test_the_log_likelihood_is_that_of_differences_within_tournaments(factors: int) -> None:
    value, variance = low_rank(1, 7, 6)
    value = with_gaps(value, 0.2)
    found = fit_factors(value, variance, factors=factors)
    assert found.log_likelihood == pytest.approx(log_likelihood(found, value, variance))


@settings(max_examples=15)
@given(seed=st.integers(0, 60), share=st.sampled_from([0.0, 0.3, 0.5]), factors=st.integers(0, 4))
def test_the_log_likelihood_never_falls(seed: int, share: float, factors: int) -> None:
    value, variance = low_rank(seed, 10, 8)
    found = fit_factors(with_gaps(value, share, seed), variance, factors=factors)
    rises = np.array(found.rises)
    assert (np.diff(rises) >= -1e-9 * np.abs(rises[1:])).all()
    assert found.log_likelihood == rises[-1]


def test_nothing_nearby_is_more_likely() -> None:
    value, variance = low_rank(2, 8, 9, factors=1)
    found = fit_factors(value, variance, factors=1, gain=1e-6)
    best, rng = log_likelihood(found, value, variance), np.random.default_rng(2)
    for _ in range(10):
        moved = Factors(
            found.mean + 0.02 * rng.normal(size=8),
            found.loadings + 0.02 * rng.normal(size=(8, 1)),
            found.rest * float(np.exp(0.1 * rng.normal())),
            found.scores,
            found.errors,
            0.0,
            (),
        )
        assert log_likelihood(moved, value, variance) < best


def test_a_complete_matrix_without_errors_has_its_principal_components() -> None:
    """Of probabilistic principal components, the rest is the mean of what these leave."""
    value, _ = low_rank(3, 12, 20, noise=0.5)
    found = fit_factors(value, np.zeros_like(value), factors=2, gain=1e-9, steps=2000)
    around = value - value.mean(axis=0)
    average = around.mean(axis=1)
    left, size, right = np.linalg.svd(around - average[:, None], full_matrices=False)
    assert found.mean == pytest.approx(average, abs=1e-4)
    # One direction of the twelve is the shift, which says nothing.
    rest = (size[2:] ** 2).sum() / 20 / (12 - 1 - 2)
    assert found.rest == pytest.approx(rest, rel=1e-3)
    length = np.sqrt(size[:2] ** 2 / 20 - rest)
    assert np.abs(found.loadings) == pytest.approx(np.abs(left[:, :2] * length), abs=1e-3)
    for k in range(2):
        assert abs(np.corrcoef(found.scores[:, k], right[k])[0, 1]) == pytest.approx(1.0, abs=1e-6)


def test_without_any_noise_the_matrix_is_given_back() -> None:
    value, _ = low_rank(4, 10, 9, factors=1, noise=0.0)
    found = fit_factors(value, np.zeros_like(value), factors=1)
    centred = value - value.mean(axis=0)
    np.testing.assert_allclose(found.fitted - found.fitted.mean(axis=0), centred, atol=1e-4)


def test_noisy_ratings_count_less() -> None:
    """A player's wild rating changes little if its error says so."""
    value, variance = low_rank(5)
    before = fit_factors(value, variance, factors=2).fitted
    wild, error = value.copy(), variance.copy()
    wild[3, 4] += 5.0
    error[3, 4] = 100.0
    after = fit_factors(wild, error, factors=2).fitted
    blind = fit_factors(wild, variance, factors=2).fitted
    assert np.abs(after - before)[:, 4].max() < 0.5
    assert np.abs(blind - before)[:, 4].max() > 1.0


def test_gaps_are_filled_better_than_by_averages() -> None:
    own = means = 0.0
    for seed in range(4):
        value, variance = low_rank(seed, 30, 15)
        gapped = with_gaps(value, 0.3, seed)
        gap = np.isnan(gapped)
        found = fit_factors(gapped, variance, factors=2)
        shift = np.nanmean(np.where(gap, np.nan, value - found.fitted), axis=0)
        own += ((found.fitted + shift - value)[gap] ** 2).sum()
        means += ((np.nanmean(gapped, axis=1)[:, None] - value)[gap] ** 2).sum()
    assert own < 0.2 * means


def test_axes_are_orthogonal_and_ordered_and_strong_players_are_on_the_positive_side() -> None:
    value, variance = low_rank(6, factors=3)
    found = fit_factors(value, variance, factors=3)
    square = found.loadings.T @ found.loadings
    assert square - np.diag(np.diag(square)) == pytest.approx(np.zeros((3, 3)), abs=1e-9)
    assert (np.diff(np.diag(square)) < 0.0).all()
    assert (found.mean @ found.loadings > 0.0).all()
    assert found.loadings.mean(axis=0) == pytest.approx([0.0] * 3, abs=1e-12)
    assert found.shares.sum() == pytest.approx(
        np.trace(square) / 20 / (np.trace(square) / 20 + found.rest)
    )


@settings(max_examples=6)
@given(seed=st.integers(0, 30))
def test_order_of_players_and_tournaments_and_shifts_of_scales_do_not_matter(seed: int) -> None:
    value, variance = low_rank(seed)
    value = with_gaps(value, 0.2, seed)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(20), rng.permutation(12)
    found = fit_factors(value, variance, factors=2)
    mixed = np.ix_(rows, columns)
    again = fit_factors(value[mixed] + np.arange(12.0), variance[mixed], factors=2)
    np.testing.assert_allclose(again.mean, found.mean[rows], atol=1e-6)
    np.testing.assert_allclose(again.loadings, found.loadings[rows], atol=1e-6)
    np.testing.assert_allclose(again.scores, found.scores[columns], atol=1e-6)
    assert again.log_likelihood == pytest.approx(found.log_likelihood)


def test_equal_factors_lie_along_players_and_do_not_hang_on_rounding() -> None:
    """Two tournaments move player 0, two others player 1, by as much."""
    value = np.zeros((6, 8))
    value[0, :4] = [3.0, -3.0, 3.0, -3.0]
    value[1, 4:] = [3.0, -3.0, 3.0, -3.0]
    blur = 1e-13 * np.random.default_rng(0).normal(size=value.shape)
    first, second = (
        fit_factors(own, np.full((6, 8), 0.1), factors=2) for own in (value, value + blur)
    )
    np.testing.assert_allclose(second.loadings, first.loadings, atol=1e-6)


# How many -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("true", [0, 1, 2, 3])
def test_as_many_factors_are_found_as_there_are(true: int) -> None:
    found = [
        choose_factors(*low_rank(seed, 30, 18, factors=true, noise=0.3)).number for seed in range(2)
    ]
    assert found == [true] * 2


def test_few_tournaments_call_for_few_factors() -> None:
    """Each needs three, and the players' averages as many."""
    for tournaments, most in ((3, 0), (5, 0), (6, 1), (8, 1), (9, 2), (12, 3)):
        value, variance = low_rank(1, 60, tournaments, factors=4, noise=0.05)
        assert choose_factors(value, variance).number == most


# With names ---------------------------------------------------------------------------------------


def test_the_map_of_a_season_has_names() -> None:
    season = rate_results()
    found = season.embedding(factors=2)
    assert found.tournaments == ("breast_cancer", "digits", "heart", "wine")
    assert found.players == season.matrix().players
    assert (found.factors, season.embedding().factors) == (2, 0)
    plain = found.to_dict()
    assert plain["tournaments"][0]["place"] == found.places[0].tolist()
    assert plain["players"][3]["name"] == found.players[3]
    assert plain["shares"] == found.shares.tolist()


def test_names_and_order_of_tournaments_and_monotone_scores_do_not_move_the_map() -> None:
    table = load_results()
    season = rate_results()
    other = {"breast_cancer": "z", "digits": "y", "heart": "x", "wine": "w"}
    turned = rate_each(
        table.with_columns(auc=pl.col("auc") ** 3, dataset=pl.col("dataset").replace(other)),
        player="model",
        round="split",
        score="auc",
        tournament="dataset",
    )
    first, second = (own.embedding(factors=1) for own in (season, turned))
    assert second.tournaments == ("w", "x", "y", "z")
    assert second.players == first.players
    np.testing.assert_allclose(second.places[::-1], first.places, atol=1e-6)
    np.testing.assert_allclose(second.directions, first.directions, atol=1e-6)


def test_what_cannot_be_laid_out_is_refused() -> None:
    season = rate_results()
    two = type(season)({name: season[name] for name in ("wine", "digits")})
    assert sentence(TooFewTournaments, two.embedding) == (
        "A map of tournaments needs at least 3 tournaments; there are 2."
    )
    assert sentence(BadOption, lambda: season.embedding(factors=0)) == (
        "factors=0 is not possible; it is a whole number, 1 or more."
    )
    tables = {
        "x": {"a": [1.0, 2.0], "b": [2.0, 1.0]},
        "y": {"a": [1.0, 2.0], "b": [2.0, 1.0]},
        "z": {"c": [1.0, 2.0], "d": [2.0, 1.0]},
    }
    long = pl.concat([grid(own).with_columns(data=pl.lit(name)) for name, own in tables.items()])
    apart = rate_each(long, tournament="data", higher_is_better=True)
    assert sentence(NothingToEmbed, apart.embedding) == (
        "The ratings cannot be laid out in a plane: some tournaments share no player with the "
        "others, directly or through others."
    )
