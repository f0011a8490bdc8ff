"""Many leaderboards, one for each tournament."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit

from winodds.arrays import Floats, order_of
from winodds.board.codec import read_json
from winodds.board.errors import NoEvidence
from winodds.board.leader import BoardSota
from winodds.board.leaderboard import Leaderboard
from winodds.board.row import KINDS
from winodds.language.checks import check_between, check_count, check_seed
from winodds.language.notes import join_texts
from winodds.language.words import count
from winodds.season.lineup import Entries, Lineup
from winodds.season.map import (
    Names,
    OddTournaments,
    TournamentDistances,
    TournamentMap,
    draw_map,
    find_odd,
    measure_distances,
)
from winodds.season.placement import NewScores, Placement, place_scores
from winodds.show import present
from winodds.table.frames import build_frame

if TYPE_CHECKING:
    from winodds.show.charts.plots import Plots
    from winodds.show.figures.seasons import SeasonFigures

SCHEMA = "winodds/season/2"


@dataclass(frozen=True, slots=True)
class EppMatrix:
    """Ratings of all players in all tournaments.

    Attributes
    ----------
    players : (m,) by their mean EPP over tournaments, best first.
    families : (m,) of the players, or None.
    tournaments : (t,) in the order of the season.
    epp : (m, t) ratings; NaN where a player has no result.
    se : (m, t) their standard errors; NaN likewise.
    """

    players: tuple[str, ...]
    families: tuple[str, ...] | None
    tournaments: tuple[str, ...]
    epp: Floats
    se: Floats

    @property
    def p_average(self) -> Floats:
        """(m, t) probability of beating the average player, or the reference, in a new round."""
        return np.asarray(expit(self.epp), np.float64)


class Season(Mapping[str, Leaderboard]):
    """Leaderboards by the name of their tournament.

    Examples
    --------
    >>> import polars as pl, winodds
    >>> table = pl.DataFrame({
    ...     "model": ["A", "A", "A", "B", "B", "B"] * 2,
    ...     "data": ["iris"] * 6 + ["wine"] * 6,
    ...     "fold": [1, 2, 3] * 4,
    ...     "auc": [0.9, 0.8, 0.7, 0.8, 0.9, 0.6, 0.5, 0.6, 0.7, 0.8, 0.9, 0.6],
    ... })
    >>> season = winodds.rate_each(
    ...     table, player="model", round="fold", score="auc", tournament="data"
    ... )
    >>> list(season), season["wine"].players
    (['iris', 'wine'], ('B', 'A'))
    """

    def __init__(self, boards: Mapping[str, Leaderboard]) -> None:
        self._boards = dict(boards)

    def __getitem__(self, tournament: str) -> Leaderboard:
        return self._boards[tournament]

    def __iter__(self) -> Iterator[str]:
        return iter(self._boards)

    def __len__(self) -> int:
        return len(self._boards)

    def __repr__(self) -> str:
        return f"<Season: {count(len(self), 'leaderboard')}>"

    def matrix(self) -> EppMatrix:
        """Ratings of all players in all tournaments.

        Every tournament has a scale of its own: the average of all of its players, or the
        reference, is at 0. So scales are alike, also where a board is centred on those of its
        players who can be compared.

        Examples
        --------
        >>> import winodds.demo
        >>> found = winodds.demo.rate_results().matrix()
        >>> found.epp.shape, found.tournaments
        ((20, 4), ('breast_cancer', 'diabetes', 'digits', 'wine'))
        """
        names = sorted({player for board in self.values() for player in board.players})
        place = {player: k for k, player in enumerate(names)}
        epp, se = (np.full((len(names), len(self)), np.nan) for _ in range(2))
        family: dict[str, str] = {}
        for column, board in enumerate(self.values()):
            rows, found = [place[player] for player in board.players], board.around_all()
            epp[rows, column], se[rows, column] = found.value, found.se
            family |= dict(zip(board.players, board.families or (), strict=False))
        order = order_of(-np.nanmean(epp, axis=1)).tolist() if names else []
        players = tuple(names[k] for k in order)
        families = tuple(family.get(player, "") for player in players) if family else None
        return EppMatrix(players, families, tuple(self), epp[order], se[order])

    @cached_property
    def lineup(self) -> Lineup:
        """Who took part where, as numbers, for what is asked of all tournaments at once."""
        players = self.matrix().players
        place = {player: k for k, player in enumerate(players)}
        tournaments = []
        for board in self.values():
            if not board.whole:
                raise NoEvidence()
            places = np.array([place[player] for player in board.players], np.int64)
            tournaments.append(Entries(places, board.components))
        return Lineup(len(players), tuple(tournaments))

    @property
    def figures(self) -> "SeasonFigures":
        """Figures of the season as tables: boxes, settings, fill_in, matrix, biplot."""
        return present.SeasonFigures(self)

    @property
    def plot(self) -> "Plots":
        """The same figures as Altair charts; needs the extra ``winodds[report]``."""
        return present.Plots(self.figures)

    def look_closer(self, details: bool | None = True) -> None:
        """Compute details and quality of every board; None: of those where that is quick."""
        for board in self.values():
            board.look_closer(details)

    def sota(self, *, seed: int | None = None) -> dict[str, BoardSota]:
        """The leader of every tournament with its luck taken out, and that of each family.

        A best that is picked in each of many tournaments is picked by luck as often; see
        `Leaderboard.sota`.
        """
        return {name: board.sota(seed=seed) for name, board in self.items()}

    def odd(self) -> OddTournaments:
        """Which tournaments reverse the order of the others, over all players and by family.

        Examples
        --------
        >>> import winodds.demo
        >>> found = winodds.demo.rate_results(family="family").odd()
        >>> found.reversed, found.questions[0].answers[0].tournament
        ((), 'wine')
        """
        return find_odd(self.lineup, self._names())

    def distances(self) -> TournamentDistances:
        """How far apart the tournaments are: squared distances of ratings, without their noise.

        Examples
        --------
        >>> import winodds.demo
        >>> [near] = winodds.demo.rate_results().distances().nearest("wine", most=1)
        >>> near.second, round(near.square, 1), near.shared
        ('breast_cancer', 0.7, 20)
        """
        return measure_distances(self.lineup, self._names())

    def embedding(self, *, factors: int | None = None) -> TournamentMap:
        """Tournaments and players along the factors by which tournaments differ.

        Parameters
        ----------
        factors : how many; by default as many as the ratings call for.

        Examples
        --------
        >>> import winodds.demo
        >>> found = winodds.demo.rate_results().embedding(factors=2)
        >>> found.places.shape, found.directions.shape
        ((4, 2), (20, 2))
        """
        if factors is not None:
            check_count("factors", factors)
        return draw_map(self.lineup, self._names(), factors=factors)

    def place(
        self,
        scores: Any,
        *,
        player: str | None = None,
        round: str | None = None,
        score: str | None = None,
        higher_is_better: bool | None = None,
        level: float = 0.95,
        seed: int = 0,
    ) -> Placement:
        """What to expect of all players on a new data set, from a few scores there.

        Parameters
        ----------
        scores : a data frame with a row for every score, or a mapping from players to lists of
            their scores in rounds 1, 2, …, with None where there is none.
        player, round, score : columns of the data frame; by default those of the season's table,
            or "player", "round" and "score".
        higher_is_better : the direction of the scores; by default that of the season's.
        level : coverage of the intervals.
        seed : of the draws that chances rest on.

        Examples
        --------
        >>> import winodds.demo
        >>> found = winodds.demo.rate_results().place({
        ...     "svm(default)": [0.93, 0.95], "knn(default)": [0.9, 0.88],
        ...     "random_forest(default)": [0.91, 0.94],
        ... })
        >>> found.tournaments, [one.player for one in found.models if one.tried]
        (4, ['svm(default)', 'random_forest(default)', 'knn(default)'])
        """
        check_between("level", level, 0.0, 1.0)
        check_seed(seed)
        given = NewScores(
            scores, {"player": player, "round": round, "score": score}, higher_is_better
        )
        found = given.read([board.how.scheme for board in self.values()])
        return place_scores(self.lineup, self._names(), found, seed=seed, level=level)

    def _names(self) -> Names:
        table = self.matrix()
        return Names(table.players, table.tournaments, table.families)

    def report(
        self,
        path: str | Path,
        *,
        title: str | None = None,
        overview: Leaderboard | None = None,
        details: bool | None = None,
    ) -> Path:
        """Write the boards as one page that opens without a network; see `Leaderboard.report`.

        The page begins with the board ``overview`` if one is given: that of all tournaments
        together, which `winodds.rate` makes of the same table.
        """
        return present.write_report(
            self, Path(path), title=title, overview=overview, details=details
        )

    def frame(self, backend: str | None = None) -> Any:
        """All rows in one data frame, with the tournament as first column."""
        tables = {name: board.columns() for name, board in self.items()}
        first = next(iter(self.values()))
        stacked: dict[str, list[Any]] = {
            "tournament": [name for name, board in self.items() for _ in range(len(board))]
        }
        for column in first.columns():
            stacked[column] = [cell for table in tables.values() for cell in table[column]]
        stacked["notes"] = [join_texts(notes) for notes in stacked["notes"]]
        kinds = {"tournament": str, **KINDS}
        return build_frame(stacked, kinds, backend=backend or first.backend)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold, with nothing lost."""
        return {"schema": SCHEMA, "tournaments": [board.to_dict() for board in self.values()]}

    def to_json(self, *, indent: int | None = None) -> str:
        """The boards as JSON; `from_json` reads them back without loss."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> "Season":
        """The season that `to_json` wrote."""
        return read_json(text, SCHEMA, cls._from_dict)

    @classmethod
    def _from_dict(cls, data: Mapping[str, Any]) -> "Season":
        boards = [Leaderboard.from_dict(board) for board in data["tournaments"]]
        return cls({str(board.tournament): board for board in boards})
