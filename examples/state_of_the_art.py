"""The scores of a contest, its best score, and what that is worth without luck.

Use it when many entries were scored on one test set. Here 500 entries are imagined that differ
little, so part of the best score is luck. Where luck does not explain it, the picture says so.
"""

import sys
from pathlib import Path

import numpy as np

import winodds


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    rng = np.random.default_rng(0)
    scores = rng.binomial(2000, rng.normal(0.78, 0.01, size=500)) / 2000
    found = winodds.estimate_sota(scores, n=2000, classes=2)
    path = folder / "entries.svg"
    found.plot.entries().save(path)
    return [path]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
