"""Who met whom, in the two shapes that benchmark tables take.

`Cliques` for tables of scores: everyone in a round met everyone else in it. `Pairs` for battles:
the matches were arranged one by one. Both give the Fisher information at any ratings; which
algorithm does it depends on the design's size and is chosen here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeAlias

import numpy as np
from scipy import sparse

from winodds.arrays import Floats, Ints, sum_by
from winodds.design.dense import DenseInformation
from winodds.design.errors import TooManyPlayers
from winodds.design.kernel import EXACT, KernelInformation, series_length

SMALL = 128
"""Up to this many players a dense matrix is no larger than the kernel's own."""

DENSE_LIMIT = 10_000
"""Players above which m × m arrays are refused: one is 0.8 GB then, and a fit holds several."""

RANK_LIMIT = 8_000
"""Largest low-rank factor that is worth factorising."""


class Information(Protocol):
    """The Fisher information at given ratings, and what follows from it."""

    @property
    def expected(self) -> Floats: ...
    def solve(self, right: Floats) -> Floats: ...
    def variances(self) -> Floats: ...
    def covariances(self, first: Ints, second: Ints) -> Floats: ...
    def bias_score(self) -> Floats: ...
    def bias_score_of(self, influence: Floats) -> Floats: ...
    def log_determinant(self) -> float: ...


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

    def matches_by_clique(self) -> sparse.csr_array:
        """(Q, m) each player's matches in each clique, at weight one."""
        share, start = self.shares.data, self.shares.indptr
        clique = np.repeat(np.arange(self.weights.size), np.diff(start))
        sizes = sum_by(clique, share, self.weights.size)
        matches = share * (sizes[clique] - share)
        return sparse.csr_array((matches, self.shares.indices, start), shape=self.shares.shape)

    def weight_of_matches(self) -> Floats:
        """(m,) total weight of each player's matches."""
        return np.asarray(self.weights @ self.matches_by_clique(), np.float64)

    @property
    def complete(self) -> bool:
        """Whether everyone met everyone equally often."""
        return (
            self.weights.size == 1
            and self.shares.nnz == self.players
            and bool((self.shares.data == self.shares.data[0]).all())
        )

    def uses_kernel(self, width: float) -> bool:
        """Whether sums over pairs go through the kernel instead of an m × m array.

        The wider the ratings spread, the more terms the kernel's sums need.
        """
        rank = self.weights.size * series_length(width)
        return self.players > SMALL and rank <= RANK_LIMIT and 2 * rank <= self.players

    def met(self) -> Floats:
        """(m, m) how often each pair met."""
        scaled = sparse.diags_array(self.weights) @ self.shares
        met: Floats = (self.shares.T @ scaled).toarray()
        np.fill_diagonal(met, 0.0)
        return met

    def information(self, nats: float = EXACT) -> InformationAt:
        """A function of ratings and ridge that gives the information there, to e^−nats."""
        shares, met = cache(self.shares.toarray), cache(self.met)

        def at(beta: Floats, ridge: float) -> Information:
            width = float(beta.max() - beta.min())
            # A series of fewer nats is about as short as that of a narrower interval.
            if self.uses_kernel(width * (nats / EXACT)):
                return KernelInformation.at(beta, shares(), self.weights, ridge=ridge, nats=nats)
            _check_dense(self.players, width)
            return DenseInformation.at(beta, met(), ridge=ridge)

        return at

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
        met = np.zeros((self.players, self.players))
        met[self.first, self.second] = self.weights
        met[self.second, self.first] = self.weights
        return met

    def information(self) -> InformationAt:
        """A function of ratings and ridge that gives the information there."""
        _check_dense(self.players, 0.0)
        met = self.met()
        return lambda beta, ridge: DenseInformation.at(beta, met, ridge=ridge)


Design: TypeAlias = Cliques | Pairs


def _check_dense(players: int, width: float) -> None:
    if players > DENSE_LIMIT:
        raise TooManyPlayers(players=players, limit=DENSE_LIMIT, width=width)
