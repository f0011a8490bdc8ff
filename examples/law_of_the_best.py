"""What to expect of the best of many scores, and how that grows with the number of entries.

Use it before a contest, or to judge one of which only the best score is known: all of 1,000 entries
are right in 90% of the cases, and still the best score is above 91%.
"""

import sys
from pathlib import Path

import winodds


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    law = winodds.law_of_maximum(1000, theta=0.9, n=3000)
    charts = {
        "law.svg": law.plot.law(),
        "curves.svg": law.plot.curves(over="players"),
        "curves_of_correlation.svg": law.plot.curves(over="correlation"),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
