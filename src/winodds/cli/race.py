"""``winodds race``: finished results → what a race of their settings would have saved."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from winodds.cli.output import deliver, format_of, render_document
from winodds.language.options import Racing

if TYPE_CHECKING:
    from winodds.board.leaderboard import Leaderboard
    from winodds.tune.replays import Replay


def race_boards(boards: "Sequence[Leaderboard]", asked: Racing) -> "list[Replay]":
    """A race on each board."""
    from winodds.tune.replays import replay
    from winodds.tune.rules import Rules

    rules = Rules(
        strategy=asked.strategy,
        splits=asked.splits or "dependent",
        first=asked.first_splits,
        alpha=asked.alpha,
    )
    return [replay(board, rules) for board in boards]


def show_races(found: "Sequence[Replay]", *, format: str | None, output: str | None) -> None:
    """Print the races, or write them to a file."""
    from winodds.show.formats.json import replays_json
    from winodds.show.layout.races import replay_document

    kind = format or format_of(output)
    text = replays_json(found) if kind == "json" else render_document(replay_document(found), kind)
    deliver(text, output)
