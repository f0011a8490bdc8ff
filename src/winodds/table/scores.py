"""Table → Scores: what plays on one leaderboard, and what does not."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import compress

import numpy as np

from winodds.arrays import Bools, Floats, Ints, renumber
from winodds.language.options import Missing
from winodds.matches.results import Results
from winodds.table.cells import Cells
from winodds.table.errors import TooFewPlayers, TooFewRounds
from winodds.table.schedule import Schedule
from winodds.table.table import Rounds, Table


@dataclass(frozen=True, slots=True)
class Dropped:
    """What the table held that plays no part, or another part than it seems to.

    Attributes
    ----------
    missing_scores : runs without a score.
    missing_of : how many of these each player has, most first.
    duplicate_rows : rows that repeated another one exactly.
    merged_rows : rows merged into another score of the same player and round.
    retried_runs : rows without a score of a player who has one in the round.
    rounds_without_match : rounds in which nobody met anybody.
    players_without_score : players left out because none of their runs gave a score.
    players_without_match : players left out because they met nobody.
    players_not_rated : players left out because their component cannot be rated.
    """

    missing_scores: int = 0
    missing_of: Mapping[str, int] = field(default_factory=dict)
    duplicate_rows: int = 0
    merged_rows: int = 0
    retried_runs: int = 0
    rounds_without_match: int = 0
    players_without_score: list[str] = field(default_factory=list)
    players_without_match: list[str] = field(default_factory=list)
    players_not_rated: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of the players of one leaderboard.

    Attributes
    ----------
    players : (m,) names, sorted.
    results : the numbers, oriented so that larger is better.
    rounds_played : (m,) rounds in which a player took part.
    mean_score : (m,) of the scores as they were given; None where directions differ.
    tournaments : how many there are.
    schedule : names of the rounds.
    absent : player–round pairs without a row.
    dropped : what was left out.
    met : (rounds of the table,) which of them play.
    """

    players: tuple[str, ...]
    results: Results
    rounds_played: Ints
    mean_score: Floats | None
    tournaments: int
    schedule: Schedule
    absent: int
    dropped: Dropped
    met: Bools


def select_scores(
    table: Table, *, across: bool = False, missing: Missing = "skip", pooled: bool = False
) -> Scores:
    """The scores that take part in matches.

    Parameters
    ----------
    across : whether scores of different rounds meet.
    missing : "skip" leaves a failed run out, "lose" lets it lose to every score of its round.
    pooled : whether whole tournaments are the clusters.
    """
    everything = table.cells
    failed = np.isnan(everything.value)
    scored = everything.keep(~failed)
    _check_players(table, scored)
    playing = everything if missing == "lose" else scored
    met = _rounds_with_matches(playing, table.rounds, across=across)
    cells = playing if met.all() else playing.take(met[playing.round])
    if met.sum() < 2:
        raise TooFewRounds(rounds=int(met.sum()))
    present = _present(cells, len(table.players))
    names = tuple(compress(table.players, present.tolist()))
    number = np.cumsum(present) - 1
    results = _results(cells, number, len(names), table.rounds, met, pooled=pooled)
    return Scores(
        players=names,
        results=results,
        rounds_played=np.bincount(results.player, minlength=len(names)),
        mean_score=_mean_score(cells, number, len(names), table.rounds),
        tournaments=int(results.tournament.max()) + 1,
        schedule=_schedule(table, met),
        absent=len(names) * results.rounds - cells.round.size,
        dropped=_dropped(table, failed, present, int((~met).sum())),
        met=met,
    )


def _rounds_with_matches(cells: Cells, rounds: Rounds, *, across: bool) -> Bools:
    """(R,) whether somebody met somebody else with a score of the round."""
    size = len(rounds.names)
    scored = ~np.isnan(cells.value)
    played = np.bincount(cells.round, minlength=size)
    if not across:
        runs = np.bincount(cells.keep(scored).round, minlength=size)
        return (runs >= 1) & (played >= 2)
    tournament = rounds.tournament[cells.round]
    number = int(rounds.tournament.max()) + 1
    players = np.unique(np.stack([tournament, cells.player]), axis=1)[0]
    contested = (np.bincount(players, minlength=number) >= 2) & (
        np.bincount(tournament[scored], minlength=number) >= 1
    )
    return (played >= 1) & contested[rounds.tournament]


def _check_players(table: Table, scored: Cells) -> None:
    if scored.player.size and scored.player.min() < scored.player.max():
        return
    present = np.flatnonzero(_present(scored, len(table.players)))
    raise TooFewPlayers(players=[table.players[player] for player in present])


def _present(cells: Cells, players: int) -> Bools:
    present = np.zeros(players, np.bool_)
    present[cells.player] = True
    return present


def _results(
    cells: Cells, number: Ints, players: int, rounds: Rounds, met: Bools, *, pooled: bool
) -> Results:
    up = rounds.higher_is_better
    value = cells.value if up.all() else np.where(up[cells.round], cells.value, -cells.value)
    sizes = np.bincount(cells.round, minlength=met.size)[met]
    tournament = renumber(rounds.tournament[met])
    cluster = tournament if pooled else renumber(rounds.cluster[met])
    return Results(
        players=players,
        start=np.concatenate([[0], np.cumsum(sizes)]),
        player=number[cells.player],
        value=np.where(np.isnan(value), -np.inf, value) if np.isnan(value).any() else value,
        weight=rounds.weight[met],
        cluster=cluster,
        tournament=tournament,
    )


def _schedule(table: Table, met: Bools) -> Schedule:
    rounds = table.rounds
    played = np.unique(rounds.tournament[met]).tolist()
    return Schedule(
        rounds=tuple(compress(rounds.names, met.tolist())),
        tournaments=tuple(filter(None, (table.tournaments[k] for k in played))),
        higher_is_better=rounds.higher_is_better[met],
    )


def _mean_score(cells: Cells, number: Ints, players: int, rounds: Rounds) -> Floats | None:
    if not (rounds.higher_is_better == rounds.higher_is_better[0]).all():
        return None
    scored = cells.keep(~np.isnan(cells.value))
    player = number[scored.player]
    total = np.bincount(player, weights=scored.value, minlength=players)
    count = np.bincount(player, minlength=players)
    mean = np.full(players, np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean


def _dropped(table: Table, failed: Bools, rated: Bools, lonely: int) -> Dropped:
    cells = table.cells
    runs = np.bincount(cells.player, minlength=len(table.players))
    fails = np.bincount(cells.player[np.flatnonzero(failed)], minlength=len(table.players))
    gone = (runs > 0) & ~rated
    worst = np.argsort(-fails, kind="stable")[: int((fails > 0).sum())]
    return Dropped(
        missing_scores=int(failed.sum()),
        missing_of={table.players[k]: int(fails[k]) for k in worst},
        duplicate_rows=int(table.rounds.repeated.sum()),
        merged_rows=int(table.rounds.merged.sum()),
        retried_runs=int(table.rounds.retried.sum()),
        rounds_without_match=lonely,
        players_without_score=[table.players[k] for k in np.flatnonzero(gone & (runs == fails))],
        players_without_match=[table.players[k] for k in np.flatnonzero(gone & (runs > fails))],
    )
