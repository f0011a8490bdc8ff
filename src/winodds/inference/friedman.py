"""Complete table of scores → Friedman's test of equal players, and Nemenyi's critical difference.

Demšar (2006), "Statistical comparisons of classifiers over multiple data sets", made both the
custom for tables of models and data sets. They see only ranks within rounds, so they are shown
beside the ratings for readers who expect them.
"""

from dataclasses import dataclass
from math import inf, nan, sqrt

import numpy as np
from scipy.special import chdtrc, fdtrc

from winodds.arrays import Floats, Ints


@dataclass(frozen=True, slots=True)
class Friedman:
    """Friedman's test that all players are equally good, from their ranks in each round.

    Attributes
    ----------
    players : k, number of players.
    rounds : n, number of rounds.
    mean_ranks : (k,) mean rank of each player over the rounds, 1 = best; ties share their ranks.
    statistic : Friedman's χ², corrected for ties; 0 when all scores of every round are tied.
    uncorrected : the same without the correction, as Demšar (2006) computes it.
    df : degrees of freedom, k − 1.
    p_value : from the χ² distribution, of the corrected statistic.
    iman_davenport : F of Iman & Davenport (1980) from the corrected statistic; infinite when all
        rounds agree, NaN with a single round.
    iman_davenport_df : its degrees of freedom, (k − 1, (k − 1)(n − 1)).
    iman_davenport_p : its p-value.
    """

    players: int
    rounds: int
    mean_ranks: Floats
    statistic: float
    uncorrected: float
    df: int
    p_value: float
    iman_davenport: float
    iman_davenport_df: tuple[int, int]
    iman_davenport_p: float


def friedman(scores: Floats) -> Friedman:
    """Test whether all players are equally good.

    Parameters
    ----------
    scores : (n, k) a score of each of k ≥ 2 players in each of n ≥ 1 rounds, larger is better,
        none missing. A failed run, −inf, is worse than any score and ties with other failed runs.

    Examples
    --------
    >>> found = friedman(np.array([[0.9, 0.8, 0.7], [0.8, 0.6, 0.7], [0.9, 0.5, 0.5]]))
    >>> found.mean_ranks.round(2).tolist()
    [1.0, 2.5, 2.5]
    >>> round(found.statistic, 3), round(found.p_value, 3)
    (4.909, 0.086)
    """
    rounds, players = scores.shape
    doubled, tied = _rank_doubled(scores)
    rank_sums = doubled.sum(axis=0)
    # Whole numbers, so that full agreement and ties everywhere are recognised exactly:
    # 4 × the squares between players, 12 × all squares, 12 × what agreement lacks.
    between = sum(int(away) ** 2 for away in rank_sums - rounds * (players + 1))
    total = rounds * (players**3 - players) - tied
    disagreement = rounds * total - 3 * between
    statistic = 3 * (players - 1) * between / total if total else 0.0
    ratio, ratio_p = _iman_davenport(players, rounds, between, disagreement)
    return Friedman(
        players=players,
        rounds=rounds,
        mean_ranks=rank_sums / (2.0 * rounds),
        statistic=statistic,
        uncorrected=3 * between / (rounds * players * (players + 1)),
        df=players - 1,
        p_value=float(chdtrc(players - 1, statistic)),
        iman_davenport=ratio,
        iman_davenport_df=(players - 1, (players - 1) * (rounds - 1)),
        iman_davenport_p=ratio_p,
    )


def _iman_davenport(
    players: int, rounds: int, between: int, disagreement: int
) -> tuple[float, float]:
    """F = (n − 1) χ² / (n(k − 1) − χ²) and its p-value."""
    if rounds == 1:
        return nan, nan
    if not between:
        return 0.0, 1.0
    if not disagreement:
        return inf, 0.0
    ratio = 3 * (rounds - 1) * between / disagreement
    return ratio, float(fdtrc(players - 1, (players - 1) * (rounds - 1), ratio))


def _rank_doubled(scores: Floats) -> tuple[Floats, int]:
    """(n, k) twice the rank of each score in its round, whole, and Σ t³ − t over sets of t ties."""
    order = np.argsort(-scores, axis=1)
    ordered = np.take_along_axis(scores, order, axis=1)
    fresh = np.ones(scores.shape, np.bool_)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=fresh[:, 1:])
    run = np.cumsum(fresh).reshape(scores.shape) - 1
    size = np.bincount(run.ravel())
    first = np.nonzero(fresh)[1]
    doubled = np.empty(scores.shape)
    np.put_along_axis(doubled, order, (2.0 * first + size + 1.0)[run], axis=1)
    return doubled, int(np.sum(size**3 - size))


def average_ranks(scores: Floats, cluster: Ints) -> Floats:
    """(G, k) a row for each cluster of rounds: minus the mean rank in its rounds, larger is better.

    ``scores`` (n, k) are complete and ``cluster`` (n,) says which cluster a round belongs to. Where
    each round is its own cluster, the scores are as good.
    """
    if np.unique(cluster).size == cluster.size:
        return scores
    doubled, _ = _rank_doubled(scores)
    numbers = np.unique(cluster)
    means: Floats = np.stack([-doubled[cluster == number].mean(axis=0) for number in numbers])
    return np.round(means, 9)


def nemenyi_critical_difference(players: int, rounds: int, level: float = 0.95) -> float:
    """Difference of mean ranks beyond which two players are told apart (Nemenyi 1963).

    Examples
    --------
    >>> round(nemenyi_critical_difference(4, 14), 2)
    1.25
    """
    # scipy.stats takes long to import, and only readers of mean ranks need it.
    from scipy.stats import studentized_range

    unit = sqrt(players * (players + 1) / (12.0 * rounds))
    return float(studentized_range.ppf(level, players, inf)) * unit
