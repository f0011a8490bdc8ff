"""The rounds that a player of one board shares with a player of another, found by their names."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.board.errors import BoardsNotPaired
from winodds.board.how import How
from winodds.board.shared import Shared, share_scores
from winodds.language.spelling import option
from winodds.language.words import quote
from winodds.matches.games import Games, score_table
from winodds.table.schedule import Schedule
from winodds.table.vocabulary import known_metric


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two players, and the board that it is on.

    Attributes
    ----------
    player : its number in the games.
    games : those of the board, in which everyone met everyone, directly or through others.
    schedule : names of the rounds.
    how : how the board was obtained.
    """

    player: int
    games: Games
    schedule: Schedule
    how: How


def pair_boards(baseline: Side, candidate: Side) -> Shared:
    """The rounds that are on both boards, and the players' scores there."""
    _check_how(baseline.how, candidate.how)
    names = list(dict.fromkeys((*baseline.schedule.rounds, *candidate.schedule.rounds)))
    place = {name: k for k, name in enumerate(names)}
    sides = (baseline, candidate)
    places = [np.array([place[name] for name in side.schedule.rounds]) for side in sides]
    scores, there = np.full((len(names), 2), np.nan), np.zeros((len(names), 2), np.bool_)
    for column, (side, own) in enumerate(zip(sides, places, strict=True)):
        found = score_table(side.games.results, np.array([side.player]))[:, 0]
        given = np.where(side.schedule.higher_is_better, found, -found)
        scores[own, column] = np.where(np.isneginf(found), np.nan, given)
        there[own, column] = ~np.isnan(found)
    both = np.flatnonzero(there.all(axis=1))
    up, weight, tournament = (
        _agreed(_spread(facts, places, len(names)), both, names, what)
        for what, facts in _facts(baseline, candidate).items()
    )
    numbers = (baseline.games.results.cluster, candidate.games.results.cluster)
    told = _spread(numbers, places, len(names))
    cluster = _clusters(told, both, baseline.how.interval.cluster)
    about = up.astype(np.bool_), weight, cluster, tournament.astype(np.int64)
    return share_scores(scores, there, about, missing="lose", tolerance=baseline.games.tolerance)


def _check_how(one: How, other: How) -> None:
    """Refuse boards that count rounds, ties, failures or scores in two ways."""
    for name, values in {
        "missing": (one.missing, other.missing),
        "tie_tolerance": (one.matches.tie_tolerance, other.matches.tie_tolerance),
        "test_fraction": (one.interval.test_fraction, other.interval.test_fraction),
    }.items():
        if values[0] != values[1]:
            here, there = (_said(name, value) for value in values)
            raise BoardsNotPaired(reason=f"one was rated {here}, the other {there}")
    units = one.interval.cluster, other.interval.cluster
    metrics = one.scheme.column("score"), other.scheme.column("score")
    known = all(name is not None and known_metric(name) for name in metrics)
    for what, names in (("independent units", units), ("scores", metrics if known else ("", ""))):
        if names[0] != names[1]:
            here, there = (quote(str(name)) for name in names)
            raise BoardsNotPaired(reason=f"the {what} are {here} on one and {there} on the other")


def _said(name: str, value: object) -> str:
    """With or without an option, in words."""
    if value is None:
        return f"without {option(name).removesuffix('=')}"
    return f"with {option(name, value)}"


def _facts(one: Side, other: Side) -> dict[str, tuple[Floats, Floats]]:
    """What each board says of its rounds, as numbers, by the words for a round that differs."""
    number: dict[str, int] = {}
    tournaments = [
        np.array([number.setdefault(name, len(number)) for name in _tournaments(side)], np.float64)
        for side in (one, other)
    ]
    ways = [side.schedule.higher_is_better.astype(np.float64) for side in (one, other)]
    return {
        "has two directions": (ways[0], ways[1]),
        "has two weights": (one.games.results.weight, other.games.results.weight),
        "is of two tournaments": (tournaments[0], tournaments[1]),
    }


def _tournaments(side: Side) -> list[str]:
    """The name of each round's tournament; an empty one where there are none."""
    names = side.schedule.tournaments or ("",)
    return [names[k] for k in side.games.results.tournament.tolist()]


def _spread(facts: Sequence[Floats | Ints], places: Sequence[Ints], rounds: int) -> Floats:
    """(R, 2) what the two boards say of all rounds, 0 where a board does not have one."""
    told = np.zeros((rounds, 2))
    for column, (own, place) in enumerate(zip(facts, places, strict=True)):
        told[place, column] = own
    return told


def _agreed(told: Floats, both: Ints, names: Sequence[str], what: str) -> Floats:
    """(R,) a fact of the rounds; refuses that boards differ in it where both players were."""
    differing = both[told[both, 0] != told[both, 1]]
    if differing.size:
        raise BoardsNotPaired(reason=f"round {quote(names[differing[0]])} {what}")
    return np.asarray(told[:, 0])


def _clusters(told: Floats, both: Ints, unit: str) -> Ints:
    """(R,) the clusters of the rounds, as the first board numbers them.

    Boards keep no names of clusters, so the shared rounds must fall into the same ones on both.
    """
    pairs = np.unique(told[both], axis=0)
    if any(np.unique(pairs[:, column]).size < len(pairs) for column in (0, 1)):
        reason = f"rounds with one value of {quote(unit)} on one have several on the other"
        raise BoardsNotPaired(reason=reason)
    return told[:, 0].astype(np.int64)
