"""How well ratings explain who beat whom: deviance, calibration, and where they fail.

The deviance compares the share of wins of every pair with the one that the ratings imply. Matches
of a round share scores, so its χ² law does not hold; `winodds.quality.goodness` has a p-value that
does. All sums over pairs are streamed in blocks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from scipy.special import chdtrc, expit, xlogy

from winodds.arrays import EQUAL, Bools, Floats, Ints, at_least, levels, order_of
from winodds.language.options import Convention
from winodds.matches.games import Games
from winodds.matches.pairs import tally
from winodds.matches.wins import Wins

WORST = 5
BINS = np.linspace(0.5, 1.0, 11)
"""Ends of the bins of the favourite's fitted share of wins."""

CIRCLES_LIMIT = 3_000
"""Players up to which circles of three are counted; that takes a product of square arrays."""

ROWS = 512
"""Rows of such an array handled at a time."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """A pair whose matches the ratings explain badly.

    Attributes
    ----------
    first, second : the players.
    won, met : weighted wins of the first, and matches.
    expected : wins that the ratings expect.
    residual : (won − expected) in standard deviations of independent matches.
    """

    first: int
    second: int
    won: float
    met: float
    expected: float
    residual: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Pairs by the favourite's fitted share of wins: (k,) arrays, one entry for each bin in use.

    Attributes
    ----------
    low, high : the bin.
    pairs, matches : how many pairs, and the weight of their matches.
    fitted, observed : the favourite's share of wins, as the ratings have it and as it was.
    """

    low: Floats
    high: Floats
    pairs: Ints
    matches: Floats
    fitted: Floats
    observed: Floats


@dataclass(frozen=True, slots=True)
class Survey:
    """All pairs, added up.

    Attributes
    ----------
    deviance : over unordered pairs.
    pairs : how many met.
    calibration, worst : as above, the worst pairs first.
    """

    deviance: float
    pairs: int
    calibration: Calibration
    worst: tuple[Misfit, ...]


def survey(games: Games, wins: Wins, beta: Floats) -> Survey:
    """Go through all pairs that met, at ratings ``beta`` (m,)."""
    deviance, pairs = 0.0, 0
    bins = np.zeros((4, BINS.size - 1))
    worst: list[Misfit] = []
    for block in tally(games, wins):
        inside = np.nonzero(block.pairs())
        won, met = block.won[inside], block.met[inside]
        first, second = inside[0] + block.rows.start, inside[1] + block.columns.start
        chance = expit(beta[first] - beta[second])
        deviance += 2.0 * float((xlogy(won, won) + xlogy(met - won, met - won)).sum())
        deviance -= 2.0 * float(_fitted_logs(beta[first] - beta[second], won, met).sum())
        pairs += won.size
        bins += _binned(chance, won, met)
        worst = _merge(worst, first, second, won, met, met * chance)
    return Survey(max(deviance, 0.0), pairs, _calibration(bins), tuple(worst))


def _fitted_logs(difference: Floats, won: Floats, met: Floats) -> Floats:
    """won·log(met·p) + lost·log(met·(1 − p)), without 1 − p, which would round to 0."""
    logs: Floats = (
        xlogy(met, met)
        - won * np.logaddexp(0.0, -difference)
        - (met - won) * np.logaddexp(0.0, difference)
    )
    return logs


def _binned(chance: Floats, won: Floats, met: Floats) -> Floats:
    """(4, bins) pairs, matches, fitted and observed wins of the favourites."""
    favourite = at_least(chance, 0.5)
    share = np.where(favourite, chance, 1.0 - chance)
    wins = np.where(favourite, won, met - won)
    number = np.clip(np.searchsorted(BINS - EQUAL, share, side="right") - 1, 0, BINS.size - 2)
    amounts = (np.ones_like(met), met, met * share, wins)
    return np.stack([np.bincount(number, amount, BINS.size - 1) for amount in amounts])


def _calibration(bins: Floats) -> Calibration:
    used = bins[0] > 0.0
    pairs, matches, fitted, observed = bins[:, used]
    low, high = BINS[:-1][used], BINS[1:][used]
    return Calibration(
        low, high, pairs.astype(np.int64), matches, fitted / matches, observed / matches
    )


def join_calibrations(tables: Sequence[Calibration]) -> Calibration:
    """One table of several components."""
    bins = np.zeros((4, BINS.size - 1))
    for table in tables:
        number = np.searchsorted(BINS, table.low)
        amounts = (table.pairs, table.matches, table.fitted, table.observed)
        bins[0, number] += amounts[0]
        bins[1, number] += amounts[1]
        bins[2, number] += amounts[1] * amounts[2]
        bins[3, number] += amounts[1] * amounts[3]
    return _calibration(bins)


def _merge(
    worst: list[Misfit], first: Ints, second: Ints, won: Floats, met: Floats, expected: Floats
) -> list[Misfit]:
    """The worst of these pairs and those that were found before."""
    deviation = np.sqrt(expected * (1.0 - expected / met))
    residual = (won - expected) / np.maximum(deviation, 1e-12)
    top = _largest(np.abs(residual))
    found = [
        Misfit(
            int(first[k]),
            int(second[k]),
            float(won[k]),
            float(met[k]),
            float(expected[k]),
            float(residual[k]),
        )
        for k in top.tolist()
    ]
    return worst_first([*worst, *found])


class Missed(Protocol):
    """A pair with how far the ratings miss its matches."""

    @property
    def residual(self) -> float: ...


Miss = TypeVar("Miss", bound=Missed)


def worst_first(pairs: Sequence[Miss]) -> list[Miss]:
    """The pairs that are missed by most; of equal ones, those that come first."""
    order = order_of([-abs(pair.residual) for pair in pairs])
    return [pairs[k] for k in order[:WORST].tolist()]


def _largest(size: Floats) -> Ints:
    """Places of the largest few; of equal ones, those that come first."""
    few = min(WORST, size.size)
    near = np.flatnonzero(at_least(size, np.partition(size, -few)[-few])) if few else np.arange(0)
    return near[order_of(-size[near])][:WORST]


# Degrees of freedom -------------------------------------------------------------------------------


def degrees_of_freedom(pairs: int, players: int, components: int, convention: Convention) -> int:
    """Pairs that met minus free ratings; the paper counts pairs twice, and one rating more.

    ``components`` is how many sets of players never met each other.

    >>> degrees_of_freedom(120, 16, 1, "pairs"), degrees_of_freedom(120, 16, 1, "paper")
    (105, 224)
    """
    return pairs - players + components if convention == "pairs" else 2 * pairs - players


def chi2_p_value(deviance: float, df: int) -> float:
    """Upper tail of χ²; 1 without degrees of freedom, where every table fits."""
    return float(chdtrc(df, deviance)) if df > 0 else 1.0


# Circles ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Circles:
    """Triples in which each player won most matches against the next: A over B over C over A.

    Attributes
    ----------
    count : how many.
    triples : how many triples there are of players who all met each other.
    strongest : (k, 3) those with the largest smallest share of wins, at most five.
    """

    count: int
    triples: int
    strongest: Ints


def find_circles(lead: Floats) -> Circles:
    """Circles in (m, m) majorities: wins minus losses by match, positive for a majority.

    NaN stands for two players who never met.
    """
    count = count_circles(lead > EQUAL)
    strongest = _strongest(lead) if count else np.empty((0, 3), np.int64)
    return Circles(count, _count_triples(~np.isnan(lead)), strongest)


def _count_triples(met: Bools) -> int:
    """How many triples of players all met each other, given (m, m) who met whom."""
    players = int(met.shape[0])
    if met.all():
        return players * (players - 1) * (players - 2) // 6
    others = met & ~np.eye(players, dtype=np.bool_)
    # Each triple is a circle of steps in both directions.
    return count_circles(others) // 2


def count_circles(ahead: Bools) -> int:
    """How many triples go round, given who is ahead of whom, (m, m)."""
    edges, total = ahead.astype(np.float32), 0.0
    for begin in range(0, edges.shape[0], ROWS):
        part = slice(begin, begin + ROWS)
        two_steps = edges[part] @ edges
        total += float(np.einsum("ij,ji->i", two_steps, edges[:, part]).sum(dtype=np.float64))
    return round(total / 3.0)


def _strongest(lead: Floats) -> Ints:
    """The circles that remain when only majorities of the largest possible size count."""
    majority = lead > EQUAL
    size = np.full(lead.shape, -1, np.int64)
    size[majority] = levels(lead[majority])
    low, high = 0, int(size.max()) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if count_circles(size >= middle):
            low = middle
        else:
            high = middle
    ahead = size >= low
    found: list[tuple[int, int, int]] = []
    for a in range(ahead.shape[0]):
        beaten, beat = np.flatnonzero(ahead[a]), np.flatnonzero(ahead[:, a])
        beaten, beat = beaten[beaten > a], beat[beat > a]
        for b, c in np.argwhere(ahead[np.ix_(beaten, beat)])[:WORST].tolist():
            found.append((a, int(beaten[b]), int(beat[c])))
        if len(found) >= WORST:
            break
    return np.array(found[:WORST], np.int64).reshape(-1, 3)


def lead_matrix(games: Games, wins: Wins) -> Floats:
    """(m, m) wins minus losses of the row's player by match, NaN where two never met."""
    lead = np.full((games.players, games.players), np.nan)
    np.fill_diagonal(lead, 0.0)
    for block in tally(games, wins):
        pairs = block.pairs()
        first, second = np.nonzero(pairs)
        share = (2.0 * block.won[pairs] - block.met[pairs]) / block.met[pairs]
        first, second = first + block.rows.start, second + block.columns.start
        lead[first, second], lead[second, first] = share, -share
    return lead
