"""Completion, tried in a bash as people have it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from winodds.cli.completing import split_line

TABLE = """\
model,dataset,fold,auc
knn(k=1),iris,1,0.9
knn(k=10),iris,1,0.8
random forest,iris,1,0.7
a*b,iris,1,0.6
"""

TRY = """\
source completion.bash
COMP_LINE=$1 COMP_POINT=${#1}
compopt() { printf 'compopt %s\\n' "$*" >&2; }
_winodds_completion winodds
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""Calls what bash would call when the tabulator is pressed at the end of a line."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    folder = tmp_path_factory.mktemp("completion")
    (folder / "r.csv").write_text(TABLE)
    (folder / "my results.csv").write_text(TABLE.replace("model", "clf"))
    (folder / "battles.csv").write_text("model_a,model_b,winner\nx1,x2,model_a\nx2,x3,model_b\n")
    (folder / "wide.csv").write_text("data set,svm,svc\niris,0.1,0.2\n")
    (folder / "aXb").write_text("a file that a star would find")
    command = folder / "winodds"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m winodds "$@"\n')
    command.chmod(0o755)
    script = subprocess.run(
        [sys.executable, "-m", "winodds", "completion", "bash"],
        capture_output=True,
        text=True,
        check=True,
    )
    (folder / "completion.bash").write_text(script.stdout)
    return folder


def completed(folder: Path, line: str) -> list[str]:
    """What bash offers at the end of a line."""
    done = subprocess.run(
        ["bash", "-c", TRY, "bash", line],
        cwd=folder,
        env={"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Traceback" not in done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("winodds rate r.csv --player ", ["model", "dataset", "fold", "auc"]),
        ("winodds r.csv --score a", ["auc"]),
        ("winodds rate 'my results.csv' --player c", ["clf"]),
        ("winodds rate r.csv --ignore d", ["dataset"]),
        ("winodds compare r.csv --seed 1 ", ["a*b", "knn(k=1)", "knn(k=10)", "random forest"]),
        ("winodds compare r.csv random\\ forest kn", ["knn(k=1)", "knn(k=10)"]),
        ("winodds compare r.csv knn\\(k=", ["1)", "10)"]),
        ('winodds compare r.csv "knn(k=1', ["knn(k=1)", "knn(k=10)"]),
        ("winodds rate r.csv --reference=ra", ["random forest"]),
        ("winodds compare battles.csv x", ["x1", "x2", "x3"]),
        ("winodds gate --table r.csv kn", ["knn(k=1)", "knn(k=10)"]),
        ("winodds plot r.csv scores --players a", ["a*b"]),
        ("winodds rate nowhere.csv --player ", [""]),
        ("winodds compare wide.csv --wide --player x s", [""]),
        ("winodds rate r.csv --est", ["--estimator"]),
    ],
)
def test_bash_offers_columns_and_players(line: str, offered: list[str], folder: Path) -> None:
    assert completed(folder, line) == offered


@pytest.mark.parametrize(
    ("line", "words", "kept"),
    [
        ("", [""], ""),
        ("winodds ra", ["winodds", "ra"], ""),
        ("a  b ", ["a", "b", ""], ""),
        ("a 'b c'd", ["a", "b cd"], ""),
        ('a "b \\" c', ["a", 'b " c'], ""),
        ("a b=c:d", ["a", "b=c:d"], "b=c:"),
        ("a b\\=c", ["a", "b=c"], ""),
        ("a ''", ["a", ""], ""),
    ],
)
def test_a_line_is_parted_as_bash_parts_it(line: str, words: list[str], kept: str) -> None:
    assert split_line(line) == (words, kept)
