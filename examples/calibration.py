"""Observed against fitted shares of wins, a point for each pair of players.

Use it to see whether ratings explain who beats whom: points should lie along the diagonal.
"""

import sys
from pathlib import Path

import winodds.demo


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    board = winodds.demo.rate_results()["digits"]
    charts = {
        "calibration.svg": board.plot.calibration(),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
