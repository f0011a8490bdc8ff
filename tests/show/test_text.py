"""Boards as text and as HTML: layout, rounding and escaping."""

import base64
from html.parser import HTMLParser
from typing import Any

import polars as pl
import pytest
from tables import ONLY_LUCK, SMALL, board, grid, named, three_by_three

from winodds import COLUMNS, Season, rate
from winodds.show.formats.notebook import draw_intervals
from winodds.show.formats.text import render_board
from winodds.show.layout.cells import percent
from winodds.show.words.board import describe_board, describe_duel
from winodds.show.words.verdicts import of_hundred


def test_text_has_a_line_for_each_player_and_each_note() -> None:
    assert str(board(*SMALL, notes=("Take care.", "Twice."))) == (
        "rank  player           EPP  95% interval  P(>avg)\n"
        "----  -------------  -----  ------------  -------\n"
        "   1  svm             1.23     -0.50 … ∞      77%\n"
        "   2  random forest   0.00        -∞ … ∞      50%\n"
        "   3  rf             -1.20    -∞ … 10.25      23%\n"
        "* Take care.\n"
        "* Twice."
    )


def test_text_of_a_rated_table() -> None:
    assert str(rate(three_by_three(), higher_is_better=True, details=True)) == (
        "rank  could be  player    EPP  95% interval  P(>avg)  P(best)  alike\n"
        "----  --------  ------  -----  ------------  -------  -------  -----\n"
        "   1       1–3  a        0.38  -1.83 … 2.46      59%      42%  a\n"
        "   2       1–3  b        0.00  -3.49 … 3.38      50%      32%  a\n"
        "   3       1–3  c       -0.38  -4.41 … 3.89      41%      26%  a\n"
        "* The intervals rest on only 3 rounds; below about 10 they are rough.\n"
        f"* {ONLY_LUCK}"
    )


def test_text_of_a_rated_table_without_details() -> None:
    assert str(rate(three_by_three(), higher_is_better=True, details=False)) == (
        "rank  player    EPP  95% interval  P(>avg)\n"
        "----  ------  -----  ------------  -------\n"
        "   1  a        0.38  -1.83 … 2.46      59%\n"
        "   2  b        0.00  -3.49 … 3.38      50%\n"
        "   3  c       -0.38  -4.41 … 3.89      41%\n"
        "* The intervals rest on only 3 rounds; below about 10 they are rough."
    )


def test_rating_that_rounds_to_zero_has_no_sign() -> None:
    text = str(board(("a", 1e-17, -0.001, 0.001), ("b", -1e-17, -0.001, 0.001)))
    assert "-0.00" not in text
    html = board(("a", 1e-17, -1e-5, 1e-5), ("b", -1e-17, -1e-5, 1e-5))._repr_html_()
    assert "-0.000" not in html


@pytest.mark.parametrize(
    ("level", "head"),
    [
        (0.95, "95% interval"),
        (0.5, "50% interval"),
        (0.999, "99.9% interval"),
        (0.925, "92.5% interval"),
    ],
)
def test_level_is_shown_as_it_is(level: float, head: str) -> None:
    assert head in str(board(*SMALL, level=level)).splitlines()[0]


def test_doubts_of_a_row_are_in_the_text() -> None:
    text = str(
        board(*SMALL, row_notes={0: ("component 1",), 2: ("component 2", "lost every match")})
    )
    lines = text.splitlines()
    assert "component 1" in lines[2]
    assert "component 2" in lines[4]
    assert "lost every match" in lines[4]


def test_first_twenty_players_are_in_the_text() -> None:
    rows = [(f"p{k:02}", 1.0 - k / 100, -1.0 - k / 100, 3.0 - k / 100) for k in range(1025)]
    lines = str(board(*rows)).splitlines()
    assert len(lines) == 23
    assert lines[-2].split()[1] == "p19"
    assert lines[-1] == "… and 1,005 more players"
    assert render_board(board(*rows[:21]), top=20).splitlines()[-1] == "… and 1 more player"
    assert len(render_board(board(*rows), top=3).splitlines()) == 6


def test_long_name_is_cut_in_the_middle_to_what_80_columns_allow() -> None:
    names = ["x" * 45, "x" * 20 + "y" * 26]
    lines = str(board(*((name, 0.0, -1.0, 1.0) for name in names))).splitlines()
    assert [len(line) for line in lines] == [80] * 4
    cut = "x" * 20 + "yy…" + "y" * 22
    assert [line.split()[1] for line in lines[2:]] == ["x" * 45, cut]


def test_wide_letters_keep_the_columns_straight() -> None:
    text = str(board(("混合モデル", 0.5, -1.0, 1.0), ("rf", -0.5, -1.0, 1.0)))
    wide, narrow = text.splitlines()[2:]
    assert len(wide) == len(narrow) - 5


def test_representation_names_the_best_player() -> None:
    assert repr(board(*SMALL)) == "<Leaderboard: 3 players, best 'svm'>"


# HTML ---------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Collects the tags and the text of the cells."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.titles: list[str | None] = []
        self._open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag != "img":
            self._open.append(tag)
        self.titles += [value for name, value in attrs if name == "title"]
        if tag in ("td", "th", "li"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("td", "th", "li"):
            self.cells[-1] += data


INTERVAL = (
    "How sure the rating is: of many such intervals, so many hold the true rating. ∞ is an end "
    "that the data leave open."
)


def test_html_has_heads_with_help_rows_and_notes() -> None:
    found = board(*SMALL, notes=("Take care.",), row_notes={2: ("lost every match", "open")})
    reader = Reader(found._repr_html_())
    assert reader.cells[:7] == ["rank", "player", "EPP", "95% interval", "P(>avg)", "notes", ""]
    assert reader.titles == [
        *(COLUMNS["rank"], COLUMNS["player"], COLUMNS["epp"]),
        *(INTERVAL, COLUMNS["p_average"], COLUMNS["notes"]),
    ]
    assert reader.cells[7:14] == ["1", "svm", "1.23", "-0.50 … ∞", "77%", "", ""]
    assert reader.cells[21:] == [
        *("3", "rf", "-1.20", "-∞ … 10.25", "23%", "lost every match; open", ""),
        "Take care.",
    ]


def test_html_of_a_rated_table_has_ranks_chances_and_letters() -> None:
    reader = Reader(rate(three_by_three(), higher_is_better=True, details=True)._repr_html_())
    assert reader.cells == [
        *("rank", "could be", "player", "EPP", "95% interval", "P(>avg)", "P(best)", "alike", ""),
        *("1", "1–3", "a", "0.38", "-1.83 … 2.46", "59%", "42%", "a", ""),
        *("2", "1–3", "b", "0.00", "-3.49 … 3.38", "50%", "32%", "a", ""),
        *("3", "1–3", "c", "-0.38", "-4.41 … 3.89", "41%", "26%", "a", ""),
        "The intervals rest on only 3 rounds; below about 10 they are rough.",
        ONLY_LUCK,
    ]


@pytest.mark.parametrize(
    "name",
    [
        "<img src=x onerror=alert(1)>",
        "</td></tr></table><script>alert(1)</script>",
        "a & b &amp; c",
        "\"quoted\" 'twice'",
        "<!-- comment",
        "=HYPERLINK(1)|**bold**`code`",
    ],
)
def test_markup_in_a_name_is_text(name: str) -> None:
    simple = named("a", "b", "c")
    plain = Reader(rate(simple, higher_is_better=True, details=False)._repr_html_())
    scores = {name: [1.0, 3.0, 3.0], "rf": [2.0, 2.0, 2.0], name.upper() + "!": [3.0, 1.0, 1.0]}
    found = rate(grid(scores), higher_is_better=True, details=False)
    reader = Reader(found._repr_html_())
    assert [tag for tag in reader.tags if tag != "li"] == [tag for tag in plain.tags if tag != "li"]
    assert name in reader.cells
    assert reader.cells[-len(found.notes) :] == list(map(str, found.notes))


def test_html_begins_with_what_was_rated_and_ends_with_who_is_better() -> None:
    html = rate(three_by_three(), higher_is_better=True, details=False)._repr_html_()
    start = "<p><strong>3 players, 3 rounds, 9 matches; higher score is better</strong></p><table>"
    assert html.startswith(start)
    assert "</table><p>By their ratings, a beats b in 59 of 100 new rounds " in html


def test_intervals_are_drawn_on_one_scale() -> None:
    closed, open_end = map(drawn, draw_intervals([(-1.0, 0.0, 1.0), (None, 0.5, 3.0)]))
    line = 'fill="none" stroke="#2b83ba"/>'
    assert f'<path d="M8 7H80" {line}<circle cx="44" cy="7"' in closed
    assert f'<path d="M1 7H152M5 3L1 7L5 11" {line}<circle cx="62" cy="7"' in open_end
    assert drawn(draw_intervals([(0.0, 0.0, 0.0)])[0]).count("M8 7H8") == 1


def drawn(image: str) -> str:
    """The drawing that an image holds."""
    return base64.b64decode(image.partition("base64,")[2].partition('"')[0]).decode()


def test_markup_in_a_note_is_text() -> None:
    reader = Reader(board(*SMALL, notes=("'<b>' won every match.",))._repr_html_())
    assert "b" not in reader.tags
    assert reader.cells[-1] == "'<b>' won every match."


def test_first_thirty_players_are_in_the_html() -> None:
    rows = [(f"p{k:02}", 1.0 - k / 100, -1.0 - k / 100, 3.0 - k / 100) for k in range(31)]
    html = board(*rows)._repr_html_()
    assert html.count("<tr>") == 31
    assert "<p>… and 1 more player</p>" in html
    assert "more player" not in board(*rows[:30])._repr_html_()


# Duels --------------------------------------------------------------------------------------------


def test_duel_is_told_in_hundreds_of_rounds() -> None:
    scores = {"a": [2.0] * 30 + [1.0] * 10, "b": [1.0] * 30 + [2.0] * 10, "c": [1.5] * 40}
    found = rate(grid(scores), higher_is_better=True)
    chance = found.win_probability("a", "b")
    assert chance.low is not None
    assert chance.high is not None
    percents = [round(100 * end) for end in (chance.value, chance.low, chance.high)]
    assert describe_duel(found, "a", "b") == (
        "By their ratings, a beats b in {} of 100 new rounds (95% interval {} to {}).".format(
            *percents
        )
    )


def test_ties_of_a_board_are_said_to_count_half_in_every_duel() -> None:
    tied = rate(
        grid({"a": [2, 1, 3, 2], "b": [1, 1, 2, 1], "c": [0, 0, 0, 0]}), higher_is_better=True
    )
    assert " new rounds (a tie counts half; 95% interval " in describe_duel(tied, "a", "b")
    assert " new rounds (a tie counts half; 95% interval " in describe_duel(tied, "a", "c")
    untied = rate(grid({"a": [2, 1, 3], "b": [1, 2, 2]}), higher_is_better=True)
    assert " new rounds (95% interval " in describe_duel(untied, "a", "b")


def test_only_robust_intervals_of_tournaments_are_for_new_ones() -> None:
    rows = [
        {
            "model": name,
            "data": data,
            "fold": fold,
            "auc": (2 * k + 5 * fold + 3 * data * k) % 11 / 11,
        }
        for k, name in enumerate("abc")
        for data in range(5)
        for fold in range(3)
    ]
    roles: dict[str, Any] = {"player": "model", "round": "fold", "score": "auc"}
    table = pl.DataFrame(rows)
    pooled = rate(table, **roles, tournament="data")
    assert " of new tournaments (" in describe_duel(pooled, *pooled.players[:2])
    others: list[dict[str, Any]] = [{"interval": "model"}, {"cluster": "fold"}]
    for options in others:
        other = rate(table, **roles, tournament="data", **options)
        assert "new tournaments" not in describe_duel(other, *other.players[:2])
        assert str(other.notes[0]) == (
            "5 tournaments are pooled, and each counts once for a pair of players."
        )


def test_duel_of_copies_has_no_odds() -> None:
    found = rate(
        grid({"a": [2, 1, 3, 2], "copy": [2, 1, 3, 2], "c": [0, 2, 0, 4]}), higher_is_better=True
    )
    assert describe_duel(found, "a", "copy") == (
        "a and copy are identical: they have the same score in every round in which either took "
        "part, and nothing in the data tells them apart."
    )
    assert found.compare("a", "copy").text == describe_duel(found, "a", "copy")


def test_ends_of_a_duel_are_certain_only_where_they_are_open() -> None:
    scores = {"a": [2.0] * 400 + [1.0], "b": [1.0] * 400 + [2.0], "c": [3.0] * 401}
    found = rate(grid(scores), higher_is_better=True)
    assert "more than 99 of 100 new rounds (95% interval 98 to >99)" in describe_duel(
        found, "a", "b"
    )
    assert " to 100)" in describe_duel(found, "c", "b")


def test_likeliest_best_who_is_not_rated_highest_is_told_as_such(study_season: Season) -> None:
    titanic = study_season["titanic"]
    titanic.details()
    assert describe_board(titanic)[1] == (
        "29 of 44 could truly be the best: gradient_boosting(learning_rate=0.05584, max_iter=101, "
        "max_leaf_nodes=5, min_samples_leaf=3), logistic_regression(C=0.1637, l1_ratio=0.9056), "
        "logistic_regression(C=0.1313, l1_ratio=0.736), gradient_boosting(learning_rate=0.03404, "
        "max_iter=104, max_leaf_nodes=5, min_samples_leaf=10), random_forest(max_depth=4, "
        "max_features=0.6584, min_samples_leaf=3, n_estimators=125) and 24 more; the likeliest, "
        "though not the highest rated, is logistic_regression(C=0.1637, l1_ratio=0.9056) (21 of "
        "100)."
    )


def test_nobody_is_best_of_components_that_never_met() -> None:
    first = {"a": [2, 1, 3, None, None, None], "b": [1, 2, 2, None, None, None]}
    second = {"c": [None, None, None, 2, 1, 3], "d": [None, None, None, 1, 2, 2]}
    apart = rate(grid({**first, **second}), higher_is_better=True, components="separate")
    apart.look_closer()
    assert not any("could truly be the best" in line for line in describe_board(apart))


def test_record_of_equals_comes_first_where_ratings_do_not_explain_it() -> None:
    """Each of three wins two thirds of its rounds against the next."""
    a, b, c = ([x, y, z] * 16 for x, y, z in ((3, 1, 2), (2, 3, 1), (1, 2, 3)))
    found = rate(grid({"a": a, "b": b, "c": c}), higher_is_better=True)
    assert describe_duel(found, "a", "b") == (
        "a won 32 of 48 rounds against b (95% interval 52 to 79 of 100 new rounds); by their "
        "ratings 50 of 100; the data cannot tell their ratings apart."
    )


def test_chances_are_rounded_alike_in_sentences_and_cells() -> None:
    chances = (0.004, 0.006, 0.0099, 0.01, 0.5, 0.99, 0.9935, 0.999)
    sentences = [of_hundred(chance) for chance in chances]
    assert sentences == [
        *["fewer than 1 of 100"] * 3,
        "1 of 100",
        "50 of 100",
        "99 of 100",
        *["more than 99 of 100"] * 2,
    ]
    cells = [percent(chance) for chance in chances]
    assert cells == ["<1%", "<1%", "<1%", "1%", "50%", "99%", ">99%", ">99%"]


def test_duel_that_the_data_cannot_decide_is_told_as_such() -> None:
    found = rate(grid({"a": [1, 2], "b": [2, 1]}), higher_is_better=True)
    assert describe_duel(found, "a", "b") == "a and b are rated equal."
    found = rate(grid({"a": [1, 2, 3], "b": [2, 1, 2]}), higher_is_better=True)
    text = describe_duel(found, "a", "b")
    assert text.startswith("By their ratings, a beats b in 62 of 100 new rounds (95% interval ")
    assert text.endswith("; the data cannot tell them apart.")
