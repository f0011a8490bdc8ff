"""A rating that goes from game to game, beside the board's: openskill's Plackett–Luce model.

TrueSkill (Herbrich et al. 2007) and openskill (Weng and Lin 2011) update skills after every round,
so the order of rounds matters, which it should not where rounds are splits or data sets. Both take
the strength of a team for the *sum* of its members' skills. The mean is what we compare a team
with, so here a team enters as a player of its own, as on the board, and never as its members.
Openskill's Bradley–Terry and Thurstone–Mosteller models are left out: on a board of 20 players in
20 rounds they agree with any other rating, and with themselves in another order, by 0.2 to 0.4.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np

from winodds.arrays import Floats, Ints, levels
from winodds.board.evidence import Evidence
from winodds.language.errors import MissingExtra
from winodds.matches.beaten import sort_stretches, standing
from winodds.matches.games import Games
from winodds.matches.results import Battles

SHUFFLES = 20

Round: TypeAlias = tuple[list[int], list[float]]
"""Players of a round, and their ranks in it."""


@dataclass(frozen=True, slots=True)
class Rival:
    """What openskill makes of the same rounds, and of other orders of them.

    Attributes
    ----------
    model : of openskill.
    skill : (m,) its skills of the players, in the order of the board.
    tau : Kendall's τ between these and the board's ratings.
    reversed_tau : between its skills with the rounds in the given and in the reversed order.
    shuffled_mean, shuffled_least : of τ between its skills in the given and in shuffled orders.
    shuffles : how many.
    """

    model: str
    skill: tuple[float, ...]
    tau: float
    reversed_tau: float
    shuffled_mean: float
    shuffled_least: float
    shuffles: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**asdict(self), "skill": list(self.skill)}


def compare_with_openskill(part: Evidence, *, seed: int, shuffles: int = SHUFFLES) -> Rival:
    """Rate the players of a component by openskill, in the order of the rounds and in others.

    Raises
    ------
    MissingExtra
        When openskill is not installed.
    """
    if find_spec("openskill") is None:
        purpose = "A comparison with a rating that goes from game to game"
        raise MissingExtra(packages=["openskill"], purpose=purpose, extra="teams")
    rounds = list(_rounds(part.games))
    rng = np.random.default_rng(seed)
    given = np.arange(len(rounds))
    orders = [given[::-1], *(rng.permutation(given) for _ in range(shuffles))]
    skill = _play(rounds, given, part.size)
    agreement = [kendall_tau(skill, _play(rounds, order, part.size)) for order in orders]
    return Rival(
        model="PlackettLuce",
        skill=tuple(skill.tolist()),
        tau=kendall_tau(skill, part.intervals.beta),
        reversed_tau=agreement[0],
        shuffled_mean=float(np.mean(agreement[1:])),
        shuffled_least=float(np.min(agreement[1:])),
        shuffles=shuffles,
    )


def kendall_tau(first: Floats, second: Floats) -> float:
    """Kendall's τ-b of two ratings, (m,) each; those that are equal but for rounding tie.

    >>> kendall_tau(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    0.3333333333333333
    """
    one, two = (_signs(levels(values)) for values in (first, second))
    ties = float(np.sqrt(np.abs(one).sum() * np.abs(two).sum()))
    return float((one * two).sum() / ties) if ties else 0.0


def _signs(level: Ints) -> Floats:
    return np.asarray(np.sign(level[:, None] - level[None, :]), np.float64)


def _play(rounds: list[Round], order: Ints, players: int) -> Floats:
    """(m,) skills after all rounds in an order."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    skills = [model.rating() for _ in range(players)]
    for number in order.tolist():
        present, ranks = rounds[number]
        rated = model.rate([[skills[player]] for player in present], ranks=ranks)
        for player, (skill,) in zip(present, rated, strict=True):
            skills[player] = skill
    return np.array([skill.mu for skill in skills])


def _rounds(games: Games) -> Iterator[Round]:
    """The rounds in their order; a rank is the number of players who did better."""
    played = games.played
    if isinstance(played, Battles):
        for first, second, outcome in zip(
            played.first.tolist(), played.second.tolist(), played.outcome.tolist(), strict=True
        ):
            yield [first, second], [1.0 - outcome, outcome]
        return
    order = sort_stretches(played.value, played.start, equal_sizes=False)
    _, beaten_by = standing(played.value, played.start, order, games.tolerance)
    for begin, end in zip(played.start[:-1].tolist(), played.start[1:].tolist(), strict=True):
        if end - begin > 1:
            inside = slice(begin, end)
            yield played.player[inside].tolist(), beaten_by[inside].astype(np.float64).tolist()
