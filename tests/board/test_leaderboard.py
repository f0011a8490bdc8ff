"""The board: rows, comparisons, frame and JSON, and laws over random tables."""

import copy
import json
import pickle
import re
from collections.abc import Callable
from dataclasses import fields
from itertools import combinations
from math import exp, log
from typing import Any, get_args

import jsonschema
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from tables import facts, grid, sentence, texts, three_by_three, wins

from winodds import (
    COLUMNS,
    Estimate,
    Leaderboard,
    Row,
    WinoddsError,
    leaderboard_schema,
    rate,
    rate_battles,
)
from winodds.board import notes
from winodds.board.row import Standings
from winodds.errors import NoCommonScale, SchemaUnknown, UnknownPlayer
from winodds.language.notes import NoteKind
from winodds.language.options import (
    Center,
    Convention,
    Duplicates,
    Estimator,
    IntervalKind,
    Missing,
    RankKind,
)
from winodds.matches.results import MatchKind
from winodds.table import notes as data_notes

# Boards of every kind -----------------------------------------------------------------------------


def plain(**options: Any) -> Leaderboard:
    return rate(three_by_three(), **{"higher_is_better": True, **options})


def chained(**options: Any) -> Leaderboard:
    """a beats b beats c in every round."""
    return rate(grid({"a": [3, 6, 9], "b": [2, 4, 6], "c": [1, 2, 3]}), **up(options))


def up(options: dict[str, Any]) -> dict[str, Any]:
    return {"higher_is_better": True, **options}


def gaps(**options: Any) -> Leaderboard:
    """Failed runs, and pairs without a row."""
    table = grid({"a": [1, 2, None, 4], "b": [2, 1, 3, 3], "c": [3, None, 1, 5], "d": [1, 3, 2, 2]})
    return rate(table.filter((pl.col("player") != "d") | (pl.col("round") != 4)), **up(options))


def two_components(**options: Any) -> Leaderboard:
    others = three_by_three().with_columns(
        pl.format("x{}", "player").alias("player"), pl.col("round") + 10
    )
    table = pl.concat([three_by_three(), others])
    return rate(table, **up({"components": "separate", **options}))


def two_data_sets(**options: Any) -> Leaderboard:
    table = pl.concat(
        [
            three_by_three().with_columns(data=pl.lit("iris")),
            three_by_three().with_columns(pl.col("score") ** 2, data=pl.lit("wine"))[:7],
        ]
    )
    return rate(table, **up({"tournament": "data", **options}))


def two_directions() -> Leaderboard:
    table = three_by_three().with_columns(m=pl.Series(["auc"] * 3 + ["rmse"] * 3 + ["f1"] * 3))
    return rate(table, metric_column="m")


def arena(**options: Any) -> Leaderboard:
    table = pl.DataFrame(
        {
            "model_a": ["x", "y", "x", "z", "y", "x", "z"],
            "model_b": ["y", "z", "z", "x", "x", "z", "y"],
            "winner": ["model_a", "model_b", "tie", "tie", "model_a", "model_b", "model_b"],
            "judge": [1, 1, 2, 2, 3, 3, 3],
            "weight": [1.0, 2.0, 0.5, 1.0, 1.0, 3.0, 1.0],
        }
    )
    return rate_battles(table, **options)


def many_rounds() -> Leaderboard:
    """More clusters than are kept one by one."""
    rng = np.random.default_rng(7)
    scores = {name: rng.normal(size=600).tolist() for name in "abc"}
    return rate(grid(scores), higher_is_better=True)


def hostile_names() -> Leaderboard:
    names = ["<img onerror=x>", '";DROP', "%s {0} \\n", "=1+1", "NaN", "Größe 混合 👩\u200d🔬"]
    return rate(
        grid({name: [k, (2 * k) % 5, (3 * k) % 7] for k, name in enumerate(names)}),
        higher_is_better=True,
    )


BOARDS: dict[str, Callable[[], Leaderboard]] = {
    "plain": plain,
    "mle": lambda: plain(estimator="mle"),
    "ridge": lambda: plain(estimator="ridge"),
    "narrow ridge": lambda: chained(estimator="ridge", prior_sd=0.3),
    "model": lambda: plain(interval="model", level=0.5),
    "reference": lambda: plain(reference="b"),
    "overlap": lambda: plain(test_fraction=0.1),
    "tolerance": lambda: plain(tie_tolerance=0.1),
    "across": lambda: plain(matches="across"),
    "across lose": lambda: gaps(matches="across", missing="lose"),
    "separated": chained,
    "separated reference": lambda: chained(reference="c"),
    "gaps": gaps,
    "lose": lambda: gaps(missing="lose"),
    "components": two_components,
    "components ridge": lambda: two_components(estimator="ridge", interval="model"),
    "pooled": two_data_sets,
    "pooled across": lambda: two_data_sets(matches="across"),
    "directions": two_directions,
    "battles": arena,
    "battles clustered": lambda: arena(cluster="judge", weights="weight"),
    "battles model": lambda: arena(interval="model"),
    "many rounds": many_rounds,
    "hostile names": hostile_names,
}
EVERY_BOARD = pytest.mark.parametrize("kind", BOARDS)


# Columns ------------------------------------------------------------------------------------------


def test_columns_are_declared_once() -> None:
    declared = [column.name for column in fields(Row)]
    assert list(COLUMNS) == declared
    assert list(plain().columns()) == declared
    assert plain().frame().columns == declared
    row = leaderboard_schema()["$defs"]["row"]
    assert list(row["properties"]) == [*declared, "elo", "elo_low", "elo_high"]
    assert row["required"] == declared


def test_every_column_has_a_help_text_that_is_a_sentence() -> None:
    assert [name for name, text in COLUMNS.items() if not text.endswith(".")] == []


def test_schema_lists_what_a_board_writes() -> None:
    schema = leaderboard_schema()
    written = list(plain().to_dict())
    # What a seat is worth is there only where a command was asked for it.
    assert sorted(set(schema["properties"]) - {"seat"}) == sorted(written)
    assert sorted(schema["required"]) == sorted(written)


def test_choices_of_the_schema_are_those_of_the_types() -> None:
    definitions = leaderboard_schema()["$defs"]
    expected = {
        "estimator": get_args(Estimator),
        "interval_kind": get_args(IntervalKind),
        "match_kind": get_args(MatchKind),
        "missing": get_args(Missing),
        "duplicates": (*get_args(Duplicates), "keep"),
        "convention": get_args(Convention),
        "ranks": get_args(RankKind),
        "adjust": ("max-t", "holm"),
        "note_kind": get_args(NoteKind),
        "center": get_args(Center),
    }
    listed = {name: tuple(own["enum"]) for name, own in definitions.items() if "enum" in own}
    assert listed == expected
    text = json.dumps(leaderboard_schema())
    assert {*re.findall(r"#/\$defs/(\w+)", text)} == {*definitions}


@pytest.mark.usefixtures("few_draws")
@EVERY_BOARD
def test_rows_columns_and_frame_tell_the_same(kind: str) -> None:
    board = BOARDS[kind]()
    for detailed in (False, True):
        board.look_closer(detailed)
        assert board.detailed == detailed
        columns = board.columns()
        rows = [{name: getattr(row, name) for name in COLUMNS} for row in board]
        assert rows == [
            dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)
        ]
        joined = [row | {"notes": "; ".join(texts(row["notes"]))} for row in rows]
        assert board.frame("polars").to_dicts() == joined


def test_rows_are_a_sequence() -> None:
    board = plain()
    rows = board.rows
    assert len(rows) == len(board) == 3
    assert [row.player for row in rows] == list(board.players)
    assert rows[0] == next(iter(board)) == board.row("a")
    assert rows[-1] == rows[2] == board.row("c")
    assert rows[1:] == (rows[1], rows[2])
    assert rows[::-1] == (rows[2], rows[1], rows[0])
    for place in (3, -4):
        with pytest.raises(IndexError, match=f"a board of 3 players has no row {place}"):
            rows[place]


def test_standings_hold_open_ends_as_infinity() -> None:
    board = chained()
    assert [(row.low is None, row.high is None) for row in board] == [
        (False, True),
        (True, True),
        (True, False),
    ]
    assert np.isinf(board.standings.low).tolist() == [False, True, True]
    assert np.isinf(board.standings.high).tolist() == [True, True, False]


@EVERY_BOARD
def test_board_is_pickled_and_copied(kind: str) -> None:
    board = BOARDS[kind]()
    for twin in (pickle.loads(pickle.dumps(board)), copy.deepcopy(board)):
        assert twin.to_json() == board.to_json()
        assert differences(twin) == differences(board)


def test_players_with_equal_ratings_share_a_rank_and_stand_by_name() -> None:
    names = ["g", "b", "a", "f", "c", "e", "d", "h", "i"]
    rotated: dict[str, list[float | None]] = {
        name: [(k + r) % 9 for r in range(9)] for k, name in enumerate(names)
    }
    rotated["i"][4] = None
    rotated["a"][4] = None
    board = rate(grid(rotated), higher_is_better=True)
    for rank in {row.rank for row in board}:
        together = [row for row in board if row.rank == rank]
        assert [row.player for row in together] == sorted(row.player for row in together)
        assert max(row.epp for row in together) - min(row.epp for row in together) < 1e-8
    equal = {name: [(k + r) % 9 for r in range(9)] for k, name in enumerate(names)}
    assert [(row.rank, row.player) for row in rate(grid(equal), higher_is_better=True)] == [
        (1, name) for name in sorted(names)
    ]


def test_chance_against_the_average_does_not_depend_on_the_reference() -> None:
    chances = {row.player: row.p_average for row in plain()}
    assert {row.player: row.p_average for row in plain(reference="c")} == chances


# Pairs --------------------------------------------------------------------------------------------


def differences(board: Leaderboard) -> dict[tuple[str, str], Estimate | None]:
    """Every pair's difference; None where the two never met."""
    found: dict[tuple[str, str], Estimate | None] = {}
    for a in board.players:
        for b in board.players:
            try:
                found[a, b] = board.difference(a, b)
            except NoCommonScale:
                found[a, b] = None
    return found


@EVERY_BOARD
def test_comparison_turns_around(kind: str) -> None:
    found = differences(BOARDS[kind]())
    for (a, b), there in found.items():
        back = found[b, a]
        if there is None or back is None:
            assert there is back
            continue
        assert there.value == -back.value
        assert there.low == (None if back.high is None else pytest.approx(-back.high, abs=1e-12))


@EVERY_BOARD
def test_difference_is_that_of_the_ratings(kind: str) -> None:
    board = BOARDS[kind]()
    epp = {row.player: row.epp for row in board}
    for (a, b), found in differences(board).items():
        if found is not None:
            assert found.value == pytest.approx(epp[a] - epp[b], abs=1e-12)


def test_chance_and_odds_are_those_of_the_difference() -> None:
    board = plain()
    difference = board.difference("a", "c")
    chance, odds = board.win_probability("a", "c"), board.odds("a", "c")
    assert difference.low is not None
    assert difference.high is not None
    for end in ("value", "low", "high"):
        log_odds = getattr(difference, end)
        assert getattr(odds, end) == pytest.approx(exp(log_odds))
        assert getattr(chance, end) == pytest.approx(1 / (1 + exp(-log_odds)))


def test_open_end_is_certain_as_a_chance_and_open_as_odds() -> None:
    board = chained()
    above, below = board.win_probability("a", "b"), board.win_probability("b", "a")
    assert (above.high, below.low) == (1.0, 0.0)
    assert (board.difference("a", "b").high, board.difference("b", "a").low) == (None, None)
    assert (board.odds("a", "b").high, board.odds("b", "a").low) == (None, 0.0)


def test_player_against_itself_is_even() -> None:
    assert plain().difference("a", "a") == Estimate(0.0, 0.0, 0.0)
    assert plain().win_probability("a", "a") == Estimate(0.5, 0.5, 0.5)
    assert plain().odds("a", "a") == Estimate(1.0, 1.0, 1.0)


@EVERY_BOARD
def test_win_matrix_holds_the_chances_of_all_pairs(kind: str) -> None:
    board = BOARDS[kind]()
    matrix = board.win_matrix()
    for i, a in enumerate(board.players):
        for j, b in enumerate(board.players):
            try:
                expected = board.win_probability(a, b).value
            except NoCommonScale:
                expected = float("nan")
            assert matrix[i, j] == pytest.approx(expected, nan_ok=True, abs=1e-15)


def test_many_pairs_are_compared_at_once() -> None:
    board = gaps()
    pairs = list(combinations(board.players, 2))
    found = board.differences([a for a, _ in pairs], [b for _, b in pairs])
    singles = [board.difference(a, b) for a, b in pairs]
    assert found.value.tolist() == [single.value for single in singles]
    assert [None if np.isinf(low) else low for low in found.low] == [one.low for one in singles]


def test_lists_of_pairs_have_the_same_length() -> None:
    with pytest.raises(WinoddsError):
        plain().differences(["a", "b"], ["c"])


def test_no_pairs_have_no_differences() -> None:
    assert plain().differences([], []).value.tolist() == []


def test_components_that_never_met_are_not_compared() -> None:
    board = two_components()
    expected = "'a' and 'xb' belong to components that never met; their ratings cannot be compared."
    assert sentence(NoCommonScale, lambda: board.difference("a", "xb")) == expected
    assert sentence(NoCommonScale, lambda: board.differences(["b", "a"], ["a", "xb"])) == expected


def test_pairs_of_different_components_are_compared_at_once() -> None:
    found = two_components().differences(["a", "xa", "xb"], ["b", "xb", "xc"])
    plain_pairs = plain().differences(["a", "a", "b"], ["b", "b", "c"])
    assert found.value.tolist() == plain_pairs.value.tolist()
    assert found.low.tolist() == plain_pairs.low.tolist()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("xgbost", "No player 'xgbost' on this leaderboard. Did you mean 'xgboost'?"),
        ("XGBoost", "No player 'XGBoost' on this leaderboard. Did you mean 'xgboost'?"),
        ("forest", "No player 'forest' on this leaderboard."),
        ("", "No player '' on this leaderboard."),
    ],
)
def test_unknown_player_is_answered_by_names_like_it(asked: str, message: str) -> None:
    board = rate(grid({"xgboost": [1, 2], "svm": [2, 1]}), higher_is_better=True)
    assert sentence(UnknownPlayer, lambda: board.row(asked)) == message
    assert sentence(UnknownPlayer, lambda: board.difference("svm", asked)) == message


# JSON ---------------------------------------------------------------------------------------------


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize("detailed", [False, True])
@EVERY_BOARD
def test_json_is_read_back_without_loss(kind: str, detailed: bool) -> None:
    board = BOARDS[kind]()
    board.look_closer(detailed)
    text = board.to_json()
    again = Leaderboard.from_json(text)
    assert again.to_json() == text
    assert list(again) == list(board)
    for column in fields(Standings):
        old, new = (getattr(each.standings, column.name) for each in (board, again))
        np.testing.assert_array_equal(new, old, strict=old is not None)
    assert (again.detailed, again.assessed) == (detailed, detailed)
    assert again.notes == board.notes
    assert differences(again) == differences(board)
    np.testing.assert_array_equal(again.win_matrix(), board.win_matrix(), strict=True)
    assert str(again) == str(board)
    assert again._repr_html_() == board._repr_html_()


SCHEMA = jsonschema.Draft202012Validator(leaderboard_schema())


def test_schema_is_one() -> None:
    SCHEMA.check_schema(leaderboard_schema())


@pytest.mark.usefixtures("few_draws")
@EVERY_BOARD
def test_json_follows_its_schema(kind: str) -> None:
    board = BOARDS[kind]()
    for detailed in (False, True):
        board.look_closer(detailed)
        SCHEMA.validate(json.loads(board.to_json(indent=2), parse_constant=refuse))


@EVERY_BOARD
def test_every_note_has_a_kind_a_name_and_facts_that_survive_json(kind: str) -> None:
    board = BOARDS[kind]()
    again = Leaderboard.from_json(board.to_json())

    def written(found: Leaderboard) -> list[dict[str, Any]]:
        every = (*found.notes, *(note for row in found for note in row.notes))
        return [note.to_dict() for note in every]

    told = written(board)
    assert written(again) == told == json.loads(json.dumps(told, allow_nan=False))
    assert {note["kind"] for note in told} <= set(get_args(NoteKind))
    homes = (notes, data_notes)
    assert {note["name"] for note in told} <= {name for home in homes for name in vars(home)}
    luck = board.sota().notes if board.has_one_scale else ()
    assert {note.kind for note in luck} <= {"doubt"}
    assert json.loads(json.dumps([note.to_dict() for note in luck])) == [
        note.to_dict() for note in luck
    ]


def test_json_keeps_names_readable() -> None:
    assert "Größe 混合" in hostile_names().to_json()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{}", "None"),
        ('{"schema": "winodds/leaderboard/1"}', "winodds/leaderboard/1"),
        ('{"schema": "winodds/season/2"}', "winodds/season/2"),
    ],
)
def test_json_of_another_schema_is_refused(text: str, found: str) -> None:
    assert sentence(SchemaUnknown, lambda: Leaderboard.from_json(text)) == (
        f"The JSON has schema '{found}'; this version of Winodds reads 'winodds/leaderboard/2'."
    )


def without(*path: Any) -> str:
    data = plain().to_dict()
    inside: Any = data
    for step in path[:-1]:
        inside = inside[step]
    del inside[path[-1]]
    return json.dumps(data)


def with_evidence(**entries: str) -> str:
    data = plain().to_dict()
    data["evidence"][0] |= entries
    return json.dumps(data)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nope",
        "[]",
        "null",
        "1",
        '"winodds/leaderboard/2"',
        '{"schema": "winodds/leaderboard/2"}',
        plain().to_json()[:-20],
        without("players"),
        without("players", 0, "epp"),
        without("evidence"),
        without("evidence", 0, "beta"),
        with_evidence(beta=""),
        with_evidence(played="AAAA"),
    ],
)
def test_json_that_is_no_leaderboard_is_refused(text: str) -> None:
    with pytest.raises(WinoddsError):
        Leaderboard.from_json(text)


# Laws ---------------------------------------------------------------------------------------------

RUNS = st.lists(
    st.tuples(
        st.sampled_from("abcd"),
        st.sampled_from("1234"),
        st.one_of(st.none(), st.just(float("nan")), st.integers(0, 3).map(float)),
    ),
    max_size=24,
)
OPTIONS = st.fixed_dictionaries(
    {
        "higher_is_better": st.booleans(),
        "matches": st.sampled_from(["within", "across"]),
        "missing": st.sampled_from(["skip", "lose"]),
        "duplicates": st.sampled_from(["error", "mean", "first", "last", "best"]),
        "estimator": st.sampled_from(["bias-reduced", "mle", "ridge"]),
        "interval": st.sampled_from(["robust", "model"]),
        "components": st.sampled_from(["error", "separate"]),
        "tie_tolerance": st.sampled_from([0.0, 1.0]),
    }
)
Runs = list[tuple[str, str, float | None]]


def count_by_hand(runs: Runs, options: dict[str, Any]) -> dict[str, tuple[float, int]]:
    """Wins and matches of each player, one pair of runs after the other."""
    repeats: dict[tuple[str, str], list[float]] = {}
    for player, place, score in runs:
        own = repeats.setdefault((place, player), [])
        own += [score] if score is not None and score == score else []
    best = max if options["higher_is_better"] else min
    merge: dict[str, Callable[[list[float]], float]] = {
        "error": lambda own: own[0],
        "mean": lambda own: sum(own) / len(own),
        "first": lambda own: own[0],
        "last": lambda own: own[-1],
        "best": best,
    }
    scores = {
        key: merge[options["duplicates"]](own) if own else None for key, own in repeats.items()
    }
    result: dict[str, tuple[float, int]] = {}
    for one, other in combinations(sorted(scores), 2):
        points = _points(scores[one], scores[other], options)
        apart = one[1] == other[1] if options["matches"] == "across" else one[0] != other[0]
        if apart or points is None:
            continue
        for (_, player), share in ((one, points), (other, 1.0 - points)):
            won, met = result.get(player, (0.0, 0))
            result[player] = (won + share, met + 1)
    return result


def _points(one: float | None, other: float | None, options: dict[str, Any]) -> float | None:
    """What the first of two runs wins: 1, ½ or 0; None without a match."""
    if one is None or other is None:
        if options["missing"] == "skip" or one is other:
            return None
        return 0.0 if one is None else 1.0
    if abs(one - other) <= options["tie_tolerance"]:
        return 0.5
    return 1.0 if (one > other) == options["higher_is_better"] else 0.0


def table_of(runs: Runs) -> pl.DataFrame:
    schema = {"player": pl.String, "round": pl.String, "score": pl.Float64}
    return pl.DataFrame(runs, schema, orient="row")


@settings(max_examples=250, deadline=None)
@given(runs=RUNS, options=OPTIONS)
def test_random_table_is_refused_or_keeps_the_laws(runs: Runs, options: dict[str, Any]) -> None:
    try:
        board = rate(table_of(runs), details=False, **options)
    except WinoddsError:
        return
    assert wins(board) == count_by_hand(runs, options)
    own = board.standings
    assert own.wins.sum() == board.how.matches.count
    assert own.matches.sum() == 2 * board.how.matches.count
    np.testing.assert_allclose(own.p_average, 1 / (1 + np.exp(-own.epp)), rtol=1e-12)
    assert (own.low <= own.high).all()
    assert (own.se >= 0).all()
    if len(board.components) == 1:
        averaged = board.components[0].intervals.averaged
        inside = own.epp if averaged is None else own.epp[averaged]
        assert inside.sum() == pytest.approx(0.0, abs=1e-9)
        assert own.rank.tolist() == [1 + int((own.epp > e + 1e-9).sum()) for e in own.epp]
    again = Leaderboard.from_json(board.to_json())
    assert again.to_json() == board.to_json()
    assert differences(again) == differences(board)
    SCHEMA.validate(json.loads(board.to_json()))


@settings(max_examples=10, deadline=None)
@given(runs=RUNS, options=OPTIONS)
def test_details_of_a_random_table_do_not_depend_on_the_order_of_rows_and_pass_through_json(
    runs: Runs, options: dict[str, Any]
) -> None:
    if options["duplicates"] in ("first", "last"):
        options = options | {"duplicates": "best"}
    try:
        board = rate(table_of(runs), details=True, **options)
    except WinoddsError:
        return
    assert facts(rate(table_of(runs[::-1]), details=True, **options)) == facts(board)
    text = board.to_json()
    again = Leaderboard.from_json(text)
    assert again.to_json() == text
    assert (again.detailed, again.assessed) == (True, True)
    assert again.details().alike == board.details().alike
    assert again.details().could_be_best == board.details().could_be_best
    assert again.quality() == board.quality()
    SCHEMA.validate(json.loads(text))


@settings(max_examples=60, deadline=None)
@given(runs=RUNS, options=OPTIONS, names=st.permutations("abcd"))
def test_names_and_order_of_rows_do_not_matter(
    runs: Runs, options: dict[str, Any], names: list[str]
) -> None:
    if options["duplicates"] in ("first", "last"):
        options = options | {"duplicates": "best"}
    options = options | {"details": False}
    other = dict(zip("abcd", names, strict=True))
    try:
        board = rate(table_of(runs), **options)
    except WinoddsError as error:
        with pytest.raises(type(error)):
            rate(table_of(runs[::-1]), **options)
        return
    assert facts(rate(table_of(runs[::-1]), **options)) == facts(board)
    renamed = rate(table_of([(other[player], *rest) for player, *rest in runs]), **options)  # type: ignore[misc]
    assert {row.player: row.epp for row in renamed} == pytest.approx(
        {other[row.player]: row.epp for row in board}, abs=1e-9
    )


def test_error_matrix_holds_the_errors_of_all_differences() -> None:
    board = rate(three_by_three(), higher_is_better=True)
    matrix = board.error_matrix()
    for i, first in enumerate(board.players):
        for j, second in enumerate(board.players):
            assert matrix[i, j] == pytest.approx(board.differences([first], [second]).se[0])


def uneven() -> Leaderboard:
    """Tournaments of three, four and five rounds, in which a wins every match."""
    tables = [
        grid({"a": [2.0] * rounds, "b": [1.0] * rounds}).with_columns(data=pl.lit(rounds))
        for rounds in (3, 4, 5)
    ]
    return rate(pl.concat(tables), tournament="data", higher_is_better=True)


def test_deviance_of_pooled_tournaments_of_unequal_length_is_a_number() -> None:
    board = uneven()
    assert board.quality().deviance == pytest.approx(-24.0 * log(12.5 / 13.0))
    assert [one.observed for one in board.quality().calibration] == [1.0]
    assert Leaderboard.from_json(board.to_json()).quality() == board.quality()
