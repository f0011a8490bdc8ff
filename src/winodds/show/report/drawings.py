"""The figures of the report's page: drawings that share one page, and the tables they come from."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from html import escape

from winodds.board.leaderboard import Leaderboard
from winodds.language.errors import WinoddsError
from winodds.season.findings import Findings
from winodds.season.season import Season
from winodds.show.charts.drawing import draw_figure
from winodds.show.charts.save import TAG, draw_svg
from winodds.show.charts.theme import DARK, LIGHT
from winodds.show.figures.boards import figures_for
from winodds.show.figures.chances import (
    make_family_matrix,
    make_new_data_set,
    make_tunability,
)
from winodds.show.figures.figure import Figure
from winodds.show.figures.names import RACE_FIGURES, SEASON_FIGURES
from winodds.show.report.data import FiguresData, FigureTable

SEASON = -1
"""Number of the gallery that belongs to all boards of a season."""

FIGURE_OF_MANY = "ranking"
FIGURE_OF_GAPS = "fill_in"
TABLE_OF_THE_PAGE = "win_matrix"
"""The figure whose numbers the page has anyway."""

WIDTH = re.compile(r'<svg[^>]* width="([\d.]+)"')
BROAD = 720.0
"""Width from which a figure needs the whole page."""

SPOKEN = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"')
"""What a drawing says to those who hear it; here its title and caption do that."""

LONG_NUMBER = re.compile(r"\d+\.\d{4,}(?:e[-+]?\d+)?")
DECIMALS = 3
"""Of a number in a drawing; a unit is a pixel, or the whole of an opacity."""

FONT = re.compile(r' font-family="([^"]*)"')
OPAQUE = ' opacity="1"'

COLOUR = re.compile(r'"(#[0-9a-f]{6})"')
OWN_ID = re.compile(r'(\bid="|url\(#|href="#)')


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure as the page shows it; a broad one needs the whole width."""

    name: str
    title: str
    caption: str
    broad: bool
    svg: str


@dataclass(frozen=True, slots=True)
class Gallery:
    """Drawings that are shown together.

    Attributes
    ----------
    number : of their board, or `SEASON`.
    drawings : in their order.
    data : what the page's scripts know of them.
    """

    number: int
    drawings: tuple[Drawing, ...] = ()
    data: FiguresData = field(default_factory=lambda: FiguresData({}, ""))


def draw_board(board: Leaderboard, number: int, *, many: int | None = None) -> Gallery:
    """The figures of a board, first those of its race; one of ``many`` boards has one only."""
    names = figures_for(board)
    hint = ""
    if not board.detailed:
        hint = (
            "Without the board's details there are no figures of letters, ranks and chances of "
            "being best; --details computes them."
        )
    if many is not None:
        names = tuple(name for name in names if name == FIGURE_OF_MANY)
        hint = f"Of {many} tournaments each has one figure here; winodds plot draws the others."
    figures = [getattr(board.figures, name)() for name in names]
    if board.race is not None:
        figures = [*(getattr(board.race.figures, name)() for name in RACE_FIGURES), *figures]
    return _hang(number, figures, f"board-{number}", hint)


def draw_season(season: Season, found: Findings | None = None) -> Gallery:
    """Figures of all boards together, as far as they have what it takes.

    ``found`` is what the season tells, which some of them need not ask again.
    """
    figures, refused = [], []
    complete = len({frozenset(board.players) for board in season.values()}) == 1
    for name in SEASON_FIGURES:
        if name == FIGURE_OF_GAPS and complete:
            continue
        try:
            figures.append(_known(found, name) or getattr(season.figures, name)())
        except WinoddsError as error:
            refused.append(str(error))
    return _hang(SEASON, figures, "season", " ".join(refused))


def _known(found: Findings | None, name: str) -> Figure | None:
    """A figure of what the season has told already."""
    if found is None:
        return None
    if name == "new_data_set" and found.against is not None:
        return make_new_data_set(found.against)
    if name == "family_matrix" and found.families is not None:
        return make_family_matrix(found.families)
    if name == "tunability" and found.tunability is not None:
        return make_tunability(found.tunability)
    return None


def _hang(number: int, figures: Sequence[Figure], own: str, hint: str) -> Gallery:
    tables = {
        figure.name: _table_of(figure) for figure in figures if figure.name != TABLE_OF_THE_PAGE
    }
    drawings = tuple(_draw(figure, own) for figure in figures)
    return Gallery(number, drawings, FiguresData(tables, hint))


def _draw(figure: Figure, own: str) -> Drawing:
    svg = draw_svg(draw_figure(figure))
    return Drawing(
        name=figure.name,
        title=figure.title,
        caption=figure.caption,
        broad=float(WIDTH.findall(svg)[0]) > BROAD,
        svg=_fit_in(svg, f"{own}-{figure.name}", figure.title),
    )


def _table_of(figure: Figure) -> FigureTable:
    columns = figure.columns
    return FigureTable(
        header=tuple(columns),
        text=tuple(k for k, column in enumerate(columns.values()) if column.kind is str),
        cells=tuple(tuple(figure.cells[name]) for name in columns),
    )


def _fit_in(svg: str, own: str, title: str) -> str:
    """A drawing that shares the page: short, with ids of its own, and the page's colours."""
    colours = {colour: f"var(--figure-{name})" for name, colour in asdict(LIGHT).items()}

    def adapt(tag: re.Match[str]) -> str:
        inside = OWN_ID.sub(lambda found: f"{found[1]}{own}-", SPOKEN.sub("", tag[0]))
        inside = LONG_NUMBER.sub(_shorten, inside.replace(OPAQUE, ""))
        return COLOUR.sub(lambda found: f'"{colours.get(found[1], found[1])}"', inside)

    fitted = _share_font(TAG.sub(adapt, svg[svg.index("<svg") :]))
    return fitted.replace("<svg", f'<svg role="img" aria-label="{escape(title)}"', 1)


def _shorten(number: re.Match[str]) -> str:
    return f"{float(number[0]):.{DECIMALS}f}".rstrip("0").rstrip(".")


def _share_font(svg: str) -> str:
    """A drawing in which the font that all its texts have is named once."""
    fonts = {font for tag in TAG.findall(svg) for font in FONT.findall(tag)}
    if len(fonts) != 1:
        return svg
    bare = TAG.sub(lambda tag: FONT.sub("", tag[0]), svg)
    return bare.replace("<svg", f'<svg font-family="{fonts.pop()}"', 1)


def figure_colours() -> str:
    """The palette as variables of the page, for light and for dark."""
    dark = asdict(DARK)
    pairs = (
        f"--figure-{name}: light-dark({light}, {dark[name]});"
        for name, light in asdict(LIGHT).items()
    )
    return f":root {{ {' '.join(pairs)} }}\n"
