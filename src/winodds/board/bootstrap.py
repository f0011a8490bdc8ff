"""Ratings of resampled tables, by the players' names."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.board.comparisons import Estimate
from winodds.board.components import Components
from winodds.board.errors import NoCommonScale, UnknownPlayer
from winodds.board.evidence import Evidence
from winodds.board.placing import replicate
from winodds.inference.bootstrap import percentile_interval, ranks_of, shares_of_first
from winodds.table.names import close_names


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Ratings from tables whose clusters (rounds, data sets, battles) were drawn with replacement.

    Attributes
    ----------
    players : names, best first.
    ratings : (B, m) in each replicate, relative to the average or the reference player; NaN for a
        player who met nobody in it.
    observed : (m,) ratings of the table itself, by the same estimator.
    component : (m,) number of the player's component; players of different ones never met.
    level : coverage of the percentile intervals.
    seed : of the random numbers.

    Examples
    --------
    >>> import winodds.demo
    >>> board = winodds.demo.rate_results()["digits"]
    >>> found = board.bootstrap(replicates=200)
    >>> found.ratings.shape, round(float(found.first_in.sum()), 6)
    ((200, 20), 1.0)
    """

    players: tuple[str, ...]
    ratings: Floats
    observed: Floats
    component: Ints
    level: float
    seed: int

    @property
    def first_in(self) -> Floats:
        """(m,) share of replicates in which a player is rated highest; ties are shared.

        That is how often redrawing puts the player first, and not how likely it is truly the best,
        which `Leaderboard.details` tells.
        """
        shares = np.empty(len(self.players))
        for number in np.unique(self.component):
            members = np.flatnonzero(self.component == number)
            shares[members] = shares_of_first(self.ratings[:, members])
        return shares

    def columns(self) -> dict[str, list[Any]]:
        """A row for every player: rating and rank with percentile intervals, how often first.

        None for a player who met nobody in any replicate.
        """
        low, high = percentile_interval(self.ratings, self.level)
        rank, ranks = np.empty(len(self.players)), np.empty(self.ratings.shape)
        for number in np.unique(self.component):
            members = np.flatnonzero(self.component == number)
            rank[members] = ranks_of(self.observed[None, members])[0]
            ranks[:, members] = ranks_of(self.ratings[:, members])
        rank_low, rank_high = percentile_interval(ranks, self.level)
        cells = {
            "rating": self.observed,
            "low": low,
            "high": high,
            "rank": rank,
            "rank_low": rank_low,
            "rank_high": rank_high,
            "first_in": self.first_in,
        }
        return {
            "player": list(self.players),
            **{name: [_plain(value) for value in values] for name, values in cells.items()},
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without the replicates themselves."""
        columns = self.columns()
        rows = zip(*columns.values(), strict=True)
        return {
            "replicates": len(self.ratings),
            "seed": self.seed,
            "level": self.level,
            "players": [dict(zip(columns, row, strict=True)) for row in rows],
        }

    def rating(self, player: str) -> Estimate:
        """A player's rating with its percentile interval."""
        place = self._find(player)
        return self._estimate(self.observed[place], self.ratings[:, place])

    def difference(self, a: str, b: str) -> Estimate:
        """Rating of ``a`` minus rating of ``b``, with its percentile interval."""
        first, second = self._find(a), self._find(b)
        if self.component[first] != self.component[second]:
            raise NoCommonScale(first=a, second=b)
        value = self.observed[first] - self.observed[second]
        return self._estimate(value, self.ratings[:, first] - self.ratings[:, second])

    def rank(self, player: str) -> Estimate:
        """A player's rank with its percentile interval, for this player alone.

        The interval tells how the rank varies between tables, not where it truly is: with equal
        players it is too narrow. `Leaderboard.details` has sets that hold all true ranks.
        """
        place = self._find(player)
        members = np.flatnonzero(self.component == self.component[place])
        own = int(np.searchsorted(members, place))
        value = ranks_of(self.observed[None, members])[0, own]
        return self._estimate(value, ranks_of(self.ratings[:, members])[:, own])

    def _estimate(self, value: float, replicates: Floats) -> Estimate:
        low, high = percentile_interval(replicates, self.level)
        return Estimate(float(value), float(low), float(high))

    def _find(self, player: str) -> int:
        if player not in self.players:
            raise UnknownPlayer(player=player, close=close_names(player, self.players))
        return self.players.index(player)


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def resample(
    components: Components,
    players: tuple[str, ...],
    *,
    replicates: int,
    zero: int | None,
    level: float,
    seed: int,
    n_jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Bootstrap:
    """Rate resampled tables; ``zero`` is the place of the reference player, if there is one."""

    def ratings_of(part: Evidence) -> Floats:
        found = replicate(part, replicates, seed, n_jobs=n_jobs, progress=progress)
        return _around(found, part.zero(zero))

    ratings = components.scatter(ratings_of)
    observed = components.scatter(lambda part: _around(part.lasting[None, :], part.zero(zero))[0])
    return Bootstrap(players, ratings, observed, components.number(), level, seed)


def _around(ratings: Floats, zero: Ints | None) -> Floats:
    """(B, m) ratings around the mean of some of them, as far as these met anybody."""
    if zero is None:
        return ratings
    own = ratings[:, zero]
    there = np.isfinite(own)
    with np.errstate(invalid="ignore"):
        mean = np.where(there, own, 0.0).sum(axis=1) / there.sum(axis=1)
    around: Floats = ratings - mean[:, None]
    return around
