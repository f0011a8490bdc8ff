"""Which results are there: by round in one tournament, and by tournament in a season.

Use it before you trust a table that was collected from several places. Here most of the built-in
results are left out, so that there are gaps to be seen.
"""

import sys
from pathlib import Path

import winodds
import winodds.demo


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    results = winodds.demo.load_results().sample(fraction=0.1, seed=3)
    season = winodds.rate_each(
        results, player="model", round="split", score="auc", tournament="dataset"
    )
    charts = {
        "gaps.svg": season["digits"].plot.gaps(),
        "fill_in.svg": season.plot.fill_in(),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
