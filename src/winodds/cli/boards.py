"""A file and options → leaderboards."""

import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from winodds.cli.options import DECLARED, Asked, refuse_for, refuse_typed
from winodds.cli.progress import Progress
from winodds.language.errors import BadOption, WinoddsError
from winodds.language.option import SCORES
from winodds.language.options import Roles
from winodds.language.spelling import option
from winodds.language.words import count, list_some

if TYPE_CHECKING:
    from winodds.board.leaderboard import Leaderboard
    from winodds.language.options import Columns
    from winodds.read.shapes import Battles, Given, Long, Wide
    from winodds.read.sheet import Sheet
    from winodds.season.season import Season
    from winodds.slices.slices import Slices

COLUMNS_SHOWN = 20


def rate_file(file: str, asked: Asked, *, quiet: bool = False) -> "Leaderboard | Season":
    """Read a file, say how it was understood, rate it, and compute the details it is to have."""
    with Progress(sys.stderr, quiet=quiet) as progress:
        found = _rate(*_read(file, asked, progress), asked, progress)
        _look_closer(boards_of(found), asked, progress)
    return found


def slice_file(file: str, asked: Asked, *, quiet: bool = False) -> "Slices":
    """Read a file, say how it was understood, and cut its board into slices."""
    with Progress(sys.stderr, quiet=quiet) as progress:
        sheet, shape = _read(file, asked, progress)
        found = _slice(sheet, shape, asked, progress)
        _look_closer([found.whole], asked, progress)
        progress.say(f"Looking for the best of {count(len(found), 'slice')} …")
        found.leaders()
    return found


def rate_with_overview(
    file: str, asked: Asked, *, quiet: bool = False
) -> "tuple[Leaderboard | Season, Leaderboard | None]":
    """The same, and of several tournaments also the board of all together, where there can be one.

    A single tournament gives its board, and no season of one.
    """
    with Progress(sys.stderr, quiet=quiet) as progress:
        sheet, shape = _read(file, asked, progress)
        found = _rate(sheet, shape, asked, progress)
        boards = boards_of(found)
        together = _rate_together(sheet, shape, asked) if len(boards) > 1 else []
        _look_closer([*together, *boards], asked, progress)
    return boards[0] if len(boards) == 1 else found, next(iter(together), None)


def _rate_together(
    sheet: "Sheet", shape: "Battles | Long | Wide", asked: Asked
) -> "list[Leaderboard]":
    """The board of all tournaments, or nothing and a word why there is none."""
    # Its clusters are whole data sets, and splits that share training data are inside of them.
    pooled = replace(asked, file=replace(asked.file, pool=True)).but(test_fraction=None)
    try:
        return boards_of(_rate(sheet, shape, pooled, Progress(sys.stderr, quiet=True)))
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


def _read(file: str, asked: Asked, progress: Progress) -> "tuple[Sheet, Battles | Long | Wide]":
    """The table of a file, and what shape it has."""
    import winodds.api  # noqa: F401 - what takes long to import comes before the clock starts
    from winodds.read.files import read_results
    from winodds.read.shapes import find_shape

    progress.say(f"Reading {title(file)} …")
    cells = asked.file
    sheet = read_results(
        file, decimal=cells.decimal, percent=cells.percent, encoding=cells.encoding
    )
    # What cuts a table into slices plays no other role, unless that is said.
    slicing = _spelt(asked.columns.get("by", ()), sheet.columns)
    said = {name for role, names in asked.columns.items() if role != "by" for name in names}
    free = [column for column in sheet.columns if column not in slicing or column in said]
    return sheet, find_shape(free, _given(sheet.columns, asked))


def _rate(
    sheet: "Sheet", shape: "Battles | Long | Wide", asked: Asked, progress: Progress
) -> "Leaderboard | Season":
    from winodds.read.shapes import Battles, Wide

    if isinstance(shape, Battles):
        return _rate_battles(sheet, shape, asked, progress)
    if isinstance(shape, Wide):
        return _rate_wide(sheet, shape, asked, progress)
    return _rate_long(sheet, shape, asked, progress)


def _given(columns: list[str], asked: Asked) -> "Given":
    from winodds.read.shapes import Given

    return Given(
        columns={role: _find(role, asked, columns) for role in asked.columns if role != "by"},
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


# The three shapes ---------------------------------------------------------------------------------


def _rate_long(
    sheet: "Sheet", shape: "Long", asked: Asked, progress: Progress
) -> "Leaderboard | Season":
    return _rate_roles(sheet, _plan_long(sheet, shape, asked, progress), asked, progress)


def _plan_long(sheet: "Sheet", shape: "Long", asked: Asked, progress: Progress) -> Roles:
    """The roles of a long table, whose columns are looked at, and how it was understood."""
    roles, slicing = shape.roles, _find("by", asked, sheet.columns)
    names = [
        column
        for role, columns in roles.columns().items()
        if role not in ("score", "weights")
        for column in _as_list(columns)
    ]
    sheet.plan(names=[*names, *slicing], scores=[roles.score], others=_as_list(roles.weights))
    if "status" not in asked.columns and not _tells_success(sheet, roles.status):
        roles = replace(roles, status=None)
    by = {"slice": slicing[0]} if slicing else {}
    progress.tell(say_found(sheet, {**_describe(roles), **by, **_ignored(asked)}))
    return roles


def _rate_wide(
    sheet: "Sheet", shape: "Wide", asked: Asked, progress: Progress
) -> "Leaderboard | Season":
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
    return _rate_roles(long, roles, asked, progress)


def _rate_battles(
    sheet: "Sheet", shape: "Battles", asked: Asked, progress: Progress
) -> "Leaderboard":
    from winodds.api import rate_battles

    return rate_battles(sheet, **_plan_battles(sheet, shape, asked, progress))


def _plan_battles(
    sheet: "Sheet", shape: "Battles", asked: Asked, progress: Progress
) -> dict[str, Any]:
    """What to ask of battles, whose columns are looked at, and how they were understood."""
    from winodds.table.battles import prompt_columns

    refuse_for("battles", "these are battles, which have no such thing")
    units = {role: _find(role, asked, sheet.columns) for role in ("cluster", "weights")}
    cluster, weights = units["cluster"], next(iter(units["weights"]), None)
    sides = {role: column for role, column in asdict(shape).items() if column is not None}
    slicing = _find("by", asked, sheet.columns)
    # Without clusters somebody has to look whether the same two met on the same prompt.
    prompts = [] if cluster else prompt_columns(sheet.columns)
    names = [*sides.values(), *cluster, *slicing, *prompts]
    sheet.plan(names=names, others=_as_list(weights))
    found = {**sides, **{role: ", ".join(columns) for role, columns in units.items() if columns}}
    found |= {"slice": slicing[0]} if slicing else {}
    progress.tell(say_found(sheet, {**found, **_ignored(asked)}))
    progress.say(f"Rating {count(sheet.rows, 'battle')} …")
    said: dict[str, Any] = {**sides, "cluster": cluster or None, "weights": weights}
    said |= {
        name: value
        for name, value in _at_once(asked).items()
        if "battles" in DECLARED[name].option.shapes
    }
    return said


def _at_once(asked: Asked) -> dict[str, Any]:
    """What to ask of a rating: details are computed later, with a word about it."""
    wanted = asked.options.get("details", False)
    return {**asked.options, "details": None if wanted is None else False}


def _rate_roles(
    sheet: "Sheet", roles: Roles, asked: Asked, progress: Progress
) -> "Leaderboard | Season":
    from winodds.api import rate, rate_each

    progress.say(f"Rating {count(sheet.rows, 'score')} …")
    said = _say_roles(roles, asked)
    if roles.tournament is None or asked.file.pool or said["scheme"] == "data-sets":
        return rate(sheet, **said)

    def tell(done: int, total: int) -> None:
        progress.say(f"Rating: {done:,} of {count(total, 'tournament')} …")

    return rate_each(sheet, **said, progress=tell)


def _say_roles(roles: Roles, asked: Asked) -> dict[str, Any]:
    """What to ask of a table of scores."""
    refuse_typed(["seat"], "these are scores, and only battles have seats")
    usual = {
        name: value
        for name, value in _at_once(asked).items()
        if set(DECLARED[name].option.shapes) & set(SCORES)
    }
    said: dict[str, Any] = {**usual, **vars(roles)}
    if asked.file.percent:
        said["tie_tolerance"] /= 100.0
    if roles.tournament is None and asked.file.pool:
        wanted = f"there are no tournaments; name their column with {option('tournament')}"
        raise BadOption(option="pool", value=True, wanted=wanted)
    return said


def _slice(
    sheet: "Sheet", shape: "Battles | Long | Wide", asked: Asked, progress: Progress
) -> "Slices":
    """The slices of a table, which must give one board as a whole."""
    from winodds.api import rate_battle_slices, rate_slices
    from winodds.read.shapes import Battles, Wide
    from winodds.slices.errors import SlicesOfOneBoard
    from winodds.table.errors import ConflictingDuplicates, NotConstant
    from winodds.table.slices import repeats_within

    if isinstance(shape, Wide):
        refuse_for("wide", "a wide table has no column for it")
    assert not isinstance(shape, Wide)
    by = _find("by", asked, sheet.columns)[0]
    _require_column(sheet, by)
    if isinstance(shape, Battles):
        return rate_battle_slices(sheet, by=by, **_plan_battles(sheet, shape, asked, progress))
    roles = _plan_long(sheet, shape, asked, progress)
    said = _say_roles(roles, asked)
    if roles.tournament is not None and not asked.file.pool:
        raise SlicesOfOneBoard(column=by, tournament=", ".join(_as_list(roles.tournament)))
    progress.say(f"Rating {count(sheet.rows, 'score')} by slices …")
    try:
        return rate_slices(sheet, by=by, **said)
    except (ConflictingDuplicates, NotConstant):
        if not repeats_within(sheet, [*_as_list(roles.player), *_as_list(roles.round)], by):
            raise
        wanted = "its values have the same rounds, as tournaments do; 'winodds season' rates each"
        raise BadOption(option="by", value=by, wanted=wanted) from None


def _require_column(sheet: "Sheet", column: str) -> None:
    from winodds.table.errors import MissingColumn
    from winodds.table.names import close_names

    if column not in sheet.columns:
        close = close_names(column, sheet.columns)
        raise MissingColumn(column=column, columns=sheet.columns, close=close)


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
