"""Players and tournaments in one plane, by principal components of the ratings.

Use it to see which data sets order players alike: arrows in the same direction agree, and players
far along an arrow do well there.
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
        "biplot.svg": season.plot.biplot(),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
