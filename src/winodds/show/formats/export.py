r"""Leaderboards as CSV, Markdown and LaTeX, for other programs, READMEs and papers.

CSV keeps every column and every digit; Markdown and LaTeX are for reading, rounded as the terminal
rounds. Each takes one board, or several of a season, and ends with a line break.

Examples
--------
>>> import polars as pl, winodds
>>> table = pl.DataFrame({
...     "player": ["A"] * 4 + ["*B*"] * 4,
...     "round": [1, 2, 3, 4] * 2,
...     "score": [0.8, 0.8, 0.8, 0.8, 0.9, 0.78, 0.78, 0.78],
... })
>>> board = winodds.rate(table, higher_is_better=True, details=True)
>>> print(render_markdown([board], elo=True), end="")
2 players, 4 rounds, 4 matches; higher score is better.
<BLANKLINE>
A beats \*B\* in 70 of 100 new rounds (95% interval 5 to 99); the data cannot tell them apart.
<BLANKLINE>
Either could truly be the best.
<BLANKLINE>
Fit: nothing to check.
<BLANKLINE>
| rank | could be | player | Elo | 95% interval | P(>avg) | P(best) | letters |
| ---: | ---: | :--- | ---: | ---: | ---: | ---: | :--- |
| 1 | 1–2 | A | 1574 | 1238 … 1901 | 60% | 85% | a |
| 2 | 1–2 | \*B\* | 1426 | 1099 … 1762 | 40% | 15% | a |
<BLANKLINE>
- The intervals rest on only 4 rounds; below about 10 they are rough.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from winodds.board.leaderboard import Leaderboard
from winodds.board.row import COLUMNS
from winodds.language.errors import BadOption
from winodds.language.notes import join_texts, scope
from winodds.language.words import count
from winodds.season.season import Season
from winodds.show.formats.text import introduce
from winodds.show.layout.grid import Grid, make_grid
from winodds.show.words.elo import to_elo

ELO_COLUMNS = {"elo": "epp", "elo_low": "low", "elo_high": "high"}
"""Columns of a CSV on the Elo scale, and the columns that they come from."""


def _check_top(top: int | None) -> None:
    if top is not None and top < 1:
        wanted = "it is a whole number from 1 on, or None for all players"
        raise BadOption(option="top", value=top, wanted=wanted)


# CSV ----------------------------------------------------------------------------------------------


def render_csv(boards: Sequence[Leaderboard], *, top: int | None = None, elo: bool = False) -> str:
    """All columns with all digits; open ends and what does not exist are empty.

    The first column is ``tournament`` when there are several boards or the one has a tournament.
    Reading the text back gives the same names and floats, so names are quoted but never altered: a
    name that begins with "=" is a formula to a spreadsheet. Notes of the boards have no place here.

    Parameters
    ----------
    boards : one board, or those of a season.
    top : how many players of each board; None for all.
    elo : three more columns at the end, ``elo``, ``elo_low`` and ``elo_high``.
    """
    _check_top(top)
    names = [*COLUMNS, *(ELO_COLUMNS if elo else ())]
    tables = [{name: columns[name] for name in names} for columns in map(_columns, boards)]
    return write_csv(boards, tables, top=top)


def write_csv(
    boards: Sequence[Leaderboard],
    tables: Sequence[Mapping[str, Sequence[Any]]],
    *,
    top: int | None = None,
) -> str:
    """The columns of a table for each board, under each other.

    The first column is ``tournament`` when there are several boards or the one has a tournament.
    """
    seasonal = len(boards) > 1 or any(board.tournament is not None for board in boards)
    text = io.StringIO()
    # RFC 4180 ends lines with "\r\n", but every reader takes "\n" too, and so do grep, sort and
    # git; a stream in text mode on Windows would turn "\r\n" into "\r\r\n".
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*["tournament"] * seasonal, *tables[0]])
    for board, table in zip(boards, tables, strict=True):
        for row in islice(zip(*table.values(), strict=True), top):
            writer.writerow([*[board.tournament] * seasonal, *row])
    return text.getvalue()


def _columns(board: Leaderboard) -> dict[str, list[Any]]:
    """Every column that a CSV may have; csv writes a float as its repr and None as nothing."""
    columns = board.columns()
    columns["notes"] = [join_texts(notes) for notes in columns["notes"]]
    for name, source in ELO_COLUMNS.items():
        columns[name] = [None if epp is None else to_elo(epp) for epp in columns[source]]
    return columns


# JSON ---------------------------------------------------------------------------------------------


def write_json(
    boards: Sequence[Leaderboard],
    found: Sequence[Mapping[str, Any]],
    schema: str,
    *,
    version: int = 1,
) -> str:
    """One object for one board, or a list of them for a season: what was found on each.

    ``schema`` is the name of the object's layout, such as "quality", and ``version`` that of it.
    """
    named = f"winodds/{schema}/{version}"
    data: list[dict[str, Any]] = [
        {"schema": named, "tournament": board.tournament, **one}
        for board, one in zip(boards, found, strict=True)
    ]
    season = {"schema": f"winodds/{schema}-of-season/{version}", "tournaments": data}
    return dump_json(data[0] if len(data) == 1 else season)


def dump_json(data: Mapping[str, Any]) -> str:
    """JSON that people can read, with a line break at the end."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def render_json(found: Leaderboard | Season, *, top: int | None = None, elo: bool = False) -> str:
    """The board, or the season, as JSON that `from_json` reads back.

    Parameters
    ----------
    found : a board, or a season.
    top : how many players of each board; a board that is cut keeps no evidence, so that it can be
        shown again but compares no players. None for all.
    elo : three more entries for each player, ``elo``, ``elo_low`` and ``elo_high``.
    """
    _check_top(top)
    data = found.to_dict()
    for board in data.get("tournaments", [data]):
        if top is not None and top < len(board["players"]):
            board["notes"].append(not_listed(len(board["players"]) - top).to_dict())
            board["players"], board["evidence"] = board["players"][:top], []
        if elo:
            for row in board["players"]:
                row |= {
                    name: None if row[source] is None else to_elo(row[source])
                    for name, source in ELO_COLUMNS.items()
                }
    return dump_json(data)


@scope
def not_listed(players: int) -> str:
    return f"{count(players, 'more player')} not listed here."


# Markdown -----------------------------------------------------------------------------------------

MARKUP = re.compile(r"@+|[&<\\`*_{}\[\]#~|$]|:(?=//)|(?<=www)\.", re.IGNORECASE)
"""What GitHub's Markdown could take for markup, a link or mathematics inside a line."""

ENTITIES = {"&": "&amp;", "<": "&lt;"}
"""Some dialects know no backslash before these, and would let HTML pass."""

BLOCK = re.compile(r"^(\d*)([-+.)>])")
"""A start that would make a list or a quotation of a line."""


def render_markdown(
    boards: Sequence[Leaderboard], *, top: int | None = None, elo: bool = False
) -> str:
    """A GitHub table for each board, under its tournament's name, with its notes as a list.

    Names appear as they are: no markup, HTML, link or mention comes out of one. What GitHub looks
    for when the Markdown is already a page, such as ``:tada:`` or, in issues, ``#1``, is left.

    Parameters
    ----------
    boards : one board, or those of a season.
    top : how many players of each board; None for all.
    elo : ratings and intervals on the Elo scale.
    """
    _check_top(top)
    parts = [part for board in boards for part in _markdown_parts(board, top, elo=elo)]
    return "\n\n".join(parts) + "\n"


def _markdown_parts(board: Leaderboard, top: int | None, *, elo: bool) -> Iterator[str]:
    if board.tournament is not None:
        yield f"### {escape_markdown(board.tournament)}"
    yield from map(markdown_line, introduce(board))
    grid = make_grid(board, top=top, elo=elo)
    yield markdown_table(grid)
    if grid.left_out:
        yield f"… and {count(grid.left_out, 'more player')}"
    yield from markdown_notes(board)


def markdown_notes(board: Leaderboard) -> list[str]:
    """The notes as a list, if there are any."""
    return (
        ["\n".join(f"- {markdown_line(note.text)}" for note in board.notes)] if board.notes else []
    )


def markdown_line(text: str) -> str:
    """A line that no sign at its beginning turns into a list or a quotation."""
    return BLOCK.sub(r"\1\\\2", escape_markdown(text))


def markdown_table(grid: Grid) -> str:
    table = (grid.header, *grid.rows)
    heads, *rows = ([escape_markdown(cell) for cell in line] for line in table)
    rule = [":---" if k in grid.words else "---:" for k in range(len(heads))]
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, rule, *rows))


def escape_markdown(text: str) -> str:
    r"""Text for the inside of a line or of a table's cell, where GitHub shows it as it is.

    An address with "@" becomes a link however the sign is escaped, except inside code.

    Examples
    --------
    >>> print(escape_markdown("a|b <i> *c* https://d e@f.org"))
    a\|b &lt;i> \*c\* https\://d e`@`f.org
    """
    return MARKUP.sub(_escaped, text)


def _escaped(markup: re.Match[str]) -> str:
    text = markup[0]
    return f"`{text}`" if text[0] == "@" else ENTITIES.get(text, f"\\{text}")


# LaTeX --------------------------------------------------------------------------------------------

TEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "{}$&#%_"},
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "`": r"\`{}",
        '"': r"\char34{}",
        "χ": r"$\chi$",
        "²": r"\textsuperscript{2}",
    }
)
r"""Signs that mean something else to TeX, or print as another sign.

The quotation mark goes by its number because babel gives it a meaning in some languages, and
``\textquotedbl`` needs the T1 encoding.
"""

LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")
"""Between two signs that fonts draw as one."""

MATH = str.maketrans(
    {"–": r"\mbox{--}", "∞": r"\infty", "…": r"\ldots", "%": r"\%", "<": "{<}", ">": "{>}"}
)


def render_latex(
    boards: Sequence[Leaderboard], *, top: int | None = None, elo: bool = False
) -> str:
    r"""A ``tabular`` with rules of booktabs for each board, and its notes in small print below.

    The tournament's name is above, in bold. Signs outside ASCII are passed on as they are: what
    pdflatex has no letters for needs a package, or lualatex and a font.

    Parameters
    ----------
    boards : one board, or those of a season.
    top : how many players of each board; None for all.
    elo : ratings and intervals on the Elo scale.
    """
    _check_top(top)
    parts = ["\n".join(_latex_lines(board, top, elo=elo)) for board in boards]
    return (
        "% Needs \\usepackage{booktabs} in the preamble.\n" + "\n\n\\bigskip\n".join(parts) + "\n"
    )


def _latex_lines(board: Leaderboard, top: int | None, *, elo: bool) -> Iterator[str]:
    if board.tournament is not None:
        yield rf"\noindent\textbf{{{escape_latex(board.tournament)}}}\par\smallskip"
    for line in introduce(board):
        yield rf"\noindent {escape_latex(line)}\par\smallskip"
    yield r"\noindent"
    grid = make_grid(board, top=top, elo=elo)
    yield from latex_table(grid)
    rest = [f"… and {count(grid.left_out, 'more player')}."] if grid.left_out else []
    remarks = [*rest, *map(str, board.notes)]
    if remarks:
        yield r"\par\smallskip"
        yield r"{\small\noindent"
        yield from map(escape_latex, remarks)
        yield r"\par}"


def latex_table(grid: Grid) -> Iterator[str]:
    aligned = "".join("l" if k in grid.words else "r" for k in range(len(grid.header)))
    yield rf"\begin{{tabular}}{{{aligned}}}"
    yield r"\toprule"
    yield rf"{' & '.join(map(escape_latex, grid.header))} \\"
    yield r"\midrule"
    for row in grid.rows:
        cells = (escape_latex(x) if k in grid.words else _math(x) for k, x in enumerate(row))
        yield rf"{' & '.join(cells)} \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def escape_latex(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    Examples
    --------
    >>> print(escape_latex(r"50% of $x_1$ -- \input{y}"))
    50\% of \$x\_1\$ -{}- \textbackslash{}input\{y\}
    """
    return LIGATURE.sub("{}", text.translate(TEX))


def _math(number: str) -> str:
    return f"${number.translate(MATH)}$" if number else ""
