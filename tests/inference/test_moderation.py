"""How ratings vary around the true ones: moderated variances, and what they have in common."""

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import polygamma

from winodds.arrays import Floats
from winodds.inference.moderation import (
    CERTAIN,
    Noise,
    fit_variances,
    make_noise,
    take_stretch_out,
)


def _correlations(noise: Noise) -> Floats:
    """Off the diagonal, row by row."""
    matrix = noise.common @ noise.common.T
    return np.asarray(matrix[~np.eye(len(matrix), dtype=bool)], np.float64)


def _centred(rng: np.random.Generator, players: int, clusters: int, shared: float = 0.0) -> Floats:
    """Influences of centred ratings; the first half of the players share a part."""
    own = rng.normal(size=(players, clusters))
    own[: players // 2] += shared * rng.normal(size=clusters)
    return np.asarray((own - own.mean(axis=0)) / np.sqrt(clusters), np.float64)


# Variances ----------------------------------------------------------------------------------------


def test_variances_that_vary_as_chance_makes_them_are_all_the_same() -> None:
    quantiles = (np.arange(400) + 0.5) / 400
    variance = 3.0 * stats.chi2.ppf(quantiles, 4) / 4
    prior, df = fit_variances(variance, np.full(400, 4.0))
    assert prior == pytest.approx(3.0, rel=0.01)
    assert df > 100.0


@pytest.mark.parametrize("extra", [0.3, 2.0])
def test_variances_that_vary_more_are_worth_what_trigamma_says(extra: float) -> None:
    """Logarithms that vary by ``extra`` more than chance: trigamma(d₀/2) = extra."""
    chance = float(polygamma(1, 5.0))
    z = np.array([-1.0, 0.0, 1.0])
    variance = np.exp(z * np.sqrt(extra + chance))
    _, df = fit_variances(variance, np.full(3, 10.0))
    wanted = optimize.brentq(lambda x: float(polygamma(1, x)) - extra, 0.05, 1e4)
    assert df == pytest.approx(2.0 * wanted, rel=1e-9)


def test_a_small_variance_is_drawn_to_those_of_the_others() -> None:
    rng = np.random.default_rng(2)
    influence = _centred(rng, 12, 5)
    influence[0] *= 0.2
    beta = np.linspace(1.0, -1.0, 12)
    robust = (influence**2).sum(axis=1)
    noise = make_noise(beta, np.full(12, 1e-6), influence, np.full(12, 4.0), 5)
    # Of ratings that are not centred, variances are larger by 12/11.
    assert noise.variance[0] > 3.0 * robust[0] * 12 / 11
    assert noise.variance.min() > robust.min()
    assert noise.variance.max() < robust.max() * 12 / 11
    assert (noise.df > 4.0).all()


def test_variances_are_never_far_below_those_of_the_model() -> None:
    """A quarter of the model's, exactly: three quarters remain, and are known three times as well.

    Degrees of freedom are those of all but one player, 5·8, and grow with the square of 3.
    """
    model = np.linspace(1.0, 2.0, 6)
    influence = np.sqrt(0.25 * model)[:, None] * np.eye(6)
    noise = make_noise(np.zeros(6), model, influence, np.full(6, 8.0), 9)
    bias = float(noise.df[0] / 40.0) ** 0.5
    assert bias == pytest.approx(3.0, rel=0.15)
    assert noise.df == pytest.approx(np.full(6, 40.0 * bias**2))
    assert noise.variance == pytest.approx(0.75 * model * 6 / 5)


def test_where_nobody_has_a_robust_variance_the_models_hold() -> None:
    influence = 1e-3 * _centred(np.random.default_rng(2), 6, 9)
    model = np.linspace(1.0, 2.0, 6)
    noise = make_noise(np.zeros(6), model, influence, np.full(6, 8.0), 9)
    assert noise.variance == pytest.approx(model * 6 / 5)
    assert noise.df.tolist() == [CERTAIN] * 6


def test_variances_follow_the_model_where_they_do() -> None:
    """Robust variances four times the model's, exactly: moderation leaves each at its place."""
    model = np.array([0.1, 0.2, 0.4, 0.8])
    influence = np.sqrt(4.0 * model)[:, None] * np.eye(4)
    noise = make_noise(np.zeros(4), model, influence, np.full(4, 6.0), 7)
    ratio = noise.variance / model
    assert ratio == pytest.approx(np.full(4, ratio[0]))
    assert noise.df == pytest.approx(np.full(4, 18.0))


def test_a_player_of_whom_all_went_one_way_has_what_the_others_suggest() -> None:
    influence = _centred(np.random.default_rng(1), 8, 10)
    told = make_noise(np.zeros(8), np.full(8, 1e-4), influence, np.full(8, 9.0), 10)
    influence[3] *= 1e-12
    silent = make_noise(np.zeros(8), np.full(8, 1e-4), influence, np.full(8, 9.0), 10)
    assert silent.variance[3] == pytest.approx(told.variance.mean(), rel=0.5)
    assert not silent.common[3].any()


def test_two_players_keep_their_own_variances() -> None:
    influence = np.array([[0.3, -0.4], [-0.3, 0.4]])
    noise = make_noise(np.array([1.0, -1.0]), np.full(2, 0.1), influence, np.ones(2), 2)
    # 0.25·2, because the difference, 0.5 by clusters, varies by 1 = 0.5 + 0.5.
    assert noise.variance == pytest.approx([0.5, 0.5])
    assert noise.df.tolist() == [1.0, 1.0]
    assert not noise.common.any()


def test_model_based_errors_are_taken_for_known() -> None:
    noise = make_noise(np.zeros(3), np.array([1.0, 2.0, 3.0]), None, np.ones(3), 9)
    assert noise.variance == pytest.approx([1.5, 3.0, 4.5])
    assert noise.df.tolist() == [CERTAIN] * 3
    assert not noise.common.any()


# What ratings have in common ----------------------------------------------------------------------


def test_centring_alone_makes_no_correlation() -> None:
    """Independent ratings, centred, vary against each other by −1/(m − 1)."""
    players = 6
    influence = np.eye(players) - 1.0 / players
    noise = make_noise(np.zeros(players), np.full(players, 1e-3), influence, np.full(6, 1e6), 10**6)
    assert _correlations(noise) == pytest.approx(np.zeros(30), abs=1e-9)


def test_only_what_exceeds_chance_is_kept() -> None:
    """Squared correlations r² of ratings that share a part, less 1/(G − 1)."""
    influence = _centred(np.random.default_rng(3), 10, 30, shared=2.0)
    noise = make_noise(np.zeros(10), np.full(10, 1e-3), influence, np.full(10, 29.0), 30)
    unit = influence / np.sqrt((influence**2).sum(axis=1))[:, None]
    raw = 0.9 * unit @ unit.T + 0.1
    off = raw[~np.eye(10, dtype=bool)]
    square, chance = float((off**2).mean()), 1.0 / 29.0
    kept = (square - chance) / ((1.0 - chance) * square)
    assert 0.5 < kept < 1.0
    assert _correlations(noise) == pytest.approx(kept * off, abs=1e-9)


def test_correlations_no_larger_than_chance_are_dropped() -> None:
    influence = _centred(np.random.default_rng(5), 8, 4)
    noise = make_noise(np.zeros(8), np.full(8, 1e-3), influence, np.full(8, 3.0), 4)
    unit = influence / np.sqrt((influence**2).sum(axis=1))[:, None]
    off = (7 / 8 * unit @ unit.T + 1 / 8)[~np.eye(8, dtype=bool)]
    assert ((off**2).mean() > 1 / 3) == noise.common.any()


def test_more_clusters_than_players_have_the_same_correlations() -> None:
    rng = np.random.default_rng(4)
    influence = _centred(rng, 7, 5, shared=3.0)
    # Every cluster in three equal parts.
    parts = np.repeat(influence, 3, axis=1) / np.sqrt(3.0)
    args = np.zeros(7), np.full(7, 1e-3)
    few = make_noise(*args, influence, np.full(7, 50.0), 51)
    many = make_noise(*args, parts, np.full(7, 50.0), 51)
    assert many.common.shape == (7, 7)
    assert _correlations(many) == pytest.approx(_correlations(few), abs=1e-9)


@pytest.mark.parametrize("players", [9, 40])
def test_what_is_kept_is_told_by_the_mean_squared_correlation(players: int) -> None:
    """(mean r² − 1/19)/(1 − 1/19)/mean r², over all pairs, one by one; clusters are 20."""
    influence = _centred(np.random.default_rng(4), players, 20, shared=2.0)
    args = np.zeros(players), np.full(players, 1e-3), influence, np.full(players, 19.0), 20
    found = _correlations(make_noise(*args))
    unit = influence / np.sqrt((influence**2).sum(axis=1, keepdims=True))
    whole = (1.0 - 1.0 / players) * unit @ unit.T + 1.0 / players
    pairs = [(i, j) for i in range(players) for j in range(players) if i != j]
    square = float(np.mean([whole[i, j] ** 2 for i, j in pairs]))
    kept = (square - 1.0 / 19.0) / (18.0 / 19.0 * square)
    assert 0.0 < kept < 1.0
    assert found == pytest.approx([kept * whole[i, j] for i, j in pairs], rel=1e-9)


def test_battles_of_their_own_have_nothing_in_common() -> None:
    influence = _centred(np.random.default_rng(4), 9, 20, shared=2.0)
    args = np.zeros(9), np.full(9, 1e-3), influence, np.full(9, 19.0), 20
    assert not make_noise(*args, correlated=False).common.any()


def test_a_cluster_that_stretches_all_ratings_moves_nobody_ahead() -> None:
    """Along (1, 0, −1) the influence is 4, and 1/2 across, the one direction that is left."""
    beta = 1e6 * np.array([1.0, 0.0, -1.0])
    along = np.outer([1.0, 0.0, -1.0], [4.0, 0.0]) / np.sqrt(2.0)
    across = np.outer([1.0, -2.0, 1.0], [0.0, 0.5]) / np.sqrt(6.0)
    found = take_stretch_out(beta, along + across)
    assert found == pytest.approx(along / 8.0 + across)
    # Squares of ratings add up to 32.5, twice those of influences: half of them may be luck, and
    # half of 16 − 1/4 is taken off.
    found = take_stretch_out(np.sqrt(16.25) * np.array([1.0, 0.0, -1.0]), along + across)
    assert found == pytest.approx(along * np.sqrt(8.125 / 16.0) + across)
    # Ratings that are all luck have no direction of their own.
    found = take_stretch_out(np.array([1.0, 0.0, -1.0]), along + across)
    assert found == pytest.approx(along + across)


def test_influences_that_are_small_along_the_ratings_stay() -> None:
    beta = 1e3 * np.array([1.0, 0.0, -1.0])
    influence = np.outer([1.0, -2.0, 1.0], [1.0, 2.0]) + 1e-4 * np.outer(beta, [1.0, 1.0])
    np.testing.assert_array_equal(take_stretch_out(beta, influence), influence)
