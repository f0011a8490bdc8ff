"""``winodds season``: many data sets → what they tell together."""

import sys
from typing import TYPE_CHECKING, Any

from winodds.cli.boards import rate_with_overview
from winodds.cli.options import Asked
from winodds.cli.output import deliver, format_of, render_document
from winodds.cli.progress import Progress

if TYPE_CHECKING:
    from winodds.board.leaderboard import Leaderboard
    from winodds.season.comparisons import SeasonComparison
    from winodds.season.findings import Findings
    from winodds.season.season import Season


def rate_season(file: str, asked: Asked, *, quiet: bool) -> "tuple[Season, Leaderboard | None]":
    """The boards of a file with several data sets, and that of all together."""
    from winodds.season.errors import NotASeason
    from winodds.season.season import Season

    found, together = rate_with_overview(file, asked, quiet=quiet)
    if isinstance(found, Season):
        return found, together
    columns = found.how.scheme
    raise NotASeason(round=columns.column("round"), tournament=found.tournament)


def ask_season(
    season: "Season", together: "Leaderboard | None", *, default: str | None, quiet: bool
) -> "Findings":
    """Everything that the season tells."""
    with Progress(sys.stderr, quiet=quiet) as progress:
        progress.say("Looking at all data sets together …")
        return season.findings(together=together, default=default)


def show_season(
    found: "Findings",
    pair: "SeasonComparison | None",
    *,
    format: str | None,
    output: str | None,
    top: int | None,
) -> None:
    """Print the findings, or write them to a file."""
    from winodds.show.formats.csv import standing_csv
    from winodds.show.formats.json import findings_json
    from winodds.show.formats.text import ROWS_SHOWN
    from winodds.show.layout.season_document import pair_document, season_document

    kind = format or format_of(output)
    if kind == "json":
        deliver(findings_json(found, pair), output)
    elif kind == "csv":
        deliver(standing_csv(found), output)
    else:
        rows = ROWS_SHOWN if top is None and kind == "table" else top or None
        document: Any = season_document(found, top=rows) if pair is None else pair_document(pair)
        deliver(render_document(document, kind), output)
