"""Options of the commands that rate a table, from their declarations, and help under headings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, ClassVar

import click
from click.core import ParameterSource

from winodds.cli.completing import complete_column, complete_player
from winodds.language.errors import BadOption
from winodds.language.option import Declared, Role, Shape, declared_in, same_option
from winodds.language.options import (
    CELLS,
    COMPARISONS,
    FETCHED,
    MATCHES,
    OTHER_SHAPES,
    RACES,
    RATINGS,
    SERVER,
    SIMULATIONS,
    SOURCES,
    VERDICT,
    WHICH_COLUMN,
    WHICH_WAY,
    Cells,
    Comparing,
    Counting,
    Covering,
    Fetching,
    FileOptions,
    Labelling,
    Options,
    Planning,
    Racing,
    Roles,
    Rules,
    Seating,
    Shaping,
    Sides,
    Slicing,
    Sourcing,
    Sparring,
    Tolerating,
)
from winodds.language.spelling import flag_of

RATING = (Roles, Slicing, Shaping, Sides, Labelling, Seating, Sourcing, FileOptions, Rules, Options)
DECLARED = declared_in(*RATING)
"""The options about a table and how it is rated."""

OF_COMMANDS = {
    VERDICT: "table",
    RACES: "",
    WHICH_COLUMN: "",
    WHICH_WAY: "",
    OTHER_SHAPES: "",
    SOURCES: "",
    CELLS: "",
    MATCHES: "",
    RATINGS: "",
    COMPARISONS: "compare default simulations replicates jobs",
    "The test set": "n classes metric positives se",
    "How entries depend on each other": "correlation similarity items submissions alike",
    "How luck is taken out": "method conservative",
    "Two boards": "private private_n private_positives private_se",
    "What if": "law players theta spread figure over",
    SIMULATIONS: "",
    "The run": "only plan retry_failed workers dask",
    "The picture": "only first labels shown values boxes_by of_family theme",
    "Output": "format output csv top each elo quiet debug",
}
"""Headings of the help, with options of single commands; the declared ones know theirs."""

LAST_SECTION = "Output"


def _of_section(title: str, *kinds: type) -> list[str]:
    """The options that were declared under a heading."""
    return [name for name, it in declared_in(*kinds).items() if it.option.section == title]


SECTIONS = {
    title: [*_of_section(title, *RATING, Comparing, Tolerating, Sparring, Racing), *names.split()]
    for title, names in OF_COMMANDS.items()
}


class SectionedCommand(click.Command):
    """A command whose help lists the options under headings, and that takes each only once."""

    sections: ClassVar[Mapping[str, Sequence[str]]] = SECTIONS

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing and args and self._waits_for_a_value(ctx, args[-1]):
            # A shell completes its value, and what stands before it should be understood.
            args = args[:-1]
        for parameter in self.get_params(ctx):
            if isinstance(parameter, AliasedOption):
                parameter.refuse_both(args)
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

    def _waits_for_a_value(self, ctx: click.Context, word: str) -> bool:
        """Whether a word is an option that takes one."""
        options = [own for own in self.get_params(ctx) if isinstance(own, click.Option)]
        return any(word in own.opts and not own.is_flag for own in options)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        records = {
            parameter.name: record
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option)
            and (record := parameter.get_help_record(ctx)) is not None
        }
        for title, names in self.sections.items():
            listed = [records.pop(name) for name in names if name in records]
            if title == LAST_SECTION:
                listed += records.values()
            if listed:
                with formatter.section(title):
                    formatter.write_dl(listed)


class FetchCommand(SectionedCommand):
    """A command that fetches, whose headings are others."""

    sections: ClassVar[Mapping[str, Sequence[str]]] = {
        FETCHED: ["suite", "task", *_of_section(FETCHED, Fetching)],
        SERVER: _of_section(SERVER, Fetching),
        LAST_SECTION: OF_COMMANDS[LAST_SECTION].split(),
    }


class AliasedOption(click.Option):
    """An option with other names, of which the first are shown."""

    def __init__(self, *names: Any, shown: int, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.shown = shown

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        shown = copy(self)
        shown.opts = self.opts[: self.shown]
        return super(AliasedOption, shown).get_help_record(ctx)

    def refuse_both(self, args: Sequence[str]) -> None:
        """Refuse one of its names beside another."""
        words = [word.split("=")[0] for word in args]
        first, *others = sorted({*self.opts} & {*words}, key=self.opts.index) or [""]
        for other in others:
            place = words.index(other)
            value = args[place].partition("=")[2] or " ".join(args[place + 1 : place + 2])
            raise BadOption(option=other[2:], value=value, wanted=same_option(first[2:]))


COLUMNS_TOO = ("ignore", "keep")
PLAYERS = ("reference", "baseline", "candidate")
"""Options that are no roles, and whose values are columns, or players."""


# Declarations → options of click ------------------------------------------------------------------


def as_click(declared: Declared) -> Any:
    """The option of a command that a declaration asks for."""
    name, option = declared.name, declared.option
    flag = flag_of(name)
    settings: dict[str, Any] = {"help": option.help, "metavar": option.metavar}
    if isinstance(option, Role):
        settings |= {"multiple": declared.several, "shell_complete": complete_column}
    elif declared.several:
        settings |= {"multiple": True, "type": str}
    elif declared.type is bool:
        settings |= {"is_flag": True}
    elif option.flag is not None:
        flag = f"--{option.flag}"
        settings |= {"flag_value": option.flag, "default": declared.default}
    elif bool in declared.kinds:
        opposite = option.opposite or f"no_{name}"
        flag = f"{flag}/--{opposite.replace('_', '-')}"
        settings |= {"default": None}
    else:
        settings |= {"type": _type_of(declared), "default": _default_of(declared)}
        settings |= {"show_default": declared.default is not None}
    if name in COLUMNS_TOO:
        settings |= {"shell_complete": complete_column}
    if name in PLAYERS:
        settings |= {"shell_complete": complete_player}
    flags = [flag, *map(flag_of, option.other_names)]
    kind = AliasedOption if option.other_names else click.Option
    if option.other_names:
        settings["shown"] = 1 + len(option.also)
    return click.option(name, *flags, cls=kind, **settings)


def _type_of(declared: Declared) -> Any:
    if declared.choices:
        return click.Choice(declared.choices)
    if float in declared.kinds:
        return float
    least = declared.option.least
    whole = int if least is None else click.IntRange(min=least)
    return whole if int in declared.kinds else str


def _default_of(declared: Declared) -> Any:
    """The default, without the zero that whole numbers have as floats."""
    value = declared.default
    return f"{value:g}" if isinstance(value, float) else value


READING_OPTIONS = tuple(as_click(found) for found in declared_in(Cells).values())

COMPARISON_OPTIONS = tuple(as_click(found) for found in declared_in(Comparing).values())


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed about a table and how it is to be rated.

    Attributes
    ----------
    columns : names, by the option that was given; as they were typed.
    file : how the file is to be read.
    options : all others, as `winodds.rate` and `winodds.rate_battles` take them.
    """

    columns: Mapping[str, tuple[str, ...]]
    file: FileOptions
    options: Mapping[str, Any]

    def but(self, **options: Any) -> "Asked":
        """The same with other values of some options."""
        return replace(self, options={**self.options, **options})


def rating_options(*extra: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command all options about the table and how it is rated, in one parameter ``asked``.

    ``extra`` names those that not all commands have.
    """
    wanted = {
        name: found for name, found in DECLARED.items() if not found.option.extra or name in extra
    }

    return partial(_give_asked, wanted)


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options about the table alone, in one parameter ``asked``."""
    return _give_asked(declared_in(Roles, Shaping, Sides, Sourcing, Cells), command)


def fetching_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of what is fetched, in one parameter ``asked``."""
    wanted = declared_in(Fetching)

    @wraps(command)
    def call(*args: Any, **values: Any) -> Any:
        return command(*args, asked={name: values.pop(name) for name in wanted}, **values)

    return give(call, [as_click(found) for found in wanted.values()])


NOT_ASKED = ("family", "hyperparameters", "members")
"""Roles that say nothing of two players."""


def gate_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command what a verdict needs: the table's options in one parameter, and its own."""
    of_table = declared_in(Roles, Shaping, Sides, Sourcing, Cells, Counting, Covering)
    wanted = {name: found for name, found in of_table.items() if name not in NOT_ASKED}
    # Whoever is alone in a file need not be named.
    own = [replace(found, default=None) for found in declared_in(Sparring).values()]
    own += declared_in(Tolerating, Planning).values()
    return _give_asked(wanted, give(command, [as_click(found) for found in own]))


def race_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a race."""
    return give(command, [as_click(found) for found in declared_in(Racing).values()])


def _give_asked(wanted: Mapping[str, Declared], command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command some of the declared options, in one parameter ``asked``."""

    @wraps(command)
    def call(*args: Any, **values: Any) -> Any:
        typed = {name: values.pop(name) for name in wanted}
        return command(*args, asked=_collect(typed), **values)

    return give(call, [as_click(found) for found in wanted.values()])


def _collect(typed: dict[str, Any]) -> Asked:
    of_file = [name for name in declared_in(FileOptions) if name in typed]
    file = FileOptions(**{name: typed.pop(name) for name in of_file})
    roles = [name for name in typed if isinstance(DECLARED[name].option, Role)]
    columns = {name: column for name in roles if (column := typed.pop(name))}
    named = {name: (it,) if isinstance(it, str) else it for name, it in columns.items()}
    return Asked(named, file, typed)


def give(command: Callable[..., Any], options: Sequence[Any]) -> Callable[..., Any]:
    """Give a command some options, in their order."""
    for decorate in reversed(options):
        command = decorate(command)
    return command


def format_option(
    formats: Sequence[str],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option for one of the formats."""
    text = f"Of the output.  [default: by the name of the output file, else {formats[0]}]"
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


def refuse_for(shape: Shape, why: str) -> None:
    """Refuse options that were typed and mean nothing for tables of this shape."""
    refuse_typed((name for name, it in DECLARED.items() if shape not in it.option.shapes), why)
