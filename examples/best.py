"""How likely each player is truly the best, with the luck of coming out first taken into account.

Use it before you write "X is the best": players with a dot and a filled bar could truly be it.
"""

import sys
from pathlib import Path

import winodds.demo


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    board = winodds.demo.rate_results()["digits"]
    charts = {
        "best.svg": board.plot.best(),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
