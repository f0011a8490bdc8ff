"""Where commands are tried: a folder of their own, with a small file."""

from pathlib import Path

import pytest

SMALL = """model,fold,auc
A,1,0.90
B,1,0.80
C,1,0.70
A,2,0.95
B,2,0.70
C,2,0.80
A,3,0.70
B,3,0.81
C,3,0.79
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one, and a terminal of 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def small(folder: Path) -> str:
    """A file in the current folder."""
    (folder / "small.csv").write_text(SMALL)
    return "small.csv"
