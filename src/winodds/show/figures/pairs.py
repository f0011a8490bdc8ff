"""Figures of pairs of players: who beats whom, and how well the ratings foretell it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit

from winodds.arrays import Bools, Floats, at_least
from winodds.board.evidence import Evidence
from winodds.board.leaderboard import Leaderboard
from winodds.board.placing import check_size
from winodds.board.record import find_surprises
from winodds.design.design import Pairs
from winodds.language.checks import check_count
from winodds.language.words import count
from winodds.matches.pairs import tally
from winodds.quality.deviance import join_calibrations, survey
from winodds.show.errors import NoFigure
from winodds.show.figures.extent import choose, join_words, shown_words
from winodds.show.figures.figure import Column, Figure
from winodds.show.figures.pages import cells_of, labels_at, newly, require_whole, title_of
from winodds.show.layout.cells import percent

NUMBERED = 20
"""Players up to which the cells of a matrix hold numbers."""

SINGLE = 50
"""Players up to which each has a row and a column of its own, with a name that can be read."""

BLOCKS = 40
"""Rows of a matrix of more players at most, each of which stands for neighbours."""


# Who beats whom -----------------------------------------------------------------------------------


def make_win_matrix(board: Leaderboard, *, top: int | None = None, first: int = 1) -> Figure:
    """Probability that the row's player beats the column's; of many players, of neighbours."""
    nouns = board.how.nouns
    require_whole(board)
    page = choose(len(board), first=first, top=top, what=board.how.nouns.players)
    check_size(len(page))
    shown = slice(page.start, page.stop)
    chances = _chances(board, shown)
    joined = len(page) > SINGLE
    size = -(-len(page) // BLOCKS) if joined else 1
    parts = np.array_split(np.arange(len(page)), -(-len(page) // size))
    labels = labels_at(board, page)
    records = _records(board, page, joined=joined)
    if joined:
        labels = [_label_block(page[part[0]] + 1, page[part[-1]] + 1) for part in parts]
        chances = _mean_of_blocks(chances, [int(part[0]) for part in parts])
    ties = "; a tie counts half" if board.how.matches.ties > 0 else ""
    columns = {
        "row": Column(int, "Number of the row, 1 is the first."),
        "column": Column(int, "Number of the column."),
        "player": Column(str, "The row's player; empty where it stands for several."),
        "opponent": Column(str, "The column's player; empty where it stands for several."),
        "row_label": Column(str, "The row's player, or places of the players it stands for."),
        "column_label": Column(str, "The same of the column."),
        "probability": Column(
            float, f"That the row's player beats the column's {newly(board)}{ties}."
        ),
        "text": Column(str, "The probability in percent, where it is written into the cell."),
        "record": Column(
            float, "Share that the row's player won of their matches; empty where they never met."
        ),
        "differs": Column(bool, "Whether it is more than two standard errors from the ratings'."),
    }
    numbered = len(page) <= NUMBERED
    names = [None] * len(parts) if joined else list(board.players[shown])
    rows = _matrix_rows(chances, names, labels, records, numbered=numbered)
    apart = bool(np.isnan(chances[~np.eye(len(chances), dtype=np.bool_)]).any())
    paged = shown_words(page, len(board), nouns.players, "EPP")
    how = (
        f"Probability that the {nouns.player} of the row beats the {nouns.player} of the column "
        f"{newly(board)}{', in percent' if numbered else ''}{ties}."
    )
    rest = [
        f"Each of the {len(parts)} rows and columns stands for about "
        f"{len(page) / len(parts):.0f} neighbours by EPP, with the mean over their pairs."
        if joined
        else "",
        f"Empty cells: {nouns.players} of components that never met." if apart else "",
        _surprise_words(records),
    ]
    caption, left_out = join_words([*paged, how, *rest]), join_words([*paged, *rest])
    title = title_of(board, "Who beats whom")
    facts = {
        "numbered": numbered,
        "joined": joined,
        "size": len(parts),
        "surprises": int(records.differs.sum()) // 2,
    }
    cells = cells_of(columns, rows)
    return Figure("win_matrix", title, caption, columns, cells, facts, left_out)


@dataclass(frozen=True, slots=True)
class _Records:
    """(n, n) shares that rows won against columns, or NaN, and whether ratings disagree."""

    won: Floats
    differs: Bools


def _records(board: Leaderboard, page: range, *, joined: bool) -> _Records:
    """Of the players of a page; none where a cell stands for several pairs."""
    shape = (len(page), len(page))
    won, differs = np.full(shape, np.nan), np.zeros(shape, np.bool_)
    for begin, part in zip(board.components.starts[:-1], board.components, strict=True):
        own = np.array([k for k in page if begin <= k < begin + part.size], np.int64)
        if own.size > 1 and not joined:
            at = np.ix_(own - page.start, own - page.start)
            won[at], differs[at] = find_surprises(part, own - begin)
    return _Records(won, differs)


def _surprise_words(records: _Records) -> str:
    pairs = int(records.differs.sum()) // 2
    if not pairs:
        return ""
    verb = "has" if pairs == 1 else "have"
    return (
        f"{count(pairs, 'pair')} {verb} a corner: what the two did against each other is more than "
        f"two standard errors from what their ratings say (one pair in 20 is, by chance alone)."
    )


def _label_block(first: int, last: int) -> str:
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"


def check_matrix(board: Leaderboard) -> None:
    """Refuse a board that was cut, or that is too large for all pairs at once."""
    require_whole(board)
    check_size(len(board))


def _chances(board: Leaderboard, shown: slice) -> Floats:
    """(n, n) probabilities; NaN on the diagonal, and between components that never met."""
    epp, own = board.standings.epp[shown], board.components.number()[shown]
    chances: Floats = expit(epp[:, None] - epp[None, :])
    chances[own[:, None] != own[None, :]] = np.nan
    np.fill_diagonal(chances, np.nan)
    return chances


def _mean_of_blocks(chances: Floats, starts: list[int]) -> Floats:
    """(b, b) means over blocks of an array, without what is NaN."""
    known = ~np.isnan(chances)
    sums, counts = (
        np.add.reduceat(np.add.reduceat(cells, starts, axis=0), starts, axis=1)
        for cells in (np.where(known, chances, 0.0), known.astype(np.float64))
    )
    means = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0.0)
    return means


def _matrix_rows(
    chances: Floats,
    names: Sequence[str | None],
    labels: list[str],
    records: _Records,
    *,
    numbered: bool,
) -> list[dict[str, Any]]:
    return [
        {
            "row": i + 1,
            "column": j + 1,
            "player": names[i],
            "opponent": names[j],
            "row_label": labels[i],
            "column_label": labels[j],
            "probability": None if np.isnan(chance) else chance,
            "text": percent(chance).removesuffix("%") if numbered and chance >= 0.0 else None,
            "record": None if np.isnan(records.won[i, j]) else float(records.won[i, j]),
            "differs": bool(records.differs[i, j]),
        }
        for i, line in enumerate(chances.tolist())
        for j, chance in enumerate(line)
    ]


# Calibration --------------------------------------------------------------------------------------


def check_calibration(board: Leaderboard) -> None:
    """Refuse a board that keeps neither its games nor its quality, or whose ratings must fit."""
    nouns = board.how.nouns
    if not board.assessed:
        require_whole(board)
    if not _is_free(board):
        two = board.whole and all(part.size == 2 for part in board.components)
        reason = (
            f"two {nouns.players} always fit" if two else "so few pairs met that ratings always fit"
        )
        raise NoFigure(figure="calibration", reason=reason)


def _is_free(board: Leaderboard) -> bool:
    """Whether more pairs met than ratings need, so that these could fail to fit."""
    if not board.whole:
        return board.quality().df > 0
    return any(_pairs_met(part) >= part.size for part in board.components)


def _pairs_met(part: Evidence) -> int:
    """Pairs that met; where three met each other in a round, enough."""
    design = part.wins.design
    if isinstance(design, Pairs):
        return int(design.first.size)
    shares = sparse.csr_array(design.shares)
    sizes = np.diff(shares.indptr)
    if (sizes > 2).any():
        return design.players
    together = np.repeat(sizes == 2, sizes)
    return len(np.unique(np.sort(shares.indices[together].reshape(-1, 2), axis=1), axis=0))


def make_calibration(board: Leaderboard, *, pairs: int = 1_000) -> Figure:
    """Observed against fitted shares of wins, a point for each pair or, of many, for a bin."""
    nouns = board.how.nouns
    check_calibration(board)
    check_count("pairs", pairs)
    rows = _calibration_rows(board, pairs)
    lowest = min(0.5, *(row["observed"] for row in rows))
    single = bool(rows) and rows[0]["part"] == "pair"
    columns = {
        "part": Column(str, "pair, or bin of pairs."),
        "first": Column(str, "The player with the higher rating, the favourite."),
        "second": Column(str, "The other player."),
        "fitted": Column(float, "Share of matches that the favourite should win by the ratings."),
        "observed": Column(float, "Share of matches that the favourite won; a tie counts half."),
        "matches": Column(float, "Matches, each with its weight."),
        "pairs": Column(int, "How many pairs the point stands for."),
    }
    total = sum(row["pairs"] for row in rows)
    weighty = len({round(row["matches"], 6) for row in rows}) > 1
    caption = join_words(
        [
            f"Each point is one of {count(total, 'pair')} of {nouns.players} who met, seen from "
            f"the one with the higher rating."
            if single
            else f"The {count(total, 'pair')} of {nouns.players} who met, seen from the one with "
            f"the higher rating, in {count(len(rows), 'bin')} by the share that the "
            "ratings foretell.",
            "Where ratings are right, points lie around the diagonal"
            + ("; larger points rest on more matches." if weighty else "."),
        ]
    )
    title = title_of(board, "Do the ratings foretell who wins?")
    cells = cells_of(columns, rows)
    # Both axes have the same unit, so that the diagonal is one; shares of wins begin at a tenth.
    facts = {
        "single": single,
        "weighty": weighty,
        "lowest": float(np.floor(10.0 * lowest + 1e-9)) / 10.0,
    }
    return Figure("calibration", title, caption, columns, cells, facts)


def _calibration_rows(board: Leaderboard, limit: int) -> list[dict[str, Any]]:
    if not board.whole:
        kept = ("fitted", "observed", "matches", "pairs")
        return [
            {"part": "bin", **{name: getattr(one, name) for name in kept}}
            for one in board.quality().calibration
        ]
    surveys = [survey(part.games, part.wins, part.intervals.beta) for part in board.components]
    if sum(one.pairs for one in surveys) <= limit:
        named = board.components.named(board.players)
        return [row for part, names in named for row in _pair_rows(part, names)]
    bins = join_calibrations([one.calibration for one in surveys])
    columns = {name: getattr(bins, name).tolist() for name in ("fitted", "observed", "matches")}
    columns["pairs"] = bins.pairs.tolist()
    numbers = zip(*columns.values(), strict=True)
    return [{"part": "bin", **dict(zip(columns, row, strict=True))} for row in numbers]


def _pair_rows(part: Evidence, names: Sequence[str]) -> list[dict[str, Any]]:
    """A row for each pair of a component that met, seen from the favourite."""
    rows, beta = [], part.intervals.beta
    for block in tally(part.games, part.wins):
        for i, j in np.argwhere(block.pairs()).tolist():
            a, b = i + block.rows.start, j + block.columns.start
            met, share = float(block.met[i, j]), float(block.won[i, j] / block.met[i, j])
            if not at_least(beta[a], beta[b]):
                a, b, share = b, a, 1.0 - share
            fitted = float(expit(beta[a] - beta[b]))
            about = {"first": names[a], "second": names[b], "matches": met, "pairs": 1}
            rows.append({"part": "pair", **about, "fitted": fitted, "observed": share})
    return rows
