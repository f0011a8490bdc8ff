"""Races of settings → the tables of their figures.

Examples
--------
>>> import winodds.demo
>>> from winodds.tune import replay
>>> figures = replay(winodds.demo.rate_results()["digits"]).figures
>>> [(row["paid"], row["word"]) for row in figures.race(top=3).rows]
[(13, 'chosen'), (13, 'left'), (13, 'left')]
>>> [row["paid"] for row in figures.spent().rows[:5]]
[20, 20, 20, 9, 9]
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from winodds.language.checks import check_count
from winodds.language.words import count, percent
from winodds.show.figures.figure import Column, Figure
from winodds.show.figures.labels import label_names
from winodds.show.words.race import REASONS
from winodds.tune.courses import Course, Turn
from winodds.tune.steps import STATES

SHOWN = 40
"""Settings that find room, if nobody says how many."""

LINES = 8
"""Settings whose ratings are drawn as lines, likewise."""

LABEL = Column(str, "The setting.")
STATE = Column(str, 'What became of it: "left", "parked" or "dropped".')

RACE: Mapping[str, Column] = {
    "label": LABEL,
    "order": Column(int, "Its place in the picture, 0 at the top."),
    "paid": Column(int, "Splits that were paid for."),
    "state": STATE,
    "word": Column(str, 'The same, and "chosen" for the choice of the race.'),
    "why": Column(str, "Why it was parked or dropped at last; empty for those left."),
    "chance": Column(float, "The chance to be truly better than the leader then; none of a drop."),
    "back": Column(int, "How often it came back after it was parked."),
}

RATINGS: Mapping[str, Column] = {
    "label": LABEL,
    "order": Column(int, "Its place, 0 for the choice of the race."),
    "split": Column(int, "After so many splits."),
    "epp": Column(float, "EPP on the splits that were paid for until then."),
    "low": Column(float, "Lower end of its 95% interval; none if it is open."),
    "high": Column(float, "Upper end, likewise."),
    "p_best": Column(float, "Estimated probability to be truly the best."),
    "state": STATE,
    "last": Column(bool, "Whether it has no later rating, because it was not paid for any more."),
}

SPENT: Mapping[str, Column] = {
    "split": Column(int, "Number of the split."),
    "paid": Column(int, "Fits that were paid for: settings that ran the split."),
    "parked": Column(int, "Fits that were saved because their settings are parked."),
    "dropped": Column(int, "Fits that were saved because their settings are dropped."),
    "stopped": Column(int, "Fits that were saved because the race ended."),
}


class RaceFigures:
    """Figures of a race, each a small table with a title, a caption and help texts.

    ======= ======================================================================================
    race    how many splits were paid for each setting, what became of it and why
    ratings EPP of the settings that ran longest, split by split
    spent   fits that were paid for and saved, by split
    ======= ======================================================================================
    """

    __slots__ = ("_found",)

    def __init__(self, found: Course) -> None:
        self._found = found

    def race(self, *, top: int | None = None) -> Figure:
        """How many splits were paid for each setting, what became of it and why.

        Parameters
        ----------
        top : how many settings are shown; by default 40 at most.
        """
        if top is not None:
            check_count("top", top)
        return make_race(self._found, top=SHOWN if top is None else top)

    def ratings(self, *, top: int = LINES) -> Figure:
        """EPP of the settings that ran longest, split by split.

        Parameters
        ----------
        top : how many settings are shown.
        """
        check_count("top", top)
        return make_ratings(self._found, top=top)

    def spent(self) -> Figure:
        """Fits that were paid for and saved, by split."""
        return make_spent(self._found)


# Who was paid for how long ------------------------------------------------------------------------


def make_race(found: Course, *, top: int) -> Figure:
    """A row for each setting, in their order."""
    names = found.in_order()
    shown = names[:top]
    turns, back = found.last_turns(), found.comebacks()
    why = [_reason(turns.get(name)) for name in shown]
    cells: dict[str, Sequence[Any]] = {
        "label": label_names(shown),
        "order": list(range(len(shown))),
        "paid": [found.paid[name] for name in shown],
        "state": [found.state[name] for name in shown],
        "word": ["chosen" if name == found.choice else found.state[name] for name in shown],
        "why": [reason for reason, _ in why],
        "chance": [chance for _, chance in why],
        "back": [back.get(name, 0) for name in shown],
    }
    rest = len(names) - len(shown)
    left_out = f"{count(rest, 'more setting')} are not shown." if rest else ""
    return Figure(
        name="race",
        title=f"What a race pays for: {percent(found.share)} of the fits",
        caption=f"{_caption(found)} {left_out}".strip(),
        columns=RACE,
        cells=cells,
        facts={"splits": found.splits},
        left_out=left_out,
    )


def _reason(turn: Turn | None) -> tuple[str, float | None]:
    """Why a setting was parked or dropped at last, with the chance it had."""
    if turn is None or turn.act == "back":
        return "", None
    return REASONS[turn.reason], turn.chance


def _caption(found: Course) -> str:
    """How to read it."""
    dropped = "Dropped settings were refuted as the best."
    if found.claim == "off":
        dropped = "Nothing is claimed of these splits, so nothing is dropped."
    elif found.claim == "simulated":
        dropped += " For folds, how seldom that is wrong was only simulated."
    parked = ""
    if found.strategy == "park":
        parked = (
            "Parked settings were unlikely to be truly better than the leader, or others were "
            "likelier (estimated), or fits of theirs failed. "
        )
    return (
        f"Splits paid for each of {count(found.settings, 'setting')}, of {found.splits:,}. "
        f"{parked}{dropped}"
    )


# Ratings over time --------------------------------------------------------------------------------


def make_ratings(found: Course, *, top: int) -> Figure:
    """A row for each of some settings after each split that it ran with the first."""
    names = sorted(found.in_order(), key=lambda own: (own != found.choice, -found.paid[own]))
    shown = names[:top]
    rows = sorted(_rate_shown(found, shown), key=lambda row: (row[1], row[2]))
    last = [*(row[1] != after[1] for row, after in pairwise(rows)), True]
    cells = [*zip(*rows, strict=True), last]
    rest = len(names) - len(shown)
    left_out = f"{count(rest, 'more setting')} are not shown." if rest else ""
    parked = ""
    if found.strategy == "park":
        parked = ", and has no point where it was parked for a while"
    caption = (
        f"EPP after each split: log-odds to beat the average setting on a new split, on what was "
        f"paid for until then. A line ends where its setting was not paid for any more{parked}. "
        f"The band is the 95% interval of the choice. {left_out}"
    )
    return Figure(
        name="ratings",
        title="Ratings while the race went on",
        caption=caption.strip(),
        columns=RATINGS,
        cells=dict(zip(RATINGS, cells, strict=True)),
        facts={"first": found.moments[0].split, "last": found.moments[-1].split},
        left_out=left_out,
    )


def _rate_shown(found: Course, shown: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The last step on each split, setting by setting: the cells but for the last column."""
    race, labels = found.race, label_names(shown)
    numbers = [list(found.state).index(name) for name in shown]
    for split, k in {step.split: k for k, step in enumerate(race.steps)}.items():
        rated, step = race.rate(k), race.steps[k]
        for place, number in enumerate(numbers):
            if step.paid[number] < split:
                continue
            ends = (rated.low[number], rated.high[number])
            yield (
                labels[place],
                place,
                split,
                float(rated.epp[number]),
                *(float(end) if np.isfinite(end) else None for end in ends),
                float(step.p_best[number]),
                found.state[shown[place]],
            )


# Spent and saved ----------------------------------------------------------------------------------


def make_spent(found: Course) -> Figure:
    """A row for each split: how many settings ran it, and why the others did not."""
    paid = np.array(list(found.paid.values()))
    state = np.array([STATES.index(own) for own in found.state.values()])
    splits = np.arange(1, found.splits + 1)
    unpaid = paid[:, None] < splits
    stopped, parked, dropped = (
        (unpaid & (state == kind)[:, None]).sum(axis=0).tolist() for kind in range(3)
    )
    saved = found.all_fits - found.fits
    parts = (
        ("on parked settings", parked),
        ("on dropped settings", dropped),
        ("because the race ended", stopped),
    )
    by = [f"{sum(fits):,} {why}" for why, fits in parts if sum(fits)]
    said = f": {', '.join(by)}" if by else ""
    return Figure(
        name="spent",
        title=f"Spent on {found.fits:,} fits, saved {saved:,}",
        caption=(
            f"Fits of {count(found.settings, 'setting')} on each split. Of "
            f"{count(found.all_fits, 'fit')} of a full search, {saved:,} were saved{said}."
        ),
        columns=SPENT,
        cells={
            "split": splits.tolist(),
            "paid": (~unpaid).sum(axis=0).tolist(),
            "parked": parked,
            "dropped": dropped,
            "stopped": stopped,
        },
        facts={"settings": found.settings},
    )
