"""What unequal clusters do to errors and degrees of freedom, against explicit matrices."""

import numpy as np
import pytest
from conftest import make_results

from winodds.arrays import Floats
from winodds.fit.newton import fit
from winodds.inference import clusters as clustering_module
from winodds.inference.clusters import (
    ABOUT_EQUAL,
    Clustering,
    count_outcomes,
    effective_clusters,
    kept_by_cluster,
    shares_by_cluster,
    weigh_clusters,
)
from winodds.inference.intervals import Uncertainty, quantify
from winodds.inference.structure import find_structure
from winodds.matches.games import Games
from winodds.matches.results import Battles
from winodds.matches.wins import Wins

SIZES = (1, 2, 2, 3, 5, 9)


def _wins(
    players: int, sizes: tuple[int, ...], *, missing: float = 0.0, weight: float = 1.0
) -> Wins:
    """Matches of random scores in clusters of so many rounds."""
    rng = np.random.default_rng(7)
    scores = rng.normal(size=(sum(sizes), players))
    scores[rng.random(scores.shape) < missing] = np.nan
    cluster = np.repeat(np.arange(len(sizes)), sizes).astype(np.float64)
    weights = np.full(scores.shape[0], weight)
    return Games("within", make_results(scores, weight=weights, cluster=cluster)).count()


def _quantified(wins: Wins) -> Uncertainty:
    return quantify(wins, fit(wins.wins, wins.design), find_structure(wins))


def _influence(found: Uncertainty) -> Floats:
    assert found.intervals.influence is not None
    return found.intervals.influence


def _explicit_df(share: Floats, influence: Floats, everyone: Floats) -> float:
    """tr(Ω)²/tr(Ω²) with the G × G matrix; ``everyone`` (m, G) are the shares of all players."""
    variation = np.zeros(share.size)
    for own, held in zip(influence, everyone, strict=True):
        variation += (own / (1.0 - held)) ** 2 / (own @ own) / influence.shape[0]
    variation[share == 0.0] = 0.0
    centred = np.eye(share.size) - np.outer(share, np.ones(share.size))
    scale = np.diag((1.0 - share) ** -0.5)
    omega = scale @ centred @ np.diag(variation) @ centred.T @ scale
    return float(np.trace(omega) ** 2 / np.trace(omega @ omega))


# Errors -------------------------------------------------------------------------------------------


def test_equal_clusters_keep_the_plain_error_and_one_degree_less() -> None:
    wins = _wins(5, (3,) * 7)
    found = _quantified(wins)
    assert found.clustering.lift is None
    assert found.clustering.share is not None
    np.testing.assert_allclose(found.clustering.share, np.full((1, 7), 1.0 / 7.0), rtol=1e-12)
    np.testing.assert_array_equal(found.clustering.df, np.full(5, 6.0))
    expected = (_influence(found) ** 2).sum(axis=1)
    np.testing.assert_allclose(found.clustering.variances(_influence(found)), expected, rtol=1e-12)


def test_squared_influences_are_divided_by_one_minus_the_share() -> None:
    """Shares 1/22, 2/22, …; influences have the factor 6/5 of equal clusters, taken off."""
    found = _quantified(_wins(4, SIZES))
    share = np.array(SIZES) / 22.0
    change = _influence(found)[0] - _influence(found)[1]
    expected = sum(x**2 * 5.0 / 6.0 / (1.0 - w) for x, w in zip(change, share, strict=True))
    pair = np.array([0]), np.array([1])
    [variance] = found.clustering.pair_variances(_influence(found), *pair)
    assert variance == pytest.approx(expected, rel=1e-12)
    rating = (_influence(found)[2] ** 2 * 5.0 / 6.0 / (1.0 - share)).sum()
    assert found.clustering.variances(_influence(found))[2] == pytest.approx(rating, rel=1e-12)


def _slow_pair_variance(found: Clustering, influence: Floats, i: int, j: int) -> float:
    """With scores missing each player's shares differ, and a difference has a mean of lifts."""
    assert found.lift is not None
    own = (1.0 / found.amount[i]) / (1.0 / found.amount[i] + 1.0 / found.amount[j])
    total = 0.0
    for c in range(influence.shape[1]):
        lift = own * found.lift[i, c] + (1.0 - own) * found.lift[j, c]
        total += (influence[i, c] - influence[j, c]) ** 2 * lift
    return total


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_variances_of_all_differences_are_those_of_single_ones(missing: float) -> None:
    found = _quantified(_wins(5, SIZES, missing=missing))
    influence, own = _influence(found), found.clustering
    first, second = (x.ravel() for x in np.indices((5, 5)))
    matrix = own.variance_matrix(influence)
    np.testing.assert_allclose(
        matrix.ravel(), own.pair_variances(influence, first, second), rtol=1e-9, atol=1e-12
    )
    if missing:
        assert matrix[1, 3] == pytest.approx(_slow_pair_variance(own, influence, 1, 3), rel=1e-9)


def test_no_cluster_is_taken_to_hold_more_than_half() -> None:
    """Otherwise the error of a player with one large cluster would be anything."""
    found = _quantified(_wins(3, (1, 1, 1, 47))).clustering
    assert found.lift is not None
    assert found.lift.max() == pytest.approx(2.0 * 3.0 / 4.0, rel=1e-12)


# Degrees of freedom -------------------------------------------------------------------------------


def test_degrees_of_freedom_are_those_of_the_explicit_matrix() -> None:
    wins = _wins(4, SIZES)
    found, share = _quantified(wins), np.array(SIZES) / 22.0
    expected = _explicit_df(share, _influence(found), np.tile(share, (4, 1)))
    assert 1.0 < expected < 5.0
    np.testing.assert_allclose(found.clustering.df, np.full(4, expected), rtol=1e-10)


def test_each_player_has_degrees_of_freedom_of_its_own_where_scores_are_missing() -> None:
    wins = _wins(5, SIZES, missing=0.4)
    found = _quantified(wins)
    share = shares_by_cluster(wins)
    unequal = 1.0 / (share**2).sum(axis=1) < ABOUT_EQUAL * (share > 0.0).sum(axis=1)
    assert unequal.all()
    held = np.minimum(share, 0.5)
    expected = [_explicit_df(own, _influence(found), held) for own in held]
    np.testing.assert_allclose(found.clustering.df, np.maximum(expected, 1.0), rtol=1e-10)


def test_pairs_have_the_fewer_degrees_of_freedom_of_the_two() -> None:
    found = _quantified(_wins(5, SIZES, missing=0.4))
    df = found.clustering.df
    np.testing.assert_array_equal(found.contrast_matrix().df, np.minimum(df[:, None], df[None, :]))


def test_clusters_about_equal_are_equal() -> None:
    """Kish's number of 4, 4, 4, 5, 5, 5 is 27²/123 = 5.93 of 6."""
    found = _quantified(_wins(4, (4, 4, 4, 5, 5, 5)))
    np.testing.assert_array_equal(found.clustering.df, np.full(4, 5.0))
    assert found.clustering.lift is None


def test_one_large_cluster_leaves_few_degrees_of_freedom() -> None:
    few = _quantified(_wins(4, (1,) * 9 + (40,))).clustering.typical
    many = _quantified(_wins(4, (4,) * 9 + (5,))).clustering.typical
    assert few < 3.0 < many == 9.0


# Shares -------------------------------------------------------------------------------------------


def _battles(first: list[int], second: list[int], cluster: list[int]) -> Wins:
    number = len(first)
    one, two = np.array(first), np.array(second)
    outcome, weight = np.arange(float(number)) % 2.0, np.ones(number)
    return Games("battles", Battles(3, one, two, outcome, weight, np.array(cluster))).count()


def test_shares_of_battles_by_hand() -> None:
    """Player 0 has two battles with the first user and one with the second."""
    wins = _battles([0, 0, 0, 1], [1, 2, 1, 2], [0, 0, 1, 1])
    expected = [[2.0 / 3.0, 1.0 / 3.0], [1.0 / 3.0, 2.0 / 3.0], [0.5, 0.5]]
    np.testing.assert_allclose(shares_by_cluster(wins), expected, rtol=1e-12)
    assert effective_clusters(wins) == pytest.approx(2.0)


def test_battles_without_clusters_are_not_kept_by_cluster() -> None:
    battles = Battles(
        2, np.array([0, 0, 0]), np.array([1, 1, 1]), np.array([0.0, 1.0, 1.0]), np.ones(3), None
    )
    wins = Games("battles", battles).count()
    assert not kept_by_cluster(wins)
    found = _quantified(wins)
    assert found.contributions is None
    assert found.clustering.lift is None


def test_many_unequal_clusters_have_degrees_of_freedom_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only the sum of squares is kept, every cluster is taken to vary as a whole."""
    wins = _wins(4, SIZES)
    by_cluster = _quantified(wins).clustering.typical
    monkeypatch.setattr(clustering_module, "FEW_CLUSTERS", 1)
    monkeypatch.setattr(clustering_module, "FEW_INFLUENCES", 1)
    found = _quantified(wins).clustering
    share = np.array(SIZES) / 22.0
    assert found.share is None
    centred = np.eye(6) - np.outer(share, np.ones(6))
    scale = np.diag((1.0 - share) ** -0.5)
    omega = scale @ centred @ np.diag(share**2) @ centred.T @ scale
    expected = np.trace(omega) ** 2 / np.trace(omega @ omega)
    assert found.typical == pytest.approx(expected, rel=1e-10)
    assert found.typical < by_cluster


# Laws ---------------------------------------------------------------------------------------------


def test_order_of_players_does_not_matter() -> None:
    rng = np.random.default_rng(3)
    scores, order = rng.normal(size=(22, 4)), np.array([2, 0, 3, 1])
    cluster = np.repeat(np.arange(6.0), SIZES)
    one, other = (
        _quantified(Games("within", make_results(table, cluster=cluster)).count())
        for table in (scores, scores[:, order])
    )
    np.testing.assert_allclose(other.clustering.df, one.clustering.df[order], rtol=1e-9)
    expected = one.clustering.variances(_influence(one))[order]
    np.testing.assert_allclose(other.clustering.variances(_influence(other)), expected, rtol=1e-8)


def test_doubled_weights_change_nothing() -> None:
    one, other = (_quantified(_wins(4, SIZES, weight=weight)) for weight in (1.0, 2.0))
    np.testing.assert_allclose(other.clustering.df, one.clustering.df, rtol=1e-12)
    np.testing.assert_allclose(
        other.clustering.variances(_influence(other)),
        one.clustering.variances(_influence(one)),
        rtol=1e-10,
    )


def test_without_influences_there_is_nothing_to_lift() -> None:
    found = weigh_clusters(_wins(4, (2, 2, 2)), None)
    assert found.lift is None
    assert found.share is None
    np.testing.assert_array_equal(found.df, np.full(4, 2.0))


# How often players lost and won anything ----------------------------------------------------------


def test_clusters_with_losses_and_wins_are_counted() -> None:
    """The first beats both others but for a tie in the first cluster and a loss in the last."""
    scores = np.array([[3, 3, 1], [3, 2, 1], [3, 1, 2], [3, 2, 1], [1, 2, 3]], np.float64)
    cluster = np.array([0.0, 0.0, 1.0, 1.0, 2.0])
    for table in (scores, np.vstack([scores, [[2.0, 1.0, np.nan]]])):
        own = np.append(cluster, 1.0)[: table.shape[0]]
        found = count_outcomes(Games("within", make_results(table, cluster=own)).count())
        assert found is not None
        assert [counts.tolist() for counts in found] == [[2, 3, 2], [2, 3, 2]]


@pytest.mark.parametrize(
    ("cluster", "lost", "won"),
    [(None, [2, 2, 3], [3, 1, 3]), ([0, 0, 1, 1, 1], [2, 2, 2], [2, 1, 2])],
)
def test_battles_with_losses_and_wins_are_counted(
    cluster: list[int] | None, lost: list[int], won: list[int]
) -> None:
    """0 beats 1, then ties with 2, beats it and loses to it; 1 ties with 2. A tie is both."""
    first, second = np.array([0, 0, 0, 2, 1]), np.array([1, 2, 2, 0, 2])
    outcome = np.array([1.0, 0.5, 1.0, 1.0, 0.5])
    own = None if cluster is None else np.array(cluster)
    played = Battles(3, first, second, outcome, np.ones(5), own)
    found = count_outcomes(Games("battles", played).count())
    assert found is not None
    assert [counts.tolist() for counts in found] == [lost, won]
