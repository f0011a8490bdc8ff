"""Ratings of one family's settings, in a panel for each tournament.

Use it to see how much tuning gains, and whether the same settings are good everywhere.
"""

import sys
from pathlib import Path

import winodds
import winodds.demo


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    season = winodds.rate_each(
        winodds.demo.load_results(),
        player="model",
        round="split",
        score="auc",
        tournament="dataset",
        family="family",
    )
    charts = {
        "settings.svg": season.plot.settings(family="random_forest"),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
