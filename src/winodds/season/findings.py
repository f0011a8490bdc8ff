"""Everything that a season tells, gathered: what a benchmark's maintainer would publish."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from winodds.arrays import Floats
from winodds.board.importance import Importance
from winodds.board.leaderboard import Leaderboard
from winodds.board.relation import Relation
from winodds.language.errors import DataError
from winodds.language.notes import Note, tell_in
from winodds.language.nouns import HOUSE, Nouns
from winodds.season import notes as note
from winodds.season.comparisons import SeasonComparisons, compare_with
from winodds.season.errors import NoFamilies
from winodds.season.families import FamilyTable
from winodds.season.fits import Fits
from winodds.season.map import OddTournaments, TournamentDistances, TournamentMap
from winodds.season.matrix import EppMatrix
from winodds.season.presence import Presence
from winodds.season.standing import SeasonRow
from winodds.season.tunability import Default, Tunability
from winodds.show import present

if TYPE_CHECKING:
    from winodds.season.season import Season

SCHEMA = "winodds/findings/1"

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Findings(present.Presented):
    """What a season tells. What it cannot tell is None, and a note says why.

    Attributes
    ----------
    boards : by tournament.
    matrix, standing, presence : ratings, how players did over all, and who took part where.
    together : the board of all tournaments together, if it was given.
    leader : first on that board, or else by mean EPP.
    against : the leader against each of the others, on a new tournament.
    families : the best of each family; None where no families are known.
    tunability : what tuning gains; None likewise.
    importance : which hyperparameters matter; None where none are known.
    embedding, distances, odd : which tournaments are alike, and which run against the others.
    fits : how many boards their ratings explain; None where nobody looked.
    relations : how mean scores go with ratings, by tournament.
    notes : scope and doubts.
    """

    boards: Mapping[str, Leaderboard]
    matrix: EppMatrix
    standing: tuple[SeasonRow, ...]
    presence: Presence
    together: Leaderboard | None
    leader: str
    against: SeasonComparisons | None
    families: FamilyTable | None
    tunability: Tunability | None
    importance: Importance | None
    embedding: TournamentMap | None
    distances: TournamentDistances | None
    odd: OddTournaments | None
    fits: Fits | None
    relations: Mapping[str, Relation]
    notes: tuple[Note, ...]

    @property
    def nouns(self) -> Nouns:
        """What players, rounds and tournaments are called, by the columns of the table."""
        return next((board.how.nouns for board in self.boards.values()), HOUSE)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; gaps of matrices are None."""
        return {
            "schema": SCHEMA,
            "tournaments": list(self.matrix.tournaments),
            "players": list(self.matrix.players),
            "epp": _cells(self.matrix.epp),
            "se": _cells(self.matrix.se),
            "p_average": _cells(self.matrix.p_average),
            "standing": [asdict(row) for row in self.standing],
            "presence": self.presence.to_dict(),
            "leader": self.leader,
            "against": None if self.against is None else self.against.to_dict(),
            "families": _plain(self.families),
            "tunability": _plain(self.tunability),
            "importance": _plain(self.importance),
            "embedding": _plain(self.embedding),
            "distances": _plain(self.distances),
            "odd": _plain(self.odd),
            "fits": _plain(self.fits),
            "relations": {name: one.to_dict() for name, one in self.relations.items()},
            "notes": [one.to_dict() for one in self.notes],
        }


def _plain(found: Any) -> Any:
    return None if found is None else found.to_dict()


def _cells(values: Floats) -> list[list[float | None]]:
    return [[None if np.isnan(own) else own for own in row] for row in values.tolist()]


class _Gathering:
    """Asks one question after the other, and notes what has no answer."""

    def __init__(self) -> None:
        self.notes: list[Note] = []

    def ask(self, about: str, call: Callable[[], Found]) -> Found | None:
        """The answer; None, and a note, where the data have none."""
        try:
            return call()
        except DataError as error:
            self.notes.append(note.not_told(about, str(error)))
            return None


def gather_findings(
    season: "Season", *, together: Leaderboard | None, default: Default, level: float
) -> Findings:
    """Ask a season everything.

    Parameters
    ----------
    season : the boards.
    together : the board of all tournaments together.
    default : which setting of a family is its default.
    level : coverage of intervals.
    """
    gathering = _Gathering()
    ask = gathering.ask
    table = season.matrix()
    known = table.families is not None
    if default is not None and not known:
        raise NoFamilies()
    leader = table.players[0] if together is None else together.players[0]
    nouns = season.nouns
    against = ask(
        f"a new {nouns.data_set}",
        lambda: tell_in(nouns, compare_with(season.lineup, table.players, leader, level=level)),
    )
    return Findings(
        boards=season,
        matrix=table,
        standing=season.standing(),
        presence=season.presence(),
        together=together,
        leader=leader,
        against=against,
        families=ask("the best of each family", season.families) if known else None,
        tunability=ask("tuning", lambda: season.tunability(default=default)) if known else None,
        importance=ask("hyperparameters", season.importance) if table.settings else None,
        embedding=ask(f"a map of {nouns.data_sets}", season.embedding),
        distances=ask(f"distances of {nouns.data_sets}", season.distances),
        odd=ask(f"odd {nouns.data_sets}", season.odd),
        fits=season.fits() if all(board.assessed for board in season.values()) else None,
        relations=_relations(season),
        notes=tuple(gathering.notes),
    )


def _relations(season: "Season") -> dict[str, Relation]:
    """How mean scores go with ratings, on boards that have both."""
    found = {}
    for name, board in season.items():
        try:
            found[name] = board.relation()
        except DataError:
            continue
    return found
