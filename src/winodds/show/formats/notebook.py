"""A leaderboard as an HTML table, for notebooks."""

from html import escape

from winodds.board.leaderboard import Leaderboard
from winodds.board.row import COLUMNS, Row
from winodds.language.notes import join_texts
from winodds.language.words import count, rounded

ROWS_SHOWN = 30
SHOWN = (
    *("rank", "rank_low", "rank_high", "player", "epp", "low", "high", "p_average", "p_best"),
    *("letters", "wins", "matches", "notes"),
)


def render_html(board: Leaderboard) -> str:
    """The first rows with help texts on the column heads, and the notes; all names escaped."""
    head = "".join(
        f'<th scope="col" title="{escape(COLUMNS[name])}">{escape(name)}</th>' for name in SHOWN
    )
    body = "".join(_row(row) for row in board.rows[:ROWS_SHOWN])
    rest = len(board) - ROWS_SHOWN
    more = f"<p>… and {count(rest, 'more player')}</p>" if rest > 0 else ""
    notes = "".join(f"<li>{escape(note.text)}</li>" for note in board.notes)
    listed = f"<ul>{notes}</ul>" if notes else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}{listed}"


def _row(row: Row) -> str:
    cells = (
        f"{row.rank}",
        "" if row.rank_low is None else f"{row.rank_low}",
        "" if row.rank_high is None else f"{row.rank_high}",
        escape(row.player),
        rounded(row.epp, ".3f"),
        "open" if row.low is None else rounded(row.low, ".3f"),
        "open" if row.high is None else rounded(row.high, ".3f"),
        rounded(row.p_average, ".1%"),
        "" if row.p_best is None else rounded(row.p_best, ".1%"),
        escape(row.letters or ""),
        f"{row.wins:g}",
        f"{row.matches}",
        escape(join_texts(row.notes)),
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
