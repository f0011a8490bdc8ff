"""The report: one page that opens from disk, without a network, and that people can share.

The page is data (`winodds.show.report.contents`), drawings (`winodds.show.charts`) and plain
JavaScript (the folder ``assets``), put together here. Its own policy forbids everything that it
does not bring along: no request, and no text that becomes markup or code.
"""

import base64
import hashlib
import json
import re
from dataclasses import asdict
from html import escape
from typing import Any, TypeAlias

import jinja2

from winodds._version import __version__
from winodds.board.leaderboard import Leaderboard
from winodds.language.errors import WinoddsError
from winodds.season.season import Season
from winodds.show.charts.drawing import draw_figure
from winodds.show.charts.save import TAG, draw_svg
from winodds.show.charts.theme import DARK, LIGHT
from winodds.show.figures.boards import figures_for
from winodds.show.figures.figure import Figure
from winodds.show.figures.names import SEASON_FIGURES
from winodds.show.layout.grid import make_grid
from winodds.show.report.contents import Origin, describe_report, list_boards
from winodds.show.report.scripts import bundle, read_part

Drawing: TypeAlias = dict[str, Any]

ROWS_WITHOUT_SCRIPT = 50
SEASON = -1
"""Number of the gallery that belongs to all boards of a season."""

FIGURES_OF_FEW = 6
"""Boards up to which each has all its figures; of more, each has one."""

FIGURE_OF_MANY = "ranking"
FIGURE_OF_GAPS = "fill_in"
TABLE_OF_THE_PAGE = "win_matrix"
"""The figure whose numbers the page has anyway."""

WIDTH = re.compile(r'<svg[^>]* width="([\d.]+)"')
BROAD = 720.0
"""Width from which a figure needs the whole page."""

SPOKEN = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"')
"""What a drawing says to those who hear it; here its title and caption do that."""

COLOUR = re.compile(r'"(#[0-9a-f]{6})"')
OWN_ID = re.compile(r'(\bid="|url\(#|href="#)')


def render_report(
    found: Leaderboard | Season,
    *,
    title: str | None = None,
    origin: Origin | None = None,
    overview: Leaderboard | None = None,
) -> str:
    """The page of a board, or of the boards of a season; the same text each time.

    Parameters
    ----------
    title : headline of the page.
    origin : the file and the command that it came from.
    overview : the board of all tournaments of the season together, with which the page begins.
    """
    named = title or (found.tournament if isinstance(found, Leaderboard) else None)
    title = named or "Leaderboard"
    data = describe_report(found, title=title, origin=origin, overview=overview)
    boards, single = list_boards(found, overview), len(list_boards(found))
    galleries: list[dict[str, Any]] = [
        {
            "number": k,
            "figures": _draw_board(
                board,
                data["boards"][k],
                f"board-{k}",
                many=single if board is not overview and single > FIGURES_OF_FEW else None,
            ),
        }
        for k, board in enumerate(boards)
    ]
    if isinstance(found, Season):
        galleries.insert(0, {"number": SEASON, "figures": _draw_season(found, data)})
    engine, script = (
        bundle("engine", "worker.js", shared="winoddsEngine"),
        bundle("view", "page.js"),
    )
    return _template().render(
        title=data["title"],
        version=__version__,
        policy=_policy(engine, script),
        style=_figure_colours() + read_part("report.css"),
        figures=galleries,
        plain=[_plain(board, own) for board, own in zip(boards, data["boards"], strict=True)],
        data=_as_json(data),
        engine=engine,
        script=script,
    )


def _template() -> jinja2.Template:
    surroundings = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    return surroundings.from_string(read_part("report.html"))


def _as_json(data: Any) -> str:
    """JSON that no HTML parser takes for markup, wherever it stands."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _plain(board: Leaderboard, data: dict[str, Any]) -> dict[str, Any]:
    """The board for browsers that run no scripts."""
    grid = make_grid(board, top=ROWS_WITHOUT_SCRIPT)
    return {
        "headline": data["headline"],
        "sentences": data["sentences"],
        "header": grid.header,
        "rows": grid.rows,
        "notes": [note.text for note in board.notes],
    }


# Figures ------------------------------------------------------------------------------------------


def _draw_board(
    board: Leaderboard, data: dict[str, Any], own: str, *, many: int | None = None
) -> list[Drawing]:
    """Drawings of a board; their tables go into its part of the page's data.

    One of ``many`` boards has one figure only.
    """
    names = figures_for(board)
    if not board.detailed:
        data["figures_hint"] = (
            "Without the board's details there are no figures of letters, ranks and chances of "
            "being best; --details computes them."
        )
    if many is not None:
        names = tuple(name for name in names if name == FIGURE_OF_MANY)
        data["figures_hint"] = (
            f"Of {many} tournaments each has one figure here; winodds plot draws the others."
        )
    figures = [getattr(board.figures, name)() for name in names]
    data["figures"] = {
        figure.name: _table_of(figure) for figure in figures if figure.name != TABLE_OF_THE_PAGE
    }
    return [_draw(figure, own) for figure in figures]


def _draw_season(season: Season, data: dict[str, Any]) -> list[Drawing]:
    """Drawings of all boards together, as far as they have what it takes."""
    figures, refused = [], []
    complete = len({frozenset(board.players) for board in season.values()}) == 1
    for name in SEASON_FIGURES:
        if name == FIGURE_OF_GAPS and complete:
            continue
        try:
            figures.append(getattr(season.figures, name)())
        except WinoddsError as error:
            refused.append(str(error))
    data["season_hint"] = " ".join(refused)
    data["season_figures"] = {figure.name: _table_of(figure) for figure in figures}
    return [_draw(figure, "season") for figure in figures]


def _draw(figure: Figure, own: str) -> Drawing:
    svg = draw_svg(draw_figure(figure))
    return {
        "name": figure.name,
        "title": figure.title,
        "caption": figure.caption,
        "broad": float(WIDTH.findall(svg)[0]) > BROAD,
        "svg": _fit_in(svg, f"{own}-{figure.name}", figure.title),
    }


def _table_of(figure: Figure) -> dict[str, Any]:
    columns = figure.columns
    return {
        "header": list(columns),
        "text": [k for k, column in enumerate(columns.values()) if column.kind is str],
        "cells": [list(figure.cells[name]) for name in columns],
    }


def _fit_in(svg: str, own: str, title: str) -> str:
    """A drawing that shares the page: with ids of its own, and the page's colours."""
    colours = {colour: f"var(--figure-{name})" for name, colour in asdict(LIGHT).items()}

    def adapt(tag: re.Match[str]) -> str:
        inside = OWN_ID.sub(lambda found: f"{found[1]}{own}-", SPOKEN.sub("", tag[0]))
        return COLOUR.sub(lambda found: f'"{colours.get(found[1], found[1])}"', inside)

    fitted = TAG.sub(adapt, svg[svg.index("<svg") :])
    return fitted.replace("<svg", f'<svg role="img" aria-label="{escape(title)}"', 1)


def _figure_colours() -> str:
    """The palette as variables of the page, for light and for dark."""
    dark = asdict(DARK)
    pairs = (
        f"--figure-{name}: light-dark({light}, {dark[name]});"
        for name, light in asdict(LIGHT).items()
    )
    return f":root {{ {' '.join(pairs)} }}\n"


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
