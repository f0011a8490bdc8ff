"""``winodds sota``: a file of scores in, a paragraph, figures and JSON out."""

import io
import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import shared_file

import winodds
from winodds.cli.main import run
from winodds.show.charts.theme import DARK, LIGHT

SCORES = np.random.default_rng(5).binomial(500, 0.8, 60) / 500
HEADER = "team,score\n"
ASKED = ["sota", "board.csv", "--n", "500", "--classes", "2", "--correlation", "0.3"]

TEXT = """The best of 60 entries, 'team 46', scored 0.8380, partly by luck: the best
entry's accuracy is estimated at 0.8204. 8 entries (13%) scored 0.8204 or more.

                            score     95% interval  entries
-------------------------  ------  ---------------  -------------
best score, taken alone    0.8380  0.8027 … 0.8692  27 in it
state of the art           0.8204                   8 at or above
best score to expect then  0.8380  0.8180 … 0.8600
best score at face value   0.8540  0.8340 … 0.8760

At face value: of as many entries, drawn at random from ones as good as these
scored, the best would be expected to score 0.8540, better than the best did; so
part of its score is luck.
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a leaderboard of 60 teams."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    rows = "".join(f"team {k},{score:.3f}\n" for k, score in enumerate(SCORES))
    (tmp_path / "board.csv").write_text(HEADER + rows)
    percent = "".join(f"team {k},{100 * score:.1f}%\n" for k, score in enumerate(SCORES))
    (tmp_path / "percent.csv").write_text(HEADER + percent)
    return tmp_path


def test_a_board_is_answered_in_words_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ASKED, "--method", "shrink"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith(TEXT)
    assert captured.err == "board.csv: 60 rows; score = score, player = team\n"


def test_the_estimate_comes_with_an_interval_and_who_may_be_the_best(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run([*ASKED, "-q"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    scores = {f"team {k}": score for k, score in enumerate(SCORES.round(3))}
    found = winodds.estimate_sota(scores, n=500, classes=2, correlation=0.3)
    assert found.low is not None
    assert found.high is not None
    assert text.startswith(
        f"The best of 60 entries, 'team 46', scored 0.8380, partly by luck: the best entry's "
        f"accuracy is estimated at {found.sota:.4f}, and lies between {found.low:.4f} and "
        f"{found.high:.4f} with probability 95%; 'team 46' is truly the best with probability "
        f"{found.p_best:.2f}. {found.at_or_above} entries"
    )
    assert "could be the best score P(best)" in text
    assert f"team 46 0.8380 {found.p_best:.0%}" in text


def test_assumptions_and_doubts_follow_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    run([*ASKED, "--method", "shrink", "-q"])
    assert (
        capsys.readouterr().out.removeprefix(TEXT)
        == """
correlation  of two entries  state of the art
-----------  --------------  ----------------
          0               0            0.8188
        0.3            0.09            0.8204
        0.6            0.36            0.8252
       0.77            0.59            0.8297

This rests on:
- Test set of 500 cases and 2 classes, so guessing is right in 50.0%.
- Each entry has correlation 0.3 with what makes a case easy, so any two have
  0.09 (as stated).
- Performances are the scores shrunken towards 0.5000 by the weight 0.9478, so
  that the observed maximum is to be expected.
- Each entry was scored once. Entries that were chosen or tuned on the same test
  set have more luck than this takes out.

* Luck alone makes about 90% of the variance in the upper half of the scores.
  Shrinking takes it for differences between entries, so part of the luck stays
  in the estimate; cropping leaves less of it.
"""
    )


def test_json_is_what_python_gives(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*ASKED, "--method", "shrink", "--conservative", "--format", "json", "-q"]
    assert run(words) == 0
    data = json.loads(capsys.readouterr().out)
    names = [f"team {k}" for k in range(60)]
    scores = dict(zip(names, SCORES.round(3), strict=True))
    options: dict[str, Any] = {"method": "shrink", "conservative": True}
    found = winodds.estimate_sota(scores, n=500, classes=2, correlation=0.3, **options)
    assert data == found.to_dict()
    assert (data["schema"], data["conservative"]) == ("winodds/sota/2", True)


def test_percentages_are_read_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--n", "500", "--classes", "2", "--correlation", "0", "--format", "json", "-q"]
    run(["sota", "board.csv", *words])
    plain = json.loads(capsys.readouterr().out)
    assert run(["sota", "percent.csv", "--percent", *words]) == 0
    percent = json.loads(capsys.readouterr().out)
    assert percent["sota"] == pytest.approx(plain["sota"], abs=1e-12)
    assert percent["compatible_n"] == plain["compatible_n"]


def test_markdown_goes_to_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "sota",
        "board.csv",
        "--n",
        "500",
        "--classes",
        "2",
        "--correlation",
        "0",
        "--method",
        "shrink",
        "-o",
        "answer.md",
    ]
    assert run(words) == 0
    text = (folder / "answer.md").read_text()
    assert text.startswith("The best of 60 entries, 'team 46', scored 0.8380, partly by luck:")
    assert "| state of the art | 0.8188 |  | 8 at or above |" in text
    assert capsys.readouterr().err.endswith("Written to answer.md.\n")


def test_items_give_the_correlation(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(2)
    easy = rng.random(500) < 0.7
    right = rng.random((60, 500)) < np.where(easy, 0.95, 0.45)
    lines = [",".join(map(str, row)) for row in right.astype(int)]
    header = ",".join(f"q{k}" for k in range(500))
    (folder / "items.csv").write_text("\n".join([header, *lines]) + "\n")
    (folder / "own.csv").write_text("score\n" + "\n".join(map(str, right.mean(axis=1))) + "\n")
    words = ["sota", "own.csv", "--classes", "2", "--items", "items.csv", "--format", "json", "-q"]
    assert run(words) == 0
    data = json.loads(capsys.readouterr().out)
    pairs = np.asarray(np.corrcoef(right))[np.triu_indices(60, 1)].mean()
    assert data["correlation"] == pytest.approx(np.sqrt(pairs), abs=1e-12)
    assert (data["n"], data["correlation_from"]) == (500, "items")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (
            "board.csv --classes 2",
            2,
            "How many cases the test set has must be said: --n. The smallest size whose shares, "
            "rounded after 3 decimals, fit all scores is 495; the true one may be larger.",
        ),
        (
            "board.csv --n 500 --method shrink",
            2,
            "Scores are shrunken towards guessing, so the number of classes must be said: "
            "--classes. Without it, crop them with --method crop.",
        ),
        (
            "percent.csv --n 500 --classes 2 --decimal ,",
            1,
            "60 cells of column 'score' are no numbers. If that is how numbers are written here, ",
        ),
        (
            "board.csv --n 500 --classes 2 --score points",
            2,
            "No column 'points' in the table; it has 'team', 'score'.",
        ),
        (
            "board.csv --n 500 --classes 2 --players 10",
            2,
            "--players 10 is not possible; it is for --law, which takes no file.",
        ),
        (
            "--law --players 10 --n 500 --theta 0.9 --classes 2",
            2,
            "--classes 2 is not possible; it is for a file of scores, and --law takes none.",
        ),
        (
            "--law --players 10 --theta 0.9",
            2,
            "How many cases the test set has must be said: --n.",
        ),
        (
            "board.csv --n 500 --classes 2 --correlation 0.3 --similarity 0.9",
            2,
            "--similarity 0.9 is not possible; --correlation says it already.",
        ),
    ],
)
def test_what_cannot_be_is_refused(
    words: str, code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sota", *words.split()]) == code
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"Error: {sentence}")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("sota", "Missing argument 'FILE'; standard input is '-'."),
        ("sota board.csv --law", "--law takes no file."),
        ("sota --law --n 3", "--law needs --players."),
        ("sota --law --n 3 --players 9", "--law needs --theta."),
    ],
)
def test_misuse_is_explained(words: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words.split()) == 2
    assert capsys.readouterr().err.endswith(f"Error: {sentence}\n")


def test_a_law_needs_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sota", "--law", "--players", "1000", "--n", "3000", "--theta", "0.9"]) == 0
    assert (
        capsys.readouterr().out
        == """\
If the best of 1,000 entries has accuracy 0.9, the best score on 3,000 cases is
expected to be 0.9173: 0.0173 too much. A new entry with accuracy 0.9105, the
upper end of the interval of a single score of 0.9, reaches that with
probability 0.10.

                               value
-------------------  ---------------
expected best score           0.9173
standard deviation            0.0018
95% interval         0.9143 … 0.9213
bias                          0.0173

All entries are equally good; they are independent.
"""
    )


def test_a_law_comes_as_json_and_markdown_too(capsys: pytest.CaptureFixture[str]) -> None:
    words = "sota --law --players 1000 --n 3000 --theta 0.9 --spread 0.025 --correlation 0.6"
    assert run([*words.split(), "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["schema"], round(data["expected_max"], 4)) == ("winodds/maximum/1", 0.9101)
    assert run([*words.split(), "--format", "markdown"]) == 0
    assert "| expected best score | 0.9101 |" in capsys.readouterr().out


def test_the_published_boards(capsys: pytest.CaptureFixture[str]) -> None:
    obesity = str(shared_file("data/kaggle_obesity_private.csv"))
    words = ["--n", "11072", "--classes", "7", "--method", "shrink", "-q", "--format", "json"]
    assert run(["sota", obesity, *words]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (round(data["sota"], 4), data["at_or_above"]) == (0.9064, 1088)
    assert (data["compatible_n"], data["n_fits"], data["entries"]) == (11_072, True, 3587)
    cassava = str(shared_file("data/kaggle_cassava_private.csv"))
    assert run(["sota", cassava, "--n", "15000", "--classes", "5", "-q"]) == 0
    assert " ".join(capsys.readouterr().out.split()).startswith(
        "The best of 3,900 entries scored 0.9132, ahead of what luck explains: the "
        "best entry's accuracy is estimated at 0.91"
    )


def test_names_of_winners_are_data(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "evil.csv").write_text("team,score\n<img onerror=x>|*,0.9\nb,0.8\nc,0.85\n")
    words = [
        "sota",
        "evil.csv",
        "--n",
        "20",
        "--classes",
        "2",
        "--correlation",
        "0",
        "-q",
        "--format",
        "markdown",
    ]
    assert run(words) == 0
    assert r"'&lt;img onerror=x>\|\*'" in capsys.readouterr().out


def test_files_that_are_read_are_not_overwritten(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "items.csv").write_text("q1,q2\n1,0\n0,1\n")
    for name in ("board.csv", "items.csv"):
        before = (folder / name).read_text()
        words = f"sota board.csv --n 500 --classes 2 --items items.csv -o {name} --format json"
        assert run(words.split()) == 2
        assert "would be overwritten" in capsys.readouterr().err
        assert (folder / name).read_text() == before


@pytest.mark.parametrize("output", ["no/such/answer.json", "."])
def test_an_output_that_cannot_be_is_refused_before_anything_is_computed(
    output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"sota board.csv --n 500 --classes 2 -o {output} --format json"
    assert run(words.split()) == 1
    assert "score = score" not in capsys.readouterr().err


def test_standard_input_is_called_by_its_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = io.BytesIO((folder / "board.csv").read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(board))
    assert run("sota - --n 500 --classes 2 --correlation 0".split()) == 0  # noqa: SIM905
    told = capsys.readouterr().err
    assert told.startswith("standard input: 60 rows; score = score, player = team\n")


# Two boards ---------------------------------------------------------------------------------------


@pytest.fixture
def private(folder: Path) -> Path:
    """The private board of the same teams, without the last of them."""
    scores = np.random.default_rng(6).binomial(2000, 0.8, 59) / 2000
    rows = "".join(f"team {k},{score:.4f}\n" for k, score in enumerate(scores))
    (folder / "private.csv").write_text(HEADER + rows)
    return folder / "private.csv"


def test_two_boards_say_what_became_of_the_leader(
    private: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*ASKED, "--private", private.name, "--private-n", "2000"]) == 0
    captured = capsys.readouterr()
    text = " ".join(captured.out.split())
    assert text.startswith("The public board promised 0.8380 ('team 46').")
    assert "1 entry is on the public board only, and not compared: team 59." in text
    assert captured.err.startswith("board.csv: 60 rows; score = score, player = team\nprivate.csv")
    words = [*ASKED, "--private", private.name, "--private-n", "2000", "--format", "json", "-q"]
    assert run(words) == 0
    data = json.loads(capsys.readouterr().out)
    boards = [
        {row.split(",")[0]: float(row.split(",")[1]) for row in path.read_text().split("\n")[1:-1]}
        for path in (Path("board.csv"), private)
    ]
    options: dict[str, Any] = {"n": 500, "private_n": 2000, "classes": 2, "correlation": 0.3}
    assert data == json.loads(json.dumps(winodds.shake_up(*boards, **options).to_dict()))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--private-n 2000", "--private-n 2000 is not possible; it is for two boards"),
        ("--private private.csv --zones", "--zones is not possible; it is for one board"),
        ("--private private.csv", "How many cases the private test set has must be said:"),
        ("--private private.csv --private-n 2000 -o a.svg", "there is no picture of two boards"),
        ("--private - --items -", "Only one of the files can be standard input."),
        ("--private private.csv -o private.csv --format json", "would be overwritten"),
    ],
)
@pytest.mark.usefixtures("private")
def test_what_two_boards_cannot_be_asked_is_refused(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*ASKED, *words.split()]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


# Pictures -----------------------------------------------------------------------------------------

LAW = "sota --law --players 1000 --n 3000 --theta 0.9"


def svg_texts(path: Path) -> list[str]:
    """All words of a picture."""
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    return [node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_entries_are_drawn_into_a_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "sota board.csv --n 500 --classes 2 --correlation 0.3 --method shrink -o entries.svg"
    assert run(words.split()) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    first, caption, doubt, last = captured.err.splitlines()
    assert first == "board.csv: 60 rows; score = score, player = team"
    assert caption.startswith("* ")
    assert doubt.startswith("* Luck alone makes about 90% of the variance")
    assert last == "Written to entries.svg."
    texts = svg_texts(folder / "entries.svg")
    assert "state of the art" in texts
    assert "0.8380  (0.8027 – 0.8692)" in texts


@pytest.mark.parametrize(
    ("name", "begin"), [("l.png", b"\x89PNG"), ("l.pdf", b"%PDF"), ("l.html", b"<!DOCTYPE html>")]
)
def test_the_suffix_tells_the_kind_of_picture(folder: Path, name: str, begin: bytes) -> None:
    assert run([*LAW.split(), "-q", "-o", name]) == 0
    assert (folder / name).read_bytes().lstrip().startswith(begin)


def test_a_law_is_drawn_or_how_it_changes(folder: Path) -> None:
    assert run([*LAW.split(), "-q", "-o", "law.svg"]) == 0
    assert "best of 1,000" in svg_texts(folder / "law.svg")
    assert (
        run([*LAW.split(), *["-q", "--figure", "curves", "--over", "spread", "-o", "d.svg"]]) == 0
    )
    texts = svg_texts(folder / "d.svg")
    assert "Too high by how much, by spread of performances" in texts
    assert "Spread of performances, d" in texts


def test_a_picture_can_be_dark_and_its_caption_is_repeated(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*LAW.split(), "-o", "light.svg"]) == 0
    figure = winodds.law_of_maximum(1000, theta=0.9, n=3000).figures.law()
    assert capsys.readouterr().err == f"* {figure.caption}\nWritten to light.svg.\n"
    assert run([*LAW.split(), "-q", "--theme", "dark", "-o", "dark.svg"]) == 0
    assert capsys.readouterr().err == ""
    light, dark = ((folder / f"{name}.svg").read_text() for name in ("light", "dark"))
    assert LIGHT.paper in light
    assert LIGHT.paper not in dark
    assert DARK.paper in dark


def test_the_numbers_of_a_picture_are_written_as_csv(folder: Path) -> None:
    assert run([*LAW.split(), "-q", "-o", "law.csv"]) == 0
    figure = winodds.law_of_maximum(1000, theta=0.9, n=3000).figures.law()
    assert (folder / "law.csv").read_text() == figure.to_csv()


def test_an_explicit_format_is_stronger_than_a_suffix(folder: Path) -> None:
    assert run([*LAW.split(), *["-q", "--format", "json", "-o", "law.svg"]]) == 0
    assert json.loads((folder / "law.svg").read_text())["players"] == 1000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            f"{LAW} --figure curves",
            "Error: --figure curves is not possible; it is for a picture; name one with -o, such "
            "as law.svg.",
        ),
        (
            f"{LAW} --theme dark",
            "Error: --theme dark is not possible; it is for a picture; name one with -o, such as "
            "law.svg.",
        ),
        (
            f"{LAW} --theme dark -o law.csv",
            "Error: --theme dark is not possible; a table of numbers has no colours.",
        ),
        (
            f"{LAW} --over n -o x.svg",
            "Error: --over n is not possible; it is for --figure curves.",
        ),
        (
            f"{LAW} --figure curves --level 0.9 -o x.svg",
            "Error: --level 0.9 is not possible; curves have no intervals.",
        ),
        (
            "sota board.csv --n 500 --classes 2 --over n -o x.svg",
            "Error: --over n is not possible; it is for --law, which takes no file.",
        ),
        (
            f"{LAW} -o no/x.svg",
            "Error: 'no/x.svg' could not be written: there is no folder 'no'.",
        ),
    ],
)
def test_misuse_of_pictures_is_refused(
    words: str, sentence: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words.split()) != 0
    assert capsys.readouterr().err.splitlines()[-1] == sentence
    assert not list(folder.glob("*.svg"))


PLACES = """The first place could belong to any of 60 entries, with scores of 0.7700 or
more; ranks 1–60 cannot be told apart. The first 2 places could belong to any of
60 entries, with scores of 0.7700 or more. In 95% of such contests no such claim
is wrong. Who could have a prize need not be likely to deserve it.

places   entries  lowest score  could belong to
-------  -------  ------------  -----------------------------------
first         60        0.7700  team 46, team 6, team 9 and 57 more
"""


def test_prizes_are_said_before_other_correlations(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ASKED, "--prizes", "2", "-q"]) == 0
    text = capsys.readouterr().out
    assert PLACES in text
    assert text.index(PLACES) < text.index("correlation  of two entries")


def test_zones_come_with_the_usual_three_prizes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ASKED, "--zones", "--format", "json", "-q"]) == 0
    places = json.loads(capsys.readouterr().out)["places"]
    assert [prize["places"] for prize in places["prizes"]] == [1, 2, 3]
    assert places["zones"][0]["first"] == 1
    assert len(places["ranges"]) == 60


def test_prizes_are_for_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sota", "--law", "--players", "10", "--theta", "0.9", "--n", "100", "--prizes", "3"]
    assert run(words) == 2
    assert "--prizes" in capsys.readouterr().err


SUBMITTED = """'team 46', first of the board, has 0.8380 by the best of 30 submissions, worth
0.8034 as a single one. What follows is about single submissions, without the
luck of being the best of several. There 'team 6' leads.
"""


def test_many_submissions_are_said_first(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(
        f"team {k},{score:.3f},{30 if k == 46 else 1}\n" for k, score in enumerate(SCORES)
    )
    (folder / "often.csv").write_text("team,score,tries\n" + rows)
    words = ["often.csv", "--n", "500", "--correlation", "0.3", "--submissions", "tries", "-q"]
    assert run(["sota", *words]) == 0
    out = capsys.readouterr().out
    assert out.startswith(SUBMITTED)
    assert "89 submissions in all, at most 30 of one entry." in out
    assert run(["sota", *words, "--alike", "0.99"]) == 0
    assert "any two have correlation 0.99 (as stated)" in " ".join(capsys.readouterr().out.split())
    assert run(["sota", *words, "--zones"]) == 2
    assert "places are those of the board; leave --zones out" in capsys.readouterr().err


def test_columns_and_entries_are_named_or_left_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"m{k % 6},s{k // 6},{x:.3f},{x}\n" for k, x in enumerate(SCORES))
    (folder / "two.csv").write_text("model,setting,accuracy,f1\n" + rows)
    words = ["two.csv", "--n", "500", "--ignore", "f1", "--player", "model,setting"]
    assert run(["sota", *words, "--ignore", "m4/*"]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("two.csv: 60 rows; score = accuracy, player = model, setting\n")
    assert "The best of 50 entries" in captured.out
    assert "* Left out as asked: 10 entries, " in captured.out


def test_rate_and_sota_point_to_each_other(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "kaggle.csv").write_text(
        "Rank,TeamName,Score,Entries,Last\n1,a,0.9,3,x\n2,b,0.8,1,y\n"
    )
    assert run(["rate", "kaggle.csv"]) == 2
    assert "there is 'winodds sota'" in " ".join(capsys.readouterr().err.split())
    (folder / "rounds.csv").write_text(
        "model,dataset,accuracy\na,x,0.9\na,y,0.8\nb,x,0.7\nb,y,0.6\n"
    )
    assert run(["sota", "rounds.csv", "--n", "100"]) == 1
    assert "are for 'winodds rate'" in " ".join(capsys.readouterr().err.split())
    (folder / "wide.csv").write_text("model,adult,bank,wine\na,0.9,0.8,0.7\nb,0.8,0.6,0.7\n")
    assert run(["sota", "wide.csv", "--n", "100"]) == 2
    assert "For scores of players in several rounds there is 'winodds rate'." in " ".join(
        capsys.readouterr().err.split()
    )
