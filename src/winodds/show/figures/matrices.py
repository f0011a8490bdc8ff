"""A season → tables of players × tournaments: ratings, and where there are any.

Examples
--------
>>> import winodds.demo
>>> season = winodds.demo.rate_results()
>>> season.figures.matrix(top=5).rows[0]["tournament"]
'breast_cancer'
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np

from winodds.arrays import Bools, Floats, Ints
from winodds.language.checks import check_choice, check_count
from winodds.language.nouns import Noun, Nouns
from winodds.language.words import capital
from winodds.season.presence import find_presence
from winodds.season.season import Season
from winodds.show.errors import NoFigure
from winodds.show.figures.extent import (
    choose,
    epp_title,
    join_words,
    labels_among,
    matrix_of,
    no_families,
    reference_of,
    refuse_empty,
    scale_words,
    shown_words,
)
from winodds.show.figures.figure import Column, Figure

FillBy: TypeAlias = Literal["player", "family"]

FILL_IN = {
    "row": Column(str, "Player or family, or the places of several that are taken together."),
    "row_order": Column(int, "Place of the row, 1 is the first: that with the most results."),
    "tournament": Column(str, "Tournament, or the places of several that are taken together."),
    "tournament_order": Column(
        int, "Place of the tournament, 1 is the first: that with the most results."
    ),
    "results": Column(int, "Pairs of the cell that have a result."),
    "pairs": Column(int, "Pairs of the cell."),
    "share": Column(float, "Share of them that have a result: 0 or 1 for a single pair."),
}


def make_fill_in(season: Season, *, by: FillBy = "player", most: int = 60) -> Figure:
    """Which player, or family, has a result in which tournament; see `SeasonFigures.fill_in`."""
    nouns = season.nouns
    refuse_empty(season, "fill_in")
    check_choice("by", by, get_args(FillBy))
    check_count("most", most)
    table = matrix_of(season)
    names, present = _presence(season, by)
    if present.all():
        raise NoFigure(
            figure="fill_in",
            reason=f"every {_row_noun(by, nouns)} has a result in every {nouns.tournament}",
        )
    rows, columns = _by_results(present, axis=1), _by_results(present, axis=0)
    row_bin, row_names = _bins([names[k] for k in rows.tolist()], most)
    column_bin, column_names = _bins([table.tournaments[k] for k in columns.tolist()], most)
    shape = (len(row_names), len(column_names))
    cell = row_bin[:, None] * shape[1] + column_bin[None, :]
    pairs = np.bincount(cell.ravel(), minlength=shape[0] * shape[1])
    there = present[np.ix_(rows, columns)].ravel()
    results = np.bincount(cell.ravel(), there, minlength=pairs.size).astype(np.int64)
    joined = _joined_words(present, by, len(row_names), len(column_names), nouns=nouns)
    return Figure(
        name="fill_in",
        title="Who has a result where",
        caption=join_words([*_fill_in_words(present, by, nouns=nouns), *joined]),
        left_out=join_words(joined),
        columns=FILL_IN,
        cells={
            "row": np.repeat(np.array(row_names, object), shape[1]).tolist(),
            "row_order": np.repeat(np.arange(shape[0]) + 1, shape[1]).tolist(),
            "tournament": list(column_names) * shape[0],
            "tournament_order": np.tile(np.arange(shape[1]) + 1, shape[0]).tolist(),
            "results": results.tolist(),
            "pairs": pairs.tolist(),
            "share": (results / pairs).tolist(),
        },
        facts={
            "by": by,
            "titles": (capital(_row_noun(by, nouns).many), capital(nouns.tournaments)),
            "filled": float(present.mean()),
            "labels": labels_among(names if len(row_names) == len(names) else row_names, row_names),
            "rows_joined": len(row_names) < len(names),
            "tournaments_joined": len(column_names) < len(table.tournaments),
        },
    )


def _presence(season: Season, by: FillBy) -> tuple[Sequence[str], Bools]:
    """Names of the rows, and (rows, tournaments) whether there is a result."""
    found = find_presence(matrix_of(season))
    if by == "player":
        return found.players, found.there
    if found.families is None or found.family_there is None:
        raise NoFigure(figure="fill_in", reason=no_families(season.nouns))
    return found.families, found.family_there


def _row_noun(by: FillBy, nouns: Nouns) -> Noun:
    """What a row is, where none stands for several."""
    return nouns.player if by == "player" else Noun("family", "families")


def _by_results(present: Bools, *, axis: int) -> Ints:
    """Places in the order of how many results they have, the most first."""
    return np.argsort(-present.sum(axis=axis), kind="stable")


def _bins(names: Sequence[str], most: int) -> tuple[Ints, list[str]]:
    """(k,) the bin of each name, and what the bins are called."""
    if len(names) <= most:
        return np.arange(len(names)), list(names)
    size = -(-len(names) // most)
    begins = range(0, len(names), size)
    ends = [min(begin + size, len(names)) for begin in begins]
    called = [
        f"{begin + 1:,}" if end == begin + 1 else f"{begin + 1:,}–{end:,}"
        for begin, end in zip(begins, ends, strict=True)
    ]
    return np.arange(len(names)) // size, called


def _fill_in_words(present: Bools, by: FillBy, nouns: Nouns) -> list[str]:
    words = [
        f"{present.sum():,} of {present.size:,} pairs of {_row_noun(by, nouns).a} and "
        f"{nouns.tournament.a} have a result ({_percent(float(present.mean()))}). "
        "Those with the most results come first."
    ]
    if by == "family":
        words.append(f"A family has a result where any of its {nouns.players} has.")
    return words


def _joined_words(present: Bools, by: FillBy, rows: int, columns: int, nouns: Nouns) -> list[str]:
    if present.shape == (rows, columns):
        return []
    return [
        f"{present.shape[0]:,} {_row_noun(by, nouns).many} and {present.shape[1]:,} "
        f"{nouns.tournaments} are taken together in {rows:,} rows and {columns:,} columns; "
        f"a cell shows the share of its pairs."
    ]


def _percent(share: float) -> str:
    """A share below 1 in percent that never claims to be none or all.

    >>> _percent(0.999), _percent(0.5), _percent(0.001)
    ('more than 99%', '50%', 'less than 1%')
    """
    if share > 0.99:
        return "more than 99%"
    return "less than 1%" if share < 0.01 else f"{share:.0%}"


# Ratings ------------------------------------------------------------------------------------------

MATRIX = {
    "player": Column(str, "Name of the player."),
    "player_order": Column(
        int, "Place of the player by its mean EPP over tournaments, 1 is the first."
    ),
    "tournament": Column(str, "Name of the tournament."),
    "tournament_order": Column(int, "Place of the tournament among those shown, 1 is the first."),
    "epp": Column(float, "EPP of the player in the tournament; empty without a result."),
}


def make_matrix(
    season: Season, *, top: int | None = 40, first: int = 1, tournaments: int | None = 30
) -> Figure:
    """EPP of players in tournaments; see `SeasonFigures.matrix`."""
    nouns = season.nouns
    refuse_empty(season, "matrix")
    table = matrix_of(season)
    chosen = choose(len(table.players), top=top, first=first, what=nouns.players)
    kept = choose(len(table.tournaments), top=tournaments, what=nouns.tournaments)
    results = (~np.isnan(table.epp)).sum(axis=0)
    by = "name" if np.ptp(results) == 0 else f"how many {nouns.players} they have"
    columns = np.sort(_by_results(~np.isnan(table.epp), axis=0)[: kept.stop])
    epp = table.epp[chosen.start : chosen.stop][:, columns]
    zero = reference_of(season) or f"the {nouns.tournament}'s average {nouns.player}"
    how = (
        f"EPP of each {nouns.player} in each {nouns.tournament}, {nouns.players} by mean EPP; "
        f"above 0 is better than {zero}, and an empty cell is no result."
    )
    left_out = [
        *shown_words(chosen, len(table.players), nouns.players, "mean EPP"),
        *shown_words(kept, len(table.tournaments), nouns.tournaments, by),
        *scale_words(season),
    ]
    shape, shown = epp.shape, _part(table.players, chosen)
    return Figure(
        name="matrix",
        title=f"EPP of {nouns.players} in {nouns.tournaments}",
        caption=join_words([how, *left_out]),
        left_out=join_words(left_out),
        columns=MATRIX,
        cells={
            "player": [name for name in shown for _ in range(shape[1])],
            "player_order": np.repeat(np.arange(shape[0]) + chosen.start + 1, shape[1]).tolist(),
            "tournament": [table.tournaments[k] for k in columns.tolist()] * shape[0],
            "tournament_order": np.tile(np.arange(shape[1]) + 1, shape[0]).tolist(),
            "epp": _cells(epp),
        },
        facts={
            "axis": epp_title(season),
            "reach": float(np.nanmax(np.abs(epp), initial=0.0)),
            "labels": labels_among(table.players, shown),
        },
    )


def _part(names: Sequence[str], chosen: range) -> Sequence[str]:
    return names[chosen.start : chosen.stop]


def _cells(values: Floats) -> list[float | None]:
    return [None if np.isnan(value) else value for value in values.ravel().tolist()]
