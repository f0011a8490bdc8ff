"""The report: one page that opens from disk, without a network, and that people can share.

The page is data (`contents`, of the types in `data`), figures (`drawings`) and plain JavaScript
(the folder ``assets``), put together here. Its own policy forbids everything that it does not bring
along: no request, and no text that becomes markup or code.
"""

import base64
import gzip
import hashlib
import json
from dataclasses import dataclass
from typing import Any

import jinja2

from winodds._version import __version__
from winodds.board.errors import NoEvidence
from winodds.board.leaderboard import Leaderboard
from winodds.language.plain import fields_of
from winodds.season.findings import Findings
from winodds.season.season import Season
from winodds.show.layout.grid import make_grid
from winodds.show.report.contents import Origin, describe_report, list_boards
from winodds.show.report.data import BoardData, PageData
from winodds.show.report.drawings import (
    SEASON,
    Gallery,
    draw_board,
    draw_season,
    figure_colours,
)
from winodds.show.report.scripts import bundle, read_part
from winodds.show.report.season import address_of, lay_out, lay_out_race
from winodds.show.words.board import headline

FIGURES_OF_FEW = 6
"""Boards up to which each has all its figures; of more, each has one."""

ROWS_WITHOUT_SCRIPT = 50

MOST_PLAIN = 500_000
"""Length up to which the page's JSON is in it as it is; longer ones are compressed."""


def render_report(
    found: Leaderboard | Season,
    *,
    title: str | None = None,
    origin: Origin | None = None,
    overview: Leaderboard | None = None,
    findings: Findings | None = None,
) -> str:
    """The page of a board, or of the boards of a season; the same text each time.

    Boards must have all their players.

    Parameters
    ----------
    title : headline of the page.
    origin : the file and the command that it came from.
    overview : the board of all tournaments of the season together, with which the page begins.
    findings : what the season tells, if that is known already; else the season is asked.
    """
    boards = list_boards(found, overview)
    if not all(board.whole for board in boards):
        raise NoEvidence()
    named = title or (found.tournament if isinstance(found, Leaderboard) else None)
    title = named or "Leaderboard"
    told = findings or _ask(found, overview)
    galleries = _draw_galleries(found, overview)
    season = draw_season(found, told) if isinstance(found, Season) else Gallery(SEASON)
    data = describe_report(
        found,
        title=title,
        figures=[own.data for own in galleries],
        season=season.data,
        origin=origin,
        overview=overview,
    )
    engine = bundle("engine", "worker.js", shared="winoddsEngine")
    script = bundle("view", "page.js")
    return _template().render(
        title=data.title,
        version=__version__,
        policy=_policy(engine, script),
        style=figure_colours() + read_part("report.css"),
        parts=[] if told is None else lay_out(told),
        race=[part for board in boards if board.race for part in lay_out_race(board.race)],
        galleries=[own for own in (season, *galleries) if own.drawings],
        plain=[_plain(board, own) for board, own in zip(boards, data.boards, strict=True)],
        data=write_data(data),
        engine=engine,
        script=script,
    )


def _ask(found: Leaderboard | Season, overview: Leaderboard | None) -> Findings | None:
    """What the boards tell together, where there are several."""
    if not isinstance(found, Season) or len(found) < 2:
        return None
    return found.findings(together=overview)


def _draw_galleries(found: Leaderboard | Season, overview: Leaderboard | None) -> list[Gallery]:
    """The figures of every board; of many tournaments each has one."""
    several = len(list_boards(found))
    return [
        draw_board(
            board,
            number,
            many=several if board is not overview and several > FIGURES_OF_FEW else None,
        )
        for number, board in enumerate(list_boards(found, overview))
    ]


def _template() -> jinja2.Template:
    surroundings = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    return surroundings.from_string(read_part("report.html"))


@dataclass(frozen=True, slots=True)
class Block:
    """The page's data as they stand in it: their type, and text without a sign of markup."""

    type: str
    text: str


def write_data(data: PageData) -> Block:
    """JSON, compressed where it is long; the same each time."""
    text = _as_json(data)
    if len(text) <= MOST_PLAIN:
        return Block("application/json", text)
    packed = gzip.compress(text.encode(), compresslevel=6, mtime=0)
    return Block("application/gzip", base64.b64encode(packed).decode("ascii"))


def _as_json(data: PageData) -> str:
    """JSON that no HTML parser takes for markup, wherever it stands."""
    text = json.dumps(
        data, default=fields_of, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _plain(board: Leaderboard, data: BoardData) -> dict[str, Any]:
    """The board for browsers that run no scripts."""
    grid = make_grid(board, top=ROWS_WITHOUT_SCRIPT)
    return {
        "address": address_of(data.label or ""),
        "headline": headline(board),
        "sentences": data.sentences,
        "header": grid.header,
        "rows": grid.rows,
        "notes": [note.text for note in data.notes],
    }


# Scripts ------------------------------------------------------------------------------------------


def _policy(*scripts: str) -> str:
    """What the page may do: run these scripts, and nothing from anywhere else."""
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; "
        f"worker-src blob:; base-uri 'none'; form-action 'none'; "
        f"require-trusted-types-for 'script'; trusted-types winodds"
    )


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
