"""What the report's page is told: the JSON in it, as types.

Keys have the names of these fields, in the JSON and in the page's JavaScript, which reads nothing
that is not declared here, or for its engine in `winodds.show.report.engine_data`.
`winodds.language.plain` writes the JSON; `page_schema` is its layout.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, get_type_hints

from winodds.board.column import Format
from winodds.board.row import Row
from winodds.language.options import IntervalKind, Scale
from winodds.language.plain import make_object, make_schema
from winodds.matches.results import MatchKind
from winodds.show.report.engine_data import NoteData, OpenEnds, Shipped

Cell: TypeAlias = str | float | int | bool | None


def page_schema() -> dict[str, Any]:
    """The JSON Schema of the data in the page.

    >>> list(page_schema()["$defs"]["PageData"]["properties"])
    ['title', 'names', 'column_list', 'boards', 'season']
    """
    return make_schema(PageData)


@dataclass(frozen=True, slots=True)
class Noun:
    """What something is called: one of it, and many."""

    one: str
    many: str


@dataclass(frozen=True, slots=True)
class ScheduleData:
    """Rounds and their tournaments.

    Attributes
    ----------
    rounds, full : names of the rounds for people, and those that are unique.
    tournaments : their names.
    tournament_of : the number of each round's tournament.
    """

    rounds: tuple[str, ...]
    full: tuple[str, ...]
    tournaments: tuple[str, ...]
    tournament_of: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ExactTable:
    """Numbers with every digit, for those who go on computing."""

    header: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class TableData:
    """A small table for readers.

    Attributes
    ----------
    name : by which its file is saved.
    caption : what it shows.
    header, rows : its cells as they are read; the first column holds words.
    exact : the same with every digit, if there is more than is read.
    """

    name: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    exact: ExactTable | None = None


@dataclass(frozen=True, slots=True)
class QualityData:
    """How well the ratings explain who beat whom.

    Attributes
    ----------
    text : the verdict.
    law : what the χ² law would say; None where there is nothing to check.
    calibration : how often favourites won, and should have; None where there is nothing to check.
    doubts : where the ratings fit worst.
    """

    text: str
    law: str | None
    calibration: TableData | None
    doubts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GapsData:
    """Scores that are missing: in sentences, and the players and rounds with the fewest."""

    sentences: tuple[str, ...]
    tables: tuple[TableData, ...]


@dataclass(frozen=True, slots=True)
class HowData:
    """How the board was computed: facts and commands, each with its name."""

    facts: tuple[tuple[str, str], ...]
    commands: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FigureTable:
    """The table that a figure is drawn from.

    Attributes
    ----------
    header : names of the columns.
    text : numbers of the columns that hold words.
    cells : column by column.
    """

    header: tuple[str, ...]
    text: tuple[int, ...]
    cells: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class FiguresData:
    """The figures of a board, or of all boards together.

    Attributes
    ----------
    tables : by the figure's name, without that of the win matrix, whose numbers the page has.
    hint : why there are not more figures.
    """

    tables: Mapping[str, FigureTable]
    hint: str


def _column_hints() -> dict[str, Any]:
    """The columns of a board, each a list of what a row has there.

    Players and families are places among the page's names.
    """
    told = {"player": int, "family": int | None, "notes": tuple[NoteData, ...]}
    own = get_type_hints(Row) | told
    return {name: tuple[hint, ...] for name, hint in own.items()}  # type: ignore[valid-type]


Columns: TypeAlias = Annotated[Mapping[str, tuple[Any, ...]], make_object(_column_hints())]
"""Cells by column, best player first; the columns are those of `Row`."""


@dataclass(frozen=True, slots=True)
class ColumnData:
    """How a column of a leaderboard is shown; see `winodds.board.column.Column`.

    Attributes
    ----------
    key : its name in the data and in files.
    label, help : its heading, and what that explains.
    format : how its cells are written.
    joins : the column with which it shares a cell.
    beside : the column that it stands behind, if not in its own place.
    numeric : whether it holds numbers.
    usual : whether it is shown unasked.
    spare : whether it leaves on a narrow screen.
    """

    key: str
    label: str
    help: str
    format: Format
    joins: str | None
    beside: str | None
    numeric: bool
    usual: bool
    spare: bool


@dataclass(frozen=True, slots=True)
class BoardData:
    """Everything that the page knows of one board.

    Attributes
    ----------
    name, label : of its tournament, and that for people; None for a single board.
    nouns : one and several players, rounds and tournaments, in the words of the table.
    scale : of ratings, at first.
    score_label : heading of mean scores.
    rated : what was rated: "20 players, 20 rounds, 3,800 matches".
    sentences, notes : the answer, and what to doubt.
    open_ends : what is said of open ends against another player.
    level_words : coverage of the intervals: "95%".
    interval_kind : "robust" or "model".
    reference : place of the player whose rating is 0; None for the average.
    averaged : over how many players the average is taken; None for all.
    match_kind : "within" rounds, "across" them, or "battles".
    won : what one player wins against another: a round, match or battle.
    ties : whether there were any.
    new_tournaments : whether intervals are for new tournaments.
    misfit : whether the ratings are known to miss something, so that records come first.
    cluster : what the clusters are called.
    columns : the leaderboard.
    component_of : for each player the number of those whom it can be compared with; None if that
        is everyone.
    schedule : rounds that can be switched off; None for battles and where there are components.
    shipped : what the engine needs.
    refit_command : how to rate without some rows where the browser does not.
    quality : None where it was left out.
    gaps, how, figures : as they are shown.
    """

    name: str | None
    label: str | None
    nouns: dict[str, list[str]]
    scale: Scale
    score_label: str
    rated: str
    sentences: tuple[str, ...]
    notes: tuple[NoteData, ...]
    open_ends: OpenEnds
    level_words: str
    interval_kind: IntervalKind
    reference: int | None
    averaged: int | None
    match_kind: MatchKind
    won: Noun
    ties: bool
    new_tournaments: bool
    misfit: bool
    cluster: Noun
    columns: Columns
    component_of: tuple[int, ...] | None
    schedule: ScheduleData | None
    shipped: Shipped
    refit_command: str
    quality: QualityData | None
    gaps: GapsData
    how: HowData
    figures: FiguresData


@dataclass(frozen=True, slots=True)
class PageData:
    """Everything that the page knows.

    Attributes
    ----------
    title : headline of the page.
    names : of players and families, each once, in the order of their signs.
    column_list : the columns of a leaderboard, in order.
    boards : in their order, that of all tournaments together first.
    season : figures of all boards together; none for a single board.
    """

    title: str
    names: tuple[str, ...]
    column_list: tuple[ColumnData, ...]
    boards: tuple[BoardData, ...]
    season: FiguresData
