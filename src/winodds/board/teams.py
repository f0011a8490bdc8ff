"""Teams and their members on one board: what an ensemble adds, and what a model is worth in one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from scipy.special import expit

from winodds.arrays import Bools, Ints
from winodds.board import notes as note
from winodds.board.comparisons import Estimate
from winodds.board.errors import RepeatedMember, TeamAsMember
from winodds.board.evidence import Evidence
from winodds.board.rival import Rival
from winodds.inference.combinations import combine
from winodds.inference.intervals import Estimates
from winodds.inference.membership import Worths, synergy_rows, worth_rows
from winodds.language.errors import BadOption
from winodds.language.notes import Note
from winodds.language.nouns import HOUSE, Nouns
from winodds.show import present
from winodds.table.frames import build_frame
from winodds.table.members import split_members
from winodds.table.names import close_names

SCHEMA = "winodds/teams/1"

Members: TypeAlias = Mapping[str, Sequence[str]]
"""Names of teams, and of the members of each."""


@dataclass(frozen=True, slots=True)
class Team:
    """A team beside its members.

    Attributes
    ----------
    team : its name.
    members : names of its members.
    epp : its rating.
    solo : mean of its members' ratings; None if one of them does not play alone.
    synergy : how much higher the team is rated than that, in log-odds; None likewise.
    p_average_member : probability that it beats a player rated as its members are on average.
    best_member : the member with the highest rating.
    p_best_member : probability that the team beats that one in a new round. A member that is
        picked because it is rated highest is rated too high on average, so this is cautious.
    """

    team: str
    members: tuple[str, ...]
    epp: float
    solo: float | None
    synergy: Estimate | None
    p_average_member: Estimate | None
    best_member: str | None
    p_best_member: Estimate | None


@dataclass(frozen=True, slots=True)
class Member:
    """A member, alone and in teams.

    Attributes
    ----------
    member : its name.
    teams : how many teams it belongs to.
    epp : its rating alone, with its interval; None if it does not play alone.
    worth : how much higher a team is rated with it in the place of an average member, in log-odds;
        None if the teams do not tell.
    """

    member: str
    teams: int
    epp: Estimate | None
    worth: Estimate | None


@dataclass(frozen=True, slots=True)
class Teams:
    """What teams add to their members, and what members are worth to teams.

    Attributes
    ----------
    teams, members : best first.
    mean_synergy : over all teams whose members play alone; None if there is no such team.
    rank : differences between members' worths that the teams tell; all of them if this is one less
        than there are members.
    level : coverage of the intervals.
    notes : what is not told, and why.
    rival : what openskill makes of the same rounds, if it was asked.
    nouns : what players, rounds and tournaments are called.
    """

    teams: tuple[Team, ...]
    members: tuple[Member, ...]
    mean_synergy: Estimate | None
    rank: int
    level: float
    notes: tuple[Note, ...]
    rival: Rival | None = None
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    def frame(self, backend: str = "polars") -> Any:
        """A row for every team, as a data frame; open ends are missing."""
        rows = [_team_row(one) for one in self.teams]
        return build_frame(_columns(rows, TEAM_KINDS), TEAM_KINDS, backend=backend)

    def member_frame(self, backend: str = "polars") -> Any:
        """A row for every member, likewise."""
        rows = [_member_row(one) for one in self.members]
        return build_frame(_columns(rows, MEMBER_KINDS), MEMBER_KINDS, backend=backend)

    @property
    def text(self) -> str:
        """What teams add to their members, in words."""
        return present.describe_teams(self)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; open ends, and what is not told, are None."""
        return {
            "schema": SCHEMA,
            "teams": [_plain(one) for one in self.teams],
            "members": [_plain(one) for one in self.members],
            "mean_synergy": _end(self.mean_synergy),
            "rank": self.rank,
            "level": self.level,
            "notes": [one.to_dict() for one in self.notes],
            "rival": None if self.rival is None else self.rival.to_dict(),
        }


TEAM_KINDS: dict[str, type] = {
    **dict.fromkeys(("team", "members"), str),
    **dict.fromkeys(
        (
            *("epp", "solo", "synergy", "synergy_low", "synergy_high"),
            *("p_average_member", "p_average_member_low", "p_average_member_high"),
        ),
        float,
    ),
    "best_member": str,
    **dict.fromkeys(("p_best_member", "p_best_member_low", "p_best_member_high"), float),
}
MEMBER_KINDS: dict[str, type] = {
    "member": str,
    "teams": int,
    **dict.fromkeys(("epp", "epp_low", "epp_high", "worth", "worth_low", "worth_high"), float),
}


def _columns(rows: list[dict[str, Any]], kinds: Mapping[str, type]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in kinds}


def _cells(name: str, found: Estimate | None) -> dict[str, float | None]:
    names = (name, f"{name}_low", f"{name}_high")
    if found is None:
        return dict.fromkeys(names)
    return dict(zip(names, (found.value, found.low, found.high), strict=True))


def _team_row(team: Team) -> dict[str, Any]:
    return {
        "team": team.team,
        "members": " + ".join(team.members),
        "epp": team.epp,
        "solo": team.solo,
        **_cells("synergy", team.synergy),
        **_cells("p_average_member", team.p_average_member),
        "best_member": team.best_member,
        **_cells("p_best_member", team.p_best_member),
    }


def _member_row(member: Member) -> dict[str, Any]:
    own = {"member": member.member, "teams": member.teams}
    return {**own, **_cells("epp", member.epp), **_cells("worth", member.worth)}


def _plain(found: Team | Member) -> dict[str, Any]:
    values = {name: getattr(found, name) for name in type(found).__slots__}
    return {name: _end(value) for name, value in values.items()}


def _end(value: Any) -> Any:
    if isinstance(value, Estimate):
        return {"value": value.value, "low": value.low, "high": value.high}
    return list(value) if isinstance(value, tuple) else value


# Who belongs where --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Squads:
    """Teams and members by name and number.

    Attributes
    ----------
    teams : (K,) names, in the order of the board.
    members : (S,) names, those that play alone in the order of the board, then the others by
        name.
    place : (K,) the teams' numbers among the players.
    alone : (S,) those of the members; −1 for a member that does not play alone.
    belongs : (K, S) whether a member belongs to a team.
    lists : (K,) the members' names as they were given.
    """

    teams: tuple[str, ...]
    members: tuple[str, ...]
    place: Ints
    alone: Ints
    belongs: Bools
    lists: tuple[tuple[str, ...], ...]

    @property
    def complete(self) -> Bools:
        """(K,) whether all members of a team play alone."""
        whole: Bools = np.all(~self.belongs | (self.alone >= 0), axis=1)
        return whole


def read_squads(members: Members, players: Sequence[str], place: Mapping[str, int]) -> Squads:
    """Check who belongs where; ``place`` has the number of every player, and of every team."""
    lists = {team: _names_of(team, given) for team, given in members.items()}
    for team, names in lists.items():
        for k, name in enumerate(names):
            if name in lists:
                raise TeamAsMember(team=team, member=name)
            if name in names[:k]:
                raise RepeatedMember(team=team, member=name)
    teams = sorted(lists, key=place.__getitem__)
    known = {name for team in teams for name in lists[team]}
    everyone = sorted(known, key=lambda name: (place.get(name, len(players)), name))
    number = {name: k for k, name in enumerate(everyone)}
    belongs = np.zeros((len(teams), len(everyone)), np.bool_)
    for k, team in enumerate(teams):
        belongs[k, [number[name] for name in lists[team]]] = True
    return Squads(
        teams=tuple(teams),
        members=tuple(everyone),
        place=np.array([place[team] for team in teams], np.int64),
        alone=np.array([place.get(name, -1) for name in everyone], np.int64),
        belongs=belongs,
        lists=tuple(lists[team] for team in teams),
    )


def _names_of(team: str, given: Sequence[str]) -> tuple[str, ...]:
    """The members of a team, listed or in one cell."""
    names = split_members(given) if isinstance(given, str) else tuple(given)
    if not names or not all(isinstance(name, str) for name in names):
        wanted = f"team '{team}' needs the names of its members"
        raise BadOption(option="members", value=given, wanted=wanted)
    return names


# What they add ------------------------------------------------------------------------------------


def assess_teams(part: Evidence, squads: Squads, players: Sequence[str], shown: Estimates) -> Teams:
    """Synergy of teams and worth of members; ``shown`` are the ratings as the board shows them."""
    worths = worth_rows(squads.belongs)
    teams, mean = _assess_synergy(part, squads, shown)
    return Teams(
        teams=teams,
        members=_assess_members(part, squads, worths, shown),
        mean_synergy=mean,
        rank=worths.rank,
        level=part.intervals.level,
        notes=tuple(_notes(squads, worths, players)),
    )


def _assess_synergy(
    part: Evidence, squads: Squads, shown: Estimates
) -> tuple[tuple[Team, ...], Estimate | None]:
    chosen = np.flatnonzero(squads.complete)
    bare = [
        Team(team, members, float(shown.value[place]), None, None, None, None, None)
        for team, members, place in zip(squads.teams, squads.lists, squads.place, strict=True)
    ]
    if not chosen.size:
        return tuple(bare), None
    belongs = squads.belongs[chosen]
    used = np.flatnonzero(belongs.any(axis=0))
    place = squads.place[chosen]
    rows = synergy_rows(belongs[:, used], place, squads.alone[used], part.size)
    found = combine(part.uncertainty, np.concatenate([rows, rows.mean(axis=0, keepdims=True)]))
    best = _best_members(belongs, squads.alone, part.size)
    against = part.compare(place, best)
    name_of = dict(zip(squads.alone.tolist(), squads.members, strict=True))
    for k, team in enumerate(chosen.tolist()):
        alone = squads.alone[squads.belongs[team]]
        bare[team] = replace(
            bare[team],
            solo=float(shown.value[alone].mean()),
            synergy=_estimate(found, k),
            p_average_member=_chance(found, k),
            best_member=name_of[int(best[k])],
            p_best_member=_chance(against, k),
        )
    return tuple(bare), _estimate(found, chosen.size)


def _best_members(belongs: Bools, alone: Ints, players: int) -> Ints:
    """(K,) the best member of each team; the players stand in the order of the board."""
    best: Ints = np.where(belongs, alone, players).min(axis=1)
    return best


def _assess_members(
    part: Evidence, squads: Squads, worths: Worths, shown: Estimates
) -> tuple[Member, ...]:
    rows = np.zeros((len(squads.members), part.size))
    rows[:, squads.place] = worths.rows
    found = combine(part.uncertainty, rows)
    return tuple(
        Member(
            member=name,
            teams=int(squads.belongs[:, k].sum()),
            epp=None if squads.alone[k] < 0 else _estimate(shown, int(squads.alone[k])),
            worth=_estimate(found, k) if worths.told[k] else None,
        )
        for k, name in enumerate(squads.members)
    )


def _estimate(found: Estimates, k: int) -> Estimate:
    low, high = float(found.low[k]), float(found.high[k])
    return Estimate(
        float(found.value[k]),
        low if np.isfinite(low) else None,
        high if np.isfinite(high) else None,
    )


def _chance(found: Estimates, k: int) -> Estimate:
    """The probability that goes with log-odds; an end that is open there is 0 or 1 here."""
    return Estimate(*(float(expit(x[k])) for x in (found.value, found.low, found.high)))


def _notes(squads: Squads, worths: Worths, players: Sequence[str]) -> list[Note]:
    found = []
    absent = [name for name, k in zip(squads.members, squads.alone, strict=True) if k < 0]
    if absent:
        others = set(squads.teams)
        solos = [name for name in players if name not in others]
        teams = [
            team for team, whole in zip(squads.teams, squads.complete, strict=True) if not whole
        ]
        close = [name for one in absent for name in close_names(one, solos)]
        found.append(note.not_alone(absent, teams, close=list(dict.fromkeys(close))))
    lonely = [
        team for team, names in zip(squads.teams, squads.lists, strict=True) if len(names) < 2
    ]
    if lonely:
        found.append(note.teams_of_one(lonely))
    untold = [name for name, told in zip(squads.members, worths.told, strict=True) if not told]
    if untold:
        found.append(note.worth_untold(untold, len(squads.teams), len(squads.members)))
    return found
