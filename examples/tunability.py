"""What tuning gains: how often the best setting of each family beats its default.

Use it to see what to tune first, and how much of a gain is the luck of the pick.
"""

import sys
from pathlib import Path

import winodds.demo


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    season = winodds.demo.rate_results(family="family")
    charts = {
        "tunability.svg": season.plot.tunability(default="(default)"),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
