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
from winodds.language.options import IntervalKind
from winodds.language.plain import make_object, make_schema
from winodds.matches.results import MatchKind
from winodds.show.report.engine_data import NoteData, OpenEnds, Shipped

Cell: TypeAlias = str | float | int | bool | None


def page_schema() -> dict[str, Any]:
    """The JSON Schema of the data in the page.

    >>> list(page_schema()["$defs"]["PageData"]["properties"])
    ['title', 'column_list', 'boards', 'season']
    """
    return make_schema(PageData)


<<<<<<< HEAD
# Notes -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NoteData:
    """A note: its kind, the name by which it is known, and what it says."""

    kind: NoteKind
    name: str
    text: str

    @classmethod
    def of(cls, note: Note) -> "NoteData":
        """A note without its facts."""
        return cls(note.kind, note.name, note.text)


@dataclass(frozen=True, slots=True)
class FewNotes:
    """Notes on few clusters: one for each number of clusters, from 0 on, that is few.

    Attributes
    ----------
    of_board : on the board.
    of_row : on a player with fewer clusters than others.
    """

    of_board: tuple[NoteData, ...]
    of_row: tuple[NoteData, ...]


@dataclass(frozen=True, slots=True)
class RefitNotes:
    """What a refit may have to say.

    Attributes
    ----------
    won_all, lost_all : on a row.
    no_information : on the board.
    few_clusters : on few clusters.
    few_rounds : on few rounds, which are the clusters when one of the pooled tournaments is left;
        None where nothing is pooled.
    """

    won_all: NoteData
    lost_all: NoteData
    no_information: NoteData
    few_clusters: FewNotes
    few_rounds: FewNotes | None


@dataclass(frozen=True, slots=True)
class OpenEnds:
    """Notes on ends of an interval that are open."""

    above: NoteData
    below: NoteData


# What the engine computes with --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Packed:
    """An array of numbers.

    Attributes
    ----------
    type : of the numbers: natural ones of 1, 2 or 4 bytes, or floating ones of 4 or 8.
    data : base64 of their little-endian bytes.
    """

    type: Number
    data: str


@dataclass(frozen=True, slots=True)
class ScoresData:
    """Where every score stands among those that it could meet; R rounds, m players.

    Attributes
    ----------
    rounds : how many there are.
    code : (R, m) 0 for no run, 1 for a failed one, 2 for the lowest score, and so on.
    limit : (R, m) a score beats those whose code is below its limit; None where that is its code.
    weight : (R,) of the rounds; None where they are equal.
    cluster, tournament : (R,) numbers of those that the rounds belong to.
    """

    rounds: int
    code: Packed
    limit: Packed | None
    weight: Packed | None
    cluster: Packed
    tournament: Packed


@dataclass(frozen=True, slots=True)
class BattlesData:
    """Battles with the same players, outcome and cluster, added up; sorted by cluster.

    Attributes
    ----------
    first, second : (E,) the players.
    outcome : (E,) 0 lost, 1 tied, 2 won by the first.
    count : (E,) how many battles.
    weight, square : (E,) sums of their weights and squared weights; None where all weigh the same.
    cluster : (E,) their cluster; None where every battle is one.
    """

    first: Packed
    second: Packed
    outcome: Packed
    count: Packed
    weight: Packed | None
    square: Packed | None
    cluster: Packed | None


@dataclass(frozen=True, slots=True)
class PairsData:
    """Who met whom how often: the pairs (P,) and the weight of their matches."""

    first: Packed
    second: Packed
    weight: Packed


@dataclass(frozen=True, slots=True)
class CliquesData:
    """Who met whom how often: cliques (Q,) in which everybody meets everybody.

    Attributes
    ----------
    weight : (Q,) of a match.
    shares : (Q, m) each player's scores in a clique; None where nobody has more than one.
    bits : (Q, m) whether a player is in a clique, as single bits; None where everybody is in all,
        or there are shares.
    """

    weight: Packed
    shares: Packed | None
    bits: Packed | None


@dataclass(frozen=True, slots=True)
class ClustersData:
    """What G clusters carry of the matches of m players, and what they contribute to differences.

    Attributes
    ----------
    kept : whether the columns of the influence are clusters, so that their signs can decide.
    df : (m,) degrees of freedom of the ratings' errors.
    amount : (m,) weight of a player's matches.
    factor : (m,) on robust variances.
    lift : (m, G) or (G,) factors on squared influences; None where there is nothing to lift.
    share : (G,) of all matches, where everyone met everyone equally often, so that wins are
        compared; else None, and so are ``wins`` and ``won``.
    wins : (m,) weighted.
    won : (m, G) twice the weighted wins in each cluster.
    widen : factor that makes deviations of ``won`` those of a variance.
    unit : of which all contributions are whole multiples; 0 where there is none.
    """

    kept: bool
    df: Packed
    amount: Packed
    factor: Packed
    lift: Packed | None
    share: Packed | None
    wins: Packed | None
    won: Packed | None
    widen: float
    unit: float


@dataclass(frozen=True, slots=True)
class FittedData:
    """Ratings of m players, and what their differences need.

    Attributes
    ----------
    beta, bias : (m,) ratings, and the bias that is left in them.
    variances : (m,) diagonal of the inverse information.
    influence : (m, columns) what each cluster does to a rating; None for model-based intervals.
    clusters : what the clusters carry; None for model-based intervals.
    model_scale : factor on model-based variances.
    part : (m,) each player's set; all matches between two sets went one way.
    parts : how many sets there are.
    sets : (parts, parts) which set reaches which, as single bits; None where they are a chain.
    design : who met whom how often.
    match_weight : (R,) weight of a match in each round; None where all weigh the same, and for
        battles, which have their own.
    """

    beta: Packed
    bias: Packed
    variances: Packed
    influence: Packed | None
    clusters: ClustersData | None
    model_scale: float
    part: Packed
    parts: int
    sets: Packed | None
    design: PairsData | CliquesData
    match_weight: Packed | None


@dataclass(frozen=True, slots=True)
class ComponentData:
    """What the engine needs of players who met, numbered in the order of the board.

    Attributes
    ----------
    why_not_refit, why_not_compare : why a browser does not rate them anew, or not even compare
        them; None where it does.
    by_name : the players' numbers in the order of their names.
    kind : of the matches.
    estimator, ridge : how ratings are found, and what a prior adds to the information.
    interval, level, test_fraction : how intervals are found.
    center : whose average is 0.
    units : the clusters, in a word.
    pooled : whether tournaments are the clusters because they are pooled.
    seed : of the signs that are flipped, as far as these take note of it: its last 32 bits.
    ranks : whether ends of rank ranges hold each for itself or all at once.
    notes : what a refit may have to say; None where there is none.
    games : what was played; None where that is too much.
    fitted : the ratings, of a component that is compared but not rated anew.
    """

    why_not_refit: str | None
    why_not_compare: str | None
    by_name: Packed
    kind: MatchKind
    estimator: Estimator
    ridge: float
    interval: IntervalKind
    level: float
    center: Center
    test_fraction: float | None
    units: str
    pooled: bool
    seed: int
    ranks: RankKind
    notes: RefitNotes | None
    games: ScoresData | BattlesData | None
    fitted: FittedData | None


@dataclass(frozen=True, slots=True)
class Shipped:
    """What the engine needs of a board.

    Attributes
    ----------
    why_not_refit, why_not_compare : why the board is not rated anew, or why not all of its players
        can be compared; None where they are.
    components : players who met; a board on which everybody did has one.
    """

    why_not_refit: str | None
    why_not_compare: str | None
    components: tuple[ComponentData, ...]


# What the view shows ------------------------------------------------------------------------------


=======
>>>>>>> engine14
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
    """The columns of a board, each a list of what a row has there."""
    own = get_type_hints(Row) | {"notes": tuple[NoteData, ...]}
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
    numeric : whether it holds numbers.
    usual : whether it is shown unasked.
    spare : whether it leaves on a narrow screen.
    """

    key: str
    label: str
    help: str
    format: Format
    joins: str | None
    numeric: bool
    usual: bool
    spare: bool


@dataclass(frozen=True, slots=True)
class BoardData:
    """Everything that the page knows of one board.

    Attributes
    ----------
    name, label : of its tournament, and that for people; None for a single board.
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
    column_list : the columns of a leaderboard, in order.
    boards : in their order, that of all tournaments together first.
    season : figures of all boards together; none for a single board.
    """

    title: str
    column_list: tuple[ColumnData, ...]
    boards: tuple[BoardData, ...]
    season: FiguresData
