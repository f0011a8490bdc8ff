"""The extra "report": whether what draws and prints pages is installed, and the door to it."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from winodds.language.errors import BadOption, MissingExtra
from winodds.writing import write_whole

if TYPE_CHECKING:
    from winodds.board.leaderboard import Leaderboard
    from winodds.season.findings import Findings
    from winodds.season.season import Season

PACKAGES = {"altair": "altair", "jinja2": "jinja2", "vl_convert": "vl-convert-python"}
"""Modules of the extra "report", and the packages that they come with."""


SUFFIXES = (".html", ".htm")
"""Ends of the names of pages."""


def check_page_name(path: Path, *, option: str) -> None:
    """Refuse, before anything is computed, a file that nobody would open as a page."""
    if path.suffix.lower() not in SUFFIXES:
        wanted = "a report is a page, and its name ends with .html"
        raise BadOption(option=option, value=str(path), wanted=wanted)


def require_extra(purpose: str) -> None:
    """Raise `MissingExtra` when a package of the extra "report" is missing."""
    missing = [package for module, package in PACKAGES.items() if find_spec(module) is None]
    if missing:
        raise MissingExtra(packages=missing, purpose=purpose)


def write_report(
    found: "Leaderboard | Season",
    path: Path,
    *,
    title: str | None = None,
    overview: "Leaderboard | None" = None,
    details: bool | None = None,
    findings: "Findings | None" = None,
) -> Path:
    """Write the report of a board, or of a season, to a file, whole or not at all.

    ``details`` says whether details and quality are computed for it; by default where that is
    quick. ``findings`` are what a season tells, if that is known already.
    """
    check_page_name(path, option="path")
    require_extra("A report")
    from winodds.show.report.contents import list_boards
    from winodds.show.report.page import render_report

    for board in list_boards(found, overview):
        board.look_closer(details)

    page = render_report(found, title=title, overview=overview, findings=findings)
    write_whole(path, page)
    return path
