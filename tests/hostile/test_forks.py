"""Workers that are forks: told apart, and never left waiting."""

import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import multiprocessing, sys
import polars, winodds
table = polars.DataFrame({
    "player": ["A"] * 4 + ["B"] * 4,
    "round": [1, 2, 3, 4] * 2,
    "score": [.8, .8, .8, .8, .9, .78, .78, .78],
})
def work(_):
    return winodds.rate(table, higher_is_better=True).players
if __name__ == "__main__":
    if sys.argv[1] == "after":
        work(0)
    with multiprocessing.get_context(sys.argv[2]).Pool(1) as pool:
        try:
            print(pool.map(work, [0]))
        except winodds.UseError as error:
            print(type(error).__name__)
"""


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="children are born by fork"
)
@pytest.mark.parametrize(
    ("when", "how", "printed"),
    [
        ("after", "fork", "ForkedProcess"),
        ("before", "fork", "[('A', 'B')]"),
        ("after", "forkserver", "[('A', 'B')]"),
        ("after", "spawn", "[('A', 'B')]"),
    ],
)
def test_a_fork_after_a_rating_is_told_to_start_workers_another_way(
    tmp_path: Path, when: str, how: str, printed: str
) -> None:
    script = tmp_path / "work.py"
    script.write_text(CODE)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script), when, how],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip() == printed
