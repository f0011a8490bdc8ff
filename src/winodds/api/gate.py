"""From a table to a verdict on a candidate."""

from typing import Any

from winodds.api.common import label, notes_left, with_known
from winodds.api.roles import read_asked
from winodds.board.errors import NotInTable, OverlapAcrossTournaments, SamePlayer
from winodds.board.gate import Gate, judge_candidate
from winodds.board.shared import share_table
from winodds.language.notes import tell_in
from winodds.language.nouns import HOUSE, ROLES, name_things
from winodds.language.option import takes
from winodds.language.options import GateOptions
from winodds.table.frames import as_source
from winodds.table.names import close_names
from winodds.table.table import Table


@takes(GateOptions)
def gate(table: Any, asked: GateOptions) -> Gate:
    """May a candidate take the place of a baseline? The verdict on one player against another.

    Rounds that both have are paired. The candidate is "better", "no worse" than the margin,
    "worse", or nobody can tell; each of the first three is wrong in at most 5 of 100 cases.

    Parameters
    ----------
    table : pandas or polars data frame or Arrow table in long form, a row for every score.
    options : by keyword, those that `winodds.language.options.GateOptions` declares.

    Returns
    -------
    Gate

    Examples
    --------
    >>> import polars as pl
    >>> right = [1, 1, 0, 1, 1, 1, 1, 0, 1, 1] * 10
    >>> table = pl.DataFrame({
    ...     "model": ["old"] * 100 + ["new"] * 100,
    ...     "item": [*range(100), *range(100)],
    ...     "correct": right + [1] * 8 + right[8:],
    ... })
    >>> found = gate(table, player="model", round="item", score="correct", higher_is_better=True,
    ...     baseline="old", candidate="new")
    >>> found.verdict, found.passed, (found.rounds.won, found.rounds.tied, found.rounds.lost)
    ('no worse', True, (2, 98, 0))
    """
    source, chosen = as_source(table), asked.cluster is not None
    asked = with_known(asked, source, together=False)
    source.refuse_together()
    asked, data = read_asked(source, asked)
    baseline, candidate = (_find_player(data, name) for name in (asked.baseline, asked.candidate))
    if baseline == candidate:
        raise SamePlayer(player=asked.baseline)
    several = len(data.tournaments) > 1
    if several and asked.test_fraction is not None:
        raise OverlapAcrossTournaments()
    found = share_table(
        data, baseline, candidate, missing=asked.missing, tolerance=asked.tie_tolerance
    )
    judged = judge_candidate(
        found,
        (data.players[baseline], data.players[candidate]),
        asked,
        unit=label(asked.cluster) or "round",
        chosen=chosen,
        notes=tuple(notes_left(data.notes, asked.test_fraction)),
    )
    columns = {role: label(getattr(asked, role)) for role in ROLES}
    nouns = name_things(columns)
    # Whoever joined two tables knows what both call things, and tells it in these words.
    return judged if nouns == HOUSE else tell_in(nouns, judged)


def _find_player(data: Table, name: str) -> int:
    if name not in data.players:
        raise NotInTable(player=name, close=close_names(name, data.players))
    return data.players.index(name)
