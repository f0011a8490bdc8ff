"""What figures of a leaderboard share: columns, words, checks and interval ends."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from winodds.arrays import Floats
from winodds.board.errors import NoCommonScale, NoEvidence
from winodds.board.leaderboard import Leaderboard
from winodds.board.notes import find_cuts
from winodds.show.figures.extent import LABELLED
from winodds.show.figures.figure import Column
from winodds.show.figures.labels import WIDTH, label_names, make_visible
from winodds.show.layout.fitting import shorten

MARGIN = 0.05
"""Share of an axis that stays free at either end."""

LONG = 120
"""Signs of a sentence from which on names are left out."""

ORDER = Column(int, "Place on the leaderboard, 1 is the first.")
PLAYER = Column(str, "Name of the player.")
LABEL = Column(str, "The name as it is drawn: shortened, and different for different players.")
START = Column(float, "Where the bar begins; at an open end, the edge of the plot.")
STOP = Column(float, "Where the bar ends; at an open end, the edge of the plot.")


def cells_of(
    columns: Mapping[str, Column], rows: Sequence[Mapping[str, Any]]
) -> dict[str, list[Any]]:
    """The cells of each column; None where a row has none.

    >>> cells_of({"a": ORDER, "b": ORDER}, [{"a": 1}, {"a": 2, "b": 3}])
    {'a': [1, 2], 'b': [None, 3]}
    """
    return {name: [row.get(name) for row in rows] for name in columns}


def labels_at(board: Leaderboard, places: Iterable[int]) -> list[str]:
    """Labels of the players at some places: the same in all figures of the board."""
    if len(board) > LABELLED:
        return label_names([board.players[place] for place in places])
    labels = label_names(board.players)
    return [labels[place] for place in places]


def describe_cut(board: Leaderboard) -> str:
    """Said of a board that was cut when it was written."""
    return "" if board.whole else "The leaderboard was written with its first rows only."


def title_of(board: Leaderboard, words: str) -> str:
    """A title, with the tournament where there is one."""
    return (
        f"{shorten(make_visible(board.tournament), WIDTH)}: {words}" if board.tournament else words
    )


def rating_axis(board: Leaderboard) -> str:
    """What the axis of the ratings shows."""
    return f"EPP (log-odds of beating {opponent(board)})"


def opponent(board: Leaderboard) -> str:
    """Whom a rating compares a player with."""
    reference = board.how.reference
    if reference is None:
        return board.how.nouns.average(board.how.averaged)
    return shorten(make_visible(reference), WIDTH)


def require_one_scale(board: Leaderboard) -> None:
    """Refuse a board of components that never met: there, ranks begin anew."""
    back = np.flatnonzero(np.diff(board.standings.rank) < 0)
    if back.size:
        raise NoCommonScale(first=board.players[0], second=board.players[int(back[0]) + 1])
    if board.whole and not board.has_one_scale:
        second = board.components.starts[1]
        raise NoCommonScale(first=board.players[0], second=board.players[second])


def require_whole(board: Leaderboard) -> None:
    """Refuse a board that was cut when it was written."""
    if not board.whole:
        raise NoEvidence()


@dataclass(frozen=True, slots=True)
class Bars:
    """Intervals as they are drawn.

    Attributes
    ----------
    domain : both ends of the axis.
    low, high : ends of the intervals; None where they are open.
    start, stop : ends of the bars; those of open intervals are the ends of the axis.
    """

    domain: tuple[float, float]
    low: list[float | None]
    high: list[float | None]
    start: list[float]
    stop: list[float]


def make_bars(value: Floats, low: Floats, high: Floats) -> Bars:
    """Bars from ``low`` to ``high`` around ``value``; infinite ends are open.

    >>> import numpy as np
    >>> bars = make_bars(np.array([0.0, 1.0]), np.array([-1.0, 0.0]), np.array([1.0, np.inf]))
    >>> bars.high, bars.stop[1] == bars.domain[1] > 1.0
    ([1.0, None], True)
    """
    begin, end = span(np.concatenate([value, low, high]))
    return Bars(
        domain=(begin, end),
        low=[x if np.isfinite(x) else None for x in low.tolist()],
        high=[x if np.isfinite(x) else None for x in high.tolist()],
        start=np.where(np.isfinite(low), low, begin).tolist(),
        stop=np.where(np.isfinite(high), high, end).tolist(),
    )


def span(values: Floats) -> tuple[float, float]:
    """Both ends of an axis that holds all finite values, with a margin.

    >>> import numpy as np
    >>> span(np.array([0.0, 10.0, np.inf])), span(np.array([3.0]))
    ((-0.5, 10.5), (2.0, 4.0))
    """
    finite = values[np.isfinite(values)]
    low, high = float(finite.min()), float(finite.max())
    if low == high:
        return low - 1.0, high + 1.0
    margin = MARGIN * (high - low)
    return low - margin, high + margin


def describe_open(
    board: Leaderboard, lows: Sequence[float | None], highs: Sequence[float | None]
) -> str:
    """How open ends are drawn, where there are any, and why they are open."""
    if None not in {*lows, *highs}:
        return ""
    cuts = describe_cuts(board)
    if not cuts:
        return "An arrow marks an end that is open."
    averaged = any(part.intervals.average_set is not None for part in board.components)
    if board.how.reference is None and not averaged:
        unknown = "So the average player's place is not known, and ends are open (arrows)."
    else:
        unknown = "How wide such a gap is, nobody knows, so ends across it are open (arrows)."
    return " ".join([*cuts, unknown])


def describe_cuts(board: Leaderboard) -> list[str]:
    """Which players won or lost every match against which; without names that would fill lines."""
    found = []
    for part, names in board.components.named(board.players):
        structure = part.intervals.structure
        if structure.separated:
            cuts = find_cuts(structure, names, range(len(names)))
            named = cuts.describe()
            found.append(named if len(named) <= LONG else cuts.describe(named=False))
    return found


def newly(board: Leaderboard) -> str:
    """On what occasion one player beats another: "in a new round"."""
    nouns = board.how.nouns
    won = f"in a new {nouns.won(board.how.matches.kind)}"
    return f"{won} of a new {nouns.tournament}" if board.how.new_tournaments else won


def robust_words(board: Leaderboard) -> str:
    """Said of letters and ranks where the intervals beside them are of another kind."""
    model = board.how.interval.kind == "model"
    return "Letters and ranks stay robust, although the intervals are model-based." if model else ""
