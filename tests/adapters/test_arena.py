"""Battles of an arena."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tables import sentence

import winodds
from adapters.samples import SAMPLES, adapted, ratings, texts
from winodds.adapters.place import Place
from winodds.cli.main import run
from winodds.errors import BadJsonItem, BadOption, EmptyName, MissingKey, NothingLeft, UnknownWinner

FOLDER = SAMPLES / "arena"
OLD, NEW, PARQUET = (
    FOLDER / name for name in ("fastchat.json", "arena_2025.json", "arena_2025.parquet")
)


def load(path: Path = NEW) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def write(rows: list[dict[str, Any]], folder: Path) -> Path:
    path = folder / "battles.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def flat(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """What a person would make of the rows."""
    names = ("model_a", "model_b", "winner", "judge", "evaluation_session_id", "anony")
    return pl.DataFrame([{name: row[name] for name in names if name in row} for row in rows])


def as_lines(folder: Path) -> Path:
    path = folder / "battles.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in load()), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["array", "lines", "parquet"])
def test_sets_since_2025_are_clustered_by_session(form: str, tmp_path: Path) -> None:
    path = {"array": NEW, "parquet": PARQUET}.get(form) or as_lines(tmp_path)
    source = adapted(path)
    own = winodds.rate_battles(source)
    hand = winodds.rate_battles(flat(load()), cluster="evaluation_session_id")
    assert ratings(own) == ratings(hand)
    assert own.how.interval.clusters == 40
    assert source.summary == "120 battles, 5 models, cluster = evaluation_session_id (40 values)"
    assert "10 of 28 ties are between two bad answers; they count like any tie." in map(
        str, own.notes
    )
    assert texts(source) == [
        "4 columns left out, which do not hold one word or number in each row: 'conversation_a', "
        "'conversation_b', 'conv_metadata', 'category_tag'."
    ]


def test_votes_of_fastchat_are_clustered_by_judge_and_open_ones_left_out() -> None:
    source = adapted(OLD)
    own = winodds.rate_battles(source)
    frame = flat(load(OLD)).filter(pl.col("anony"))
    assert ratings(own) == ratings(winodds.rate_battles(frame, cluster="judge"))
    assert own.how.interval.cluster == "cluster"
    assert texts(source)[1] == "6 battles left out, in which the voter saw the models' names."
    assert "14 of 34 ties are between two bad answers; they count like any tie." in map(
        str, own.notes
    )


def test_seats_and_what_slices_need_are_kept() -> None:
    table = adapted(NEW).table
    first = load()[0]
    assert table.columns == [
        *("model_a", "model_b", "winner", "cluster", "source", "id", "evaluation_order"),
        *("language", "is_code"),
    ]
    assert (table["model_a"][0], table["model_b"][0]) == (first["model_a"], first["model_b"])
    assert table["is_code"].value_counts(sort=True).rows() == [("false", 96), ("true", 24)]
    assert adapted(OLD).table["language"].n_unique() == 3


def test_conversations_of_a_parquet_file_are_not_read() -> None:
    place = Place(str(PARQUET))
    assert "conversation_a" in place.columns
    assert "conversation_a" not in place.flat.columns


def test_one_line_rates_battles(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", str(NEW), "--no-details"]) == 0
    out, err = capsys.readouterr()
    assert "battles of an arena; 120 battles, 5 models" in err
    assert out.startswith("5 models, 40 clusters, 120 matches\n")
    assert run(["rate", str(NEW), "--no-details", "--cluster", "language"]) == 0
    assert capsys.readouterr().out.startswith("5 models, 3 clusters, 120 matches\n")


def test_nothing_is_counted_twice(tmp_path: Path) -> None:
    source = adapted(write([*load(), *load()[:7]], tmp_path))
    assert ratings(winodds.rate_battles(source)) == ratings(winodds.rate_battles(adapted(NEW)))
    assert texts(source)[1] == "7 battles left out, which repeat another one in every column."


def test_a_model_that_met_itself_says_nothing(tmp_path: Path) -> None:
    rows = [*load(), {**load()[0], "id": "x", "model_a": "gpt", "model_b": "gpt"}]
    source = adapted(write(rows, tmp_path))
    assert source.rows == 120
    assert texts(source)[1] == "1 battle left out, in which a model met itself."


def test_one_judge_of_all_is_no_cluster(tmp_path: Path) -> None:
    rows = [{**row, "judge": "gpt-4"} for row in load(OLD)]
    source = adapted(write(rows, tmp_path))
    assert "cluster" not in source.knows
    assert winodds.rate_battles(source).how.interval.cluster == "battle"


def test_a_vote_of_nobody_is_a_cluster_of_its_own(tmp_path: Path) -> None:
    rows = load()
    rows[0]["evaluation_session_id"] = None
    rows[1]["evaluation_session_id"] = None
    clusters = adapted(write(rows, tmp_path)).table["cluster"]
    assert clusters.to_list()[:3] == ["battle 1", "battle 2", "s0"]


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"winner": "nobody"}, UnknownWinner, "^Item 3 "),
        ({"winner": None}, UnknownWinner, "^Item 3 "),
        ({"model_a": ""}, EmptyName, "item 3"),
        ({"model_b": None}, EmptyName, "item 3"),
    ],
)
def test_a_bad_battle_is_told_with_its_item(
    change: dict[str, Any], error: type[Exception], said: str, tmp_path: Path
) -> None:
    rows = load()
    rows[2].update(change)
    source = adapted(write(rows, tmp_path))
    with pytest.raises(error, match=said):
        winodds.rate_battles(source)


def test_a_key_that_some_battles_lack(tmp_path: Path) -> None:
    rows = load()
    del rows[4]["language"]
    source = adapted(write(rows, tmp_path))
    assert "language" not in source.columns
    assert texts(source)[0].startswith("5 columns left out, ")
    del rows[4]["winner"]
    path = write(rows, tmp_path)
    with pytest.raises(MissingKey):
        adapted(path)


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    text = NEW.read_text(encoding="utf-8")
    cut = tmp_path / "cut.json"
    cut.write_text(text[: len(text) // 2], encoding="utf-8")
    assert "is the file cut off?" in sentence(BadJsonItem, lambda: winodds.read_source(cut))
    with pytest.raises(BadOption):
        adapted(NEW, metric="auc")
    seen = write([{**row, "anony": False} for row in load(OLD)], tmp_path)
    with pytest.raises(NothingLeft):
        adapted(seen)


def test_many_battles(tmp_path: Path) -> None:
    rows = [{**row, "id": f"{k}-{row['id']}"} for k in range(20) for row in load()]
    assert adapted(write(rows, tmp_path)).rows == 2_400


@pytest.mark.parametrize("judge", [None, "gpt-4"])
def test_battles_that_were_converted_are_the_same(judge: str | None, tmp_path: Path) -> None:
    rows = [{**row, **({"judge": judge} if judge else {})} for row in load(OLD)]
    source = adapted(write(rows, tmp_path))
    source.table.write_csv(tmp_path / "battles.csv")
    again = adapted(tmp_path / "battles.csv")
    assert again.tool == "a table of winodds convert"
    assert ratings(winodds.rate_battles(again)) == ratings(winodds.rate_battles(source))
