"""Build the wheel, install it in a clean environment without extras, and use it there.

What only works from the source folder, or only because a developer's package is installed, fails
here.
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

USE = """
import sys
import polars as pl
import winodds

heavy = {"altair", "jinja2", "rich", "click", "sklearn", "optuna", "pandas", "pyarrow"}
loaded = heavy & set(sys.modules)
assert not loaded, f"import winodds loads {loaded}"
assert "site-packages" in winodds.__file__, winodds.__file__
table = pl.DataFrame({
    "model": ["A"] * 4 + ["B"] * 4,
    "fold": [1, 2, 3, 4] * 2,
    "auc": [0.8, 0.8, 0.8, 0.8, 0.9, 0.78, 0.78, 0.78],
})
board = winodds.rate(table, player="model", round="fold", score="auc", estimator="mle")
assert abs(board.win_probability("A", "B").value - 0.75) < 1e-12
assert winodds.Leaderboard.from_json(board.to_json()).players == ("A", "B")
assert winodds.leaderboard_schema()["title"]
print(board)
"""


def main() -> None:
    """Build, install and use the wheel; any failure ends the program with its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", folder, str(ROOT))
        (wheel,) = work.glob("winodds-*.whl")
        venv.create(work / "env", with_pip=True)
        python = str(work / "env" / "bin" / "python")
        constraints = str(ROOT / "constraints.txt")
        run(python, "-m", "pip", "install", "--constraint", constraints, str(wheel))
        run(python, "-c", USE, cwd=work)
        command = str(work / "env" / "bin" / "winodds")
        run(command, "demo", "--output", "demo", cwd=work)
        run(command, "rate", "demo/results.csv", "--player", "model", cwd=work)


def run(*command: str, cwd: Path | None = None) -> None:
    """Run a command; print what it said only when it fails."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command[:4])} … failed:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
