"""One leaderboard, and everything that it can be asked."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from winodds.arrays import Floats, at_least
from winodds.board import codec
from winodds.board.components import Components
from winodds.board.how import How
from winodds.board.leader import BoardSota, take_luck_out
from winodds.board.notes import OF_CHANCES, fit_without_clusters, simultaneous_ranks
from winodds.board.placing import (
    Placing,
    Verdicts,
    find_chances,
    judge_components,
    place_players,
)
from winodds.board.quality import Quality, assess
from winodds.board.questions import Questions
from winodds.board.row import COLUMNS, DETAILS, KINDS, Row, Rows, Standings, list_cells
from winodds.inference.intervals import Estimates
from winodds.language.checks import check_choice, check_count
from winodds.language.notes import Note, join_texts
from winodds.language.options import Convention
from winodds.show import present
from winodds.table.frames import build_frame
from winodds.table.schedule import Schedule
from winodds.table.settings import Settings
from winodds.workers import calm_threads

if TYPE_CHECKING:
    from winodds.show.charts.plots import Plots
    from winodds.show.figures.boards import BoardFigures
    from winodds.tune.courses import Course

MISFIT = 0.05
"""P-value of the fit up to which the record of a pair counts more than its ratings."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Players who cannot be told apart, and the range of their EPP."""

    players: tuple[str, ...]
    low: float
    high: float


class Leaderboard(present.Presented, Questions):
    """Players in the order of their ratings, with intervals, doubts and how it was all obtained.

    Attributes
    ----------
    players : names, best first.
    rows : a sequence of `Row`, made when looked at.
    standings : the same numbers as arrays.
    how : how the board was obtained.
    notes : what to know of the board as a whole; each says its sentence.
    families : names of the players' families in the same order, or None.
    settings : the players' hyperparameters by name, each in the same order, or None.
    members : by name, the members of players that are teams; None where nobody said.
    components : games and ratings of players who met; none on a board that was cut.
    tournament : name of the tournament, for a board of a season.
    schedule : names of the rounds; None for battles.
    race : how its players raced, if they are settings of a search that did; its report tells it,
        its JSON does not.

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

    def __init__(
        self,
        *,
        players: tuple[str, ...],
        standings: Standings,
        row_notes: Mapping[int, tuple[Note, ...]],
        how: How,
        notes: tuple[Note, ...],
        components: Components,
        backend: str,
        families: tuple[str, ...] | None = None,
        settings: Settings | None = None,
        members: Mapping[str, tuple[str, ...]] | None = None,
        tournament: str | None = None,
        schedule: Schedule | None = None,
        placing: Placing | None = None,
        quality: Quality | None = None,
    ) -> None:
        super().__init__(players, components, how)
        self.families = families
        self.settings = settings
        self.members = members
        self.standings = standings
        self.notes = notes
        self.backend = backend
        self.tournament = tournament
        self.schedule = schedule
        self.race: Course | None = None
        self._row_notes = dict(row_notes)
        self._placing = placing
        self._quality = quality
        self._sota: BoardSota | None = None
        self._judged: list[Verdicts] | None = None

    # Rows -----------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    @property
    def rows(self) -> "Rows":
        return Rows(self)

    def row(self, player: str) -> Row:
        """The row of one player; ``board["svm"]`` is short for ``board.row("svm")``."""
        return self.rows[self._find(player)]

    def __getitem__(self, player: str) -> Row:
        return self.row(player)

    def row_notes(self, place: int) -> tuple[Note, ...]:
        """Notes of the row at a place, 0 is the first."""
        return self._row_notes.get(place, ())

    # The board as a whole -------------------------------------------------------------------------

    def details(self) -> Placing:
        """Rank ranges, chances of being best, letters and quasi-errors: columns that take longer.

        They are computed when this is first called, kept, and shown from then on.
        """
        if self._placing is None:
            self._require_games()
            level, how = self.how.interval.level, self.how.details
            with calm_threads(len(self)):
                self._placing = place_players(
                    self.components,
                    self.players,
                    level,
                    how.seed,
                    how.ranks,
                    self.families,
                    self._reference(),
                )
            self.notes = (*self.notes, *self._notes_on_details())
        return self._placing

    def _notes_on_details(self) -> Iterator[Note]:
        if self.how.details.ranks == "simultaneous":
            yield simultaneous_ranks(self.how.interval.level)
        if self.has_one_scale:
            yield from (own for own in self.sota().notes if own.name in OF_CHANCES)

    def _verdicts(self) -> list[Verdicts]:
        if self._judged is None:
            level, seed = self.how.interval.level, self.how.details.seed
            chances = (
                find_chances(self.components, seed, self.families, self._reference())
                if self._placing is None
                else self._placing.p_best
            )
            self._judged = judge_components(self.components, chances, level, seed)
        return self._judged

    @property
    def detailed(self) -> bool:
        """Whether the details were computed."""
        return self._placing is not None

    def quality(
        self,
        *,
        convention: Convention | None = None,
        simulations: int | None = None,
        seed: int | None = None,
        n_jobs: int = 1,
        progress: Callable[[int, int], None] | None = None,
    ) -> Quality:
        """How well the ratings explain who beat whom.

        Without options it is computed when this is first called, kept, and shown from then on.

        Parameters
        ----------
        convention : "pairs" or "paper"; by default as the board was asked for.
        simulations : tables that the p-value rests on at most; by default 500, or 100 where
            tables are large.
        seed : of the random numbers; by default that of the board.
        n_jobs : how many workers; the result is the same for any number.
        progress : called with the number of calls done and of all.
        """
        usual = convention is None and simulations is None and seed is None
        if usual and self._quality is not None:
            return self._quality
        chosen = convention or self.how.details.convention
        check_choice("convention", chosen, get_args(Convention))
        if simulations is not None:
            check_count("simulations", simulations)
        self._require_games()
        with calm_threads(len(self)):
            found = assess(
                self.components,
                self.players,
                convention=chosen,
                seed=self._seed(seed),
                simulations=simulations,
                n_jobs=n_jobs,
                progress=progress,
            )
        if usual:
            self._quality = found
            unit = self.how.interval.cluster
            if found.kind == "battles" and unit != "battle":
                self.notes = (*self.notes, fit_without_clusters(unit))
        return found

    @property
    def assessed(self) -> bool:
        """Whether the quality was computed."""
        return self._quality is not None

    def epp_around_all(self) -> Floats:
        """(m,) ratings around the average of all players, or the reference.

        That is where 0 is on boards that are looked at together, whatever ``center`` is.
        """
        if self.how.reference is not None:
            return self.standings.epp
        if self.whole:
            return self.components.scatter(lambda part: part.intervals.beta)
        shift = 0.0 if self.how.average is None else self.how.average.shift
        return self.standings.epp + shift

    def around_all(self) -> Estimates:
        """(m,) each: those ratings with their errors and the ends of their intervals.

        On a board that was cut, errors and intervals stay those around the board's own average.
        """
        own, parts = self.standings, self.components
        if self.how.reference is None and any(
            part.intervals.averaged is not None for part in parts
        ):
            found = [part.uncertainty.of_ratings("all") for part in parts]
            columns = (
                np.concatenate([getattr(one, column.name) for one in found])
                for column in fields(Estimates)
            )
            return Estimates(*columns)
        value = self.epp_around_all()
        shift = value - own.epp
        return Estimates(value, own.se, own.low + shift, own.high + shift)

    @property
    def misfit(self) -> bool:
        """Whether ratings are known to miss something: p ≤ 0.05, if the quality was computed."""
        quality = self._quality
        return quality is not None and quality.df > 0 and bool(at_least(MISFIT, quality.p_value))

    def bars_of(self, sets: Sequence[tuple[str, ...]]) -> tuple[Bar, ...]:
        """Sets of players, each best first, as bars of a critical-difference diagram."""
        epp = self.standings.epp
        return tuple(
            Bar(names, float(epp[self._find(names[-1])]), float(epp[self._find(names[0])]))
            for names in sets
        )

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
        >>> board = winodds.demo.rate_results()["heart"]
        >>> leader = board.sota().leader
        >>> leader.player == board.players[0], leader.sota < leader.epp
        (True, True)
        """
        if seed is None and self._sota is not None:
            return self._sota
        with calm_threads(len(self)):
            found = take_luck_out(
                self._whole(),
                self.players,
                families=self.families,
                level=self.how.interval.level,
                new_tournaments=self.how.new_tournaments,
                seed=self._seed(seed),
                reference=self.how.reference,
            )
        if seed is None:
            self._sota = found
        return found

    # Out and in -----------------------------------------------------------------------------------

    def columns(self) -> dict[str, list[Any]]:
        """The columns as lists; open ends and what does not exist are None."""
        cells: dict[str, list[Any]] = {
            column.name: list_cells(getattr(self.standings, column.name), len(self))
            for column in fields(Standings)
        }
        for name in DETAILS:
            cells[name] = list_cells(getattr(self._placing, name, None), len(self))
        cells["player"] = list(self.players)
        cells["family"] = [None] * len(self) if self.families is None else list(self.families)
        cells["notes"] = [self.row_notes(place) for place in range(len(self))]
        return {name: cells[name] for name in COLUMNS}

    def frame(self, backend: str | None = None) -> Any:
        """The rows as a data frame, of the kind the scores came in or of the named library.

        Notes of a row are joined by semicolons.
        """
        columns = self.columns()
        columns["notes"] = [join_texts(notes) for notes in columns["notes"]]
        return build_frame(columns, KINDS, backend=backend or self.backend)

    def to_pandas(self) -> Any:
        """The rows as a pandas data frame."""
        return self.frame("pandas")

    def to_polars(self) -> Any:
        """The rows as a polars data frame."""
        return self.frame("polars")

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold, with nothing lost."""
        return codec.write_board(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """The board as JSON; `from_json` reads it back without loss.

        `winodds.leaderboard_schema` is its layout.
        """
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Leaderboard":
        """The board that `to_dict` wrote."""
        return cls(**codec.read_board(data))

    @classmethod
    def from_json(cls, text: str) -> "Leaderboard":
        """The board that `to_json` wrote."""
        return codec.read_json(text, codec.SCHEMA, cls.from_dict)

    # Display --------------------------------------------------------------------------------------

    @property
    def figures(self) -> "BoardFigures":
        """Pictures of the board as small tables: ``board.figures.ranking()`` and others."""
        return present.BoardFigures(self)

    @property
    def plot(self) -> "Plots":
        """The same pictures drawn, as Altair charts: ``board.plot.ranking()`` and others."""
        return present.Plots(self.figures)

    def report(
        self, path: str | Path, *, title: str | None = None, details: bool | None = None
    ) -> Path:
        """Write the board as one page that opens without a network, and that people can share.

        Parameters
        ----------
        path : the file; an old one is replaced.
        title : headline of the page.
        details : whether details and quality are computed for it; by default where that is quick.

        Returns
        -------
        The file. Making it needs the extra ``winodds[report]``.
        """
        return present.write_report(self, Path(path), title=title, details=details)

    def to_every_eval_ever(
        self,
        evaluation: str,
        *,
        organization: str,
        relationship: Literal["first_party", "third_party", "collaborative", "other"] = "other",
        retrieved: float | None = None,
    ) -> list[dict[str, Any]]:
        """The board as records of Every Eval Ever (schema 0.3), one for each player.

        A record holds the rating with its error and interval, and the mean score where all rounds
        have one direction. What the schema wants and a board does not know is "unknown".

        Parameters
        ----------
        evaluation : what the board is about, such as "capitals".
        organization : who publishes it.
        relationship : of those who evaluated to the models.
        retrieved : when the records were made, in seconds since 1970; now by default.
        """
        check_choice("relationship", relationship, present.RELATIONSHIPS)
        return present.to_records(
            self,
            evaluation,
            organization=organization,
            relationship=relationship,
            retrieved=time.time() if retrieved is None else retrieved,
        )

    def look_closer(self, details: bool | None = True) -> None:
        """Compute details and quality if they are wanted; None: where that is quick."""
        if self.how.details.quick if details is None else details:
            self.details()
            self.quality()

    def __repr__(self) -> str:
        name = f" of '{self.tournament}'" if self.tournament else ""
        return f"<Leaderboard{name}: {len(self)} players, best {self.players[0]!r}>"

    def __str__(self) -> str:
        return present.render_board(self)
