"""What a season tells as small tables of words."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from winodds.arrays import at_least
from winodds.board.importance import Importance, Share
from winodds.board.row import DECLARED
from winodds.language.nouns import Nouns
from winodds.language.words import level_words, rounded
from winodds.season.chances import MeanChance
from winodds.season.comparisons import SeasonComparison
from winodds.season.families import FamilyTable
from winodds.season.findings import Findings
from winodds.season.standing import SeasonRow
from winodds.season.tunability import Tunability
from winodds.show.layout.cells import percent, rank_range, rating
from winodds.show.layout.grid import Grid, make_table, numbers, player_column, words
from winodds.show.words.season import range_of
from winodds.show.words.verdicts import bare_p, end_of_hundred

PLAYER, FAMILY = DECLARED["player"], DECLARED["family"]
DATA_SET = replace(PLAYER, label="data set", format="tournament")
"""A column of names of data sets, which a page makes links of."""


def standing_grid(rows: Sequence[SeasonRow], nouns: Nouns, *, top: int | None = None) -> Grid:
    """Players over all data sets."""
    shown = rows[:top]
    families = [(FAMILY, [row.family or "" for row in shown])] if rows[0].family else []
    return make_table(
        [
            (player_column(nouns), [row.player for row in shown]),
            *families,
            (numbers(nouns.data_sets), [f"{row.tournaments:,}" for row in shown]),
            (numbers("first on"), [f"{row.first:,}" for row in shown]),
            (numbers("win rate"), [percent(row.mean_p_average) for row in shown]),
            (numbers("mean EPP", gives_way=3), [rating(row.mean_epp) for row in shown]),
            (replace(DATA_SET, label="best on", gives_way=2), [row.best for row in shown]),
            (replace(DATA_SET, label="worst on", gives_way=1), [row.worst for row in shown]),
        ],
        left_out=len(rows) - len(shown),
    )


def new_grid(found: Sequence[SeasonComparison], *, top: int | None = None) -> Grid:
    """The leader against the others, on a new data set."""
    shown = found[:top]
    varies = f"P(win) there, {level_words(found[0].level)}"
    return make_table(
        [
            (replace(PLAYER, label="against"), [one.b for one in shown]),
            (
                numbers(f"wins {found[0].nouns.round.a}"),
                [percent(one.p_win_round.value) for one in shown],
            ),
            (numbers("truly better"), [percent(one.p_better) for one in shown]),
            (numbers(varies), [f"{range_of(one)}%" for one in shown]),
            (numbers("τ", gives_way=3), [rounded(one.tau, ".2f") for one in shown]),
            (numbers(found[0].nouns.data_sets, gives_way=2), [f"{one.shared:,}" for one in shown]),
            (numbers("one-sided", gives_way=1), [f"{one.separated:,}" for one in shown]),
        ],
        left_out=len(found) - len(shown),
    )


# Families -----------------------------------------------------------------------------------------


def mean_cell(found: MeanChance) -> str:
    """A mean chance with its interval: "63% (51 to 74)"."""
    if found.value is None:
        return ""
    if found.low is None or found.high is None:
        return percent(found.value)
    low, high = (end_of_hundred(end, inside=True) for end in (found.low, found.high))
    return f"{percent(found.value)} ({low} to {high})"


def family_grid(found: FamilyTable) -> Grid:
    """The best of each family against another player."""
    led = [_leading(found, k) for k in range(len(found.families))]
    return make_table(
        [
            (words("best of"), list(found.families)),
            (numbers(found.nouns.players), [f"{size:,}" for size in found.sizes]),
            (
                numbers(found.nouns.data_sets),
                [f"{int(n):,}" for n in (found.numbers.players > 0).sum(axis=0)],
            ),
            (numbers("best on"), [f"{number:,}" for number in led]),
            (
                numbers(f"beats another {found.nouns.player}"),
                [mean_cell(found.mean(one)) for one in found.families],
            ),
        ]
    )


def _leading(found: FamilyTable, family: int) -> int:
    """On how many data sets the family's best is the best of all families."""
    epp = np.where(np.isnan(found.numbers.epp), -np.inf, found.numbers.epp)
    return int(at_least(epp[:, family], epp.max(axis=1)).sum())


def family_matrix(found: FamilyTable) -> Grid:
    """P(best of the row beats best of the column) in a round of a new data set."""
    columns = [(words("best of"), list(found.families))]
    for name in found.families:
        cells = [
            "" if own == name else _open_cell(found.pair(own, name).p_win) for own in found.families
        ]
        columns.append((numbers(name), cells))
    return make_table(columns)


def _open_cell(found: MeanChance) -> str:
    """A chance, with a mark where every round was won, or every one lost."""
    if found.value is None:
        return ""
    return f"{percent(found.value)}{' ∞' if found.open else ''}"


def tunability_grid(found: Tunability) -> Grid:
    """What tuning gains, what to tune first at the top."""
    rows = found.families
    against = "median" if found.by_median else "default"
    return make_table(
        [
            (words("family"), [one.family for one in rows]),
            (numbers("settings", gives_way=1), [f"{one.settings:,}" for one in rows]),
            (numbers(found.nouns.data_sets, gives_way=2), [f"{one.tournaments:,}" for one in rows]),
            (numbers(f"best beats the {against}"), [mean_cell(one.p_win) for one in rows]),
            (numbers("at face value", gives_way=5), [percent(one.plug_in) for one in rows]),
            (numbers("left for tuning", gives_way=3), [mean_cell(one.p_beyond) for one in rows]),
            (numbers("in the metric", gives_way=4), [_score(one.score) for one in rows]),
        ]
    )


def _score(value: float | None) -> str:
    return "" if value is None else rounded(value, ".2g")


# Data sets ----------------------------------------------------------------------------------------


def tournament_grid(found: Findings, *, top: int | None = None) -> Grid:
    """Data sets: who is first, how they agree with the others, and which is nearest."""
    names = list(found.boards)[:top]
    boards = [found.boards[name] for name in names]
    columns = [
        (replace(DATA_SET, label=found.nouns.data_set.one), names),
        (numbers(found.nouns.players), [f"{len(board):,}" for board in boards]),
        (replace(PLAYER, label="rated first"), [board.players[0] for board in boards]),
    ]
    if found.odd is not None:
        agrees = {
            answer.tournament: rounded(answer.correlation, ".2f")
            for answer in found.odd.questions[0].answers
        }
        columns.append((numbers("agrees"), [agrees.get(name, "") for name in names]))
    if found.distances is not None:
        near = [found.distances.nearest(name, most=1) for name in names]
        cells = [own[0].second if own else "" for own in near]
        columns.append((replace(DATA_SET, label="nearest"), cells))
    if any(board.assessed for board in boards):
        fits = [board.quality() if board.assessed else None for board in boards]
        columns.append(
            (
                numbers("fit p"),
                ["" if one is None or one.df <= 0 else bare_p(one.p_value) for one in fits],
            )
        )
    return make_table(columns, left_out=len(found.boards) - len(names))


def importance_grid(found: Importance) -> Grid:
    """Shares of hyperparameters and pairs in the variance of true ratings."""
    rows = [
        (one.family or "", share)
        for one in found
        for share in (*one.overall.hyperparameters, *one.overall.pairs)
        if share.rank is not None or share.low > 0.0
    ]
    level = level_words(found.level)
    return make_table(
        [
            (words("family"), [family for family, _ in rows]),
            (words("hyperparameter"), [" with ".join(own.hyperparameters) for _, own in rows]),
            (numbers("share"), [rounded(own.share, ".0%") for _, own in rows]),
            (numbers(f"{level} interval"), [_share_ends(own) for _, own in rows]),
            (numbers("rank"), [_rank(own) for _, own in rows]),
        ]
    )


def _share_ends(own: Share) -> str:
    return f"{rounded(own.low, '.0%')} … {rounded(own.high, '.0%')}"


def _rank(own: Share) -> str:
    return "" if own.rank is None or own.last is None else rank_range(own.rank, own.last)
