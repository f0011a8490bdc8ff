"""``winodds rate --by``: what it prints, writes and refuses; docs/slices.md has the whole text."""

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest

import winodds
from winodds.cli.main import run

ROWS = [
    f"{model},{item},{'law' if item % 3 else 'a|b_'},{(item * step) % 7 + plus * (item % 3 > 0)}"
    for model, step, plus in (("x", 3, 5), ("y", 5, 0), ("z", 2, 0))
    for item in range(60)
]
READ = ["--round", "item", "--score", "points", "--higher-is-better", "--no-details"]


@pytest.fixture
def items(folder: Path) -> str:
    (folder / "items.csv").write_text("\n".join(["model,item,topic,points", *ROWS]) + "\n")
    return "items.csv"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(["rate", *words]) == 0
    return capsys.readouterr().out


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(["rate", *words]) != 0
    return capsys.readouterr().err.splitlines()[-1]


def test_csv_has_a_row_for_every_slice_and_player(
    items: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, items, "--by", "topic", *READ, "--format", "csv", "--elo")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["slice"] for row in rows] == ["a|b_"] * 3 + ["law"] * 3
    assert sorted(row["player"] for row in rows) == ["x", "x", "y", "y", "z", "z"]
    x = next(row for row in rows if (row["slice"], row["player"]) == ("law", "x"))
    assert float(x["difference"]) == pytest.approx(float(x["epp"]) - float(x["elsewhere"]))
    assert (x["differs"], x["elo"] != "") == ("True", True)


def test_csv_of_the_first_rows_keeps_these_of_every_slice(
    items: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, items, "--by", "topic", *READ, "--format", "csv", "--top", "1")
    assert [row["slice"] for row in csv.DictReader(io.StringIO(text))] == ["a|b_", "law"]


def test_json_has_the_boards_the_leaders_and_the_words(
    items: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(printed(capsys, items, "--by", "topic", *READ, "--format", "json"))
    assert [own["name"] for own in data["slices"]] == ["a|b_", "law"]
    assert [own["slice"] for own in data["leaders"]] == ["a|b_", "law"]
    assert data["whole"]["schema"] == "winodds/leaderboard/2"
    assert data["text"][1].startswith("In 'a|b_', x does worse than elsewhere: it wins")
    jsonschema.validate(data, winodds.slices_schema())
    words = (items, "--by", "topic", *READ, "--format", "json", "--elo", "--top", "1")
    jsonschema.validate(json.loads(printed(capsys, *words)), winodds.slices_schema())


def test_markdown_and_latex_escape_the_names_of_slices(
    items: str, capsys: pytest.CaptureFixture[str]
) -> None:
    markdown = printed(capsys, items, "--by", "topic", *READ, "--format", "markdown")
    assert "### a\\|b\\_\n" in markdown
    latex = printed(capsys, items, "--by", "topic", *READ, "--format", "latex")
    assert r"\textbf{a\textbar{}b\_}" in latex


def test_several_tournaments_are_to_be_pooled(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "model,dataset,fold,topic,auc"
    rows = [
        f"{model},d{data},{fold},{'law' if fold % 2 else 'art'},0.{5 + (data * fold + k) % 5}"
        for k, model in enumerate("xyz")
        for data in range(4)
        for fold in range(6)
    ]
    (folder / "season.csv").write_text("\n".join([head, *rows]) + "\n")
    assert complaint(capsys, "season.csv", "--by", "topic") == (
        "Error: Slices by 'topic' are of one leaderboard, and each value of 'dataset' has its own. "
        "Put them together with --pool."
    )
    text = printed(capsys, "season.csv", "--by", "topic", "--pool", "--no-details")
    assert text.startswith("Slices by 'topic': 2 slices, 3 models, 24 folds\n")
    assert complaint(capsys, "season.csv", "--by", "topic", "--pool", "--test-fraction", "0.1") == (
        "Error: --test-fraction 0.1 is not possible; with --by the splits of two slices share "
        "training data, too; leave it out."
    )


def test_a_column_that_is_not_there_is_refused(
    items: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert complaint(capsys, items, "--by", "topics", *READ) == (
        "Error: No column 'topics' in the table; it has 'model', 'item', 'topic', 'points'. Did "
        "you mean 'topic'?"
    )
    assert run(["rate", items, "--by", "Topic", *READ]) == 0


def test_wide_tables_have_no_column_for_slices(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "wide.csv").write_text("model,a,b,topic\nx,1,2,3\ny,2,1,4\n")
    words = ("wide.csv", "--wide", "--player", "model", "--by", "topic", "--higher-is-better")
    assert complaint(capsys, *words) == (
        "Error: --by topic is not possible; a wide table has no column for it."
    )


def test_the_column_of_slices_plays_no_other_role(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A column called "task" would be taken for the rounds, or the data sets."""
    text = "\n".join(["model,item,task,points", *ROWS]) + "\n"
    (folder / "items.csv").write_text(text)
    assert run(["rate", "items.csv", "--by", "task", *READ]) == 0
    said = capsys.readouterr().err.splitlines()
    assert "items.csv: 180 rows; player = model, round = item, score = points, slice = task" in said


def test_battles_are_sliced_by_a_column(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides, winners = ("x,y", "y,z", "z,x", "x,z", "y,x", "z,y"), ("model_a", "model_b", "tie")
    rows = [
        f"{sides[k % 6]},{winners[k * k % 7 % 3]},{'de' if k % 4 else 'fr'}" for k in range(120)
    ]
    (folder / "arena.csv").write_text("\n".join(["model_a,model_b,winner,language", *rows]) + "\n")
    text = printed(capsys, "arena.csv", "--by", "language", "--no-details")
    assert text.startswith("Slices by 'language': 2 slices, 3 models, 120 battles\n")
    assert "language  battles  rated first" in text


def test_data_sets_with_the_same_rounds_are_no_slices(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        f"{m},{d},{f},0.{5 + (i * f + len(d)) % 4}"
        for i, m in enumerate("xyz")
        for d in ("iris", "wine")
        for f in (1, 2, 3)
    ]
    (folder / "two.csv").write_text("\n".join(["model,dataset,fold,auc", *rows]) + "\n")
    assert complaint(capsys, "two.csv", "--by", "dataset") == (
        "Error: --by dataset is not possible; its values have the same rounds, as tournaments do; "
        "'winodds season' rates each."
    )
