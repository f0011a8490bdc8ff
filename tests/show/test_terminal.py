"""Boards in a terminal or a log, and progress on the way there."""

import io
import os
import threading
import time
from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len
from rich.console import Console
from tables import ONLY_LUCK, ROUGH, grid, named, three_by_three

from winodds import Leaderboard, Season, rate, rate_battles, rate_each
from winodds.board.row import DECLARED
from winodds.cli import progress
from winodds.cli.progress import Progress
from winodds.language.notes import Note
from winodds.language.options import Center
from winodds.show.formats.json import render_json
from winodds.show.formats.terminal import draw_bars, print_document
from winodds.show.formats.text import render_board, render_table, render_text
from winodds.show.layout.document import Document, Points, Section, Table
from winodds.show.layout.documents import board_document
from winodds.show.layout.fitting import fit_names, shorten, shorten_apart
from winodds.show.layout.grid import Grid, make_grid, numbers
from winodds.show.layout.overview import line_grid, overview_document
from winodds.show.words.board import ELO_LEGEND, describe_best, describe_top, headline
from winodds.show.words.overview import gather_notes

BOARD = """\
rank  could be  player    EPP  95% interval  P(>avg)  P(best)  alike
----  --------  ------  -----  ------------  -------  -------  -----
   1       1–3  a        0.38  -1.83 … 2.46      59%      42%  a
   2       1–3  b        0.00  -3.49 … 3.38      50%      32%  a
   3       1–3  c       -0.38  -4.41 … 3.89      41%      26%  a
"""
SHORT = """\
rank  player    EPP  95% interval  P(>avg)
----  ------  -----  ------------  -------
   1  a        0.38  -1.83 … 2.46      59%
   2  b        0.00  -3.49 … 3.38      50%
   3  c       -0.38  -4.41 … 3.89      41%
"""
HEAD = "3 players, 3 rounds, 9 matches; higher score is better\n"
DUEL = (
    "By their ratings, a beats b in 59 of 100 new rounds (95% interval 3 to 99); the data cannot "
    "tell them apart."
)
BEST = "Nobody can be excluded from being the best at 5%; the likeliest is a (42 of 100)."
FIT = "Fit: no sign that the ratings miss anything (p = 1.00, deviance 0.1 on 1 df)."
SAID = f"{DUEL}\n{BEST}\n{FIT}\n"
LONG = "hist_gradient_boosting(learning_rate=0.01, max_leaf_nodes=31, l2=0.0)"


def render_boards(boards: Sequence[Leaderboard], **options: Any) -> str:
    return render_text(board_document(boards, **options))


def table_of(board: Leaderboard, *, elo: bool = False, width: int = 80) -> str:
    return render_table(Table(make_grid(board, elo=elo)), width=width)


def rated(table: pl.DataFrame | None = None) -> Leaderboard:
    """A board with details."""
    scores = three_by_three() if table is None else table
    return rate(scores, higher_is_better=True, details=True)


def plain(
    table: pl.DataFrame | None = None, *, family: str | None = None, center: Center = "comparable"
) -> Leaderboard:
    """A board without details."""
    scores = three_by_three() if table is None else table
    return rate(scores, family=family, center=center, higher_is_better=True, details=False)


def season() -> list[Leaderboard]:
    tables = [three_by_three().with_columns(data=pl.lit(name)) for name in ("iris", "wine")]
    boards = rate_each(pl.concat(tables), tournament="data", higher_is_better=True, details=True)
    return list(boards.values())


def separated() -> pl.DataFrame:
    """One player won every match."""
    return grid({"[red]x[/red]": [3, 3, 3], "b": [2, 2, 1], "c": [1, 1, 2]})


# Text ---------------------------------------------------------------------------------------------


def test_text_of_one_board_says_everything() -> None:
    assert render_boards([rated()]) == (f"{HEAD}\n{BOARD}\n{SAID}\n* {ROUGH}\n* {ONLY_LUCK}\n")


def test_text_without_details_is_shorter() -> None:
    assert render_boards([plain()]) == f"{HEAD}\n{SHORT}\n{DUEL}\n\n* {ROUGH}\n"


def test_text_of_a_season_says_once_what_all_boards_share() -> None:
    assert render_boards(season()) == (
        f"iris: {HEAD}\n{BOARD}\n{SAID}\nwine: {HEAD}\n{BOARD}\n{SAID}\n"
        f"For all tournaments:\n* {ROUGH}\n* {ONLY_LUCK}\n"
    )


ALL_HEAD = "All together: 3 players, 2 tournaments, 6 rounds, 18 matches; higher score is better\n"
ALL = """\
rank  player    EPP  95% interval  P(>avg)
----  ------  -----  ------------  -------
   1  a        0.42  -0.38 … 1.21      60%
   2  b        0.00  -0.77 … 0.77      50%
   3  c       -0.42  -1.21 … 0.38      40%

By their ratings, a beats b in 60 of 100 new rounds of new tournaments (95% interval 28 to 85); \
the data cannot tell them apart.

* 2 tournaments are pooled, and each counts once for a pair of players; the intervals are for new \
tournaments, not for new rounds of these.
* The intervals rest on only 2 tournaments; below about 10 they are rough.
"""
LINES = """\
Each by itself

a is rated first on every one of 2 data sets.

data set  rated first  beats the next  rounds
--------  -----------  --------------  ------
iris      a             59% (3 to 99)       3
wine      a             59% (3 to 99)       3
"""


def two(*names: str, details: bool = False, **options: Any) -> Season:
    tables = [three_by_three().with_columns(data=pl.lit(name)) for name in names]
    return rate_each(
        pl.concat(tables), tournament="data", higher_is_better=True, details=details, **options
    )


def test_text_of_several_boards_has_all_together_first_and_then_a_line_for_each() -> None:
    assert render_text(overview_document(two("iris", "wine"))) == (
        f"{ALL_HEAD}\n{ALL}\n{LINES}\nOf these:\n* {ROUGH}\n"
    )


def test_lines_say_how_sure_the_first_is_once_that_was_computed() -> None:
    table = render_table(Table(line_grid(list(two("iris", "wine", details=True).values()))))
    assert table == (
        "data set  rated first  beats the next  could be best  P(best)  rounds\n"
        "--------  -----------  --------------  -------------  -------  ------\n"
        "iris      a             59% (3 to 99)         3 of 3      42%       3\n"
        "wine      a             59% (3 to 99)         3 of 3      42%       3"
    )


def test_every_board_follows_where_that_is_wanted() -> None:
    each = f"{HEAD}\n{SHORT}\n{DUEL}\n"
    assert render_text(overview_document(two("iris", "wine"), each=True)) == (
        f"{ALL_HEAD}\n{ALL}\n{LINES}\niris: {each}\nwine: {each}\nFor all tournaments:\n* {ROUGH}\n"
    )
    cut = render_text(overview_document(two("iris", "wine"), each=True, top=2, of_each=1))
    assert cut.count("… and 1 more player\n") == 1
    assert cut.count("… and 2 more players\n") == 2


def test_boards_that_cannot_be_put_together_follow_each_other_and_say_why() -> None:
    tables = [
        grid({"a": [3, 3, 2], "b": [2, 2, 3]}).with_columns(data=pl.lit("x")),
        grid({"c": [3, 3, 2], "d": [2, 2, 3]}).with_columns(data=pl.lit("y")),
    ]
    found = rate_each(pl.concat(tables), tournament="data", higher_is_better=True)
    sections = render_text(overview_document(found)).split("\n\n")
    assert sections[0].startswith(
        "There is no board of all tournaments together. The players form 2 components that never "
        "met: 2 with 'a', 'b'; 2 with 'c', 'd'."
    )
    heads = [part.split(":")[0] for part in sections if "matches;" in part]
    assert heads == ["x", "y"]
    assert sections[-1] == f"For all tournaments:\n* {ROUGH}\n"


def test_a_season_of_one_board_is_that_board() -> None:
    assert (
        render_text(overview_document(two("iris")))
        == f"iris: {HEAD}\n{SHORT}\n{DUEL}\n\n* {ROUGH}\n"
    )


def test_boards_without_one_scale_have_no_first() -> None:
    other = grid({"c": [3, 2, 3], "d": [2, 3, 2]}).with_columns(pl.col("round") + 9)
    apart = pl.concat([grid({"a": [3, 3, 2], "b": [2, 2, 3]}), other])
    tables = [apart.with_columns(data=pl.lit(name)) for name in "xy"]
    found = rate_each(
        pl.concat(tables), tournament="data", higher_is_better=True, components="separate"
    )
    rows = line_grid(list(found.values())).rows
    assert [row[1] for row in rows] == ["no common scale", "no common scale"]


def test_copies_in_front_are_said_to_be_identical() -> None:
    same = grid({"a": [3, 3, 2], "b": [3, 3, 2], "c": [1, 2, 1]})
    found = rate(same.with_columns(data=pl.lit("x")), tournament="data", higher_is_better=True)
    assert line_grid([found]).rows == [("x", "a, b", "identical", "3")]


def note_of(name: str, text: str) -> Note:
    return Note("doubt", name, text)


def test_notes_of_one_kind_with_other_figures_are_told_once() -> None:
    rough, failed = note_of("few", "Few rounds."), note_of("failed", "1 run failed.")
    notes = {"x": [rough, failed], "y": [rough], "z": [rough, note_of("failed", "7 runs failed.")]}
    assert gather_notes(notes) == (
        "Few rounds.",
        "x: 1 run failed. The like, with other figures, is noted of z.",
    )
    assert gather_notes({"x": [failed], "y": [], "z": [failed]}) == ("x, z: 1 run failed.",)


def test_text_on_the_scale_of_chess_explains_it() -> None:
    assert render_boards([rated()], top=2, elo=True) == (
        f"{HEAD}\n"
        "rank  could be  player   Elo  95% interval  P(>avg)  P(best)  alike\n"
        "----  --------  ------  ----  ------------  -------  -------  -----\n"
        "   1       1–3  a       1566   1183 … 1927      59%      42%  a\n"
        "   2       1–3  b       1500    894 … 2087      50%      32%  a\n"
        "… and 1 more player\n"
        f"\n{SAID}\n* {ROUGH}\n* {ONLY_LUCK}\n\n{ELO_LEGEND}\n"
    )


def test_families_and_doubts_are_columns_where_there_are_some() -> None:
    table = separated().with_columns(kind=pl.col("player").replace({"b": "tree", "c": "line"}))
    assert table_of(plain(table, family="kind")) == (
        "rank  player        family          EPP  95% interval  P(>avg)  notes\n"
        "----  ------------  ------------  -----  ------------  -------  ---------------\n"
        "   1  [red]x[/red]  [red]x[/red]   2.49     -4.11 … ∞      92%  won every match\n"
        "   2  b             tree           0.25  -2.44 … 2.90      56%\n"
        "   3  c             line          -0.25  -2.90 … 2.44      44%"
    )


def test_families_stand_beside_the_players_and_letters_after_the_numbers() -> None:
    table = separated().with_columns(kind=pl.col("player").replace({"b": "tree", "c": "line"}))
    found = rate(table, family="kind", higher_is_better=True, details=True)
    assert table_of(found, width=105) == (
        "rank  could be  player        family          EPP  95% interval  P(>avg)  P(best)  "
        "alike  notes\n"
        "----  --------  ------------  ------------  -----  ------------  -------  -------  "
        "-----  ---------------\n"
        "   1       1–3  [red]x[/red]  [red]x[/red]   2.49     -4.11 … ∞      92%      75%  "
        "a      won every match\n"
        "   2       1–3  b             tree           0.25  -2.44 … 2.90      56%      15%  a\n"
        "   3       1–3  c             line          -0.25  -2.90 … 2.44      44%      10%  a"
    )


def columns_at(width: int) -> list[str]:
    """Heads of the columns that a table with a long name has at this width."""
    text = table_of(rated(named(LONG, "b", "c")), width=width)
    return text.split("\n")[0].replace("could be", "could-be").split()


def test_columns_give_way_to_names_in_turn() -> None:
    first = ["rank", "could-be", "player", "EPP", "95%", "interval"]
    assert columns_at(88) == [*first, "P(>avg)", "P(best)", "alike"]
    assert columns_at(87) == [*first, "P(>avg)", "P(best)"]
    assert columns_at(81) == [*first, "P(>avg)", "P(best)"]
    assert columns_at(80) == [*first, "P(best)"]


def test_notes_of_one_board_stay_with_it() -> None:
    other = plain(separated())
    text = render_boards([plain(), other])
    own = [str(note) for note in other.notes if str(note) != ROUGH]
    assert len(own) == 2
    assert text.count(ROUGH) == 1
    assert text.endswith(f"\n\n* {own[0]}\n* {own[1]}\n\nFor all tournaments:\n* {ROUGH}\n")


# Headline -----------------------------------------------------------------------------------------


def battles() -> Leaderboard:
    rows = [("a", "b", "model_a"), ("b", "c", "tie"), ("c", "a", "model_a"), ("a", "c", "model_a")]
    return rate_battles(pl.DataFrame(rows * 3, ["model_a", "model_b", "winner"], orient="row"))


def pooled(matches: str) -> Leaderboard:
    tables = [three_by_three().with_columns(data=pl.lit(name)) for name in "xyz"]
    return rate(
        pl.concat(tables),
        tournament="data",
        matches=matches,  # type: ignore[arg-type]
        higher_is_better=False,
    )


def test_headline_says_what_was_rated() -> None:
    assert headline(rated()) == "3 players, 3 rounds, 9 matches; higher score is better"
    assert headline(season()[0]) == ("iris: 3 players, 3 rounds, 9 matches; higher score is better")
    assert headline(battles()) == "3 players, 12 matches"
    assert headline(pooled("within")) == (
        "3 players, 3 tournaments, 9 rounds, 27 matches; lower score is better"
    )
    named_score = rate(three_by_three().rename({"score": "auc"}), score="auc")
    assert headline(named_score) == "3 players, 3 rounds, 9 matches; higher auc is better"


def test_headline_says_when_the_direction_differs() -> None:
    table = rate(three_by_three(), higher_is_better={"1": True, "2": False, "3": True})
    assert headline(table) == "3 players, 3 rounds, 9 matches; what is better differs by round"


def test_headline_counts_clusters_where_a_column_names_them() -> None:
    table = three_by_three().with_columns(batch=pl.col("round") % 2)
    clustered = rate(table, cluster="batch", higher_is_better=True)
    assert (
        headline(clustered) == "3 players, 2 clusters, 3 rounds, 9 matches; higher score is better"
    )


def test_headline_of_many_has_commas() -> None:
    scores = {f"p{k}": [float((k * 7) % 1009), float((k * 11) % 1009)] for k in range(1_009)}
    assert headline(plain(grid(scores))) == (
        "1,009 players, 2 rounds, 1,017,072 matches; higher score is better"
    )


def two_components() -> Leaderboard:
    other = three_by_three().with_columns(pl.col("player") + "x", pl.col("round") + 3)
    table = pl.concat([three_by_three(), other])
    return rate(table, components="separate", higher_is_better=True)


def test_headline_counts_the_rounds_of_all_components() -> None:
    assert headline(two_components()) == "6 players, 6 rounds, 18 matches; higher score is better"


# Duels --------------------------------------------------------------------------------------------


def test_first_player_is_compared_with_the_second() -> None:
    assert describe_top(rated()) == DUEL
    assert describe_top(battles()) == (
        "By their ratings, a beats c in 59 of 100 new battles (a tie counts half; 95% interval "
        "20 to 90); the data "
        "cannot tell them apart."
    )
    assert describe_top(pooled("across")) == (
        "By their ratings, b beats c in 57 of 100 new matches of new tournaments (95% interval "
        "42 to 72); the data "
        "cannot tell them apart."
    )


def test_duel_that_the_data_decide_ends_in_a_point() -> None:
    table = grid({"a": [2.0] * 45 + [1.0] * 15, "b": [1.5] * 60})
    assert describe_top(rated(table)) == (
        "By their ratings, a beats b in 75 of 100 new rounds (95% interval 62 to 84)."
    )


def test_duel_is_one_within_the_first_component() -> None:
    assert describe_top(two_components()) == DUEL


def test_board_that_was_cut_when_it_was_written_is_shown_without_a_duel() -> None:
    cut = Leaderboard.from_json(render_json(rated(), top=2))
    assert describe_top(cut) is None
    assert render_boards([cut]).count("beats") == 0


def test_board_that_was_cut_does_not_forget_who_could_be_the_best() -> None:
    cut = Leaderboard.from_json(render_json(rated(), top=2))
    assert "being the best" in render_boards([rated()])
    assert "being the best" not in render_boards([cut])


def test_board_that_was_cut_to_one_player_is_shown() -> None:
    cut = Leaderboard.from_json(render_json(rated(), top=1))
    assert render_boards([cut]).startswith("1 player, 3 rounds, 9 matches")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            grid({"a": [2, 1], "b": [1, 2]}),
            "Nobody can be excluded from being the best at 5%; nobody is clearly the likeliest.",
        ),
        (three_by_three(), BEST),
        (
            grid({"a": [3] * 40 + [2] * 5, "b": [2] * 40 + [3] * 5, "c": [1, 4] + [1] * 43}),
            "Only a could truly be the best (more than 99 of 100).",
        ),
        (
            grid({"a": [3, 2] * 30, "b": [2, 3] * 30, "c": [1] * 59 + [4]}),
            "2 of 3 could truly be the best: a, b; nobody is clearly the likeliest.",
        ),
    ],
)
def test_text_says_who_could_be_the_best(table: pl.DataFrame, said: str) -> None:
    assert describe_best(rated(table)) == said


def test_text_names_five_who_could_be_the_best_and_counts_the_rest() -> None:
    strong = {f"p{k}": [10.0 + (k + shift) % 7 for shift in range(70)] for k in range(7)}
    found = rated(grid({**strong, "z": [20.0] * 3 + [0.0] * 67}))
    assert describe_best(found) == (
        "7 of 8 could truly be the best: p0, p1, p2, p3, p4 and 2 more; nobody is clearly the "
        "likeliest."
    )


# Names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "width", "short"),
    [
        ("abcdefghij", 10, "abcdefghij"),
        ("abcdefghij", 9, "abcd…ghij"),
        ("abcdefghij", 8, "abcd…hij"),
        ("abcdefghij", 3, "a…j"),
        ("abcdefghij", 2, "a…"),
        ("abcdefghij", 1, "…"),
        ("", 1, ""),
        ("混合モデル", 10, "混合モデル"),
        ("混合モデル", 9, "混合…デル"),
        ("混合モデル", 8, "混合…ル"),
        ("混合モデル", 5, "混…ル"),
        ("a混b合c", 6, "a混…c"),
        ("e\u0301" * 3, 3, "e\u0301" * 3),
        ("👨\u200d👩\u200d👧", 2, "👨\u200d👩\u200d👧"),
        (LONG, 32, "hist_gradient_bo…des=31, l2=0.0)"),
    ],
)
def test_long_name_is_cut_in_the_middle(name: str, width: int, short: str) -> None:
    assert shorten(name, width) == short


@given(st.text("ab混モ", max_size=30), st.integers(1, 30))
def test_cut_name_fits_and_keeps_both_ends(name: str, width: int) -> None:
    short = shorten(name, width)
    assert cell_len(short) <= width
    if short != name:
        head, tail = short.split("…")
        assert name.startswith(head)
        assert name.endswith(tail)
        assert cell_len(short) >= width - 2


def test_names_of_families_give_way_first() -> None:
    found = Grid(
        (DECLARED["player"], DECLARED["family"], numbers("EPP")), [("p" * 20, "g" * 30, "1.00")]
    )
    assert fit_names(found, 58) == found.rows
    assert fit_names(found, 50) == [("p" * 20, "g" * 11 + "…" + "g" * 10, "1.00")]
    assert fit_names(found, 42) == [("p" * 20, "g" * 7 + "…" + "g" * 6, "1.00")]
    assert fit_names(found, 40) == [("p" * 20, "g" * 6 + "…" + "g" * 5, "1.00")]
    assert fit_names(found, 36) == [("p" * 9 + "…" + "p" * 8, "g" * 5 + "…" + "g" * 4, "1.00")]
    least = [("p" * 7 + "…" + "p" * 6, "g" * 5 + "…" + "g" * 4, "1.00")]
    assert fit_names(found, 32) == least
    assert fit_names(found, 10) == least


def test_short_names_are_never_cut() -> None:
    found = Grid((DECLARED["player"], numbers("EPP")), [("a" * 14, "1.00"), ("b", "2.00")])
    assert fit_names(found, 5) == found.rows


@pytest.mark.parametrize("letters", ["x", "混", "x混"])
@pytest.mark.parametrize("elo", [False, True])
def test_table_with_long_names_has_no_line_beyond_80_columns(letters: str, elo: bool) -> None:
    names = [letters * size for size in (40, 77, 100)]
    text = table_of(rated(named(*names)), elo=elo)
    widths = [cell_len(line) for line in text.splitlines()]
    assert max(widths) in (79, 80)


def test_names_of_wide_letters_are_cut_to_80_columns() -> None:
    text = table_of(rated(named("混合モデル" * 8, "rf", "ランダムフォレスト" * 5)))
    assert text == (
        "rank  could be  player                               EPP  95% interval  P(best)\n"
        "----  --------  ---------------------------------  -----  ------------  -------\n"
        "   1       1–3  混合モデル混合モ…モデル混合モデル   0.38  -1.83 … 2.46      42%\n"
        "   2       1–3  rf                                  0.00  -3.49 … 3.38      32%\n"
        "   3       1–3  ランダムフォレス…ンダムフォレスト  -0.38  -4.41 … 3.89      26%"
    )


def everything() -> pl.DataFrame:
    """Long names, families and a doubt."""
    return separated().with_columns(
        pl.col("player") + LONG, kind=pl.lit("gradient boosting of decision trees")
    )


def test_table_with_families_and_notes_has_no_line_beyond_80_columns() -> None:
    text = table_of(plain(everything(), family="kind"))
    assert max(map(cell_len, text.splitlines())) <= 80


def test_table_with_details_families_and_notes_has_no_line_beyond_80_columns() -> None:
    found = rate(everything(), family="kind", higher_is_better=True, details=True)
    text = table_of(found)
    assert max(map(cell_len, text.splitlines())) <= 80


def test_width_may_be_said() -> None:
    text = render_board(rated(named(LONG, "b", "c")), width=60)
    assert text == (
        "rank  player                               EPP  95% interval\n"
        "----  ---------------------------------  -----  ------------\n"
        "   1  hist_gradient_bo…odes=31, l2=0.0)   0.38  -1.83 … 2.46\n"
        "   2  b                                   0.00  -3.49 … 3.38\n"
        "   3  c                                  -0.38  -4.41 … 3.89\n"
        f"* {ROUGH}\n* {ONLY_LUCK}"
    )


# Terminal -----------------------------------------------------------------------------------------


def printed(
    boards: Sequence[Leaderboard],
    *,
    width: int = 100,
    top: int | None = None,
    elo: bool = False,
) -> str:
    """What a terminal without colours shows, blanks at the ends of lines taken off."""
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=width, color_system=None)
    print_document(board_document(boards, top=top, elo=elo), console)
    lines = stream.getvalue().split("\n")
    assert max(map(cell_len, lines)) <= width
    return "\n".join(line.rstrip() for line in lines)


BARS = """\
rank  could be  player    EPP  95% interval  P(>avg)  P(best)  alike  -4.41               3.89
   1       1–3  a        0.38  -1.83 … 2.46      59%      42%  a              ─────●─────
   2       1–3  b        0.00  -3.49 … 3.38      50%      32%  a         ─────────●─────────
   3       1–3  c       -0.38  -4.41 … 3.89      41%      26%  a       ──────────●───────────
"""
INSTEAD = """\
rank  could be  player    EPP  P(>avg)  P(best)  alike  -4.41               3.89
   1       1–3  a        0.38      59%      42%  a              ─────●─────
   2       1–3  b        0.00      50%      32%  a         ─────────●─────────
   3       1–3  c       -0.38      41%      26%  a       ──────────●───────────
"""
SHORT_BARS = """\
rank  player    EPP  95% interval  P(>avg)  -4.41               3.89
   1  a        0.38  -1.83 … 2.46      59%          ─────●─────
   2  b        0.00  -3.49 … 3.38      50%     ─────────●─────────
   3  c       -0.38  -4.41 … 3.89      41%   ──────────●───────────
"""


def test_board_in_a_terminal_has_bars() -> None:
    said = SAID.replace("tell them", "tell\nthem")
    luck = ONLY_LUCK.replace("best means", "best\nmeans")
    assert printed([rated()]) == f"{HEAD}{BARS}{said}* {ROUGH}\n* {luck}\n\n"


def test_sentences_are_wrapped_in_a_terminal_of_80_columns() -> None:
    duel = DUEL.replace("the data", "the\ndata")
    best = BEST.replace("of 100)", "of\n100)")
    luck = ONLY_LUCK.replace("are equal", "are\nequal")
    assert printed([rated()], width=80) == (
        f"{HEAD}{INSTEAD}{duel}\n{best}\n{FIT}\n* {ROUGH}\n* {luck}\n\n"
    )
    assert printed([plain()], width=80) == f"{HEAD}{SHORT_BARS}{duel}\n* {ROUGH}\n\n"


def test_without_room_for_both_the_picture_of_an_interval_stands_for_its_numbers() -> None:
    assert f"\n{INSTEAD}By their ratings, a beats b" in printed([rated()], width=93)
    assert f"\n{BARS}By their ratings, a beats b" in printed([rated()], width=94)


def test_a_picture_gets_smaller_before_columns_leave() -> None:
    long = rated(named(LONG, "b", "c"))
    for width, bar in ((80, 20), (85, 16), (93, 17), (100, 24)):
        line = printed([long], width=width).splitlines()[1]
        assert cell_len(line.partition("-4.41")[2]) == bar - 5, width
    assert "EPP  95% interval" in printed([long], width=50)
    assert "EPP  95% interval" not in printed([long], width=60)


def test_the_scale_of_pictures_is_that_of_the_ratings() -> None:
    assert "  894                 2087\n" in printed([plain()], top=2, elo=True)


def test_a_terminal_that_knows_only_ascii_gets_no_other_sign() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=80, color_system=None)
    boards = [rated(named(LONG, "b", "c")), plain(separated())]
    print_document(board_document(boards, top=2), console, typed=True)
    text = stream.getvalue()
    assert text.isascii()
    assert "   1       1-3  hist_gradient~=31, l2=0.0)  0.38      59%      42%     ---o---" in text
    assert "... and 1 more player" in text
    assert "---o->" in text


def test_what_a_console_cannot_write_is_not_written() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", errors="strict")
    print_document(board_document([rated()]), Console(file=stream, width=80))
    stream.flush()
    assert b"--o--" in raw.getvalue()


def test_season_in_a_terminal_shows_first_rows_and_shared_notes() -> None:
    said = SAID.replace("tell them", "tell\nthem")
    luck = ONLY_LUCK.replace("best means", "best\nmeans")
    rows = (
        "rank  could be  player   Elo  95% interval  P(>avg)  P(best)  alike  "
        "894                 2087\n"
        "   1       1–3  a       1566   1183 … 1927      59%      42%  a            "
        "───────●──────\n"
        "   2       1–3  b       1500    894 … 2087      50%      32%  a       "
        "───────────●──────────\n"
        "… and 1 more player\n"
    )
    assert printed(season(), top=2, elo=True) == (
        f"iris: {HEAD}{rows}{said}\nwine: {HEAD}{rows}{said}\n"
        f"For all tournaments:\n* {ROUGH}\n* {luck}\n{ELO_LEGEND}\n"
    )


def test_open_ends_are_arrows_and_markup_is_a_name() -> None:
    assert printed([plain(separated(), center="all")]) == (
        f"{HEAD}"
        "rank  player          EPP  95% interval  P(>avg)  notes            "
        "-2.74               2.53\n"
        "   1  [red]x[/red]   1.66     -2.74 … ∞      84%  won every match   "
        "──────────────────●───▸\n"
        "   2  b             -0.58     -∞ … 2.53      36%                   "
        "◂─────────●────────────\n"
        "   3  c             -1.08     -∞ … 2.31      25%                   "
        "◂───────●─────────────\n"
        "By their ratings, [red]x[/red] beats b in 90 of 100 new rounds (95% interval 1 to "
        "100); the "
        "data\ncannot tell them apart.\n"
        "* '[red]x[/red]' won every match. How wide such a gap is cannot be known: interval ends "
        'across it\nare open. The average player moves with the gap; with reference="b" the '
        "intervals of that player's\nset are closed.\n"
        f"* {ROUGH}\n\n"
    )


@pytest.mark.parametrize(
    "name", ["[bold]", "[/]", "[link=https://x.org]y[/link]", ":smile:", "a\\[b]", "[1]", "%s {0}"]
)
def test_names_are_shown_as_they_are(name: str) -> None:
    text = printed([plain(named(name, "b", "c"))])
    assert f"   1  {name} " in text
    assert f"\nBy their ratings, {name} beats b in 59 of 100" in text


def test_terminal_is_told_no_colours_that_it_does_not_have() -> None:
    stream = io.StringIO()
    print_document(board_document([rated()]), Console(file=stream, width=100))
    assert "\x1b" not in stream.getvalue()


def test_best_player_is_green_in_colour() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=100, color_system="standard")
    print_document(board_document([rated()]), console)
    assert "\x1b[1;32ma     \x1b[0m" in stream.getvalue()
    assert "\x1b[1mb     \x1b[0m" in stream.getvalue()


def test_only_a_leaderboard_has_a_best_player() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=100, color_system="standard")
    print_document(overview_document(two("iris", "wine")), console)
    assert stream.getvalue().count("\x1b[1;32m") == 1


@pytest.mark.parametrize("width", [41, 46, 50])
def test_numbers_are_whole_in_a_narrow_terminal(width: int) -> None:
    assert "-0.38  -4.41 … 3.89\n" in printed([plain(named(LONG, "b", "c"))], width=width)


@pytest.mark.parametrize(
    ("width", "end"), [(55, ""), (61, ""), (62, "      41%"), (80, "      41%")]
)
def test_chances_are_whole_beside_a_picture(width: int, end: str) -> None:
    text = printed([plain(named(LONG, "b", "c"))], width=width)
    assert f"-0.38{end}  " in text


def test_table_with_details_fits_into_50_columns() -> None:
    assert "-0.38  -4.41 … 3.89" in printed([rated(named(LONG, "b", "c"))], width=50)


def test_numbers_are_whole_in_a_terminal_that_is_too_narrow_for_the_table() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=30, color_system=None)
    print_document(board_document([plain()]), console)
    lines = stream.getvalue().splitlines()
    assert [line.split()[2] for line in lines[5:8]] == ["0.38", "0.00", "-0.38"]
    assert lines[5] == "   1  a        0.38  -1.83 … 2.46"


def test_headers_and_notes_are_whole_in_80_columns() -> None:
    text = printed([plain(everything(), family="kind")], width=80)
    assert "95% interval" in text.splitlines()[1]
    assert "won every match" in text.splitlines()[2]


def test_headers_and_notes_are_whole_in_80_columns_with_details() -> None:
    text = printed(
        [rate(everything(), family="kind", higher_is_better=True, details=True)], width=80
    )
    assert "95% interval" in text.splitlines()[1]
    assert "won every match" in text.splitlines()[2]


def test_open_ends_on_both_sides_are_arrows_at_the_edges() -> None:
    spans = [(-0.5, 1.2345, None), (None, 0.0, None), (None, -1.2, 10.25)]
    assert [bar.plain for bar in draw_bars(spans)] == [
        "  ───●─────────────────▸",
        "◂──●───────────────────▸",
        "◂●─────────────────────",
    ]


def test_bars_of_equal_ratings_are_dots() -> None:
    bars = draw_bars([(0.0, 0.0, 0.0), (None, 0.0, None)])
    assert [bar.plain for bar in bars] == [" ●", f"◂●{'─' * 21}▸"]


def test_terminal_prints_lists_with_their_title() -> None:
    stream = io.StringIO()
    document = Document((Section((Points(("a", "b"), "Where the ratings fit worst:"),)),))
    print_document(document, Console(file=stream, width=80))
    assert stream.getvalue() == "Where the ratings fit worst:\n* a\n* b\n\n"


# Progress -----------------------------------------------------------------------------------------


class Stream(io.StringIO):
    """A stream that may be a terminal, and that tells when something was written."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal
        self._written = threading.Condition()

    def isatty(self) -> bool:
        return self._terminal

    def flush(self) -> None:
        with self._written:
            self._written.notify_all()

    def wait_for(self, text: str) -> None:
        with self._written:
            assert self._written.wait_for(lambda: self.getvalue().endswith(text), timeout=5.0)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """No patience, and hardly a pause."""
    for name in ("PATIENCE", "PAUSE_IN_TERMINAL", "PAUSE_IN_LOG"):
        monkeypatch.setattr(progress, name, 0.001)


@pytest.mark.parametrize("terminal", [False, True])
def test_short_work_goes_by_in_silence(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 60.0)
    stream = Stream(terminal=terminal)
    with Progress(stream) as working:
        working.say("Reading …")
        time.sleep(0.02)
    assert stream.getvalue() == ""


@pytest.mark.usefixtures("hasty")
def test_each_message_is_a_line_in_a_log() -> None:
    stream = Stream(terminal=False)
    with Progress(stream) as working:
        working.say("Reading …")
        stream.wait_for("Reading …\n")
        time.sleep(0.02)
        working.say("Rating …")
        stream.wait_for("Rating …\n")
    assert stream.getvalue() == "Reading …\nRating …\n"


@pytest.mark.usefixtures("hasty")
def test_each_message_overwrites_the_last_in_a_terminal_and_the_last_is_wiped() -> None:
    stream = Stream(terminal=True)
    with Progress(stream) as working:
        working.say("Reading …")
        stream.wait_for("Reading …")
        time.sleep(0.02)
        working.say("Rating …")
        stream.wait_for("Rating …")
    assert stream.getvalue() == "\r\x1b[KReading …\r\x1b[KRating …\r\x1b[K"


@pytest.mark.usefixtures("hasty")
def test_a_message_keeps_to_one_line_of_the_terminal_for_others_could_not_be_wiped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = Stream(terminal=True)
    monkeypatch.setattr(stream, "fileno", lambda: 7)
    size = os.terminal_size((12, 24))
    monkeypatch.setattr("winodds.cli.progress.os.get_terminal_size", {7: size}.__getitem__)
    with Progress(stream) as working:
        working.say("Reading results.csv …")
        stream.wait_for("Reading res")
    assert stream.getvalue() == "\r\x1b[KReading res\r\x1b[K"


@pytest.mark.parametrize(
    ("encoding", "bar"), [("utf-8", f"{'█' * 5}{'░' * 15} "), ("latin-1", f"{'#' * 5}{'.' * 15} ")]
)
def test_a_bar_is_for_terminals_and_made_of_what_they_can_show(encoding: str, bar: str) -> None:
    class Terminal(Stream):
        @property
        def encoding(self) -> str:  # type: ignore[override]
            return encoding

    assert Progress(Terminal(terminal=True)).draw_bar(0.25) == bar
    assert Progress(Terminal(terminal=False)).draw_bar(0.25) == ""


@pytest.mark.usefixtures("hasty")
def test_line_is_wiped_when_the_work_fails() -> None:
    stream = Stream(terminal=True)

    def work() -> None:
        with Progress(stream) as working:
            working.say("Reading …")
            stream.wait_for("Reading …")
            raise ValueError("no such file")

    with pytest.raises(ValueError, match=r"^no such file$"):
        work()
    assert stream.getvalue() == "\r\x1b[KReading …\r\x1b[K"


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("terminal", [False, True])
def test_quiet_work_says_nothing(terminal: bool) -> None:
    stream = Stream(terminal=terminal)
    before = threading.active_count()
    with Progress(stream, quiet=True) as working:
        working.say("Reading …")
        assert threading.active_count() == before
        time.sleep(0.02)
    assert stream.getvalue() == ""


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("terminal", [False, True])
def test_work_without_a_message_says_nothing(terminal: bool) -> None:
    stream = Stream(terminal=terminal)
    with Progress(stream):
        time.sleep(0.02)
    assert stream.getvalue() == ""


@pytest.mark.usefixtures("hasty")
def test_nothing_runs_on_after_the_work() -> None:
    before = threading.active_count()
    stream = Stream(terminal=False)
    with Progress(stream) as working:
        working.say("Reading …")
        stream.wait_for("Reading …\n")
        assert threading.active_count() == before + 1
    assert threading.active_count() == before
    working.say("Rating …")
    time.sleep(0.02)
    assert stream.getvalue() == "Reading …\n"


def test_log_is_patient_between_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.001)
    stream = Stream(terminal=False)
    with Progress(stream) as working:
        working.say("Reading …")
        stream.wait_for("Reading …\n")
        working.say("Rating …")
        time.sleep(0.02)
    assert stream.getvalue() == "Reading …\n"


def test_names_that_differ_in_two_places_stay_apart_however_narrow_it_is() -> None:
    names = [
        f"forest(n_estimators={trees}, max_depth={depth})" for trees in (5, 10) for depth in (2, 5)
    ]
    for width in (8, 14, 20, 30):
        cut = shorten_apart([*names, "logistic"], width)
        assert len(set(cut)) == 5
        assert cut[-1] == "logistic"
    assert {len(name) for name in shorten_apart(names, 30)} == {34}
