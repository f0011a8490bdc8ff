"""``python -m winodds.demo FOLDER``: rate the built-in results, print the boards, write them."""

import sys
from pathlib import Path

from winodds.demo import load_results
from winodds.leaderboard import Leaderboard
from winodds.rate import rate_each
from winodds.show.text import describe_duel, render_text


def main(folder: Path) -> None:
    """Print a leaderboard for each data set and a duel in words; write the boards as JSON."""
    season = rate_each(
        load_results(), player="model", round="split", score="auc", tournament="dataset"
    )
    for name, board in season.items():
        print(f"\n{name}: {_size(board)}\n\n{render_text(board, top=5)}\n")
        print(describe_duel(board, board.players[0], board.players[1]))
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / "leaderboards.json"
    output.write_text(season.to_json(indent=1), encoding="utf-8")
    print(f"\nAll four leaderboards, with every player: {output}")


def _size(board: Leaderboard) -> str:
    matches, rounds = board.how.matches["count"], board.how.interval["clusters"]
    return f"{len(board)} models, {rounds} splits, {matches:,} matches"


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo-output"))
