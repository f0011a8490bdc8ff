"""How a leaderboard was obtained, in types."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from winodds.language.nouns import DATA_SETS_PLAY, HOUSE, Nouns, name_things
from winodds.language.options import (
    Convention,
    Duplicates,
    Estimator,
    IntervalKind,
    Missing,
    RankKind,
    Scale,
)
from winodds.matches.results import MatchKind
from winodds.table.scores import Dropped

Better: TypeAlias = Literal["higher", "lower", "differs by round"]

DATA_SETS = "Data Set/Model"
"""The scheme in which data sets play, and models are the rounds."""


@dataclass(frozen=True, slots=True)
class Interval:
    """What intervals rest on.

    Attributes
    ----------
    kind : "robust" or "model".
    level : their coverage.
    cluster : what the independent units are: "round", "tournament", "battle" or a column.
    clusters : how many there are.
    test_fraction : share of the data in each test split, when splits share training data.
    """

    kind: IntervalKind
    level: float
    cluster: str
    clusters: int
    test_fraction: float | None


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """How scores became matches, and how many.

    Attributes
    ----------
    kind : "within" rounds, "across" them, or "battles".
    count, ties : matches, and how many of them were ties.
    tie_tolerance : scores this close, or closer, tie.
    rounds : how many; None for battles.
    """

    kind: MatchKind
    count: int
    ties: int
    tie_tolerance: float
    rounds: int | None


@dataclass(frozen=True, slots=True)
class Scheme:
    """Which columns played which role.

    Attributes
    ----------
    name : of the scheme: "Pooled", "Model/CV", "Battles", …
    better : which way scores are better; None for battles.
    columns : the column of every role, or None for a role that nobody plays; several columns are
        joined by a slash.
    """

    name: str
    better: Better | None
    columns: Mapping[str, str | None]

    @property
    def data_sets_play(self) -> bool:
        """Whether the players are data sets, and the rounds models."""
        return self.name == DATA_SETS

    def column(self, role: str) -> str | None:
        """The column that plays a role."""
        return self.columns.get(role)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        better = {} if self.better is None else {"better": self.better}
        return {"name": self.name, **better, **self.columns}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Scheme":
        """The scheme that `to_dict` wrote."""
        columns = {role: column for role, column in data.items() if role not in ("name", "better")}
        return cls(data["name"], data.get("better"), columns)


@dataclass(frozen=True, slots=True)
class Details:
    """How the details and the quality of a board are computed, when they are asked for.

    Attributes
    ----------
    quick : whether they take no more than some seconds.
    convention : how the quality's deviance counts pairs.
    ranks : whether rank ranges hold each for itself or all at once.
    draws : of true ratings, that chances of being best rest on.
    simulations : tables that the p-value of the fit rests on at most.
    seed : of the random numbers.
    """

    quick: bool
    convention: Convention
    ranks: RankKind
    draws: int
    simulations: int
    seed: int


@dataclass(frozen=True, slots=True)
class Average:
    """Whose average is 0, where it is not that of all players.

    Attributes
    ----------
    players : how many there are, who reach each other by wins or ties.
    shift : by how much their mean rating is above that of all players.
    """

    players: int
    shift: float


@dataclass(frozen=True, slots=True)
class How:
    """How a leaderboard was obtained.

    Attributes
    ----------
    estimator : "bias-reduced", "mle" or "ridge".
    prior_sd : standard deviation of the ridge prior, else None.
    interval : what intervals rest on.
    matches : how scores became matches, and how many.
    scheme : roles and the columns that play them.
    dropped : what the table held that plays no part.
    missing, duplicates : the rules for runs without a score and pairs with several.
    reference : the player whose rating is 0, or None for the average.
    average : whose average that is; None for all players, and where there are several components.
    iterations : Newton steps of the fit.
    details : how details are computed when they are asked for.
    version : of Winodds.
    options : what was asked for, by the names of the options, where it was not the usual.
    """

    estimator: Estimator
    prior_sd: float | None
    interval: Interval
    matches: MatchCounts
    scheme: Scheme
    dropped: Dropped
    missing: Missing
    duplicates: Duplicates | Literal["keep"]
    reference: str | None
    average: Average | None
    iterations: int
    details: Details
    version: str
    options: Mapping[str, Any]

    @property
    def averaged(self) -> int | None:
        """Over how many players the average is taken; None for all."""
        return None if self.average is None else self.average.players

    @property
    def nouns(self) -> Nouns:
        """What players, rounds and tournaments are called, by the columns of the table."""
        usual = DATA_SETS_PLAY if self.scheme.data_sets_play else HOUSE
        return name_things(self.scheme.columns, usual)

    @property
    def scale(self) -> Scale:
        """What ratings are shown as."""
        own: Scale = self.options.get("scale", "epp")
        return own

    @property
    def new_tournaments(self) -> bool:
        """Whether intervals are for new tournaments, and not for new rounds of these."""
        return (self.interval.kind, self.interval.cluster) == ("robust", "tournament")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**asdict(self), "scheme": self.scheme.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "How":
        """What `to_dict` wrote."""
        parts: dict[str, Any] = {
            "interval": Interval(**data["interval"]),
            "matches": MatchCounts(**data["matches"]),
            "scheme": Scheme.from_dict(data["scheme"]),
            "dropped": Dropped(**data["dropped"]),
            "details": Details(**data["details"]),
            # Boards that were written without it are centred on all players.
            "average": Average(**data["average"]) if data.get("average") else None,
        }
        return cls(**parts, **{name: data[name] for name in cls.__slots__ if name not in parts})
