"""Races on finished results → the table of their figure.

Examples
--------
>>> import winodds.demo
>>> from winodds.tune import replay
>>> figure = replay(winodds.demo.rate_results()["digits"]).figures.race(top=3)
>>> [(row["paid"], row["word"]) for row in figure.rows]
[(13, 'chosen'), (13, 'left'), (13, 'left')]
"""

from collections.abc import Mapping, Sequence
from typing import Any

from winodds.language.checks import check_count
from winodds.language.words import count, percent
from winodds.show.figures.figure import Column, Figure
from winodds.tune.replays import Replay
from winodds.tune.steps import STATES

SHOWN = 40
"""Settings that find room, if nobody says how many."""

COLUMNS: Mapping[str, Column] = {
    "label": Column(str, "The setting."),
    "order": Column(int, "Its place in the picture, 0 at the top."),
    "paid": Column(int, "Splits that were paid for."),
    "state": Column(str, 'What became of it: "left", "parked" or "dropped".'),
    "word": Column(str, 'The same, and "chosen" for the choice of the race.'),
    "back": Column(int, "How often it came back after it was parked."),
}


class RaceFigures:
    """The figure of a race, as a table.

    Methods
    -------
    race : how many splits were paid for each setting, and what became of it.
    """

    __slots__ = ("_found",)

    def __init__(self, found: Replay) -> None:
        self._found = found

    def race(self, *, top: int | None = None) -> Figure:
        """How many splits were paid for each setting, and what became of it.

        Parameters
        ----------
        top : how many settings are shown; by default 40 at most.
        """
        if top is not None:
            check_count("top", top)
        return make_race(self._found, top=SHOWN if top is None else top)


def make_race(found: Replay, *, top: int) -> Figure:
    """The settings, first the choice, then those left, parked and dropped, by splits paid."""

    def place(name: str) -> tuple[bool, int, int, str]:
        return name != found.choice, STATES.index(found.state[name]), -found.paid[name], name

    names = sorted(found.state, key=place)
    shown = names[:top]
    back = [sum(name in moment.changed["back"] for moment in found.moments) for name in shown]
    states = [found.state[name] for name in shown]
    cells: dict[str, Sequence[Any]] = {
        "label": shown,
        "order": list(range(len(shown))),
        "paid": [found.paid[name] for name in shown],
        "state": states,
        "word": ["chosen" if name == found.choice else found.state[name] for name in shown],
        "back": back,
    }
    rest = len(names) - len(shown)
    left_out = f"{count(rest, 'more setting')} are not shown." if rest else ""
    return Figure(
        name="race",
        title=f"What a race pays for: {percent(found.share)} of the fits",
        caption=f"{_caption(found)} {left_out}".strip(),
        columns=COLUMNS,
        cells=cells,
        facts={"splits": found.splits},
        left_out=left_out,
    )


def _caption(found: Replay) -> str:
    """How to read it."""
    dropped = "Dropped settings were refuted as the best."
    if found.claim == "off":
        dropped = "Nothing is claimed of these splits, so nothing is dropped."
    elif found.claim == "simulated":
        dropped += " For folds, how seldom that is wrong was only simulated."
    parked = ""
    if found.strategy == "park":
        parked = "Parked settings were unlikely to be truly better than the leader (estimated). "
    return (
        f"Splits paid for each of {count(found.settings, 'setting')}, of {found.splits:,}. "
        f"{parked}{dropped}"
    )
