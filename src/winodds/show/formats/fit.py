"""The quality of leaderboards as text, Markdown, CSV and JSON."""

import csv
import io
from collections.abc import Sequence

from winodds.arrays import order_of
from winodds.board.leaderboard import Leaderboard
from winodds.board.quality import Quality
from winodds.language.words import rounded
from winodds.show.formats.export import markdown_line, markdown_table, write_json
from winodds.show.formats.text import WIDTH, headline, render_table, wrap
from winodds.show.layout.grid import Grid
from winodds.show.words.verdicts import describe_chi2, describe_doubts, describe_quality, p_words

Found = tuple[Leaderboard, Quality]
NUMBERS = (
    *("deviance", "df", "standardised", "dispersion", "p_value", "p_value_chi2", "convention"),
    *(
        "estimate",
        "expected",
        "simulations",
        "players",
        "components",
        "pairs",
        "kind",
        "tournaments",
    ),
)


def calibration_grid(quality: Quality) -> Grid:
    """Fitted against observed shares of wins."""
    header = ("favourite wins", "pairs", "expected", "observed")
    rows: list[tuple[str, ...]] = [
        (
            f"{100 * one.low:.0f} to {100 * one.high:.0f}%",
            f"{one.pairs:,}",
            rounded(one.fitted, ".1%"),
            rounded(one.observed, ".1%"),
        )
        for one in quality.calibration
    ]
    return Grid(header, rows, frozenset((0,)), 0)


def overview_grid(found: Sequence[Found]) -> Grid:
    """Boards side by side, the best fit first."""
    header = ("tournament", "players", "deviance", "df", "standardised", "dispersion", "p")
    ordered = [found[k] for k in order_of([one.standardised or 0.0 for _, one in found]).tolist()]
    rows: list[tuple[str, ...]] = [
        (
            str(board.tournament),
            f"{quality.players:,}",
            rounded(quality.deviance, ",.1f"),
            f"{quality.df:,}",
            "" if quality.standardised is None else rounded(quality.standardised, ".2f"),
            "" if quality.dispersion is None else rounded(quality.dispersion, ".2f"),
            p_words(quality.p_value).removeprefix("p ").removeprefix("= "),
        )
        for board, quality in ordered
    ]
    return Grid(header, rows, frozenset((0,)), 0)


def render_quality(found: Sequence[Found], *, width: int = WIDTH) -> str:
    """Everything there is to say, for each board, and all boards side by side."""
    parts = [_text(board, quality, width) for board, quality in found]
    if len(found) > 1:
        title = "Boards by standardised deviance, the smallest first:"
        parts.append(f"{title}\n\n{render_table(overview_grid(found), width=width)}")
        parts.append("Standardised deviances compare boards; whether a board fits at all, p says.")
    return "\n\n".join(parts) + "\n"


def _text(board: Leaderboard, quality: Quality, width: int) -> str:
    lines = [headline(board), "", wrap(describe_quality(quality), width), ""]
    if quality.df <= 0:
        return "\n".join(lines[:-1])
    lines += [
        wrap(describe_chi2(quality), width),
        "",
        render_table(calibration_grid(quality), width=width),
    ]
    doubts = describe_doubts(quality)
    lines += ["", "Where the ratings fit worst:"] * bool(doubts)
    return "\n".join([*lines, *(wrap(f"* {sentence}", width) for sentence in doubts)])


def quality_json(found: Sequence[Found]) -> str:
    """One object for one board, a list of them for a season."""
    boards, qualities = zip(*found, strict=True)
    return write_json(boards, [quality.to_dict() for quality in qualities], "quality", version=2)


def quality_csv(found: Sequence[Found]) -> str:
    """A row for every board, with all digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["tournament", *NUMBERS])
    for board, quality in found:
        writer.writerow([board.tournament, *(getattr(quality, name) for name in NUMBERS)])
    return text.getvalue()


def quality_markdown(found: Sequence[Found]) -> str:
    """Paragraphs and GitHub tables."""
    parts: list[str] = []
    for board, quality in found:
        parts += [f"### {markdown_line(board.tournament)}"] if board.tournament else []
        parts.append(markdown_line(describe_quality(quality)))
        if quality.df <= 0:
            continue
        parts.append(markdown_table(calibration_grid(quality)))
        parts.append("\n".join(f"- {markdown_line(line)}" for line in describe_doubts(quality)))
    if len(found) > 1:
        parts.append(markdown_table(overview_grid(found)))
    return "\n\n".join(part for part in parts if part) + "\n"
