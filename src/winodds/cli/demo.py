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

PAGE = "report.html"
TITLE = "Built-in results: 20 models, 4 data sets"


def run_demo(folder: Path) -> None:
    """Print the boards, write them with the results and their report, and say what to try next.

    Whatever is there already under one of the names and was not made by this is refused.
    """
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
        _refuse_other(folder / name, text.encode())
    # The page tells the fingerprint of the results, which are there from here on.
    write_whole(results, files.pop(results.name))
    page = folder / PAGE
    told = f"The report is {page}; open it in a browser."
    try:
        report = {PAGE: _make_report(results, page)}
    except MissingExtra as missing:
        report, told = {}, str(missing)
    for name, text in report.items():
        _refuse_other(folder / name, text.encode())
    for name, text in {**files, **report}.items():
        write_whole(folder / name, text)
    click.echo(f"\nWritten to {folder}: {', '.join((results.name, *files))}.")
    click.echo(f"Now try: winodds rate {results} --family family --each")
    click.echo(told)


def _refuse_other(path: Path, content: bytes) -> None:
    """Refuse to write over a file that holds something else."""
    if path.exists() and (not path.is_file() or path.read_bytes() != content):
        reason = "it is there already, and yours; choose another folder with --output"
        raise NotWritten(path=str(path), reason=reason)


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
    _refuse_other(results, RESULTS.read_bytes())
    return results


def _make_report(results: Path, page: Path) -> str:
    """The report of the built-in results; raises where what it needs is not installed."""
    require_extra("The report")
    words = ["report", str(results), "--family", "family", "--title", TITLE, "--output", str(page)]
    season, overview = rate_results(family="family"), pool_results(family="family")
    season.look_closer()
    overview.look_closer()
    rated = Rated(season, overview, ())
    return make_page(rated, str(results), str(page), words, title=TITLE)
