"""The command that a refusal prints: it has all that was missing, and it works as it stands."""

import shlex
from pathlib import Path

import pytest

from winodds.cli.main import run

UP = "\n     (--lower-is-better instead, if lower is better)"

pytestmark = pytest.mark.usefixtures("folder")


def refused(
    text: str | bytes, capsys: pytest.CaptureFixture[str], *words: str, name: str = "t.csv"
) -> str:
    """What is printed below a refusal; the command in it is run."""
    Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    assert run(["rate", name, *words]) in (1, 2)
    told = capsys.readouterr().err.partition("Try: ")[2].removesuffix("\n")
    if told:
        assert run([*shlex.split(told.splitlines()[0])[1:], "--no-details", "--quiet"]) == 0
        capsys.readouterr()
    return told


@pytest.mark.parametrize(
    ("text", "words", "command"),
    [
        (
            "Dataset,A,B\niris,.9,.8\nwine,.7,.6\n",
            "",
            f"winodds rate t.csv --wide --higher-is-better{UP}",
        ),
        # What is left out and what names the rows, too.
        (
            "Approach,paper,iris,wine,Mean\nA,x,.9,.8,.85\nB,y,.7,.6,.65\n",
            "",
            "winodds rate t.csv --wide --player Approach --ignore paper,Mean --higher-is-better"
            + UP,
        ),
        (
            "model,size,iris,wine\nA,s,.9,.8\nA,l,.8,.7\nB,s,.7,.6\nB,l,.6,.9\n",
            "",
            f"winodds rate t.csv --wide --player model,size --higher-is-better{UP}",
        ),
        (
            "model,FID ↓,IS ↑\nA,3,200\nB,4,100\nC,5,90\n",
            "",
            "winodds rate t.csv --wide",
        ),
        # A row that sums up others.
        (
            "task,A,B\niris,.9,.8\nwine,.7,.6\nMean,.8,.7\n",
            "--wide --higher-is-better",
            "winodds rate t.csv --wide --higher-is-better --ignore Mean",
        ),
        # What was typed and stands in the way is gone.
        (
            "model,FID ↓,IS ↑\nA,3,200\nB,4,100\nC,5,90\n",
            "--wide --higher-is-better",
            "winodds rate t.csv --wide",
        ),
        (
            "model,fold,seed,acc\nA,1,1,.9\nB,1,1,.8\nA,1,2,.7\nB,1,2,.9\n",
            "",
            "winodds rate t.csv --round fold,seed",
        ),
        (
            "model,metric,value\nA,acc,.9\nB,acc,.8\nA,rmse,2\nB,rmse,3\n",
            "",
            "winodds rate t.csv --round metric",
        ),
        (
            "model,fold,acc\nA,1,91%\nB,1,90%\nA,2,89%\nB,2,85%\n",
            "",
            "winodds rate t.csv --percent",
        ),
        # Nobody knows what is meant.
        ("a,b,c\nx,y,z\n", "", ""),
    ],
)
def test_a_refusal_ends_with_the_whole_command(
    text: str, words: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(text, capsys, *words.split()) == command


def test_another_encoding_takes_the_place_of_the_one_that_was_typed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = "model,fold,auc\né,1,.9\nB,1,.8\né,2,.9\nB,2,.7\n".encode("latin-1")
    for words in (["--encoding", "utf-8"], ["--encoding=utf-8"], []):
        command = "winodds rate t.csv --encoding latin-1"
        assert refused(table, capsys, *words) == command


def test_a_file_alone_is_a_command_too(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a b.csv").write_text("model,iris,wine\nA,.9,.8\nB,.8,.7\n")
    assert run(["a b.csv"]) == 2
    assert "Try: winodds 'a b.csv' --wide --higher-is-better\n" in capsys.readouterr().err
