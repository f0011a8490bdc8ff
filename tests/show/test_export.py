"""Boards as CSV, Markdown and LaTeX: whole outputs, and names that mean harm."""

import csv
import io
import math
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tables import INF, ONLY_LUCK, SMALL, board, grid, sentence

from winodds import COLUMNS, Leaderboard, rate
from winodds.board.notes import lost_all, open_above, open_below, won_all
from winodds.errors import BadOption
from winodds.language.notes import Note
from winodds.language.words import count
from winodds.show.formats import latex, markdown
from winodds.show.formats.csv import render_csv
from winodds.show.layout.document import Document, Points, Section
from winodds.show.layout.documents import board_document
from winodds.show.layout.grid import make_table, numbers, words
from winodds.show.words.elo import to_elo

ELO = ("elo", "elo_low", "elo_high")

NAMES = st.text(
    st.characters(exclude_categories=("Cc", "Cs")) | st.sampled_from("|\\`*_<>&@,\"'=-"), min_size=1
).filter(lambda name: name == name.strip())
"""Names without control characters and blanks at the ends, with more than their share of signs."""


def of(tournament: str, found: Leaderboard) -> Leaderboard:
    """The board as one of a season."""
    found.tournament = tournament
    return found


def flat(*names: str, notes: tuple[str, ...] = ()) -> Leaderboard:
    """A board on which everybody has the rating 0 and a closed interval."""
    return board(*((name, 0.0, -1.0, 1.0) for name in names), notes=notes)


def doubtful() -> Leaderboard:
    """Three players with open ends, of whom the last has notes that no interval shows."""
    return board(
        *SMALL,
        notes=("Take care.", "'rf' lost every match."),
        row_notes={0: (open_above(),), 2: ("component 1", lost_all(), open_below())},
    )


def season() -> list[Leaderboard]:
    return [of("iris", flat("a", "b")), of("wine & food", flat("c", notes=("Rough.",)))]


def render_markdown(boards: Sequence[Leaderboard], **options: Any) -> str:
    return markdown.render_markdown(board_document(boards, **options))


def render_latex(boards: Sequence[Leaderboard], **options: Any) -> str:
    return latex.render_latex(board_document(boards, **options))


def said(players: int) -> str:
    """The line that says what such a board rates."""
    return f"{count(players, 'player')}, 4 rounds, 4 matches; higher score is better."


# CSV ----------------------------------------------------------------------------------------------


def csv_line(**cells: str) -> str:
    """A line with these cells and the others empty, in the order of all columns."""
    order = [name for name in ("tournament",) if name in cells]
    order += [*COLUMNS, *(name for name in ELO if name in cells)]
    return ",".join(cells.get(name, "") for name in order)


def csv_head(*, tournament: bool = False, elo: bool = False) -> str:
    return ",".join([*["tournament"] * tournament, *COLUMNS, *(ELO if elo else ())])


ZERO = {"epp": "0.0", "se": "1.0", "low": "-1.0", "high": "1.0", "p_average": "0.5"}
PLAYED = {"wins": "2.5", "matches": "4"}


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_csv_has_every_column_with_every_digit_and_leaves_open_ends_empty() -> None:
    found = board(
        ("svm", 0.1 + 0.2, -1e-17, INF),
        ("random forest", 0.0, -INF, INF),
        row_notes={0: (won_all(), open_above()), 1: ("a, b",)},
    )
    chance = repr(found.rows[0].p_average)
    first = {"epp": "0.30000000000000004", "se": "1.0", "low": "-1e-17", "p_average": chance}
    second = {"epp": "0.0", "se": "1.0", "p_average": "0.5", "notes": '"a, b"'}
    assert render_csv([found]).split("\n") == [
        csv_head(),
        csv_line(
            rank="1", player="svm", **first, **PLAYED, notes="won every match; upper end open"
        ),
        csv_line(rank="2", player="random forest", **second, **PLAYED),
        "",
    ]


def test_csv_of_a_season_begins_with_the_tournament() -> None:
    wine = {"tournament": "wine & food", **ZERO, **PLAYED}
    iris = {"tournament": "iris", **ZERO, **PLAYED}
    assert render_csv(season()).split("\n") == [
        csv_head(tournament=True),
        csv_line(rank="1", player="a", **iris),
        csv_line(rank="2", player="b", **iris),
        csv_line(rank="1", player="c", **wine),
        "",
    ]
    assert render_csv(season()[1:]).split("\n") == [
        csv_head(tournament=True),
        csv_line(rank="1", player="c", **wine),
        "",
    ]


def test_csv_has_elo_in_its_last_columns() -> None:
    found = board(("a", math.log(10.0), 0.0, INF), ("b", -0.25, -INF, 0.1))
    text = render_csv([found], scale="elo")
    assert text.split("\n")[0] == csv_head(elo=True)
    assert [[row[name] for name in ELO] for row in read_csv(text)] == [
        ["1900.0", "1500.0", ""],
        [repr(to_elo(-0.25)), "", repr(to_elo(0.1))],
    ]


def test_csv_is_cut_on_each_board() -> None:
    rows = read_csv(render_csv(season(), top=1))
    assert [(row["tournament"], row["player"]) for row in rows] == [
        ("iris", "a"),
        ("wine & food", "c"),
    ]
    assert render_csv(season(), top=2) == render_csv(season())


def test_csv_of_a_rated_table_is_its_frame() -> None:
    scores = {"a": [3.0, 3.0, 3.0], "b": [2.0, 1.0, 2.0], "c": [1.0, 2.0, 1.0]}
    found = rate(grid(scores), higher_is_better=True)
    expected = [
        {name: "" if cell is None else str(cell) for name, cell in row.items()}
        for row in found.frame().to_dicts()
    ]
    assert read_csv(render_csv([found])) == expected


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ('=HYPERLINK("http://x")', '"=HYPERLINK(""http://x"")"'),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
        ("a|b", "a|b"),
        ("a,b", '"a,b"'),
        ('"quoted"', '"""quoted"""'),
        ("'quoted'", "'quoted'"),
        ("../../x", "../../x"),
        ("%s", "%s"),
        (r"\input{x}", r"\input{x}"),
        ("-1", "-1"),
        ("@SUM(A1)", "@SUM(A1)"),
        ("naïve 日本", "naïve 日本"),
    ],
)
def test_csv_quotes_a_name_and_never_alters_it(name: str, cell: str) -> None:
    assert render_csv([flat(name)]).split("\n")[1:] == [
        csv_line(rank="1", player=cell, **ZERO, **PLAYED),
        "",
    ]
    assert [row["player"] for row in read_csv(render_csv([flat(name)]))] == [name]


FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@given(rows=st.lists(st.tuples(NAMES, FLOATS, FLOATS), min_size=1, max_size=5), tournament=NAMES)
def test_csv_gives_back_the_same_names_and_floats(
    rows: list[tuple[str, float, float]], tournament: str
) -> None:
    found = flat(*(name for name, _, _ in rows))
    found.standings.epp[:] = [epp for _, epp, _ in rows]
    found.standings.low[:] = [low for _, _, low in rows]
    back = read_csv(render_csv([of(tournament, found)]))
    assert [(row["player"], float(row["epp"]), float(row["low"])) for row in back] == rows
    assert {row["tournament"] for row in back} == {tournament}


# Markdown -----------------------------------------------------------------------------------------


def test_markdown_has_a_table_and_a_list_of_notes() -> None:
    assert render_markdown([doubtful()]) == (
        f"{said(3)}\n\n"
        "| rank | player | EPP | 95% interval | P(>avg) | notes |\n"
        "| ---: | :--- | ---: | ---: | ---: | :--- |\n"
        "| 1 | svm | 1.23 | -0.50 … ∞ | 77% |  |\n"
        "| 2 | random forest | 0.00 | -∞ … ∞ | 50% |  |\n"
        "| 3 | rf | -1.20 | -∞ … 10.25 | 23% | component 1; lost every match |\n"
        "\n"
        "- Take care.\n"
        "- 'rf' lost every match.\n"
    )


def test_markdown_that_is_cut_says_so_and_needs_no_column_of_notes() -> None:
    assert render_markdown([doubtful()], top=2, scale="elo") == (
        f"{said(3)}\n\n"
        "| rank | player | Elo | 95% interval | P(>avg) |\n"
        "| ---: | :--- | ---: | ---: | ---: |\n"
        "| 1 | svm | 1714 | 1413 … ∞ | 77% |\n"
        "| 2 | random forest | 1500 | -∞ … ∞ | 50% |\n"
        "\n"
        "… and 1 more player\n"
        "\n"
        "- Take care.\n"
        "- 'rf' lost every match.\n"
    )


def test_markdown_of_a_season_has_a_heading_for_each_tournament() -> None:
    head = (
        "| rank | player | EPP | 95% interval | P(>avg) |\n| ---: | :--- | ---: | ---: | ---: |\n"
    )
    assert render_markdown(season()) == (
        f"### iris\n\n{said(2)}\n\n{head}"
        "| 1 | a | 0.00 | -1.00 … 1.00 | 50% |\n"
        "| 2 | b | 0.00 | -1.00 … 1.00 | 50% |\n"
        f"\n### wine &amp; food\n\n{said(1)}\n\n{head}"
        "| 1 | c | 0.00 | -1.00 … 1.00 | 50% |\n"
        "\n- Rough.\n"
    )


def test_level_and_unlikely_wins_are_shown_as_in_the_terminal() -> None:
    found = board(("a", 6.0, 5.0, 7.0), ("b", -6.0, -7.0, -5.0), level=0.9)
    assert render_markdown([found]) == (
        f"{said(2)}\n\n"
        "| rank | player | EPP | 90% interval | P(>avg) |\n"
        "| ---: | :--- | ---: | ---: | ---: |\n"
        "| 1 | a | 6.00 | 5.00 … 7.00 | >99% |\n"
        "| 2 | b | -6.00 | -7.00 … -5.00 | &lt;1% |\n"
    )


def test_long_name_is_kept_whole() -> None:
    name = "x" * 100
    assert render_markdown([flat(name)]).splitlines()[4].split(" | ")[1] == name
    assert render_latex([flat(name)]).splitlines()[7].split(" & ")[1] == name


MARKDOWN_NAMES = [
    ('=HYPERLINK("http://x")', r'=HYPERLINK("http\://x")'),
    ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)>"),
    ("</td><!-- x -->", "&lt;/td>&lt;!-- x -->"),
    ("<https://x.org>", r"&lt;https\://x.org>"),
    ("a|b", r"a\|b"),
    ("a,b", "a,b"),
    (r"a\|b\\", r"a\\\|b\\\\"),
    ("|a|", r"\|a\|"),
    ('"quoted"', '"quoted"'),
    ("../../x", "../../x"),
    ("%s", "%s"),
    ("$x_1^2$", r"\$x\_1^2\$"),
    (r"\input{x}", r"\\input\{x\}"),
    ("*bold* **very** _so_", r"\*bold\* \*\*very\*\* \_so\_"),
    ("~~gone~~", r"\~\~gone\~\~"),
    ("[link](x) ![image](x) [^1]", r"\[link\](x) !\[image\](x) \[^1\]"),
    ("`code`", r"\`code\`"),
    ("--", "--"),
    ("C#", r"C\#"),
    ("# title #", r"\# title \#"),
    ("a&amp;b &lt;", "a&amp;amp;b &amp;lt;"),
    ("https://x.org Www.x.org ftp://x.org", r"https\://x.org Www\.x.org ftp\://x.org"),
    ("@user a@b.org c@@d `@`", r"`@`user a`@`b.org c`@@`d \``@`\`"),
    ("naïve 日本", "naïve 日本"),
]


@pytest.mark.parametrize(("name", "escaped"), MARKDOWN_NAMES)
def test_markup_in_a_name_is_escaped_in_markdown(name: str, escaped: str) -> None:
    found = of(name, flat(name, "b", notes=(f"'{name}' won every match.",)))
    assert render_markdown([found]) == (
        f"### {escaped}\n\n{said(2)}\n\n"
        "| rank | player | EPP | 95% interval | P(>avg) |\n"
        "| ---: | :--- | ---: | ---: | ---: |\n"
        f"| 1 | {escaped} | 0.00 | -1.00 … 1.00 | 50% |\n"
        "| 2 | b | 0.00 | -1.00 … 1.00 | 50% |\n\n"
        f"- '{escaped}' won every match.\n"
    )


@pytest.mark.parametrize(
    ("note", "item"),
    [
        ("- a", r"- \- a"),
        ("+ a", r"- \+ a"),
        ("> a", r"- \> a"),
        ("1. a", r"- 1\. a"),
        ("12) a", r"- 12\) a"),
        ("# a", r"- \# a"),
        ("3 players - all", "- 3 players - all"),
    ],
)
def test_note_of_the_board_stays_one_item(note: str, item: str) -> None:
    assert render_markdown([flat("a", notes=(note,))]).splitlines()[-1] == item


@given(names=st.lists(NAMES, min_size=1, max_size=5), note=NAMES)
def test_rows_of_a_markdown_table_have_as_many_cells_as_its_head(
    names: list[str], note: str
) -> None:
    found = flat(*names)
    found._row_notes[0] = (Note("doubt", "made_up", note),)
    lines = render_markdown([found]).split("\n")
    pipes = [len(re.findall(r"\|", re.sub(r"\\.", "", line))) for line in lines]
    assert pipes == [0, 0, *[7] * (len(names) + 2), 0]


def render_with_markdown_it(text: str) -> str:
    parser = pytest.importorskip("markdown_it").MarkdownIt("commonmark")
    return str(parser.enable(["table", "strikethrough"]).render(text))


def render_as_github(text: str) -> str:
    parser = pytest.importorskip("cmarkgfm")
    # Without this option HTML is left out, and a name that lets it pass would not be noticed.
    unsafe = parser.cmark.Options.CMARK_OPT_UNSAFE
    return str(parser.github_flavored_markdown_to_html(text, options=unsafe))


class Page(HTMLParser):
    """The tags of a page, and what one reads in its headings, cells and lists."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "code":
            self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag in ("h3", "p", "td", "th", "li"):
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if data.strip("\n"):
            self.texts[-1] += data

    def handle_comment(self, data: str) -> None:
        self.tags.append(f"<!--{data}-->")


PAGE = ["h3", "p", "table", "thead", "tr", *["th"] * 5, "tbody", "tr", *["td"] * 5, "ul", "li"]


@pytest.mark.parametrize("render", [render_with_markdown_it, render_as_github])
@pytest.mark.parametrize("name", [name for name, _ in MARKDOWN_NAMES])
def test_reader_of_markdown_sees_the_name_and_nothing_else(
    name: str, render: Callable[[str], str]
) -> None:
    page = Page(render(render_markdown([of(name, flat(name, notes=(name,)))])))
    assert page.tags == PAGE
    assert page.attributes <= {"align", "style"}
    assert page.texts == [
        *(name, said(1), "rank", "player", "EPP", "95% interval", "P(>avg)"),
        *("1", name, "0.00", "-1.00 … 1.00", "50%", name),
    ]


# LaTeX --------------------------------------------------------------------------------------------

PREAMBLE = "% Needs \\usepackage{booktabs} in the preamble.\n"


def said_in_latex(players: int) -> str:
    return f"\\noindent {said(players)}\\par\\smallskip\n"


def test_latex_has_a_tabular_and_the_notes_in_small_print() -> None:
    assert render_latex([doubtful()]) == PREAMBLE + (
        f"{said_in_latex(3)}"
        "\\noindent\n"
        "\\begin{tabular}{rlrrrl}\n"
        "\\toprule\n"
        "rank & player & EPP & 95\\% interval & P(\\textgreater{}avg) & notes \\\\\n"
        "\\midrule\n"
        "$1$ & svm & $1.23$ & $-0.50 \\ldots \\infty$ & $77\\%$ &  \\\\\n"
        "$2$ & random forest & $0.00$ & $-\\infty \\ldots \\infty$ & $50\\%$ &  \\\\\n"
        "$3$ & rf & $-1.20$ & $-\\infty \\ldots 10.25$ & $23\\%$ & "
        "component 1; lost every match \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\par\\smallskip\n"
        "{\\small\\noindent\n"
        "Take care.\n"
        "'rf' lost every match.\n"
        "\\par}\n"
    )


def test_latex_that_is_cut_says_so() -> None:
    found = board(("a", 6.0, 5.0, 7.0), ("b", -6.0, -7.0, -5.0), ("c", -6.5, -8.0, -5.0))
    assert render_latex([found], top=2, scale="elo") == PREAMBLE + (
        f"{said_in_latex(3)}"
        "\\noindent\n"
        "\\begin{tabular}{rlrrr}\n"
        "\\toprule\n"
        "rank & player & Elo & 95\\% interval & P(\\textgreater{}avg) \\\\\n"
        "\\midrule\n"
        "$1$ & a & $2542$ & $2369 \\ldots 2716$ & ${>}99\\%$ \\\\\n"
        "$2$ & b & $458$ & $284 \\ldots 631$ & ${<}1\\%$ \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\par\\smallskip\n"
        "{\\small\\noindent\n"
        "… and 1 more player.\n"
        "\\par}\n"
    )


def test_latex_of_a_season_has_a_tabular_for_each_tournament() -> None:
    table = (
        f"{said_in_latex(1)}"
        "\\noindent\n"
        "\\begin{tabular}{rlrrr}\n"
        "\\toprule\n"
        "rank & player & EPP & 95\\% interval & P(\\textgreater{}avg) \\\\\n"
        "\\midrule\n"
        "$1$ & c & $0.00$ & $-1.00 \\ldots 1.00$ & $50\\%$ \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )
    boards = [of("iris", flat("c")), of("wine & food", flat("c"))]
    assert render_latex(boards) == (
        f"{PREAMBLE}\\noindent\\textbf{{iris}}\\par\\smallskip\n{table}"
        f"\n\\bigskip\n\\noindent\\textbf{{wine \\& food}}\\par\\smallskip\n{table}"
    )


LATEX_NAMES = [
    ('=HYPERLINK("http://x")', r"=HYPERLINK(\char34{}http://x\char34{})"),
    ("<img src=x>", r"\textless{}img src=x\textgreater{}"),
    ("a|b", r"a\textbar{}b"),
    ("a,b", "a,b"),
    ("../../x", "../../x"),
    ("%s", r"\%s"),
    ("$x_1^2$", r"\$x\_1\textasciicircum{}2\$"),
    (r"\input{x}", r"\textbackslash{}input\{x\}"),
    ("R&D #1 ~x~", r"R\&D \#1 \textasciitilde{}x\textasciitilde{}"),
    ("*bold*", "*bold*"),
    ("[link](x)", "[link](x)"),
    ("--", "-{}-"),
    ("a---b", "a-{}-{}-b"),
    ("``x'' !` ?`", r"\`{}\`{}x'{}' !\`{} ?\`{}"),
    ("a,,b", "a,{},b"),
    ("<<a>>", r"\textless{}\textless{}a\textgreater{}\textgreater{}"),
    ("\\", r"\textbackslash{}"),
    ("^^M", r"\textasciicircum{}\textasciicircum{}M"),
]


@pytest.mark.parametrize(
    ("name", "escaped"), [*LATEX_NAMES, ("naïve 日本 …", "naïve 日本 …"), ("–", "–")]
)
def test_commands_in_a_name_are_escaped_in_latex(name: str, escaped: str) -> None:
    found = of(name, flat(name, notes=(f"'{name}'.",)))
    assert render_latex([found]) == PREAMBLE + (
        f"\\noindent\\textbf{{{escaped}}}\\par\\smallskip\n{said_in_latex(1)}"
        "\\noindent\n"
        "\\begin{tabular}{rlrrr}\n"
        "\\toprule\n"
        "rank & player & EPP & 95\\% interval & P(\\textgreater{}avg) \\\\\n"
        "\\midrule\n"
        f"$1$ & {escaped} & $0.00$ & $-1.00 \\ldots 1.00$ & $50\\%$ \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\par\\smallskip\n"
        "{\\small\\noindent\n"
        f"'{escaped}'.\n"
        "\\par}\n"
    )


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not on this machine")
def test_pdflatex_takes_hostile_names(tmp_path: Path) -> None:
    names = [name for name, _ in LATEX_NAMES]
    notes = tuple(f"'{name}' won every match." for name in names)
    boards = [of(name, flat(*names, notes=notes)) for name in names]
    body = render_latex([*boards, doubtful()], scale="elo") + render_latex([flat("a", "b")], top=1)
    page = tmp_path / "page.tex"
    page.write_text(
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
        f"{body}\\end{{document}}\n",
        encoding="utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", page.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]


def test_latex_has_words_between_numbers_and_signs_that_pdflatex_lacks() -> None:
    columns = [
        (words("τ"), ["2 to ∞"]),
        (numbers("χ²"), ["7 to >99%"]),
        (numbers("wins"), ["63% (51 to 74)"]),
    ]
    assert list(latex.latex_table(make_table(columns)))[2:-2] == [
        r"$\tau$ & $\chi$\textsuperscript{2} & wins \\",
        r"\midrule",
        r"2 to $\infty$ & $7\mbox{ to }{>}99\%$ & $63\%\mbox{ }(51\mbox{ to }74)$ \\",
    ]


def test_lists_are_lists_in_markdown_and_in_latex() -> None:
    document = Document((Section((Points(("a_b", "c"), "Doubts:"),)),))
    assert markdown.render_markdown(document) == "- a\\_b\n- c\n"
    assert latex.render_latex(document) == PREAMBLE + (
        "\\begin{itemize}\n\\item a\\_b\n\\item c\n\\end{itemize}\n"
    )


# All ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("render", [render_csv, render_markdown, render_latex])
@pytest.mark.parametrize("top", [0, -3])
def test_number_of_rows_is_positive(render: Callable[..., str], top: int) -> None:
    assert sentence(BadOption, lambda: render([flat("a")], top=top)) == (
        f"top={top} is not possible; it is a whole number from 1 on, or None for all players."
    )


# What was rated -----------------------------------------------------------------------------------


def rated_pair() -> Leaderboard:
    scores = {"a": [0.8, 0.8, 0.8, 0.8], "b": [0.9, 0.78, 0.78, 0.78]}
    return rate(grid(scores), higher_is_better=True, details=True)


def rated_apart() -> Leaderboard:
    """Three players that the data tell apart."""
    scores = {"a": [3] * 40 + [2] * 5, "b_1": [2] * 40 + [3] * 5, "c": [1, 4] + [1] * 43}
    return rate(grid(scores), higher_is_better=True, details=True)


def test_markdown_says_what_was_rated_and_compares_the_first_two() -> None:
    assert render_markdown([of("iris", rated_pair())]) == (
        "### iris\n\n"
        "2 players, 4 rounds, 4 matches; higher score is better.\n\n"
        "By their ratings, a beats b in 70 of 100 new rounds (95% interval 5 to >99); the data "
        "cannot tell them apart."
        "\n\n"
        "Nobody can be excluded from being the best at 5%; the likeliest is a (66 of 100).\n\n"
        "Fit: nothing to check.\n\n"
        "| rank | could be | player | EPP | 95% interval | P(>avg) | P(best) | alike |\n"
        "| ---: | ---: | :--- | ---: | ---: | ---: | ---: | :--- |\n"
        "| 1 | 1–2 | a | 0.42 | -1.51 … 2.31 | 60% | 66% | a |\n"
        "| 2 | 1–2 | b | -0.42 | -2.31 … 1.51 | 40% | 34% | a |\n\n"
        "- The intervals rest on only 4 rounds; below about 10 they are rough.\n"
        f"- {ONLY_LUCK}\n"
    )


def test_markdown_tells_who_is_best_and_how_well_the_ratings_fit() -> None:
    assert render_markdown([rated_apart()], top=2) == (
        "3 players, 45 rounds, 135 matches; higher score is better.\n\n"
        r"By their ratings, a beats b\_1 in 86 of 100 new rounds (95% interval 73 to 94)."
        "\n\n"
        "Only a could truly be the best (more than 99 of 100).\n\n"
        "Fit: there is some doubt that one rating for each player explains who beats whom "
        "(p = 0.088, deviance 1.8 on 1 df).\n\n"
        "| rank | could be | player | EPP | 95% interval | P(>avg) | P(best) | alike |\n"
        "| ---: | ---: | :--- | ---: | ---: | ---: | ---: | :--- |\n"
        "| 1 | 1 | a | 2.24 | 1.34 … 3.03 | 90% | >99% | a |\n"
        r"| 2 | 2 | b\_1 | 0.38 | -0.23 … 0.90 | 59% | &lt;1% | b |"
        "\n\n"
        "… and 1 more player\n"
    )


def test_latex_says_what_was_rated_and_compares_the_first_two() -> None:
    assert render_latex([rated_pair()]).splitlines()[1:6] == [
        r"\noindent 2 players, 4 rounds, 4 matches; higher score is better.\par\smallskip",
        r"\noindent By their ratings, a beats b in 70 of 100 new rounds (95\% interval 5 to "
        r"\textgreater{}99); the data cannot "
        r"tell them apart.\par\smallskip",
        r"\noindent Nobody can be excluded from being the best at 5\%; the likeliest is a (66 of "
        r"100).\par\smallskip",
        r"\noindent Fit: nothing to check.\par\smallskip",
        r"\noindent",
    ]


def test_latex_tells_who_is_best_and_how_well_the_ratings_fit() -> None:
    assert render_latex([rated_apart()]) == PREAMBLE + (
        "\\noindent 3 players, 45 rounds, 135 matches; higher score is better.\\par\\smallskip\n"
        "\\noindent By their ratings, a beats b\\_1 in 86 of 100 new rounds (95\\% interval 73 "
        "to 94)."
        "\\par\\smallskip\n"
        "\\noindent Only a could truly be the best (more than 99 of 100).\\par\\smallskip\n"
        "\\noindent Fit: there is some doubt that one rating for each player explains who beats "
        "whom (p = 0.088, deviance 1.8 on 1 df)."
        "\\par\\smallskip\n"
        "\\noindent\n"
        "\\begin{tabular}{rrlrrrrll}\n"
        "\\toprule\n"
        "rank & could be & player & EPP & 95\\% interval & P(\\textgreater{}avg) & P(best) & "
        "alike & notes "
        "\\\\\n"
        "\\midrule\n"
        "$1$ & $1$ & a & $2.24$ & $1.34 \\ldots 3.03$ & $90\\%$ & ${>}99\\%$ & a &  \\\\\n"
        "$2$ & $2$ & b\\_1 & $0.38$ & $-0.23 \\ldots 0.90$ & $59\\%$ & ${<}1\\%$ & b &  \\\\\n"
        "$3$ & $3$ & c & $-2.62$ & $-3.72 \\ldots -1.33$ & $7\\%$ & ${<}1\\%$ & c & won in only "
        "1 round: lower end may be too high \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


def test_latex_has_only_ascii_in_mathematics() -> None:
    formulas = re.findall(r"(?<!\\)\$([^$]*)\$", render_latex([rated_pair()]))
    assert [formula for formula in formulas if not formula.isascii()] == []


def test_csv_has_ranks_chances_letters_and_errors_of_differences() -> None:
    columns = ("rank_low", "rank_high", "letters")
    rows = read_csv(render_csv([rated_apart()]))
    assert [[row[name] for name in columns] for row in rows] == [
        ["1", "1", "a"],
        ["2", "2", "b"],
        ["3", "3", "c"],
    ]
    assert [float(row["p_best"]) for row in rows] == rated_apart().details().p_best.tolist()
    assert [float(row["quasi_se"]) > 0.0 for row in rows] == [True] * 3


def test_csv_without_details_leaves_their_columns_empty() -> None:
    scores = {"a": [0.8, 0.8, 0.8, 0.8], "b": [0.9, 0.78, 0.78, 0.78]}
    rows = read_csv(render_csv([rate(grid(scores), higher_is_better=True, details=False)]))
    names = ("rank_low", "rank_high", "p_best", "letters", "quasi_se")
    assert [[row[name] for name in names] for row in rows] == [[""] * 5] * 2
