"""From a table to slices of its leaderboard."""

from dataclasses import replace
from typing import Any

import numpy as np

from winodds.api.battles import rate_named
from winodds.api.common import with_known
from winodds.api.roles import read_asked
from winodds.api.scores import rate_table
from winodds.arrays import Bools
from winodds.board.leaderboard import Leaderboard
from winodds.language.option import takes
from winodds.language.options import BattleSliceOptions, Components, Options, SliceOptions
from winodds.matches.games import Games
from winodds.slices.slices import Sliced, Slices, cut_slices
from winodds.table.battles import (
    read_battles,
)
from winodds.table.frames import as_source
from winodds.table.scores import select_scores
from winodds.table.slices import label_rounds, label_rows


@takes(SliceOptions)
def rate_slices(table: Any, asked: SliceOptions) -> Slices:
    """Rate the players in every slice of the rounds, and say what differs from the rest.

    A slice holds the rounds with one value of the column ``by``, such as the items of a topic.
    Each has a board of its own, and every player's rating there is compared with that in the
    rounds of all other slices, with all slices and players taken into account.

    Parameters
    ----------
    table : pandas or polars data frame or Arrow table in long form, a row for every score.
    options : by keyword, those that `winodds.language.options.SliceOptions` declares.

    Returns
    -------
    Slices
        Slices by name, the board of all rounds, and the differences.
    """
    frame = as_source(table)
    asked = with_known(asked, frame, together=True)
    asked, data = read_asked(frame, asked)
    labels = label_rounds(frame, asked.by, asked)
    pooled = len(data.tournaments) > 1
    whole = rate_table(data, asked, pooled=pooled)
    scores = select_scores(
        data,
        across=asked.matches == "across",
        missing=asked.missing,
        pooled=pooled and asked.cluster is None,
    )
    each = replace(asked, details=False, components=_apart(asked))
    places = np.flatnonzero(scores.met)

    def rate_some(chosen: Bools) -> Leaderboard:
        inside = np.zeros(scores.met.size, np.bool_)
        inside[places[chosen]] = True
        return rate_table(data.of_rounds(inside), each, pooled=pooled)

    games = Games(asked.matches, scores.results, asked.tie_tolerance)
    unit = whole.how.interval.cluster
    cut = Sliced(games, scores.players, labels.of(scores.met), rate_some, unit)
    return cut_slices(whole, cut, asked)


@takes(BattleSliceOptions)
def rate_battle_slices(table: Any, asked: BattleSliceOptions) -> Slices:
    """Rate the players in every slice of the battles, and say what differs from the rest.

    The same as `rate_slices` for a table of battles, such as those of each language.

    Parameters
    ----------
    table : data frame with a row for every battle.
    options : by keyword, those that `winodds.language.options.BattleSliceOptions` declares.
    """
    frame = as_source(table)
    asked = with_known(asked, frame, together=True)
    named = read_battles(frame, asked)
    labels = label_rows(frame, asked.by)
    whole = rate_named(frame, named, asked)
    each = replace(asked, details=False, seat=False, components=_apart(asked))
    cut = Sliced(
        Games("battles", named.battles),
        named.players,
        labels,
        lambda chosen: rate_named(frame, named.take(chosen), each),
        whole.how.interval.cluster,
    )
    return cut_slices(whole, cut, asked)


def _apart(asked: Options) -> Components:
    """Players who never met within a slice are rated apart there, unless one of them is at 0."""
    return "separate" if asked.reference is None else asked.components
