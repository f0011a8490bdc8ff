"""The front door: from a data frame to a leaderboard."""

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from winodds._version import __version__
from winodds.board import notes as note
from winodds.board.errors import OverlapAcrossTournaments
from winodds.board.leaderboard import Leaderboard
from winodds.board.options import Components, Options, Rules, ScoreMatches
from winodds.board.rating import Circumstances, Entrants, count_games, rate_wins
from winodds.fit.newton import Estimator
from winodds.inference.intervals import IntervalKind
from winodds.language.checks import check_role
from winodds.language.errors import BadOption, WinoddsError
from winodds.language.spelling import option
from winodds.matches.games import Games
from winodds.matches.wins import Wins
from winodds.quality.deviance import Convention
from winodds.season.errors import InTournament
from winodds.season.season import Season
from winodds.table.battles import read_battles
from winodds.table.directions import Direction
from winodds.table.errors import TooFewPlayers, TooFewRounds
from winodds.table.frames import as_source
from winodds.table.scores import Missing, Scores, select_scores
from winodds.table.table import SEPARATOR, Columns, Duplicates, Roles, Table, as_columns, read_table
from winodds.workers import calm_threads, run_calls


def rate(
    table: Any,
    *,
    player: Columns = "player",
    round: Columns = "round",
    score: str = "score",
    tournament: Columns | None = None,
    higher_is_better: Direction = None,
    metric_column: str | None = None,
    direction_column: str | None = None,
    status: str | None = None,
    group: Columns | None = None,
    matches: ScoreMatches = "within",
    tie_tolerance: float = 0.0,
    missing: Missing = "skip",
    duplicates: Duplicates = "error",
    weights: str | None = None,
    estimator: Estimator = "bias-reduced",
    prior_sd: float | None = None,
    interval: IntervalKind = "robust",
    level: float = 0.95,
    cluster: Columns | None = None,
    test_fraction: float | None = None,
    reference: str | None = None,
    components: Components = "error",
    details: bool | None = None,
    convention: Convention = "pairs",
    seed: int = 0,
) -> Leaderboard:
    """Rate the players of a table of scores: one leaderboard.

    Parameters
    ----------
    table : pandas or polars data frame or Arrow table in long form, a row for every score.
    player, round, score : columns with the model, the split or task, and the score. Several
        columns may form a player or a round.
    tournament : column with the data set. All of them are pooled into one board, with equal
        weight, and the intervals are for new data sets. For a board each, use `rate_each`.
    higher_is_better : True, False, or a mapping from every round's name ("tournament/round" where
        there are tournaments) to one of these. Without it the direction must follow from the
        score's name ("auc", "rmse"), or from one of:
    metric_column, direction_column : column with each round's metric or direction.
    status : column that says of each run whether it gave its score ("ok", "success", "finished",
        …); the score of a run that says anything else counts as missing.
    group : column, or several, with the group of each player, such as its algorithm; the board
        shows it beside the player.
    matches : "within": two players meet once in every round where both have a score. "across":
        every score of one meets every score of the other.
    tie_tolerance : scores this close, or closer, tie.
    missing : "skip": a run without a score plays no match. "lose": it loses to every score of its
        round.
    duplicates : what to do with several scores of a player in a round: "error", "mean", "first",
        "last" or "best".
    weights : column with a weight for every round.
    estimator : "bias-reduced" (always exists), "mle" (the papers' EPP) or "ridge".
    prior_sd : standard deviation of the ridge prior, 2 by default.
    interval : "robust" (rounds are independent) or "model" (matches are; too narrow).
    level : coverage of the intervals.
    cluster : column with the independent units, if these are neither rounds nor tournaments.
    test_fraction : share of the test cases among the test and training cases of a split, when
        splits share training data; widens the intervals accordingly (Nadeau & Bengio 2003).
    reference : the player whose rating is 0, instead of the average of all.
    components : groups of players that never met are an "error", or rated each on its own
        ("separate").
    details : whether rows show rank ranges, groups and chances of being best, and the board its
        quality. They are computed when first looked at; None leaves them out for more than 2,500
        players (200 where scores are missing), or very many rounds.
    convention : how the quality's deviance counts pairs: each once ("pairs") or in both orders
        ("paper").
    seed : of the simulations.

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
    roles = Roles(
        player=player,
        round=round,
        score=score,
        tournament=tournament,
        cluster=cluster,
        weights=weights,
        metric=metric_column,
        direction=direction_column,
        status=status,
        group=group,
    )
    rules = Rules(matches, tie_tolerance, missing, duplicates)
    options = Options(
        estimator=estimator,
        prior_sd=prior_sd,
        interval=interval,
        level=level,
        reference=reference,
        components=components,
        test_fraction=test_fraction,
        details=details,
        convention=convention,
        seed=seed,
    )
    _check_together(roles, rules, options)
    data = read_table(
        as_source(table), roles, higher_is_better=higher_is_better, duplicates=duplicates
    )
    pooled = len(data.tournaments) > 1
    return _rate_table(data, roles, rules, options, pooled=pooled)


def rate_each(
    table: Any,
    *,
    tournament: Columns,
    player: Columns = "player",
    round: Columns = "round",
    score: str = "score",
    higher_is_better: Direction = None,
    metric_column: str | None = None,
    direction_column: str | None = None,
    status: str | None = None,
    group: Columns | None = None,
    matches: ScoreMatches = "within",
    tie_tolerance: float = 0.0,
    missing: Missing = "skip",
    duplicates: Duplicates = "error",
    weights: str | None = None,
    estimator: Estimator = "bias-reduced",
    prior_sd: float | None = None,
    interval: IntervalKind = "robust",
    level: float = 0.95,
    cluster: Columns | None = None,
    test_fraction: float | None = None,
    reference: str | None = None,
    components: Components = "error",
    details: bool | None = None,
    convention: Convention = "pairs",
    seed: int = 0,
    n_jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Season:
    """Rate the players of every tournament on its own: one leaderboard each.

    Parameters are those of `rate`, and:

    Parameters
    ----------
    tournament : column with the data set.
    n_jobs : how many boards are computed at the same time, through joblib; −1 for one on each
        core.
    progress : called after each board with the number of boards done and of all.

    Returns
    -------
    Season
        Leaderboards by the name of their tournament.
    """
    roles = Roles(
        player=player,
        round=round,
        score=score,
        tournament=tournament,
        cluster=cluster,
        weights=weights,
        metric=metric_column,
        direction=direction_column,
        status=status,
        group=group,
    )
    rules = Rules(matches, tie_tolerance, missing, duplicates)
    options = Options(
        estimator=estimator,
        prior_sd=prior_sd,
        interval=interval,
        level=level,
        reference=reference,
        components=components,
        test_fraction=test_fraction,
        details=details,
        convention=convention,
        seed=seed,
    )
    check_role("tournament", tournament, several=True, needed=True)
    _check_together(roles, rules, options)
    data = read_table(
        as_source(table), roles, higher_is_better=higher_is_better, duplicates=duplicates
    )
    if not data.tournaments:
        raise TooFewPlayers(players=[])
    calls = [
        partial(_rate_tournament, data, number, roles, rules, options)
        for number in range(len(data.tournaments))
    ]
    with calm_threads(len(data.players)):
        boards = run_calls(calls, n_jobs, progress)
        return Season(dict(zip(data.tournaments, boards, strict=True)))


def rate_battles(
    table: Any,
    *,
    left: str = "model_a",
    right: str = "model_b",
    winner: str = "winner",
    loser: str | None = None,
    cluster: Columns | None = None,
    weights: str | None = None,
    estimator: Estimator = "bias-reduced",
    prior_sd: float | None = None,
    interval: IntervalKind = "robust",
    level: float = 0.95,
    reference: str | None = None,
    components: Components = "error",
    details: bool | None = None,
    convention: Convention = "pairs",
    seed: int = 0,
) -> Leaderboard:
    """Rate the players of a table of battles: matches that were arranged one by one.

    Parameters
    ----------
    table : data frame with a row for every battle.
    left, right : columns with the two players.
    winner : column that says who won: the left or right column's name, "model_a", "model_b",
        "left", "right", "tie" or "tie (bothbad)".
    loser : for tables with the winner's and the loser's name in two columns: the loser's. Then
        ``winner`` is the winner's column, and ``left`` and ``right`` play no part.
    cluster : column with the independent units, such as prompts or judges; without it every battle
        counts as independent.
    weights : column with a weight for every battle.
    estimator, prior_sd, interval, level, reference, components, details, convention, seed : as in
        `rate`.

    Examples
    --------
    >>> import polars as pl
    >>> table = pl.DataFrame({
    ...     "winner": ["A", "A", "B", "A", "B", "C"],
    ...     "loser": ["B", "B", "A", "C", "C", "B"],
    ... })
    >>> board = rate_battles(table, winner="winner", loser="loser")
    >>> board.players
    ('A', 'B', 'C')
    """
    options = Options(
        estimator=estimator,
        prior_sd=prior_sd,
        interval=interval,
        level=level,
        reference=reference,
        components=components,
        details=details,
        convention=convention,
        seed=seed,
    )
    sides = {"left": left, "right": right} if loser is None else {"loser": loser}
    for role, column in {**sides, "winner": winner}.items():
        check_role(role, column, several=False)
    check_role("cluster", cluster, several=True)
    check_role("weights", weights, several=False)
    frame = as_source(table)
    if loser is not None:
        named = read_battles(
            frame, left=winner, right=loser, winner=None, cluster=cluster, weights=weights
        )
        scheme = {"name": "Battles", "winner": winner, "loser": loser}
    else:
        named = read_battles(
            frame, left=left, right=right, winner=winner, cluster=cluster, weights=weights
        )
        scheme = {"name": "Battles", "left": left, "right": right, "winner": winner}
    unit = _label(cluster) or "battle"

    games = Games("battles", named.battles)
    wins = count_games(games, unit)
    read = frame.notes_on([] if weights is None else [weights])
    found = [*read, *([note.tidied_names(named.tidied)] if named.tidied else [])]
    found += note.look_alikes(named.players, "models")
    if cluster is None and interval == "robust":
        found.append(note.own_clusters())
    elif cluster is not None and details is not False:
        found.append(note.fit_without_clusters(unit))
    how = {
        "matches": _matches(wins, 0.0, None),
        "scheme": {**scheme, "cluster": _label(cluster), "weights": weights},
        "dropped": {},
        "missing": "skip",
        "duplicates": "keep",
        "version": __version__,
    }
    about = Circumstances(how, found, unit, frame.backend)
    return rate_wins(games, wins, Entrants(named.players, None, None), options, about)


def _check_together(roles: Roles, rules: Rules, options: Options) -> None:
    """Refuse roles that are no columns, and options that do not go together."""
    for role in ("player", "round", "score", "tournament", "cluster", "weights", "status", "group"):
        several = role not in ("score", "weights", "status")
        check_role(role, getattr(roles, role), several=several)
    if roles.weights is not None and rules.matches == "across":
        within = option("matches", "within")
        wanted = f"a match across rounds hangs on two of them; count {within}"
        raise BadOption(option="weights", value=roles.weights, wanted=wanted)
    if roles.cluster is not None and options.test_fraction is not None:
        wanted = "it is for single splits as the independent units; drop it or cluster"
        raise BadOption(option="test_fraction", value=options.test_fraction, wanted=wanted)


def _rate_tournament(
    data: Table, number: int, roles: Roles, rules: Rules, options: Options
) -> Leaderboard:
    try:
        crowd = len(data.players) * len(data.tournaments)
        own = data.of_tournament(number)
        return _rate_table(own, roles, rules, options, pooled=False, crowd=crowd)
    except TooFewRounds as error:
        few = replace(error, of_many=len(data.tournaments) > 1)
        raise InTournament(tournament=data.tournaments[number], reason=str(few)) from error
    except WinoddsError as error:
        raise InTournament(tournament=data.tournaments[number], reason=str(error)) from error


def _rate_table(
    data: Table, roles: Roles, rules: Rules, options: Options, *, pooled: bool, crowd: int = 0
) -> Leaderboard:
    if pooled and options.test_fraction is not None:
        raise OverlapAcrossTournaments()
    scores = select_scores(
        data,
        across=rules.matches == "across",
        missing=rules.missing,
        pooled=pooled and roles.cluster is None,
    )
    unit = _label(roles.cluster) or ("tournament" if pooled else "round")
    games = Games(rules.matches, scores.results, rules.tie_tolerance)
    wins = count_games(games, unit)
    how = {
        "matches": _matches(wins, rules.tie_tolerance, scores.results.rounds),
        "scheme": _scheme(roles, data, pooled=pooled),
        "dropped": asdict(scores.dropped),
        "missing": rules.missing,
        "duplicates": rules.duplicates,
        "version": __version__,
    }
    tournament = data.tournaments[0] if roles.tournament and not pooled else None
    new = options.interval == "robust" and unit == "tournament"
    found = [*data.notes, *_data_notes(scores, data.tidied, rules, pooled=pooled, new=new)]
    found += note.look_alikes(data.rounds.names, "rounds")
    about = Circumstances(how, found, unit, data.backend, tournament, crowd, scores.schedule)
    families = _families_of(data, scores)
    entrants = Entrants(scores.players, scores.rounds_played, scores.mean_score, families)
    return rate_wins(games, wins, entrants, options, about)


def _families_of(data: Table, scores: Scores) -> tuple[str, ...] | None:
    if data.families is None:
        return None
    family = dict(zip(data.players, data.families, strict=True))
    return tuple(family[player] for player in scores.players)


def _matches(wins: Wins, tolerance: float, rounds: int | None) -> dict[str, Any]:
    return {
        "kind": wins.kind,
        "count": wins.matches,
        "ties": wins.ties,
        "tie_tolerance": tolerance,
        "rounds": rounds,
    }


def _scheme(roles: Roles, data: Table, *, pooled: bool) -> dict[str, Any]:
    columns = {role: _label(column) for role, column in asdict(roles).items()}
    up = data.rounds.higher_is_better
    better = "higher" if up.all() else "differs by round" if up.any() else "lower"
    if pooled:
        name = "Pooled"
    else:
        name = "Model/CV" if roles.tournament is not None else "Model/Task or Model/CV"
    return {"name": name, "better": better, **columns}


def _label(columns: Columns | None) -> str | None:
    return None if columns is None else SEPARATOR.join(as_columns(columns))


def _data_notes(scores: Scores, tidied: int, rules: Rules, *, pooled: bool, new: bool) -> list[str]:
    """Doubts about the table."""
    dropped, found = scores.dropped, []
    if pooled:
        found.append(note.pooled(scores.tournaments, new=new))
        rounds, tournaments = scores.results.rounds, scores.tournaments
        if tournaments < note.FEW_CLUSTERS and rounds >= note.MANY_SPLITS * tournaments:
            found.append(note.many_splits(rounds, tournaments))
    if dropped.missing_scores:
        lose = rules.missing == "lose"
        found.append(note.missing_scores(dropped.missing_scores, dropped.missing_of, lose=lose))
    if rules.missing == "lose" and scores.absent:
        found.append(note.absent_runs(scores.absent))
    if dropped.duplicate_rows:
        found.append(note.duplicate_rows(dropped.duplicate_rows))
    if dropped.retried_runs:
        found.append(note.retried_runs(dropped.retried_runs))
    if dropped.merged_rows:
        found.append(note.merged_rows(dropped.merged_rows, rules.duplicates))
    if dropped.rounds_without_match:
        found.append(note.rounds_without_match(dropped.rounds_without_match))
    if dropped.players_without_score:
        found.append(note.players_without_score(dropped.players_without_score))
    if dropped.players_without_match:
        found.append(note.players_without_match(dropped.players_without_match))
    if tidied:
        found.append(note.tidied_names(tidied))
    return found + note.look_alikes(scores.players, "models")
