"""What a race of settings pays for, on results that are there already.

Use it to see what would have been saved, of whom and why. Bars are as long as the splits that were
paid for, and the words at the end say what became of the setting: chosen, left, parked or dropped.
Beside it the ratings while the race went on, and what was spent and saved by split.
"""

import sys
from pathlib import Path

import winodds.demo
from winodds.tune import Rules, replay


def draw(folder: Path) -> list[Path]:
    """Write the pictures into a folder; where they are."""
    board = winodds.demo.rate_results()["digits"]
    found = replay(board, Rules(splits="independent"))
    paths = [folder / f"race-{name}.svg" for name in ("settings", "ratings", "spent")]
    found.plot.race().save(paths[0])
    found.plot.ratings().save(paths[1])
    found.plot.spent().save(paths[2])
    return paths


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    print(*draw(folder), sep="\n")
