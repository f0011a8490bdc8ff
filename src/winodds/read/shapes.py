"""Columns and what was said about them → the shape of a table and who plays which role.

A role that was not given is found by the columns' names. Two candidates for a role are an error
that shows both; nothing is guessed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from winodds.language.errors import BadOption
from winodds.language.option import declarations
from winodds.language.options import Columns, Roles, Shaping, Sides
from winodds.language.spelling import on_command_line, option
from winodds.language.words import quote
from winodds.read.doubts import doubts_by_name
from winodds.read.numbers import NUMBER
from winodds.read.shape_errors import RolesUnclear, ShapeUnclear, TwoRoles
from winodds.table.errors import MissingColumn
from winodds.table.names import close_names
from winodds.table.vocabulary import (
    BATTLE_NAMES,
    DIRECTION_NAMES,
    METRIC_NAMES,
    PLAYER_NAMES,
    SPLIT_NAMES,
    STATUS_NAMES,
    TASK_NAMES,
    likely_metric,
    named,
    plain_name,
    propose_roles,
)

Names: TypeAlias = tuple[str, ...]

ROLE_WORDS = {
    PLAYER_NAMES: "players",
    SPLIT_NAMES: "rounds",
    TASK_NAMES: "tasks",
    METRIC_NAMES: "metrics",
    DIRECTION_NAMES: "directions",
    STATUS_NAMES: "the status of runs",
}
"""What columns with usual names hold, in words."""


@dataclass(frozen=True, slots=True)
class Given:
    """What the user said about a table.

    Attributes
    ----------
    columns : those that were named, by the option that names them.
    shaping : what kind of table it is, if that was said, and columns to ignore.
    higher_is_better : the direction of all scores, if it was said.
    """

    columns: Mapping[str, Names] = field(default_factory=dict)
    shaping: Shaping = field(default_factory=Shaping)
    higher_is_better: bool | None = None

    def all(self, role: str) -> Names:
        """The columns of a role; none if it was not given."""
        return self.columns.get(role, ())

    def one(self, role: str) -> str | None:
        """The column of a role that only one can play."""
        return next(iter(self.all(role)), None)


@dataclass(frozen=True, slots=True)
class Long:
    """A row for every score."""

    roles: Roles


@dataclass(frozen=True, slots=True)
class Wide:
    """A row for every player (or round), and a column for every round (or player).

    With ``repeat``, which numbers the rows of a player, columns are tournaments.
    """

    labels: Names
    rows_are: str
    tournament: str | None
    repeat: str | None = None


@dataclass(frozen=True, slots=True)
class Battles:
    """A row for every battle; with a loser, the winner's column holds names."""

    left: str | None
    right: str | None
    winner: str
    loser: str | None


Shape: TypeAlias = Long | Wide | Battles


def find_shape(columns: Sequence[str], given: Given) -> Shape:
    """What the table is, and which column plays which role."""
    _require(columns, given)
    visible = [column for column in columns if column not in given.shaping.ignore]
    if given.shaping.wide and given.shaping.battles:
        raise BadOption(option="wide", value=True, wanted="a table of battles is not wide")
    if given.shaping.wide:
        return _find_wide(visible, given)
    if given.shaping.battles or any(given.all(side) for side in declarations(Sides)):
        return _find_battles(visible, given)
    proposed = propose_roles(visible)
    if _looks_like_battles(visible) and not (given.all("score") or given.all("round")):
        if not (proposed["score"] and proposed["player"]):
            return _find_battles(visible, given)
        raise ShapeUnclear(
            question="Are these battles, or scores?",
            ways=[option("battles", True), option("score", proposed["score"][0])],
        )
    return Long(_find_roles(visible, given))


def _require(columns: Sequence[str], given: Given) -> None:
    """Refuse columns that the table does not have."""
    # In a wide table, rows may be ignored as well.
    ignored = [it for it in given.shaping.ignore if it in columns or not given.shaping.wide]
    wanted = [*(name for names in given.columns.values() for name in names), *ignored]
    for column in wanted:
        if column in ignored and wanted.count(column) > 1:
            raise TwoRoles(column=column, roles=("one that is ignored", "one that plays a role"))
        if column not in columns:
            raise MissingColumn(column=column, columns=columns, close=close_names(column, columns))


# Long tables --------------------------------------------------------------------------------------


def _find_roles(columns: Sequence[str], given: Given) -> Roles:
    # A cluster may be what the rounds are, too.
    alone = {role: names for role, names in given.columns.items() if role != "cluster"}
    spoken_for = {column for names in alone.values() for column in names}
    free = [column for column in columns if column not in spoken_for]
    proposed = propose_roles(free)
    found: dict[str, Names] = {
        "player": given.all("player") or proposed["player"],
        "round": given.all("round") or proposed["round"],
        "score": given.all("score") or proposed["score"],
        "tournament": given.all("tournament") or _tournaments(free, given, proposed),
    }
    _refuse_unclear(columns, found, given, spoken_for)
    _refuse_two_roles(found)
    played: dict[str, Any] = {
        role: _one_or_several(names) for role, names in {**given.columns, **found}.items() if names
    }
    played |= _direction_roles(free, given, found["score"][0], columns)
    if not given.all("status"):
        played["status"] = _at_most_one("status", named(free, STATUS_NAMES), columns)
    return Roles(**played, higher_is_better=given.higher_is_better)


def _tournaments(free: Sequence[str], given: Given, proposed: dict[str, Names]) -> Names:
    """Tasks are tournaments when something else is the round."""
    return named(free, TASK_NAMES) if given.all("round") else proposed["tournament"]


def _direction_roles(
    free: Sequence[str], given: Given, score: str, columns: Sequence[str]
) -> dict[str, str | None]:
    """Columns that tell the metric and the direction, unless something else tells it."""
    if given.all("metric_column") or given.all("direction_column"):
        return {}
    metric = None
    if likely_metric(score) is None:
        metric = _at_most_one("metric_column", named(free, METRIC_NAMES), columns)
    direction = None
    if given.higher_is_better is None:
        direction = _at_most_one("direction_column", named(free, DIRECTION_NAMES), columns)
    return {"metric_column": metric, "direction_column": direction}


def _at_most_one(role: str, names: Names, columns: Sequence[str]) -> str | None:
    """The only candidate for a role that need not be played; two are an error."""
    if len(names) > 1:
        raise _too_many({role: names}, columns)
    return _only(names)


def _too_many(several: dict[str, Names], columns: Sequence[str]) -> RolesUnclear:
    """The error about several candidates for roles of which one column is enough."""
    return RolesUnclear(columns=columns, missing=(), several=several, joinable=False)


def _refuse_two_roles(found: dict[str, Names]) -> None:
    """Refuse a column that plays two roles, which would make nonsense of both."""
    role_of: dict[str, str] = {}
    for role, columns in found.items():
        for column in columns:
            if column in role_of:
                raise TwoRoles(column=column, roles=(role_of[column], role))
            role_of[column] = role


def _refuse_unclear(
    columns: Sequence[str], found: dict[str, Names], given: Given, spoken_for: set[str]
) -> None:
    several = {
        role: names for role, names in found.items() if len(names) > 1 and not given.all(role)
    }
    missing = [role for role in ("player", "round", "score") if not found[role]]
    if several or missing:
        taken, claimed = {*spoken_for, *found["player"]}, spoken_for.union(*found.values())
        others = [column for column in columns if column not in taken]
        doubts = doubts_by_name(others)
        rounds = [column for column in others if column not in doubts]
        known = given.higher_is_better is not None or all(map(likely_metric, rounds))
        raise RolesUnclear(
            columns=columns,
            missing=missing,
            several=several,
            headless=any(NUMBER.fullmatch(column) for column in columns),
            wide="score" in missing and len(missing) >= 2 and len(columns) > 2,
            no_rounds=list(doubts),
            direction=known,
            free=[column for column in columns if column not in claimed],
            found={role: names for role, names in found.items() if len(names) == 1},
        )


def _one_or_several(names: Names) -> Columns:
    return names[0] if len(names) == 1 else names


def _only(names: Names) -> str | None:
    return names[0] if len(names) == 1 else None


# Wide tables --------------------------------------------------------------------------------------


def _find_wide(columns: Sequence[str], given: Given) -> Wide:
    tournaments = given.all("tournament")
    if len(tournaments) > 1:
        wanted = "a wide table has one column of tournaments"
        raise BadOption(option="tournament", value=tournaments[0], wanted=wanted)
    player, round_ = given.all("player"), given.all("round")
    free = [column for column in columns if column not in (*player, *round_, *tournaments)]
    players, tasks, splits = (named(free, it) for it in (PLAYER_NAMES, TASK_NAMES, SPLIT_NAMES))
    tasks = tournaments or tasks
    if player or (len(players) == 1 and not round_):
        repeat = _only(round_) or (None if tasks else _only(splits))
        tournament = _at_most_one("tournament", tasks, columns)
        found = Wide(player or players, "player", tournament, repeat)
    elif round_:
        found = Wide(round_, "round", _at_most_one("tournament", tasks, columns))
    elif not players and len(splits) < 2 and len(tasks) < 2 and (splits or tasks):
        rows = splits or tasks
        found = Wide(rows, "round", _only(tasks) if rows != tasks else None)
    elif players:
        raise _too_many({"player": players}, columns)
    else:
        first = columns[0] if columns else "COLUMN"
        raise ShapeUnclear(
            question="Which column names the rows of the wide table, and are these players or "
            "rounds?",
            ways=[option("player", first), option("round", first)],
            roles=[{role: [first]} for role in ("player", "round") if columns],
        )
    _refuse_roles(columns, found)
    return found


def _refuse_roles(columns: Sequence[str], found: Wide) -> None:
    """Refuse columns of scores whose names say that they are something else."""
    others = (*found.labels, found.tournament, found.repeat)
    scores = [column for column in columns if column not in others]
    unit = "round" if found.rows_are == "player" else "player"
    for names, what in ROLE_WORDS.items():
        for column in named(scores, names):
            raise ShapeUnclear(
                question=f"{quote(column)} would be a {unit} of the wide table, but by its name it "
                f"holds {what}.",
                ways=[f"{option('ignore', column)}, or without {option('wide', True)}"],
            )


# Battles ------------------------------------------------------------------------------------------


def _looks_like_battles(columns: Iterable[str]) -> bool:
    plain = {plain_name(column) for column in columns}
    return any(plain.issuperset(names) for names in BATTLE_NAMES)


def _find_battles(columns: Sequence[str], given: Given) -> Battles:
    """The sides and the winner; what was not given is found by name."""
    said = {side: column for side in declarations(Sides) if (column := given.one(side)) is not None}
    candidates: dict[str, Names] = {}
    for column in (column for column in columns if column not in said.values()):
        name = plain_name(column)
        candidates[name] = (*candidates.get(name, ()), column)
    found = []
    for names in BATTLE_NAMES:
        sides = ("left", "right", "winner") if len(names) == 3 else ("winner", "loser")
        by_name = {
            side: candidates[name]
            for side, name in zip(sides, names, strict=True)
            if side not in said and name in candidates
        }
        filled = {**{side: own[0] for side, own in by_name.items()}, **said}
        if set(filled) == set(sides):
            doubtful = {side: own for side, own in by_name.items() if len(own) > 1}
            if doubtful:
                raise _too_many(doubtful, columns)
            left, right, loser = (filled.get(side) for side in ("left", "right", "loser"))
            found.append(Battles(left, right, filled["winner"], loser))
    different = list(dict.fromkeys(found))
    if len(different) == 1:
        return different[0]
    between = " " if on_command_line() else ", "
    ways = [
        between.join(option(side, "COLUMN") for side in sides)
        for sides in (("left", "right", "winner"), ("winner", "loser"))
    ]
    problem = "Several sets of columns" if different else "No columns"
    raise ShapeUnclear(
        question=f"{problem} have usual names for the two sides and the winner of battles.",
        ways=ways,
    )
