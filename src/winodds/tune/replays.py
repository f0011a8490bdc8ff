"""A race on finished results: what it would have saved, and would it have chosen the same."""

from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from winodds.arrays import Floats, order_of
from winodds.board.errors import NoEvidence
from winodds.board.leaderboard import Leaderboard
from winodds.show import present
from winodds.tune.courses import Course, tell_course
from winodds.tune.errors import NoSplits
from winodds.tune.race import Race
from winodds.tune.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay(Course):
    """What a race would have done on a finished table.

    Attributes
    ----------
    tournament : whose table it is, for one of several.
    full_choice : the highest mean score of the whole table.
    lost : mean score of the full search's choice minus that of the race's, on the whole table.
    failed : scores that the table does not have; they count as fits that failed.
    board : the board whose results were raced on.

    The other attributes are those of a `Course`.
    """

    tournament: str | None
    full_choice: str
    lost: float
    failed: int
    board: Leaderboard = field(compare=False, repr=False)

    @property
    def same(self) -> bool:
        """Whether the race chooses what the full search does."""
        return self.choice == self.full_choice

    @property
    def text(self) -> str:
        """All that in a paragraph."""
        return present.describe_replay(self)

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write the board as one page that tells the race, too; see `Leaderboard.report`."""
        told = copy(self.board)
        told.race = self
        return told.report(path, title=title)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**Course.to_dict(self), "same": self.same}


def replay(board: Leaderboard, rules: Rules | None = None) -> Replay:
    """Race the players of a board over its rounds, in their order.

    The board holds all results; the race looks at those that it pays for.

    Parameters
    ----------
    board : of scores within rounds; players are settings and rounds are splits.
    rules : of the race. By default settings are parked, and nothing is claimed, because a table
        does not tell how its rounds hang together: ``Rules(splits="independent")`` says it.

    Examples
    --------
    >>> import winodds.demo
    >>> board = winodds.demo.rate_results()["digits"]
    >>> found = replay(board)
    >>> found.all_fits, found.same
    (400, True)
    """
    rules = Rules(splits="dependent") if rules is None else rules
    names, scores = _scores_of(board)
    race = Race(scores.shape[0], scores.shape[1], rules)
    while race.wanted:
        for setting, split in race.wanted:
            race.tell(setting, split, float(scores[setting, split]))
    full = _best_mean(scores)
    mean = np.nanmean(np.where(np.isfinite(scores), scores, np.nan), axis=1)
    return Replay(
        **tell_course(race, names),
        tournament=board.tournament,
        full_choice=names[full],
        lost=float(mean[full] - mean[race.choice]),
        failed=int((~np.isfinite(scores)).sum()),
        board=board,
    )


def _scores_of(board: Leaderboard) -> tuple[list[str], Floats]:
    """Names in their order, and (k, T) scores, larger is better; NaN where there is none."""
    parts = list(board.components)
    if not parts:
        raise NoEvidence()
    games = parts[0].games
    if len(parts) > 1 or games.kind != "within":
        raise NoSplits(components=len(parts))
    table = games.encounters().table.T.astype(np.float64)
    order = sorted(range(len(board.players)), key=lambda k: board.players[k])
    return [board.players[k] for k in order], table[order]


def _best_mean(scores: Floats) -> int:
    """Whom a full search chooses: the highest mean score of those without failures."""
    failures = (~np.isfinite(scores)).sum(axis=1)
    held = np.where(np.isfinite(scores), scores, 0.0)
    mean = held.sum(axis=1) / np.maximum(scores.shape[1] - failures, 1)
    fewest = np.flatnonzero(failures == failures.min())
    scale = max(float(np.abs(mean).max()), 1e-290)
    return int(fewest[order_of(-mean[fewest] / scale)[0]])
