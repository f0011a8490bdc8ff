"""``winodds report``: a file → one page that people can share."""

import hashlib
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from winodds.cli.boards import Rated, title as title_of
from winodds.cli.output import check_output
from winodds.language.errors import BadOption
from winodds.show.extra import check_page_name

if TYPE_CHECKING:
    from winodds.show.report.contents import Origin

BLOCK = 1 << 20
TABLES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".gz")


def check_page(output: str, file: str) -> None:
    """Refuse, before anything is computed, a page that could not be written or read as one."""
    if output != "-":
        check_page_name(Path(output), option="output")
    check_output(output, [file], "html")


def make_page(
    rated: Rated,
    file: str,
    output: str,
    words: Sequence[str],
    *,
    title: str | None,
    default: str | None = None,
) -> str:
    """The page of what was found in a file, with the command that was typed."""
    from winodds.season.season import Season
    from winodds.show.report.page import render_report

    found, overview = rated.found, rated.overview
    origin = origin_of(file, command_of(words, [file, output]), rated.files)
    title = title or usual_title(file)
    if default is None:
        return render_report(found, title=title, origin=origin, overview=overview)
    if not isinstance(found, Season):
        wanted = "one leaderboard tells nothing about tuning; several data sets are needed"
        raise BadOption(option="default", value=default, wanted=wanted)
    told = found.findings(together=overview, default=default)
    return render_report(found, title=title, origin=origin, overview=overview, findings=told)


def usual_title(file: str) -> str | None:
    """The file's name without the endings of tables.

    >>> usual_title("runs/results.csv.gz"), usual_title("gpt-4.1"), usual_title("-")
    ('results', 'gpt-4.1', None)
    """
    name = Path(file).name
    while Path(name).suffix.lower() in TABLES and Path(name).stem:
        name = Path(name).stem
    return None if file == "-" else name


def origin_of(file: str, command: str, read: Sequence[Path]) -> "Origin":
    """Where a page came from; ``read`` are the files of a folder that were read."""
    from winodds.show.report.contents import Origin

    if file == "-":
        return Origin(title_of(file), None, None, command)
    path = Path(file)
    files = sorted(read) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for one in files:
        with one.open("rb") as content:
            while block := content.read(BLOCK):
                digest.update(block)
    size = sum(one.stat().st_size for one in files)
    return Origin(path.resolve().name, size, digest.hexdigest(), command)


def command_of(words: Sequence[str], paths: Sequence[str]) -> str:
    """What was typed, without the folders of these paths, which are nobody else's business.

    >>> typed = ["report", "/home/ada/my results.csv", "--pool", "--output=out/report.html"]
    >>> command_of(typed, ["/home/ada/my results.csv", "out/report.html"])
    "winodds report 'my results.csv' --pool --output=report.html"
    """
    plain = list(words)
    for path in paths:
        plain = [
            word.removesuffix(path) + Path(path).name if word.endswith(path) else word
            for word in plain
        ]
    return shlex.join(["winodds", *plain])
