"""Ratings against mean scores, and the scores of single players round by round.

Use it to see what a rating adds to a mean score: a player with the lower mean can win more rounds.
"""

import sys
from pathlib import Path

import winodds.demo


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    board = winodds.demo.rate_results()["digits"]
    charts = {
        "score_against_rating.svg": board.plot.score_against_rating(),
        "scores.svg": board.plot.scores(players=board.players[:3]),
    }
    for name, chart in charts.items():
        chart.save(folder / name)
    return [folder / name for name in charts]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
