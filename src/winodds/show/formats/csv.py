"""Results as CSV, for other programs: every column and every digit."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from itertools import islice
from typing import Any

from winodds.board.bootstrap import Bootstrap
from winodds.board.comparisons import Comparison, Comparisons
from winodds.board.leaderboard import Leaderboard
from winodds.board.quality import Quality
from winodds.board.row import COLUMNS
from winodds.language.notes import join_texts
from winodds.language.options import Scale
from winodds.season.comparisons import SeasonComparison
from winodds.season.findings import Findings
from winodds.season.standing import SeasonRow
from winodds.show.layout.grid import check_top
from winodds.show.words.elo import ELO_COLUMNS, to_elo
from winodds.show.words.seats import is_seated
from winodds.slices.slices import Slices

QUALITY = (
    *("deviance", "df", "standardised", "dispersion", "p_value", "p_value_chi2", "convention"),
    *("estimate", "expected", "simulations", "players", "components", "pairs", "kind"),
    "tournaments",
)

RECORD = {
    "record": "won",
    "record_low": "low",
    "record_high": "high",
    "record_effective": "effective",
    "record_differs": "differs",
}
"""Columns of a pair's record, and what they hold of it."""

SEAT = {"sat_first": "first", "neutral": "neutral", "neutral_low": "low", "neutral_high": "high"}
"""Columns about seats, where these were asked for, and what they hold of a player's."""


def render_csv(
    boards: Sequence[Leaderboard], *, top: int | None = None, scale: Scale | None = None
) -> str:
    """All columns with all digits; open ends and what does not exist are empty.

    The first column is ``tournament`` when there are several boards or the one has a tournament.
    Reading the text back gives the same names and floats, so names are quoted but never altered: a
    name that begins with "=" is a formula to a spreadsheet. Notes of the boards have no place here.

    Parameters
    ----------
    boards : one board, or those of a season.
    top : how many players of each board; None for all.
    scale : by default that of the boards; "elo" makes three more columns at the end, ``elo``,
        ``elo_low`` and ``elo_high``.
    """
    check_top(top)
    elo = (scale or boards[0].how.scale) == "elo"
    names = [*COLUMNS, *(ELO_COLUMNS if elo else ())]
    names += [name for name in SEAT if all(map(is_seated, boards))]
    tables = [{name: columns[name] for name in names} for columns in map(_board, boards)]
    return write_csv(boards, tables, top=top)


def comparisons_csv(found: Sequence[tuple[Leaderboard, Comparison | Comparisons]]) -> str:
    """A row for every pair."""
    return write_csv([board for board, _ in found], [_compared(one) for _, one in found])


def bootstraps_csv(found: Sequence[tuple[Leaderboard, Bootstrap]]) -> str:
    """A row for every player."""
    return write_csv([board for board, _ in found], [one.columns() for _, one in found])


def qualities_csv(found: Sequence[tuple[Leaderboard, Quality]]) -> str:
    """A row for every board."""
    tables = [{name: [getattr(one, name)] for name in QUALITY} for _, one in found]
    return write_csv([board for board, _ in found], tables, seasonal=True)


def standing_csv(found: Findings) -> str:
    """A row for every player of a season."""
    columns = [column.name for column in fields(SeasonRow)]
    return _lines(columns, ([getattr(row, name) for name in columns] for row in found.standing))


def season_pair_csv(found: SeasonComparison) -> str:
    """A row for two players on a new data set."""
    columns: dict[str, Any] = {"a": found.a, "b": found.b, "p_better": found.p_better}
    for name in ("p_win_round", "p_win_new", "difference_new_board", "mean_difference"):
        one = getattr(found, name)
        columns |= {name: one.value, f"{name}_low": one.low, f"{name}_high": one.high}
    columns |= {name: getattr(found, name) for name in ("tau", "shared", "separated", "level")}
    return _lines(list(columns), [list(columns.values())])


def slices_csv(found: Slices, *, top: int | None = None, scale: Scale | None = None) -> str:
    """A row for every slice and player, with how each differs from the rest."""
    check_top(top)
    columns = found.columns()
    columns["notes"] = [join_texts(notes) for notes in columns["notes"]]
    for name, source in ELO_COLUMNS.items() if (scale or found.whole.how.scale) == "elo" else ():
        columns[name] = [None if epp is None else to_elo(epp) for epp in columns[source]]
    shown = Counter[str]()
    rows = []
    for row in zip(*columns.values(), strict=True):
        shown[row[0]] += 1
        if top is None or shown[row[0]] <= top:
            rows.append(row)
    return _lines(list(columns), rows)


def _lines(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def write_csv(
    boards: Sequence[Leaderboard],
    tables: Sequence[Mapping[str, Sequence[Any]]],
    *,
    top: int | None = None,
    seasonal: bool | None = None,
) -> str:
    """The columns of a table for each board, under each other.

    The first column is ``tournament`` when that is ``seasonal``, by default when there are several
    boards or the one has a tournament. A float is written as its repr and None as nothing.
    """
    if seasonal is None:
        seasonal = len(boards) > 1 or any(board.tournament is not None for board in boards)
    text = io.StringIO()
    # RFC 4180 ends lines with "\r\n", but every reader takes "\n" too, and so do grep, sort and
    # git; a stream in text mode on Windows would turn "\r\n" into "\r\r\n".
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*["tournament"] * seasonal, *tables[0]])
    for board, table in zip(boards, tables, strict=True):
        for row in islice(zip(*table.values(), strict=True), top):
            writer.writerow([*[board.tournament] * seasonal, *row])
    return text.getvalue()


def _board(board: Leaderboard) -> dict[str, list[Any]]:
    """Every column that a CSV may have."""
    columns = board.columns()
    columns["notes"] = [join_texts(notes) for notes in columns["notes"]]
    for name, source in ELO_COLUMNS.items():
        columns[name] = [None if epp is None else to_elo(epp) for epp in columns[source]]
    if is_seated(board):
        rows = board.seat().rows
        columns |= {name: [getattr(row, own) for row in rows] for name, own in SEAT.items()}
    return columns


def _compared(found: Comparison | Comparisons) -> dict[str, list[Any]]:
    if isinstance(found, Comparisons):
        return found.columns()
    columns: dict[str, Any] = {"a": found.a, "b": found.b}
    for name in ("difference", "p_win", "odds"):
        one = getattr(found, name)
        columns |= {name: one.value, f"{name}_low": one.low, f"{name}_high": one.high}
    columns |= {"p_value": found.tested.p_value}
    columns |= {"p_adjusted": found.among and found.among.p_adjusted}
    columns |= asdict(found.rounds)
    columns |= {name: getattr(found.record, part, None) for name, part in RECORD.items()}
    columns["identical"] = found.identical
    return {name: [value] for name, value in columns.items()}
