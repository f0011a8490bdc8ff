"""``winodds race``: what is printed, and what is refused."""

import json
from pathlib import Path

import pytest

import winodds.demo
from winodds.cli.main import run
from winodds.tune import Rules, replay

pytestmark = pytest.mark.usefixtures("folder")


def _write(tournaments: int) -> str:
    table = winodds.demo.load_results()
    names = sorted(table["dataset"].unique())[:tournaments]
    kept = table.filter(table["dataset"].is_in(names))
    (kept if tournaments > 1 else kept.drop("dataset")).write_csv("results.csv")
    return "results.csv"


def test_a_race_is_told_as_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--splits", "independent", "--strategy", "prove", "--alpha", "0.1"]
    assert run(["race", _write(2), *options, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    boards = winodds.demo.rate_results()
    rules = Rules(splits="independent", strategy="prove", alpha=0.1)
    expected = [replay(boards[name], rules).to_dict() for name in ("breast_cancer", "digits")]
    assert found == {"schema": "winodds/race/1", "races": json.loads(json.dumps(expected))}


def test_the_text_says_what_was_saved_and_how_it_went(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["race", _write(1), "--first-splits", "2"]) == 0
    out = capsys.readouterr().out
    found = replay(winodds.demo.rate_results()["breast_cancer"], Rules(splits="dependent", first=2))
    assert f"A race would have paid for {found.fits} of 400 fits" in out
    lines = out.splitlines()
    head = next(k for k, line in enumerate(lines) if line.startswith("splits"))
    # Nothing can be dropped where nobody says how splits hang together.
    assert lines[head].split() == ["splits", "fits", "left", "parked", "leader", "P(best)"]
    assert lines[head + 2].split()[:2] == ["2", "40"]
    assert lines[-1].split()[1] == str(found.fits)


def test_misuse_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    file = _write(1)
    assert run(["race", file, "--strategy", "prove"]) == 2
    assert "Nothing is proved for splits that may err together" in capsys.readouterr().err
    assert run(["race", file, "--first-splits", "1"]) == 2
    assert "--first-splits 1 is not possible" in capsys.readouterr().err
    lines = [f"{name},{split},{0.1 * len(name)}" for name in ("a", "bb") for split in range(5)]
    Path("few.csv").write_text("\n".join(["model,split,auc", *lines]), encoding="utf-8")
    few = ["race", "few.csv", "--strategy", "prove", "--splits", "folds", "--higher-is-better"]
    assert run(few) == 2
    assert "With 5 splits nothing can be proved" in capsys.readouterr().err
