"""What a race of settings pays for, on results that are there already.

Use it to see what would have been saved. Bars are as long as the splits that were paid for, and the
word at the end says what became of the setting: chosen, left, parked or dropped.
"""

import sys
from pathlib import Path

import winodds.demo
from winodds.tune import Rules, replay


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    board = winodds.demo.rate_results()["digits"]
    found = replay(board, Rules(splits="independent", strategy="prove"))
    path = folder / "race.svg"
    found.plot.race().save(path)
    return [path]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
