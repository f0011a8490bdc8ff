"""Players in the order of their ratings, with intervals and letters, and the ranks they could have.

Look at this first: which players stand where, how sure that is, and who cannot be told apart.
Points are ratings (EPP), bars their intervals; an arrow marks an interval that is open, because the
player won or lost every match that could end it. The second picture shows the range of ranks.
"""

import sys
from pathlib import Path

import winodds.demo


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    board = winodds.demo.rate_results()["digits"]
    board.details()  # letters and ranks, which are computed when they are asked for
    charts = {
        "ranking.svg": board.plot.ranking(),
        "rank_sets.svg": board.plot.rank_sets(),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
