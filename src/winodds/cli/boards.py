"""A file and options → leaderboards."""

import contextlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from winodds.cli.options import refuse_typed
from winodds.cli.progress import Progress
from winodds.language.errors import BadOption, WinoddsError
from winodds.language.spelling import option
from winodds.language.words import count

if TYPE_CHECKING:
    from winodds.board.leaderboard import Leaderboard
    from winodds.cli.options import RatingOptions
    from winodds.quality.deviance import Convention
    from winodds.read.shapes import Battles, Given, Long, Wide
    from winodds.read.sheet import Sheet
    from winodds.season.season import Season
    from winodds.table.table import Columns, Roles

NOT_FOR_BATTLES = (
    "player round score tournament group status higher_is_better metric_column direction_column "
    "pool percent matches tie_tolerance missing duplicates test_fraction"
)
NOT_FOR_WIDE = (
    "score group status cluster weights metric_column direction_column left right winner loser"
)
COLUMNS_SHOWN = 20
OF_THE_FIT = "estimator prior_sd interval level reference components seed"
OF_MATCHES = "matches tie_tolerance missing duplicates test_fraction"


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of a board is wanted.

    Attributes
    ----------
    details : whether rows have ranks and the board has its quality; None for moderate sizes.
    convention : how the quality's deviance counts pairs.
    """

    details: bool | None = False
    convention: "Convention" = "pairs"

    def at_once(self) -> dict[str, Any]:
        """What to ask of a rating: a board only tells whether its details would take long."""
        return {"details": None if self.details is None else False, "convention": self.convention}


def rate_file(
    file: str,
    options: "RatingOptions",
    extent: Extent,
    *,
    quiet: bool = False,
) -> "Leaderboard | Season":
    """Read a file, say how it was understood, rate it, and compute the details it is to have."""
    with Progress(sys.stderr, quiet=quiet) as progress:
        found = _rate(*_read(file, options, progress), options, extent, progress)
        _look_closer(boards_of(found), extent, progress)
    return found


def rate_with_overview(
    file: str, options: "RatingOptions", extent: Extent, *, quiet: bool = False
) -> "tuple[Leaderboard | Season, Leaderboard | None]":
    """The same, and of several tournaments also the board of all together, where there can be one.

    A single tournament gives its board, and no season of one.
    """
    with Progress(sys.stderr, quiet=quiet) as progress:
        sheet, shape = _read(file, options, progress)
        found = _rate(sheet, shape, options, extent, progress)
        boards = boards_of(found)
        together: list[Leaderboard] = []
        if len(boards) > 1:
            pooled: RatingOptions = {**options, "pool": True}
            silent = Progress(sys.stderr, quiet=True)
            with contextlib.suppress(WinoddsError):
                together = boards_of(_rate(sheet, shape, pooled, extent, silent))
        _look_closer([*together, *boards], extent, progress)
    return boards[0] if len(boards) == 1 else found, next(iter(together), None)


def _look_closer(boards: "Sequence[Leaderboard]", extent: Extent, progress: Progress) -> None:
    """Compute the details of boards that are to have them, and say so, for that takes a while."""
    for number, board in enumerate(boards, 1):
        if board.how.details.quick if extent.details is None else extent.details:
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


def _read(
    file: str, options: "RatingOptions", progress: Progress
) -> "tuple[Sheet, Battles | Long | Wide]":
    """The table of a file, and what shape it has."""
    import winodds.api  # noqa: F401 - what takes long to import comes before the clock starts
    from winodds.read.files import read_results
    from winodds.read.shapes import find_shape

    progress.say(f"Reading {title(file)} …")
    sheet = read_results(
        file,
        decimal=options["decimal"],
        percent=options["percent"],
        encoding=options["encoding"],
    )
    return sheet, find_shape(sheet.columns, _given(sheet.columns, options))


def _rate(
    sheet: "Sheet",
    shape: "Battles | Long | Wide",
    options: "RatingOptions",
    extent: Extent,
    progress: Progress,
) -> "Leaderboard | Season":
    from winodds.read.shapes import Battles, Wide

    if isinstance(shape, Battles):
        return _rate_battles(sheet, shape, options, extent, progress)
    if isinstance(shape, Wide):
        return _rate_wide(sheet, shape, options, extent, progress)
    return _rate_long(sheet, shape, options, extent, progress)


def _given(columns: list[str], options: "RatingOptions") -> "Given":
    from winodds.read.shapes import Given

    return Given(
        player=_names(options["player"], columns),
        round=_names(options["round"], columns),
        score=_name(options["score"], columns),
        tournament=_names(options["tournament"], columns),
        group=_names(options["group"], columns),
        metric=_name(options["metric_column"], columns),
        direction=_name(options["direction_column"], columns),
        status=_name(options["status"], columns),
        cluster=_names(options["cluster"], columns),
        weights=_name(options["weights"], columns),
        left=_name(options["left"], columns),
        right=_name(options["right"], columns),
        winner=_name(options["winner"], columns),
        loser=_name(options["loser"], columns),
        wide=options["wide"],
        battles=options["battles"],
        higher_is_better=options["higher_is_better"],
        ignore=_names(options["ignore"], columns),
    )


def _names(given: tuple[str, ...], columns: list[str]) -> tuple[str, ...]:
    """Columns' names; one that is none but a list of them, with commas, is taken as these."""
    names: list[str] = []
    for name in given:
        parts = [_name(part.strip(), columns) or "" for part in name.split(",")]
        listed = name not in columns and set(parts) <= set(columns)
        names += parts if listed else [_name(name, columns) or name]
    return tuple(dict.fromkeys(names))


def _name(given: str | None, columns: list[str]) -> str | None:
    """A column's name; capitals do not matter where that leaves no doubt."""
    if given is None or given in columns:
        return given
    alike = [column for column in columns if column.casefold() == given.casefold()]
    return alike[0] if len(alike) == 1 else given


# The three shapes ---------------------------------------------------------------------------------


def _rate_long(
    sheet: "Sheet", shape: "Long", options: "RatingOptions", extent: Extent, progress: Progress
) -> "Leaderboard | Season":
    roles = shape.roles
    names = [column for role in NAME_ROLES for column in _as_list(getattr(roles, role))]
    sheet.plan(names=names, scores=[roles.score], others=_as_list(roles.weights))
    if options["status"] is None and not _tells_success(sheet, roles.status):
        roles = replace(roles, status=None)
    progress.tell(say_found(sheet, {**_describe(roles), **_ignored(options)}))
    return _rate_roles(sheet, roles, options, extent, progress)


def _rate_wide(
    sheet: "Sheet", shape: "Wide", options: "RatingOptions", extent: Extent, progress: Progress
) -> "Leaderboard | Season":
    from winodds.read.wide import PLAYER, ROUND, SCORE, TOURNAMENT, to_long
    from winodds.table.table import Roles
    from winodds.table.vocabulary import name_metrics

    refuse_typed(NOT_FOR_WIDE.split(), "a wide table has no column for it")
    long = to_long(
        sheet,
        labels=shape.labels,
        rows_are=shape.rows_are,
        tournament=shape.tournament,
        ignore=_names(options["ignore"], sheet.columns),
    )
    columns = "round" if shape.rows_are == PLAYER else "player"
    named = sorted({str(name) for name in long.text(columns).unique()}, key=sheet.columns.index)
    words = {shape.rows_are: shape.labels, columns: _several(named)}
    tournament = {"tournament": shape.tournament} if shape.tournament else {}
    progress.tell(
        say_found(sheet, {**words, **tournament, "score": "the cells", **_ignored(options)})
    )
    metrics = name_metrics(long.text(ROUND).unique().to_list())
    roles = Roles(
        player=PLAYER,
        round=ROUND,
        score=SCORE,
        tournament=TOURNAMENT if shape.tournament else None,
        metric=ROUND if metrics else None,
    )
    return _rate_roles(long, roles, options, extent, progress)


def _rate_battles(
    sheet: "Sheet", shape: "Battles", options: "RatingOptions", extent: Extent, progress: Progress
) -> "Leaderboard":
    from winodds.api import rate_battles

    refuse_typed(NOT_FOR_BATTLES.split(), "these are battles, which have no such thing")
    cluster = _names(options["cluster"], sheet.columns)
    sides = [side for side in (shape.left, shape.right, shape.loser) if side is not None]
    weights = _name(options["weights"], sheet.columns)
    sheet.plan(names=[*sides, shape.winner, *cluster], others=_as_list(weights))
    sides_of = {"left": shape.left, "right": shape.right, "winner": shape.winner}
    found = {
        **sides_of,
        "loser": shape.loser,
        "cluster": ", ".join(cluster) or None,
        "weights": weights,
        **_ignored(options),
    }
    progress.tell(
        say_found(sheet, {role: name for role, name in found.items() if name is not None})
    )
    progress.say(f"Rating {count(sheet.rows, 'battle')} …")
    return rate_battles(
        sheet,
        left=shape.left or "",
        right=shape.right or "",
        winner=shape.winner,
        loser=shape.loser,
        cluster=cluster or None,
        weights=weights,
        **_pick(options, OF_THE_FIT),
        **extent.at_once(),
    )


def _rate_roles(
    sheet: "Sheet", roles: "Roles", options: "RatingOptions", extent: Extent, progress: Progress
) -> "Leaderboard | Season":
    from winodds.api import rate, rate_each

    progress.say(f"Rating {count(sheet.rows, 'score')} …")
    said: dict[str, Any] = {
        "player": roles.player,
        "round": roles.round,
        "score": roles.score,
        "tournament": roles.tournament,
        "higher_is_better": options["higher_is_better"],
        "metric_column": roles.metric,
        "direction_column": roles.direction,
        "status": roles.status,
        "group": roles.group,
        "cluster": roles.cluster,
        "weights": roles.weights,
        **_pick(options, OF_MATCHES),
        **_pick(options, OF_THE_FIT),
        **extent.at_once(),
    }
    if options["percent"]:
        said["tie_tolerance"] /= 100.0
    if roles.tournament is None and options["pool"]:
        wanted = f"there are no tournaments; name their column with {option('tournament')}"
        raise BadOption(option="pool", value=True, wanted=wanted)
    if roles.tournament is None or options["pool"]:
        return rate(sheet, **said)

    def tell(done: int, total: int) -> None:
        progress.say(f"Rating: {done:,} of {count(total, 'tournament')} …")

    return rate_each(sheet, **said, progress=tell)


# Words --------------------------------------------------------------------------------------------

NAME_ROLES = ("player", "round", "tournament", "cluster", "metric", "direction", "status", "group")


def _describe(roles: "Roles") -> dict[str, str]:
    """The roles that are played, with their columns."""
    order = ("player", "group", "tournament", "round", "score", *NAME_ROLES, "weights")
    found = {role: ", ".join(_as_list(getattr(roles, role))) for role in dict.fromkeys(order)}
    return {role: columns for role, columns in found.items() if columns}


def _ignored(options: "RatingOptions") -> dict[str, str]:
    return {"ignored": ", ".join(options["ignore"])} if options["ignore"] else {}


def say_found(sheet: "Sheet", roles: dict[str, str]) -> str:
    """How the table was understood."""
    listed = ", ".join(f"{role} = {columns}" for role, columns in roles.items())
    return f"{title(sheet.name)}: {count(sheet.rows, 'row')}; {listed}"


def _several(columns: list[str]) -> str:
    """Columns with their number, so that one that should not be among them is seen."""
    shown = ", ".join(columns[:COLUMNS_SHOWN])
    rest = len(columns) - COLUMNS_SHOWN
    more = f" and {rest:,} more" if rest > 0 else ""
    return f"{count(len(columns), 'column')} ({shown}{more})"


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


def _pick(options: "RatingOptions", names: str) -> dict[str, Any]:
    values: dict[str, Any] = {**options}
    return {name: values[name] for name in names.split()}
