"""``winodds season``: many data sets → what they tell together."""

import sys
from typing import TYPE_CHECKING

from winodds.cli.boards import rate_with_overview
from winodds.cli.options import Asked, refuse_typed
from winodds.cli.output import deliver, render_document
from winodds.cli.progress import Progress
from winodds.language.errors import BadOption

if TYPE_CHECKING:
    from winodds.board.leaderboard import Leaderboard
    from winodds.season.comparisons import SeasonComparison
    from winodds.season.findings import Findings
    from winodds.season.season import Season


def rate_season(file: str, asked: Asked, *, quiet: bool) -> "tuple[Season, Leaderboard | None]":
    """The boards of a file with several data sets, and that of all together."""
    from winodds.season.season import Season

    refuse_typed(["pool"], "a season keeps its data sets apart; 'winodds rate' pools them")
    if asked.options["scheme"] == "data-sets":
        wanted = "data sets that play are one leaderboard, which 'winodds rate' shows"
        raise BadOption(option="scheme", value="data-sets", wanted=wanted)
    rated = rate_with_overview(file, asked, quiet=quiet, check=_refuse_one)
    assert isinstance(rated.found, Season)
    return rated.found, rated.overview


def _refuse_one(found: "Leaderboard | Season") -> None:
    """A season has several boards."""
    from winodds.board.leaderboard import Leaderboard
    from winodds.season.errors import NotASeason

    if isinstance(found, Leaderboard):
        raise NotASeason(round=found.how.scheme.column("round"), tournament=found.tournament)


def ask_season(
    season: "Season", together: "Leaderboard | None", *, default: str | None, quiet: bool
) -> "Findings":
    """Everything that the season tells."""
    with Progress(sys.stderr, quiet=quiet) as progress:
        progress.say("Looking at all data sets together …")
        return season.findings(together=together, default=default)


def show_pair(found: "SeasonComparison", *, format: str, output: str | None) -> None:
    """Print what two players will do on a new data set, or write it to a file."""
    from winodds.show.formats.csv import season_pair_csv
    from winodds.show.layout.season_document import pair_document

    made = season_pair_csv(found) if format == "csv" else None
    deliver(made or render_document(pair_document(found), format), output)


def show_season(
    found: "Findings",
    pair: "SeasonComparison | None",
    *,
    format: str,
    output: str | None,
    top: int | None,
) -> None:
    """Print the findings, or write them to a file; JSON holds the two players, too."""
    from winodds.show.formats.csv import standing_csv
    from winodds.show.formats.json import findings_json
    from winodds.show.formats.text import ROWS_SHOWN
    from winodds.show.layout.season_document import season_document

    if format == "json":
        deliver(findings_json(found, pair), output)
    elif format == "csv":
        deliver(standing_csv(found), output)
    else:
        rows = ROWS_SHOWN if top is None and format == "table" else top or None
        deliver(render_document(season_document(found, top=rows), format), output)
