"""Leaderboards → the data of the report's page: what it says, not how it looks."""

import hashlib
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from winodds._version import __version__
from winodds.arrays import Bools, Ints
from winodds.board.how import Scheme
from winodds.board.leaderboard import Leaderboard
from winodds.board.notes import open_above, open_below
from winodds.board.packed import games_to_dict
from winodds.board.quality import Quality
from winodds.board.row import DECLARED
from winodds.language.notes import Note
from winodds.language.nouns import Noun as Spoken, Nouns
from winodds.language.words import count, list_names
from winodds.matches.results import Results
from winodds.season.season import Season
from winodds.show.layout.grid import is_usual, level_of, score_label
from winodds.show.layout.tables import calibration_grid
from winodds.show.report.data import (
    BoardData,
    ColumnData,
    ExactTable,
    FiguresData,
    GapsData,
    HowData,
    Noun,
    PageData,
    QualityData,
    ScheduleData,
    TableData,
)
from winodds.show.report.engine_data import NoteData, OpenEnds
from winodds.show.report.shipped import ship
from winodds.show.words.board import describe_board, rated_words
from winodds.show.words.fit import describe_chi2, describe_doubts, describe_quality


def together_of(nouns: Nouns) -> str:
    """The name of the board of all tournaments together."""
    return f"All {nouns.tournaments} together"


DIGITS = 9
"""Significant digits of numbers on boards that are too large to be rated anew in a browser."""

LISTED = 10
"""Players and rounds with gaps that are listed."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the results came from, for those who want to make the page again.

    Attributes
    ----------
    file : name of the file.
    size, sha256 : of its bytes; None for standard input.
    command : what was typed to make the page.
    """

    file: str
    size: int | None
    sha256: str | None
    command: str


def list_boards(
    found: Leaderboard | Season, overview: Leaderboard | None = None
) -> list[Leaderboard]:
    """The boards of a page in their order, that of all tournaments together first."""
    boards = list(found.values()) if isinstance(found, Season) else [found]
    return boards if overview is None else [overview, *boards]


def describe_report(
    found: Leaderboard | Season,
    *,
    title: str,
    figures: Sequence[FiguresData],
    season: FiguresData,
    origin: Origin | None = None,
    overview: Leaderboard | None = None,
) -> PageData:
    """The data of the page; ``figures`` of each board, and of the season, are drawn beforehand."""
    boards = list_boards(found, overview)
    together = together_of(boards[0].how.nouns)
    named = together in [board.tournament for board in boards]
    label = f"{together} (pooled)" if named else together
    names = list_names_of(boards)
    return PageData(
        title=title,
        names=tuple(names),
        column_list=tuple(
            ColumnData(
                key=name,
                label=column.label,
                help=column.joined_help or column.help,
                format=column.format,
                joins=column.joins,
                numeric=column.numeric,
                beside=column.beside,
                usual=any(is_usual(name, board, board.how.scale) for board in boards),
                spare=column.spare,
            )
            for name, column in DECLARED.items()
        ),
        boards=tuple(
            describe_one(
                board,
                origin,
                names=names,
                figures=own,
                label=label if board is overview else None,
            )
            for board, own in zip(boards, figures, strict=True)
        ),
        season=season,
    )


def list_names_of(boards: Iterable[Leaderboard]) -> dict[str, int]:
    """The names of all players and families of some boards, with their places in order."""
    columns = (board.columns() for board in boards)
    found = {name for own in columns for name in (*own["player"], *own["family"])} - {None}
    return {name: place for place, name in enumerate(sorted(found))}


def describe_one(
    board: Leaderboard,
    origin: Origin | None,
    *,
    names: Mapping[str, int],
    figures: FiguresData,
    label: str | None = None,
) -> BoardData:
    """What the page shows of one board.

    ``names`` are those of the page, and ``label`` is the board's own for people, if that is not the
    tournament's.
    """
    shipped = ship(board)
    interval = board.how.interval
    reference = board.how.reference
    nouns = board.how.nouns
    won, cluster = nouns.won(board.how.matches.kind), nouns.unit(interval.cluster)
    return BoardData(
        name=board.tournament,
        label=label or board.tournament,
        nouns=board.how.nouns.to_dict(),
        scale=board.how.scale,
        score_label=score_label(board),
        rated=rated_words(board),
        sentences=tuple(describe_board(board)),
        notes=_notes(board.notes),
        open_ends=OpenEnds(*_notes([open_above(), open_below()])),
        level_words=level_of(board),
        interval_kind=interval.kind,
        reference=None if reference is None else board.players.index(reference),
        averaged=board.how.averaged,
        match_kind=board.how.matches.kind,
        won=Noun(won.one, won.many),
        ties=board.how.matches.ties > 0,
        new_tournaments=board.how.new_tournaments,
        misfit=board.misfit,
        cluster=Noun(cluster.one, cluster.many),
        columns=_page_columns(board, names, exact=not shipped.large),
        component_of=_components(board),
        schedule=_schedule(board),
        shipped=shipped,
        refit_command=_refit_command(board, origin),
        quality=_quality(board),
        gaps=_gaps(board),
        how=describe_how(board, origin, exact=not shipped.large),
        figures=figures,
    )


def _notes(notes: Iterable[Note]) -> tuple[NoteData, ...]:
    return tuple(map(NoteData.of, notes))


def _page_columns(
    board: Leaderboard, names: Mapping[str, int], *, exact: bool
) -> dict[str, tuple[Any, ...]]:
    columns = board.columns()
    columns["player"] = [names[own] for own in columns["player"]]
    columns["family"] = [None if own is None else names[own] for own in columns["family"]]
    columns["notes"] = [_notes(own) for own in columns["notes"]]
    return {name: tuple(cells if exact else map(shorten, cells)) for name, cells in columns.items()}


def shorten(cell: Any) -> Any:
    """A number with the digits that pages of large boards keep."""
    return float(f"{cell:.{DIGITS}g}") if isinstance(cell, float) else cell


def _components(board: Leaderboard) -> tuple[int, ...] | None:
    """For each player those whom it can be compared with, by number; None if that is everyone."""
    return None if board.has_one_scale else tuple(board.components.number().tolist())


def _schedule(board: Leaderboard) -> ScheduleData | None:
    """Names of the rounds, with and without their tournament, and which tournament is whose."""
    schedule = board.schedule
    if schedule is None or not board.has_one_scale:
        return None
    tournament_of = _results(board).tournament.tolist()
    names = schedule.tournaments
    short = [
        name.removeprefix(f"{names[t]}/") if len(names) == 1 else name
        for name, t in zip(schedule.rounds, tournament_of, strict=True)
    ]
    return ScheduleData(
        rounds=tuple(short),
        full=tuple(schedule.rounds),
        tournaments=tuple(names),
        tournament_of=tuple(tournament_of),
    )


def _results(board: Leaderboard) -> Results:
    return board.components[0].games.results


def _refit_command(board: Leaderboard, origin: Origin | None) -> str:
    """How to rate without some of the rows where the browser does not."""
    if origin is None:
        return f"# Leave the rows out of the table, then:\n{_python_call(board)}"
    return f"# Leave the rows out of {origin.file}, then:\n{origin.command}"


def _quality(board: Leaderboard) -> QualityData | None:
    if not board.assessed:
        return None
    quality = board.quality()
    if quality.df <= 0:
        return QualityData(describe_quality(quality), law=None, calibration=None, doubts=())
    return QualityData(
        text=describe_quality(quality),
        law=describe_chi2(quality),
        calibration=_calibration(quality),
        doubts=tuple(describe_doubts(quality)),
    )


def _calibration(quality: Quality) -> TableData:
    """The table for readers, and with all digits for those who go on computing."""
    grid = calibration_grid(quality)
    exact = ExactTable(
        header=("low", "high", "pairs", "expected", "observed"),
        rows=tuple(
            (one.low, one.high, one.pairs, one.fitted, one.observed) for one in quality.calibration
        ),
    )
    return TableData(
        name="favourites",
        caption="How often the favourite won, and should have",
        header=grid.header,
        rows=tuple(grid.rows),
        exact=exact,
    )


# Gaps ---------------------------------------------------------------------------------------------


def _gaps(board: Leaderboard) -> GapsData:
    """What is missing in the table, in sentences and in two short tables."""
    nouns = board.how.nouns
    if board.schedule is None:
        return GapsData(("These are battles: nobody has to meet everybody.",), ())
    if not board.has_one_scale:
        return GapsData((f"The {nouns.players} form components that never met.",), ())
    present, failed = _presence(board)
    scored = present & ~failed
    tables = (
        _fewest(nouns.player, board.players, scored.sum(axis=0), nouns.round, scored.shape[0]),
        _fewest(
            nouns.round, board.schedule.rounds, scored.sum(axis=1), nouns.player, scored.shape[1]
        ),
    )
    return GapsData(
        sentences=tuple(_gap_sentences(board, present, failed)),
        tables=tuple(table for table in tables if table.rows),
    )


def _gap_sentences(board: Leaderboard, present: Bools, failed: Bools) -> Iterator[str]:
    nouns = board.how.nouns
    gone = [
        *board.how.dropped.players_without_score,
        *board.how.dropped.players_without_match,
    ]
    if gone:
        verb = "was" if len(gone) == 1 else "were"
        yield (
            f"{nouns.player.count(len(gone))} without a score that could be compared {verb} left "
            f"out: {list_names(gone)}."
        )
    absent, lost = int((~present).sum()), int(failed.sum())
    if not absent and not lost:
        some = gone or board.how.dropped.players_not_rated
        who = f"Every {nouns.player} that is rated" if some else f"Every {nouns.player}"
        yield f"{who} has a score in every {nouns.round}."
    if absent:
        verb = "has" if absent == 1 else "have"
        yield (
            f"{absent:,} of {count(present.size, f'{nouns.player}–{nouns.round} pair')} "
            f"({absent / present.size:.1%}) {verb} no score."
        )
    if lost:
        verb = "was" if lost == 1 else "were"
        yield f"{count(lost, 'failed run')} {verb} counted as lost."


def _presence(board: Leaderboard) -> tuple[Bools, Bools]:
    """(R, m) whether a player has a score or a failed run in a round, and whether it failed."""
    results = _results(board)
    shape = (results.rounds, results.players)
    present, failed = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
    present[results.round_of, results.player] = True
    failed[results.round_of, results.player] = np.isneginf(results.value)
    return present, failed


def _fewest(
    what: Spoken, names: Sequence[str], scores: Ints, whose: Spoken, most: int
) -> TableData:
    """Those with the fewest scores, up to a few of them."""
    order = [k for k in np.argsort(scores, kind="stable").tolist() if scores[k] < most]
    left = len(order) - LISTED
    more = f"; {left:,} more have gaps" if left > 0 else ""
    return TableData(
        name=f"{what.many}-with-gaps",
        caption=f"The {what.many} with the fewest scores{more}",
        header=(what.one, f"scores in {whose.count(most)}"),
        rows=tuple((names[k], f"{int(scores[k]):,}") for k in order[:LISTED]),
    )


MISSING = {"skip": "play no match", "lose": "lose to every score"}
DUPLICATES = {
    "error": "are refused",
    "best": "the best counts",
    "mean": "their mean counts",
    "first": "the first counts",
    "last": "the last counts",
}
"""What was done, by the rule's name."""


# How ----------------------------------------------------------------------------------------------


def describe_how(board: Leaderboard, origin: Origin | None, *, exact: bool = True) -> HowData:
    """How the board was computed, and how to compute it again.

    Without ``exact``, its numbers have fewer digits on the page than Python gives.
    """
    return HowData(_facts(board, origin, exact=exact), _commands(board, origin))


def _facts(
    board: Leaderboard, origin: Origin | None, *, exact: bool
) -> tuple[tuple[str, str], ...]:
    """Options and versions, each with its name."""
    how = board.how
    matches, interval, details = how.matches, how.interval, how.details
    nouns = how.nouns
    cluster = nouns.unit(interval.cluster).count(interval.clusters)
    ties = f", {count(matches.ties, 'tie')}" if matches.ties else ""
    tolerance = f", scores within {matches.tie_tolerance:g} tie" * bool(matches.tie_tolerance)
    prior = f" (prior sd {how.prior_sd:g})" if how.prior_sd is not None else ""
    facts = {
        "Input": _input_words(origin),
        "SHA-256 of the input": "" if origin is None else origin.sha256 or "",
        "SHA-256 of what was rated": fingerprint(board),
        "Columns": _columns(how.scheme),
        "Better": how.scheme.better or "",
        "Matches": f"{matches.count:,} {matches.kind} {nouns.rounds}{ties}{tolerance}"
        if matches.kind != "battles"
        else f"{matches.count:,} battles{ties}",
        "Runs without a score": "" if matches.kind == "battles" else MISSING[how.missing],
        f"Several scores of {nouns.player.a} in {nouns.round.a}": ""
        if matches.kind == "battles"
        else DUPLICATES[how.duplicates],
        "Estimator": f"{how.estimator}{prior}, {count(how.iterations, 'iteration')}",
        "Intervals": f"{interval.kind}, {level_of(board)}, by {cluster}"
        if interval.kind == "robust"
        else f"model-based, {level_of(board)}",
        "Overlapping splits": ""
        if interval.test_fraction is None
        else f"test fraction {interval.test_fraction:g}",
        "Rating of 0": how.reference or nouns.average(how.averaged),
        "Simulations": f"{details.draws:,} draws of true ratings, at most "
        f"{details.simulations:,} tables, seed {details.seed}"
        if board.detailed
        else "",
        "Digits": ""
        if exact
        else f"{DIGITS} significant ones on this page and in what it saves; the formats csv and "
        "json of winodds rate have all",
        "Rated with": f"Winodds {how.version}",
        "Page made with": f"Winodds {__version__}, Python {platform.python_version()}, numpy "
        f"{np.__version__}, scipy {version('scipy')}, polars {version('polars')}",
    }
    return tuple((name, text) for name, text in facts.items() if text)


def _input_words(origin: Origin | None) -> str:
    if origin is None:
        return "a data frame"
    return origin.file if origin.size is None else f"{origin.file}, {origin.size:,} bytes"


def _columns(scheme: Scheme) -> str:
    """The roles that are played, with their columns."""
    return ", ".join(f"{role} = {column}" for role, column in scheme.columns.items() if column)


def fingerprint(board: Leaderboard) -> str:
    """SHA-256 of names and games: equal for boards that rate the same results.

    It goes by the names, since the order of the board depends on how it was rated.
    """
    found = hashlib.sha256()
    for part, names in sorted(board.components.named(board.players), key=lambda one: min(one[1])):
        by_name = sorted(range(len(names)), key=names.__getitem__)
        games = games_to_dict(part.games.of_players(np.array(by_name)))
        found.update("\n".join(names[k] for k in by_name).encode())
        found.update(repr(sorted(games.items())).encode())
    return found.hexdigest()


def _commands(board: Leaderboard, origin: Origin | None) -> tuple[tuple[str, str], ...]:
    """How to make the page again, or at least the board."""
    if origin is not None:
        return (("A command that makes this page again", origin.command),)
    return (("In Python", _python_call(board)),)


def _python_call(board: Leaderboard) -> str:
    """A call of `rate` or `rate_battles` with the options that were used."""
    options = board.how.options.items()
    said = "".join(f"    {name}={value!r},\n" for name, value in options)
    if board.tournament is not None:
        return f"winodds.rate_each(\n    table,\n{said})[{board.tournament!r}]"
    battles = board.how.matches.kind == "battles"
    one = "winodds.rate_battles" if battles else "winodds.rate"
    return f"{one}(\n    table,\n{said})"
