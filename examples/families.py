"""Ratings by family: in one tournament, in each of several, and over all of them.

Use it to see whether an algorithm matters more than its settings, and whether that holds elsewhere.
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
        "families.svg": season["digits"].plot.families(),
        "boxes.svg": season.plot.boxes(),
        "boxes_by_tournament.svg": season.plot.boxes(by="tournament"),
        "boxes_together.svg": season.plot.boxes(together=True),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
