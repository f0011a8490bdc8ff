"""The table of a contest: which column holds scores, which names, and what is to be left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from winodds.language.options import Columns, as_list
from winodds.read.doubts import matching
from winodds.read.numbers import NUMBER
from winodds.read.shape_errors import RolesUnclear, TwoRoles
from winodds.sota.errors import NotIgnored
from winodds.table.errors import MissingColumn
from winodds.table.frames import Source
from winodds.table.names import close_names
from winodds.table.table import SEPARATOR
from winodds.table.vocabulary import PLAYER_NAMES, named, plain_name, propose_roles

ENTRY_NAMES = (*PLAYER_NAMES, "team", "teamname", "entry", "submission", "participant", "user")


@dataclass(frozen=True, slots=True)
class Found:
    """Columns of a table.

    Attributes
    ----------
    score : the one with the scores.
    players : those that name the entries together; none if nothing names them.
    left : names of entries to leave out, or patterns of such names.
    """

    score: str
    players: tuple[str, ...]
    left: tuple[str, ...]


def find_columns(
    columns: Sequence[str], score: str | None, player: Columns | None, ignore: Columns
) -> Found:
    """Which column is what; what is to be ignored and is no column is taken for entries."""
    players = _split(player, columns)
    given = [*([] if score is None else [score]), *players]
    for column in given:
        if column not in columns:
            raise MissingColumn(column=column, columns=columns, close=close_names(column, columns))
    wanted = matching(as_list(ignore), columns)
    ignored = [name for name in wanted if name in columns]
    for column in ignored:
        if column in given:
            raise TwoRoles(column=column, roles=("one that is ignored", "one that plays a role"))
    visible = [column for column in columns if column not in ignored]
    found = score if score is not None else _score_column([c for c in visible if c not in players])
    free = [column for column in visible if column != found]
    proposed = players or named(free, ENTRY_NAMES)[:1]
    return Found(found, tuple(proposed), tuple(name for name in wanted if name not in columns))


def _split(player: Columns | None, columns: Sequence[str]) -> tuple[str, ...]:
    """Columns that were named one by one, or with commas between them."""
    found: list[str] = []
    for name in as_list(player):
        parts = [part.strip() for part in name.split(",")]
        together = name not in columns and all(part in columns for part in parts)
        found += parts if together else [name]
    return tuple(dict.fromkeys(found))


def join_names(source: Source, players: Sequence[str]) -> list[str]:
    """A name for each row; those of several columns are joined by a slash."""
    texts = [source.text(column).cast(str).fill_null("") for column in players]
    return [SEPARATOR.join(parts) for parts in zip(*texts, strict=True)]


def _score_column(columns: Sequence[str]) -> str:
    proposed = propose_roles(columns)["score"]
    exact = [column for column in proposed if plain_name(column) == "score"]
    if len(exact or proposed) == 1:
        return (exact or list(proposed))[0]
    headless = any(NUMBER.fullmatch(column) for column in columns)
    if len(columns) == 1 and not headless:
        return columns[0]
    raise roles_unclear(columns, exact or proposed, headless=headless)


def roles_unclear(
    columns: Sequence[str], found: Sequence[str], *, headless: bool = False
) -> RolesUnclear:
    """The error about no column of scores, or several."""
    return RolesUnclear(
        columns=columns,
        missing=() if found else ("score",),
        several={"score": found} if found else {},
        joinable=False,
        headless=headless,
        contest=True,
    )


# Entries to leave out -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ignored:
    """Entries that were left out as asked.

    Attributes
    ----------
    entries : how many.
    names : their names, each once.
    nowhere : what was to be left out and is neither a column nor the name of an entry.
    """

    entries: int = 0
    names: tuple[str, ...] = ()
    nowhere: tuple[str, ...] = ()


def leave_out(names: Sequence[str] | None, left: Sequence[str]) -> tuple[list[bool], Ignored]:
    """Which entries stay, and what was left out, by names or by patterns with ``*`` and ``?``.

    >>> leave_out(["a", "baseline 1", "baseline 2"], ["base*", "b"])[1]
    Ignored(entries=2, names=('baseline 1', 'baseline 2'), nowhere=('b',))
    """
    known = list(dict.fromkeys(names or ()))
    out: dict[str, None] = {}
    nowhere = []
    for wanted in left:
        fitting = [name for name in known if name == wanted]
        if not fitting and ("*" in wanted or "?" in wanted):
            # Only these two are patterns: names such as '[Deleted]' have brackets.
            folded = wanted.casefold().replace("[", "[[]")
            fitting = [name for name in known if fnmatchcase(name.casefold(), folded)]
        out.update(dict.fromkeys(fitting))
        nowhere += [] if fitting else [wanted]
    kept = [name not in out for name in names or ()]
    return kept, Ignored(len(kept) - sum(kept), tuple(out), tuple(nowhere))


def refuse_nowhere(*boards: tuple[Ignored, Sequence[str] | None]) -> None:
    """Refuse what is to be left out, and stands on none of the boards."""
    nowhere = set.intersection(*({*ignored.nowhere} for ignored, _ in boards))
    for name in boards[0][0].nowhere:
        if name in nowhere:
            known = [entry for _, names in boards for entry in names or ()]
            raise NotIgnored(name=name, close=close_names(name, list(dict.fromkeys(known))))
