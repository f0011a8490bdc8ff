"""Ratings from some of the clusters: how far they agree with those from all and from others."""

import numpy as np
import polars as pl
import pytest
from conftest import long_table, make_results
from scipy import stats

import winodds
from winodds.arrays import Floats, Ints
from winodds.fit.newton import fit
from winodds.inference.bootstrap import fill_urn, rate_draws
from winodds.inference.clusters import dense
from winodds.inference.subsets import (
    DRAWS,
    Looked,
    choose_sizes,
    compare_ratings,
    count_judges,
    draws_for,
    judge_by_clusters,
    judge_by_errors,
    plan_subsets,
)
from winodds.language.options import ScoreMatches
from winodds.matches.games import Games
from winodds.matches.wins import RoundEvidence

# Two sets of ratings ------------------------------------------------------------------------------


def test_agreement_of_three_players_by_hand() -> None:
    """(2, 1, 0) and (2, 0, 1): two pairs of three in the same order, off by 0, 1 and 1."""
    found = compare_ratings(np.array([[2.0, 1.0, 0.0]]), np.array([[2.0, 0.0, 1.0]]))
    assert found.same_order[0] == pytest.approx(2.0 / 3.0, rel=1e-12)
    assert found.tau[0] == pytest.approx(1.0 / 3.0, rel=1e-12)
    assert found.correlation[0] == pytest.approx(0.5, rel=1e-12)
    assert found.difference[0] == pytest.approx(2.0 / 3.0, rel=1e-12)


def test_where_ratings_begin_does_not_matter() -> None:
    one, other = np.array([[2.0, 1.0, 0.0]]), np.array([[12.0, 11.0, 10.0]])
    found = compare_ratings(one, other)
    assert (found.correlation[0], found.tau[0], found.same_order[0]) == (1.0, 1.0, 1.0)
    assert found.difference[0] == 0.0


def test_a_tie_counts_half() -> None:
    found = compare_ratings(np.array([[1.0, 1.0, 0.0]]), np.array([[2.0, 1.0, 0.0]]))
    assert found.same_order[0] == pytest.approx(2.5 / 3.0, rel=1e-12)


def test_correlations_are_scipys() -> None:
    rng = np.random.default_rng(1)
    one, other = rng.integers(0, 6, (20, 8)).astype(np.float64), rng.normal(size=(20, 8))
    found = compare_ratings(one, other)
    for k, (a, b) in enumerate(zip(one, other, strict=True)):
        assert found.correlation[k] == pytest.approx(np.corrcoef(a, b)[0, 1], rel=1e-9)
        assert found.tau[k] == pytest.approx(stats.kendalltau(a, b).statistic, rel=1e-9)


def test_players_without_a_rating_are_left_out() -> None:
    gap = np.array([[2.0, np.nan, 1.0, 0.0]])
    found = compare_ratings(gap, np.array([[2.0, 9.0, 0.0, 1.0]]))
    assert found.correlation[0] == pytest.approx(0.5, rel=1e-12)
    alone = compare_ratings(np.array([[1.0, np.nan]]), np.array([[1.0, 2.0]]))
    assert np.isnan([alone.correlation, alone.tau, alone.difference, alone.same_order]).all()


def test_equal_ratings_have_no_correlation_and_half_of_the_order() -> None:
    found = compare_ratings(np.zeros((1, 3)), np.array([[2.0, 1.0, 0.0]]))
    assert np.isnan([found.correlation[0], found.tau[0]]).all()
    assert (found.same_order[0], found.difference[0]) == (0.5, pytest.approx(2.0 / 3.0))


# Subsets ------------------------------------------------------------------------------------------


def test_sizes_are_all_or_twenty_and_hold_the_largest_that_is_judged() -> None:
    assert choose_sizes(2) == [2]
    assert choose_sizes(21) == list(range(2, 22))
    many = choose_sizes(333)
    assert (many[0], many[-1]) == (2, 333)
    assert 333 - count_judges(333) == 166
    assert 166 in many
    assert len(many) <= 20


def test_half_of_the_clusters_judge_but_no_fewer_than_six() -> None:
    assert [count_judges(clusters) for clusters in (4, 8, 12, 13, 40)] == [6, 6, 6, 7, 20]


def test_many_players_have_fewer_subsets() -> None:
    assert (draws_for(20), draws_for(80), draws_for(5000)) == (DRAWS[1], 31, DRAWS[0])


def _scores(missing: float) -> Floats:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(9, 6)) + np.linspace(0.8, -0.8, 6)
    return np.where(rng.random((9, 6)) < missing, np.nan, scores)


@pytest.mark.parametrize("matches", ["within", "across"])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_a_subset_has_the_ratings_of_a_table_of_its_rounds(
    matches: ScoreMatches, missing: float
) -> None:
    scores = _scores(missing)
    games = Games(matches, make_results(scores, across=matches == "across"))
    wins = games.count()
    start = fit(wins.wins, wins.design).beta
    urn = fill_urn(games, wins)
    for chosen in ([0, 1, 2, 3], [8, 2, 5, 7, 1]):
        counts = np.isin(np.arange(9), chosen).astype(np.float64)
        found = rate_draws(urn, counts[None, :], start, 0.0)[0]
        table = long_table(scores).filter(pl.col("round").is_in(chosen))
        board = winodds.rate(table, higher_is_better=True, matches=matches)
        ratings = {row.player: row.epp for row in board}
        assert found == pytest.approx([ratings[f"p{k}"] for k in range(6)], abs=1e-6)


def _look(scores: Floats, draws: int = 40) -> list[Looked]:
    """Wins in complete rounds judge."""
    games = Games("within", make_results(scores))
    wins = games.count()
    beta = fit(wins.wins, wins.design).beta
    assert isinstance(wins.evidence, RoundEvidence)
    judge = judge_by_clusters(dense(wins.evidence.wins).T, 0.95)
    calls = plan_subsets(fill_urn(games, wins), beta, judge, ridge=0.0, draws=draws, seed=1)
    return [call() for call in calls]


def test_all_rounds_agree_with_themselves() -> None:
    last = _look(_scores(0.0))[-1]
    assert last.size == 9
    assert last.whole.same_order.tolist() == [1.0] * 40
    assert last.whole.difference == pytest.approx(np.zeros(40), abs=1e-9)
    assert (last.others, last.clear, last.agreed) == (None, None, None)


def test_others_share_no_round_with_the_subset() -> None:
    """In six rounds the order is one way, in six the other: subsets of six are alike or not."""
    scores = np.tile(np.arange(4.0), (12, 1))
    scores[6:] *= -1.0
    six = next(one for one in _look(scores, draws=200) if one.size == 6)
    assert six.others is not None
    # Whoever has one way the majority in one half has it the other way in the other half.
    order = six.others.same_order
    assert set(np.round(order, 9).tolist()) == {0.0, 0.5}
    assert (order == 0.5).mean() == pytest.approx(400 / 924, abs=0.12)


def test_pairs_are_told_apart_by_rounds_that_the_subset_does_not_have() -> None:
    """The same order in every round, but for the last two players, who are equal."""
    scores = np.tile([3.0, 2.0, 1.0, 1.0], (12, 1))
    judged = [one for one in _look(scores) if one.clear is not None]
    assert [one.size for one in judged] == [2, 3, 4, 5, 6]
    for one in judged:
        assert one.clear is not None
        assert one.agreed is not None
        assert one.clear.tolist() == one.agreed.tolist() == [5.0] * 40


# Who is told apart --------------------------------------------------------------------------------


def _nothing(_: Ints) -> Floats:
    return np.zeros((1, 0))


def test_clusters_judge_by_t_of_what_they_contribute() -> None:
    rng = np.random.default_rng(3)
    parts = rng.normal(size=(5, 20)) + np.linspace(1.0, -1.0, 5)[:, None]
    chosen = np.array([3, 17, 4, 9, 12, 0, 1])
    found = judge_by_clusters(parts, 0.9)(chosen, _nothing)
    for i, j in np.ndindex(5, 5):
        apart = parts[i, chosen] - parts[j, chosen]
        test = stats.ttest_1samp(apart, 0.0) if i != j else None
        assert found[i, j] == (test is not None and apart.mean() > 0.0 and test.pvalue < 0.1)
    assert 3 <= found.sum() <= 9


def test_clusters_that_all_say_the_same_leave_no_doubt() -> None:
    parts = np.array([[1.0] * 6, [0.0] * 6, [1.0] * 6])
    found = judge_by_clusters(parts, 0.95)(np.arange(6), _nothing)
    assert np.argwhere(found).tolist() == [[0, 1], [2, 1]]


def test_errors_are_those_of_as_few_clusters_as_judge() -> None:
    """25 of 100: a difference is told apart beyond two times t(24) standard errors."""
    se = np.full((2, 2), 0.5)
    judge = judge_by_errors(se, 100, 0.95)
    limit = 2.0 * 0.5 * float(stats.t.ppf(0.975, 24))
    few = np.arange(25)
    assert not judge(few, lambda _: np.array([[0.999 * limit, 0.0]])).any()
    beyond = judge(few, lambda _: np.array([[1.001 * limit, 0.0]]))
    assert beyond.tolist() == [[False, True], [False, False]]
    assert not judge(few, lambda _: np.array([[np.nan, 0.0]])).any()
