"""A leaderboard's best players, with the luck of being picked taken out."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from scipy.special import expit, ndtr

from winodds.arrays import EQUAL, Floats, Ints, at_least, order_of
from winodds.board import notes as note
from winodds.board.evidence import Evidence, members_of
from winodds.inference.posterior import Best, best_of
from winodds.language.notes import Note
from winodds.language.nouns import HOUSE, Nouns, without_nouns
from winodds.language.words import WON
from winodds.show import present

SCHEMA = "winodds/best/2"

RARE = 0.02
"""Chance of a leader so far ahead, under which strengths are hardly normal."""

LEAGUES = 0.12
"""Variance inside two leagues, in that of all ratings, below which there are two."""

SMALLEST = 3
"""Players of a league."""

ENOUGH = 4
"""Players who begin to tell how much true ratings vary."""

FEWEST = 5
"""Clusters that begin to tell how sure a rating is."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A player who was picked because its rating is the highest.

    Attributes
    ----------
    player : who was picked.
    family : of which family it is the best; None for the whole board.
    of : among how many.
    epp : its rating on the board.
    sota : the rating without the luck of the pick.
    sd, low, high : spread and interval of the true rating.
    selection_bias : what luck adds to its rating among all players; where nobody was picked
        (``of`` is 1), how far the rating is drawn to the average.
    p_average, p_average_sota : probability of beating the average player (or the reference) in a
        new round, by the two ratings.
    p_best : probability that it is truly the best of those among whom it was picked.
    best : expected rating of the truly best of them, whoever that is.
    """

    player: str
    family: str | None
    of: int
    epp: float
    sota: float
    sd: float
    low: float
    high: float
    selection_bias: float
    p_average: float
    p_average_sota: float
    p_best: float
    best: float


@dataclass(frozen=True, slots=True)
class BoardSota(present.Presented):
    """The leader's rating without luck, and the same for the best of every family.

    Attributes
    ----------
    leader : the board's first player.
    families : the best player of each family, best first; empty where no families are known.
    runner_up : name of the second player.
    p_runner_up, p_runner_up_sota : probability that the leader beats the second in a new round,
        by the ratings of the board and without luck.
    reference : the player whose rating is 0, or None for the average.
    unit : what is won: "round", "match" or "battle".
    new_tournaments : whether rounds of new tournaments are meant.
    shared : whether the second is rated equal.
    known : whether the leader's rating has an interval with two ends, and clusters enough for it.
    tau : spread of true ratings.
    level : coverage of intervals.
    notes : doubts, in sentences.
    average_of : over how many players the average is taken; None for all.
    nouns : what players, rounds and tournaments are called.
    """

    leader: Pick
    families: tuple[Pick, ...]
    runner_up: str
    p_runner_up: float
    p_runner_up_sota: float
    reference: str | None
    unit: str
    new_tournaments: bool
    shared: bool
    known: bool
    tau: float
    level: float
    notes: tuple[Note, ...]
    average_of: int | None = None
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data = without_nouns(asdict(self))
        families, notes = list(data["families"]), [one.to_dict() for one in self.notes]
        return {"schema": SCHEMA, **data, "families": families, "notes": notes}


def take_luck_out(
    evidence: Evidence,
    players: Sequence[str],
    *,
    families: Sequence[str] | None,
    level: float,
    new_tournaments: bool,
    seed: int,
    reference: str | None = None,
) -> BoardSota:
    """What the best players of a board are worth.

    Parameters
    ----------
    evidence : games and ratings of players who all met, directly or through others.
    players : their names in the board's order.
    families : their families in the same order, or None.
    level : coverage of intervals.
    new_tournaments : whether intervals are for new tournaments.
    seed : of the draws.
    reference : the player whose rating is 0.
    """
    place = None if reference is None else players.index(reference)
    beta, found = evidence.intervals.beta, evidence.posterior(seed, families, place)
    zero = evidence.zero(place)

    # Equal ratings may differ by rounding: the board's order decides who is first.
    def pick(members: Ints, family: str | None) -> Pick:
        best = best_of(found, members, level, zero)
        epp = float(beta[best.index] - (0.0 if zero is None else beta[zero].mean()))
        luck = float(beta[best.index] - found.mean[best.index])
        return _describe(best, epp, luck, players[best.index], family, members.size)

    everyone = np.arange(beta.size)
    by_family = {} if families is None else members_of(families)
    picks = [pick(members, name) for name, members in by_family.items()]
    first, second = found.draws[:, found.columns(np.array([0, 1]))].T
    return BoardSota(
        leader=pick(everyone, None),
        families=tuple(picks[k] for k in order_of([-one.epp for one in picks]).tolist()),
        runner_up=players[1],
        p_runner_up=float(expit(beta[0] - beta[1])),
        p_runner_up_sota=float(expit(first - second).mean()),
        reference=reference,
        unit=WON[evidence.games.kind],
        new_tournaments=new_tournaments,
        shared=bool(beta[0] - beta[1] < EQUAL),
        known=_is_known(evidence, 0),
        tau=found.tau,
        level=level,
        notes=tuple(_doubts(evidence)),
        average_of=None if zero is None or reference is not None else zero.size,
    )


def _is_known(evidence: Evidence, leader: int) -> bool:
    ends = evidence.uncertainty.of_ratings()
    closed = bool(np.isfinite([ends.low[leader], ends.high[leader]]).all())
    return closed and evidence.intervals.clusters >= FEWEST


def _describe(
    best: Best, epp: float, luck: float, player: str, family: str | None, of: int
) -> Pick:
    return Pick(
        player=player,
        family=family,
        of=of,
        epp=epp,
        sota=best.value,
        sd=best.sd,
        low=best.low,
        high=best.high,
        selection_bias=luck,
        p_average=float(expit(epp)),
        p_average_sota=best.p_win,
        p_best=best.p_best,
        best=best.best,
    )


def _rarity(beta: Floats, variance: Floats) -> float:
    """How likely a leader so far ahead of all others is, if strengths are normal."""
    top = int(at_least(beta, beta.max()).argmax())
    others, rest = np.delete(beta, top), np.delete(variance, top)
    square = max(0.0, float(others.var(ddof=1)) - float(rest.mean()))
    ahead = (beta[top] - others.mean()) / np.sqrt(square + variance[top])
    return float(beta.size * ndtr(-ahead))


def share_inside_leagues(beta: Floats) -> float:
    """Variance inside the two leagues that differ most, in that of all ratings; 1 if there is none.

    >>> share_inside_leagues(np.array([3.0, 2.0, 1.0, -1.0, -2.0, -3.0]))
    0.142...
    """
    ordered = np.sort(beta - beta.mean())[::-1]
    total = float(ordered @ ordered)
    size = np.arange(1.0, beta.size)
    upper = np.cumsum(ordered)[:-1]
    between = upper**2 / size + upper**2 / (beta.size - size)
    large = (size >= SMALLEST) & (beta.size - size >= SMALLEST)
    if total < EQUAL or not large.any():
        return 1.0
    return 1.0 - float(between[large].max()) / total


def _doubts(evidence: Evidence) -> list[Note]:
    doubts, beta = [], evidence.intervals.beta
    variance, clusters = evidence.noise.variance, evidence.intervals.clusters
    if beta.size < ENOUGH:
        doubts.append(note.few_players())
    if float((beta**2 / variance).sum()) <= beta.size - 1.0:
        doubts.append(note.only_luck())
    if beta.size > ENOUGH and clusters < note.FEW_CLUSTERS and _rarity(beta, variance) < RARE:
        doubts.append(note.far_ahead(clusters))
    if share_inside_leagues(beta) < LEAGUES:
        doubts.append(note.two_leagues())
    if evidence.estimator == "ridge":
        doubts.append(note.shrunken_twice())
    return doubts
