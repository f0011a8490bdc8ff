"""What a season or a race tells → a part of the report's page that needs no script.

Examples
--------
>>> import winodds.demo
>>> season = winodds.demo.rate_results()
>>> parts = lay_out(season.findings())
>>> [part.title for part in parts]
[None, 'On a new data set', 'Data sets']
>>> parts[-1].tables[0].rows[0][0]
Cell(text='breast_cancer', numeric=False, address='tournament=breast_cancer')
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from winodds.season.findings import Findings
from winodds.show.layout.document import Points, Said, Section, Table
from winodds.show.layout.races import course_document
from winodds.show.layout.season_document import season_document
from winodds.tune.courses import Course

ROWS_SHOWN = 20
"""Lines of a table at most."""

LINKED = 200
"""Data sets at most in the table in which each has a line: from there its board is opened."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table.

    Attributes
    ----------
    text : what it says.
    numeric : whether it is a number, which stands to the right.
    address : of the board that it names, as the part of an address after "#"; None for others.
    """

    text: str
    numeric: bool
    address: str | None = None


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A small table.

    Attributes
    ----------
    label : what it is called by those who hear it.
    header, rows : its cells.
    rest : how many lines are not shown, if any are.
    """

    label: str
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    rest: str


@dataclass(frozen=True, slots=True)
class SeasonPart:
    """What is said about one question.

    Attributes
    ----------
    title : its heading; the first part has none.
    headline : what was rated; empty where there is a title.
    sentences : paragraphs.
    tables : after them.
    points : lists, and notes.
    """

    title: str | None
    headline: str
    sentences: tuple[str, ...]
    tables: tuple[SeasonTable, ...]
    points: tuple[str, ...]


def address_of(tournament: str) -> str:
    """The address of a board on the page, after "#"; what `view/address.js` reads.

    >>> address_of("a b&c")
    'tournament=a+b%26c'
    """
    return urlencode({"tournament": tournament})


def lay_out(found: Findings) -> list[SeasonPart]:
    """The parts of a season's findings, as the page shows them."""
    document = season_document(found, top=LINKED, together=False)
    return [_lay_out(section, set(found.boards)) for section in document.sections]


def lay_out_race(found: Course) -> list[SeasonPart]:
    """The parts of a race, as the page shows them."""
    document = course_document(found)
    return [_lay_out(section, set(), "The race") for section in document.sections]


def _lay_out(
    section: Section, tournaments: set[str], name: str = "Players over all data sets"
) -> SeasonPart:
    blocks = list(section.seen_by("text"))
    said = [block for block in blocks if isinstance(block, Said)]
    lists = [block for block in blocks if isinstance(block, Points)]
    tables = [block for block in blocks if isinstance(block, Table)]
    title = section.title
    return SeasonPart(
        title=title,
        headline="" if title else section.headline,
        sentences=tuple(line for block in said for line in block.lines if line),
        tables=tuple(
            _lay_table(_shorten(table), label, tournaments)
            for table, label in zip(tables, _labels(title or name, len(tables)), strict=True)
            if table.grid.rows
        ),
        points=(
            *(item for block in lists for item in block.items),
            *(note.text for note in section.notes),
        ),
    )


def _labels(name: str, tables: int) -> Iterator[str]:
    yield from (name if tables == 1 else f"{name}, {k} of {tables}" for k in range(1, tables + 1))


def _shorten(table: Table) -> Table:
    """The first lines of a table, unless it is the one that lists data sets."""
    grid = table.grid
    if grid.heads[0].format == "tournament" or len(grid.rows) <= ROWS_SHOWN:
        return table
    left = grid.left_out + len(grid.rows) - ROWS_SHOWN
    return replace(table, grid=replace(grid, rows=grid.rows[:ROWS_SHOWN], left_out=left))


def _lay_table(table: Table, label: str, tournaments: set[str]) -> SeasonTable:
    grid = table.grid
    linked = [head.format == "tournament" for head in grid.heads]
    numeric = [head.numeric for head in grid.heads]

    def lay(row: tuple[str, ...]) -> tuple[Cell, ...]:
        return tuple(
            Cell(text, numeric[k], address_of(text) if linked[k] and text in tournaments else None)
            for k, text in enumerate(row)
        )

    header = tuple(map(Cell, grid.header, numeric))
    return SeasonTable(label, header, tuple(map(lay, grid.rows)), table.more)
