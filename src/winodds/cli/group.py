"""``winodds`` itself: commands by what they are for, and a file's name in place of a command."""

from difflib import get_close_matches
from pathlib import Path

import click

USES = {
    "Get a leaderboard": ("look", "rate", "compare", "season", "demo"),
    "Share it": ("report", "plot"),
    "Trust it": ("quality", "bootstrap"),
    "Decide by it": ("gate", "sota", "race"),
    "Get results into one table": ("run", "convert", "openml"),
    "Your shell": ("completion",),
}
"""Commands by what they are for."""

EXAMPLES = (
    ("For a paper", "winodds rate results.csv --format latex -o board.tex"),
    ("For a talk", "winodds plot results.csv ranking -o ranking.svg"),
    ("For your boss", "winodds report results.csv -o board.html"),
    ("For CI", "winodds gate logs/main/ logs/pull-request/"),
)


class CommandsByUse(click.Group):
    """A group whose help lists commands by what they are for, and that rates a file it is given."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was named, or ``rate`` where a file is."""
        word = args[0]
        if word not in self.commands and _names_a_file(word):
            return "rate", self.commands["rate"], args
        if word not in self.commands and not word.startswith("-"):
            close = get_close_matches(word, self.commands, n=1)
            meant = f" Did you mean '{close[0]}'?" if close else ""
            raise click.UsageError(f"No such command '{word}'.{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        width = max(map(len, self.commands))
        for title, names in USES.items():
            with formatter.section(title):
                lines = [
                    (
                        name.ljust(width),
                        self.commands[name].get_short_help_str(limit=78 - width - 6),
                    )
                    for name in names
                ]
                formatter.write_dl(lines)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("For instance"):
            formatter.write_dl(EXAMPLES)


def _names_a_file(word: str) -> bool:
    """Whether a word is a file or folder, or could only be one.

    >>> _names_a_file("results.csv"), _names_a_file("rat"), _names_a_file("--top")
    (True, False, False)
    """
    if word.startswith("-") and word != "-":
        return False
    return word == "-" or Path(word).suffix != "" or "/" in word or Path(word).exists()
