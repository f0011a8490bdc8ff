"""Friedman's test on mid-ranks, and Nemenyi's by the range of normals."""

from math import erfc, inf, isnan, sqrt

import numpy as np
import polars as pl
import pytest
from conftest import score_tables, shared_file
from hypothesis import given, strategies as st
from scipy import integrate, stats
from scipy.special import ndtr, ndtri

from winodds.arrays import Floats
from winodds.inference.friedman import (
    average_ranks,
    friedman,
    nemenyi_critical_difference,
)


def _vtab() -> Floats:
    wide = pl.read_csv(shared_file("data/vtab_leaderboard.csv"), separator=";")
    return wide.drop("Model", "Mean").to_numpy().T.astype(np.float64)


def _wide(name: str, player: str, round: str, score: str) -> tuple[list[str], Floats]:
    long = pl.read_csv(shared_file(f"data/{name}.csv"))
    wide = long.pivot(on=player, index=round, values=score).drop(round)
    return wide.columns, wide.to_numpy()


def _slow_tail(players: int, width: float) -> float:
    """P(range of normals > width), with the smallest of them as the outer variable."""

    def reached(z: float) -> float:
        above, within = ndtr(-z), ndtr(z + width) - ndtr(z)
        beyond = ndtr(-z - width)
        density = stats.norm.pdf(z)
        powers = sum(above**i * within ** (players - 2 - i) for i in range(players - 1))
        return float(players * density * beyond * powers)

    middle = -0.5 * width
    halves = [(middle - 10.0, middle), (middle, middle + 10.0)]
    return sum(
        integrate.quad(reached, low, high, epsabs=0.0, epsrel=1e-11, limit=200)[0]
        for low, high in halves
    )


def test_vtab() -> None:
    found = friedman(_vtab())
    assert (found.players, found.rounds, found.df) == (16, 19, 15)
    assert found.statistic == pytest.approx(233.687175, abs=5e-7)
    assert found.uncorrected == pytest.approx(226.361842, abs=5e-7)
    assert found.mean_ranks.min() == pytest.approx(2.8158, abs=5e-5)
    assert nemenyi_critical_difference(16, 19) == pytest.approx(5.2920584, abs=5e-8)


def test_example_of_demsar_is_not_corrected_for_ties() -> None:
    names, scores = _wide("demsar_2006", "player", "round", "score")
    found = friedman(scores)
    assert names == ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
    np.testing.assert_allclose(found.mean_ranks, [3.143, 2.000, 2.893, 1.964], rtol=0, atol=5e-4)
    assert found.uncorrected == pytest.approx(9.28, abs=0.005)
    ratio = 13 * found.uncorrected / (14 * 3 - found.uncorrected)
    assert ratio == pytest.approx(3.69, abs=0.005)
    assert found.statistic == pytest.approx(stats.friedmanchisquare(*scores.T)[0], rel=1e-12)
    assert found.iman_davenport_df == (3, 39)
    assert nemenyi_critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)


def test_example_of_critical_difference_diagrams() -> None:
    names, scores = _wide("cd_diagram_example", "classifier_name", "dataset_name", "accuracy")
    ranks = dict(zip(names, friedman(scores).mean_ranks.tolist(), strict=True))
    expected = {"clf3": 1.533, "clf5": 2.0, "clf4": 3.5, "clf2": 3.767, "clf1": 4.2}
    assert ranks == pytest.approx(expected, abs=5e-4)


def test_by_hand() -> None:
    """Ranks 1 2 3, 1 3 2 and 1 2½ 2½: sums 3, 7½, 7½ are −3, 1½, 1½ from 6."""
    found = friedman(np.array([[9.0, 8.0, 7.0], [8.0, 6.0, 7.0], [9.0, 5.0, 5.0]]))
    np.testing.assert_array_equal(found.mean_ranks, [1.0, 2.5, 2.5])
    assert found.uncorrected == pytest.approx(13.5 * 12 / (3 * 3 * 4), rel=1e-15)
    assert found.statistic == pytest.approx(4.5 / (1 - 6 / (3 * 24)), rel=1e-15)
    assert found.iman_davenport == pytest.approx(2 * found.statistic / (6 - found.statistic))


@given(score_tables(players=(3, 7), rounds=(2, 6), levels=4))
def test_agrees_with_scipy(scores: Floats) -> None:
    found = friedman(scores)
    if (scores == scores[:, :1]).all():
        assert (found.statistic, found.p_value) == (0.0, 1.0)
        return
    expected = stats.friedmanchisquare(*scores.T)
    assert found.statistic == pytest.approx(expected[0], rel=1e-9, abs=1e-9)
    assert found.p_value == pytest.approx(expected[1], rel=1e-8, abs=1e-300)
    ranks = stats.rankdata(-scores, axis=1).mean(axis=0)
    np.testing.assert_allclose(found.mean_ranks, ranks, rtol=1e-14)


@given(score_tables(levels=4))
def test_iman_davenport_follows_from_the_statistic(scores: Floats) -> None:
    found = friedman(scores)
    rounds, players = scores.shape
    room = rounds * (players - 1) - found.statistic
    if found.iman_davenport == inf:
        assert room == pytest.approx(0.0, abs=1e-9)
        assert found.iman_davenport_p == 0.0
        return
    expected = (rounds - 1) * found.statistic / room
    assert found.iman_davenport == pytest.approx(expected, rel=1e-9)
    df = found.iman_davenport_df
    assert df == (players - 1, (players - 1) * (rounds - 1))
    assert found.iman_davenport_p == pytest.approx(stats.f.sf(expected, *df), rel=1e-8)


def test_all_tied_everywhere_is_no_evidence() -> None:
    found = friedman(np.ones((4, 3)))
    np.testing.assert_array_equal(found.mean_ranks, [2.0, 2.0, 2.0])
    assert (found.statistic, found.uncorrected, found.p_value) == (0.0, 0.0, 1.0)
    assert (found.iman_davenport, found.iman_davenport_p) == (0.0, 1.0)


@pytest.mark.parametrize("row", [[3.0, 1.0, 2.0], [3.0, 1.0, 3.0], [0.1, 0.2, 0.3, 0.3, 0.3]])
def test_full_agreement_is_infinite_evidence(row: list[float]) -> None:
    found = friedman(np.tile(row, (7, 1)))
    assert found.statistic == 7.0 * (len(row) - 1)
    assert (found.iman_davenport, found.iman_davenport_p) == (inf, 0.0)


def test_single_round_has_no_iman_davenport() -> None:
    found = friedman(np.array([[3.0, 1.0, 2.0]]))
    assert found.statistic == 2.0
    assert isnan(found.iman_davenport)
    assert isnan(found.iman_davenport_p)


def test_two_players_make_a_sign_test() -> None:
    """7 wins of 10: χ² = (7 − 3)²/10, whose root is normal."""
    scores = np.array([[1.0, 0.0]] * 7 + [[0.0, 1.0]] * 3)
    found = friedman(scores)
    assert found.statistic == 1.6
    assert found.p_value == pytest.approx(erfc(sqrt(0.8)), rel=1e-12)


def test_failed_runs_are_worst_and_tie() -> None:
    found = friedman(np.array([[-inf, 0.5, -inf, -1e300], [0.1, 0.2, -inf, 0.4]]))
    np.testing.assert_array_equal(found.mean_ranks * 2, [3.5 + 3, 1 + 2, 3.5 + 4, 2 + 1])


@given(score_tables(levels=4), st.integers(0, 1000))
def test_monotone_scores_and_order_of_rounds_change_nothing(scores: Floats, seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = friedman(scores)
    other = friedman(np.exp(0.3 * rng.permutation(scores)))
    assert other.statistic == found.statistic
    assert other.iman_davenport == found.iman_davenport
    np.testing.assert_array_equal(other.mean_ranks, found.mean_ranks)


@given(score_tables(levels=4))
def test_reversing_scores_reverses_ranks(scores: Floats) -> None:
    found, other = friedman(scores), friedman(-scores)
    assert other.statistic == found.statistic
    np.testing.assert_allclose(other.mean_ranks, scores.shape[1] + 1 - found.mean_ranks)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_critical_difference_of_two_is_that_of_a_sign_test(level: float) -> None:
    """Mean ranks of two differ by d with χ² = n·d², whose root is normal."""
    found = nemenyi_critical_difference(2, 50, level)
    assert found == pytest.approx(ndtri(0.5 + 0.5 * level) / sqrt(50), rel=1e-12)


@pytest.mark.parametrize("players", [3, 7, 60, 300])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.9999])
def test_range_of_normals_exceeds_the_critical_difference_as_often_as_said(
    players: int, level: float
) -> None:
    unit = sqrt(players * (players + 1) / (12.0 * 30))
    width = nemenyi_critical_difference(players, 30, level) / unit
    assert _slow_tail(players, width) == pytest.approx(1.0 - level, rel=1e-8)


def test_ranks_of_a_cluster_are_averaged_first() -> None:
    """Two data sets of two splits: one rank for each player and data set, as Demšar has it."""
    scores = np.array([[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [1.0, 2.0, 3.0], [1.0, 3.0, 2.0]])
    cluster = np.array([0, 0, 1, 1])
    averaged = average_ranks(scores, cluster)
    found = friedman(averaged)
    assert found.rounds == 2
    assert found.mean_ranks.tolist() == [2.0, 2.0, 2.0]
    assert averaged[0].argmax() == 0
    assert averaged[1].argmin() == 0


def test_rounds_that_are_their_own_clusters_keep_their_scores() -> None:
    scores = np.array([[3.0, 2.0], [1.0, 2.0]])
    assert average_ranks(scores, np.array([1, 0])) is scores
