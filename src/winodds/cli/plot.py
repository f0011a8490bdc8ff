"""Options of ``winodds plot``, and a file → a picture of its leaderboard or season."""

import inspect
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import click
from click.core import ParameterSource

from winodds.cli.boards import boards_of, rate_file
from winodds.cli.completing import complete_player
from winodds.cli.options import Asked, SectionedCommand, give, refuse_typed
from winodds.cli.output import check_output, tell_notes
from winodds.cli.pictures import THEME_OPTION, require_drawing, tell_caption, write_figure
from winodds.cli.progress import Progress
from winodds.language.errors import BadOption
from winodds.language.spelling import option
from winodds.language.words import count, list_names
from winodds.show.figures.names import BOARD_FIGURES, SEASON_FIGURES

if TYPE_CHECKING:
    from winodds.board.leaderboard import Leaderboard
    from winodds.season.season import Season
    from winodds.show.charts.save import Theme
    from winodds.show.figures.figure import Figure

FIGURES = tuple(name.replace("_", "-") for name in (*BOARD_FIGURES, *SEASON_FIGURES))
FORMATS = ("svg", "png", "pdf", "html", "json", "csv")
ARGUMENTS = {
    "top": "top",
    "first": "first",
    "labels": "labels",
    "shown": "players",
    "values": "values",
    "boxes_by": "by",
    "of_family": "family",
    "default": "default",
    "together": "together",
    "best": "best",
    "at_least": "at_least",
}
"""Options that a figure may take, by the name of the parameter here and there."""


class PlotCommand(SectionedCommand):
    """Takes ``--group COLUMN --family NAME``, as it was before the column was ``--family``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if {"--group", "--family"} <= {word.split("=")[0] for word in args}:
            args = [re.sub(r"^--family(?=$|=)", "--of-family", word) for word in args]
        return super().parse_args(ctx, args)


class PictureOptions(TypedDict):
    """What the options about a picture hold."""

    output: str
    only: str | None
    top: int | None
    first: int | None
    labels: int | None
    shown: tuple[str, ...]
    values: str | None
    boxes_by: str | None
    of_family: str | None
    default: str | None
    together: bool
    best: bool
    at_least: int | None
    theme: "Theme"
    quiet: bool


_COUNT = click.IntRange(min=1)

OPTIONS = (
    click.option(
        "--only",
        metavar="NAME",
        help="The tournament, if there are several; family-matrix and boxes can show one or all.",
    ),
    click.option(
        "--top",
        type=click.IntRange(min=0),
        metavar="N",
        help="Show N players (or boxes); 0 for all.  [default: what is readable]",
    ),
    click.option("--first", type=_COUNT, metavar="N", help="Begin with the N-th of them."),
    click.option("--labels", type=_COUNT, metavar="N", help="Name N points at most."),
    click.option(
        "--players",
        "shown",
        multiple=True,
        shell_complete=complete_player,
        metavar="NAME",
        help="Show this player's scores, or how it does on a new data set. Repeatable for scores.  "
        "[default: the first four, or the first]",
    ),
    click.option(
        "--values",
        type=click.Choice(["score", "rank"]),
        help="Show scores as given, or ranks within rounds.  [default: score]",
    ),
    click.option(
        "--by",
        "boxes_by",
        type=click.Choice(["family", "tournament", "player"]),
        help="What a box, or a row, stands for.",
    ),
    click.option("--of-family", metavar="NAME", help="Show the settings of this family only."),
    click.option(
        "--default",
        metavar="ENDING",
        help="How the names of default settings end, for tunability.  [default: the median "
        "setting of each family]",
    ),
    click.option("--together", is_flag=True, help="One box for each family over all tournaments."),
    click.option(
        "--best", is_flag=True, help="In boxes, of each family only the best of the tournament."
    ),
    click.option(
        "--at-least",
        type=_COUNT,
        metavar="N",
        help="In boxes, only players with results in N tournaments or more.",
    ),
    THEME_OPTION,
    click.option(
        "--output",
        "-o",
        type=click.Path(),
        metavar="FILE",
        required=True,
        help="Write there, whole or not at all. The name says how: .svg, .png, .pdf, .html, .json "
        "(Vega-Lite) or .csv (the figure's numbers).",
    ),
)


def plot_options(command: Any) -> Any:
    """Give a command all options about a picture."""
    return give(command, OPTIONS)


def plot_file(file: str, figure: str, asked: Asked, picture: PictureOptions) -> None:
    """Rate a file and write a picture of what was found."""
    from winodds.board.leaderboard import Leaderboard

    name, output, quiet = figure.replace("-", "_"), picture["output"], picture["quiet"]
    kind = picture_format(output)
    check_output(output, [file], kind)
    arguments = _arguments(name)
    if name in SEASON_FIGURES:
        alone = [] if "tournament" in arguments else ["only"]
        refuse_typed([*alone, "pool"], f"the figure '{figure}' shows several leaderboards")
    require_drawing(kind)
    found = rate_file(file, asked.but(details=False), quiet=quiet)
    subject = choose_subject(found, name, only=picture["only"])
    with Progress(sys.stderr, quiet=quiet) as progress:
        progress.say(f"Drawing {figure} …")
        # The ranking has letters where that is quick, as the leaderboard itself.
        if isinstance(subject, Leaderboard) and name == "ranking" and subject.how.details.quick:
            subject.details()
        table: Figure = getattr(subject.figures, name)(**arguments)
        write_figure(table, output, kind, theme=picture["theme"])
    tell_caption(table, kind, quiet=quiet)
    tell_notes(boards_of(subject), None)


def picture_format(output: str) -> Any:
    """The format that the name of a file asks for."""
    suffix = Path(output).suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        endings = ", ".join(f".{known}" for known in FORMATS[:-1])
        wanted = f"its name tells the format; let it end with {endings} or .{FORMATS[-1]}"
        raise BadOption(option="output", value=output, wanted=wanted)
    return suffix


def _arguments(name: str) -> dict[str, Any]:
    """What was typed for the figure; refused where it takes no such thing."""
    context = click.get_current_context()
    taken = _parameters_of(name)
    asked: dict[str, Any] = {}
    for own, theirs in ARGUMENTS.items():
        if context.get_parameter_source(own) is not ParameterSource.COMMANDLINE:
            continue
        value = context.params[own]
        if own == "shown" and "player" in taken:
            asked["player"] = _one_of(value)
            continue
        if theirs not in taken:
            shown = value[0] if isinstance(value, tuple) else value
            wanted = f"the figure '{name.replace('_', '-')}' has no such option"
            typed = own if own == "of_family" else theirs
            raise BadOption(option=typed, value=shown, wanted=wanted)
        asked[theirs] = list(value) if isinstance(value, tuple) else value
    if "tournament" in taken and context.params["only"] is not None:
        asked["tournament"] = context.params["only"]
    if asked.get("top") == 0:
        asked["top"] = None
    return asked


def _one_of(players: tuple[str, ...]) -> str:
    """The player, of whom there can be only one."""
    if len(players) > 1:
        wanted = "this figure is about one player; name one"
        raise BadOption(option="players", value=players[1], wanted=wanted)
    return players[0]


def _parameters_of(name: str) -> set[str]:
    """What a figure's method takes."""
    from winodds.show.figures.boards import BoardFigures
    from winodds.show.figures.seasons import SeasonFigures

    owner = BoardFigures if name in BOARD_FIGURES else SeasonFigures
    return set(inspect.signature(getattr(owner, name)).parameters)


def choose_subject(
    found: "Leaderboard | Season", name: str, *, only: str | None
) -> "Leaderboard | Season":
    """The board, or the season, that the figure is of."""
    from winodds.season.season import Season

    dashed = name.replace("_", "-")
    if name in SEASON_FIGURES:
        if isinstance(found, Season):
            return found
        raise click.UsageError(
            f"The figure '{dashed}' shows the leaderboards of several tournaments, and here is "
            f"only one; name their column with {option('tournament')}."
        )
    if not isinstance(found, Season):
        if only is not None:
            wanted = "there is only one leaderboard"
            raise BadOption(option="only", value=only, wanted=wanted)
        return found
    return _choose_board(found, dashed, only)


def _choose_board(season: "Season", figure: str, only: str | None) -> "Leaderboard":
    if only in season:
        return season[str(only)]
    if only is not None:
        wanted = f"the tournaments are {list_names(season)}"
        raise BadOption(option="only", value=only, wanted=wanted)
    if len(season) == 1:
        return next(iter(season.values()))
    raise click.UsageError(
        f"The figure '{figure}' shows one leaderboard, and there are "
        f"{count(len(season), 'tournament')}: {list_names(season)}. Choose one with "
        f"{option('only')} NAME, or rate them together with {option('pool', True)}."
    )
