"""A line that says how far a race is."""

import sys
from types import TracebackType

from winodds.tune.race import Race

WIDTH = 24


class Progress:
    """A bar on standard error, drawn anew where that is a terminal, and else once a step."""

    def __init__(self, race: Race, *, shown: bool) -> None:
        self._race = race
        self._shown = shown
        self._steps = -1
        self._alive = shown and sys.stderr.isatty()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._alive:
            sys.stderr.write("\n")

    def show(self) -> None:
        """Say how far it is, if that is wanted and there is news."""
        if not self._shown:
            return
        new = len(self._race.steps) > max(self._steps, 0)
        self._steps = len(self._race.steps)
        if self._alive:
            sys.stderr.write(f"\r{progress_line(self._race)}\x1b[K")
            sys.stderr.flush()
        elif new:
            sys.stderr.write(f"{progress_line(self._race)}\n")


def progress_line(race: Race) -> str:
    """Fits, and who is left.

    >>> progress_line(Race(50, 20))
    '[                        ] 0 of at most 1,000 fits: 50 left, 0 parked, 0 dropped'
    """
    most = race.settings * race.splits
    done = round(WIDTH * race.fits / most)
    left, parked, dropped = race.settings, 0, 0
    if race.steps:
        last = race.steps[-1]
        left, parked, dropped = last.left.size, last.parked.size, last.dropped.size
    return (
        f"[{'#' * done:{WIDTH}}] {race.fits:,} of at most {most:,} fits: {left:,} left, "
        f"{parked:,} parked, {dropped:,} dropped"
    )
