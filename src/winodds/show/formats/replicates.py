"""Bootstraps as text, Markdown, CSV and JSON."""

from collections.abc import Sequence

from winodds.board.bootstrap import Bootstrap
from winodds.board.leaderboard import Leaderboard
from winodds.language.words import count, level_words, rounded, unit_names
from winodds.show.formats.export import (
    markdown_line,
    markdown_notes,
    markdown_table,
    write_csv,
    write_json,
)
from winodds.show.formats.text import WIDTH, headline, join_with_notes, render_table, wrap
from winodds.show.layout.grid import Grid, percent

Found = tuple[Leaderboard, Bootstrap]


def bootstrap_grid(found: Bootstrap, *, top: int | None = None) -> Grid:
    """The players, rounded."""
    columns = found.columns()
    rows = range(len(found.players) if top is None else min(top, len(found.players)))
    level = f"{level_words(found.level)} interval"
    used = {
        "rank": [_number(columns["rank"][k], 0) for k in rows],
        "ranks": [_ends(columns["rank_low"][k], columns["rank_high"][k], 0) for k in rows],
        "player": [columns["player"][k] for k in rows],
        "EPP": [_number(columns["rating"][k], 2) for k in rows],
        level: [_ends(columns["low"][k], columns["high"][k], 2) for k in rows],
        "P(best)": [
            "" if columns["p_best"][k] is None else percent(columns["p_best"][k]) for k in rows
        ],
    }
    table: list[tuple[str, ...]] = list(zip(*used.values(), strict=True))
    return Grid(tuple(used), table, frozenset((2,)), len(found.players) - len(rows))


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else rounded(value, f".{digits}f")


def _ends(low: float | None, high: float | None, digits: int) -> str:
    if low is None:
        return ""
    ends = _number(low, digits), _number(high, digits)
    return (" … " if digits else "–").join(ends if digits else dict.fromkeys(ends))


def describe_bootstrap(board: Leaderboard, found: Bootstrap) -> str:
    """What was done, and what it is good for."""
    unit = unit_names(board.how.interval.cluster)
    clusters = board.how.interval.clusters
    return (
        f"{count(len(found.ratings), 'replicate')}, each of {clusters:,} {unit} drawn with "
        f"replacement (seed {found.seed}). Percentile intervals show how much these {unit} decide. "
        f"When they are few, such intervals are too narrow and lie too far out; those of "
        f"'winodds rate' were checked for that."
    )


def render_bootstraps(found: Sequence[Found], *, top: int | None, width: int = WIDTH) -> str:
    """Everything there is to say, for each board."""
    texts = []
    for board, one in found:
        lines = [headline(board), "", render_table(bootstrap_grid(one, top=top), width=width)]
        texts.append("\n".join([*lines, "", wrap(describe_bootstrap(board, one), width)]))
    return join_with_notes([board for board, _ in found], texts, width)


def bootstrap_json(found: Sequence[Found]) -> str:
    """One object for one board, a list of them for a season."""
    boards, drawn = zip(*found, strict=True)
    return write_json(boards, [one.to_dict() for one in drawn], "bootstrap")


def bootstrap_csv(found: Sequence[Found]) -> str:
    """A row for every player, with all digits."""
    boards, drawn = zip(*found, strict=True)
    return write_csv(boards, [one.columns() for one in drawn])


def bootstrap_markdown(found: Sequence[Found], *, top: int | None) -> str:
    """GitHub tables."""
    parts: list[str] = []
    for board, one in found:
        parts += [f"### {markdown_line(board.tournament)}"] if board.tournament else []
        parts += [markdown_table(bootstrap_grid(one, top=top))]
        parts += [markdown_line(describe_bootstrap(board, one))]
        parts += markdown_notes(board)
    return "\n\n".join(parts) + "\n"
