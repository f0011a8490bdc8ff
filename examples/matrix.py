"""Ratings of all players in all tournaments, as a heat map.

Use it to see who is good everywhere and who in one place only; cells without a result stay empty.
"""

import sys
from pathlib import Path

import winodds.demo


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    season = winodds.demo.rate_results()
    charts = {
        "matrix.svg": season.plot.matrix(),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
