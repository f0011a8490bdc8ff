"""The leaderboard: rows, how it was obtained, its doubts; frame and JSON, out and in."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints, overload

import numpy as np
from scipy.special import expit

from winodds.arrays import Floats, Ints
from winodds.board.bootstrap import Bootstrap
from winodds.board.comparisons import (
    Comparison,
    Comparisons,
    Estimate,
    compare_all,
    compare_two,
    make_estimates,
)
from winodds.board.errors import (
    BrokenJson,
    NoCommonScale,
    NoCompleteRounds,
    NoEvidence,
    NotJson,
    SamePlayer,
    SchemaUnknown,
    UnknownPlayer,
)
from winodds.board.evidence import Evidence
from winodds.board.leader import BoardSota, take_luck_out
from winodds.board.placing import REPLICATES, Placing, place_players, replicate
from winodds.board.quality import Quality, assess
from winodds.inference.friedman import Friedman, average_ranks, friedman
from winodds.inference.intervals import Estimates
from winodds.language.checks import check_between, check_choice, check_count, check_seed
from winodds.language.errors import BadOption, WinoddsError
from winodds.language.options import Adjustment, Convention, IntervalKind
from winodds.matches.games import Duel, score_table
from winodds.matches.wins import Battles
from winodds.table.frames import build_frame
from winodds.table.names import close_names
from winodds.table.schedule import Schedule

if TYPE_CHECKING:
    from winodds.show.charts.board_plots import BoardPlots
    from winodds.show.figures.boards import BoardFigures

SCHEMA = "winodds/leaderboard/1"
DETAILS = ("rank_low", "rank_high", "p_best", "group", "quasi_se")
"""Columns that take longer, and may be left out."""

TWO_OR_NONE = "name two players, or none for all pairs"

Result = TypeVar("Result")


def _column(help_text: str) -> Any:
    return field(metadata={"help": help_text})


@dataclass(frozen=True, slots=True)
class Row:
    """One player of a leaderboard. The columns of every output are declared here and only here."""

    rank: int = _column("Place by EPP, 1 is the best; players with equal ratings share a place.")
    rank_low: int | None = _column(
        "Best place that the player could truly have; the ranges of all players hold at once, and "
        "may be wider than the letters of groups suggest."
    )
    rank_high: int | None = _column("Worst place that the player could truly have.")
    player: str = _column("Name of the player: a model, with its settings if they vary.")
    family: str | None = _column(
        "The player's family, such as its algorithm; empty where none is given."
    )
    epp: float = _column(
        "Elo-based predictive power: the log-odds of beating the average player (or the reference "
        "player) in a new round. Differences of EPP are log-odds of beating each other."
    )
    se: float = _column("Standard error of the EPP.")
    low: float | None = _column("Lower end of the EPP's interval; empty when it is open.")
    high: float | None = _column("Upper end of the EPP's interval; empty when it is open.")
    p_average: float = _column("Probability of beating the average player in a new round.")
    p_best: float | None = _column(
        "How often the player is rated highest when rounds (or other clusters) are drawn with "
        "replacement, and spread further where splits share training data: how firm the first "
        "place is."
    )
    group: str | None = _column(
        "Letters; players who share one cannot be told apart when all pairs are compared at once "
        "(Holm's adjustment), players who share none are."
    )
    quasi_se: float | None = _column(
        "Quasi-standard error, as papers print it: the model-based error of the difference of two "
        "players is about the root of the sum of their squares. It takes matches as independent."
    )
    wins: float = _column("Matches won; a tie counts one half.")
    matches: int = _column("Matches played.")
    rounds: int | None = _column("Rounds in which the player took part; empty for battles.")
    mean_score: float | None = _column(
        "Mean of the player's scores; empty for battles and where rounds differ in direction."
    )
    notes: tuple[str, ...] = _column("Doubts about this row.")


COLUMNS: dict[str, str] = {column.name: column.metadata["help"] for column in fields(Row)}
"""Columns of a leaderboard with their help texts, in order."""

KINDS: dict[str, type] = {
    name: next(kind for kind in (int, float, str) if kind in (get_args(hint) or (hint,)))
    for name, hint in get_type_hints(Row).items()
}
"""What the columns of a data frame hold: int, float or str."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Players who cannot be told apart, and the range of their EPP."""

    players: tuple[str, ...]
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class How:
    """How a leaderboard was obtained.

    Attributes
    ----------
    estimator : "bias-reduced", "mle" or "ridge".
    prior_sd : standard deviation of the ridge prior, else None.
    interval : kind, level, cluster (what it is) and clusters (how many), test_fraction.
    matches : kind, count, ties, tie_tolerance, rounds (how many, None for battles).
    scheme : roles and the columns that play them.
    dropped : what the table held that plays no part.
    missing, duplicates : the rules for runs without a score and pairs with several.
    reference : the player whose rating is 0, or None for the average.
    iterations : Newton steps of the fit.
    details : whether rank ranges, groups, chances of being best and quality are shown, with how
        many bootstrap replicates and simulated tables, and from which seed.
    version : of Winodds.
    options : what was asked for, by the names of the options, where it was not the usual.
    """

    estimator: str
    prior_sd: float | None
    interval: Mapping[str, Any]
    matches: Mapping[str, Any]
    scheme: Mapping[str, Any]
    dropped: Mapping[str, Any]
    missing: str
    duplicates: str
    reference: str | None
    iterations: int
    details: Mapping[str, Any]
    version: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def new_tournaments(self) -> bool:
        """Whether intervals are for new tournaments, and not for new rounds of these."""
        return (self.interval["kind"], self.interval["cluster"]) == ("robust", "tournament")


@dataclass(frozen=True, slots=True)
class Standings:
    """Columns of the board as arrays, best player first; open ends are infinite.

    Those that take longer are in `Leaderboard.ranks`.
    """

    rank: Ints
    epp: Floats
    se: Floats
    low: Floats
    high: Floats
    p_average: Floats
    wins: Floats
    matches: Ints
    rounds: Ints | None
    mean_score: Floats | None


class Leaderboard:
    """Players in the order of their ratings, with intervals, doubts and how it was all obtained.

    Attributes
    ----------
    players : names, best first.
    rows : a sequence of `Row`, made when looked at.
    standings : the same numbers as arrays.
    how : how the board was obtained.
    notes : doubts about the board as a whole, in sentences.
    families : names of the players' families in the same order, or None.
    tournament : name of the tournament, for a board of a season.
    schedule : names of the rounds; None for battles.

    Examples
    --------
    >>> import polars as pl, winodds
    >>> table = pl.DataFrame({
    ...     "player": ["A"] * 4 + ["B"] * 4,
    ...     "round": [1, 2, 3, 4] * 2,
    ...     "score": [0.8, 0.8, 0.8, 0.8, 0.9, 0.78, 0.78, 0.78],
    ... })
    >>> board = winodds.rate(table, higher_is_better=True)
    >>> board.players
    ('A', 'B')
    >>> round(board.win_probability("A", "B").value, 2)
    0.7
    """

    __slots__ = (
        "_evidence",
        "_place",
        "_quality",
        "_ranks",
        "_row_notes",
        "backend",
        "families",
        "how",
        "notes",
        "players",
        "schedule",
        "standings",
        "tournament",
    )

    def __init__(
        self,
        *,
        players: tuple[str, ...],
        standings: Standings,
        row_notes: Mapping[int, tuple[str, ...]],
        how: How,
        notes: tuple[str, ...],
        evidence: tuple[Evidence, ...],
        backend: str,
        families: tuple[str, ...] | None = None,
        tournament: str | None = None,
        schedule: Schedule | None = None,
        ranks: Placing | None = None,
        quality: Quality | None = None,
    ) -> None:
        self.players = players
        self.families = families
        self.standings = standings
        self.how = how
        self.notes = notes
        self.backend = backend
        self.tournament = tournament
        self.schedule = schedule
        self._row_notes = dict(row_notes)
        self._evidence = evidence
        self._place: dict[str, int] = {}
        self._ranks = ranks
        self._quality = quality

    # Rows -----------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.players)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    @property
    def rows(self) -> "Rows":
        return Rows(self)

    def row(self, player: str) -> Row:
        """The row of one player."""
        return self.rows[self._find(player)]

    def row_notes(self, place: int) -> tuple[str, ...]:
        """Notes of the row at a place, 0 is the first."""
        return self._row_notes.get(place, ())

    # Pairs ----------------------------------------------------------------------------------------

    def difference(self, a: str, b: str) -> Estimate:
        """How much higher ``a`` is rated than ``b``, in log-odds, with its interval."""
        return make_estimates(self.differences([a], [b]))[0]

    def win_probability(self, a: str, b: str) -> Estimate:
        """Probability that ``a`` beats ``b`` in a new round, with its interval.

        An end that is open in log-odds is 0 or 1 here.
        """
        return make_estimates(self.differences([a], [b]))[1]

    def odds(self, a: str, b: str) -> Estimate:
        """Odds that ``a`` beats ``b`` in a new round, with their interval.

        An end that is open in log-odds is 0 below and None above.
        """
        return make_estimates(self.differences([a], [b]))[2]

    def duel(self, a: str, b: str) -> Duel:
        """How many matches ``a`` won, lost and tied against ``b``."""
        met = self._pair(a, b)
        return Duel(0, 0, 0) if met is None else met[0].games.duel(*met[1])

    def identical(self, a: str, b: str) -> bool:
        """Whether two players have the same score in every round in which either took part."""
        met = self._pair(a, b)
        return met is not None and met[0].games.same_scores(*met[1])

    @overload
    def compare(
        self, a: str, b: str, *, test: IntervalKind | None = None, power: float = 0.8
    ) -> Comparison: ...
    @overload
    def compare(
        self,
        *,
        test: IntervalKind | None = None,
        adjust: Adjustment = "holm",
        seed: int | None = None,
    ) -> Comparisons: ...
    def compare(
        self,
        a: str | None = None,
        b: str | None = None,
        *,
        test: IntervalKind | None = None,
        adjust: Adjustment = "holm",
        power: float = 0.8,
        seed: int | None = None,
    ) -> Comparison | Comparisons:
        """Is ``a`` really better than ``b``? Without names, all pairs.

        Parameters
        ----------
        test : "robust" (clusters are independent) or "model" (all matches are, which they are
            not); by default as the board's intervals.
        adjust : for all pairs: "holm" (no false claim at all, with the level's probability), "bh"
            (few of the claims are false), "max-t" (as Holm, through sign flips of whole clusters)
            or "none".
        power : for two players: the chance with which the data that are said to be needed would
            show the difference.
        seed : of the sign flips; by default that of the board.

        Examples
        --------
        >>> import winodds.demo
        >>> board = winodds.demo.rate_results()["digits"]
        >>> found = board.compare(board.players[0], board.players[1])
        >>> found.rounds.won + found.rounds.lost + found.rounds.tied
        20
        >>> len(board.compare())
        190
        """
        kind: IntervalKind = test if test is not None else self.how.interval["kind"]
        check_choice("test", kind, get_args(IntervalKind))
        check_choice("adjust", adjust, get_args(Adjustment))
        check_between("power", power, 0.0, 1.0)
        if a is not None and b is not None:
            return self._compare_two(a, b, kind, power)
        if a is not None or b is not None:
            raise BadOption(option="b" if b is None else "a", value=None, wanted=TWO_OR_NONE)
        self._one_group()
        return compare_all(
            self._evidence[0], self.players, adjust=adjust, test=kind, seed=self._seed(seed)
        )

    def _compare_two(self, a: str, b: str, test: IntervalKind, power: float) -> Comparison:
        if self._find(a) == self._find(b):
            raise SamePlayer(player=a)
        met = self._pair(a, b)
        if met is None:
            raise NoCommonScale(first=a, second=b)
        return compare_two(
            met[0],
            (a, b),
            met[1],
            test=test,
            power=power,
            unit=self.how.interval["cluster"],
            ties=self.how.matches["ties"] > 0,
        )

    # The board as a whole -------------------------------------------------------------------------

    @property
    def ranks(self) -> Placing:
        """Rank ranges, chances of being best, groups and quasi-errors, computed when asked for."""
        if self._ranks is None:
            self._groups()
            level, seed = self.how.interval["level"], self.how.details["seed"]
            self._ranks = place_players(self._evidence, level, seed)
        return self._ranks

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Players who cannot be told apart, best group first."""
        return tuple(tuple(self.players[k] for k in members) for members in self.ranks.groups)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """The groups as bars of a critical-difference diagram, on the scale of the EPP."""
        return self.bars_of(self.groups)

    def bars_of(self, groups: Sequence[tuple[str, ...]]) -> tuple[Bar, ...]:
        """The same for other groups of its players, such as those of `compare`, best first."""
        epp = self.standings.epp
        return tuple(
            Bar(names, float(epp[self._find(names[-1])]), float(epp[self._find(names[0])]))
            for names in groups
        )

    @property
    def could_be_best(self) -> tuple[str, ...]:
        """Players whose rank range begins with 1."""
        first = np.flatnonzero(self.ranks.rank_low == 1)
        return tuple(self.players[k] for k in first.tolist())

    @property
    def quality(self) -> Quality:
        """How well the ratings explain who beat whom, computed when asked for."""
        if self._quality is None:
            self._quality = self.assess()
        return self._quality

    def assess(
        self,
        *,
        convention: Convention | None = None,
        simulations: int | None = None,
        seed: int | None = None,
        n_jobs: int = 1,
        progress: Callable[[int, int], None] | None = None,
    ) -> Quality:
        """The board's quality with other settings than `quality` has.

        Parameters
        ----------
        convention : "pairs" or "paper"; by default as the board was asked for.
        simulations : tables that the p-value rests on at most; by default 500, or 100 where
            tables are large.
        seed : of the random numbers; by default that of the board.
        n_jobs : how many workers; the result is the same for any number.
        progress : called with the number of calls done and of all.
        """
        chosen: Convention = convention or self.how.details["convention"]
        check_choice("convention", chosen, get_args(Convention))
        if simulations is not None:
            check_count("simulations", simulations)
        self._groups()
        return assess(
            self._evidence,
            self.players,
            convention=chosen,
            seed=self._seed(seed),
            simulations=simulations,
            n_jobs=n_jobs,
            progress=progress,
        )

    def bootstrap(
        self,
        *,
        replicates: int = REPLICATES,
        seed: int | None = None,
        n_jobs: int = 1,
        progress: Callable[[int, int], None] | None = None,
    ) -> Bootstrap:
        """Ratings when clusters (rounds, data sets, battles) are drawn with replacement.

        Replicates are bias-reduced also on a board of maximum-likelihood ratings, because these
        often do not exist in a replicate.

        Parameters
        ----------
        replicates : how many.
        seed : of the random numbers; by default that of the board.
        n_jobs : how many workers; the result is the same for any number.
        progress : called with the number of calls done and of all.
        """
        check_count("replicates", replicates)
        number, _ = self._groups()
        ratings, observed = np.empty((replicates, len(self))), np.empty(len(self))
        for group in self._evidence:
            ratings[:, group.players] = replicate(
                group, replicates, self._seed(seed), n_jobs=n_jobs, progress=progress
            )
            observed[group.players] = group.lasting
        if self.how.reference is not None:
            zero = self._find(self.how.reference)
            ratings = ratings - ratings[:, [zero]]
            observed = observed - observed[zero]
        level = self.how.interval["level"]
        return Bootstrap(self.players, ratings, observed, number, level, self._seed(seed))

    def sota(self, *, seed: int | None = None) -> BoardSota:
        """The leader's rating with luck taken out, and that of the best of every family.

        The highest rating is the highest partly by luck, and so is every other best that is picked.
        Empirical Bayes draws it back by as much as the ratings' uncertainty calls for.

        Parameters
        ----------
        seed : of the draws that intervals rest on; by default that of the board.

        Examples
        --------
        >>> import winodds.demo
        >>> board = winodds.demo.rate_results()["digits"]
        >>> leader = board.sota().leader
        >>> leader.player == board.players[0], leader.sota < leader.epp
        (True, True)
        """
        self._one_group()
        return take_luck_out(
            self._evidence[0],
            self.players,
            families=self.families,
            level=self.how.interval["level"],
            new_tournaments=self.how.new_tournaments,
            seed=self._seed(seed),
            reference=self.how.reference,
        )

    @property
    def has_one_scale(self) -> bool:
        """Whether all players are there and can be compared with each other."""
        return len(self._evidence) == 1

    def _one_group(self) -> None:
        """Refuse a board whose players do not all share a scale."""
        self._groups()
        if not self.has_one_scale:
            first, second = (self.players[int(group.players[0])] for group in self._evidence[:2])
            raise NoCommonScale(first=first, second=second)

    def _seed(self, seed: int | None) -> int:
        """The seed, by default that of the board."""
        return int(self.how.details["seed"]) if seed is None else check_seed(seed)

    def friedman(self) -> Friedman:
        """Friedman's and Iman and Davenport's tests on the rounds in which everyone took part.

        Where clusters are larger than rounds, such as pooled data sets, ranks are averaged within
        a cluster first. Weights, tolerances and overlapping splits play no part.
        """
        if len(self._evidence) != 1 or isinstance(self._evidence[0].games.played, Battles):
            raise NoCompleteRounds(rounds=0)
        group = self._evidence[0]
        results = group.games.results
        table = score_table(results)[:, np.argsort(group.players)]
        complete = ~np.isnan(table).any(axis=1)
        if complete.sum() < 2:
            raise NoCompleteRounds(rounds=int(complete.sum()))
        return friedman(average_ranks(table[complete], results.cluster[complete]))

    def differences(self, a: Sequence[str], b: Sequence[str]) -> Estimates:
        """Differences of many pairs at once, ``a[k]`` against ``b[k]``, as arrays."""
        if len(a) != len(b):
            wanted = f"it names as many players as a, {len(a)}"
            raise BadOption(option="b", value=list(b), wanted=wanted)
        first = np.array([self._find(player) for player in a], np.int64)
        second = np.array([self._find(player) for player in b], np.int64)
        group, index = self._groups()
        apart = np.flatnonzero(group[first] != group[second])
        if apart.size:
            raise NoCommonScale(first=a[int(apart[0])], second=b[int(apart[0])])
        result = Estimates(*(np.empty(first.size) for _ in range(4)))
        for number, evidence in enumerate(self._evidence):
            inside = group[first] == number
            found = evidence.compare(index[first[inside]], index[second[inside]])
            for name in ("value", "se", "low", "high"):
                getattr(result, name)[inside] = getattr(found, name)
        return result

    def win_matrix(self) -> Floats:
        """(m, m) probability that the row's player beats the column's, in the order of ``players``.

        NaN between players of groups that never met.
        """
        matrix = np.full((len(self), len(self)), np.nan)
        for group in self._evidence:
            beta = group.intervals.beta
            matrix[np.ix_(group.players, group.players)] = expit(beta[:, None] - beta[None, :])
        return matrix

    def error_matrix(self) -> Floats:
        """(m, m) standard errors of all differences, in the order of ``players``.

        NaN between players of groups that never met.
        """
        matrix = np.full((len(self), len(self)), np.nan)
        for group in self._evidence:
            errors = group.uncertainty.contrast_matrix().se
            matrix[np.ix_(group.players, group.players)] = errors
        return matrix

    def comparable(self, a: str, b: str) -> bool:
        """Whether two players share a scale, as they do unless their groups never met.

        A board that holds only its first rows compares nobody.
        """
        if not self.whole:
            return False
        group, _ = self._groups()
        return bool(group[self._find(a)] == group[self._find(b)])

    def _pair(self, a: str, b: str) -> tuple[Evidence, tuple[int, int]] | None:
        """The group of two players with their indices there; None if they are of different ones."""
        first, second = self._find(a), self._find(b)
        group, index = self._groups()
        if group[first] != group[second]:
            return None
        return self._evidence[int(group[first])], (int(index[first]), int(index[second]))

    def _groups(self) -> tuple[Ints, Ints]:
        """(m,) for every place, the number of its group and its index there."""
        if not self._evidence:
            raise NoEvidence()
        group, index = np.empty(len(self), np.int64), np.empty(len(self), np.int64)
        for number, evidence in enumerate(self._evidence):
            group[evidence.players] = number
            index[evidence.players] = np.arange(evidence.players.size)
        return group, index

    def _find(self, player: str) -> int:
        if not self._place:
            self._place.update({name: k for k, name in enumerate(self.players)})
        if player not in self._place:
            raise UnknownPlayer(player=player, close=close_names(player, self.players))
        return self._place[player]

    # Out and in -----------------------------------------------------------------------------------

    def columns(self) -> dict[str, list[Any]]:
        """The columns as lists; open ends and what does not exist are None."""
        cells: dict[str, list[Any]] = {
            column.name: _cells(getattr(self.standings, column.name), len(self))
            for column in fields(Standings)
        }
        cells |= self._detail_columns()
        cells["player"] = list(self.players)
        cells["family"] = [None] * len(self) if self.families is None else list(self.families)
        cells["notes"] = [self.row_notes(place) for place in range(len(self))]
        return {name: cells[name] for name in COLUMNS}

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Games and ratings of each group of players that met; nothing on a board that was cut."""
        return self._evidence

    @property
    def whole(self) -> bool:
        """Whether all players are there, and not only the first of a longer board."""
        return bool(self._evidence)

    @property
    def detailed(self) -> bool:
        """Whether rows and outputs show ranks and quality."""
        return bool(self.how.details["shown"])

    def _detail_columns(self) -> dict[str, list[Any]]:
        if not self.detailed:
            return {name: [None] * len(self) for name in DETAILS}
        return {name: _cells(getattr(self.ranks, name), len(self)) for name in DETAILS}

    def frame(self, backend: str | None = None) -> Any:
        """The rows as a data frame, of the kind the scores came in or of the named library.

        Notes of a row are joined by semicolons.
        """
        columns = self.columns()
        columns["notes"] = ["; ".join(notes) for notes in columns["notes"]]
        return build_frame(columns, KINDS, backend=backend or self.backend)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold, with nothing lost."""
        columns = self.columns()
        how = asdict(self.how)
        return {
            "schema": SCHEMA,
            "tournament": self.tournament,
            "players": [
                dict(zip(columns, cells, strict=True))
                for cells in zip(*columns.values(), strict=True)
            ],
            **how,
            "ranking": self._ranking_to_dict(),
            "quality": self.quality.to_dict() if self.detailed else None,
            "notes": list(self.notes),
            "backend": self.backend,
            "schedule": None if self.schedule is None else self.schedule.to_dict(),
            "evidence": [group.to_dict() for group in self._evidence],
        }

    def _ranking_to_dict(self) -> dict[str, Any] | None:
        if not self.detailed:
            return None
        return {
            "could_be_best": list(self.could_be_best),
            "groups": [list(names) for names in self.groups],
            "quasi_worst": _listed(self.ranks.quasi_worst),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """The board as JSON; `from_json` reads it back without loss.

        The layout is in the package, ``schema/leaderboard.json``.
        """
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Leaderboard":
        """The board that `to_dict` wrote."""
        rows = data["players"]
        how = {part.name: data[part.name] for part in fields(How) if part.name in data}
        return cls(
            players=tuple(row["player"] for row in rows),
            standings=_standings(rows),
            row_notes={k: tuple(row["notes"]) for k, row in enumerate(rows) if row["notes"]},
            how=How(**how),
            notes=tuple(data["notes"]),
            evidence=tuple(Evidence.from_dict(group) for group in data["evidence"]),
            backend=data["backend"],
            families=_read_families(rows),
            tournament=data["tournament"],
            schedule=_read_schedule(data.get("schedule")),
            ranks=_read_ranks(rows, data["ranking"]),
            quality=None if data["quality"] is None else Quality.from_dict(data["quality"]),
        )

    @classmethod
    def from_json(cls, text: str) -> "Leaderboard":
        """The board that `to_json` wrote."""
        return read_json(text, SCHEMA, cls.from_dict)

    # Display --------------------------------------------------------------------------------------

    @property
    def figures(self) -> "BoardFigures":
        """Pictures of the board as small tables: ``board.figures.ranking()`` and others."""
        from winodds.show.figures.boards import BoardFigures

        return BoardFigures(self)

    @property
    def plot(self) -> "BoardPlots":
        """The same pictures drawn, as Altair charts: ``board.plot.ranking()`` and others."""
        from winodds.show.charts.board_plots import BoardPlots

        return BoardPlots(self)

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the board as one page that opens without a network, and that people can share.

        Parameters
        ----------
        path : the file; an old one is replaced.
        title : headline of the page.

        Returns
        -------
        The file. Making it needs the extra ``winodds[report]``.
        """
        from winodds.show.extra import write_report

        return write_report(self, Path(path), title=title)

    def __repr__(self) -> str:
        name = f" of '{self.tournament}'" if self.tournament else ""
        return f"<Leaderboard{name}: {len(self)} players, best {self.players[0]!r}>"

    def __str__(self) -> str:
        from winodds.show.formats.text import render_text

        return render_text(self)

    def _repr_html_(self) -> str:
        from winodds.show.formats.notebook import render_html

        return render_html(self)


class Rows(Sequence[Row]):
    """Rows of a leaderboard, each made when it is looked at."""

    __slots__ = ("_board",)

    def __init__(self, board: Leaderboard) -> None:
        self._board = board

    def __len__(self) -> int:
        return len(self._board)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, place: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(place, slice):
            return tuple(self[k] for k in range(*place.indices(len(self))))
        if not -len(self) <= place < len(self):
            raise IndexError(f"a board of {len(self)} players has no row {place}")
        k = place % len(self)
        standings = self._board.standings
        numbers = {
            column.name: _cell(getattr(standings, column.name), k) for column in fields(Standings)
        }
        ranks = self._board.ranks if self._board.detailed else None
        details: dict[str, Any] = {
            name: None if ranks is None else _cell(getattr(ranks, name), k) for name in DETAILS
        }
        families = self._board.families
        return Row(
            player=self._board.players[k],
            family=None if families is None else families[k],
            notes=self._board.row_notes(k),
            **numbers,
            **details,
        )


def read_json(text: str, schema: str, build: Callable[[dict[str, Any]], Result]) -> Result:
    """What ``build`` makes of a JSON object that says it has this schema."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise NotJson(reason=str(error)) from None
    found = data.get("schema") if isinstance(data, dict) else None
    if found != schema:
        raise SchemaUnknown(found=str(found), known=schema)
    try:
        return build(data)
    except WinoddsError:
        raise
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise BrokenJson(reason=f"{type(error).__name__}: {error}") from error


def _listed(ends: tuple[float, float] | None) -> list[float] | None:
    return None if ends is None else list(ends)


def _read_schedule(data: Mapping[str, Any] | None) -> Schedule | None:
    """Names of the rounds; boards written by an older version have none."""
    return None if data is None else Schedule.from_dict(data)


def _read_families(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...] | None:
    families = tuple(row["family"] for row in rows)
    return None if None in families else families


def _read_ranks(
    rows: Sequence[Mapping[str, Any]], ranking: Mapping[str, Any] | None
) -> Placing | None:
    if ranking is None:
        return None
    place = {row["player"]: k for k, row in enumerate(rows)}
    worst = ranking["quasi_worst"]
    return Placing(
        **{name: _array(rows, name) for name in DETAILS if name != "group"},
        group=tuple(row["group"] for row in rows),
        quasi_worst=None if worst is None else (float(worst[0]), float(worst[1])),
        groups=tuple(
            tuple(place[name] for name in names if name in place) for names in ranking["groups"]
        ),
    )


def _cell(values: Floats | Ints | tuple[str, ...] | None, place: int) -> Any:
    """One cell as plain data; None when it is not finite or the column does not exist."""
    if values is None:
        return None
    if isinstance(values, tuple):
        return values[place]
    value = values[place].item()
    return value if np.isfinite(value) else None


def _cells(values: Floats | Ints | tuple[str, ...] | None, size: int) -> list[Any]:
    """The column as plain data, with None as in `_cell`."""
    if values is None:
        return [None] * size
    if isinstance(values, tuple):
        return list(values)
    numbers: list[Any] = values.tolist()
    if np.isfinite(values).all():
        return numbers
    return [number if np.isfinite(number) else None for number in numbers]


def _standings(rows: Sequence[Mapping[str, Any]]) -> Standings:
    return Standings(**{column.name: _array(rows, column.name) for column in fields(Standings)})


def _array(rows: Sequence[Mapping[str, Any]], name: str) -> Any:
    """A column of plain rows as an array; None for a column without any number."""
    open_end = {"low": -np.inf, "high": np.inf}.get(name)
    cells = [row[name] for row in rows]
    if open_end is None and all(cell is None for cell in cells):
        return None
    gone = np.nan if open_end is None else open_end
    array = np.array([gone if cell is None else cell for cell in cells], np.float64)
    return array.astype(np.int64) if KINDS[name] is int else array
