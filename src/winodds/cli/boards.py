"""A file and options → leaderboards."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from winodds.cli.options import DECLARED, Asked, refuse_for, refuse_typed
from winodds.cli.progress import Progress
from winodds.language.errors import BadOption, WinoddsError
from winodds.language.options import Cells, Roles
from winodds.language.spelling import option
from winodds.language.words import count, list_some

if TYPE_CHECKING:
    from winodds.adapters.adapted import Adapted
    from winodds.board.leaderboard import Leaderboard
    from winodds.language.options import Columns
    from winodds.read.shapes import Battles, Given, Long, Wide
    from winodds.read.sheet import Sheet
    from winodds.season.season import Season

COLUMNS_SHOWN = 20

OWN_WORDS = ("player", "round", "score")
"""Roles that, once they are named, make a file a plain table."""


def rate_file(file: str, asked: Asked, *, quiet: bool = False) -> "Leaderboard | Season":
    """Read a file, say how it was understood, rate it, and compute the details it is to have."""
    with Progress(sys.stderr, quiet=quiet) as progress:
        found = _rate(read_file(file, asked, progress), asked, progress)
        _look_closer(boards_of(found), asked, progress)
    return found


def rate_with_overview(
    file: str,
    asked: Asked,
    *,
    quiet: bool = False,
    check: "Callable[[Leaderboard | Season], None] | None" = None,
) -> "tuple[Leaderboard | Season, Leaderboard | None]":
    """The same, and of several tournaments also the board of all together, where there can be one.

    A single tournament gives its board, and no season of one. ``check`` may refuse what was rated
    before anything is simulated.
    """
    with Progress(sys.stderr, quiet=quiet) as progress:
        table = read_file(file, asked, progress)
        found = _rate(table, asked, progress)
        boards = boards_of(found)
        found = boards[0] if len(boards) == 1 else found
        if check is not None:
            check(found)
        together = _rate_together(table, asked) if len(boards) > 1 else []
        _look_closer([*together, *boards], asked, progress)
    return found, next(iter(together), None)


def _rate_together(table: "Adapted | Sheet", asked: Asked) -> "list[Leaderboard]":
    """The board of all tournaments, or nothing and a word why there is none."""
    # Its clusters are whole data sets, and splits that share training data are inside of them.
    pooled = replace(asked, file=replace(asked.file, pool=True)).but(test_fraction=None)
    try:
        return boards_of(_rate(table, pooled, Progress(sys.stderr, quiet=True)))
    except WinoddsError as error:
        click.echo(f"* There is no board of all tournaments together. {error}", err=True)
        return []


def _look_closer(boards: "Sequence[Leaderboard]", asked: Asked, progress: Progress) -> None:
    """Compute the details of boards that are to have them, and say so, for that takes a while."""
    details = asked.options.get("details", False)
    for number, board in enumerate(boards, 1):
        if board.how.details.quick if details is None else details:
            name = board.tournament or "all together"
            which = f" ({name}, {number} of {len(boards)})" * (len(boards) > 1)
            progress.say(f"Comparing {count(len(board), 'player')}{which} …")
            board.details()
            progress.say(f"Checking the fit with simulated tables{which} …")
            board.quality()


def boards_of(found: "Leaderboard | Season") -> "list[Leaderboard]":
    """The board, or those of a season."""
    from winodds.season.season import Season

    return list(found.values()) if isinstance(found, Season) else [found]


def read_file(file: str, asked: Asked, progress: Progress) -> "Adapted | Sheet":
    """The table of a file, or what another tool wrote."""
    import winodds.api  # noqa: F401 - what takes long to import comes before the clock starts
    from winodds.adapters.adapter import Wanted
    from winodds.adapters.place import Place
    from winodds.adapters.sources import open_place

    progress.say(f"Reading {title(file)} …")
    given = asked.file
    cells = Cells(decimal=given.decimal, percent=given.percent, encoding=given.encoding)
    named = any(role in asked.columns for role in OWN_WORDS) or given.wide or given.battles
    source = "table" if named and given.source is None else given.source
    wanted = Wanted(given.metric, given.rounds, asked.options["higher_is_better"])
    return open_place(Place(file, cells), source, wanted)


def _rate(table: "Adapted | Sheet", asked: Asked, progress: Progress) -> "Leaderboard | Season":
    from winodds.adapters.adapted import Adapted
    from winodds.read.shapes import Battles

    if isinstance(table, Adapted):
        return _rate_adapted(table, asked, progress)
    shape = shape_of(table, asked)
    if isinstance(shape, Battles):
        return _rate_battles(table, shape, asked, progress)
    return _rate_roles(*find_roles(table, shape, asked, progress), asked, progress)


def shape_of(sheet: "Sheet", asked: Asked) -> "Battles | Long | Wide":
    """What shape a table has."""
    from winodds.read.shapes import find_shape

    return find_shape(sheet.columns, _given(sheet.columns, asked))


def find_roles(
    sheet: "Sheet", shape: "Long | Wide", asked: Asked, progress: Progress
) -> "tuple[Sheet, Roles]":
    """The table of scores in long form, and who plays which role; says so."""
    from winodds.read.shapes import Wide

    if isinstance(shape, Wide):
        return _of_wide(sheet, shape, asked, progress)
    return _of_long(sheet, shape, asked, progress)


def _given(columns: list[str], asked: Asked) -> "Given":
    from winodds.read.shapes import Given

    return Given(
        columns={role: _find(role, asked, columns) for role in asked.columns},
        shaping=replace(asked.file, ignore=_names(asked.file.ignore, columns)),
        higher_is_better=asked.options["higher_is_better"],
    )


def _find(role: str, asked: Asked, columns: list[str]) -> tuple[str, ...]:
    """The columns that were named for a role."""
    typed = asked.columns.get(role, ())
    return _names(typed, columns) if DECLARED[role].several else _spelt(typed, columns)


def _names(given: tuple[str, ...], columns: list[str]) -> tuple[str, ...]:
    """Columns' names; one that is none but a list of them, with commas, is taken as these."""
    names: list[str] = []
    for name in given:
        parts = _spelt([part.strip() for part in name.split(",")], columns)
        listed = name not in columns and set(parts) <= set(columns)
        names += parts if listed else _spelt([name], columns)
    return tuple(dict.fromkeys(names))


def _spelt(given: Sequence[str], columns: list[str]) -> tuple[str, ...]:
    """Columns' names; capitals do not matter where that leaves no doubt."""
    alike = {name: [it for it in columns if it.casefold() == name.casefold()] for name in given}
    return tuple(
        alike[name][0] if name not in columns and len(alike[name]) == 1 else name for name in given
    )


# What other tools wrote ---------------------------------------------------------------------------


def _rate_adapted(table: "Adapted", asked: Asked, progress: Progress) -> "Leaderboard | Season":
    """Rate what knows its roles; columns that were named play theirs all the same."""
    from winodds.api import rate_battles

    refuse_typed(("ignore", "wide", "battles"), f"this is {table.tool}, not a plain table")
    progress.tell(f"{title(table.name)}: {table.tool}; {table.summary}")
    columns = {role: _find(role, asked, table.columns) for role in asked.columns}
    named: dict[str, Any] = {
        role: found if DECLARED[role].several else found[0] for role, found in columns.items()
    }
    if table.battles:
        refuse_for("battles", "these are battles, which have no such thing")
        return rate_battles(table, **named, **_of_battles(asked))
    # The direction was asked for while the source was read.
    said = {**_at_once(asked), "higher_is_better": None, **named}
    tournament = named.get("tournament", table.knows.get("tournament"))
    return _rate_each_or_all(table, said, tournament, asked, progress)


# The three shapes ---------------------------------------------------------------------------------


def _of_long(
    sheet: "Sheet", shape: "Long", asked: Asked, progress: Progress
) -> "tuple[Sheet, Roles]":
    roles = shape.roles
    names = [
        column
        for role, columns in roles.columns().items()
        if role not in ("score", "weights")
        for column in _as_list(columns)
    ]
    sheet.plan(names=names, scores=[roles.score], others=_as_list(roles.weights))
    if "status" not in asked.columns and not _tells_success(sheet, roles.status):
        roles = replace(roles, status=None)
    progress.tell(say_found(sheet, {**_describe(roles), **_ignored(asked)}))
    return sheet, roles


def _of_wide(
    sheet: "Sheet", shape: "Wide", asked: Asked, progress: Progress
) -> "tuple[Sheet, Roles]":
    from winodds.read.wide import PLAYER, ROUND, SCORE, TOURNAMENT, to_long
    from winodds.table.vocabulary import name_metrics

    refuse_for("wide", "a wide table has no column for it")
    long = to_long(
        sheet,
        labels=shape.labels,
        rows_are=shape.rows_are,
        tournament=shape.tournament,
        ignore=_names(asked.file.ignore, sheet.columns),
    )
    columns = "round" if shape.rows_are == PLAYER else "player"
    named = sorted({str(name) for name in long.text(columns).unique()}, key=sheet.columns.index)
    words = {shape.rows_are: shape.labels, columns: _several(named)}
    tournament = {"tournament": shape.tournament} if shape.tournament else {}
    progress.tell(
        say_found(sheet, {**words, **tournament, "score": "the cells", **_ignored(asked)})
    )
    metrics = name_metrics(long.text(ROUND).unique().to_list())
    roles = Roles(
        player=PLAYER,
        round=ROUND,
        score=SCORE,
        tournament=TOURNAMENT if shape.tournament else None,
        metric_column=ROUND if metrics else None,
        higher_is_better=asked.options["higher_is_better"],
    )
    return long, roles


def _rate_battles(
    sheet: "Sheet", shape: "Battles", asked: Asked, progress: Progress
) -> "Leaderboard":
    from winodds.api import rate_battles

    said = find_sides(sheet, shape, asked, progress)
    progress.say(f"Rating {count(sheet.rows, 'battle')} …")
    return rate_battles(sheet, **said, **_of_battles(asked))


def find_sides(
    sheet: "Sheet", shape: "Battles", asked: Asked, progress: Progress
) -> dict[str, Any]:
    """Which columns hold the two sides, who won, and what else battles have; says so."""
    refuse_for("battles", "these are battles, which have no such thing")
    units = {role: _find(role, asked, sheet.columns) for role in ("cluster", "weights")}
    cluster, weights = units["cluster"], next(iter(units["weights"]), None)
    sides = {role: column for role, column in asdict(shape).items() if column is not None}
    sheet.plan(names=[*sides.values(), *cluster], others=_as_list(weights))
    found = {**sides, **{role: ", ".join(columns) for role, columns in units.items() if columns}}
    progress.tell(say_found(sheet, {**found, **_ignored(asked)}))
    return {**sides, "cluster": cluster or None, "weights": weights}


def _of_battles(asked: Asked) -> dict[str, Any]:
    """What to ask of a rating of battles."""
    return {
        name: value
        for name, value in _at_once(asked).items()
        if "battles" in DECLARED[name].option.shapes
    }


def _at_once(asked: Asked) -> dict[str, Any]:
    """What to ask of a rating: details are computed later, with a word about it."""
    wanted = asked.options.get("details", False)
    return {**asked.options, "details": None if wanted is None else False}


def _rate_roles(
    sheet: "Sheet", roles: Roles, asked: Asked, progress: Progress
) -> "Leaderboard | Season":
    said: dict[str, Any] = {**_at_once(asked), **vars(roles)}
    return _rate_each_or_all(sheet, said, roles.tournament, asked, progress)


def _rate_each_or_all(
    table: "Adapted | Sheet",
    said: dict[str, Any],
    tournament: "Columns | None",
    asked: Asked,
    progress: Progress,
) -> "Leaderboard | Season":
    """A board of each tournament, or one of all."""
    from winodds.api import rate, rate_each

    progress.say(f"Rating {count(table.rows, 'score')} …")
    if asked.file.percent:
        said["tie_tolerance"] /= 100.0
    if tournament is None and asked.file.pool:
        wanted = f"there are no tournaments; name their column with {option('tournament')}"
        raise BadOption(option="pool", value=True, wanted=wanted)
    if tournament is None or asked.file.pool or said["scheme"] == "data-sets":
        return rate(table, **said)
    said["tournament"] = tournament

    def tell(done: int, total: int) -> None:
        progress.say(f"Rating: {done:,} of {count(total, 'tournament')} …")

    return rate_each(table, **said, progress=tell)


# Words --------------------------------------------------------------------------------------------

FIRST = ("player", "family", "tournament", "round", "score")


def _describe(roles: Roles) -> dict[str, str]:
    """The roles that are played, with their columns."""
    played = roles.columns()
    order = sorted(played, key=lambda role: FIRST.index(role) if role in FIRST else len(FIRST))
    return {role.removesuffix("_column"): ", ".join(_as_list(played[role])) for role in order}


def _ignored(asked: Asked) -> dict[str, str]:
    return {"ignored": ", ".join(asked.file.ignore)} if asked.file.ignore else {}


def say_found(sheet: "Sheet", roles: dict[str, str]) -> str:
    """How the table was understood."""
    listed = ", ".join(f"{role} = {columns}" for role, columns in roles.items())
    return f"{title(sheet.name)}: {count(sheet.rows, 'row')}; {listed}"


def _several(columns: list[str]) -> str:
    """Columns with their number, so that one that should not be among them is seen."""
    return f"{count(len(columns), 'column')} ({list_some(columns, shown=COLUMNS_SHOWN)})"


def title(file: str) -> str:
    if file == "-":
        return "standard input"
    return file if file.isprintable() else repr(file)


def _tells_success(sheet: "Sheet", column: str | None) -> bool:
    """Whether a column called "status" is about runs: whether it says how some of them ended."""
    from winodds.table.vocabulary import DONE, FAILED, UNDECIDED, plain_name

    if column is None:
        return False
    words = {str(word).strip().lower() for word in sheet.text(column).drop_nulls().unique()} - {""}
    if "state" in plain_name(column):
        # It could be a part of a country, too.
        return bool(words & (DONE | FAILED)) and words <= DONE | FAILED | UNDECIDED
    return bool(words & (DONE | FAILED))


def _as_list(columns: "Columns | None") -> list[str]:
    if columns is None:
        return []
    return [columns] if isinstance(columns, str) else list(columns)
