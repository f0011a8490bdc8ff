"""``winodds look``: what a file holds, and what would be made of it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from adapters.samples import SAMPLES

from winodds.cli.main import run
from winodds.demo import RESULTS

Look = Callable[..., str]


@pytest.fixture
def look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Look:
    """What is said of a table, or of a file."""

    def call(text: str | Path, *words: str) -> str:
        monkeypatch.chdir(tmp_path)
        if isinstance(text, str):
            (tmp_path / "table.csv").write_text(text, encoding="utf-8")
            text = Path("table.csv")
        assert run(["look", str(text), *words]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        return captured.out

    return call


WIDE = "model,iris,wine,Mean\nA,0.9,0.8,0.85\nB,0.8,0.9,0.85\n"


def test_a_long_table_is_shown_with_its_roles(look: Look) -> None:
    told = look("model,fold,auc,note\nA,1,0.9,x\nB,1,0.8,\nA,2,0.7,x\nB,2,0.75,\n")
    assert told == (
        "table.csv: 4 rows, 4 columns\n"
        "\n"
        "column  role    different  empty  for instance\n"
        "------  ------  ---------  -----  ------------\n"
        "model   player          2         A, B\n"
        "fold    round           2         1, 2\n"
        "auc     score           4         0.7 to 0.9\n"
        "note                    1      2  x\n"
        "\n"
        "It would be rated: 2 players, 2 rounds, 2 matches; higher auc is better.\n"
        "\n"
        "What to know:\n"
        "* The intervals rest on only 2 rounds; below about 10 they are rough.\n"
        "\n"
        "No part is played by note.\n"
        "\n"
        "The same, said in full:\n"
        "winodds rate table.csv --player model --round fold --score auc\n"
    )


def test_the_command_that_is_said_gives_what_is_said(
    look: Look, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ([], ["--lower-is-better"]):
        told = look(WIDE, "--wide", "--ignore", "Mean", *(words or ["--higher-is-better"]))
        command = told.splitlines()[-1].split()
        assert command[:5] == ["winodds", "rate", "table.csv", "--wide", "--player"]
        assert run([*command[1:], "--no-details"]) == 0
        assert capsys.readouterr().out.splitlines()[0] in told


def test_a_refusal_is_said_with_its_remedy(look: Look) -> None:
    told = look(WIDE)
    assert "It cannot be rated like this. No column has a usual name for the round or the" in told
    assert "pass --wide --ignore Mean --higher-is-better" in told
    assert told.endswith(
        "What would do:\n"
        "winodds rate table.csv --wide --ignore Mean --higher-is-better\n"
        "(--lower-is-better instead, if lower is better)\n"
    )


def test_several_data_sets_have_a_board_each(look: Look) -> None:
    told = look(RESULTS)
    assert "It would be rated, with 4 leaderboards:\n* breast_cancer: 20 players" in told
    assert "gradient_boosting(defau…, " in told
    assert "dataset  tournament          4" in told


def test_battles_and_what_other_tools_wrote(look: Look) -> None:
    told = look("model_a,model_b,winner\nA,B,model_a\nB,A,tie\n")
    assert "model_a  left " in told
    assert told.endswith("winodds rate table.csv --left model_a --right model_b --winner winner\n")
    told = look(SAMPLES / "openml" / "evaluations.csv")
    assert "evaluations of OpenML; 3 flows, 3 tasks" in told.splitlines()[0]
    assert "It would be rated: " in told


def test_markdown_too(look: Look) -> None:
    assert "| fold | round | 1 |  | 1 |" in look(
        "model,fold,auc\nA,1,0.9\nB,1,\n", "--format", "markdown"
    )
