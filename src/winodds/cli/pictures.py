"""Figures → files: what the commands that draw have in common."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import click

from winodds.cli.options import refuse_typed
from winodds.writing import write_bytes_whole

if TYPE_CHECKING:
    from winodds.show.charts.save import PictureFormat, Theme
    from winodds.show.figures.figure import Figure

FigureFormat: TypeAlias = "PictureFormat | Literal['csv']"

THEME_OPTION = click.option(
    "--theme",
    type=click.Choice(["light", "dark"]),
    default="light",
    show_default=True,
    help="Colours of a picture: for white paper, or for a dark page.",
)


def require_drawing(kind: "FigureFormat") -> None:
    """Refuse, before anything is computed, a picture that cannot be drawn here."""
    if kind == "csv":
        refuse_typed(("theme",), "a table of numbers has no colours")
        return
    from winodds.show.extra import require_extra

    require_extra("Drawing")


def write_figure(figure: "Figure", output: str, kind: "FigureFormat", *, theme: "Theme") -> None:
    """Draw a figure into a file, or write its numbers there."""
    write_bytes_whole(Path(output), _render(figure, kind, theme))


def _render(figure: "Figure", kind: "FigureFormat", theme: "Theme") -> bytes:
    if kind == "csv":
        return figure.to_csv().encode()
    from winodds.show.charts.drawing import draw_figure
    from winodds.show.charts.save import render_picture

    return render_picture(draw_figure(figure), kind, theme=theme)


def tell_caption(figure: "Figure", kind: "FigureFormat", *, quiet: bool) -> None:
    """Say how to read a figure; if quiet, only what a table of numbers has no place for."""
    # A picture says itself what it leaves out.
    quietly = figure.left_out if kind == "csv" else ""
    if words := quietly if quiet else figure.caption:
        click.echo(f"* {words}", err=True)
