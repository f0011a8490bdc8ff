"""Leaderboards as plain text, for a terminal or a log."""

import textwrap
from collections.abc import Sequence

from rich.cells import cell_len

from winodds.arrays import EQUAL
from winodds.board.comparisons import make_estimates
from winodds.board.leader import BoardSota
from winodds.board.leaderboard import Leaderboard
from winodds.language.notes import Note
from winodds.language.words import NAMES_SHOWN, count
from winodds.show.layout.grid import Grid, make_grid
from winodds.show.words.best import describe_leader, picks_grid, short_luck
from winodds.show.words.verdicts import describe_chance, describe_copies, short_fit

WIDTH = 80
ROWS_SHOWN = 20
ROWS_OF_EACH = 5
"""Rows of a board when there are several."""

SHORTEST = (
    *(("family", 10), ("player", 22), ("against", 22)),
    *(("player", 14), ("against", 14), ("notes", 12)),
)
"""Columns that words keep at least, in the order in which they give way to a narrow line."""

READABLE = 26
"""Columns that words should have; others make room for them."""

DROPPED = ("letters", "P(>avg)", "p", "could be", "P(best)")
"""Columns that give way, in this order."""

ELO_LEGEND = "Elo: the average player, or the reference, has 1500; 400 more are odds of 10 to 1."
GAP = "  "
NOT_TOLD_APART = "the data cannot tell them apart"


def render_text(
    board: Leaderboard, *, top: int | None = ROWS_SHOWN, width: int = WIDTH, elo: bool = False
) -> str:
    """The first rows, how many more there are, and the notes."""
    table = render_table(make_grid(board, top=top, elo=elo), width=width)
    return "\n".join([table, *(f"* {sentence}" for sentence in board.notes)])


def render_boards(
    boards: Sequence[Leaderboard],
    *,
    top: int | None = None,
    width: int = WIDTH,
    elo: bool = False,
) -> str:
    """Everything there is to say about one board, or about those of a season."""
    shared = shared_notes(boards)
    parts = []
    for board in boards:
        lines = [headline(board), "", render_table(make_grid(board, top=top, elo=elo), width=width)]
        said = describe_board(board)
        lines += ["", *said] if said else []
        own = [note for note in board.notes if note not in shared]
        lines += ["", *(f"* {note}" for note in own)] if own else []
        parts.append("\n".join(lines))
    if shared:
        start = ["For all tournaments:"] if len(boards) > 1 else []
        parts.append("\n".join([*start, *(f"* {note}" for note in shared)]))
    if elo:
        parts.append(ELO_LEGEND)
    return "\n\n".join(parts) + "\n"


def wrap(text: str, width: int = WIDTH, *, indent: int = 0) -> str:
    """A paragraph in lines, all but the first indented; names are never broken."""
    return textwrap.fill(
        text,
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def render_table(grid: Grid, *, width: int = WIDTH, left: str = "player") -> str:
    """Columns side by side; names are cut in the middle when lines would get too long.

    ``left`` is what there are more of than are shown.
    """
    grid = drop_columns(grid, width)
    rows = fit_names(grid, width)
    table = [grid.header, *rows]
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    header, *body = (_line(cells, widths, grid) for cells in table)
    lines = [header, GAP.join("-" * size for size in widths), *body]
    if grid.left_out:
        lines.append(f"… and {count(grid.left_out, f'more {left}')}")
    return "\n".join(lines)


def introduce(board: Leaderboard) -> list[str]:
    """What was rated and how the first player does, in sentences, as far as the board knows."""
    return [f"{rated_words(board)}.", *describe_board(board)]


def headline(board: Leaderboard) -> str:
    """What was rated: "digits: 20 players, 20 rounds, 3,800 matches; higher auc is better"."""
    return f"{board.tournament}: {rated_words(board)}" if board.tournament else rated_words(board)


def rated_words(board: Leaderboard) -> str:
    """The same without the name of the tournament."""
    how = board.how
    parts = [count(len(board), "player")]
    if how.interval.cluster == "tournament":
        parts.append(count(how.interval.clusters, "tournament"))
    elif how.interval.cluster not in ("round", "battle"):
        parts.append(count(how.interval.clusters, "cluster"))
    if how.matches.rounds is not None:
        parts.append(count(how.matches.rounds, "round"))
    parts.append(count(how.matches.count, "match", "matches"))
    score = how.scheme.column("score")
    better = {
        "higher": f"; higher {score} is better",
        "lower": f"; lower {score} is better",
        "differs by round": "; what is better differs by round",
    }.get(str(how.scheme.better), "")
    return f"{', '.join(parts)}{better}"


def describe_board(board: Leaderboard) -> list[str]:
    """What there is to say below the table."""
    sentence = describe_top(board)
    lines = [] if sentence is None else [sentence]
    if board.detailed:
        lines += _describe_first(board) if board.whole else []
    if board.assessed:
        lines.append(short_fit(board.quality()))
    return lines


def _describe_first(board: Leaderboard) -> list[str]:
    """Who could be best, and how much of the first place is luck, if all are on one scale."""
    if not board.has_one_scale:
        return []
    return [describe_best(board), *filter(None, [short_luck(board.sota())])]


def render_best(found: BoardSota, *, width: int = WIDTH) -> str:
    """The leader's rating without luck, and that of the best of every family."""
    parts = [wrap(describe_leader(found), width)]
    if found.families:
        parts.append(render_table(picks_grid(found), width=width))
    if found.notes:
        parts.append("\n".join(wrap(f"* {note}", width, indent=2) for note in found.notes))
    return "\n\n".join(parts) + "\n"


def describe_best(board: Leaderboard) -> str:
    """Who could truly be the best."""
    names = board.details().could_be_best
    if len(names) == 1:
        return f"Only {names[0]} could truly be the best."
    if len(names) == len(board) == 2:
        return "Either could truly be the best."
    if len(names) == len(board):
        return f"Any of the {len(names):,} players could truly be the best."
    listed = ", ".join(names[:NAMES_SHOWN])
    rest = len(names) - NAMES_SHOWN
    more = f" and {rest:,} more" if rest > 0 else ""
    return f"{len(names):,} of {len(board):,} could truly be the best: {listed}{more}."


def describe_top(board: Leaderboard) -> str | None:
    """How the first player does against the second, in words."""
    if len(board) < 2 or not board.comparable(*board.players[:2]):
        return None
    return describe_duel(board, *board.players[:2])


def describe_duel(board: Leaderboard, a: str, b: str) -> str:
    """How often one player beats another in new rounds, and whether the data can tell."""
    if board.identical(a, b):
        return describe_copies(a, b)
    difference, chance, _ = make_estimates(board.differences([a], [b]))
    if abs(difference.value) < EQUAL:
        return f"{a} and {b} are rated equal."
    interval, matches = board.how.interval, board.how.matches
    sentence = describe_chance(
        a,
        b,
        chance,
        kind=matches.kind,
        new_tournaments=board.how.new_tournaments,
        ties=matches.ties > 0,
        level=interval.level,
    )
    low, high = chance.low or 0.0, chance.high or 0.0
    return f"{sentence}." if low > 0.5 or high < 0.5 else f"{sentence}; {NOT_TOLD_APART}."


def shared_notes(boards: Sequence[Leaderboard]) -> list[Note]:
    """Notes that all of several boards have."""
    if len(boards) < 2:
        return []
    return [note for note in boards[0].notes if all(note in board.notes for board in boards)]


def join_with_notes(boards: Sequence[Leaderboard], texts: Sequence[str], width: int) -> str:
    """A text for each board, followed by its notes, and those of all boards at the end."""
    shared = shared_notes(boards)
    parts = []
    for board, text in zip(boards, texts, strict=True):
        own = [wrap(f"* {note}", width) for note in board.notes if note not in shared]
        parts.append("\n".join([text, *(["", *own] if own else [])]))
    if shared:
        everyone = [wrap(f"* {note}", width) for note in shared]
        parts.append("\n".join(["For all tournaments:", *everyone]))
    return "\n\n".join(parts) + "\n"


def shorten(name: str, width: int) -> str:
    """A name cut in the middle to so many columns of a terminal.

    >>> shorten("hist_gradient_boosting(learning_rate=0.01)", 32)
    'hist_gradient_bo…ning_rate=0.01)'
    """
    if cell_len(name) <= width:
        return name
    head, tail = name[:width], name[-width:]
    while cell_len(head) > width // 2:
        head = head[:-1]
    while cell_len(tail) > width - 1 - cell_len(head):
        tail = tail[1:]
    return f"{head}…{tail}"


def shorten_apart(names: Sequence[str], width: int) -> list[str]:
    """Names cut to a width; those that would look the same keep the part in which they differ.

    >>> shorten_apart(["resnet_lr0.1_batch_256", "resnet_lr0.01_batch_256"], 14)
    ['…et_lr0.1_bat…', '…et_lr0.01_ba…']
    """
    cut = [shorten(name, width) for name in names]
    alike: dict[str, set[str]] = {}
    for name, short in zip(names, cut, strict=True):
        alike.setdefault(short, set()).add(name)
    for k, name in enumerate(names):
        if len(alike[cut[k]]) > 1:
            begin = max(_common_start(sorted(alike[cut[k]])) - width // 2, 0)
            end = name[begin:]
            while cell_len(end) > width - 2:
                end = end[:-1]
            cut[k] = f"…{end}…"
    return cut


def _common_start(names: Sequence[str]) -> int:
    """How many characters at the beginning the first and the last of sorted names share."""
    pairs = zip(names[0], names[-1], strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), min(map(len, names)))


def drop_columns(grid: Grid, width: int) -> Grid:
    """The grid without columns that can be missed, where names would be cut too short."""
    for name in DROPPED:
        sizes = dict(zip(grid.header, column_widths(grid), strict=True))
        sizes |= {
            word: min(size, READABLE) for word, size in sizes.items() if word in dict(SHORTEST)
        }
        if name in grid.header and sum(sizes.values()) + len(GAP) * (len(sizes) - 1) > width:
            grid = grid.without(name)
    return grid


def column_widths(grid: Grid) -> list[int]:
    """Columns of a terminal that each column takes."""
    return [max(map(cell_len, cells)) for cells in zip(grid.header, *grid.rows, strict=True)]


def fit_names(grid: Grid, width: int) -> list[tuple[str, ...]]:
    """The rows with words short enough for the line; letters give way first, then names."""
    rows = grid.rows
    for name, least in SHORTEST:
        if name not in grid.header:
            continue
        column = grid.header.index(name)
        sizes = [max(map(cell_len, cells)) for cells in zip(grid.header, *rows, strict=True)]
        excess = sum(sizes) + len(GAP) * (len(sizes) - 1) - width
        if excess > 0:
            room = max(min(least, sizes[column]), sizes[column] - excess)
            cut = shorten_apart([row[column] for row in rows], room)
            rows = [
                (*row[:column], name, *row[column + 1 :])
                for row, name in zip(rows, cut, strict=True)
            ]
    return rows


def _line(cells: Sequence[str], widths: Sequence[int], grid: Grid) -> str:
    """Words to the left, numbers to the right."""
    padded = []
    for k, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        blanks = " " * (width - cell_len(cell))
        padded.append(cell + blanks if k in grid.words else blanks + cell)
    return GAP.join(padded).rstrip()
