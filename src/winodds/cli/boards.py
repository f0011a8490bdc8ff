"""A file and options → leaderboards."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from winodds.cli.options import DECLARED, Asked, refuse_for, refuse_typed
from winodds.cli.progress import Progress
from winodds.cli.remedies import with_command
from winodds.language.errors import BadOption
from winodds.language.option import SCORES
from winodds.language.options import Cells, Roles, as_list
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


NOBODY = ""
"""Stands for the column of players in results of a single one that has none."""


def rate_file(
    file: str, asked: Asked, *, quiet: bool = False, together: bool = False, each: bool = False
) -> "Leaderboard | Season":
    """Read a file, say how it was understood, rate it, and compute the details it is to have.

    ``together`` asks of several tournaments for those of the board of all, too; ``each`` refuses
    a table without tournaments.
    """
    with with_command(file, asked), Progress(sys.stderr, quiet=quiet) as progress:
        found = rate_table(read_file(file, asked, progress), asked, progress)
        if each and found is boards_of(found)[0]:
            raise _no_tournaments("each")
        pooled = _rate_together(found, progress) if together else []
        look_closer([*pooled, *boards_of(found)], asked, progress)
    return found


@dataclass(frozen=True, slots=True)
class Rated:
    """What a file, or a folder, gave.

    Attributes
    ----------
    found : its board, or those of its tournaments.
    overview : the board of all tournaments together; None if there is none.
    files : those of a folder that were read; none where it is one file.
    """

    found: "Leaderboard | Season"
    overview: "Leaderboard | None"
    files: tuple[Path, ...]


def rate_with_overview(
    file: str,
    asked: Asked,
    *,
    quiet: bool = False,
    check: "Callable[[Leaderboard | Season], None] | None" = None,
) -> Rated:
    """The same, and of several tournaments also the board of all together, where there can be one.

    A single tournament gives its board, and no season of one. ``check`` may refuse what was rated
    before anything is simulated.
    """
    from winodds.adapters.adapted import Adapted
    from winodds.season.season import Season
    from winodds.show.words.overview import describe_apart

    with Progress(sys.stderr, quiet=quiet) as progress:
        with with_command(file, asked):
            table = read_file(file, asked, progress)
            found = rate_table(table, asked, progress)
        boards = boards_of(found)
        found = boards[0] if len(boards) == 1 else found
        if check is not None:
            check(found)
        together = _rate_together(found, progress)
        if reason := found.apart if isinstance(found, Season) else "":
            click.echo(f"* {describe_apart(reason)}", err=True)
        look_closer([*together, *boards], asked, progress)
    files = table.files if isinstance(table, Adapted) else ()
    return Rated(found, next(iter(together), None), files)


def _rate_together(found: "Leaderboard | Season", progress: Progress) -> "list[Leaderboard]":
    """The board of all tournaments, if there are several and they can be rated together."""
    from winodds.season.season import Season

    if not isinstance(found, Season):
        return []
    progress.say("Rating all together …")
    return [] if found.together is None else [found.together]


def look_closer(boards: "Sequence[Leaderboard]", asked: Asked, progress: Progress) -> None:
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
    import winodds.api.scores  # noqa: F401 - what takes long to import comes before the clock starts
    from winodds.adapters.adapter import Wanted
    from winodds.adapters.place import Place
    from winodds.adapters.sources import open_place

    progress.say(f"Reading {title(file)} …")
    given = asked.file
    cells = Cells(
        decimal=given.decimal,
        percent=given.percent,
        encoding=given.encoding,
        limit=given.limit,
        sheet=given.sheet,
    )
    named = any(role in asked.columns for role in OWN_WORDS) or given.wide or given.battles
    source = "table" if named and given.source is None else given.source
    way = asked.options["higher_is_better"]
    wanted = Wanted(given.metric, given.rounds, way, given.algorithms)
    return open_place(Place(file, cells), source, wanted)


def rate_table(
    table: "Adapted | Sheet", asked: Asked, progress: Progress
) -> "Leaderboard | Season":
    """Rate a table: one board, or one of each tournament."""
    from winodds.api.battles import rate_battles
    from winodds.api.scores import rate, rate_each

    found = understand(table, asked, progress)
    if found.battles:
        progress.say(f"Rating {count(found.table.rows, 'battle')} …")
        return rate_battles(found.table, **found.said)
    progress.say(f"Rating {count(found.table.rows, 'score')} …")
    if found.tournament is None or asked.file.pool or found.said["scheme"] == "data-sets":
        return rate(found.table, **found.said)

    def tell(done: int, total: int) -> None:
        progress.say(f"Rating: {done:,} of {count(total, 'tournament')} …")

    said = {**found.said, "tournament": found.tournament}
    return rate_each(found.table, **said, progress=tell)


@dataclass(frozen=True, slots=True)
class Understood:
    """A table, and what to ask of its rating.

    Attributes
    ----------
    table : with a row for every score or battle.
    said : the options, by name.
    tournament : the columns of the tournaments, if there are any.
    battles : whether rows are battles.
    """

    table: "Adapted | Sheet"
    said: dict[str, Any]
    tournament: "Columns | None"
    battles: bool


def understand(table: "Adapted | Sheet", asked: Asked, progress: Progress) -> Understood:
    """Find out who plays which role, and say so."""
    from winodds.adapters.adapted import Adapted
    from winodds.read.shapes import Battles

    if isinstance(table, Adapted):
        return _understand_adapted(table, asked, progress)
    shape = shape_of(table, asked)
    if isinstance(shape, Battles):
        sides = find_sides(table, shape, asked, progress)
        return Understood(table, {**sides, **_of_battles(asked)}, None, battles=True)
    sheet, roles = find_roles(table, shape, asked, progress)
    said = {**_of_scores(asked), **vars(roles)}
    return _check_pool(Understood(sheet, said, roles.tournament, battles=False), asked)


def _understand_adapted(table: "Adapted", asked: Asked, progress: Progress) -> Understood:
    """What knows its roles; columns that were named play theirs all the same."""
    refuse_typed(("ignore", "wide", "battles"), f"this is {table.tool}, not a plain table")
    progress.tell(f"{title(table.name)}: {table.tool}; {table.summary}")
    named = named_roles(table, asked)
    if table.battles:
        refuse_for("battles", "these are battles, which have no such thing")
        return Understood(table, {**_of_battles(asked), **named}, None, battles=True)
    # The direction was asked for while the source was read.
    said = {**_of_scores(asked), "higher_is_better": None, **named}
    tournament = named.get("tournament", table.knows.get("tournament"))
    return _check_pool(Understood(table, said, tournament, battles=False), asked)


def _check_pool(found: Understood, asked: Asked) -> Understood:
    """The same, unless tournaments are to be pooled that are not there."""
    if found.tournament is None and asked.file.pool:
        raise _no_tournaments("pool")
    return found


def _no_tournaments(name: str) -> BadOption:
    """Why an option about several tournaments is refused."""
    wanted = f"there are no tournaments; name their column with {option('tournament')}"
    return BadOption(option=name, value=True, wanted=wanted)


def shape_of(sheet: "Sheet", asked: Asked) -> "Battles | Long | Wide":
    """What shape a table has."""
    from winodds.read.look import look_inside
    from winodds.read.shape_errors import RolesUnclear
    from winodds.read.shapes import find_shape

    # What cuts a table into slices plays no other role, unless that is said.
    slicing = _spelt(asked.columns.get("by", ()), sheet.columns)
    said = {name for role, names in asked.columns.items() if role != "by" for name in names}
    free = [column for column in sheet.columns if column not in slicing or column in said]
    try:
        return find_shape(free, _given(sheet.columns, asked))
    except RolesUnclear as error:
        raise look_inside(error, sheet) from None


def shape_of_one(sheet: "Sheet", asked: Asked) -> "Battles | Long | Wide":
    """The same of results that may be those of a single player whom no column names."""
    from winodds.read.shape_errors import RolesUnclear
    from winodds.read.shapes import find_shape
    from winodds.table.vocabulary import propose_roles

    given = _given(sheet.columns, asked)
    if given.all("player") or propose_roles(sheet.columns)["player"] or asked.file.wide:
        return find_shape(sheet.columns, given)
    alone = replace(given, columns={**given.columns, "player": (NOBODY,)})
    try:
        return find_shape([*sheet.columns, NOBODY], alone)
    except RolesUnclear as error:
        raise replace(error, columns=sheet.columns) from None


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
        columns={
            role: find_columns(role, asked, columns) for role in asked.columns if role != "by"
        },
        shaping=replace(
            asked.file,
            ignore=_names(asked.file.ignore, columns),
            keep=_names(asked.file.keep, columns),
        ),
        higher_is_better=asked.options["higher_is_better"],
    )


def find_columns(role: str, asked: Asked, columns: list[str]) -> tuple[str, ...]:
    """The columns that were named for a role."""
    typed = asked.columns.get(role, ())
    return _names(typed, columns) if DECLARED[role].several else _spelt(typed, columns)


def _names(given: tuple[str, ...], columns: list[str]) -> tuple[str, ...]:
    """Columns' names; one that is none but a list of them, with commas, is taken as these.

    One with ``*`` or ``?`` stands for all that fit.
    """
    from winodds.read.doubts import matching

    names: list[str] = []
    for name in given:
        parts = matching(_spelt([part.strip() for part in name.split(",")], columns), columns)
        listed = name not in columns and set(parts) <= set(columns)
        names += parts if listed else _spelt([name], columns)
    return tuple(dict.fromkeys(names))


def _spelt(given: Sequence[str], columns: list[str]) -> tuple[str, ...]:
    """Columns' names; capitals do not matter where that leaves no doubt."""
    alike = {name: [it for it in columns if it.casefold() == name.casefold()] for name in given}
    return tuple(
        alike[name][0] if name not in columns and len(alike[name]) == 1 else name for name in given
    )


def named_roles(table: "Adapted", asked: Asked) -> dict[str, Any]:
    """The columns that were named, by their roles."""
    columns = {
        role: find_columns(role, asked, table.columns) for role in asked.columns if role != "by"
    }
    return {role: found if DECLARED[role].several else found[0] for role, found in columns.items()}


# The three shapes ---------------------------------------------------------------------------------


def _of_long(
    sheet: "Sheet", shape: "Long", asked: Asked, progress: Progress
) -> "tuple[Sheet, Roles]":
    from winodds.read.understood import describe_roles, drop_homonyms

    roles, slicing = shape.roles, find_columns("by", asked, sheet.columns)
    names = [
        column
        for role, columns in roles.columns().items()
        if role not in ("score", "weights")
        for column in as_list(columns)
        if column != NOBODY
    ]
    sheet.plan(names=[*names, *slicing], scores=[roles.score], others=as_list(roles.weights))
    roles = drop_homonyms(roles, sheet, asked.columns)
    by = {"slice": slicing[0]} if slicing else {}
    progress.tell(say_found(sheet, {**describe_roles(roles), **by, **_ignored(asked)}))
    return sheet, roles


def _of_wide(
    sheet: "Sheet", shape: "Wide", asked: Asked, progress: Progress
) -> "tuple[Sheet, Roles]":
    from winodds.read.wide import PLAYER, ROUND, SCORE, TOURNAMENT, to_long

    refuse_for("wide", "a wide table has no column for it")
    long = to_long(
        sheet,
        labels=shape.labels,
        rows_are=shape.rows_are,
        tournament=shape.tournament,
        repeat=shape.repeat,
        ignore=_names(asked.file.ignore, sheet.columns),
        keep=_names(asked.file.keep, sheet.columns),
        higher_is_better=asked.options["higher_is_better"],
    )
    columns = "round" if shape.rows_are == PLAYER else "player"
    other = columns
    if shape.rows_are == PLAYER and TOURNAMENT in long.columns and shape.tournament is None:
        other = TOURNAMENT
    there = {str(name) for name in long.text(other).unique()}
    named = [name for name in sheet.columns if name in there]
    words = {shape.rows_are: ", ".join(shape.labels), other: _several(named)}
    tournament = {"tournament": shape.tournament} if shape.tournament else {}
    tournament |= {"round": shape.repeat} if shape.repeat else {}
    progress.tell(
        say_found(sheet, {**words, **tournament, "score": "the cells", **_ignored(asked)})
    )
    roles = Roles(
        player=PLAYER,
        round=ROUND,
        score=SCORE,
        tournament=long.knows.get("tournament"),
        metric_column=long.knows.get("metric_column"),
        higher_is_better=asked.options["higher_is_better"],
    )
    return long, roles


def find_sides(
    sheet: "Sheet", shape: "Battles", asked: Asked, progress: Progress
) -> dict[str, Any]:
    """Which columns hold the two sides, who won, and what else battles have; says so."""
    from winodds.table.battles import prompt_columns
    from winodds.table.vocabulary import VOTE_NAMES, named

    refuse_for("battles", "these are battles, which have no such thing")
    units = {role: find_columns(role, asked, sheet.columns) for role in ("cluster", "weights")}
    cluster, weights = units["cluster"], next(iter(units["weights"]), None)
    sides = {role: column for role, column in asdict(shape).items() if column is not None}
    slicing = find_columns("by", asked, sheet.columns)
    # Without clusters a note names what could be some, and whether the same two met on one prompt.
    units_unsaid = (*prompt_columns(sheet.columns), *named(sheet.columns, VOTE_NAMES))
    kept = dict.fromkeys((*sides.values(), *cluster, *slicing, *(() if cluster else units_unsaid)))
    sheet.plan(names=list(kept), others=as_list(weights))
    found = {**sides, **{role: ", ".join(columns) for role, columns in units.items() if columns}}
    found |= {"slice": slicing[0]} if slicing else {}
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


def _of_scores(asked: Asked) -> dict[str, Any]:
    """What to ask of a rating of scores."""
    refuse_typed(["seat"], "these are scores, and only battles have seats")
    said = {
        name: value
        for name, value in _at_once(asked).items()
        if set(DECLARED[name].option.shapes) & set(SCORES)
    }
    if asked.file.percent:
        said["tie_tolerance"] /= 100.0
    return said


# Words --------------------------------------------------------------------------------------------


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
