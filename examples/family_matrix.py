"""Which family's best beats which: over all tournaments, and in one of them.

Use it to compare algorithms at their best, without the luck of having many settings.
"""

import sys
from pathlib import Path

import winodds.demo


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    season = winodds.demo.rate_results(family="family")
    charts = {
        "family_matrix.svg": season.plot.family_matrix(),
        "family_matrix_of_digits.svg": season.plot.family_matrix(tournament="digits"),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
