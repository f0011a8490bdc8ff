"""What a board tells about itself, and about its players, besides the ratings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from winodds.arrays import Floats, Ints
from winodds.board.how import MatchCounts, Scheme
from winodds.language.notes import Note
from winodds.language.options import Duplicates, Missing
from winodds.table.schedule import Schedule
from winodds.table.scores import Dropped
from winodds.table.settings import Settings, take_settings


@dataclass(frozen=True, slots=True)
class Entrants:
    """The players of a board, as far as the matches do not tell.

    Attributes
    ----------
    names : (m,) sorted.
    rounds_played, mean_score : (m,), or None where there is no such thing.
    families : (m,) names of the players' families, or None.
    settings : the players' hyperparameters, each (m,), or None.
    members : by name, the members of players that are teams, or None.
    """

    names: tuple[str, ...]
    rounds_played: Ints | None
    mean_score: Floats | None
    families: tuple[str, ...] | None = None
    settings: Settings | None = None
    members: Mapping[str, tuple[str, ...]] | None = None

    def take(self, chosen: Ints) -> "Entrants":
        """Some of them, in the given order."""
        return Entrants(
            names=tuple(self.names[k] for k in chosen.tolist()),
            rounds_played=None if self.rounds_played is None else self.rounds_played[chosen],
            mean_score=None if self.mean_score is None else self.mean_score[chosen],
            families=self.families_of(chosen),
            settings=take_settings(self.settings, chosen),
            members=self.members_of(chosen),
        )

    def members_of(self, chosen: Ints) -> dict[str, tuple[str, ...]] | None:
        """Members of those of them that are teams."""
        if self.members is None:
            return None
        names = [self.names[k] for k in chosen.tolist()]
        return {name: self.members[name] for name in names if name in self.members}

    def families_of(self, chosen: Ints) -> tuple[str, ...] | None:
        """Families of some of them, in the given order."""
        return None if self.families is None else tuple(self.families[k] for k in chosen.tolist())


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a board tells about itself besides its ratings.

    Attributes
    ----------
    matches, scheme, dropped, missing, duplicates : entries of `How`.
    notes : what to know of the data.
    options : what was asked for, where it was not the usual.
    cluster : what a cluster is: "round", "tournament", "battle" or a column.
    backend : library of the frame that came in.
    tournament : name, for a board of a season.
    crowd : players of all boards of the season together.
    schedule : names of the rounds; None for battles.
    """

    matches: MatchCounts
    scheme: Scheme
    notes: list[Note]
    cluster: str
    backend: str
    options: Mapping[str, Any]
    dropped: Dropped = field(default_factory=Dropped)
    missing: Missing = "skip"
    duplicates: Duplicates | Literal["keep"] = "keep"
    tournament: str | None = None
    crowd: int = 0
    schedule: Schedule | None = None
