"""Boards → comparisons or quality → text in a format → a file or the terminal."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from winodds.cli.output import deliver, format_of, tell_notes, terminal_width
from winodds.cli.progress import Progress
from winodds.language.checks import check_jobs
from winodds.language.words import count, list_names
from winodds.show.formats import fit, pairs, replicates
from winodds.show.formats.text import ROWS_SHOWN

if TYPE_CHECKING:
    from winodds.board.leaderboard import Leaderboard
    from winodds.language.options import Adjustment, IntervalKind


def compare_boards(
    boards: Sequence["Leaderboard"],
    pair: tuple[str, str] | None,
    *,
    test: "IntervalKind | None",
    adjust: "Adjustment",
    power: float,
    seed: int,
) -> list[pairs.Found]:
    """Two players, or all, on every board; boards without one of the two are left out."""
    if pair is None:
        return [(board, board.compare(test=test, adjust=adjust, seed=seed)) for board in boards]
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
    return [(board, board.compare(*pair, test=test, power=power)) for board in asked]


def show_comparisons(
    found: Sequence[pairs.Found], *, format: str | None, output: str | None, top: int | None
) -> None:
    """Print the comparisons, or write them to a file."""
    kind = format or format_of(output)
    shown = _rows(top, kind)
    renderers = {
        "table": lambda: pairs.render_comparisons(found, top=shown, width=terminal_width()),
        "json": lambda: pairs.comparison_json(found),
        "csv": lambda: pairs.comparison_csv(found),
        "markdown": lambda: pairs.comparison_markdown(found, top=shown),
        "latex": lambda: pairs.comparison_latex(found, top=shown),
    }
    deliver(renderers[kind](), output)
    if kind == "csv":
        tell_notes([board for board, _ in found], None)


def assess_boards(
    boards: Sequence["Leaderboard"],
    *,
    simulations: int | None,
    seed: int,
    jobs: int,
    quiet: bool,
) -> list[fit.Found]:
    """The quality of every board."""
    check_jobs("jobs", jobs)
    found: list[fit.Found] = []
    with Progress(sys.stderr, quiet=quiet) as progress:
        for board in boards:
            progress.say(f"Simulating tables: board {len(found) + 1:,} of {len(boards):,} …")
            quality = board.quality(simulations=simulations, seed=seed, n_jobs=jobs)
            found.append((board, quality))
    return found


def bootstrap_boards(
    boards: Sequence["Leaderboard"], *, draws: int, seed: int, jobs: int, quiet: bool
) -> list[replicates.Found]:
    """Replicates of every board."""
    check_jobs("jobs", jobs)
    found: list[replicates.Found] = []
    with Progress(sys.stderr, quiet=quiet) as progress:
        for board in boards:
            progress.say(f"Drawing rounds: board {len(found) + 1:,} of {len(boards):,} …")
            found.append((board, board.bootstrap(replicates=draws, seed=seed, n_jobs=jobs)))
    return found


def show_bootstraps(
    found: Sequence[replicates.Found], *, format: str | None, output: str | None, top: int | None
) -> None:
    """Print the bootstraps, or write them to a file."""
    kind = format or format_of(output)
    shown = _rows(top, kind)
    renderers = {
        "table": lambda: replicates.render_bootstraps(found, top=shown, width=terminal_width()),
        "json": lambda: replicates.bootstrap_json(found),
        "csv": lambda: replicates.bootstrap_csv(found),
        "markdown": lambda: replicates.bootstrap_markdown(found, top=shown),
    }
    deliver(renderers[kind](), output)
    if kind == "csv":
        tell_notes([board for board, _ in found], None)


def show_quality(found: Sequence[fit.Found], *, format: str | None, output: str | None) -> None:
    """Print the quality, or write it to a file."""
    renderers = {
        "table": lambda: fit.render_quality(found, width=terminal_width()),
        "json": lambda: fit.quality_json(found),
        "csv": lambda: fit.quality_csv(found),
        "markdown": lambda: fit.quality_markdown(found),
    }
    deliver(renderers[format or format_of(output)](), output)


def _rows(top: int | None, kind: str) -> int | None:
    return ROWS_SHOWN if top is None and kind == "table" else top or None
