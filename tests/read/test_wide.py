"""Wide tables made long."""

import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tables import ROUGH, facts, sentence, texts, three_by_three

from winodds import Sheet, rate, rate_each, read_results
from winodds.errors import (
    AggregateRow,
    BadCells,
    BadOption,
    ColumnsInDoubt,
    MissingColumn,
    MissingKey,
    NoColumnsLeft,
)
from winodds.language.spelling import command_line_spelling
from winodds.read.wide import to_long
from winodds.table.vocabulary import AGGREGATES

PLAYERS_DOWN = "model,adult,iris,wine\na,.9,.9,.5\nb,.8,.6,.6\nc,.7,.95,.4\n"
ROUNDS_DOWN = "task,a,b,c\nadult,.9,.8,.7\niris,.9,.6,.95\nwine,.5,.6,.4\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "results.csv"


def read(file: Path, data: str | bytes, **options: Any) -> Sheet:
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_results(file, **options)


def parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def rows(sheet: Sheet) -> list[tuple[str | None, ...]]:
    return list(zip(*(sheet.text(name).to_list() for name in sheet.columns), strict=True))


def long_board() -> dict[str, Any]:
    names = {"1": "adult", "2": "iris", "3": "wine"}
    table = three_by_three().with_columns(pl.col("round").cast(pl.String).replace(names))
    return facts(rate(table, higher_is_better=True))


# Orientation --------------------------------------------------------------------------------------


def test_every_cell_becomes_a_row_where_rows_are_players(file: Path) -> None:
    sheet = read(file, "model,adult,iris\na,.9,.8\nb,NA,\n")
    long = to_long(sheet, labels="model")
    assert (long.name, long.columns, long.rows) == (str(file), ["player", "round", "score"], 4)
    assert rows(long) == [
        ("a", "adult", ".9"),
        ("b", "adult", "NA"),
        ("a", "iris", ".8"),
        ("b", "iris", None),
    ]
    assert str(long.numbers("score").to_list()) == "[0.9, nan, 0.8, nan]"


def test_every_cell_becomes_a_row_where_rows_are_rounds(file: Path) -> None:
    long = to_long(read(file, "task,rf,svm\nx,1,2\ny,3,4\n"), labels="task", rows_are="round")
    assert long.columns == ["round", "player", "score"]
    assert rows(long) == [
        ("x", "rf", "1"),
        ("y", "rf", "3"),
        ("x", "svm", "2"),
        ("y", "svm", "4"),
    ]


def test_column_of_names_may_stand_anywhere(file: Path) -> None:
    long = to_long(read(file, "s1,model,s2\n1,a,2\n"), labels="model")
    assert rows(long) == [("a", "s1", "1"), ("a", "s2", "2")]


def test_both_orientations_give_the_board_of_the_long_table(file: Path) -> None:
    down = to_long(read(file, PLAYERS_DOWN), labels="model")
    assert facts(rate(down, higher_is_better=True)) == long_board()
    across = to_long(read(file, ROUNDS_DOWN), labels="task", rows_are="round")
    assert facts(rate(across, higher_is_better=True)) == long_board()


def test_names_stay_text(file: Path) -> None:
    long = to_long(read(file, "model,01,1\n007,1,2\n7,3,4\n"), labels="model")
    assert rows(long) == [
        ("007", "01", "1"),
        ("7", "01", "3"),
        ("007", "1", "2"),
        ("7", "1", "4"),
    ]


# Other columns ------------------------------------------------------------------------------------


def test_column_of_tournaments_stays_one(file: Path) -> None:
    sheet = read(file, "model,dataset,s1,s2\na,x,1,2\na,y,3,4\n")
    long = to_long(sheet, labels="model", tournament="dataset")
    assert long.columns == ["player", "round", "score", "tournament"]
    assert rows(long) == [
        ("a", "s1", "1", "x"),
        ("a", "s1", "3", "y"),
        ("a", "s2", "2", "x"),
        ("a", "s2", "4", "y"),
    ]


def test_season_of_a_wide_table_is_that_of_the_long_one(file: Path) -> None:
    text = "model,data,1,2,3\n" + "".join(
        f"{line},{data},{cells}\n"
        for data in "xy"
        for line, cells in (("a", ".9,.9,.5"), ("b", ".8,.6,.6"), ("c", ".7,.95,.4"))
    )
    long = to_long(read(file, text), labels="model", tournament="data")
    season = rate_each(long, tournament="tournament", higher_is_better=True)
    table = three_by_three()
    both = pl.concat([table.with_columns(tournament=pl.lit(data)) for data in "xy"])
    wanted = rate_each(both, tournament="tournament", higher_is_better=True)
    assert [facts(season[name]) for name in "xy"] == [facts(wanted[name]) for name in "xy"]


def test_ignored_columns_play_no_part(file: Path) -> None:
    sheet = read(file, "model,s1,Mean,s2,,note\na,1,1.5,2,0,x\n")
    long = to_long(sheet, labels="model", ignore=["Mean", "column 5", "note"])
    assert rows(long) == [("a", "s1", "1"), ("a", "s2", "2")]


def test_labels_that_the_table_does_not_have_are_refused(file: Path) -> None:
    sheet = read(file, PLAYERS_DOWN)
    for call in (
        lambda: to_long(sheet, labels="x"),
        lambda: to_long(sheet, labels="model", tournament="x"),
        lambda: to_long(sheet, labels="model", ignore=["x"]),
    ):
        assert sentence(MissingColumn, call) == (
            "No column 'x' in the table; it has 'model', 'adult', 'iris', 'wine'."
        )


def test_rows_are_players_or_rounds(file: Path) -> None:
    sheet = read(file, PLAYERS_DOWN)
    assert sentence(BadOption, lambda: to_long(sheet, labels="model", rows_are="task")) == (
        'rows_are="task" is not possible; it is one of "player", "round".'
    )


def test_table_of_thousands_of_columns_is_made_long(file: Path) -> None:
    names = [f"s{k}" for k in range(5_000)]
    cells = ",".join(map(str, range(5_000)))
    sheet = read(file, f"model,{','.join(names)}\na,{cells}\nb,{cells}\n")
    long = to_long(sheet, labels="model")
    assert long.rows == 10_000
    assert rows(long)[-3:] == [
        ("b", "s4998", "4998"),
        ("a", "s4999", "4999"),
        ("b", "s4999", "4999"),
    ]
    assert long.place(9_999) == "line 3, column 's4999'"


def test_wide_json_lines_hold_every_column(file: Path) -> None:
    sheet = read(file, '{"model":"a","s1":1,"s2":2}\n{"model":"b","s1":3}\n')
    assert sentence(MissingKey, lambda: to_long(sheet, labels="model")) == (
        "1 line has no 's2', which others have: line 2. A column that plays a role must be in "
        "every line; write null for the score of a failed run."
    )
    assert rows(to_long(sheet, labels="model", ignore=["s2"])) == [
        ("a", "s1", "1"),
        ("b", "s1", "3"),
    ]


def test_table_of_labels_alone_is_refused(file: Path) -> None:
    start, end = "The wide table has no columns of scores:", "and the others, if there are any,"
    one = read(file, "model\na\nb\n")
    assert sentence(NoColumnsLeft, lambda: to_long(one, labels="model")) == (
        f"{start} 'model' names its rows, {end} are ignored."
    )
    two = read(file, "model,data,s1\na,x,1\n")
    assert (
        sentence(
            NoColumnsLeft, lambda: to_long(two, labels="model", tournament="data", ignore=["s1"])
        )
        == f"{start} 'model', 'data' name its rows, {end} are ignored."
    )


# Summaries ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *sorted(AGGREGATES),
        "Mean",
        "AVERAGE",
        "Mean Rank",
        "mean-rank",
        "Std",
        "N",
        "mean_auc",
        "Average (%)",
        "std_s1",
        "rank_s1",
        "s1_std",
        "s1 (SEM)",
        "Mittelwert",
        *("Total score", "Macro avg", "95% CI", "Model_rank", "NLP average", "Overall score"),
        *("Avg.", "best", "Best score"),
    ],
)
def test_summary_is_refused_by_its_name(name: str, file: Path) -> None:
    sheet = read(file, f"model,s1,{name}\na,1,2\n")
    assert sentence(ColumnsInDoubt, lambda: to_long(sheet, labels="model")) == (
        f"'{name}' does not look like the scores of a round: a summary, by its name. Leave it out "
        f'with ignore=["{name}"], or keep it with keep=["{name}"].'
    )
    assert rows(to_long(sheet, labels="model", keep=[name]))[1] == ("a", name, "2")


def test_summaries_are_told_with_the_option_that_leaves_them_out(file: Path) -> None:
    sheet = read(file, "model,Mean,s1,Avg Rank\na,1,2,3\n")
    start = (
        "Two columns do not look like the scores of rounds: 'Mean' (a summary, by its name), "
        "'Avg Rank' (a summary, by its name). Leave them out with"
    )
    assert sentence(ColumnsInDoubt, lambda: to_long(sheet, labels="model")) == (
        f'{start} ignore=["Mean", "Avg Rank"], or keep one with keep=["…"].'
    )
    with command_line_spelling():
        assert sentence(ColumnsInDoubt, lambda: to_long(sheet, labels="model")) == (
            f"{start} --ignore Mean --ignore 'Avg Rank', or keep one with --keep COLUMN."
        )


WHY = {
    **dict.fromkeys(
        ("Δ", "vs. SOTA", "gain", "Rel. improvement (%)"), "differences to something, by its name"
    ),
    "train_acc": "scores on training data, by its name",
}


@pytest.mark.parametrize("name", WHY)
def test_differences_and_training_scores_are_told_by_their_names(name: str, file: Path) -> None:
    sheet = read(file, f"model,s1,{name}\na,1,2\n")
    assert sentence(ColumnsInDoubt, lambda: to_long(sheet, labels="model")).startswith(
        f"'{name}' does not look like the scores of a round: {WHY[name]}."
    )


@pytest.mark.parametrize(
    ("header", "odd"),
    [
        ("train,test", ["train"]),
        ("bus,train,tv", []),
        ("last,best", []),
        ("TP,FP,TN", ["TP", "FP", "TN"]),
        ("TP,other,tasks", []),
        ("climate change,time series,running", []),
        ("alpha,beta,delta", []),
        ("p,q,cd", []),
        ("trainer,training-free", []),
    ],
)
def test_names_are_odd_beside_what_makes_them_so(header: str, odd: list[str], file: Path) -> None:
    columns = header.split(",")
    sheet = read(file, f"model,{header}\na{',1' * len(columns)}\n")
    if not odd:
        assert to_long(sheet, labels="model").rows == len(columns)
        return
    with pytest.raises(ColumnsInDoubt) as caught:
        to_long(sheet, labels="model")
    assert list(caught.value.doubts) == odd


@pytest.mark.parametrize("name", ["rank rf", "rf_rank", "rf time", "rf (std)"])
def test_columns_that_tell_something_of_a_player_are_no_players(name: str, file: Path) -> None:
    sheet = read(file, f"task,rf,svm,{name}\nx,.1,.2,.3\n")
    with pytest.raises(ColumnsInDoubt, match="rf"):
        to_long(sheet, labels="task", rows_are="round")


def test_a_column_with_signs_where_others_have_none_holds_differences(file: Path) -> None:
    sheet = read(file, "model,s1,s2,us\na,1,2,+3\nb,2,3,-1\n")
    with pytest.raises(ColumnsInDoubt, match=r"'us' .*numbers with a plus sign, as differences"):
        to_long(sheet, labels="model")
    signed = read(file, "model,s1,s2\na,+1,+2\nb,-2,+3\n")
    assert to_long(signed, labels="model").rows == 4


@pytest.mark.parametrize(
    "name",
    ["p-value", "Wilcoxon p", "W/T/L", "wins", "Improvement (%)", "Δ", "Avg.", "Wins / Losses"],
)
def test_rows_of_tests_wins_and_differences_are_no_rounds(name: str, file: Path) -> None:
    sheet = read(file, f"task,rf,svm\nx,.1,.2\n{name},.3,.4\n")
    assert sentence(AggregateRow, lambda: to_long(sheet, labels="task", rows_are="round")) == (
        f"'{name}' (line 3) looks like a summary of other rows, not like a round. Leave it out "
        f'with ignore=["{name}"], or rename it if it is a round.'
    )


@pytest.mark.parametrize(
    "name",
    [
        *("Year", "Params", "params (M)", "time", "training_time", "Unnamed: 0"),
        *("__index_level_0__", "index", "model_id", "License", "cost", "Training time (s)"),
        *("FLOPs (G)", "Latency (ms)", "Votes", "#", "Position", "Hub ❤️", "n_test", "RTFx"),
        *("Number of Mutants", "Model size (B)", "num_classes", "GPU memory [GB]", "fit (sec)"),
        *("Time Taken", "pred_time_val", "fit_time_marginal", "predict_ms", "images/s", "req/s"),
        *("tokens per second", "$/1M tokens", "kWh", "TT (Sec)"),
    ],
)
def test_column_that_tells_something_else_is_refused_by_its_name(name: str, file: Path) -> None:
    sheet = read(file, f"model,s1,{name}\na,1,2\n")
    assert sentence(ColumnsInDoubt, lambda: to_long(sheet, labels="model")) == (
        f"'{name}' does not look like the scores of a round: something else than scores, by its "
        f'name. Leave it out with ignore=["{name}"], or keep it with keep=["{name}"].'
    )


def test_columns_that_tell_something_else_are_told_with_the_option(file: Path) -> None:
    sheet = read(file, "task,Year,rf,run time\na,1,2,3\n")
    start = (
        "Two columns do not look like the scores of players: 'Year' (something else than scores, "
        "by its name), 'run time' (something else than scores, by its name). Leave them out with"
    )

    def call() -> Sheet:
        return to_long(sheet, labels="task", rows_are="round")

    assert sentence(ColumnsInDoubt, call) == (
        f'{start} ignore=["Year", "run time"], or keep one with keep=["…"].'
    )
    with command_line_spelling():
        assert sentence(ColumnsInDoubt, call) == (
            f"{start} --ignore Year --ignore 'run time', or keep one with --keep COLUMN."
        )


@pytest.mark.parametrize("name", ["years", "timeseries", "real-time-1b data", "sized", "ideal"])
def test_name_that_only_holds_such_a_property_is_a_round(name: str, file: Path) -> None:
    assert rows(to_long(read(file, f"model,{name}\na,1\n"), labels="model")) == [("a", name, "1")]


def test_summary_row_among_rounds_is_refused(file: Path) -> None:
    sheet = read(file, "task,rf,svm\nx,1,2\nMean,1,2\n")
    assert sentence(AggregateRow, lambda: to_long(sheet, labels="task", rows_are="round")) == (
        "'Mean' (line 3) looks like a summary of other rows, not like a round. Leave it out with "
        'ignore=["Mean"], or rename it if it is a round.'
    )
    players = to_long(sheet, labels="task")
    assert rows(players)[1] == ("Mean", "rf", "1")


def test_summary_among_players_is_not_called_a_round(file: Path) -> None:
    sheet = read(file, "task,rf,Mean\nx,1,2\n")
    assert sentence(ColumnsInDoubt, lambda: to_long(sheet, labels="task", rows_are="round")) == (
        "'Mean' does not look like the scores of a player: a summary, by its name. Leave it out "
        'with ignore=["Mean"], or keep it with keep=["Mean"].'
    )


@pytest.mark.parametrize(
    "name",
    [
        *("means", "meaning", "auc_mean_2", "summary", "maxout", "n1", "total2", "audiology-std"),
        *("N-MNIST", "news", "energy", "Time Series (UCR)", "Office (A)"),
    ],
)
def test_name_that_only_holds_such_a_word_is_a_round(name: str, file: Path) -> None:
    assert rows(to_long(read(file, f"model,{name}\na,1\n"), labels="model")) == [("a", name, "1")]


def test_columns_without_a_name_are_refused(file: Path) -> None:
    one = read(file, ",model,s1\n0,a,1\n")
    assert sentence(ColumnsInDoubt, lambda: to_long(one, labels="model")) == (
        "'column 1' does not look like the scores of a round: no name in the header, as row "
        "numbers have none. "
        'Leave it out with ignore=["column 1"], or keep it with keep=["column 1"].'
    )


def test_column_without_a_name_may_hold_the_labels(file: Path) -> None:
    assert rows(to_long(read(file, ",s1\na,1\n"), labels="column 1")) == [("a", "s1", "1")]


def test_column_that_is_called_column_has_a_name(file: Path) -> None:
    long = to_long(read(file, "model,column 1,column 2\na,1,2\n"), labels="model")
    assert rows(long) == [("a", "column 1", "1"), ("a", "column 2", "2")]


# Places -------------------------------------------------------------------------------------------


def test_places_are_lines_and_columns_of_the_wide_table(file: Path) -> None:
    long = to_long(read(file, "\nmodel,s1,s2\na,1,2\n\nb,3,4\n"), labels="model")
    assert [long.place(row) for row in range(4)] == [
        "line 3, column 's1'",
        "line 5, column 's1'",
        "line 3, column 's2'",
        "line 5, column 's2'",
    ]


def test_places_in_parquet_are_rows_and_columns(file: Path) -> None:
    table = pl.DataFrame({"model": ["a", "b"], "s1": [1, 2], "s2": [0.5, None]})
    long = to_long(read(file, parquet(table)), labels="model")
    assert rows(long) == [
        ("a", "s1", "1"),
        ("b", "s1", "2"),
        ("a", "s2", "0.5"),
        ("b", "s2", None),
    ]
    assert long.place(3) == "row 2, column 's2'"


def test_bad_cells_are_told_with_their_places(file: Path) -> None:
    long = to_long(read(file, "model;s1;s2\na;1;0,5\nb;0.7;2\n"), labels="model")
    assert sentence(BadCells, lambda: long.numbers("score")) == (
        "1 cell of the wide table is no number: line 2, column 's2' has '0,5'. Such numbers are "
        'read with decimal="," (a comma), but then all of them must be written so.'
    )


def test_options_and_notes_of_the_sheet_stay(file: Path) -> None:
    sheet = read(file, "model;s1;s2\na;91,5 %; 7%\nb;NA;8%\n", decimal=",", percent=True)
    long = to_long(sheet, labels="model")
    assert str(long.numbers("score").to_list()) == "[0.915, nan, 0.07, 0.08]"
    assert texts(long.notes_on(["score"])) == (
        "Cells are separated by semicolons.",
        "1 cell of the wide table had blanks around a number.",
    )


def test_notes_of_a_wide_table_are_notes_of_the_board(file: Path) -> None:
    long = to_long(read(file, PLAYERS_DOWN.replace(",", "\t")), labels="model")
    board = rate(long, higher_is_better=True)
    assert texts(board.notes) == ("Cells are separated by tabs.", ROUGH)


def test_decimal_comma_does_not_matter_where_the_file_holds_numbers(file: Path) -> None:
    table = pl.DataFrame({"model": ["a", "b"], "s1": [0.5, 0.25]})
    long = to_long(read(file, parquet(table), decimal=","), labels="model")
    assert long.numbers("score").to_list() == [0.5, 0.25]


# Several rows of a player -------------------------------------------------------------------------

TWICE = "model,iris,wine\na,.9,.8\nb,.7,.6\na,.8,.7\nb,.9,.5\n"


def test_rows_of_the_same_player_are_repetitions(file: Path) -> None:
    long = to_long(read(file, TWICE))
    assert rows(long)[:4] == [
        ("a", "1", ".9", "iris"),
        ("b", "1", ".7", "iris"),
        ("a", "2", ".8", "iris"),
        ("b", "2", ".9", "iris"),
    ]
    season = rate_each(long, higher_is_better=True)
    wins = {name: [row.wins for row in board] for name, board in season.items()}
    assert wins == {"iris": [1.0, 1.0], "wine": [2.0, 0.0]}
    assert [note.name for note in long.notes_on([])] == ["repeated_rows"]


def test_players_with_different_numbers_of_rows_repeat_nothing(file: Path) -> None:
    for text in (f"{TWICE}a,.1,.1\n", "model,iris\na,.9\nb,.8\na,.7\n"):
        assert to_long(read(file, text)).columns == ["player", "round", "score"]
    joined = "model,iris\na,.9\nb,.8\na,.9\nb,.8\n"
    assert to_long(read(file, joined)).columns == ["player", "round", "score"]


def test_a_column_numbers_the_rows_of_a_player(file: Path) -> None:
    text = "model,fold,acc,rmse\na,x,.9,1\nb,x,.7,2\na,y,.8,3\nb,y,.9,1\n"
    long = to_long(read(file, text))
    assert rows(long)[2] == ("a", "y", ".8", "acc")
    assert long.knows == {"tournament": "tournament", "metric_column": "tournament"}
    season = rate_each(long)
    assert {name: next(row.player for row in board) for name, board in season.items()} == {
        "acc": "a",
        "rmse": "a",
    }
    assert rows(to_long(read(file, text), labels="model", repeat="fold")) == rows(long)


def test_splits_of_tasks_name_the_rows(file: Path) -> None:
    text = "task,fold,a,b\niris,1,.9,.8\niris,2,.7,.8\nwine,1,.5,.6\nwine,2,.5,.4\n"
    long = to_long(read(file, text))
    assert rows(long)[1] == ("2", "a", ".7", "iris")
    joined = to_long(read(file, text), labels=["task", "fold"], rows_are="round")
    assert rows(joined)[1] == ("iris/2", "a", ".7")


def test_text_that_tells_rows_of_a_player_apart_may_belong_to_its_name(file: Path) -> None:
    text = "model,size,iris,wine\na,s,.9,.8\na,l,.8,.7\nb,s,.7,.6\nb,l,.6,.5\n"
    told = sentence(ColumnsInDoubt, lambda: to_long(read(file, text)))
    assert told.endswith(
        "If 'size' tells apart what has the same 'model', pass labels=[\"model\", \"size\"]."
    )
    long = to_long(read(file, text), labels=["model", "size"])
    assert rows(long)[:2] == [("a/s", "iris", ".9"), ("a/l", "iris", ".8")]


def test_rows_are_ignored_like_columns(file: Path) -> None:
    text = "task,a,b,Mean\nx,1,2,1.5\ny,3,4,3.5\nMean,2,3,2.5\n"
    long = to_long(read(file, text), ignore=["Mean"])
    assert sentence(AggregateRow, lambda: to_long(read(file, "task,a,b\nx,1,2\nMean,1,2\n")))
    assert {name for row in rows(long) for name in row[:2]} == {"x", "y", "a", "b"}
    only = to_long(read(file, "task,a,b\nx,1,2\nMean x,2,3\nMean y,2,3\n"), ignore=["mean*"])
    assert rows(only) == [("x", "a", "1"), ("x", "b", "2")]
    assert only.place(1) == "line 2, column 'b'"
    assert sentence(MissingColumn, lambda: to_long(read(file, text), ignore=["Meam"])) == (
        "No column 'Meam' in the table; it has 'task', 'a', 'b', 'Mean'. Did you mean 'Mean'?"
    )


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow"])
def test_data_frames_are_made_long_too(kind: str) -> None:
    frame: Any = pl.DataFrame({"task": ["x", "y"], "a": [0.9, 0.8], "b": [0.7, 0.85]})
    frame = (
        frame
        if kind == "polars"
        else getattr(frame, f"to_{'arrow' if kind == 'pyarrow' else kind}")()
    )
    board = rate(to_long(frame), higher_is_better=True)
    assert [(row.player, row.wins) for row in board] == [("a", 1.0), ("b", 1.0)]
