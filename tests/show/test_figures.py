"""Figures of a leaderboard: their numbers, without any drawing library."""

import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from conftest import long_table, simulate
from tables import SMALL, board, grid, sentence, three_by_three

import winodds
from winodds import Leaderboard, Season, rate
from winodds.board.leaderboard import Bar
from winodds.board.relation import fit_line
from winodds.demo import load_results
from winodds.errors import (
    BadOption,
    NoCommonScale,
    NoEvidence,
    NoFigure,
    TooManyToCompare,
    UnknownPlayer,
)
from winodds.language.words import rounded
from winodds.show.figures.bars import choose_bars, stack_bars
from winodds.show.figures.boards import CHECKS, BoardFigures, figures_for
from winodds.show.figures.labels import label_names
from winodds.show.figures.names import BOARD_FIGURES
from winodds.show.figures.pages import make_bars, span
from winodds.show.figures.scatter import HEIGHT, WIDTH, place_labels
from winodds.show.formats.json import render_json

CUT = "The leaderboard was written with its first rows only."
UNKNOWN = "So the average player's place is not known, and ends are open (arrows)."
FLIPS = "(pairs, all compared at once by sign flips of all clusters, two-sided, 95%)"
RANGES = "each end holds for itself (95%)."


@pytest.fixture(scope="module")
def digits(demo_season: Season) -> Leaderboard:
    """A board of 20 players in 4 families, with details."""
    board = demo_season["digits"]
    board.look_closer()
    return board


@pytest.fixture(scope="module")
def crowd() -> Leaderboard:
    """A board of 400 players without details."""
    return rate(long_table(simulate(1, 400, 12)), higher_is_better=True, details=False)


@pytest.fixture(scope="module")
def cut(digits: Leaderboard) -> Leaderboard:
    """The board as its first five rows were written."""
    return Leaderboard.from_json(render_json(digits, top=5))


def separate() -> Leaderboard:
    """Two pairs of players that never met."""
    table = pl.DataFrame(
        {
            "player": ["a", "b", "c", "d"] * 3,
            "round": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6],
            "score": [0.1, 0.2, 0.3, 0.4, 0.2, 0.1, 0.5, 0.6, 0.1, 0.3, 0.7, 0.5],
        }
    )
    return rate(table, higher_is_better=True, components="separate")


def battles() -> Leaderboard:
    """Three players in battles."""
    sides = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "b"), ("b", "c"), ("a", "c")]
    table = pl.DataFrame({"winner": [a for a, _ in sides], "loser": [b for _, b in sides]})
    return winodds.rate_battles(
        table, left="", right="", winner="winner", loser="loser", details=True
    )


def part(figure: Any, name: str) -> list[dict[str, Any]]:
    return [row for row in figure.rows if row["part"] == name]


# All figures --------------------------------------------------------------------------------------


def test_every_name_has_a_method_a_check_and_a_line_in_the_class() -> None:
    methods = [name for name in vars(BoardFigures) if not name.startswith("_")]
    assert tuple(methods) == BOARD_FIGURES == tuple(CHECKS)
    text = inspect.getdoc(BoardFigures) or ""
    assert all(f"\n{name} " in text for name in BOARD_FIGURES)


@pytest.mark.parametrize("name", [name for name in BOARD_FIGURES if name != "gaps"])
def test_table_has_the_columns_that_it_explains(digits: Leaderboard, name: str) -> None:
    figure = getattr(digits.figures, name)()
    assert figure.name == name
    assert list(figure.columns) == list(figure.cells)
    assert {len(cells) for cells in figure.cells.values()} == {len(figure)}
    for column, about in figure.columns.items():
        held = {type(cell) for cell in figure.cells[column]} - {type(None)}
        assert held <= {about.kind}, column
        assert about.help.endswith("."), column
    assert figure.frame().columns == list(figure.columns)
    assert figure.to_csv().splitlines()[0] == ",".join(figure.columns)
    assert figure.title.startswith("digits: ")


@pytest.mark.parametrize("name", [name for name in BOARD_FIGURES if name != "gaps"])
def test_order_of_the_table_does_not_matter(name: str) -> None:
    table = load_results().filter(pl.col("dataset") == "wine")
    shuffled = table.sample(fraction=1.0, shuffle=True, seed=3)
    roles: dict[str, Any] = {"player": "model", "round": "split", "score": "auc"}
    one, other = (
        getattr(rate(each, **roles, family="family").figures, name)() for each in (table, shuffled)
    )
    assert one.rows == other.rows
    assert (one.caption, one.facts) == (other.caption, other.facts)


def test_board_says_which_figures_it_can_show(digits: Leaderboard, cut: Leaderboard) -> None:
    assert set(BOARD_FIGURES) - set(figures_for(digits)) == {"gaps"}
    assert set(BOARD_FIGURES) - set(figures_for(cut)) == {"gaps", "scores", "win_matrix"}
    assert set(figures_for(separate())) == {"win_matrix"}
    assert set(BOARD_FIGURES) - set(figures_for(battles())) == {
        *("score_against_rating", "scores", "families", "gaps")
    }
    assert figures_for(board(*SMALL)) == ("ranking",)


@pytest.mark.parametrize("name", BOARD_FIGURES)
def test_figure_is_there_exactly_if_the_board_can_show_it(cut: Leaderboard, name: str) -> None:
    gappy = rate(grid({"a": [1, 2, 3], "b": [2, 1, None], "c": [3, 0, 1]}), higher_is_better=True)
    gappy.look_closer()
    for one in (cut, separate(), battles(), board(*SMALL), gappy):
        if name in figures_for(one):
            assert len(getattr(one.figures, name)()) > 0
        else:
            with pytest.raises((NoFigure, NoEvidence, NoCommonScale)):
                getattr(one.figures, name)()


def test_lack_is_said_in_whole_sentences(digits: Leaderboard, cut: Leaderboard) -> None:
    plain = rate(three_by_three(), higher_is_better=True)
    whole = "There is no figure {} here: {}."
    assert sentence(NoFigure, plain.figures.families) == whole.format(
        "'families'", "its players have no families; name their column with family="
    )
    assert sentence(NoFigure, digits.figures.gaps) == whole.format(
        "'gaps'", "every model has a score in every split"
    )
    assert sentence(NoFigure, battles().figures.scores) == whole.format(
        "'scores'", "battles have no scores"
    )
    assert sentence(NoFigure, battles().figures.score_against_rating) == whole.format(
        "'score_against_rating'", "battles have no scores"
    )
    assert sentence(NoCommonScale, separate().figures.ranking) == (
        "'b' and 'd' belong to components that never met; their ratings cannot be compared."
    )
    assert sentence(NoEvidence, cut.figures.win_matrix) == (
        "This leaderboard holds only its first rows, and nothing to compare players with. Write "
        "it again without top."
    )


def test_page_begins_and_ends_where_it_should(digits: Leaderboard) -> None:
    figure = digits.figures.ranking(first=3, top=2)
    assert figure.cells["player"] == list(digits.players[2:4])
    assert figure.cells["order"] == [3, 4]
    assert figure.caption.startswith("Models 3 to 4 of 20 by EPP. ")
    assert len(digits.figures.ranking(first=19, top=50)) == 2
    assert sentence(BadOption, lambda: digits.figures.ranking(first=21)) == (
        "first=21 is not possible; there are 20 models."
    )
    assert sentence(BadOption, lambda: digits.figures.rank_sets(top=0)) == (
        "top=0 is not possible; it is a whole number, 1 or more."
    )


def test_what_is_left_out_is_told_apart_from_how_to_read(
    cut: Leaderboard, crowd: Leaderboard
) -> None:
    """Every sentence of it stands in the caption, too."""
    gappy = rate(
        grid({"a": [1, 2, 3], "b": [2, 1, None], "c": [3, 0, 1], "d": [None] * 3}),
        higher_is_better=True,
        missing="lose",
    )
    first = "The first 2 of 4 players by EPP."
    left_out = {
        "ranking": (cut, {}, CUT),
        "rank_sets": (gappy, {"top": 2}, first),
        "best": (cut, {}, CUT),
        "critical_difference": (gappy, {"top": 2}, first),
        "families": (cut, {"top": 1}, f"The first 1 of 3 families by median EPP. {CUT}"),
        "win_matrix": (
            separate(),
            {"top": 3},
            "The first 3 of 4 players by EPP. Empty cells: players of components that never met.",
        ),
        "scores": (gappy, {}, "4 failed runs are left out."),
        "gaps": (gappy, {}, gappy.figures.gaps().caption),
        "calibration": (gappy, {}, ""),
    }
    failed = "4 failed runs are left out of the mean scores."
    left_out["score_against_rating"] = (
        gappy,
        {},
        f"1 player without any score is left out. {failed}",
    )
    assert set(left_out) == set(BOARD_FIGURES)
    for name, (one, arguments, words) in left_out.items():
        figure = getattr(one.figures, name)(**arguments)
        assert figure.left_out == words, name
        for sentence_of in words.split(". "):
            assert sentence_of.rstrip(".") in figure.caption
    assert crowd.figures.win_matrix().left_out == (
        "Each of the 40 rows and columns stands for about 10 neighbours by EPP, with the mean over "
        "their pairs."
    )


# Intervals ----------------------------------------------------------------------------------------


def test_open_ends_reach_the_edge_and_stay_empty() -> None:
    figure = board(*SMALL).figures.ranking()
    low, high = figure.facts["domain"]
    assert figure.cells["low"] == [-0.5, None, None]
    assert figure.cells["high"] == [None, None, 10.25]
    assert figure.cells["start"] == [-0.5, low, low]
    assert figure.cells["stop"] == [high, high, 10.25]
    # The finite numbers reach from −1.2 to 10.25.
    assert (low, high) == pytest.approx((-1.2 - 0.05 * 11.45, 10.25 + 0.05 * 11.45))
    assert figure.caption == (
        f"{CUT} Points are ratings, bars their 95% intervals. An arrow marks an end that is open."
    )


def test_axis_of_one_value_has_a_width() -> None:
    assert span(np.array([2.0, np.inf])) == (1.0, 3.0)
    bars = make_bars(np.array([2.0]), np.array([-np.inf]), np.array([np.inf]))
    assert (bars.start, bars.stop) == ([1.0], [3.0])


# Ranking, rank sets, best -------------------------------------------------------------------------


def test_ranking_has_the_numbers_of_the_board(digits: Leaderboard) -> None:
    figure = digits.figures.ranking()
    rows = digits.rows[:]
    for name in ("rank", "player", "epp", "low", "high"):
        assert figure.cells[name] == [getattr(row, name) for row in rows]
    assert figure.cells["letters"] == [row.letters for row in rows]
    assert figure.cells["could_be"][0] == "1–7"
    assert figure.facts["x"] == "EPP (log-odds of beating the average model)"
    assert figure.caption == (
        "Points are ratings, bars their 95% intervals. Models who share a letter cannot be told "
        f"apart {FLIPS}. On the right are the ranks that a model could truly have; {RANGES}"
    )


def test_board_without_details_shows_nothing_that_needs_them(
    crowd: Leaderboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither letters nor the bootstrap are computed unasked, however small the board is."""
    small = rate(three_by_three(), higher_is_better=True, details=False)
    assert set(figures_for(rate(three_by_three(), higher_is_better=True, details=True))) - {
        *figures_for(small)
    } == {"critical_difference", "rank_sets", "best"}
    assert len(small.figures.best()) > 0
    assert small.figures.rank_sets().cells["rank_low"] == [1, 1, 1]
    assert len(part(small.figures.critical_difference(), "player")) == 3
    monkeypatch.setattr(Leaderboard, "details", lambda _: pytest.fail("computed"))
    for one in (rate(three_by_three(), higher_is_better=True), crowd):
        figure = one.figures.ranking()
        assert set(figure.cells["letters"]) == set(figure.cells["could_be"]) == {None}
    assert len(crowd.figures.ranking()) == 50
    figure = crowd.figures.ranking()
    assert figure.caption == (
        "The first 50 of 400 players by EPP. Points are ratings, bars their 95% intervals."
    )


def test_axis_names_the_reference() -> None:
    found = rate(three_by_three(), higher_is_better=True, reference="b")
    assert found.figures.ranking().facts["x"] == "EPP (log-odds of beating b)"


def test_rank_sets_are_those_of_the_board(digits: Leaderboard) -> None:
    figure = digits.figures.rank_sets(top=4)
    assert figure.cells["rank_low"] == digits.details().rank_low[:4].tolist()
    assert figure.cells["rank_high"] == digits.details().rank_high[:4].tolist()
    assert figure.facts["domain"] == (1, 9)
    assert figure.caption == (
        "The first 4 of 20 models by EPP. Bars are the ranks that models could truly have; "
        f"{RANGES} Points are ranks by EPP."
    )


def test_best_lists_those_who_ever_are_and_sums_up_the_rest(digits: Leaderboard) -> None:
    figure = digits.figures.best(top=2)
    chances = np.sort(digits.details().p_best)[::-1]
    assert figure.cells["p_best"] == chances[:2].tolist()
    assert figure.facts["rest"] == pytest.approx(1.0 - chances[:2].sum())
    assert figure.caption == (
        "How likely each model is truly the best, given these results, with the luck of coming "
        "out first taken into account. A dot at the name and a filled bar: the 7 models who could "
        "truly be the best, of whom 2 are shown. Dots rest on tests of pairs, bars on all ratings "
        "together. The other 18 models together come first in "
        f"{rounded(figure.facts['rest'], '.1%')} of all draws."
    )
    assert figure.cells["text"] == [f"{chance:.1%}" for chance in chances[:2]]
    everyone = digits.figures.best()
    assert set(everyone.cells["player"]) >= set(digits.details().could_be_best)
    assert everyone.cells["could_be_best"] == [
        player in digits.details().could_be_best for player in everyone.cells["player"]
    ]
    assert everyone.caption.endswith("The other 13 models come first in none of 4,000 draws.")


def test_best_never_claims_certainty() -> None:
    """The number of draws is that of the board, and one that is never drawn is still possible."""
    scores = np.arange(4.0) + 0.3 * simulate(0, 4, 60, spread=0.0)
    found = rate(long_table(scores), higher_is_better=True, details=True)
    figure = found.figures.best()
    assert figure.cells["text"] == [">99.9%"]
    data = json.dumps(found.to_dict()).replace('"draws": 4000', '"draws": 250')
    fewer = Leaderboard.from_json(data).figures.best()
    assert fewer.cells["text"] == [">99.6%"]


def test_few_of_those_who_are_best_in_no_draw_are_shown() -> None:
    """Three of them, by EPP; the sentence on the rest counts the others."""
    found = rate(long_table(simulate(3, 12, 4)), higher_is_better=True, details=True)
    figure = found.figures.best()
    chances = found.details().p_best
    never = [name for k, name in enumerate(found.players) if chances[k] == 0.0]
    could = [name for name in never if name in found.details().could_be_best]
    assert len(could) > 3
    shown = [row["player"] for row in figure.rows if row["p_best"] == 0.0]
    assert shown == could[:3]
    left = len(found) - len(figure)
    assert figure.caption.endswith(f"The other {left} players come first in none of 4,000 draws.")


def test_the_reason_of_open_ends_is_told() -> None:
    """Who lost everything is said in the picture, too; where the average is known, only the gap."""
    table = grid({"a": [5, 3, 5, 4], "b": [4, 5, 3, 5], "c": [1, 2, 1, 2]})
    found = rate(table, higher_is_better=True, center="all")
    for figure in (found.figures.ranking(), found.figures.score_against_rating()):
        assert figure.left_out == f"'c' lost every match. {UNKNOWN}"
        assert figure.left_out in figure.caption
    for known in (
        rate(table, higher_is_better=True, reference="a"),
        rate(table, higher_is_better=True),
    ):
        assert known.figures.ranking().left_out == (
            "'c' lost every match. How wide such a gap is, nobody knows, so ends across it are "
            "open (arrows)."
        )


def test_the_reason_of_open_ends_is_short_where_many_won_everything() -> None:
    high = {f"a player with a long name {k}": [9 + (k + r) % 3 for r in range(6)] for k in range(3)}
    low = {f"another with a long name {k}": [(k + r) % 3 for r in range(6)] for k in range(3)}
    figure = rate(grid(high | low), higher_is_better=True).figures.ranking()
    assert figure.left_out == f"3 players won every match against the other 3. {UNKNOWN}"
    sets = high | {"m" * 60: [5] * 6} | low
    figure = rate(grid(sets), higher_is_better=True).figures.ranking()
    assert figure.left_out == (
        f"The players fall into 3 sets, and each won every match against those after it. {UNKNOWN}"
    )


def test_letters_and_ranks_are_said_to_be_robust_beside_model_based_intervals() -> None:
    found = rate(three_by_three(), higher_is_better=True, interval="model", details=True)
    words = "Letters and ranks stay robust, although the intervals are model-based."
    for name in ("ranking", "critical_difference", "rank_sets"):
        assert getattr(found.figures, name)().caption.endswith(words)


# Groups and families ------------------------------------------------------------------------------


def test_bars_join_exactly_the_players_who_share_a_letter(digits: Leaderboard) -> None:
    figure = digits.figures.critical_difference()
    bars = [bar for bar in digits.bars_of(digits.details().alike) if len(bar.players) > 1]
    assert [(row["low"], row["epp"]) for row in part(figure, "bar")] == [
        (bar.low, bar.high) for bar in bars
    ]
    assert [row["player"] for row in part(figure, "member")] == [
        name for bar in bars for name in bar.players
    ]
    assert figure.facts["bar_rows"] == max(stack_bars(bars))


def test_labels_stand_on_two_sides_without_crossing_lines(digits: Leaderboard) -> None:
    rows = part(digits.figures.critical_difference(top=5), "player")
    assert [(row["side"], row["row"]) for row in rows] == [
        *(("right", 1), ("right", 2), ("right", 3)),
        *(("left", 2), ("left", 1)),
    ]


def test_pairs_of_shown_players_share_a_bar_as_in_the_whole_board() -> None:
    found = rate(long_table(simulate(5, 25, 20)), higher_is_better=True)
    figure = found.figures.critical_difference(top=10)
    shown = set(found.players[:10])
    joined: set[frozenset[str]] = set()
    members: dict[int, set[str]] = {}
    bar = 0
    for row in figure.rows:
        bar += row["part"] == "bar"
        if row["part"] == "member":
            members.setdefault(bar, set()).add(row["player"])
    for names in members.values():
        joined |= {frozenset((a, b)) for a in names for b in names if a < b}
    alike = found.details().alike
    expected = {frozenset((a, b)) for names in alike for a in names for b in names if a < b}
    assert joined == {pair for pair in expected if pair <= shown}
    assert any(row["goes_on"] for row in part(figure, "bar"))
    assert figure.caption.endswith("A bar with an arrow goes on to players who are not shown.")


def test_bars_that_look_the_same_are_not_all_drawn() -> None:
    """Of bars from a to z, two; the caption says that some are missing."""
    alike = [Bar(("a", letter, "z"), 0.0, 1.0) for letter in "bcdefgh"]
    assert choose_bars(alike) == [0, 1, 2, 3, 4, 5, 6]
    others = [Bar(("x", "y", "z"), 0.0, 0.5), Bar(("a", "b", "c", "z"), 0.0, 1.0)]
    assert choose_bars([*alike, *others]) == [0, 7, 8]
    ladder = [Bar(("a", "b"), -k - 1.5, -float(k)) for k in range(40)]
    assert len(choose_bars(ladder)) == 20
    found = rate(long_table(simulate(0, 100, 12, spread=1.0)), higher_is_better=True, details=True)
    figure = found.figures.critical_difference(top=50)
    ends = [(row["epp"], row["low"]) for row in part(figure, "bar")]
    assert max(ends.count(end) for end in ends) == 2
    assert figure.left_out == (
        f"The first 50 of 100 players by EPP. Of 19 bars, {len(ends)} are drawn, because the "
        f"others look nearly the same; so players without a common bar may be just as hard to tell "
        f"apart."
    )


def test_bars_of_a_line_do_not_touch() -> None:
    bars = [Bar(("x", "y"), low, high) for low, high in [(3, 9), (1, 5), (2, 3), (0, 0.5)]]
    assert stack_bars(bars) == [1, 2, 3, 1]


def test_families_are_boxes_of_their_players() -> None:
    scores = {"a1": [5, 5, 5], "a2": [4, 6, 4], "a3": [1, 2, 6], "b": [3, 3, 3], "c1": [2, 1, 1]}
    table = grid(scores | {"c2": [0, 4, 2]}).with_columns(family=pl.col("player").str.slice(0, 1))
    found = rate(table, family="family", higher_is_better=True)
    figure = found.figures.families()
    epp = {row.player: row.epp for row in found}
    boxes = {row["family"]: row for row in part(figure, "box")}
    assert set(boxes) == {"a", "c"}
    one, two = sorted((epp["c1"], epp["c2"]))
    assert (boxes["c"]["low"], boxes["c"]["high"]) == (one, two)
    assert boxes["c"]["median"] == pytest.approx((one + two) / 2)
    assert boxes["c"]["q1"] == pytest.approx(one + 0.25 * (two - one))
    assert boxes["a"]["median"] == sorted(epp[name] for name in ("a1", "a2", "a3"))[1]
    assert {row["player"]: row["epp"] for row in part(figure, "player")} == epp
    order = list(dict.fromkeys(figure.cells["family"]))
    medians = {"a": boxes["a"]["median"], "b": epp["b"], "c": boxes["c"]["median"]}
    assert order == sorted(medians, key=lambda family: -medians[family])


def test_large_family_shows_only_players_beyond_the_whiskers() -> None:
    scores = simulate(2, 45, 8, spread=0.3)
    scores[:, 0] -= 60.0
    scores[1:, 0] += 59.0
    table = long_table(scores).with_columns(
        family=pl.when(pl.col("player") == "p1").then(pl.lit("y")).otherwise(pl.lit("x"))
    )
    found = rate(table, family="family", higher_is_better=True, details=False)
    figure = found.figures.families(top=1)
    box = next(row for row in figure.rows if row["part"] == "box") if part(figure, "box") else None
    shown = figure.cells["family"][0]
    members = [row for row in found if row.family == shown]
    expected = [
        row.player
        for row in members
        if len(members) <= 30 or (box and not box["low"] <= row.epp <= box["high"])
    ]
    assert [row["player"] for row in part(figure, "player")] == expected
    assert figure.caption.startswith("The first 1 of 2 families by median EPP. ")


# Pairs --------------------------------------------------------------------------------------------


def test_matrix_has_the_probabilities_of_the_board(digits: Leaderboard) -> None:
    figure = digits.figures.win_matrix(first=2, top=3)
    names = digits.players[1:4]
    assert figure.cells["player"][::3] == figure.cells["opponent"][:3] == list(names)
    for row in figure.rows:
        a, b = names[row["row"] - 1], names[row["column"] - 1]
        if a == b:
            assert (row["probability"], row["text"]) == (None, None)
        else:
            assert row["probability"] == pytest.approx(digits.win_probability(a, b).value)
            assert row["text"] == f"{100 * row['probability']:.0f}"
    assert figure.caption == (
        "Models 2 to 4 of 20 by EPP. Probability that the model of the row beats the model of "
        "the column in a new split, in percent; a tie counts half."
    )


def test_matrix_says_how_ties_count_where_there_are_any() -> None:
    tied = rate(grid({"a": [1, 2, 3], "b": [1, 1, 4], "c": [0, 3, 3]}), higher_is_better=True)
    assert tied.how.matches.ties == 2
    figure = tied.figures.win_matrix()
    assert figure.caption == (
        "Probability that the player of the row beats the player of the column in a new round, in "
        "percent; a tie counts half."
    )
    assert figure.columns["probability"].help == (
        "That the row's player beats the column's in a new round; a tie counts half."
    )
    plain = rate(grid({"a": [1, 2, 3], "b": [0, 3, 4]}), higher_is_better=True).figures.win_matrix()
    assert "tie" not in plain.caption + plain.columns["probability"].help


def test_matrix_names_the_occasion() -> None:
    fought = battles().figures.win_matrix()
    assert "the player of the column in a new battle" in fought.caption
    assert fought.columns["probability"].help.startswith(
        "That the row's player beats the column's in a new battle"
    )
    roles: dict[str, Any] = {"player": "model", "round": "split", "score": "auc"}
    pooled = rate(load_results(), **roles, tournament="dataset", details=False)
    assert "in a new split of a new data set" in pooled.figures.win_matrix().caption
    across = rate(three_by_three(), higher_is_better=True, matches="across")
    assert "in a new match, in percent" in across.figures.win_matrix().caption


def test_many_players_are_joined_into_blocks_of_neighbours(crowd: Leaderboard) -> None:
    figure = crowd.figures.win_matrix()
    assert len(figure) == 40 * 40
    assert figure.cells["row_label"][0] == "1–10"
    matrix = crowd.win_matrix()
    found = {(row["row"], row["column"]): row["probability"] for row in figure.rows}
    assert found[(1, 40)] == pytest.approx(matrix[:10, 390:].mean())
    assert [found[(k, k)] for k in range(1, 41)] == pytest.approx([0.5] * 40)
    assert found[(3, 7)] + found[(7, 3)] == pytest.approx(1.0)
    assert set(figure.cells["text"]) == {None}
    assert figure.caption == (
        "Probability that the player of the row beats the player of the column in a new round. "
        "Each of the 40 rows and columns stands for about 10 neighbours by EPP, with the mean over "
        "their pairs."
    )


def test_too_many_players_for_all_pairs_are_refused_but_not_the_first_of_them(
    crowd: Leaderboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("winodds.board.placing.PLACING_LIMIT", 300)
    assert "win_matrix" not in figures_for(crowd)
    assert len(crowd.figures.win_matrix(top=30)) == 900
    assert sentence(TooManyToCompare, crowd.figures.win_matrix).startswith(
        "All pairs of 400 players are too many to look at together; the limit is 300 players."
    )


@pytest.mark.parametrize(("players", "rows", "numbered"), [(20, 20, True), (21, 21, False)])
def test_numbers_are_written_into_few_cells(
    crowd: Leaderboard, players: int, rows: int, numbered: bool
) -> None:
    figure = crowd.figures.win_matrix(top=players)
    assert max(figure.cells["row"]) == rows
    assert figure.facts["numbered"] is numbered
    assert crowd.figures.win_matrix(top=50).facts["joined"] is False
    joined = crowd.figures.win_matrix(top=51)
    assert joined.facts["joined"] is True
    assert (joined.cells["row_label"][0], joined.cells["row_label"][-1]) == ("1–2", "51")


def test_cells_between_components_that_never_met_are_empty() -> None:
    figure = separate().figures.win_matrix()
    found = {(row["row"], row["column"]): row["probability"] for row in figure.rows}
    assert found[(1, 3)] is None
    assert found[(1, 2)] == pytest.approx(1.0 - found[(2, 1)])
    assert figure.caption.endswith("Empty cells: players of components that never met.")


def test_each_pair_is_a_point_seen_from_its_favourite() -> None:
    found = rate(three_by_three(), higher_is_better=True)
    rows = {(row["first"], row["second"]): row for row in found.figures.calibration().rows}
    # a beats b in rounds 1 and 2, c in 1 and 3; b beats c in 1 and 3.
    assert {pair: row["observed"] for pair, row in rows.items()} == pytest.approx(
        {("a", "b"): 2 / 3, ("a", "c"): 2 / 3, ("b", "c"): 2 / 3}
    )
    for (a, b), row in rows.items():
        assert row["fitted"] == pytest.approx(found.win_probability(a, b).value)
        assert row["matches"] == 3.0
    assert found.figures.calibration().caption == (
        "Each point is one of 3 pairs of players who met, seen from the one with the higher "
        "rating. Where ratings are right, points lie around the diagonal."
    )


def test_ratings_that_must_fit_have_no_calibration() -> None:
    two = rate(grid({"a": [1, 2, 3, 2], "b": [2, 1, 2, 1]}), higher_is_better=True)
    whole = "There is no figure 'calibration' here: {}."
    assert sentence(NoFigure, two.figures.calibration) == whole.format("two players always fit")
    assert "calibration" not in figures_for(two)
    sides = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")] * 3
    table = pl.DataFrame({"winner": [a for a, _ in sides], "loser": [b for _, b in sides]})
    chain = winodds.rate_battles(table, left="", right="", winner="winner", loser="loser")
    few = whole.format("so few pairs met that ratings always fit")
    assert sentence(NoFigure, chain.figures.calibration) == few
    # Rounds of two players, each of whom meets only the next.
    rows = [
        {"player": f"p{k + side}", "round": 2 * k + turn, "score": (side + turn) % 2}
        for k in range(209)
        for turn in range(2)
        for side in range(2)
    ]
    long_chain = rate(pl.DataFrame(rows), higher_is_better=True, details=False)
    assert sentence(NoFigure, long_chain.figures.calibration) == few
    ring = [
        *rows,
        *({**rows[k], "player": f"p{209 * (k % 2)}", "round": 999 + k // 2} for k in range(4)),
    ]
    closed = rate(pl.DataFrame(ring), higher_is_better=True, details=False)
    assert sum(closed.figures.calibration().cells["pairs"]) == 210


def test_calibration_begins_at_a_tenth_below_all_shares(digits: Leaderboard) -> None:
    figure = digits.figures.calibration()
    lowest = min(figure.cells["observed"])
    assert figure.facts["lowest"] <= min(lowest, 0.5) < figure.facts["lowest"] + 0.1


def test_many_pairs_become_the_bins_of_the_quality(digits: Leaderboard) -> None:
    figure = digits.figures.calibration(pairs=189)
    assert set(figure.cells["part"]) == {"bin"}
    assert [
        (row["fitted"], row["observed"], row["matches"], row["pairs"]) for row in figure.rows
    ] == [
        (one.fitted, one.observed, one.matches, one.pairs) for one in digits.quality().calibration
    ]
    assert figure.caption == (
        "The 190 pairs of models who met, seen from the one with the higher rating, in "
        f"{len(figure)} bins by the share that the ratings foretell. Where ratings are right, "
        "points lie around the diagonal; larger points rest on more matches."
    )


def test_pairs_add_up_to_the_bins(digits: Leaderboard) -> None:
    single, joined = digits.figures.calibration(), digits.figures.calibration(pairs=1)
    for name in ("fitted", "observed"):
        totals = [
            sum(row[name] * row["matches"] for row in figure.rows) for figure in (single, joined)
        ]
        assert totals[0] == pytest.approx(totals[1])


def test_board_that_was_cut_shows_the_bins_that_it_kept(
    digits: Leaderboard, cut: Leaderboard
) -> None:
    assert cut.figures.calibration().rows == digits.figures.calibration(pairs=1).rows


# Scores -------------------------------------------------------------------------------------------


def test_line_is_that_of_least_squares(demo_season: Season) -> None:
    heart = demo_season["heart"]
    figure = heart.figures.score_against_rating()
    epp, mean = heart.standings.epp, heart.standings.mean_score
    assert mean is not None
    slope, intercept = np.polyfit(epp, mean, 1)
    assert figure.facts["slope"] == pytest.approx(slope)
    assert figure.facts["intercept"] == pytest.approx(intercept)
    assert figure.facts["correlation"] == pytest.approx(np.corrcoef(epp, mean)[0, 1])
    assert (
        "The line by least squares: mean score = 0.8817 + 0.01127 · EPP, r = 0.99. A logistic "
        "curve describes them better than the line (R² 0.994 against 0.978)."
    ) in figure.caption
    curve = heart.relation().curve
    assert curve is not None
    drawn = part(figure, "curve")
    assert [drawn[0]["epp"], drawn[-1]["epp"]] == pytest.approx([epp.min(), epp.max()])
    for row in drawn:
        assert row["mean_score"] == pytest.approx(float(curve.at(np.array([row["epp"]]))[0]))
    for row in part(figure, "line"):
        assert row["mean_score"] == pytest.approx(intercept + slope * row["epp"])
        assert figure.facts["scores"][0] <= row["mean_score"] <= figure.facts["scores"][1] + 1e-12
    assert [row["player"] for row in part(figure, "player")] == list(heart.players)


def test_few_players_have_a_line_without_an_equation() -> None:
    few = rate(three_by_three(), higher_is_better=True).figures.score_against_rating()
    assert few.caption.endswith("The line is by least squares.")
    some = rate(long_table(simulate(1, 6, 8)), higher_is_better=True)
    words = some.figures.score_against_rating().caption
    assert "mean score = " in words
    assert "logistic" not in words


def test_the_line_of_shares_ends_at_one() -> None:
    table = grid({"a": [1, 1, 0.9], "b": [0.9, 0.8, 1], "c": [0.8, 0.9, 0.8], "d": [0, 0, 0.85]})
    figure = rate(table, higher_is_better=True).figures.score_against_rating()
    ends = [row["mean_score"] for row in part(figure, "line")]
    assert max(ends) == pytest.approx(1.0)
    assert figure.facts["scores"][1] > 1.0


def test_line_needs_different_ratings_and_correlation_different_scores() -> None:
    assert fit_line(np.ones(3), np.arange(3.0)) is None
    flat = fit_line(np.arange(3.0), np.ones(3))
    assert flat is not None
    assert (flat.slope, flat.intercept, flat.correlation) == (0.0, 1.0, None)


def test_equal_players_have_a_plot_without_a_line() -> None:
    found = rate(grid({"a": [0.5, 0.5], "b": [0.5, 0.5]}), higher_is_better=True)
    figure = found.figures.score_against_rating()
    assert part(figure, "line") == []
    assert "All ratings are equal, so there is no line." in figure.caption


def test_different_rounds_are_a_caution() -> None:
    found = rate(grid({"a": [1, 2, 3], "b": [2, 1, None], "c": [3, 0, 1]}), higher_is_better=True)
    assert found.figures.score_against_rating().caption.endswith(
        "Players took part in different rounds, so that their mean scores compare badly."
    )


def test_labels_never_overlap_and_stay_inside() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=60), rng.normal(size=60)
    names = [f"player number {k}" for k in range(60)]
    spots = place_labels(names, x, y, (-3.0, 3.0), (-3.0, 3.0), list(range(60)), 30)
    boxes = []
    for k, spot in enumerate(spots):
        if spot is not None:
            width = 6.2 * len(spot.label)
            left = (x[k] + 3) / 6 * WIDTH
            left -= {"left": 0.0, "center": width / 2, "right": width}[spot.align]
            top = (3 - y[k]) / 6 * HEIGHT + (-19.0 if spot.over else 7.0)
            boxes.append((left, left + width, top, top + 12.0))
    assert 10 < len(boxes) <= 30
    for k, (left, right, top, bottom) in enumerate(boxes):
        assert left >= 0 and right <= WIDTH and top >= 0 and bottom <= HEIGHT  # noqa: PT018
        for other in boxes[:k]:
            apart = left >= other[1] or other[0] >= right or top >= other[3] or other[2] >= bottom
            assert apart
    nobody = place_labels(names, x, y, (-3.0, 3.0), (-3.0, 3.0), list(range(60)), 1)
    assert sum(spot is not None for spot in nobody) == 1


def test_many_players_are_counted_in_cells(crowd: Leaderboard) -> None:
    figure = crowd.figures.score_against_rating(labels=5)
    assert sum(row["players"] for row in part(figure, "bin")) == 400
    assert len(part(figure, "player")) == 5
    mean = crowd.standings.mean_score
    assert mean is not None
    fullest = max(part(figure, "bin"), key=lambda row: row["players"])
    inside = (
        (crowd.standings.epp >= fullest["epp"])
        & (crowd.standings.epp < fullest["epp_end"])
        & (mean >= fullest["mean_score"])
        & (mean < fullest["score_end"])
    )
    assert inside.sum() == fullest["players"]
    assert figure.caption.startswith(
        "The 400 players counted in cells; those with names also as points, with the 95% intervals "
        "of their EPP as bars."
    )


def test_scores_are_as_given_with_their_quartiles() -> None:
    table = grid({"a": [9, 1, 5, 3], "b": [2, 2, 8, None], "c": [4, 3, 2, 1]})
    found = rate(table, higher_is_better=False)
    figure = found.figures.scores(players=["b", "a"])
    assert [(row["player"], row["round"], row["value"]) for row in part(figure, "run")] == [
        *(("b", "1", 2.0), ("b", "2", 2.0), ("b", "3", 8.0)),
        *(("a", "1", 9.0), ("a", "2", 1.0), ("a", "3", 5.0), ("a", "4", 3.0)),
    ]
    box = part(figure, "box")[1]
    assert (box["q1"], box["median"], box["q3"], box["mean"]) == (2.5, 4.0, 6.0, 4.5)
    assert box["rounds"] == 4
    assert figure.facts["y"] == "score (lower is better)"
    assert sentence(UnknownPlayer, lambda: found.figures.scores(players=["bb"])) == (
        "No player 'bb' on this leaderboard. Did you mean 'b'?"
    )


def test_equal_scores_of_a_player_are_counted() -> None:
    found = rate(grid({"a": [9, 1, 9, 9], "b": [2, 2, 8, 3]}), higher_is_better=True)
    figure = found.figures.scores()
    equal = {(row["player"], row["round"]): row["equal"] for row in part(figure, "run")}
    assert [equal[("a", name)] for name in "1234"] == [3, 1, 3, 3]
    assert [equal[("b", name)] for name in "1234"] == [2, 2, 1, 1]
    assert "Points are scores, larger where several scores of a player are equal" in figure.caption


def test_rounds_come_in_the_order_of_their_numbers() -> None:
    scores = {name: [(3 * k + n) % 7 for k in range(12)] for n, name in enumerate("abc")}
    table = grid(scores).with_columns(round=pl.format("fold {}", "round"))
    found = rate(table.filter(pl.col("round") != "fold 2"), higher_is_better=True)
    runs = part(found.figures.scores(players=["a"]), "run")
    assert [row["round"] for row in runs] == [f"fold {k}" for k in (1, *range(3, 13))]
    assert [row["value"] for row in runs] == [scores["a"][k - 1] for k in (1, *range(3, 13))]
    holes = table.filter(~pl.struct("player", "round").is_in(HOLES))
    gaps = rate(holes, higher_is_better=True).figures.gaps()
    assert list(dict.fromkeys(gaps.cells["round"])) == ["fold 2", "fold 10"]
    absent = {(row["player"], row["round"]) for row in gaps.rows if row["state"] == "absent"}
    assert absent == {("a", "fold 10"), ("b", "fold 2")}


HOLES = [{"player": "a", "round": "fold 10"}, {"player": "b", "round": "fold 2"}]


def test_ranks_within_rounds_share_places_of_equal_scores() -> None:
    table = grid({"a": [9, 1, 5], "b": [2, 1, 8], "c": [4, 3, 2], "d": [2, None, 2]})
    found = rate(table, higher_is_better=True)
    figure = found.figures.scores(players=["a", "b", "d"], values="rank")
    ranks = {(row["player"], row["round"]): row["value"] for row in part(figure, "run")}
    assert ranks == {
        ("a", "1"): 1.0,
        ("a", "2"): 2.5,
        ("a", "3"): 2.0,
        ("b", "1"): 3.5,
        ("b", "2"): 2.5,
        ("b", "3"): 1.0,
        ("d", "1"): 3.5,
        ("d", "3"): 3.5,
    }
    assert sentence(BadOption, lambda: found.figures.scores(values="wins")) == (  # type: ignore[arg-type]
        'values="wins" is not possible; it is one of "score", "rank".'
    )


def test_scores_of_different_directions_have_no_axis_but_ranks_have() -> None:
    table = grid({"a": [0.9, 3.0, 0.8], "b": [0.8, 2.0, 0.9]}).with_columns(
        metric=pl.when(pl.col("round") == 2).then(pl.lit("rmse")).otherwise(pl.lit("auc"))
    )
    found = rate(table, metric_column="metric")
    assert sentence(NoFigure, found.figures.scores) == (
        "There is no figure 'scores' here: what is better differs by round, so that the scores "
        'have no common axis; values="rank" shows ranks within rounds instead.'
    )
    figure = found.figures.scores(values="rank")
    ranks = {(row["player"], row["round"]): row["value"] for row in part(figure, "run")}
    assert ranks[("b", "2")] == 1.0
    assert ranks[("a", "1")] == 1.0
    assert "what is better differs by round" in sentence(
        NoFigure, found.figures.score_against_rating
    )


def test_failed_runs_are_left_out_and_counted() -> None:
    table = grid({"a": [9, None, 5], "b": [2, 1, 8], "c": [4, 3, 2]})
    found = rate(table, higher_is_better=True, missing="lose")
    figure = found.figures.scores(players=["a"])
    assert [row["value"] for row in part(figure, "run")] == [9.0, 5.0]
    assert figure.caption.endswith("1 failed run is left out.")


def test_many_rounds_are_thinned_but_summed_up_whole() -> None:
    scores = simulate(3, 5, 250)
    found = rate(long_table(scores), higher_is_better=True, details=False)
    figure = found.figures.scores(players=["p0"])
    assert len(part(figure, "run")) == 100
    assert part(figure, "box")[0]["mean"] == pytest.approx(scores[:, 0].mean())
    assert part(figure, "box")[0]["median"] == pytest.approx(np.median(scores[:, 0]))
    assert figure.caption.endswith(
        "100 of 250 rounds are drawn, evenly spaced; boxes and means are those of all."
    )


def test_one_name_is_one_player_and_none_is_refused(digits: Leaderboard) -> None:
    one = digits.figures.scores(players="knn(default)")
    assert set(one.cells["player"]) == {"knn(default)"}
    assert sentence(BadOption, lambda: digits.figures.scores(players=[])) == (
        "players=[] is not possible; it names at least one model."
    )


def test_players_without_any_score_are_counted() -> None:
    table = grid({"a": [9, 2, 5], "b": [2, 1, 8], "c": [None, None, None], "d": [1, 5, 6]})
    found = rate(table, higher_is_better=True, missing="lose")
    figure = found.figures.score_against_rating()
    assert sorted(row["player"] for row in part(figure, "player")) == ["a", "b", "d"]
    assert "1 player without any score is left out." in figure.caption


def test_first_four_players_are_shown_if_none_are_named(digits: Leaderboard) -> None:
    figure = digits.figures.scores()
    assert list(dict.fromkeys(figure.cells["player"])) == list(digits.players[:4])
    assert figure.caption.startswith("The first 4 of 20 models by EPP. ")


# Gaps ---------------------------------------------------------------------------------------------


def test_gaps_show_who_lacks_what() -> None:
    table = grid({"a": [9, None, 5, 1], "b": [2, 1, 8, 2], "c": [4, 3, 2, None]})
    found = rate(table.drop_nulls(), higher_is_better=True)
    figure = found.figures.gaps()
    states = {(row["player"], row["round"]): row["state"] for row in figure.rows}
    assert states == {
        ("a", "2"): "absent",
        ("a", "4"): "present",
        ("c", "2"): "present",
        ("c", "4"): "absent",
    }
    assert figure.caption == (
        "2 scores of 12 are missing: 2 of 3 players lack some, in 2 of 4 rounds. Only these are "
        "shown."
    )


def test_failed_runs_are_told_from_absent_ones_where_they_lose() -> None:
    table = grid({"a": [9, None, 5], "b": [2, 1, 8], "c": [4, 3, 2]})
    lost = rate(table, higher_is_better=True, missing="lose").figures.gaps()
    assert (lost.cells["state"], lost.cells["failed"]) == (["failed"], [1])
    skipped = rate(table, higher_is_better=True).figures.gaps()
    assert skipped.cells["state"] == ["absent"]
    assert skipped.caption == (
        "1 score of 9 is missing: 1 of 3 players lacks some, in 1 of 3 rounds. Only these are "
        "shown. Failed runs were left out of the matches and count as absent."
    )


def test_many_gaps_are_joined_and_none_is_lost() -> None:
    scores = simulate(6, 90, 70)
    scores[np.random.default_rng(0).random(scores.shape) < 0.2] = np.nan
    found = rate(long_table(scores), higher_is_better=True, details=False)
    figure = found.figures.gaps(side=10)
    assert len(figure) == 100
    assert sum(figure.cells["absent"]) == int(np.isnan(scores).sum())
    assert sum(figure.cells["present"]) == int(np.isfinite(scores).sum())
    assert figure.caption.endswith(
        "Neighbours share a cell, whose colour is the share that is missing."
    )


# Names --------------------------------------------------------------------------------------------

HOSTILE = (
    *("</script>", '"', "datum.x", "a.b[0]", "=1+1", "null", "x\u2028y", "🦊", "#0072b2"),
    *("Z" * 300, "Z" * 299 + "Y", "a\x01b", "a\x02b", "مرحبا", "日本語", " ", "\u00a0"),
)


def test_labels_of_different_players_differ_and_can_be_seen() -> None:
    labels = label_names(HOSTILE)
    assert len(set(labels)) == len(HOSTILE)
    assert all(label.strip() for label in labels)
    rows = [(name, -0.1 * k, -9.0, 9.0) for k, name in enumerate(HOSTILE)]
    figure = board(*rows).figures.ranking()
    assert figure.cells["player"] == list(HOSTILE)
    assert figure.cells["label"] == labels


def test_a_player_has_one_label_in_all_figures_of_a_board() -> None:
    names = [f"{'x' * 60}-{k}-{'y' * 60}" for k in range(5)]
    scores = simulate(2, 5, 12)
    table = grid({name: scores[:, k].tolist() for k, name in enumerate(names)})
    found = rate(table, higher_is_better=True)
    whole = dict(zip(found.players, label_names(found.players), strict=True))
    for figure in (
        *(found.figures.ranking(top=1), found.figures.rank_sets(first=3, top=2)),
        *(found.figures.best(), found.figures.scores(players=found.players[3])),
        *(found.figures.critical_difference(top=2), found.figures.score_against_rating()),
    ):
        for row in figure.rows:
            if row["label"] is not None:
                assert row["label"] == whole[row["player"]], figure.name


def test_a_figure_is_shown_in_one_line(digits: Leaderboard) -> None:
    assert repr(digits.figures.rank_sets(top=3)) == (
        "Figure('rank_sets', 3 rows, columns: order, player, label, rank, rank_low, rank_high)"
    )


def test_figures_are_made_without_the_drawing_library() -> None:
    folder = Path(inspect.getfile(BoardFigures)).parent
    files = sorted(folder.glob("*.py"))
    assert len(files) > 8
    assert not [file.name for file in files if "altair" in file.read_text(encoding="utf-8")]
