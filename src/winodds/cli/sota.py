"""Options of ``winodds sota``, and a file → the answer in a format."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import click

from winodds.cli.boards import say_found, title
from winodds.cli.options import READING_OPTIONS, give, refuse_typed
from winodds.cli.output import deliver, format_of, render_document
from winodds.cli.pictures import THEME_OPTION, require_drawing, tell_caption, write_figure
from winodds.cli.progress import Progress
from winodds.language.errors import BadOption
from winodds.language.words import count
from winodds.show.figures.names import LAW_FIGURES

if TYPE_CHECKING:
    from winodds.cli.pictures import FigureFormat
    from winodds.language.options import Decimal
    from winodds.show.charts.save import Theme
    from winodds.show.figures.curves import Over
    from winodds.show.figures.figure import Figure
    from winodds.sota.answer import Metric, Sota, WhatIf
    from winodds.sota.asked import Method
    from winodds.sota.entries import Entries
    from winodds.sota.shakeup.answer import ShakeUp
    from winodds.sota.what_if import StatedLaw

FORMATS = ("table", "json", "markdown", "latex")
OF_A_FILE = (
    *(
        "score",
        "player",
        "ignore",
        "submissions",
        "alike",
        "classes",
        "similarity",
        "items",
        "method",
        "conservative",
    ),
    *("decimal", "percent", "encoding", "limit", "higher_is_better", "prizes", "zones"),
    *("private", "private_n", "private_positives", "private_se"),
)
OF_ONE_BOARD = ("method", "conservative", "prizes", "zones", "submissions", "alike")
OF_TWO_BOARDS = ("private_n", "private_positives", "private_se")
OF_A_LAW = ("players", "theta", "spread", "figure", "over")
PICTURES: dict[str, "FigureFormat"] = {
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".html": "html",
    ".csv": "csv",
}
"""Pictures, or their numbers, that follow from the name of the file they are written to."""

FOR_A_PICTURE = "it is for a picture; name one with -o, such as law.svg"


class SotaOptions(TypedDict):
    """What the options of ``winodds sota`` hold."""

    score: str | None
    player: tuple[str, ...]
    ignore: tuple[str, ...]
    n: int | None
    classes: int | None
    metric: "Metric | None"
    positives: int | None
    se: float | None
    higher_is_better: bool | None
    correlation: float | None
    similarity: float | None
    items: str | None
    submissions: str | None
    alike: float | None
    method: "Method"
    conservative: bool
    level: float
    prizes: int | None
    zones: bool
    private: str | None
    private_n: int | None
    private_positives: int | None
    private_se: float | None
    seed: int
    decimal: "Decimal"
    percent: bool
    encoding: str
    limit: float
    law: bool
    players: int | None
    theta: float | None
    spread: float
    figure: str
    over: "Over"
    theme: "Theme"
    format: str | None
    output: str | None
    quiet: bool


def _option(*names: str, text: str, **more: Any) -> Any:
    return click.option(*names, help=text, **more)


OPTIONS = (
    _option("--score", metavar="COLUMN", text="The scores."),
    _option(
        "--player",
        multiple=True,
        metavar="COLUMN",
        text="The names of the entries, to name the winner. Repeatable, or with commas, where "
        "several columns name an entry together.",
    ),
    _option(
        "--ignore",
        multiple=True,
        metavar="NAME",
        text="Leave out a column, or entries of this name; 'sample_*' for all such. Repeatable.",
    ),
    _option("--n", type=int, metavar="N", text="Size of the test set."),
    _option(
        "--classes",
        type=int,
        metavar="C",
        text="Number of classes; guessing is right in one of so many cases.",
    ),
    _option(
        "--metric",
        type=click.Choice(["accuracy", "auc", "other"]),
        text="What scores are.  [default: as --positives, --se or the column's name tell, else "
        "accuracy]",
    ),
    _option("--positives", type=int, metavar="P", text="How many of the cases are positive (AUC)."),
    _option(
        "--se",
        type=float,
        metavar="SE",
        text="Standard error of a score of another metric, with a normal law.",
    ),
    _option(
        "--higher-is-better/--lower-is-better",
        default=None,
        text="The direction of another metric, if its column's name does not tell it.",
    ),
    _option(
        "--correlation",
        type=float,
        metavar="RHO0",
        text="Of each entry with what makes a case easy; two entries have its square.  "
        "[default: 0.6, an assumption, or what comes closest and suits the scores; 0 with --law]",
    ),
    _option(
        "--similarity",
        type=float,
        metavar="S",
        text="Share of cases on which two entries are both right or both wrong; gives RHO0.",
    ),
    _option(
        "--items",
        type=click.Path(),
        metavar="FILE",
        text="Right (1) and wrong (0) on single cases, to estimate RHO0: a row for each entry and "
        "a column for each case, a column of cases and one for each entry, or a row for each "
        "result (entry, case, right).",
    ),
    _option(
        "--submissions",
        metavar="COLUMN",
        text="How many scores each entry's is the best of: a column of numbers, or one number for "
        "all. With the column of names, each row is a submission. Takes out the luck of so many.",
    ),
    _option(
        "--alike",
        type=float,
        metavar="R",
        text="Correlation of two submissions of one entry.  [default: that of any two entries]",
    ),
    _option(
        "--method",
        type=click.Choice(["population", "shrink", "crop", "posterior"]),
        default="population",
        show_default=True,
        text="Find where true performances lie, some perhaps far ahead; or, as published, shrink "
        "scores towards guessing, crop the highest, or simulate a posterior.",
    ),
    _option(
        "--conservative",
        is_flag=True,
        text="With shrink or crop: take the best score for as high as it usually gets, not for its "
        "expectation.",
    ),
    _option(
        "--level",
        type=float,
        default=0.95,
        show_default=True,
        metavar="P",
        text="Coverage of the intervals, and what --conservative takes for usual.",
    ),
    _option(
        "--prizes",
        type=int,
        metavar="K",
        text="Say who could belong to the first K places, luck considered.  [default with --zones: "
        "3]",
    ),
    _option(
        "--zones",
        is_flag=True,
        text="Say which of all entries luck could have swapped, and which are told apart.",
    ),
    _option(
        "--private",
        type=click.Path(),
        metavar="FILE",
        text="The private board of the same contest: say what the public one, FILE, promised, and "
        "how far the shake-up is luck.",
    ),
    _option("--private-n", type=int, metavar="N", text="Size of the private test set."),
    _option(
        "--private-positives",
        type=int,
        metavar="P",
        text="How many private cases are positive (AUC).  [default: the same share]",
    ),
    _option(
        "--private-se",
        type=float,
        metavar="SE",
        text="Standard error of a private score.  [default: --se]",
    ),
    *READING_OPTIONS,
    _option(
        "--law", is_flag=True, text="No file: the best score of a population that is stated here."
    ),
    _option("--players", type=int, metavar="M", text="How many entries."),
    _option("--theta", type=float, metavar="T", text="True performance of the best."),
    _option(
        "--spread",
        type=float,
        default=0.0,
        metavar="D",
        text="Performances are uniform over a stretch of this length.  [default: 0, all equal]",
    ),
    _option(
        "--figure",
        type=click.Choice(LAW_FIGURES),
        default="law",
        show_default=True,
        text="The picture of --law that is written to an .svg, .png, .pdf, .html or .csv file: the "
        "law itself, or bias and standard deviation when --over changes.",
    ),
    _option(
        "--over",
        type=click.Choice(["players", "n", "theta", "spread", "correlation"]),
        default="players",
        show_default=True,
        text="What changes along the curves.",
    ),
    THEME_OPTION,
    _option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        metavar="N",
        text="Of the simulations (AUC, posterior).",
    ),
)


def sota_options(command: Any) -> Any:
    """Give a command all options about the best of many."""
    return give(command, OPTIONS)


def answer_file(file: str, picture: "FigureFormat | None", options: SotaOptions) -> None:
    """Answer for a file, or for two boards, in words or as a picture."""
    private, how = options["private"], options["format"]
    if private is not None:
        if picture:
            wanted = "there is no picture of two boards; leave --private out"
            raise BadOption(option="output", value=options["output"], wanted=wanted)
        show_sota(compare_boards(file, private, options), format=how, output=options["output"])
        return
    found = estimate_file(file, options)
    if picture:
        draw_estimate(found, picture, options)
    else:
        show_sota(found, format=how, output=options["output"])


def estimate_file(file: str, options: SotaOptions) -> "Sota":
    """Read the scores of a file, say what was found, and estimate."""
    refuse_typed(OF_A_LAW, "it is for --law, which takes no file")
    refuse_typed(OF_TWO_BOARDS, "it is for two boards; name the other one with --private")
    # What takes long to import comes before the clock starts.
    from winodds.sota.contest import estimate_sota

    with Progress(sys.stderr, quiet=options["quiet"]) as progress:
        entries = _read_board(file, options, progress)
        items = _read_items(options, progress)
        progress.say(f"Taking the luck out of {count(entries.scores.size, 'score')} …")
        return estimate_sota(
            entries,
            **_stated_of(options),
            items=items,
            method=options["method"],
            conservative=options["conservative"],
            alike=options["alike"],
            prizes=options["prizes"],
            zones=options["zones"],
        )


def compare_boards(file: str, private: str, options: SotaOptions) -> "ShakeUp":
    """Read the public and the private board of a contest, and compare them."""
    refuse_typed(OF_A_LAW, "it is for --law, which takes no file")
    refuse_typed(OF_ONE_BOARD, "it is for one board; leave --private out")
    from winodds.sota.shakeup.asked import shake_up

    with Progress(sys.stderr, quiet=options["quiet"]) as progress:
        boards = [_read_board(name, options, progress) for name in (file, private)]
        items = _read_items(options, progress)
        progress.say("Comparing the boards …")
        return shake_up(
            *boards,
            **_stated_of(options),
            items=items,
            private_n=options["private_n"],
            private_positives=options["private_positives"],
            private_se=options["private_se"],
        )


def other_files(file: str, options: SotaOptions) -> list[str]:
    """The files that are read beside the board."""
    others = [options["items"], options["private"]]
    named = [file, *others]
    if [*named].count("-") > 1:
        raise click.UsageError("Only one of the files can be standard input.")
    return [name for name in others if name is not None]


def _reading(options: SotaOptions) -> dict[str, Any]:
    return {key: options[key] for key in ("decimal", "encoding", "limit")}


def _read_board(file: str, options: SotaOptions, progress: Progress) -> "Entries":
    from winodds.read.files import read_results
    from winodds.sota.entries import read_entries

    progress.say(f"Reading {title(file)} …")
    sheet = read_results(file, percent=options["percent"], **_reading(options))
    entries = read_entries(
        sheet,
        score=options["score"],
        player=options["player"] or None,
        ignore=options["ignore"],
        submissions=options["submissions"],
    )
    roles = {"score": entries.column, "player": entries.named_by}
    progress.tell(say_found(sheet, {role: name for role, name in roles.items() if name}))
    return entries


def _read_items(options: SotaOptions, progress: Progress) -> Any:
    from winodds.read.files import read_results

    if options["items"] is None:
        return None
    progress.say(f"Reading {title(options['items'])} …")
    return read_results(options["items"], **_reading(options))


STATED = (
    *("n", "classes", "metric", "positives", "se", "higher_is_better"),
    *("correlation", "similarity", "level", "seed"),
)
"""What is said of a contest, with one board or two."""


def _stated_of(options: SotaOptions) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name in STATED}


def compute_law(options: SotaOptions) -> "WhatIf":
    """What the best score of a stated population is expected to be."""
    refuse_typed(("figure", "over"), FOR_A_PICTURE)
    stated = _stated(options)
    from winodds.sota.what_if import law_of_maximum, what_if

    with Progress(sys.stderr, quiet=options["quiet"]) as progress:
        progress.say("Computing the law of the best score …")
        return what_if(law_of_maximum(**stated), level=options["level"])


def _stated(options: SotaOptions) -> dict[str, Any]:
    """The population that was stated, as Python takes it."""
    refuse_typed(OF_A_FILE, "it is for a file of scores, and --law takes none")
    for name in ("players", "theta"):
        if options[name] is None:
            raise click.UsageError(f"--law needs --{name}.")
    return {
        "players": options["players"],
        "theta": options["theta"],
        "n": options["n"],
        "spread": options["spread"],
        "correlation": options["correlation"] or 0.0,
        "metric": options["metric"],
        "positives": options["positives"],
        "se": options["se"],
        "seed": options["seed"],
    }


# Pictures -----------------------------------------------------------------------------------------


def picture_of(options: SotaOptions) -> "FigureFormat | None":
    """The kind of picture that the output file's name asks for, if it does."""
    suffix = Path(options["output"] or "").suffix.lower()
    kind = PICTURES.get(suffix) if options["format"] is None else None
    if kind is None:
        refuse_typed(("theme",), FOR_A_PICTURE)
    else:
        require_drawing(kind)
    return kind


def draw_estimate(found: "Sota", kind: "FigureFormat", options: SotaOptions) -> None:
    """Write a picture of the entries, and say doubts, for which it has no place."""
    _write_picture(found.figures.entries(), kind, options)
    for note in found.notes:
        click.echo(f"* {note}", err=True)


def draw_law(kind: "FigureFormat", options: SotaOptions) -> None:
    """Write a picture of a law, or of how it changes."""
    if options["figure"] == "law":
        refuse_typed(("over",), "it is for --figure curves")
    else:
        refuse_typed(("level",), "curves have no intervals")
    stated = _stated(options)
    from winodds.sota.what_if import law_of_maximum

    with Progress(sys.stderr, quiet=options["quiet"]) as progress:
        progress.say("Computing the law of the best score …")
        law: StatedLaw = law_of_maximum(**stated)
        if options["figure"] == "law":
            figure = law.figures.law(level=options["level"])
        else:
            figure = law.figures.curves(over=options["over"])
    _write_picture(figure, kind, options)


def _write_picture(figure: "Figure", kind: "FigureFormat", options: SotaOptions) -> None:
    write_figure(figure, str(options["output"]), kind, theme=options["theme"])
    tell_caption(figure, kind, quiet=options["quiet"])


# Text ---------------------------------------------------------------------------------------------


def show_sota(found: "Sota | ShakeUp | WhatIf", *, format: str | None, output: str | None) -> None:
    """Print the answer, or write it to a file."""
    from winodds.show.formats.json import sota_json
    from winodds.show.layout.results import document_of

    kind = format or format_of(output)
    deliver(
        sota_json(found) if kind == "json" else render_document(document_of(found), kind), output
    )
