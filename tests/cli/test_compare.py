"""``winodds compare``, ``quality`` and ``bootstrap``, and what they add to ``winodds rate``."""

import csv
import io
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from conftest import long_table, simulate
from scipy.special import expit

import winodds
from winodds.board.leaderboard import Leaderboard
from winodds.cli.main import run
from winodds.show.formats.latex import escape_latex

NOTE = "The intervals rest on only 3 folds; below about 10 they are rough."

SCORES = {"A": (0.90, 0.95, 0.70), "B": (0.80, 0.70, 0.81), "C": (0.70, 0.80, 0.79)}
SMALL = "model,fold,auc\n" + "".join(
    f"{model},{fold},{auc}\n"
    for model, scores in SCORES.items()
    for fold, auc in enumerate(scores, start=1)
)

TWO = """By their ratings, A beats B in 59 of 100 new folds (95% interval <1 to >99): a
difference of 0.38 in EPP (-7.10 to 7.51), odds of 1.5 to 1. A won 2 and lost 1
of their 3 folds (for the pair itself, 95% interval 6 to 98 of 100). The
cluster-robust Wald test gives t(2) = 0.22, p = 0.84. The data cannot tell them
apart; if the difference is what it seems, it takes about 351 folds, 348 more
than now, to show it with 80% power.

* The intervals rest on only 3 folds; below about 10 they are rough.
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a small file and a season in which C misses one data set."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "small.csv").write_text(SMALL)
    rows = SMALL.splitlines()[1:]
    lines = [f"{data},{row}" for data in ("iris", "wine") for row in rows]
    lines += [f"zoo,{row}" for row in rows if not row.startswith("C")]
    (tmp_path / "season.csv").write_text("\n".join(["dataset,model,fold,auc", *lines]))
    return tmp_path


def _small(**options: object) -> Leaderboard:
    return winodds.rate(
        pl.read_csv("small.csv"),
        player="model",
        round="fold",
        score="auc",
        **options,  # type: ignore[arg-type]
    )


def _wider(folder: Path, players: int = 7, rounds: int = 12, seed: int = 0) -> Leaderboard:
    """More players, in wider.csv, and their board."""
    table = long_table(expit(simulate(1, players, rounds, spread=1.5))).rename({"score": "auc"})
    table.write_csv(folder / "wider.csv")
    return winodds.rate(pl.read_csv(folder / "wider.csv"), score="auc", seed=seed)


def _out(*words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command that succeeds prints, said nothing else."""
    assert run([*words, "-q"]) == 0
    return capsys.readouterr().out


def _json(*words: str, capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(_out(*words, "--format", "json", capsys=capsys))


def _rows(*words: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(_out(*words, "--format", "csv", capsys=capsys))))


# Two players --------------------------------------------------------------------------------------


def test_two_players_are_compared_in_a_paragraph(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "small.csv", "A", "B"]) == 0
    out, err = capsys.readouterr()
    assert out == TWO
    assert err == "small.csv: 9 rows; player = model, round = fold, score = auc\n"


def test_two_players_as_json_are_what_python_has(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json("compare", "small.csv", "B", "A", "--power", "0.9", capsys=capsys)
    found = _small().compare("B", "A", power=0.9)
    assert data == {
        "schema": "winodds/comparison/2",
        "tournament": None,
        **json.loads(json.dumps(found.to_dict())),
        "notes": [
            {
                "kind": "doubt",
                "name": "few_clusters",
                "text": NOTE,
                "facts": {"clusters": 3, "unit": "round"},
            }
        ],
    }
    assert (
        set(data["difference"])
        == set(data["p_win"])
        == set(data["odds"])
        == {
            "value",
            "low",
            "high",
        }
    )
    for name in ("tested", "wald", "likelihood_ratio"):
        assert {"statistic", "df", "p_value"} <= set(data[name])
    assert found.among is not None
    assert data["among"]["p_adjusted"] == found.among.p_adjusted
    assert (data["told_apart"], data["told_apart_among_all"]) == (False, False)
    assert found.record is not None
    assert data["record"]["won"] == found.record.won
    assert data["rounds"] == {"won": 1, "lost": 2, "tied": 0}
    assert data["needed"]["power"] == 0.9
    assert data["text"] == found.text


def test_two_players_as_csv_have_all_digits(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = _rows("compare", "small.csv", "A", "B", capsys=capsys)
    found = _small().compare("A", "B")
    assert (row["a"], row["b"], row["identical"]) == ("A", "B", "False")
    for name in ("difference", "p_win", "odds"):
        estimate = getattr(found, name)
        assert float(row[name]) == estimate.value
        assert (float(row[f"{name}_low"]), float(row[f"{name}_high"])) == (
            estimate.low,
            estimate.high,
        )
    assert found.among is not None
    assert (float(row["p_value"]), float(row["p_adjusted"])) == (
        found.tested.p_value,
        found.among.p_adjusted,
    )
    assert found.record is not None
    for name in ("low", "high", "effective"):
        assert float(row[f"record_{name}"]) == getattr(found.record, name)
    assert (float(row["record"]), row["record_differs"]) == (found.record.won, "False")
    assert (row["won"], row["lost"], row["tied"]) == ("2", "1", "0")


def test_two_players_as_markdown_and_latex(capsys: pytest.CaptureFixture[str]) -> None:
    text = _small().compare("A", "B").text
    markdown = _out("compare", "small.csv", "A", "B", "--format", "markdown", capsys=capsys)
    assert markdown == f"{text.replace('<', '&lt;')}\n\n- {NOTE}\n"
    latex = _out("compare", "small.csv", "A", "B", "--format", "latex", capsys=capsys)
    assert latex.splitlines()[1] == rf"\noindent {escape_latex(text)}\par\bigskip"


def test_test_and_intervals_may_be_model_based(capsys: pytest.CaptureFixture[str]) -> None:
    tested = _json("compare", "small.csv", "A", "B", "--test", "model", capsys=capsys)
    rated = _json("compare", "small.csv", "A", "B", "--interval", "model", capsys=capsys)
    assert tested["test"] == rated["test"] == "model"
    assert tested["wald"] == rated["wald"]
    assert tested["wald"]["law"] == "normal"
    both = ("--interval", "model", "--test", "robust")
    again = _json("compare", "small.csv", "A", "B", *both, capsys=capsys)
    assert again["wald"]["law"] == "t"


def test_reference_does_not_change_a_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    plain = _json("compare", "small.csv", "A", "B", capsys=capsys)
    assert _json("compare", "small.csv", "A", "B", "--reference", "C", capsys=capsys) == plain


def test_record_leads_where_it_does_below_the_leaderboard(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three players in a circle: no pair of ratings differs, but all together do not fit."""
    order = ("ABC", "BCA", "CAB") * 6
    rows = [f"{name},{k},0.{9 - own.index(name)}" for k, own in enumerate(order) for name in own]
    (folder / "circle.csv").write_text("\n".join(["model,split,auc", *rows]), encoding="utf-8")
    start = (
        "A won 12 of 18 splits against B (95% interval 42 to 85 of 100 new splits); by their "
        "ratings they are level, 50 of 100"
    )
    assert f"\n{start}; the data cannot tell their ratings apart.\n" in _out(
        "rate", "circle.csv", capsys=capsys
    )
    found = _json("compare", "circle.csv", "A", "B", capsys=capsys)
    assert found["text"].startswith(f"{start} (95% interval 28 to 72): a difference of 0.00 in EPP")
    assert (
        " Ratings do not explain all of who beats whom here, so the record comes first. "
        in (found["text"])
    )


# All pairs ----------------------------------------------------------------------------------------


def test_all_pairs_are_listed_below_the_letters(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _out("compare", "small.csv", capsys=capsys).splitlines()
    assert lines[:4] == [
        "3 models, 3 folds, 9 matches; higher auc is better",
        "",
        "0 of 3 pairs are told apart, by cluster-robust tests with Holm's adjustment: the",
        "chance of any false claim is at most 5%.",
    ]
    start = next(k for k, line in enumerate(lines) if line.startswith("model  against"))
    assert lines[start : start + 5] == [
        "model  against   gap  95% interval  P(win)     p  adjusted  told apart",
        "-----  -------  ----  ------------  ------  ----  --------  ----------",
        "A      B        0.38  -7.10 … 7.51     59%  0.84      1.00  no",
        "A      C        0.76  -5.06 … 6.21     68%  0.62      1.00  no",
        "B      C        0.38  -3.57 … 4.31     59%  0.72      1.00  no",
    ]
    assert " ".join(lines[start + 6 : start + 9]) == (
        "Mean ranks over 3 folds: Friedman χ²(2) = 0.67, p = 0.72 (without the correction for "
        "ties 0.67); Iman and Davenport F(2, 4) = 0.25, p = 0.79; Nemenyi's critical difference "
        "of mean ranks at 95% is 1.91."
    )
    assert lines[-3:] == [
        f"* {NOTE}",
        "* The ratings vary no more than luck alone would make them; if all models are",
        "equal, who is best means nothing.",
    ]


@pytest.mark.parametrize("adjust", ["holm", "bh", "max-t", "none"])
def test_all_pairs_as_json_are_what_python_has(
    adjust: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = _wider(folder, rounds=14, seed=3)
    words = ("--adjust", adjust, "--seed", "3")
    data = _json("compare", "wider.csv", *words, capsys=capsys)
    expected = json.loads(json.dumps(board.compare(adjust=adjust).to_dict()))  # type: ignore[call-overload]
    assert {key: data[key] for key in expected} == expected
    assert data["schema"] == "winodds/comparisons/2"
    test = board.friedman()
    assert data["friedman"]["statistic"] == test.statistic
    assert data["friedman"]["mean_ranks"] == dict(
        zip(board.players, test.mean_ranks.tolist(), strict=True)
    )


def test_flips_are_the_default_where_rounds_are_enough(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _wider(folder)
    assert _json("compare", "wider.csv", capsys=capsys)["adjust"] == "max-t"
    assert _json("compare", "small.csv", capsys=capsys)["adjust"] == "holm"


def test_boards_that_are_too_small_for_flips_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where none of the boards has rounds enough, there is nothing to name."""
    refused = (
        "it flips the signs of clusters, and these are worth only 3 here, which is too few; take "
        "--adjust holm.\n"
    )
    assert run(["compare", "season.csv", "-q", "--adjust", "max-t"]) == 2
    assert capsys.readouterr().err == f"Error: --adjust max-t is not possible; {refused}"
    lines = [
        f"big,{model},{fold},{0.9 - 0.1 * k}" for k, model in enumerate("ABC") for fold in range(8)
    ]
    with (folder / "season.csv").open("a") as file:
        file.write("\n" + "\n".join(lines))
    assert run(["compare", "season.csv", "-q", "--adjust", "max-t"]) == 2
    assert capsys.readouterr().err == (
        f"Error: --adjust max-t is not possible; for 'iris', 'wine', 'zoo' {refused}"
    )


def test_all_pairs_as_csv_have_a_row_each(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = _wider(folder)
    rows = _rows("compare", "wider.csv", capsys=capsys)
    columns = board.compare().columns()
    assert len(rows) == 21
    assert list(rows[0]) == list(columns)
    for name in ("a", "b", "told_apart"):
        assert [row[name] for row in rows] == [str(cell) for cell in columns[name]]
    for name in ("difference", "p_value", "p_adjusted", "odds_low"):
        assert [float(row[name]) for row in rows] == columns[name]


def test_top_shows_so_many_players_and_pairs(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _wider(folder)
    out = _out("compare", "wider.csv", "--top", "2", capsys=capsys)
    assert "… and 5 more players" in out.splitlines()
    assert "… and 19 more pairs" in out.splitlines()
    every = _out("compare", "wider.csv", "--top", "0", capsys=capsys)
    assert "more pairs" not in every
    usual = _out("compare", "wider.csv", capsys=capsys)
    assert "… and 1 more pair" in usual.splitlines()


def test_letters_stand_beside_the_players_like_bars(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = _wider(folder)
    lines = _out("compare", "wider.csv", capsys=capsys).splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("rank"))
    column = lines[start].index("alike")
    letters = board.compare().letters
    assert {*"".join(letters)} > {"a"}
    for line, own in zip(lines[start + 2 :], letters, strict=False):
        bars = line[column:].ljust(len(board))
        assert bars.replace(" ", "") == own
        assert all(bars[ord(letter) - ord("a")] == letter for letter in own)


# Files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [[], ["A", "B"]])
@pytest.mark.parametrize("name", ["table", "json", "csv", "markdown", "latex"])
def test_comparison_is_written_as_it_would_be_printed(
    name: str, names: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = _out("compare", "small.csv", *names, "--format", name, capsys=capsys)
    words = ["compare", "small.csv", *names, "--format", name, "-o", "pairs.out"]
    assert run(words) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1] == "Written to pairs.out."
    assert (folder / "pairs.out").read_text(encoding="utf-8") == printed


@pytest.mark.parametrize(
    ("file", "start"),
    [
        ("pairs.json", "{"),
        ("pairs.csv", "a,b,difference"),
        ("pairs.md", "0 of 3 pairs"),
        ("pairs.tex", "% Needs"),
        ("pairs.txt", "3 models"),
    ],
)
def test_name_of_the_file_tells_the_format(file: str, start: str, folder: Path) -> None:
    assert run(["compare", "small.csv", "-q", "-o", file]) == 0
    assert (folder / file).read_text(encoding="utf-8").startswith(start)


# Tournaments --------------------------------------------------------------------------------------


def test_tournaments_without_one_of_the_two_are_left_out_and_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["compare", "season.csv", "A", "C", "--format", "csv", "-q"]) == 0
    out, err = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["tournament"], row["a"], row["b"]) for row in rows] == [
        ("iris", "A", "C"),
        ("wine", "A", "C"),
    ]
    assert err == f"1 tournament lacks one or both players: 'zoo'.\n* {NOTE}\n"


def test_players_of_all_tournaments_are_compared_in_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = _json("compare", "season.csv", "A", "B", capsys=capsys)
    assert data["schema"] == "winodds/comparisons-of-season/2"
    assert [one["tournament"] for one in data["tournaments"]] == ["iris", "wine", "zoo"]
    alone = _json("compare", "small.csv", "A", "B", capsys=capsys)
    assert data["tournaments"][0]["text"] == alone["text"]
    text = _out("compare", "season.csv", "A", "B", capsys=capsys)
    starts = [line.split(":")[0] for line in text.splitlines() if re.match(r"\w+: By", line)]
    assert starts == ["iris", "wine", "zoo"]


def test_all_pairs_of_a_season(capsys: pytest.CaptureFixture[str]) -> None:
    rows = _rows("compare", "season.csv", capsys=capsys)
    assert [row["tournament"] for row in rows] == ["iris"] * 3 + ["wine"] * 3 + ["zoo"]
    markdown = _out("compare", "season.csv", "--format", "markdown", capsys=capsys)
    heads = [line for line in markdown.splitlines() if line.startswith("###")]
    assert heads == ["### iris", "### wine", "### zoo"]


def test_pooled_season_counts_tournaments(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json("compare", "season.csv", "A", "B", "--pool", capsys=capsys)
    assert data["tournament"] is None
    assert data["needed"]["unit"] == "tournament"
    assert data["rounds"] == {"won": 6, "lost": 3, "tied": 0}


def test_players_who_are_together_in_no_tournament(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (folder / "season.csv").read_text()
    (folder / "apart.csv").write_text(text.replace("zoo,A", "zoo,D").replace("zoo,B", "zoo,E"))
    assert run(["compare", "apart.csv", "A", "D", "-q"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "Error: No player 'D' on this leaderboard.\n")


# Other shapes -------------------------------------------------------------------------------------


def test_wide_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"{name};{';'.join(map(str, own))}" for name, own in SCORES.items()]
    (folder / "wide.csv").write_text("\n".join(["Model;t1;t2;t3", *lines]))
    words = ("--wide", "--higher-is-better")
    data = _json("compare", "wide.csv", "A", "B", *words, capsys=capsys)
    assert (
        data["difference"] == _json("compare", "small.csv", "A", "B", capsys=capsys)["difference"]
    )
    quality = _json("quality", "wide.csv", *words, capsys=capsys)
    assert quality["deviance"] == _json("quality", "small.csv", capsys=capsys)["deviance"]


def test_battles_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["A,B,model_a", "B,A,model_a", "A,B,tie", "B,C,model_b", "C,A,model_b", "C,B,model_a"]
    (folder / "arena.csv").write_text("\n".join(["model_a,model_b,winner", *rows]))
    board = winodds.rate_battles(pl.read_csv("arena.csv"))
    data = _json("compare", "arena.csv", "A", "B", capsys=capsys)
    assert data["text"] == board.compare("A", "B").text
    assert data["rounds"] == {"won": 1, "lost": 1, "tied": 1}
    everyone = _json("compare", "arena.csv", capsys=capsys)
    assert everyone["friedman"] is None
    assert len(everyone["pairs"]) == 3
    assert "Friedman" not in _out("compare", "arena.csv", capsys=capsys)


# Misuse -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["A", "Z"], "No player 'Z' on this leaderboard."),
        (["AA", "B"], "No player 'AA' on this leaderboard. Did you mean 'A'?"),
        (["B", "B"], "'B' cannot be compared with itself; name two players."),
        (
            ["--adjust", "max-t", "--test", "model"],
            "--adjust max-t is not possible; it flips the signs of clusters, which --test model "
            "has none of.",
        ),
        (
            ["A", "B", "--power", "1"],
            "--power 1 is not possible; it is a number between 0 and 1, ends excluded.",
        ),
        (
            ["A", "B", "-o", "small.csv"],
            "--output small.csv is not possible; it is the file that is read, and would be "
            "overwritten.",
        ),
        (
            ["A", "B", "-o", "pairs.pdf"],
            "--output pairs.pdf is not possible; its name does not tell the format; say it with "
            "--format.",
        ),
    ],
)
def test_misuse_ends_with_two_and_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", "small.csv", "-q", *words]) == 2
    assert capsys.readouterr() == ("", f"Error: {sentence}\n")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["compare", "small.csv", "A"], "Name two players to compare, or none for all pairs."),
        (
            ["compare", "small.csv", "A", "B", "C"],
            "Name two players to compare, or none for all pairs.",
        ),
        (["compare"], "Missing argument 'FILE'; standard input is '-'."),
        (["bootstrap"], "Missing argument 'FILE'; standard input is '-'."),
        (
            ["bootstrap", "small.csv", "--replicates", "0"],
            "Invalid value for '--replicates': 0 is not in the range x>=1.",
        ),
        (
            ["bootstrap", "small.csv", "--jobs", "all"],
            "Invalid value for '--jobs': 'all' is not a valid integer.",
        ),
        (
            ["bootstrap", "small.csv", "--format", "latex"],
            "Invalid value for '--format': 'latex' is not one of 'table', 'json', 'csv', "
            "'markdown'.",
        ),
        (
            ["compare", "small.csv", "--adjust", "tukey"],
            "Invalid value for '--adjust': 'tukey' is not one of 'holm', 'bh', 'max-t', 'none'.",
        ),
        (
            ["quality", "small.csv", "--format", "latex"],
            "Invalid value for '--format': 'latex' is not one of 'table', 'json', 'csv', "
            "'markdown'.",
        ),
        (
            ["quality", "small.csv", "--simulations", "0"],
            "Invalid value for '--simulations': 0 is not in the range x>=1.",
        ),
    ],
)
def test_wrong_words_end_with_two_and_the_usage(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    out, err = capsys.readouterr()
    name = words[0]
    start = f"Usage: winodds {name} [OPTIONS] FILE"
    assert out == ""
    assert err.startswith(start)
    assert err.endswith(f"Try 'winodds {name} --help' for help.\n\nError: {reason}\n")


def test_components_that_never_met_are_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{name},{k},0.{k % 3 + j}" for k in (1, 2, 3) for j, name in enumerate("AB")]
    rows += [f"{name},{k},0.{k % 2 + j}" for k in (4, 5, 6) for j, name in enumerate("CD")]
    (folder / "apart.csv").write_text("\n".join(["model,fold,auc", *rows]))
    words = ["compare", "apart.csv", "-q", "--components", "separate"]
    sentence = "belong to components that never met; their ratings cannot be compared.\n"
    assert run([*words, "A", "C"]) == 1
    assert capsys.readouterr() == ("", f"Error: 'A' and 'C' {sentence}")
    assert run(words) == 1
    assert capsys.readouterr().err.endswith(sentence)
    assert run([*words, "A", "B"]) == 0


def test_number_of_workers_is_told_by_the_name_of_its_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["quality", "small.csv", "-q", "--jobs", "0"]) == 2
    assert capsys.readouterr().err == (
        "Error: --jobs 0 is not possible; it is a whole number, 1 or more, or −1 for all cores.\n"
    )


# Quality ------------------------------------------------------------------------------------------


def test_quality_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    quality = _small().quality()
    lines = _out("quality", "small.csv", capsys=capsys).splitlines()
    assert lines[0] == "3 models, 3 folds, 9 matches; higher auc is better"
    blank = [k for k, line in enumerate(lines) if not line]
    assert " ".join(lines[blank[0] + 1 : blank[1]]) == quality.text
    table = lines.index("favourite wins  pairs  expected  observed")
    assert lines[table + 2 : table + 4] == [
        "55 to 60%           2     59.3%     66.7%",
        "65 to 70%           1     68.0%     66.7%",
    ]
    assert lines[-4] == "* A won 2 of 3 against B, where the ratings expect 1.8."


def test_quality_as_json_is_what_python_has(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json("quality", "small.csv", "--simulations", "150", "--seed", "4", capsys=capsys)
    expected = _small().quality(simulations=150, seed=4).to_dict()
    assert data == {
        "schema": "winodds/quality/2",
        "tournament": None,
        **json.loads(json.dumps(expected)),
    }
    assert data["simulations"] <= 150


def test_quality_by_the_convention_of_the_paper(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("quality", "small.csv", "--estimator", "mle")
    pairs = _json(*words, capsys=capsys)
    paper = _json(*words, "--convention", "paper", capsys=capsys)
    assert paper["deviance"] == 2.0 * pairs["deviance"]
    assert (pairs["df"], paper["df"]) == (1, 3)
    assert (paper["convention"], paper["estimate"]) == ("paper", "mle")
    assert paper["p_value"] == pairs["p_value"]


def test_workers_do_not_change_the_quality(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("quality", "season.csv", "--simulations", "450")
    assert _json(*words, "--jobs", "2", capsys=capsys) == _json(*words, capsys=capsys)


def test_quality_as_csv_and_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = _rows("quality", "small.csv", capsys=capsys)
    quality = _small().quality()
    assert row["tournament"] == ""
    assert (float(row["deviance"]), int(row["df"])) == (quality.deviance, quality.df)
    assert (row["players"], row["components"]) == ("3", "1")
    assert float(row["p_value"]) == quality.p_value
    markdown = _out("quality", "small.csv", "--format", "markdown", capsys=capsys)
    assert markdown.startswith(f"{quality.text}\n\n| favourite wins |")


def test_season_ends_with_its_boards_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _out("quality", "season.csv", capsys=capsys).splitlines()
    assert [line.split(":")[0] for line in lines if "matches;" in line] == ["iris", "wine", "zoo"]
    title = lines.index("Boards by standardised deviance, the smallest first:")
    assert [line.split()[0] for line in lines[title + 4 : title + 7]] == ["iris", "wine", "zoo"]
    assert lines[title + 7 :] == [
        "",
        "Standardised deviances compare boards; whether a board fits at all, p says.",
    ]
    data = _json("quality", "season.csv", capsys=capsys)
    assert [one["tournament"] for one in data["tournaments"]] == ["iris", "wine", "zoo"]
    rows = _rows("quality", "season.csv", capsys=capsys)
    assert [(row["tournament"], row["standardised"] == "") for row in rows] == [
        ("iris", False),
        ("wine", False),
        ("zoo", True),
    ]


@pytest.mark.parametrize("name", ["table", "json", "csv", "markdown"])
def test_quality_is_written_as_it_would_be_printed(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = _out("quality", "small.csv", "--format", name, capsys=capsys)
    assert run(["quality", "small.csv", "--format", name, "-o", "fit.out"]) == 0
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[-1]) == ("", "Written to fit.out.")
    assert (folder / "fit.out").read_text(encoding="utf-8") == printed


# Bootstrap ----------------------------------------------------------------------------------------

DRAWN = """\
rank  ranks  model    EPP  95% interval  first in
----  -----  -----  -----  ------------  --------
   1    1–2  A       0.26  -0.97 … 0.97       75%
   2    1–2  B      -0.26  -0.97 … 0.97       25%

1,000 replicates, each of 3 folds drawn with replacement (seed 0). 'First in' is
the share of them in which a model is rated highest, not its chance of being
best. Percentile intervals show how much these folds decide; they have no open
ends. When folds are few, such intervals are too narrow and lie too far out;
those of 'winodds rate' were checked for that.

* The intervals rest on only 3 folds; below about 10 they are rough.
"""

WINS_OF_TWO = {0: -math.log(7) / 2, 1: -math.log(5 / 3) / 2, 2: math.log(5 / 3) / 2}
WINS_OF_TWO[3] = math.log(7) / 2
"""Bias-reduced ratings of the first of two players by wins in 3 rounds: half a win is added."""


@pytest.fixture
def two(folder: Path) -> str:
    """A wins two of three rounds against B, so all three in 8 of 27 draws, and none in 1 of 27."""
    rows = [line for line in SMALL.splitlines() if not line.startswith("C")]
    (folder / "two.csv").write_text("\n".join(rows))
    return "two.csv"


def test_bootstrap_as_text(two: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bootstrap", two]) == 0
    out, err = capsys.readouterr()
    assert out == f"2 models, 3 folds, 3 matches; higher auc is better\n\n{DRAWN}"
    assert err == "two.csv: 6 rows; player = model, round = fold, score = auc\n"


def test_bootstrap_as_json_is_what_python_has(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--replicates", "40", "--seed", "5", "--level", "0.9")
    data = _json("bootstrap", "small.csv", *words, capsys=capsys)
    found = _small(level=0.9).bootstrap(replicates=40, seed=5)
    assert data == {
        "schema": "winodds/bootstrap/2",
        "tournament": None,
        **json.loads(json.dumps(found.to_dict())),
    }
    assert (data["replicates"], data["seed"], data["level"]) == (40, 5, 0.9)


def test_bootstrap_as_csv_has_all_digits(two: str, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = _rows("bootstrap", two, "--replicates", "2000", capsys=capsys)
    assert list(first) == [
        *("player", "rating", "low", "high", "rank", "rank_low", "rank_high", "first_in")
    ]
    assert (first["player"], second["player"]) == ("A", "B")
    assert [float(first[name]) for name in ("rating", "low", "high")] == pytest.approx(
        [WINS_OF_TWO[2], WINS_OF_TWO[0], WINS_OF_TWO[3]], abs=1e-9
    )
    assert [float(second[name]) for name in ("rating", "low", "high")] == pytest.approx(
        [WINS_OF_TWO[1], WINS_OF_TWO[0], WINS_OF_TWO[3]], abs=1e-9
    )
    ranks = ("rank", "rank_low", "rank_high")
    assert [[float(row[name]) for name in ranks] for row in (first, second)] == [
        [1.0, 1.0, 2.0],
        [2.0, 1.0, 2.0],
    ]
    assert float(first["first_in"]) == pytest.approx(20 / 27, abs=0.03)
    assert float(first["first_in"]) + float(second["first_in"]) == pytest.approx(1.0)


def test_bootstrap_as_markdown(two: str, capsys: pytest.CaptureFixture[str]) -> None:
    sentences = " ".join(DRAWN.split("\n\n")[1].split())
    assert _out("bootstrap", two, "--format", "markdown", capsys=capsys) == (
        "| rank | ranks | model | EPP | 95% interval | first in |\n"
        "| ---: | ---: | :--- | ---: | ---: | ---: |\n"
        "| 1 | 1–2 | A | 0.26 | -0.97 … 0.97 | 75% |\n"
        "| 2 | 1–2 | B | -0.26 | -0.97 … 0.97 | 25% |\n\n"
        f"{sentences}\n\n"
        "- The intervals rest on only 3 folds; below about 10 they are rough.\n"
    )


def test_bootstrap_of_a_season(capsys: pytest.CaptureFixture[str]) -> None:
    out = _out("bootstrap", "season.csv", capsys=capsys)
    titles = [line.split(":")[0] for line in out.splitlines() if "matches;" in line]
    assert titles == ["iris", "wine", "zoo"]
    drawn, few_rounds = DRAWN.rsplit("\n\n", 1)
    assert out.endswith(
        f"zoo: 2 models, 3 folds, 3 matches; higher auc is better\n\n{drawn}\n\n"
        f"For all tournaments:\n{few_rounds}"
    )
    few = ("bootstrap", "season.csv", "--replicates", "20")
    data = _json(*few, capsys=capsys)
    assert data["schema"] == "winodds/bootstrap-of-season/2"
    assert [one["tournament"] for one in data["tournaments"]] == ["iris", "wine", "zoo"]
    alone = _json("bootstrap", "small.csv", "--replicates", "20", capsys=capsys)
    assert data["tournaments"][0] == {**alone, "tournament": "iris"}
    rows = _rows(*few, capsys=capsys)
    assert [(row["tournament"], row["player"]) for row in rows] == [
        *(("iris", name) for name in "ABC"),
        *(("wine", name) for name in "ABC"),
        *(("zoo", name) for name in "AB"),
    ]
    markdown = _out(*few, "--format", "markdown", capsys=capsys)
    heads = [line for line in markdown.splitlines() if line.startswith("###")]
    assert heads == ["### iris", "### wine", "### zoo"]


def test_bootstrap_of_a_pooled_season_draws_tournaments(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = _out("bootstrap", "season.csv", "--pool", "--replicates", "20", capsys=capsys)
    assert out.startswith("3 models, 3 data sets, 9 folds, 21 matches; higher auc is better\n")
    assert "20 replicates, each of 3 data sets drawn with replacement (seed 0)." in out


def test_seed_changes_replicates_and_workers_do_not(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _wider(folder)
    words = ("bootstrap", "wider.csv", "--replicates", "1100", "--seed")
    zero, seven, again, shared = (
        _json(*words, *more, capsys=capsys)["players"]
        for more in (("0",), ("7",), ("7",), ("7", "--jobs", "2"))
    )
    assert seven == again == shared
    assert [row["low"] for row in zero] != [row["low"] for row in seven]
    assert [row["rating"] for row in zero] == [row["rating"] for row in seven]


def test_top_shows_so_many_players_of_a_bootstrap(capsys: pytest.CaptureFixture[str]) -> None:
    out = _out("bootstrap", "small.csv", "--replicates", "20", "--top", "1", capsys=capsys)
    assert out.splitlines()[4:6] == [
        "   1    1–2  A      0.38  -0.41 … 1.07       75%",
        "… and 2 more models",
    ]


@pytest.mark.parametrize("jobs", ["0", "-2"])
def test_bootstrap_refuses_an_impossible_number_of_workers(
    jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bootstrap", "small.csv", "-q", "--jobs", jobs]) == 2
    assert capsys.readouterr() == (
        "",
        f"Error: --jobs {jobs} is not possible; it is a whole number, 1 or more, or −1 for all "
        f"cores.\n",
    )


@pytest.mark.parametrize("name", ["table", "json", "csv", "markdown"])
def test_bootstrap_is_written_as_it_would_be_printed(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bootstrap", "small.csv", "--replicates", "20", "--format", name]
    printed = _out(*words, capsys=capsys)
    assert run([*words, "-o", "drawn.out"]) == 0
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[-1]) == ("", "Written to drawn.out.")
    assert (folder / "drawn.out").read_text(encoding="utf-8") == printed


# What winodds rate shows of it --------------------------------------------------------------------


def test_rate_as_json_has_ranks_and_quality(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = _wider(folder)
    board.look_closer()
    data = _json("rate", "wider.csv", capsys=capsys)
    for row, own in zip(data["players"], board, strict=True):
        assert (row["rank_low"], row["rank_high"], row["p_best"], row["letters"]) == (
            own.rank_low,
            own.rank_high,
            own.p_best,
            own.letters,
        )
        assert row["quasi_se"] == own.quasi_se
    quality = data["quality"]
    assert quality["deviance"] == board.quality().deviance
    assert (quality["df"], quality["convention"]) == (15, "pairs")
    assert quality["estimate"] == "bias-reduced"
    for name in ("standardised", "dispersion", "p_value", "p_value_chi2"):
        assert quality[name] == getattr(board.quality(), name)
    assert data["ranking"]["could_be_best"] == list(board.details().could_be_best)


def test_rate_without_details_has_nulls(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json("rate", "small.csv", "--no-details", capsys=capsys)
    assert (data["quality"], data["ranking"]) == (None, None)
    for row in data["players"]:
        names = ("rank_low", "rank_high", "p_best", "letters", "quasi_se")
        assert [row[name] for name in names] == [None] * 5
    out = _out("rate", "small.csv", "--no-details", capsys=capsys)
    assert "could be" not in out
    assert "Fit:" not in out


def test_rate_by_the_convention_of_the_paper(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json("rate", "small.csv", "--convention", "paper", capsys=capsys)
    plain = _json("rate", "small.csv", capsys=capsys)
    assert (data["quality"]["convention"], data["quality"]["df"]) == ("paper", 3)
    assert data["quality"]["deviance"] == 2.0 * plain["quality"]["deviance"]
    assert data["players"] == plain["players"]


def test_seed_changes_chances_of_being_best_and_nothing_else(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _wider(folder)
    zero, seven, again = (
        _json("rate", "wider.csv", "--seed", seed, capsys=capsys)["players"]
        for seed in ("0", "7", "7")
    )
    assert seven == again
    assert [row["p_best"] for row in zero] != [row["p_best"] for row in seven]
    for row in (*zero, *seven):
        del row["p_best"]
    assert zero == seven


# Hostile names ------------------------------------------------------------------------------------

HOSTILE = ("<b>|x|</b> *a*", r"\input{evil} & 100%_#$", "=cmd()|'/C calc'!A1")


def _hostile(folder: Path) -> None:
    with (folder / "names.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["model", "fold", "auc"])
        for name, scores in zip(HOSTILE, SCORES.values(), strict=True):
            writer.writerows([name, fold, auc] for fold, auc in enumerate(scores))


def _escapes_of(text: str, commands: str) -> set[str]:
    """Signs with a meaning that appear in the text without a backslash before them."""
    return set(re.findall(rf"(?<!\\)[{re.escape(commands)}]", text))


@pytest.mark.parametrize("names", [(), HOSTILE[:2]])
def test_hostile_names_are_no_markup(
    names: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _hostile(folder)
    words = ("compare", "names.csv", *names)
    markdown = _out(*words, "--format", "markdown", capsys=capsys)
    assert "<b>" not in markdown
    assert r"&lt;b>\|x\|&lt;/b> \*a\*" in markdown
    for table in re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(cells) == 1
    latex = _out(*words, "--format", "latex", capsys=capsys)
    assert r"\input" not in latex
    named = [line for line in latex.splitlines() if "evil" in line]
    assert named
    for line in named:
        assert not _escapes_of(line.replace(" & ", "").replace("$", ""), "&%_#")


def test_hostile_names_come_back_from_csv_and_json(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _hostile(folder)
    rows = _rows("compare", "names.csv", capsys=capsys)
    assert [(row["a"], row["b"]) for row in rows] == [
        HOSTILE[:2],
        (HOSTILE[0], HOSTILE[2]),
        HOSTILE[1:],
    ]
    (row,) = _rows("compare", "names.csv", HOSTILE[2], HOSTILE[1], capsys=capsys)
    assert (row["a"], row["b"]) == (HOSTILE[2], HOSTILE[1])
    data = _json("compare", "names.csv", HOSTILE[2], HOSTILE[1], capsys=capsys)
    assert (data["a"], data["b"]) == (HOSTILE[2], HOSTILE[1])


def test_latex_has_no_empty_formulas(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A player may have no quasi-error."""
    nothing = np.full(3, np.nan), None
    monkeypatch.setattr("winodds.board.placing._quasi_errors", lambda _: nothing)
    latex = _out("compare", "small.csv", "--format", "latex", capsys=capsys)
    assert "$$" not in latex


@pytest.mark.parametrize("names", [[], ["A", "B"]])
def test_every_format_tells_the_doubts(
    names: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A CSV file has no place for them, so they go to standard error, as with winodds rate."""
    assert NOTE in _out("compare", "small.csv", *names, "--format", "latex", capsys=capsys)
    assert run(["compare", "small.csv", *names, "--format", "csv", "-q"]) == 0
    assert capsys.readouterr().err == f"* {NOTE}\n"


@pytest.mark.parametrize("command", ["quality", "bootstrap"])
def test_formats_that_a_command_lacks_are_refused(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "small.csv", "-o", "x.tex", "-q"]) == 2
    assert capsys.readouterr().err == (
        "Error: --output x.tex is not possible; there is no latex of this; take json, csv, "
        "markdown.\n"
    )
