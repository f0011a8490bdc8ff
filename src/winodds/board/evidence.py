"""What a leaderboard keeps so that its players can be compared, and its fit be judged, later.

In JSON, arrays are base64 of their little-endian bytes: short, and exact to the last bit. What
follows from the games and the ratings (the counted matches, the information matrix) is not stored;
it is computed anew when a board that was read from a file is first asked for it.
"""

import base64
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from winodds.arrays import Floats, Ints
from winodds.fit.likelihood import Problem
from winodds.fit.many import fit_many
from winodds.fit.newton import Fit
from winodds.inference.clusters import kept_by_cluster
from winodds.inference.intervals import Differences, Intervals, Uncertainty, judge, quantify
from winodds.inference.moderation import Noise, make_noise
from winodds.inference.posterior import EVERYBODY, Posterior, infer
from winodds.inference.structure import Structure
from winodds.language.options import Estimator, IntervalKind
from winodds.matches.games import Games
from winodds.matches.results import Battles, Results
from winodds.matches.wins import Wins

FLOAT, INTEGER = "<f8", "<i8"


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

    @property
    def size(self) -> int:
        """How many players there are."""
        return self.games.players

    @cached_property
    def wins(self) -> Wins:
        """The counted matches."""
        return self.games.count()

    @cached_property
    def uncertainty(self) -> Uncertainty:
        """Standard errors and intervals."""
        information = self.wins.design.information()(self.intervals.beta, self.ridge)
        return judge(self.wins, information, self.intervals)

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
        intervals = self.intervals
        influence = intervals.influence
        return {
            "games": games_to_dict(self.games),
            "estimator": self.estimator,
            "ridge": self.ridge,
            "structure": _structure_to_dict(intervals.structure),
            "beta": _encode(intervals.beta, FLOAT),
            "bias": _encode(intervals.bias, FLOAT),
            "influence": None if influence is None else _encode(influence, FLOAT),
            "model_scale": intervals.model_scale,
            "level": intervals.level,
            "clusters": intervals.clusters,
            "played": _encode(intervals.played, INTEGER),
            "power": intervals.power,
            "center": intervals.center,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Evidence":
        """The evidence that `to_dict` wrote."""
        beta = _floats(data["beta"])
        if beta.size == 0:
            raise ValueError("no ratings")
        influence = data["influence"]
        intervals = Intervals(
            beta=beta,
            structure=_structure_from_dict(data["structure"]),
            model_scale=data["model_scale"],
            influence=None if influence is None else _floats(influence).reshape(beta.size, -1),
            bias=_floats(data["bias"]),
            level=data["level"],
            clusters=data["clusters"],
            played=_integers(data["played"]),
            power=data["power"],
            # Boards that were written without it are centred on all players.
            center=data.get("center", "all"),
        )
        games = _games_from_dict(data["games"], beta.size)
        return cls(games, data["estimator"], data["ridge"], intervals)


def members_of(families: Sequence[str]) -> dict[str, Ints]:
    """Indices of the players of each family, in their order; families by name.

    >>> {name: own.tolist() for name, own in members_of(["b", "a", "b"]).items()}
    {'a': [1], 'b': [0, 2]}
    """
    names, label = np.unique(np.array(families), return_inverse=True)
    order, ends = np.argsort(label, kind="stable"), np.cumsum(np.bincount(label))
    return dict(zip(names.tolist(), np.split(order, ends[:-1]), strict=True))


ROUND_ARRAYS = {
    "start": INTEGER,
    "player": INTEGER,
    "value": FLOAT,
    "weight": FLOAT,
    "cluster": INTEGER,
    "tournament": INTEGER,
}
BATTLE_ARRAYS = {
    "first": INTEGER,
    "second": INTEGER,
    "outcome": FLOAT,
    "weight": FLOAT,
    "cluster": INTEGER,
}


def games_to_dict(games: Games) -> dict[str, Any]:
    """Plain data for JSON."""
    played = games.played
    arrays = BATTLE_ARRAYS if isinstance(played, Battles) else ROUND_ARRAYS
    columns = {name: getattr(played, name) for name in arrays}
    return {
        "kind": games.kind,
        "tolerance": games.tolerance,
        **{
            name: None if column is None else _encode(column, arrays[name])
            for name, column in columns.items()
        },
    }


def _games_from_dict(data: Mapping[str, Any], players: int) -> Games:
    arrays = BATTLE_ARRAYS if data["kind"] == "battles" else ROUND_ARRAYS
    columns: dict[str, Any] = {name: _decode(data[name], kind) for name, kind in arrays.items()}
    played = Battles if data["kind"] == "battles" else Results
    return Games(data["kind"], played(players=players, **columns), data["tolerance"])


def _decode(text: str | None, kind: str) -> Floats | Ints | None:
    if text is None:
        return None
    return _floats(text) if kind == FLOAT else _integers(text)


def _structure_to_dict(structure: Structure) -> dict[str, Any]:
    return {
        "component": _encode(structure.component, INTEGER),
        "part": _encode(structure.part, INTEGER),
        "parts": structure.parts,
        "chain": structure.chain,
        "node": _encode(structure.node, INTEGER),
        "links": _sparse_to_dict(structure.links),
    }


def _structure_from_dict(data: Mapping[str, Any]) -> Structure:
    return Structure(
        component=_integers(data["component"]),
        part=_integers(data["part"]),
        parts=data["parts"],
        chain=data["chain"],
        node=_integers(data["node"]),
        links=_sparse_from_dict(data["links"]),
    )


def _sparse_to_dict(matrix: sparse.csr_array) -> dict[str, Any]:
    return {
        "shape": list(matrix.shape),
        "start": _encode(matrix.indptr, INTEGER),
        "column": _encode(matrix.indices, INTEGER),
        "value": _encode(matrix.data, FLOAT),
    }


def _sparse_from_dict(data: Mapping[str, Any]) -> sparse.csr_array:
    return sparse.csr_array(
        (_floats(data["value"]), _integers(data["column"]), _integers(data["start"])),
        shape=tuple(data["shape"]),
    )


def _encode(array: Any, dtype: str) -> str:
    return base64.b64encode(np.ascontiguousarray(array, dtype).tobytes()).decode("ascii")


def _floats(text: str) -> Floats:
    return np.frombuffer(base64.b64decode(text), FLOAT).astype(np.float64)


def _integers(text: str) -> Ints:
    return np.frombuffer(base64.b64decode(text), INTEGER).astype(np.int64)
