"""From a table of scores to a leaderboard, or one of each tournament."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from winodds.api.common import count_matches, label, notes_left, rate_games, with_known
from winodds.api.roles import find_roles, read_asked
from winodds.board import notes as note
from winodds.board.circumstances import Circumstances, Entrants
from winodds.board.errors import OverlapAcrossTournaments
from winodds.board.how import DATA_SETS, Better, Scheme
from winodds.board.leaderboard import Leaderboard
from winodds.board.rating import count_games
from winodds.language.errors import WinoddsError
from winodds.language.notes import Note
from winodds.language.option import Role, declarations, takes
from winodds.language.options import Roles, Rules, ScoreOptions, SeasonOptions
from winodds.matches.games import Games
from winodds.season.errors import InTournament, SingleRounds
from winodds.season.season import Season, Together
from winodds.table import notes as data_note
from winodds.table.errors import TooFewPlayers, TooFewRounds
from winodds.table.frames import Source, as_source
from winodds.table.scores import Scores, select_scores
from winodds.table.table import Table, read_table
from winodds.workers import calm_threads, run_calls


@takes(ScoreOptions)
def rate(table: Any, asked: ScoreOptions) -> Leaderboard:
    """Rate the players of a table of scores: one leaderboard.

    Parameters
    ----------
    table : pandas or polars data frame or Arrow table in long form, a row for every score.
    options : by keyword, those that `winodds.language.options.ScoreOptions` declares.

    Returns
    -------
    Leaderboard

    Examples
    --------
    >>> import polars as pl
    >>> table = pl.DataFrame({
    ...     "model": ["svm", "rf", "knn"] * 3,
    ...     "fold": [1, 1, 1, 2, 2, 2, 3, 3, 3],
    ...     "auc": [0.91, 0.90, 0.85, 0.92, 0.93, 0.89, 0.95, 0.92, 0.93],
    ... })
    >>> board = rate(table, player="model", round="fold", score="auc")
    >>> [(row.rank, row.player, round(row.epp, 2)) for row in board]
    [(1, 'svm', 0.87), (2, 'rf', 0.0), (3, 'knn', -0.87)]
    """
    return rate_scores(as_source(table), asked)


def rate_scores(source: Source, asked: ScoreOptions) -> Leaderboard:
    """One leaderboard of a table."""
    asked = with_known(asked, source, together=True)
    if asked.scheme == "data-sets":
        return _rate_data_sets(source, asked)
    asked, data = read_asked(source, asked)
    return rate_table(data, asked, pooled=len(data.tournaments) > 1)


@takes(SeasonOptions)
def rate_each(table: Any, asked: SeasonOptions) -> Season:
    """Rate the players of every tournament on its own: one leaderboard each.

    Parameters
    ----------
    table : pandas or polars data frame or Arrow table in long form, a row for every score.
    options : by keyword, those that `winodds.language.options.SeasonOptions` declares.

    Returns
    -------
    Season
        Leaderboards by the name of their tournament.
    """
    source, given = as_source(table), asked
    asked = with_known(asked, source, together=False)
    asked, data = read_asked(source, asked)
    if not data.tournaments:
        raise TooFewPlayers(players=[])
    if len(data.tournaments) > 1 and data.rounds.tournament.size == len(data.tournaments):
        raise SingleRounds(tournaments=len(data.tournaments), column=str(label(asked.tournament)))
    # Whoever hears of progress need not follow to another process, and no board depends on how
    # many were made at a time.
    alone, many = replace(asked, n_jobs=None, progress=None), len(data.tournaments)
    # Each call holds only the rows of its tournament, because it may travel to another process.
    calls = [
        partial(_rate_tournament, data.of_tournament(number), alone, many) for number in range(many)
    ]
    with calm_threads(len(data.players)):
        boards = run_calls(calls, asked.n_jobs, asked.progress)
        together = _pool_later(source, given, asked, data)
        season = Season(dict(zip(data.tournaments, boards, strict=True)), together)
        if asked.details:
            # What is asked for at once is not left to whoever looks at the season first.
            season.look_closer()
        return season


def _pool_later(
    source: Source, given: SeasonOptions, asked: SeasonOptions, data: Table
) -> Together:
    """How to make the board of all tournaments together, or why there is none.

    ``given`` are the options as the caller said them, ``asked`` those that the table was read with.
    """
    if len(data.tournaments) < 2:
        return None
    try:
        source.refuse_together()
    except WinoddsError as error:
        return error
    # Its clusters are whole tournaments unless the caller named others, and splits that share
    # training data are inside of them.
    alone = replace(asked, cluster=given.cluster, test_fraction=None, n_jobs=None, progress=None)
    return partial(rate_table, data, alone, pooled=True)


def _rate_data_sets(source: Source, asked: ScoreOptions) -> Leaderboard:
    """Data sets as players and models as rounds (Gosiewska et al. 2022, Table 2)."""
    asked, notes = find_roles(source, asked)
    columns: dict[str, Any] = {"player": asked.tournament, "round": asked.player}
    columns |= {"tournament": None, "family": None, "hyperparameters": None, "members": None}
    swapped = replace(asked, **columns, duplicates="mean", scheme="models")
    data = read_table(source, swapped, duplicates="mean")
    data = replace(data, notes=(*notes, *data.notes))
    return rate_table(data, swapped, pooled=False, said=asked)


def _rate_tournament(data: Table, asked: ScoreOptions, many: int) -> Leaderboard:
    """Rate one of so many tournaments."""
    try:
        # Another process has threads of its own.
        with calm_threads(len(data.players)):
            return rate_table(data, asked, pooled=False, crowd=len(data.players) * many)
    except TooFewRounds as error:
        few = replace(error, of_many=many > 1)
        raise InTournament(tournament=data.tournaments[0], reason=str(few)) from error
    except WinoddsError as error:
        raise InTournament(tournament=data.tournaments[0], reason=str(error)) from error


def rate_table(
    data: Table,
    asked: ScoreOptions,
    *,
    pooled: bool,
    crowd: int = 0,
    said: ScoreOptions | None = None,
) -> Leaderboard:
    """Rate a table; ``said`` are the caller's own words, where roles were swapped since."""
    if pooled and asked.test_fraction is not None:
        raise OverlapAcrossTournaments()
    scores = select_scores(
        data,
        across=asked.matches == "across",
        missing=asked.missing,
        pooled=pooled and asked.cluster is None,
    )
    unit = label(asked.cluster) or ("tournament" if pooled else "round")
    games = Games(asked.matches, scores.results, asked.tie_tolerance)
    wins = count_games(games, unit)
    tournament = data.tournaments[0] if asked.tournament and not pooled else None
    new = asked.interval == "robust" and unit == "tournament"
    known = notes_left(data.notes, asked.test_fraction)
    found = [*known, *_data_notes(scores, data.tidied, asked, pooled=pooled, new=new)]
    found += data_note.look_alikes(data.rounds.names, "rounds")
    scheme = _scheme(asked, data, pooled=pooled)
    if said is not None:
        scheme = replace(scheme, name=DATA_SETS)
        found.insert(0, note.data_sets_play(len(data.players), scores.results.rounds))
    about = Circumstances(
        matches=count_matches(wins, asked.tie_tolerance, scores.results.rounds),
        scheme=scheme,
        notes=found,
        cluster=unit,
        backend=data.backend,
        options=(said or asked).given(),
        dropped=scores.dropped,
        missing=asked.missing,
        duplicates=asked.duplicates,
        tournament=tournament,
        crowd=crowd,
        schedule=scores.schedule,
    )
    return rate_games(games, wins, _entrants(data, scores), asked, about)


def _entrants(data: Table, scores: Scores) -> Entrants:
    """The players who have scores, with what the table says of them."""
    place = {player: k for k, player in enumerate(data.players)}
    chosen = np.array([place[player] for player in scores.players], np.int64)
    known = Entrants(data.players, None, None, data.families, data.settings, data.members).take(
        chosen
    )
    return replace(known, rounds_played=scores.rounds_played, mean_score=scores.mean_score)


def _scheme(roles: Roles, data: Table, *, pooled: bool) -> Scheme:
    columns = {
        name.removesuffix("_column"): label(getattr(roles, name))
        for name, declared in declarations(Roles).items()
        if isinstance(declared.option, Role)
    }
    up = data.rounds.higher_is_better
    better: Better = "higher" if up.all() else "differs by round" if up.any() else "lower"
    if pooled:
        name = "Pooled"
    else:
        name = "Model/CV" if roles.tournament is not None else "Model/Task or Model/CV"
    return Scheme(name, better, columns)


def _data_notes(
    scores: Scores, tidied: int, rules: Rules, *, pooled: bool, new: bool
) -> list[Note]:
    """What to know of the table."""
    dropped, found = scores.dropped, list[Note]()
    if pooled:
        found.append(note.pooled(scores.tournaments, new=new))
        rounds, tournaments = scores.results.rounds, scores.tournaments
        if tournaments < note.FEW_CLUSTERS and rounds >= note.MANY_SPLITS * tournaments:
            found.append(note.many_splits(rounds, tournaments))
    if dropped.missing_scores:
        lose = rules.missing == "lose"
        found.append(
            data_note.missing_scores(dropped.missing_scores, dropped.missing_of, lose=lose)
        )
    if rules.missing == "lose" and scores.absent:
        found.append(data_note.absent_runs(scores.absent))
    if dropped.duplicate_rows:
        found.append(data_note.duplicate_rows(dropped.duplicate_rows))
    if dropped.retried_runs:
        found.append(data_note.retried_runs(dropped.retried_runs))
    if dropped.merged_rows:
        found.append(data_note.merged_rows(dropped.merged_rows, rules.duplicates))
    if dropped.rounds_without_match:
        found.append(data_note.rounds_without_match(dropped.rounds_without_match))
    if dropped.players_without_score:
        found.append(data_note.players_without_score(dropped.players_without_score))
    if dropped.players_without_match:
        found.append(data_note.players_without_match(dropped.players_without_match))
    if tidied:
        found.append(data_note.tidied_names(tidied))
    return found + data_note.look_alikes(scores.players, "models")
