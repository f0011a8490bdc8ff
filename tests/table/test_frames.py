"""Data frames of three libraries in and out."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tables import ROUGH, facts, outcome, sentence, texts, three_by_three

from winodds import Leaderboard, WinoddsError, rate, rate_battles, rate_each
from winodds.errors import (
    BadOption,
    EmptyName,
    NotATable,
    ScoresNotNumbers,
    TooFewPlayers,
    UnreadableName,
)

PLAYERS = ["a", "b", "c"] * 3
ROUNDS = [1, 1, 1, 2, 2, 2, 3, 3, 3]
SCORES = [0.9, 0.8, 0.7, 0.9, 0.6, 0.95, 0.5, 0.6, 0.4]
DAYS = [dt.date(2024, 5, day) for day in ROUNDS]
TIMES = [dt.datetime(2024, 5, day) for day in ROUNDS]
DECIMALS = [Decimal(str(score)) for score in SCORES]


def of_pandas(**columns: Any) -> Any:
    return pd.DataFrame({"player": PLAYERS, "round": ROUNDS, "score": SCORES} | columns)


def of_polars(**columns: Any) -> Any:
    return pl.DataFrame({"player": PLAYERS, "round": ROUNDS, "score": SCORES} | columns)


def of_arrow(**columns: Any) -> Any:
    return pa.table({"player": PLAYERS, "round": ROUNDS, "score": SCORES} | columns)


LIBRARIES = pytest.mark.parametrize("build", [of_pandas, of_polars, of_arrow])


def board_of(table: Any) -> Leaderboard:
    return rate(table, higher_is_better=True, details=False)


SAME_TABLES: dict[str, Callable[[], Any]] = {
    "pandas": of_pandas,
    "pandas object": lambda: of_pandas().astype({"player": object, "score": object}),
    "pandas string": lambda: of_pandas().astype({"player": "string"}),
    "pandas category": lambda: of_pandas().astype({"player": "category", "round": "category"}),
    "pandas unused category": lambda: of_pandas(player=pd.Categorical(PLAYERS, list("zcba"))),
    "pandas arrow": lambda: of_pandas().convert_dtypes(dtype_backend="pyarrow"),
    "pandas Int64 rounds": lambda: of_pandas(round=pd.array(ROUNDS, dtype="Int64")),
    "pandas Float64 scores": lambda: of_pandas(score=pd.array(SCORES, dtype="Float64")),
    "pandas dates": lambda: of_pandas(round=pd.to_datetime(TIMES)),
    "pandas periods": lambda: of_pandas(round=pd.PeriodIndex(DAYS, freq="D")),
    "pandas sparse scores": lambda: of_pandas(score=pd.arrays.SparseArray(SCORES)),
    "pandas decimals": lambda: of_pandas(score=DECIMALS),
    "pandas other index": lambda: of_pandas().set_index(pd.Index([7] * 9)),
    "polars": of_polars,
    "polars Categorical": lambda: of_polars().cast({"player": pl.Categorical}),
    "polars Enum": lambda: of_polars().cast({"player": pl.Enum(list("zcba"))}),
    "polars UInt8 rounds": lambda: of_polars().cast({"round": pl.UInt8}),
    "polars dates": lambda: of_polars(round=DAYS),
    "polars datetimes": lambda: of_polars(round=TIMES),
    "polars decimals": lambda: of_polars(score=DECIMALS),
    "polars objects": lambda: of_polars(score=pl.Series(SCORES, dtype=pl.Object)),
    "polars object names": lambda: of_polars(player=pl.Series(PLAYERS, dtype=pl.Object)),
    "polars chunks": lambda: pl.concat([of_polars()[:4], of_polars()[4:]], rechunk=False),
    "arrow": of_arrow,
    "arrow dictionary": lambda: of_arrow(
        player=pa.array(PLAYERS).dictionary_encode(), round=pa.array(ROUNDS).dictionary_encode()
    ),
    "arrow chunks": lambda: of_arrow(
        player=pa.chunked_array([PLAYERS[:4], PLAYERS[4:]]),
        score=pa.chunked_array([SCORES[:2], SCORES[2:]]),
    ),
    "arrow large string": lambda: of_arrow(player=pa.array(PLAYERS, pa.large_string())),
    "arrow string view": lambda: of_arrow(player=pa.array(PLAYERS, pa.string_view())),
    "arrow decimals": lambda: of_arrow(score=DECIMALS),
    "arrow timestamps": lambda: of_arrow(round=pa.array(TIMES, pa.timestamp("ns"))),
}


@pytest.mark.parametrize("name", SAME_TABLES)
def test_same_table_gives_the_same_board_in_every_library(name: str) -> None:
    found, wanted = facts(board_of(SAME_TABLES[name]())), facts(board_of(three_by_three()))
    # Rounds may be dates here and numbers there.
    assert len(found.pop("schedule")["rounds"]) == len(wanted.pop("schedule")["rounds"])
    assert found == wanted


GONE: dict[str, Callable[[], Any]] = {
    "pandas nan": lambda: of_pandas(score=[*SCORES[:8], float("nan")]),
    "pandas None": lambda: of_pandas(score=[*SCORES[:8], None]),
    "pandas NA": lambda: of_pandas(score=pd.array([*SCORES[:8], pd.NA], dtype="Float64")),
    "pandas object None": lambda: of_pandas(score=pd.Series([*SCORES[:8], None], dtype=object)),
    "pandas object NA": lambda: of_pandas(score=pd.Series([*SCORES[:8], pd.NA], dtype=object)),
    "polars None": lambda: of_polars(score=[*SCORES[:8], None]),
    "polars nan": lambda: of_polars(score=[*SCORES[:8], float("nan")]),
    "polars decimal": lambda: of_polars(score=[*DECIMALS[:8], None]),
    "arrow None": lambda: of_arrow(score=[*SCORES[:8], None]),
    "arrow nan": lambda: of_arrow(score=[*SCORES[:8], float("nan")]),
}


@pytest.mark.parametrize("name", GONE)
def test_missing_score_is_the_same_run_in_every_library(name: str) -> None:
    board = board_of(GONE[name]())
    assert [(row.player, row.wins, row.matches) for row in board] == [
        ("a", 3.0, 5),
        ("c", 2.0, 4),
        ("b", 2.0, 5),
    ]
    assert texts(board.notes) == ("1 run has no score and played no match: 'c' 1.", ROUGH)


WHOLE = [9, 8, None, 9, 6, 9, 5, 6, 4]
WHOLE_TABLES = [
    of_pandas(score=pd.array(WHOLE, dtype="Int64")),
    of_pandas(score=pd.array(WHOLE, dtype="int64[pyarrow]")),
    of_pandas(score=WHOLE),
    of_polars(score=WHOLE),
    of_arrow(score=WHOLE),
]


@pytest.mark.parametrize("table", WHOLE_TABLES)
def test_whole_numbers_with_a_gap_are_scores(table: Any) -> None:
    board = board_of(table)
    assert {row.player: row.mean_score for row in board} == {"a": 23 / 3, "b": 20 / 3, "c": 6.5}


@LIBRARIES
def test_truth_values_are_scores_of_one_and_zero(build: Callable[..., Any]) -> None:
    board = board_of(build(score=[score > 0.75 for score in SCORES]))
    assert {row.player: row.wins for row in board} == {"a": 4.0, "b": 2.5, "c": 2.5}


@pytest.mark.parametrize(
    "table",
    [
        of_pandas(score=[None] * 9),
        of_pandas(score=[float("nan")] * 9),
        of_pandas(score=pd.Series([pd.NA] * 9, dtype=object)),
        of_polars(score=[None] * 9),
        of_arrow(score=[None] * 9),
    ],
)
def test_column_without_any_score_is_not_called_text(table: Any) -> None:
    assert sentence(TooFewPlayers, lambda: board_of(table)) == (
        "A leaderboard needs scores of at least two players; no player has one."
    )


@LIBRARIES
def test_large_whole_numbers_are_scores(build: Callable[..., Any]) -> None:
    large = board_of(build(score=[round(100 * score) * 10**16 for score in SCORES]))
    assert [(row.player, row.epp) for row in large] == [
        (row.player, row.epp) for row in board_of(of_polars())
    ]


def test_number_too_large_for_a_float_is_refused() -> None:
    with pytest.raises(WinoddsError):
        board_of(of_pandas(score=pd.Series([*SCORES[:8], 10**400], dtype=object)))


@LIBRARIES
def test_scores_as_text_are_refused(build: Callable[..., Any]) -> None:
    table = build(score=[str(score) for score in SCORES])
    assert sentence(ScoresNotNumbers, lambda: board_of(table)) == (
        "Column 'score' holds text, not numbers; the first value is '0.9'. Convert it to numbers, "
        "with missing scores empty."
    )


def test_one_text_among_numbers_is_shown() -> None:
    table = of_pandas(score=pd.Series([*SCORES[:8], "timeout"], dtype=object))
    assert sentence(ScoresNotNumbers, lambda: board_of(table)) == (
        "Column 'score' holds text, not numbers; the first value is 'timeout'. Convert it to "
        "numbers, with missing scores empty."
    )


NOT_SCORES = [
    of_pandas(score=[1j] * 9),
    of_pandas(score=pd.Series([np.complex128(1)] * 9, dtype=object)),
    of_pandas(score=pd.PeriodIndex(DAYS, freq="D")),
    of_pandas(score=pd.to_timedelta(ROUNDS, unit="s")),
    of_pandas(score=TIMES),
    of_polars(score=DAYS),
    of_polars(score=[[score] for score in SCORES]),
    of_polars(score=[{"auc": score} for score in SCORES]),
    of_arrow(score=[b"1"] * 9),
    of_arrow(score=[[score] for score in SCORES]),
]


@pytest.mark.parametrize("table", NOT_SCORES)
def test_what_is_no_number_is_no_score(table: Any) -> None:
    with pytest.raises(ScoresNotNumbers):
        board_of(table)


# Names --------------------------------------------------------------------------------------------

SAME_NAMES: dict[str, Sequence[object]] = {
    "whole numbers": [1, 20, 3],
    "numbers": [0.5, 1e-7, 1e16],
    "truth values": [True, False],
    "dates": [dt.date(2024, 5, 1), dt.date(2024, 5, 2), dt.date(2024, 5, 3)],
    "datetimes": [dt.datetime(2024, 5, 1, 12, k) for k in (0, 5, 10)],
    "midnights": [dt.datetime(2024, 5, k) for k in (1, 2, 3)],
    "words for missing": ["NA", "null", "nan"],
    "more of them": ["None", "N/A", "-"],
    "looking like numbers": ["007", "7", "7.0"],
    "exponents": ["1e5", "100000", "1E5"],
    "truth as text": ["TRUE", "true", "True"],
}


@pytest.mark.parametrize("kind", SAME_NAMES)
def test_names_do_not_depend_on_the_library(kind: str) -> None:
    names = list(SAME_NAMES[kind])
    table = {
        "player": names * 3,
        "round": [k for k in (1, 2, 3) for _ in names],
        "score": [float(k * len(names) % 7) for k in range(3 * len(names))],
    }
    boards = [board_of(build(table)) for build in (pd.DataFrame, pl.DataFrame, pa.table)]
    assert len(boards[0].players) == len(names)
    assert [board.players for board in boards] == [boards[1].players] * 3


@pytest.mark.parametrize(
    "table",
    [
        of_pandas(player=["a", "b", None] * 3),
        of_pandas(player=pd.array(["a", "b", None] * 3, dtype="string")),
        of_pandas(player=pd.Categorical(["a", "b", None] * 3)),
        of_pandas(player=pd.Series(["a", 1, None] * 3, dtype=object)),
        of_pandas(player=pd.Series(["a", 1, pd.NA] * 3, dtype=object)),
        of_pandas(player=pd.Series(["a", 1, pd.NaT] * 3, dtype=object)),
        of_pandas(player=pd.array([1, 2, None] * 3, dtype="Int64")),
        of_pandas(player=[1.5, 2.5, float("nan")] * 3),
        of_polars(player=["a", "b", None] * 3),
        of_polars(player=[1.5, 2.5, float("nan")] * 3),
        of_arrow(player=["a", "b", None] * 3),
        of_arrow(player=pa.array(["a", "b", None] * 3).dictionary_encode()),
        of_arrow(player=[1.5, 2.5, float("nan")] * 3),
    ],
)
def test_missing_name_is_refused_in_every_library(table: Any) -> None:
    assert sentence(EmptyName, lambda: board_of(table)) == (
        "3 rows have no name in column 'player'; the first is row 3. Fill the names in or drop "
        "these rows."
    )


@pytest.mark.parametrize("table", [of_polars(player=[None] * 9), of_arrow(player=[None] * 9)])
def test_column_without_any_name_is_refused(table: Any) -> None:
    assert sentence(EmptyName, lambda: board_of(table)) == (
        "9 rows have no name in column 'player'; the first is row 1. Fill the names in or drop "
        "these rows."
    )


@pytest.mark.parametrize(
    "table",
    [
        of_polars(player=[["a"], ["b"], ["c"]] * 3),
        of_polars(player=[b"a", b"b", b"\xff"] * 3),
        of_polars(player=[dt.timedelta(days) for days in (1, 2, 3)] * 3),
        of_arrow(player=[["a"], ["b"], ["c"]] * 3),
        of_arrow(player=[b"a", b"b", b"\xff"] * 3),
    ],
)
def test_what_is_no_text_is_accepted_or_refused_but_never_crashes(table: Any) -> None:
    found = outcome(lambda: board_of(table))
    assert "'player'" in found if isinstance(found, str) else len(found) == 3


@pytest.mark.parametrize("first", [["a", "a", "a"], ["a", None, "a"], ["a", 7, "a"]])
@pytest.mark.parametrize("column", ["player", "round"])
def test_half_a_surrogate_pair_is_refused_in_its_row(column: str, first: list[object]) -> None:
    names = pd.Series([*first, "b\ud800", "c"], dtype=object)
    table = pd.DataFrame({"player": list("abcde"), "round": 1, "score": 0.5} | {column: names})
    assert sentence(UnreadableName, lambda: board_of(table)) == (
        f"A name in column '{column}' (row 4) holds the invisible character U+D800: 'b\\ud800'. "
        f"Two such names can look the same; remove the character."
    )


# The table itself ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (None, "NoneType"),
        ("results.csv", "str"),
        ({"player": PLAYERS}, "dict"),
        (np.zeros((2, 3)), "ndarray"),
        (pd.Series(SCORES), "Series"),
        (three_by_three().lazy(), "LazyFrame"),
    ],
)
def test_what_is_no_table_is_named(table: object, kind: str) -> None:
    assert sentence(NotATable, lambda: board_of(table)) == (
        f"A table is needed, a pandas or polars data frame or an Arrow table, not an object of "
        f"type {kind}. Files are read by winodds.read_results(path)."
    )


def test_numbered_columns_go_by_their_number() -> None:
    table = of_pandas().set_axis([0, 1, 2], axis=1)
    board = rate(table, player="0", round="1", score="2", higher_is_better=True)
    assert board.players == ("a", "b", "c")


@pytest.mark.parametrize(
    "table",
    [
        of_pandas().set_axis(["player", "round", "round"], axis=1).assign(score=SCORES),
        pa.table([PLAYERS, ROUNDS, SCORES, SCORES], names=["player", "round", "score", "score"]),
    ],
)
def test_two_columns_of_one_name_are_refused(table: Any) -> None:
    with pytest.raises(WinoddsError):
        board_of(table)


def test_table_is_not_changed() -> None:
    for table in (of_pandas(score=[*SCORES[:8], None]), of_pandas().astype({"score": object})):
        before = table.copy(deep=True)
        rate(table, higher_is_better=False, missing="lose", duplicates="mean")
        pd.testing.assert_frame_equal(table, before)
    polars = of_polars(score=[*SCORES[:8], None])
    before = polars.clone()
    rate(polars, higher_is_better=False, missing="lose", duplicates="mean")
    assert polars.equals(before, null_equal=True)


def test_read_only_numbers_are_read() -> None:
    scores = np.array(SCORES)
    scores.setflags(write=False)
    table = pd.DataFrame({"player": PLAYERS, "round": ROUNDS, "score": scores}, copy=False)
    assert facts(board_of(table)) == facts(board_of(of_polars()))


# Frames out ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("build", "kind"),
    [(of_pandas, pd.DataFrame), (of_polars, pl.DataFrame), (of_arrow, pa.Table)],
)
def test_frame_out_is_of_the_kind_that_came_in(build: Callable[..., Any], kind: type) -> None:
    board = board_of(build())
    season = rate_each(build(data=["x"] * 9), tournament="data", higher_is_better=True)
    assert type(board.frame()) is kind
    assert type(season.frame()) is kind
    assert type(Leaderboard.from_json(board.to_json()).frame()) is kind


ROWS_OF: dict[str, tuple[type, Callable[[Any], list[dict[str, Any]]]]] = {
    "pandas": (
        pd.DataFrame,
        lambda frame: list(frame.astype(object).where(frame.notna(), None).to_dict("records")),
    ),
    "polars": (pl.DataFrame, lambda frame: list(frame.to_dicts())),
    "pyarrow": (pa.Table, lambda frame: list(frame.to_pylist())),
}


@pytest.mark.parametrize("backend", ROWS_OF)
def test_frame_out_may_be_of_another_library(backend: str) -> None:
    board = board_of(of_polars())
    kind, rows_of = ROWS_OF[backend]
    assert rows_of(board.frame(backend)) == [asdict(row) | {"notes": ""} for row in board]
    assert type(board.frame(backend)) is kind


def test_unknown_library_is_refused() -> None:
    board = board_of(of_polars())
    assert sentence(BadOption, lambda: board.frame("spark")) == (
        'backend="spark" is not possible; it is one of "polars", "pandas", "pyarrow", "modin", '
        '"cudf".'
    )


@pytest.mark.parametrize("backend", ["polars", "pandas", "pyarrow"])
def test_columns_that_are_empty_keep_their_type(backend: str) -> None:
    battles = pl.DataFrame({"winner": ["x", "x", "y"], "loser": ["y", "z", "z"]})
    scores = board_of(of_polars()).frame(backend)
    empty = rate_battles(battles, loser="loser").frame(backend)

    def types(frame: Any) -> list[str]:
        kinds = frame.schema.types if backend == "pyarrow" else frame.dtypes
        numeric = {"Int64", "int64", "Float64", "float64", "double"}
        return ["number" if str(kind) in numeric else str(kind) for kind in kinds]

    assert types(empty) == types(scores)


def test_notes_of_a_row_are_joined_in_a_frame() -> None:
    table = pl.DataFrame(
        {"player": ["a", "b"] * 2, "round": [1, 1, 2, 2], "score": [1.0, 2.0, 1.0, 3.0]}
    )
    assert board_of(table).frame()["notes"].to_list() == [
        "won every match; upper end open",
        "lost every match; lower end open",
    ]
