"""Options of the commands that rate a table, and help that lists them under headings."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import click
from click.core import ParameterSource

from winodds.language.errors import BadOption

if TYPE_CHECKING:
    from winodds.board.options import Components, ScoreMatches
    from winodds.fit.newton import Estimator
    from winodds.inference.intervals import IntervalKind
    from winodds.read.numbers import Decimal
    from winodds.table.scores import Missing
    from winodds.table.table import Duplicates

COLUMN = "COLUMN"

SECTIONS = {
    "Which column is what (found by its name where that is clear)": (
        "player round score tournament group status cluster weights ignore"
    ),
    "Which way is better (known for names such as auc or rmse, never guessed)": (
        "higher_is_better metric_column direction_column"
    ),
    "Other shapes of tables": "wide battles left right winner loser pool",
    "How cells are read": "decimal percent encoding",
    "What is a match": "matches tie_tolerance missing duplicates",
    "Ratings and intervals": (
        "estimator prior_sd interval level test_fraction reference components"
    ),
    "Comparisons and quality": "adjust test power details convention simulations replicates jobs",
    "The test set": "n classes metric positives se",
    "How entries depend on each other": "correlation similarity items",
    "How luck is taken out": "method conservative",
    "What if": "law players theta spread figure over",
    "Simulations": "seed",
    "The picture": "only first labels shown values by family theme",
    "Output": "format output top elo quiet debug",
}
LAST_SECTION = "Output"


class SectionedCommand(click.Command):
    """A command whose help lists the options under headings, and that takes each only once."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and not (parameter.multiple or parameter.count):
                names = (*parameter.opts, *parameter.secondary_opts)
                given = [word for word in args if word.split("=")[0] in names]
                if len(given) > 1:
                    same = {given[0].split("=")[0], given[1].split("=")[0]} <= {*parameter.opts}
                    message = f"{given[0]} and {given[1]} contradict each other."
                    if same or given[0] == given[1]:
                        message = f"{given[0].split('=')[0]} is given more than once."
                    raise click.UsageError(message, ctx)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        records = {
            parameter.name: record
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option)
            and (record := parameter.get_help_record(ctx)) is not None
        }
        for title, names in SECTIONS.items():
            listed = [records.pop(name) for name in names.split() if name in records]
            if title == LAST_SECTION:
                listed += records.values()
            if listed:
                with formatter.section(title):
                    formatter.write_dl(listed)


class RatingOptions(TypedDict):
    """What the options of `rating_options` hold."""

    player: tuple[str, ...]
    round: tuple[str, ...]
    score: str | None
    tournament: tuple[str, ...]
    group: tuple[str, ...]
    status: str | None
    cluster: tuple[str, ...]
    weights: str | None
    ignore: tuple[str, ...]
    higher_is_better: bool | None
    metric_column: str | None
    direction_column: str | None
    wide: bool
    battles: bool
    left: str | None
    right: str | None
    winner: str | None
    loser: str | None
    pool: bool
    decimal: "Decimal"
    percent: bool
    encoding: str
    matches: "ScoreMatches"
    tie_tolerance: float
    missing: "Missing"
    duplicates: "Duplicates"
    estimator: "Estimator"
    prior_sd: float | None
    interval: "IntervalKind"
    level: float
    test_fraction: float | None
    reference: str | None
    components: "Components"
    seed: int


def _columns(name: str, text: str) -> Any:
    return click.option(name, multiple=True, metavar=COLUMN, help=text)


def _column(name: str, text: str) -> Any:
    return click.option(name, metavar=COLUMN, help=text)


def _choice(name: str, choices: str, default: str, text: str) -> Any:
    kind = click.Choice(choices.split())
    return click.option(name, type=kind, default=default, show_default=True, help=text)


def _number(name: str, metavar: str, text: str) -> Any:
    return click.option(name, type=float, metavar=metavar, help=text)


def _flag(name: str, text: str) -> Any:
    return click.option(name, is_flag=True, help=text)


READING_OPTIONS = (
    _choice("--decimal", ". ,", ".", "The decimal mark in numbers."),
    _flag("--percent", "Scores are percentages, such as 91.5 or 91.5%."),
    click.option(
        "--encoding", default="utf-8", metavar="NAME", show_default=True, help="Of a text file."
    ),
)

RATING_OPTIONS = (
    _columns("--player", "The models. Repeat the option if several columns form a name."),
    _columns("--round", "The splits, folds or tasks. Repeatable too."),
    _column("--score", "The scores."),
    _columns("--tournament", "The data sets: one leaderboard for each."),
    _columns("--group", "The players' groups, such as algorithms, to show beside them."),
    _column("--status", "Says of each run whether it succeeded; others count as failed."),
    _columns("--cluster", "The independent units, if these are neither rounds nor tournaments."),
    _column("--weights", "A weight for every round, or battle."),
    _columns("--ignore", "Leave this column out. Repeatable."),
    click.option(
        "--higher-is-better/--lower-is-better",
        default=None,
        help="The direction of all scores whose name does not tell it.",
    ),
    _column("--metric-column", "Names the metric of each round."),
    _column("--direction-column", "Says 'up' or 'down' for each round."),
    _flag("--wide", "A row for every player and a column for every round, or the transpose."),
    _flag("--battles", "A row for every battle of two players, with its winner."),
    _column("--left", "The first player of a battle."),
    _column("--right", "The second player of a battle."),
    _column("--winner", "Which side won a battle, or, with --loser, the winner's name."),
    _column("--loser", "The loser's name."),
    _flag("--pool", "One leaderboard over all tournaments, each with equal weight."),
    *READING_OPTIONS,
    _choice(
        "--matches",
        "within across",
        "within",
        "Scores meet in their round, or every score of one player meets every score of another.",
    ),
    click.option(
        "--tie-tolerance",
        type=float,
        default=0.0,
        metavar="X",
        help="Scores this close, or closer, tie; percentage points with --percent.  [default: 0]",
    ),
    _choice(
        "--missing", "skip lose", "skip", "A run without a score plays no match, or loses them all."
    ),
    _choice(
        "--duplicates",
        "error mean first last best",
        "error",
        "What to do with several scores of a player in a round.",
    ),
    _choice(
        "--estimator",
        "bias-reduced mle ridge",
        "bias-reduced",
        "How ratings are estimated; bias-reduced ones always exist.",
    ),
    _number("--prior-sd", "SD", "Standard deviation of the ridge prior.  [default: 2]"),
    _choice(
        "--interval",
        "robust model",
        "robust",
        "From how much rounds disagree, or as if all matches were independent (too narrow).",
    ),
    click.option(
        "--level",
        type=float,
        default=0.95,
        show_default=True,
        metavar="P",
        help="Coverage of the intervals.",
    ),
    _number(
        "--test-fraction", "P", "Share of test cases in a split, if splits share training data."
    ),
    click.option("--reference", metavar="NAME", help="The player whose rating is 0."),
    _choice(
        "--components",
        "error separate",
        "error",
        "Groups of players that never met are refused, or rated each on its own.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        metavar="N",
        help="Of the simulations.",
    ),
)

COMPARISON_OPTIONS = (
    _choice(
        "--adjust",
        "holm bh max-t none",
        "holm",
        "For all pairs: no false claim at all (holm, max-t), or few of the claims (bh).",
    ),
    click.option(
        "--test",
        type=click.Choice(["robust", "model"]),
        help="Rounds are independent, or all matches are (too optimistic).  [default: --interval]",
    ),
    click.option(
        "--power",
        type=float,
        default=0.8,
        show_default=True,
        metavar="P",
        help="Chance with which the rounds that are said to be needed would show a difference.",
    ),
)


def give(command: Callable[..., Any], options: Sequence[Any]) -> Callable[..., Any]:
    """Give a command some options, in their order."""
    for decorate in reversed(options):
        command = decorate(command)
    return command


def rating_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command all options about the table and how it is rated."""
    return give(command, RATING_OPTIONS)


def details_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option to compute more, or less."""
    text = "Rank ranges, groups, chances of being best, quality.  [default: if that is quick]"
    return click.option("--details/--no-details", default=None, help=text)(command)


def convention_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option about the deviance."""
    text = "The deviance counts each pair once, or in both orders as the EPP paper has it."
    decorate: Callable[..., Any] = _choice("--convention", "pairs paper", "pairs", text)(command)
    return decorate


def format_option(
    formats: Sequence[str],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option for one of the formats."""
    text = "Of the output.  [default: by the name of the output file, else table]"
    return click.option("--format", type=click.Choice(formats), help=text)


def comparison_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options about tests of pairs."""
    return give(command, COMPARISON_OPTIONS)


def debug_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option that `main` looks for when an error ends it."""
    text = "Show the traceback of an error."
    return click.option("--debug", is_flag=True, expose_value=False, help=text)(command)


def refuse_typed(names: Iterable[str], why: str) -> None:
    """Refuse options that were typed and would do nothing here."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            value = context.params[name]
            shown = value[0] if isinstance(value, tuple) else value
            raise BadOption(option=name, value=shown, wanted=why)
