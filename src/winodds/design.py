"""Who met whom, in the two shapes that benchmark tables take.

`Cliques` for tables of scores: everyone in a round met everyone else in it. `Pairs` for battles:
the matches were arranged one by one. Both give the Fisher information at any ratings; which
algorithm does it depends on the design's size and is chosen here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from scipy import sparse

from winodds.arrays import Floats, Ints, sum_by
from winodds.dense import DenseInformation
from winodds.errors import TooManyPlayers
from winodds.kernel import KernelInformation, series_length

SMALL = 128
"""Up to this many players a dense matrix is no larger than the kernel's own."""

DENSE_LIMIT = 20_000
"""Players above which an m × m array of floats (3.2 GB) is refused."""

RANK_LIMIT = 8_000
"""Largest low-rank factor that is worth factorising."""

TYPICAL_WIDTH = 12.0
"""Spread of ratings for which the two algorithms' costs are compared."""


class Information(Protocol):
    """The Fisher information at given ratings, and what follows from it."""

    @property
    def expected(self) -> Floats: ...
    def solve(self, right: Floats) -> Floats: ...
    def variances(self) -> Floats: ...
    def covariances(self, first: Ints, second: Ints) -> Floats: ...
    def bias_score(self) -> Floats: ...
    def bias_score_of(self, influence: Floats) -> Floats: ...


InformationAt: TypeAlias = Callable[[Floats, float], Information]


@dataclass(frozen=True, slots=True)
class Cliques:
    """Rounds in which everyone met everyone.

    Players i and j met Σ_q weights[q]·shares[q, i]·shares[q, j] times. A share is 1 for a player
    of the round; for matches across rounds it is the number of scores. A negative weight takes
    matches off again: two failed runs of one round did not meet.

    Attributes
    ----------
    shares : (Q, m) sparse.
    weights : (Q,).
    """

    shares: sparse.csr_array
    weights: Floats

    @property
    def players(self) -> int:
        return int(self.shares.shape[1])

    def weight_of_matches(self) -> Floats:
        """(m,) total weight of each player's matches."""
        sizes = np.asarray(self.shares.sum(axis=1)).ravel()
        own = self.shares.multiply(self.shares).T @ self.weights
        total: Floats = self.shares.T @ (self.weights * sizes) - own
        return total

    def uses_kernel(self) -> bool:
        """Whether sums over pairs go through the kernel instead of an m × m array."""
        rank = self.weights.size * series_length(TYPICAL_WIDTH)
        return self.players > SMALL and rank <= RANK_LIMIT and 2 * rank <= self.players

    def met(self) -> Floats:
        """(m, m) how often each pair met."""
        _check_dense(self.players)
        scaled = sparse.diags_array(self.weights) @ self.shares
        met: Floats = (self.shares.T @ scaled).toarray()
        np.fill_diagonal(met, 0.0)
        return met

    def information(self) -> InformationAt:
        """A function of ratings and ridge that gives the information there."""
        if self.uses_kernel():
            shares, weights = self.shares.toarray(), self.weights
            return lambda beta, ridge: KernelInformation.at(beta, shares, weights, ridge=ridge)
        return _dense(self.met())

    def expected_by_clique(self, information: Information) -> Floats:
        """(Q, m) expected wins in each clique at weight one."""
        if isinstance(information, KernelInformation):
            return information.by_clique
        assert isinstance(information, DenseInformation)
        shares = self.shares.toarray()
        result: Floats = shares * (shares @ information.chances.T - 0.5 * shares)
        return result


@dataclass(frozen=True, slots=True)
class Pairs:
    """Matches given one by one, added up by pair.

    Attributes
    ----------
    first, second : (E,) players of each pair that met, first < second.
    weights : (E,) total weight of their matches.
    players : number of players m.
    """

    first: Ints
    second: Ints
    weights: Floats
    players: int

    def weight_of_matches(self) -> Floats:
        """(m,) total weight of each player's matches."""
        ends = np.concatenate([self.first, self.second])
        doubled = np.concatenate([self.weights, self.weights])
        return sum_by(ends, doubled, self.players)

    def met(self) -> Floats:
        """(m, m) how often each pair met."""
        _check_dense(self.players)
        met = np.zeros((self.players, self.players))
        met[self.first, self.second] = self.weights
        met[self.second, self.first] = self.weights
        return met

    def information(self) -> InformationAt:
        """A function of ratings and ridge that gives the information there."""
        return _dense(self.met())


Design: TypeAlias = Cliques | Pairs


def _dense(met: Floats) -> InformationAt:
    return lambda beta, ridge: DenseInformation.at(beta, met, ridge=ridge)


def _check_dense(players: int) -> None:
    if players > DENSE_LIMIT:
        raise TooManyPlayers(players=players, limit=DENSE_LIMIT)
