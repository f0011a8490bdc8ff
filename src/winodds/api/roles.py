"""Which column is what, where the caller leaves that to the columns' names."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from winodds.language.notes import Note
from winodds.language.option import declarations
from winodds.language.options import GateOptions, Roles, ScoreOptions, as_list
from winodds.read.look import look_inside
from winodds.read.notes import roles_by_name
from winodds.read.shape_errors import RolesUnclear, ShapeUnclear
from winodds.read.shapes import Given, Long, find_shape
from winodds.read.understood import describe_roles, drop_homonyms
from winodds.table.frames import Source
from winodds.table.table import NEEDED, Table, read_table

AskedT = TypeVar("AskedT", bound=ScoreOptions | GateOptions)


def read_asked(source: Source, asked: AskedT) -> tuple[AskedT, Table]:
    """The table of scores, and the options with the roles that its columns' names told."""
    asked, notes = find_roles(source, asked)
    data = read_table(source, asked, duplicates=asked.duplicates)
    return asked, replace(data, notes=(*notes, *data.notes))


def find_roles(source: Source, asked: AskedT) -> tuple[AskedT, list[Note]]:
    """The options with roles found by the columns' names, and a note that tells them.

    Names are only asked where a column that every table needs has neither been named nor its usual
    name. What the caller named stays, and roles of the same table are those that a command finds.
    """
    usual = {name: it.default for name, it in declarations(type(asked)).items()}
    needed = (*NEEDED, *(["tournament"] if usual["tournament"] is not None else []))
    unsaid = [role for role in needed if getattr(asked, role) == usual[role]]
    if all(usual[role] in source.columns for role in unsaid):
        return asked, []
    said = {
        role: tuple(as_list(columns))
        for role, columns in asked.columns().items()
        if role in declarations(Roles) and (columns != usual[role] or usual[role] in source.columns)
    }
    found = _find(source, said, asked)
    if "tournament" in unsaid and found.tournament is None:
        raise RolesUnclear(columns=source.columns, missing=["tournament"], several={})
    played = {name: getattr(found, name) for name in declarations(Roles)}
    return (
        replace(asked, **{**played, "higher_is_better": asked.higher_is_better}),
        [roles_by_name(describe_roles(found))],
    )


def _find(source: Source, said: Mapping[str, tuple[str, ...]], asked: AskedT) -> Roles:
    """The roles of a long table; what says that it is none is an error."""
    by_round = isinstance(asked.higher_is_better, Mapping)
    up = None if by_round or asked.higher_is_better is None else bool(asked.higher_is_better)
    try:
        shape = find_shape(source.columns, Given(columns=said, higher_is_better=up))
    except RolesUnclear as error:
        raise look_inside(error, source) from None
    if not isinstance(shape, Long):
        question = "The columns are those of battles, not of scores."
        raise ShapeUnclear(question=question, ways=["rate_battles(table)"])
    roles = drop_homonyms(shape.roles, source, said)
    if by_round:
        roles = replace(
            roles,
            metric_column=roles.metric_column if "metric_column" in said else None,
            direction_column=roles.direction_column if "direction_column" in said else None,
        )
    return roles
