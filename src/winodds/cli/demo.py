"""``winodds demo``: the built-in results, rated, printed and written to a folder."""

from pathlib import Path

import click

from winodds.cli.boards import Rated
from winodds.cli.output import render, show
from winodds.cli.report import make_page
from winodds.demo import RESULTS, pool_results, rate_results
from winodds.language.errors import MissingExtra, NotWritten
from winodds.language.words import reason_of
from winodds.show.extra import require_extra
from winodds.writing import write_whole

TITLE = "Built-in results: 20 models, 4 data sets"


def run_demo(folder: Path) -> None:
    """Print the boards, write them with the results and their report, and say what to try next."""
    results = _prepare(folder)
    season = rate_results()
    season.look_closer()
    show(season)
    files = {
        results.name: RESULTS.read_text(encoding="utf-8"),
        "leaderboards.json": render(season, format="json"),
        "leaderboards.csv": render(season, format="csv"),
        "leaderboards.md": render(season, format="markdown"),
    }
    for name, text in files.items():
        write_whole(folder / name, text)
    click.echo(f"\nWritten to {folder}: {', '.join(files)}.")
    click.echo(f"Now try: winodds rate {results} --family family --pool")
    click.echo(_write_report(results, folder / "report.html"))


def _prepare(folder: Path) -> Path:
    """Make the folder; where the results go, which must not be a file of the user's."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        reason = "it is a file, and a folder is needed"
        raise NotWritten(path=str(folder), reason=reason) from error
    except OSError as error:
        raise NotWritten(path=str(folder), reason=reason_of(error)) from error
    results = folder / "results.csv"
    if results.exists() and results.read_bytes() != RESULTS.read_bytes():
        reason = "it is there already, and yours; choose another folder with --output"
        raise NotWritten(path=str(results), reason=reason)
    return results


def _write_report(results: Path, page: Path) -> str:
    """Make the report of the built-in results; where it is, or what is missing for it."""
    try:
        require_extra("The report")
    except MissingExtra as missing:
        return str(missing)
    words = ["report", str(results), "--family", "family", "--title", TITLE, "--output", str(page)]
    season, overview = rate_results(family="family"), pool_results(family="family")
    season.look_closer()
    overview.look_closer()
    rated = Rated(season, overview, ())
    text = make_page(rated, str(results), str(page), words, title=TITLE)
    write_whole(page, text)
    return f"The report is {page}; open it in a browser."
