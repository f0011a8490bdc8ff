"""Many leaderboards, one for each tournament."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np

from winodds.arrays import order_of
from winodds.board.circumstances import Entrants
from winodds.board.codec import read_json
from winodds.board.errors import NeverShared, NoEvidence, UnknownPlayer
from winodds.board.field import TWO_OR_NONE
from winodds.board.gate import Gate, judge_candidate, name_sides
from winodds.board.importance import Contest, Importance, weigh_hyperparameters
from winodds.board.invariants import checked_together, checked_tournaments
from winodds.board.leader import BoardSota
from winodds.board.leaderboard import Leaderboard
from winodds.board.quality import Quality
from winodds.board.row import KINDS
from winodds.board.shared import join_shared
from winodds.language.checks import check_between, check_count, check_listener, check_seed
from winodds.language.errors import BadOption, WinoddsError
from winodds.language.notes import Note, join_texts
from winodds.language.options import Judging
from winodds.language.words import count
from winodds.season.comparisons import (
    SeasonComparison,
    SeasonComparisons,
    compare_all,
    compare_two,
)
from winodds.season.families import FamilyTable, tabulate_families
from winodds.season.findings import Findings, gather_findings
from winodds.season.fits import Fits, rank_by_fit
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
from winodds.season.matrix import EppMatrix
from winodds.season.placement import NewScores, Placement, place_scores
from winodds.season.presence import Presence, Rescaled, find_presence, rescale
from winodds.season.standing import SeasonRow, make_standing
from winodds.season.tunability import Default, Tunability, measure_tunability
from winodds.show import present
from winodds.table.frames import build_frame
from winodds.table.names import close_names
from winodds.table.settings import Setting, Settings

if TYPE_CHECKING:
    from winodds.show.charts.plots import Plots
    from winodds.show.figures.seasons import SeasonFigures

SCHEMA = "winodds/season/2"

Together: TypeAlias = Leaderboard | WinoddsError | Callable[[], Leaderboard] | None
"""The board of all tournaments together, why there is none, or how to make it."""


class Season(present.Presented, Mapping[str, Leaderboard]):
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

    def __init__(self, boards: Mapping[str, Leaderboard], together: Together = None) -> None:
        self._boards = dict(boards)
        self._pooling = together

    def __getitem__(self, tournament: str) -> Leaderboard:
        return self._boards[tournament]

    def __iter__(self) -> Iterator[str]:
        return iter(self._boards)

    def __len__(self) -> int:
        return len(self._boards)

    def __repr__(self) -> str:
        return f"<Season: {count(len(self), 'leaderboard')}>"

    @property
    def together(self) -> Leaderboard | None:
        """The board of all tournaments together, which `winodds.rate` makes of the same table.

        It is rated when it is first asked for. None where there is a single tournament or where
        tournaments cannot be rated together, and then `apart` says why.

        Examples
        --------
        >>> import winodds.demo
        >>> winodds.demo.rate_results().together.players[0]
        'logistic_regression(C=0.96)'
        """
        return self._pooled if isinstance(self._pooled, Leaderboard) else None

    @property
    def apart(self) -> str:
        """Why there is no board of all tournaments together; empty where there is one."""
        return str(self._pooled) if isinstance(self._pooled, WinoddsError) else ""

    @cached_property
    def _pooled(self) -> Leaderboard | WinoddsError | None:
        if not callable(self._pooling):
            return self._pooling
        try:
            return self._pooling()
        except WinoddsError as error:
            return error

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
        ((20, 4), ('breast_cancer', 'digits', 'heart', 'wine'))
        """
        return self._matrix

    @cached_property
    def _matrix(self) -> EppMatrix:
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
        settings = self._settings(players)
        return EppMatrix(players, families, tuple(self), epp[order], se[order], settings)

    def _settings(self, players: Sequence[str]) -> Settings | None:
        """The players' hyperparameters in the order of these players."""
        known: dict[str, dict[str, Setting]] = {}
        for board in self.values():
            for name, own in (board.settings or {}).items():
                known.setdefault(name, {}).update(zip(board.players, own, strict=True))
        found = {name: tuple(own.get(who) for who in players) for name, own in known.items()}
        return found or None

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

    @overload
    def compare(self, a: str, b: str, *, level: float | None = None) -> SeasonComparison: ...
    @overload
    def compare(self, *, level: float | None = None) -> SeasonComparisons: ...
    def compare(
        self, a: str | None = None, b: str | None = None, *, level: float | None = None
    ) -> SeasonComparison | SeasonComparisons:
        """What ``a`` and ``b`` will do in a new tournament of this kind. Without names, all pairs.

        Players are compared by how their differences vary over the tournaments in which both took
        part; three are needed.

        Parameters
        ----------
        level : coverage of the intervals; by default that of the boards.

        Examples
        --------
        >>> import winodds.demo
        >>> season = winodds.demo.rate_results()
        >>> found = season.compare("random_forest(default)", "knn(default)")
        >>> found.shared, found.p_win_new.low < found.p_win_round.value < found.p_win_new.high
        (4, True)
        >>> len(season.compare())
        190
        """
        level, players = self._level(level), self.matrix().players
        if a is not None and b is not None:
            return compare_two(self.lineup, players, a, b, level=level)
        if a is not None or b is not None:
            raise BadOption(option="b" if b is None else "a", value=None, wanted=TWO_OR_NONE)
        return compare_all(self.lineup, players, level=level)

    def gate(
        self,
        baseline: str,
        candidate: str,
        *,
        margin: float | None = None,
        score_margin: float | None = None,
        candidate_season: "Season | None" = None,
        power: float = 0.8,
        level: float | None = None,
    ) -> Gate:
        """May ``candidate`` take the place of ``baseline``? By the tournaments that have both.

        Each of them counts once; with six or more the verdict is about new tournaments. With
        ``candidate_season`` the candidate is taken from there. The rest is as in
        `Leaderboard.gate`.
        """
        asked = Judging(
            margin=margin, score_margin=score_margin, power=power, level=self._level(level)
        )
        other = self if candidate_season is None else candidate_season
        for season, name in ((self, baseline), (other, candidate)):
            season._check_player(name)
        having, meeting = _rounds_of(self, baseline), _rounds_of(other, candidate)
        shared = [name for name in having if name in meeting]
        if not shared:
            raise NeverShared(baseline=baseline, candidate=candidate)
        there: Mapping[str, Leaderboard] = candidate_season or {}
        found = join_shared(
            [self[name].shared_rounds(baseline, candidate, there.get(name)) for name in shared],
            sum(rounds for name, rounds in having.items() if name not in meeting),
            sum(rounds for name, rounds in meeting.items() if name not in having),
        )
        unit = self[shared[0]].how.interval.cluster
        names = name_sides(baseline, candidate)
        return judge_candidate(found, names, asked, unit=unit, chosen=unit != "round")

    def _check_player(self, name: str) -> None:
        """Refuse a name that is on none of the boards."""
        known = {player for board in self.values() for player in board.players}
        if name not in known:
            close = close_names(name, sorted(known))
            raise UnknownPlayer(player=name, close=close, season=True)

    def _level(self, level: float | None) -> float:
        """The coverage that was asked for, or else that of the boards."""
        if level is None:
            return next((board.how.interval.level for board in self.values()), 0.95)
        return check_between("level", level, 0.0, 1.0)

    def standing(self) -> tuple[SeasonRow, ...]:
        """How every player did over all tournaments, by mean EPP."""
        table = self.matrix()
        first = Counter(
            player
            for board in self.values()
            for player, rank in zip(board.players, board.standings.rank.tolist(), strict=True)
            if rank == 1
        )
        return make_standing(table, np.array([first[player] for player in table.players]))

    def presence(self) -> Presence:
        """Who has a result in which tournament, by player and by family."""
        return find_presence(self.matrix())

    def rescaled(self, reference: str | None = None) -> Rescaled:
        """Ratings of all tournaments against one player, who is at 0 in each of them.

        Parameters
        ----------
        reference : its name; by default that with the most tournaments and, of several, the one
            nearest to the average. Tournaments without it are left out, and named.

        Examples
        --------
        >>> import winodds.demo
        >>> found = winodds.demo.rate_results().rescaled()
        >>> found.reference, found.left_out
        ('random_forest(max_depth=12)', ())
        """
        table = self.matrix()
        if reference is not None and reference not in table.players:
            close = close_names(reference, table.players)
            raise UnknownPlayer(player=reference, close=close, season=True)
        return rescale(table, self.lineup, reference)

    def odd(self) -> OddTournaments:
        """Which tournaments reverse the order of the others, over all players and by family.

        Examples
        --------
        >>> import winodds.demo
        >>> found = winodds.demo.rate_results(family="family").odd()
        >>> [(family, answer.tournament) for family, answer in found.reversed]
        [('random_forest', 'heart')]
        """
        return find_odd(self.lineup, self._names())

    def distances(self) -> TournamentDistances:
        """How far apart the tournaments are: squared distances of ratings, without their noise.

        Examples
        --------
        >>> import winodds.demo
        >>> [near] = winodds.demo.rate_results().distances().nearest("wine", most=1)
        >>> near.second, round(near.square, 1), near.shared
        ('digits', 1.0, 20)
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
        level: float | None = None,
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
        level : coverage of the intervals; by default that of the boards.
        seed : of the draws that chances rest on.

        Examples
        --------
        >>> import winodds.demo
        >>> found = winodds.demo.rate_results().place({
        ...     "gradient_boosting(default)": [0.93, 0.95], "knn(default)": [0.9, 0.88],
        ...     "random_forest(default)": [0.91, 0.94],
        ... })
        >>> found.tournaments, [one.player for one in found.models if one.tried]
        (4, ['gradient_boosting(default)', 'random_forest(default)', 'knn(default)'])
        """
        level = self._level(level)
        check_seed(seed)
        given = NewScores(
            scores, {"player": player, "round": round, "score": score}, higher_is_better
        )
        found = given.read([board.how.scheme for board in self.values()])
        return place_scores(self.lineup, self._names(), found, seed=seed, level=level)

    def _names(self) -> Names:
        table = self.matrix()
        return Names(table.players, table.tournaments, table.families)

    def findings(
        self,
        *,
        together: Leaderboard | None = None,
        default: Default = None,
        level: float | None = None,
    ) -> Findings:
        """Everything that the season tells: what a benchmark's maintainer would publish.

        Parameters
        ----------
        together : the board of all tournaments together, which `winodds.rate` makes of the same
            table.
        default : which setting of each family is its default; see `tunability`.
        level : coverage of intervals about new tournaments; by default that of the boards.
        """
        return gather_findings(self, together=together, default=default, level=self._level(level))

    @property
    def figures(self) -> "SeasonFigures":
        """Figures of the season as tables.

        new_data_set, family_matrix, tunability, boxes, settings, fill_in, matrix, biplot.
        """
        return present.SeasonFigures(self)

    @property
    def plot(self) -> "Plots":
        """The same figures as Altair charts; needs the extra ``winodds[report]``."""
        return present.Plots(self.figures)

    def look_closer(self, details: bool | None = True) -> None:
        """Compute details and quality of every board; None: of those where that is quick.

        That of all tournaments together is one of them.
        """
        for board in filter(None, [self.together, *self.values()]):
            board.look_closer(details)

    def sota(self, *, seed: int | None = None) -> dict[str, BoardSota]:
        """The leader of every tournament with its luck taken out, and that of each family.

        A best that is picked in each of many tournaments is picked by luck as often; see
        `Leaderboard.sota`.
        """
        return {name: board.sota(seed=seed) for name, board in self.items()}

    def families(self, *, seed: int | None = None) -> FamilyTable:
        """The best of each family in every tournament and over all, and which beats which.

        Parameters
        ----------
        seed : of the draws that take luck out; by default that of the boards.

        Examples
        --------
        >>> import winodds.demo
        >>> found = winodds.demo.rate_results(family="family").families()
        >>> pair = found.pair("random_forest", "knn")
        >>> pair.p_win.value > 0.5, pair.tournaments
        (True, 4)
        """
        return tabulate_families(self, seed)

    def tunability(self, *, default: Default = None, seed: int | None = None) -> Tunability:
        """What tuning gains: how often the best of each family beats its default.

        Parameters
        ----------
        default : the default of each family: a mapping from families to players, an ending of
            their names, or a function of a name; by default the median of the family.
        seed : of the draws that take luck out; by default that of the boards.

        Examples
        --------
        >>> import winodds.demo
        >>> season = winodds.demo.rate_results(family="family")
        >>> found = season.tunability(default="(default)")
        >>> found.families[-1].family, found.families[-1].recommended
        ('logistic_regression', 'logistic_regression(C=0.96)')
        """
        return measure_tunability(self, default, seed)

    def importance(self, family: str | None = None) -> Importance:
        """Which hyperparameters matter: their shares of the variance of true ratings, by family.

        In every tournament, and over all of them; the boards must know the players'
        ``hyperparameters``. See `Leaderboard.importance`.
        """
        table, first = self.matrix(), next(iter(self.values()))
        contests = [
            Contest(name, entries.places, entries.components)
            for name, entries in zip(self, self.lineup.tournaments, strict=True)
        ]
        return weigh_hyperparameters(
            Entrants(table.players, None, None, table.families, table.settings),
            contests,
            family=family,
            level=first.how.interval.level,
            seed=first.how.details.seed,
        )

    def report(
        self,
        path: str | Path,
        *,
        title: str | None = None,
        overview: Leaderboard | None = None,
        details: bool | None = None,
        findings: Findings | None = None,
    ) -> Path:
        """Write the boards as one page that opens without a network; see `Leaderboard.report`.

        The page begins with the board ``overview`` if one is given: that of all tournaments
        together, which `winodds.rate` makes of the same table. What the season tells stands before
        all boards; ``findings`` are that, if they are known already, as from `findings` with the
        defaults of families.
        """
        return present.write_report(
            self,
            Path(path),
            title=title,
            overview=overview,
            details=details,
            findings=findings,
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

    def to_pandas(self) -> Any:
        """All rows in one pandas data frame."""
        return self.frame("pandas")

    def to_polars(self) -> Any:
        """All rows in one polars data frame."""
        return self.frame("polars")

    def shared_notes(self) -> tuple[Note, ...]:
        """Notes that all boards have."""
        first, *others = (board.notes for board in self.values())
        return tuple(note for note in first if all(note in other for other in others))

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold, with nothing lost."""
        together = {} if self.together is None else {"together": self.together.to_dict()}
        boards = [board.to_dict() for board in self.values()]
        return {"schema": SCHEMA, **together, "tournaments": boards}

    def to_json(self, *, indent: int | None = None) -> str:
        """The boards as JSON; `from_json` reads them back without loss."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> "Season":
        """The season that `to_json` wrote."""
        return read_json(text, SCHEMA, cls._from_dict)

    @classmethod
    def _from_dict(cls, data: Mapping[str, Any]) -> "Season":
        given = checked_tournaments(data.get("tournaments"))
        boards = [Leaderboard.from_dict(board) for board in given]
        pooled = checked_together(data.get("together"))
        together = None if pooled is None else Leaderboard.from_dict(pooled)
        return cls({str(board.tournament): board for board in boards}, together)

    def fits(self, *, n_jobs: int = 1, progress: Callable[[int, int], None] | None = None) -> Fits:
        """How many boards fit, which fit best, and how the best and the worst of them do.

        A board fits where its ratings explain who beat whom as well as if they were true; see
        `Leaderboard.quality`. The qualities are kept, and shown on the boards from then on.

        Parameters
        ----------
        n_jobs : how many workers judge a board; the result is the same for any number.
        progress : called after each board with the number of boards done and of all.

        Examples
        --------
        >>> import winodds.demo
        >>> found = winodds.demo.rate_results().fits()
        >>> found.fitting, len(found.boards), found.boards[0].tournament
        (1, 4, 'breast_cancer')
        """
        if progress is not None:
            check_listener("progress", progress)
        qualities: dict[str, Quality] = {}
        for name, board in self.items():
            qualities[name] = board.quality(n_jobs=n_jobs)
            if progress is not None:
                progress(len(qualities), len(self))
        return rank_by_fit(qualities)


def _rounds_of(season: Season, player: str) -> dict[str, int]:
    """How many rounds a player has, by the tournament in which it takes part."""
    return {
        name: board.row(player).rounds or 0
        for name, board in season.items()
        if player in board.players
    }
