"""Roles that were found by the names of columns: whether cells bear them out, and in words."""

from collections.abc import Collection
from dataclasses import replace

from winodds.language.options import Roles, as_list
from winodds.read.shape_errors import StatusUnclear
from winodds.table.directions import DOWN, UP
from winodds.table.frames import Source
from winodds.table.names import NUMERAL
from winodds.table.vocabulary import DONE, FAILED, UNDECIDED, plain_name

FIRST = ("player", "family", "tournament", "round", "score")
"""Roles that are told before the others."""


SWITCHES = frozenset({"0", "1", "0.0", "1.0", "true", "false", "yes", "no"})
"""Words of a status, beside any numbers, that may mean success as well as the end with an error."""


def drop_homonyms(roles: Roles, table: Source, said: Collection[str]) -> Roles:
    """The roles without columns that only have the name of one, unless the caller named them."""
    if "status" not in said and not _tells_success(table, roles.status):
        roles = replace(roles, status=None)
    if "direction_column" not in said and not _tells_direction(table, roles):
        roles = replace(roles, direction_column=None)
    return roles


def _tells_success(table: Source, column: str | None) -> bool:
    """Whether a column called "status" is about runs: whether it says how some of them ended."""
    if column is None:
        return False
    words = {str(word).strip().lower() for word in table.text(column).drop_nulls().unique()} - {""}
    if len(words) > 1 and (words <= SWITCHES or all(map(NUMERAL.fullmatch, words))):
        raise StatusUnclear(column=column, words=sorted(words), switch=True)
    told = words & (DONE | FAILED)
    if told and "state" in plain_name(column):
        # It could be a part of a country, too, of which "OK" is one.
        if told <= {"ok"} and not words <= told | UNDECIDED:
            return False
        if unknown := words - (DONE | FAILED | UNDECIDED):
            raise StatusUnclear(column=column, words=sorted(unknown))
    return bool(told)


def _tells_direction(table: Source, roles: Roles) -> bool:
    """Whether a column called "direction" is about scores, where a metric's name may tell, too.

    Without one the column is all there is, and words in it that say nothing are an error.
    """
    if roles.direction_column is None or roles.metric_column is None:
        return True
    words = table.text(roles.direction_column).drop_nulls().unique()
    return {str(word).strip().casefold() for word in words} <= UP | DOWN


def describe_roles(roles: Roles) -> dict[str, str]:
    """The roles that are played, with their columns.

    >>> describe_roles(Roles(player="model", round=["task", "fold"], score="auc"))
    {'player': 'model', 'round': 'task, fold', 'score': 'auc'}
    """
    played = {role: as_list(columns) for role, columns in roles.columns().items() if columns}
    order = sorted(played, key=lambda role: FIRST.index(role) if role in FIRST else len(FIRST))
    return {role.removesuffix("_column"): ", ".join(played[role]) for role in order}
