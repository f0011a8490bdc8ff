"""Small tables of words: what text, terminal, notebook, Markdown and LaTeX show."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from winodds.board.column import Column
from winodds.board.leaderboard import Leaderboard
from winodds.board.row import CELLS, DECLARED
from winodds.language.errors import BadOption
from winodds.language.words import level_words, visible
from winodds.show.layout.cells import write_cell


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells as they are read, numbers rounded and control characters made visible.

    Attributes
    ----------
    heads : the columns, with their labels as they are read.
    rows : a tuple of cells for each line.
    left_out : how many lines are not shown.
    """

    heads: tuple[Column, ...]
    rows: list[tuple[str, ...]]
    left_out: int = 0

    def __post_init__(self) -> None:
        # Names of boards are checked; those of contests may hold anything.
        shown = [tuple(map(visible, row)) for row in self.rows]
        object.__setattr__(self, "rows", shown)

    @property
    def header(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(head.label for head in self.heads)

    def without(self, column: int) -> "Grid":
        """The grid without one column."""
        kept = [k for k in range(len(self.heads)) if k != column]
        heads = tuple(self.heads[k] for k in kept)
        return Grid(heads, [tuple(row[k] for k in kept) for row in self.rows], self.left_out)


def make_grid(board: Leaderboard, *, top: int | None = None, elo: bool = False) -> Grid:
    """The first rows of a board; an optional column that is empty for all is left out."""
    check_top(top)
    shown = board.rows[:top]
    heads, columns = [], []
    for name, column in CELLS.items():
        usual = is_usual(name, [board])
        cells = [write_cell(row, name, elo=elo) for row in shown] if usual else []
        if any(cells) or (usual and not column.optional):
            heads.append(replace(column, label=label_of(board, column, elo=elo)))
            columns.append(cells)
    return Grid(tuple(heads), list(zip(*columns, strict=True)), len(board) - len(shown))


def is_usual(name: str, boards: Iterable[Leaderboard]) -> bool:
    """Whether a column is shown unasked.

    Where scores are 0 or 1, everybody looks for their mean: the accuracy.
    """
    if name != "mean_score":
        return DECLARED[name].usual
    return any(note.name == "right_or_wrong" for board in boards for note in board.notes)


def check_top(top: int | None) -> None:
    """Refuse a number of rows that is none."""
    if top is not None and top < 1:
        wanted = "it is a whole number from 1 on, or None for all players"
        raise BadOption(option="top", value=top, wanted=wanted)


def numbers(label: str, *, gives_way: int = 0) -> Column:
    """A column of numbers of another table than a leaderboard."""
    return Column(label, "", "number", gives_way=gives_way)


def words(label: str) -> Column:
    """A column of words of another table than a leaderboard."""
    return Column(label, "", "words")


def label_of(board: Leaderboard, column: Column, *, elo: bool) -> str:
    """The heading of a column, with its scale or level."""
    if column.format == "rating" and elo:
        return "Elo"
    return f"{level_of(board)} {column.label}" if column.format == "interval" else column.label


def level_of(board: Leaderboard) -> str:
    """Coverage of the board's intervals: "95%"."""
    return level_words(board.how.interval.level)


def make_table(columns: Sequence[tuple[Column, Sequence[str]]], *, left_out: int = 0) -> Grid:
    """A grid of columns with their headings."""
    rows = zip(*(cells for _, cells in columns), strict=True)
    return Grid(tuple(head for head, _ in columns), list(rows), left_out)
