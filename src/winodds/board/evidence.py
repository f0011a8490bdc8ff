"""What a leaderboard keeps so that its players can be compared, and its fit be judged, later.

What follows from the games and the ratings (the counted matches, the information matrix) is not
stored; it is computed anew when a board that was read from a file is first asked for it.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.board.packed import (
    Packed,
    games_to_dict,
    intervals_to_dict,
    read_games,
    read_intervals,
)
from winodds.board.strict import broken
from winodds.design.design import Information
from winodds.fit.likelihood import Problem
from winodds.fit.many import fit_many
from winodds.fit.newton import Fit
from winodds.inference.clusters import kept_by_cluster
from winodds.inference.intervals import Differences, Intervals, Uncertainty, judge, quantify
from winodds.inference.moderation import Noise, make_noise
from winodds.inference.posterior import EVERYBODY, Posterior, infer
from winodds.inference.structure import find_structure, same_sets
from winodds.language.options import Estimator, IntervalKind
from winodds.matches.games import Games
from winodds.matches.wins import Wins

UNSOLVED = 1e-5
"""What may be left of the equations that ratings solve, relative to the most wins of a player."""


class Evidence:
    """Games and ratings of the players of one component, who met directly or through others.

    Attributes
    ----------
    games : what they played, the players numbered in the order of the board.
    estimator : "bias-reduced", "mle" or "ridge".
    ridge : what a prior adds to the information's diagonal.
    intervals : everything that intervals need besides the information.
    """

    def __init__(
        self, games: Games, estimator: Estimator, ridge: float, intervals: Intervals
    ) -> None:
        self.games = games
        self.estimator = estimator
        self.ridge = ridge
        self.intervals = intervals
        self._posterior: tuple[tuple[Any, ...], Posterior] | None = None
        self._unchecked: str | None = None

    @property
    def size(self) -> int:
        """How many players there are."""
        return self.games.players

    @cached_property
    def wins(self) -> Wins:
        """The counted matches."""
        wins = self.games.count()
        if self._unchecked is not None and not same_sets(
            self.intervals.structure, find_structure(wins)
        ):
            raise broken(f"{self._unchecked}.structure", "is not that of the games")
        return wins

    @cached_property
    def uncertainty(self) -> Uncertainty:
        """Standard errors and intervals."""
        information = self.wins.design.information()(self.intervals.beta, self.ridge)
        if self._unchecked is not None:
            self._check_ratings(information, self._unchecked)
        return judge(self.wins, information, self.intervals)

    def _check_ratings(self, information: Information, place: str) -> None:
        """Raise `BrokenJson` unless the ratings of a document are those of its games."""
        rest = np.abs(self.problem.score(self.intervals.beta, information)).max()
        if not rest <= UNSOLVED * max(1.0, float(self.wins.wins.max())):
            raise broken(f"{place}.beta", "holds ratings that are not those of the games")
        columns = self.intervals.influence
        kept = columns is not None and kept_by_cluster(self.wins)
        if columns is not None and kept and columns.shape[1] != self.games.clusters:
            raise broken(f"{place}.influence", "has not a column for each cluster")

    def uncertainty_by(self, kind: IntervalKind) -> Uncertainty:
        """The same, robust or model-based, whatever the board shows."""
        if kind == ("model" if self.intervals.influence is None else "robust"):
            return self.uncertainty
        fitted = Fit(self.intervals.beta, self.uncertainty.information, 0)
        return quantify(
            self.wins,
            fitted,
            self.intervals.structure,
            kind=kind,
            level=self.intervals.level,
            overlap=self.overlap,
            shrunken=self.estimator == "ridge",
            center=self.intervals.center,
        )

    @property
    def problem(self) -> Problem:
        """What the ratings solve."""
        wins = self.wins
        return Problem(wins.wins, wins.design, self.estimator, self.ridge)

    @cached_property
    def lasting(self) -> Floats:
        """(m,) ratings by an estimator that exists in every resampled table, too.

        These are the ratings themselves, unless they are maximum-likelihood ones.
        """
        if self.estimator != "mle":
            return self.intervals.beta
        wins = self.wins
        ratings = fit_many(wins.wins[None, :], wins.design, start=self.intervals.beta)
        return np.asarray(ratings[0])

    @cached_property
    def noise(self) -> Noise:
        """How the ratings vary around the true ones, by cluster whatever intervals the board shows.

        Battles that are each their own cluster do not tell what ratings have in common.
        """
        found = self.uncertainty_by("robust")
        own = found.intervals
        assert own.influence is not None
        return make_noise(
            own.beta,
            own.model_scale * found.information.variances(),
            found.clustering.lifted(own.influence),
            found.clustering.df,
            own.clusters,
            correlated=self.games.kind != "battles" or kept_by_cluster(self.wins),
        )

    def posterior(
        self,
        seed: int,
        families: Sequence[str] | None = None,
        reference: int | None = None,
        kept: Sequence[int] = (),
    ) -> Posterior:
        """What the ratings tell about the true ones; what was last asked for is kept.

        The column of chances to be best and the leader without luck both rest on these draws, so
        that they agree.

        Parameters
        ----------
        seed : of the draws.
        families : of the players; whoever may be the best of one is drawn.
        reference : the player whose rating is 0, who is drawn as well.
        kept : who else is drawn. On boards that are not large everybody is.
        """
        asked: tuple[Any, ...] = (seed,)
        if self.size > EVERYBODY:
            asked = seed, None if families is None else tuple(families), reference, tuple(kept)
        if self._posterior is None or self._posterior[0] != asked:
            found = infer(
                self.intervals.beta,
                self.noise,
                seed=seed,
                groups=[] if families is None else list(members_of(families).values()),
                kept=[*self._always_drawn(reference), *kept],
                copies=self.games.copies(),
            )
            self._posterior = asked, found
        return self._posterior[1]

    def _always_drawn(self, reference: int | None) -> list[int]:
        """The first two, who are compared with each other, and what the average hangs on."""
        averaged = self.intervals.averaged
        outside = [] if averaged is None else np.flatnonzero(~averaged).tolist()
        return [*range(min(2, self.size)), *outside, *([] if reference is None else [reference])]

    @property
    def overlap(self) -> float:
        """Factor on variances for splits that share training data."""
        return self.intervals.model_scale / self.wins.design_effect

    def zero(self, reference: int | None = None) -> Ints | None:
        """The players whose mean rating is 0: the reference, or those whose average it is.

        None stands for everyone: the ratings of the fit, and of every replicate and draw, are
        centred so already.
        """
        if reference is not None:
            return np.array([reference])
        averaged = self.intervals.averaged
        return None if averaged is None else np.flatnonzero(averaged)

    def compare(self, first: Ints, second: Ints) -> Differences:
        """Differences of ratings."""
        return self.uncertainty.of_differences(first, second)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "games": games_to_dict(self.games),
            "estimator": self.estimator,
            "ridge": self.ridge,
            **intervals_to_dict(self.intervals),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], place: str) -> "Evidence":
        """The evidence that `to_dict` wrote; ``place`` says where in the document it stands."""
        packed = Packed(data, place)
        # The size of the first array says how many players there are, and all others must agree.
        players = packed.floats("beta").size
        if players == 0:
            raise packed.wrong("beta", "holds no rating")
        games = read_games(packed.inside("games"), players)
        own = cls(games, data["estimator"], data["ridge"], read_intervals(packed, games))
        own._unchecked = place
        return own


def members_of(families: Sequence[str]) -> dict[str, Ints]:
    """Indices of the players of each family, in their order; families by name.

    >>> {name: own.tolist() for name, own in members_of(["b", "a", "b"]).items()}
    {'a': [1], 'b': [0, 2]}
    """
    names, label = np.unique(np.array(families), return_inverse=True)
    order, ends = np.argsort(label, kind="stable"), np.cumsum(np.bincount(label))
    return dict(zip(names.tolist(), np.split(order, ends[:-1]), strict=True))
