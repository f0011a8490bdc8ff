"""The best of each family: who it is in every tournament, what it is worth, whom it beats.

Families of many players have better bests, and luckier ones. So every value is told three ways
(`winodds.season.chances`), and means over tournaments rest on held-out picks.

Examples
--------
>>> import winodds.demo
>>> found = winodds.demo.rate_results(family="family").families()
>>> found.families[:2]
('random_forest', 'logistic_regression')
>>> found.pair("random_forest", "knn").tournaments
4
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from winodds.arrays import Floats, Ints, order_of
from winodds.board.errors import UnknownFamily
from winodds.board.leaderboard import Leaderboard
from winodds.language.nouns import HOUSE, Nouns
from winodds.season.chances import (
    Chance,
    Chances,
    Contest,
    MeanChance,
    name_chance,
    name_mean,
    nothing,
    square,
    stack,
)
from winodds.season.contests import label_players, make_contests, members_of
from winodds.season.picks import Means, choose_best, gather
from winodds.show import present
from winodds.table.names import close_names

SCHEMA = "winodds/families/1"


@dataclass(frozen=True, slots=True)
class FamilyNumbers:
    """The best of F families in T tournaments.

    Attributes
    ----------
    order : (F,) the families by their mean chance against others, best first; so they are listed
        in what follows.
    best : (T, F) place on the board of the family's best player; −1 where none took part.
    players : (T, F) how many took part.
    epp, sota : (T, F) the best one's rating around all players, and the same without luck.
    others : (T, F) chances of the best against another player of the tournament.
    pairs : (T, F, F) chances of the row's best against the column's.
    mean_others : (F,) held-out means over tournaments.
    mean_pairs : (F, F) likewise.
    """

    order: Ints
    best: Ints
    players: Ints
    epp: Floats
    sota: Floats
    others: Chances
    pairs: Chances
    mean_others: Means
    mean_pairs: Means


def compare_families(
    contests: Sequence[Contest], labels: Sequence[Ints], families: int, level: float
) -> FamilyNumbers:
    """The best of each family, in every tournament and over all.

    Parameters
    ----------
    contests : the tournaments.
    labels : of each tournament the (m_t,) families of its players in the order of its board, −1
        for players of none.
    families : how many families there are.
    level : coverage of intervals.
    """
    found = [
        _compare_in(contest, label, families)
        for contest, label in zip(contests, labels, strict=True)
    ]
    others = stack([one.others for one in found])
    order = order_of(-np.nan_to_num(others.mean(level).value, nan=-1.0))
    others = others.at((slice(None), order))
    pairs = stack([one.pairs for one in found]).at((slice(None), order[:, None], order[None, :]))
    return FamilyNumbers(
        order=order,
        best=np.stack([one.best for one in found])[:, order],
        players=np.stack([one.players for one in found])[:, order],
        epp=np.stack([one.epp for one in found])[:, order],
        sota=np.stack([one.sota for one in found])[:, order],
        others=others,
        pairs=pairs,
        mean_others=others.mean(level),
        mean_pairs=pairs.mean(level),
    )


@dataclass(frozen=True, slots=True)
class _InTournament:
    """The same in one tournament, in the order of the labels."""

    best: Ints
    players: Ints
    epp: Floats
    sota: Floats
    others: Chances
    pairs: Chances


def _compare_in(contest: Contest, label: Ints, families: int) -> _InTournament:
    players = np.bincount(label[label >= 0], minlength=families)
    there = np.flatnonzero(players)
    best, epp, sota = np.full(families, -1), *(np.full(families, np.nan) for _ in range(2))
    if not there.size:
        return _InTournament(
            best, players, epp, sota, nothing((families,)), nothing((families, families))
        )
    members = [np.flatnonzero(label == family) for family in there.tolist()]
    standing = contest.rounds.standing
    picks = gather([(own, choose_best(standing[:, own])) for own in members], standing.shape[0])
    # The board's order decides who is first among equals.
    chosen = np.array([own[0] for own in members])
    best[there] = chosen
    epp[there] = contest.evidence.intervals.beta[chosen]
    sota[there] = contest.without_luck(chosen)
    first, second = np.triu_indices(there.size, 1)
    pairs = contest.meet(picks, first, second, chosen)
    return _InTournament(
        best=best,
        players=players,
        epp=epp,
        sota=sota,
        others=contest.meet_all(picks, chosen).placed((there,), (families,)),
        pairs=square(pairs, there[first], there[second], families),
    )


# With names ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FamilyPick:
    """The best player of a family in one tournament.

    Attributes
    ----------
    tournament, family, player : their names.
    of : among how many it is the best.
    epp, sota : its rating around all players, and the same without the luck of being picked.
    p_win : its chance against another player of the tournament, drawn at random.
    """

    tournament: str
    family: str
    player: str
    of: int
    epp: float
    sota: float
    p_win: Chance


@dataclass(frozen=True, slots=True)
class FamilyPair:
    """The best of one family against the best of another.

    Attributes
    ----------
    a, b : the families.
    p_win : chance that the best of ``a`` beats the best of ``b`` in a round of a new tournament.
    tournaments : in how many both took part.
    separated : in how many of them the data leave open how far apart the two bests are.
    """

    a: str
    b: str
    p_win: MeanChance
    tournaments: int
    separated: int


@dataclass(frozen=True, slots=True)
class FamilyTable:
    """The best of each family in every tournament, and over all.

    Attributes
    ----------
    families : (F,) names, by their mean chance against others, best first.
    sizes : (F,) how many players of the season each has.
    tournaments : (T,) names.
    picks : the best of each family in each tournament where it took part, tournament by tournament.
    numbers : everything as arrays, families and tournaments in the order above.
    level : coverage of intervals.
    nouns : what players, rounds and tournaments are called.
    """

    families: tuple[str, ...]
    sizes: tuple[int, ...]
    tournaments: tuple[str, ...]
    picks: tuple[FamilyPick, ...]
    numbers: FamilyNumbers
    level: float
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    def mean(self, family: str) -> MeanChance:
        """The chance of a family's best against another player, over all tournaments."""
        return name_mean(self.numbers.mean_others, (self._find(family),))

    def pair(self, a: str, b: str) -> FamilyPair:
        """The best of ``a`` against the best of ``b``, over all tournaments."""
        place = self._find(a), self._find(b)
        pairs = self.numbers.pairs
        met = ~np.isnan(pairs.plug_in[:, *place])
        return FamilyPair(
            a=a,
            b=b,
            p_win=name_mean(self.numbers.mean_pairs, place),
            tournaments=int(met.sum()),
            separated=int((pairs.separated[:, *place] & met).sum()),
        )

    def chance(self, tournament: str, a: str, b: str) -> Chance | None:
        """The same in one tournament; None where one of the two took no part."""
        number = self.tournaments.index(tournament)
        place = number, self._find(a), self._find(b)
        met = not np.isnan(self.numbers.pairs.plug_in[place])
        return name_chance(self.numbers.pairs, place) if met else None

    def pairs(self) -> Iterator[FamilyPair]:
        """All pairs of families, first with second, first with third, …."""
        for k, a in enumerate(self.families):
            yield from (self.pair(a, b) for b in self.families[k + 1 :])

    def _find(self, family: str) -> int:
        if family not in self.families:
            raise UnknownFamily(family=family, close=close_names(family, self.families))
        return self.families.index(family)

    @property
    def text(self) -> str:
        """Which family's best is best, in words."""
        return present.describe_families(self)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        took_part = (self.numbers.players > 0).sum(axis=0).tolist()
        return {
            "schema": SCHEMA,
            "level": self.level,
            "families": [
                {
                    "family": family,
                    "players": self.sizes[k],
                    "tournaments": took_part[k],
                    "absent": len(self.tournaments) - took_part[k],
                    "p_win": asdict(self.mean(family)),
                }
                for k, family in enumerate(self.families)
            ],
            "picks": [asdict(pick) for pick in self.picks],
            "pairs": [asdict(pair) for pair in self.pairs()],
            "by_tournament": [
                {"tournament": name, "pairs": list(self._pairs_in(name))}
                for name in self.tournaments
            ],
        }

    def _pairs_in(self, tournament: str) -> Iterator[dict[str, Any]]:
        for k, a in enumerate(self.families):
            for b in self.families[k + 1 :]:
                found = self.chance(tournament, a, b)
                if found is not None:
                    yield {"a": a, "b": b, **asdict(found)}


def tabulate_families(boards: Mapping[str, Leaderboard], seed: int | None) -> FamilyTable:
    """The best of each family of a season's boards."""
    members = members_of(boards)
    contests, labels = make_contests(boards, seed), label_players(boards, members)
    level = contests[0].level
    numbers = compare_families(contests, labels, len(members), level)
    names, order = list(members), numbers.order.tolist()
    families = tuple(names[k] for k in order)
    return FamilyTable(
        families=families,
        sizes=tuple(len(members[family]) for family in families),
        tournaments=tuple(boards),
        picks=tuple(_name_picks(numbers, families, boards)),
        numbers=numbers,
        level=level,
    )


def _name_picks(
    numbers: FamilyNumbers, families: Sequence[str], boards: Mapping[str, Leaderboard]
) -> Iterator[FamilyPick]:
    for number, (tournament, board) in enumerate(boards.items()):
        for k in np.flatnonzero(numbers.players[number]).tolist():
            yield FamilyPick(
                tournament=tournament,
                family=families[k],
                player=board.players[int(numbers.best[number, k])],
                of=int(numbers.players[number, k]),
                epp=float(numbers.epp[number, k]),
                sota=float(numbers.sota[number, k]),
                p_win=name_chance(numbers.others, (number, k)),
            )
