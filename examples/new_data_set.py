"""How one player will do against the others on a data set that nobody has seen yet.

Use it to choose a model for new data: a thin line across one half says that others may be better.
"""

import sys
from pathlib import Path

import winodds.demo


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    season = winodds.demo.rate_results(family="family")
    charts = {
        "new_data_set.svg": season.plot.new_data_set(),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
