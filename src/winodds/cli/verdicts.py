"""Boards → comparisons or quality → text in a format → a file or the terminal."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from winodds.adapters.openml.pace import Pace
from winodds.cli.boards import with_comma
from winodds.cli.output import deliver, format_of, render_document, tell_notes
from winodds.cli.progress import Progress
from winodds.language.checks import check_jobs
from winodds.language.errors import BadOption
from winodds.language.words import count, list_names
from winodds.show.formats.csv import bootstraps_csv, comparisons_csv, qualities_csv
from winodds.show.formats.json import bootstraps_json, comparisons_json, qualities_json
from winodds.show.formats.text import ROWS_SHOWN
from winodds.show.layout.document import Document
from winodds.show.layout.documents import (
    Compared,
    bootstrap_document,
    comparison_document,
    quality_document,
)

if TYPE_CHECKING:
    from winodds.board.bootstrap import Bootstrap
    from winodds.board.leaderboard import Leaderboard
    from winodds.board.quality import Quality
    from winodds.language.options import Adjustment, IntervalKind

Found = TypeVar("Found", bound="Sequence[tuple[Leaderboard, Any]]")


def compare_boards(
    boards: Sequence["Leaderboard"],
    pair: tuple[str, str] | None,
    *,
    test: "IntervalKind | None",
    adjust: "Adjustment | None",
    power: float,
) -> list[Compared]:
    """Two players, or all, on every board; boards without one of the two are left out."""
    if pair is None:
        return _compare_all(boards, test, adjust)
    wanted = {*pair}
    having = [board for board in boards if wanted <= {*board.players}]
    left = [str(board.tournament) for board in boards if board not in having]
    if having and left:
        verb = "lacks" if len(left) == 1 else "lack"
        click.echo(
            f"{count(len(left), 'tournament')} {verb} one or both players: {list_names(left)}.",
            err=True,
        )
    # Where no board has both, the one that has most of them says who is missing.
    asked = having or [max(boards, key=lambda board: len(wanted & {*board.players}))]
    for board in asked:
        # Whether record or ratings lead depends on the fit, here as below a leaderboard.
        if board.how.details.quick:
            board.quality()
    return [(board, board.compare(*pair, test=test, power=power)) for board in asked]


def _compare_all(
    boards: Sequence["Leaderboard"], test: "IntervalKind | None", adjust: "Adjustment | None"
) -> list[Compared]:
    """All pairs of every board; where only some boards refuse, these are named."""
    found: list[Compared] = []
    refused: dict[str, BadOption] = {}
    for board in boards:
        try:
            found.append((board, board.compare(test=test, adjust=adjust)))
        except BadOption as error:
            refused[str(board.tournament)] = error
    if not refused:
        return found
    first = next(iter(refused.values()))
    if not found:
        raise first
    wanted = f"for {list_names(refused)} {first.wanted}"
    raise BadOption(option=first.option, value=first.value, wanted=wanted)


def show_comparisons(
    found: Sequence[Compared], *, format: str | None, output: str | None, top: int | None
) -> None:
    """Print the comparisons, or write them to a file."""
    made = comparisons_json, comparisons_csv, comparison_document
    _show_rows(found, *made, format=format, output=output, top=top)


def assess_boards(
    boards: Sequence["Leaderboard"],
    *,
    simulations: int | None,
    seed: int,
    jobs: int,
    quiet: bool,
) -> list[tuple["Leaderboard", "Quality"]]:
    """The quality of every board."""
    check_jobs("jobs", jobs)
    found: list[tuple[Leaderboard, Quality]] = []
    pace = Pace(len(boards))
    with Progress(sys.stderr, quiet=quiet) as progress:
        for board in boards:
            left = with_comma(pace.begin(len(found)))
            progress.say(f"Simulating tables: board {len(found) + 1:,} of {len(boards):,}{left} …")
            quality = board.quality(simulations=simulations, seed=seed, n_jobs=jobs)
            found.append((board, quality))
    return found


def bootstrap_boards(
    boards: Sequence["Leaderboard"], *, draws: int, seed: int, jobs: int, quiet: bool
) -> list[tuple["Leaderboard", "Bootstrap"]]:
    """Replicates of every board."""
    check_jobs("jobs", jobs)
    found: list[tuple[Leaderboard, Bootstrap]] = []
    pace = Pace(len(boards))
    with Progress(sys.stderr, quiet=quiet) as progress:
        for board in boards:
            left = with_comma(pace.begin(len(found)))
            progress.say(f"Drawing rounds: board {len(found) + 1:,} of {len(boards):,}{left} …")
            found.append((board, board.bootstrap(replicates=draws, seed=seed, n_jobs=jobs)))
    return found


def show_bootstraps(
    found: Sequence[tuple["Leaderboard", "Bootstrap"]],
    *,
    format: str | None,
    output: str | None,
    top: int | None,
) -> None:
    """Print the bootstraps, or write them to a file."""
    made = bootstraps_json, bootstraps_csv, bootstrap_document
    _show_rows(found, *made, format=format, output=output, top=top)


def show_quality(
    found: Sequence[tuple["Leaderboard", "Quality"]], *, format: str | None, output: str | None
) -> None:
    """Print the quality, or write it to a file."""
    _show(
        format or format_of(output),
        output,
        json=lambda: qualities_json(found),
        csv=lambda: qualities_csv(found),
        document=lambda: quality_document(found),
    )


def _show(
    kind: str,
    output: str | None,
    *,
    json: Callable[[], str],
    csv: Callable[[], str],
    document: Callable[[], Document],
) -> None:
    """Print what was found, or write it to a file, made as its format needs it."""
    made = {"json": json, "csv": csv}.get(kind)
    deliver(render_document(document(), kind) if made is None else made(), output)


def _show_rows(
    found: Found,
    json: Callable[[Found], str],
    csv: Callable[[Found], str],
    document: Callable[..., Document],
    *,
    format: str | None,
    output: str | None,
    top: int | None,
) -> None:
    """The same for tables of many rows; notes for which a CSV file has no place are told."""
    kind = format or format_of(output)
    _show(
        kind,
        output,
        json=lambda: json(found),
        csv=lambda: csv(found),
        document=lambda: document(found, top=_rows(top, kind)),
    )
    if kind == "csv":
        tell_notes([board for board, _ in found], None)


def _rows(top: int | None, kind: str) -> int | None:
    return ROWS_SHOWN if top is None and kind == "table" else top or None
