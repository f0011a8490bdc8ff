"""A race on finished results: what it would have saved, and would it have chosen the same."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from winodds.arrays import Floats, order_of
from winodds.board.errors import NoEvidence
from winodds.board.leaderboard import Leaderboard
from winodds.language.plain import to_plain
from winodds.show import present
from winodds.tune.errors import NoSplits
from winodds.tune.race import Race
from winodds.tune.rules import Claim, Rules, Strategy
from winodds.tune.steps import STATES, End, State

if TYPE_CHECKING:
    from winodds.show.charts.plots import Plots
    from winodds.show.figures.races import RaceFigures


@dataclass(frozen=True, slots=True)
class Moment:
    """A race after one of its steps.

    Attributes
    ----------
    fits : that were paid for until then.
    split : splits that the first settings have.
    left, parked, dropped : how many settings.
    leader : who would be chosen.
    p_best : its estimated chance to be truly the best.
    changed : settings whose state changed, by "parked", "dropped" and "back".
    """

    fits: int
    split: int
    left: int
    parked: int
    dropped: int
    leader: str
    p_best: float
    changed: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Replay(present.Presented):
    """What a race would have done on a finished table.

    Attributes
    ----------
    tournament : whose table it is, for one of several.
    settings, splits : how many there are.
    fits, all_fits : that the race pays for, and that the table holds.
    choice, full_choice : the race's, and the highest mean score of the whole table.
    lost : mean score of the full search's choice minus that of the race's, on the whole table.
    state : "left", "parked" or "dropped", by setting, in the order of names.
    paid : splits that each setting was paid for, likewise.
    moments : the race step by step.
    end : why it ended.
    strategy, alpha, claim : how it was run, and what is claimed of drops, with which error rate.
    failed : scores that the table does not have; they count as fits that failed.
    """

    tournament: str | None
    settings: int
    splits: int
    fits: int
    all_fits: int
    choice: str
    full_choice: str
    lost: float
    state: Mapping[str, State]
    paid: Mapping[str, int]
    moments: tuple[Moment, ...]
    end: End
    strategy: Strategy
    alpha: float
    claim: Claim
    failed: int

    @property
    def same(self) -> bool:
        """Whether the race chooses what the full search does."""
        return self.choice == self.full_choice

    @property
    def share(self) -> float:
        """The share of fits that the race pays for."""
        return self.fits / self.all_fits

    @property
    def text(self) -> str:
        """All that in a paragraph."""
        return present.describe_replay(self)

    @property
    def figures(self) -> "RaceFigures":
        """The picture of the race as a table."""
        return present.RaceFigures(self)

    @property
    def plot(self) -> "Plots":
        """The picture, drawn."""
        return present.Plots(self.figures)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        told = {"same": self.same, "share": self.share, "text": self.text}
        return {**to_plain(asdict(self)), **told}


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
    assert race.end is not None
    full = _best_mean(scores)
    mean = np.nanmean(np.where(np.isfinite(scores), scores, np.nan), axis=1)
    last = race.steps[-1]
    return Replay(
        tournament=board.tournament,
        settings=race.settings,
        splits=race.splits,
        fits=race.fits,
        all_fits=scores.size,
        choice=names[race.choice],
        full_choice=names[full],
        lost=float(mean[full] - mean[race.choice]),
        state={name: STATES[own] for name, own in zip(names, last.state.tolist(), strict=True)},
        paid=dict(zip(names, race.paid.tolist(), strict=True)),
        moments=tuple(_moments(race, names)),
        end=race.end,
        strategy=rules.strategy,
        alpha=rules.alpha,
        claim=rules.claim,
        failed=int((~np.isfinite(scores)).sum()),
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


def _moments(race: Race, names: list[str]) -> list[Moment]:
    return [
        Moment(
            fits=int(step.paid.sum()),
            split=step.split,
            left=int(step.left.size),
            parked=int(step.parked.size),
            dropped=int(step.dropped.size),
            leader=names[step.leader],
            p_best=float(step.p_best[step.leader]),
            changed={
                act: tuple(names[one.setting] for one in step.decisions if one.act == act)
                for act in ("parked", "dropped", "back")
            },
        )
        for step in race.steps
    ]
