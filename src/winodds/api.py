"""The front door: from a data frame to a leaderboard."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from winodds.adapters.adapted import Adapted
from winodds.adapters.metrics import EVERY
from winodds.adapters.optuna import read_study
from winodds.adapters.scikit_learn import read_search
from winodds.adapters.sources import read_logs
from winodds.arrays import Bools
from winodds.board import notes as note
from winodds.board.circumstances import Circumstances, Entrants
from winodds.board.errors import NotInTable, OverlapAcrossTournaments, SamePlayer
from winodds.board.gate import Gate, judge_candidate
from winodds.board.how import DATA_SETS, Better, MatchCounts, Scheme
from winodds.board.leaderboard import Leaderboard
from winodds.board.rating import count_games, rate_wins
from winodds.board.shared import share_table
from winodds.language.errors import BadOption, WinoddsError
from winodds.language.notes import Note
from winodds.language.option import Role, declarations, takes
from winodds.language.options import (
    BattleOptions,
    BattleSliceOptions,
    Columns,
    Components,
    GateOptions,
    Options,
    Roles,
    Rules,
    ScoreOptions,
    SeasonOptions,
    SliceOptions,
    SourceOptions,
)
from winodds.matches.games import Games
from winodds.matches.wins import Wins
from winodds.season.errors import InTournament, SingleRounds
from winodds.season.season import Season
from winodds.slices.slices import Sliced, Slices, cut_slices
from winodds.table import notes as data_note
from winodds.table.battles import (
    NamedBattles,
    count_bad_ties,
    find_both_orders,
    read_battles,
)
from winodds.table.errors import TooFewPlayers, TooFewRounds
from winodds.table.frames import Source, as_source
from winodds.table.names import close_names
from winodds.table.scores import Scores, select_scores
from winodds.table.slices import label_rounds, label_rows
from winodds.table.table import SEPARATOR, Table, as_columns, index_columns, read_table
from winodds.table.vocabulary import VOTE_NAMES, named as named_columns
from winodds.workers import calm_threads, run_calls

WITHIN_TOURNAMENTS = ("cluster", "test_fraction")
"""Options that speak of the rounds of one tournament."""


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
    return _rate_scores(as_source(table), asked)


def _rate_scores(source: Source, asked: ScoreOptions) -> Leaderboard:
    """One leaderboard of a table."""
    asked = _with_known(asked, source, together=True)
    if asked.scheme == "data-sets":
        return _rate_data_sets(source, asked)
    data = read_table(source, asked, duplicates=asked.duplicates)
    return _rate_table(data, asked, pooled=len(data.tournaments) > 1)


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
    source = as_source(table)
    asked = _with_known(asked, source, together=False)
    data = read_table(source, asked, duplicates=asked.duplicates)
    if not data.tournaments:
        raise TooFewPlayers(players=[])
    if len(data.tournaments) > 1 and data.rounds.tournament.size == len(data.tournaments):
        raise SingleRounds(tournaments=len(data.tournaments), column=str(_label(asked.tournament)))
    # Whoever hears of progress need not follow to another process, and no board depends on how
    # many were made at a time.
    alone, many = replace(asked, n_jobs=None, progress=None), len(data.tournaments)
    # Each call holds only the rows of its tournament, because it may travel to another process.
    calls = [
        partial(_rate_tournament, data.of_tournament(number), alone, many) for number in range(many)
    ]
    with calm_threads(len(data.players)):
        boards = run_calls(calls, asked.n_jobs, asked.progress)
        return Season(dict(zip(data.tournaments, boards, strict=True)))


@takes(BattleOptions)
def rate_battles(table: Any, asked: BattleOptions) -> Leaderboard:
    """Rate the players of a table of battles: matches that were arranged one by one.

    Parameters
    ----------
    table : data frame with a row for every battle.
    options : by keyword, those that `winodds.language.options.BattleOptions` declares.

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
    frame = as_source(table)
    asked = _with_known(asked, frame, together=True)
    return _rate_battles(frame, read_battles(frame, asked), asked)


def _rate_battles(frame: Source, named: NamedBattles, asked: BattleOptions) -> Leaderboard:
    unit = _label(asked.cluster) or "battle"
    games = Games("battles", named.battles)
    wins = count_games(games, unit)
    read = frame.notes_on([] if asked.weights is None else [asked.weights])
    found = [*read, *([data_note.tidied_names(named.tidied)] if named.tidied else [])]
    found += data_note.look_alikes(named.players, "models")
    if asked.cluster is None and asked.interval == "robust":
        found.append(note.own_clusters(named_columns(frame.columns, VOTE_NAMES)))
        found += find_both_orders(frame, named.battles)
    found += count_bad_ties(frame, asked, named.battles)
    columns = {**asked.sides, "cluster": _label(asked.cluster), "weights": asked.weights}
    about = Circumstances(
        matches=_matches(wins, 0.0, None),
        scheme=Scheme("Battles", None, columns),
        notes=found,
        cluster=unit,
        backend=frame.backend,
        options=asked.given(),
    )
    board = _rate_wins(games, wins, Entrants(named.players, None, None), asked, about)
    if asked.seat:
        board.notes = (*board.notes, *board.seat().notes)
    return board


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
    asked = _with_known(asked, frame, together=True)
    data = read_table(frame, asked, duplicates=asked.duplicates)
    labels = label_rounds(frame, asked.by, asked)
    pooled = len(data.tournaments) > 1
    whole = _rate_table(data, asked, pooled=pooled)
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
        return _rate_table(data.of_rounds(inside), each, pooled=pooled)

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
    asked = _with_known(asked, frame, together=True)
    named = read_battles(frame, asked)
    labels = label_rows(frame, asked.by)
    whole = _rate_battles(frame, named, asked)
    each = replace(asked, details=False, seat=False, components=_apart(asked))
    cut = Sliced(
        Games("battles", named.battles),
        named.players,
        labels,
        lambda chosen: _rate_battles(frame, named.take(chosen), each),
        whole.how.interval.cluster,
    )
    return cut_slices(whole, cut, asked)


def _apart(asked: Options) -> Components:
    """Players who never met within a slice are rated apart there, unless one of them is at 0."""
    return "separate" if asked.reference is None else asked.components


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
    asked = _with_known(asked, source, together=False)
    data = read_table(source, asked, duplicates=asked.duplicates)
    baseline, candidate = (_find_player(data, name) for name in (asked.baseline, asked.candidate))
    if baseline == candidate:
        raise SamePlayer(player=asked.baseline)
    several = len(data.tournaments) > 1
    if several and asked.test_fraction is not None:
        raise OverlapAcrossTournaments()
    found = share_table(
        data, baseline, candidate, missing=asked.missing, tolerance=asked.tie_tolerance
    )
    return judge_candidate(
        found,
        (data.players[baseline], data.players[candidate]),
        asked,
        unit=_label(asked.cluster) or "round",
        chosen=chosen,
        notes=data.notes,
    )


def _find_player(data: Table, name: str) -> int:
    if name not in data.players:
        raise NotInTable(player=name, close=close_names(name, data.players))
    return data.players.index(name)


# What other tools have ----------------------------------------------------------------------------


@takes(SourceOptions)
def rate_search(search: Any, asked: SourceOptions) -> Leaderboard:
    """Rate the candidates of a search of scikit-learn on its splits.

    Parameters
    ----------
    search : a fitted search such as GridSearchCV, its ``cv_results_`` as a dict or a data frame,
        or results of ``cross_validate`` by the names of their models; see `read_search`.
    options : by keyword, those that `winodds.language.options.SourceOptions` declares.

    Examples
    --------
    >>> tried = {"params": [{"C": 1.0}, {"C": 10.0}], "split0_test_score": [0.9, 0.8]}
    >>> tried |= {"split1_test_score": [0.7, 0.9], "split2_test_score": [0.9, 0.6]}
    >>> rate_search(tried).players
    ('C=1', 'C=10')
    """
    return _rate_source(read_search, search, asked)


@takes(SourceOptions)
def rate_study(study: Any, asked: SourceOptions) -> Leaderboard:
    """Rate the completed trials of a study of Optuna.

    A trial alone has one score, which rates nothing. If it reported the score of each fold, say
    ``rounds="steps"``.

    Parameters
    ----------
    study : a study, or several over the same space in a list; see `read_study`.
    options : by keyword, those that `winodds.language.options.SourceOptions` declares.
    """
    return _rate_source(read_study, study, asked)


@takes(SourceOptions)
def rate_logs(folder: Any, asked: SourceOptions) -> Leaderboard:
    """Rate the models of evaluation logs: of the lm-evaluation-harness or of inspect-ai.

    A round is an item of a task, or a whole task, as ``rounds`` says. Several tasks with their
    items are pooled: each counts once for a pair of models, and intervals are for new tasks.
    ``rate_each(read_source(folder), tournament="tournament")`` gives a board of each task.

    Parameters
    ----------
    folder : the folder with the logs, or one file.
    options : by keyword, those that `winodds.language.options.SourceOptions` declares.
    """
    return _rate_source(read_logs, folder, asked)


def _rate_source(read: Callable[..., Adapted], given: Any, asked: SourceOptions) -> Leaderboard:
    """Read what another tool has, and rate it."""
    if asked.metric == EVERY:
        each = f'rate_each({read.__name__}(…, metric="all"), tournament="tournament")'
        wanted = f"a board has one metric; {each} gives a board of each"
        raise BadOption(option="metric", value=asked.metric, wanted=wanted)
    way = asked.higher_is_better
    source = read(given, metric=asked.metric, rounds=asked.rounds, higher_is_better=way)
    options = {name: getattr(asked, name) for name in declarations(ScoreOptions)}
    # The direction was needed while the source was read, which says it of every score now.
    return _rate_scores(source, ScoreOptions(**{**options, "higher_is_better": None}))


AskedT = TypeVar("AskedT", bound=Options | GateOptions)


def _with_known(asked: AskedT, source: Source, *, together: bool) -> AskedT:
    """The options, with what a source knows itself where nothing else was said.

    Where several tournaments are rated ``together``, each is a cluster, and what a source knows of
    independent units within them says nothing.
    """
    known = declarations(type(asked))
    unsaid = {
        name: value
        for name, value in source.knows.items()
        if name in known and getattr(asked, name) == known[name].default
    }
    if getattr(asked, "metric_column", None) is not None:
        unsaid.pop("direction_column", None)
    tournament = unsaid.get("tournament") or getattr(asked, "tournament", None)
    if getattr(asked, "cluster", None) is not None:
        # Whoever names the independent units says that they are not single splits.
        unsaid.pop("test_fraction", None)
    if together and tournament is not None and len(index_columns(source, tournament).names) > 1:
        unsaid = {name: it for name, it in unsaid.items() if name not in WITHIN_TOURNAMENTS}
    return replace(asked, **unsaid)


def _rate_data_sets(table: Any, asked: ScoreOptions) -> Leaderboard:
    """Data sets as players and models as rounds (Gosiewska et al. 2022, Table 2)."""
    columns: dict[str, Any] = {"player": asked.tournament, "round": asked.player}
    columns |= {"tournament": None, "family": None, "hyperparameters": None, "members": None}
    swapped = replace(asked, **columns, duplicates="mean", scheme="models")
    data = read_table(as_source(table), swapped, duplicates="mean")
    return _rate_table(data, swapped, pooled=False, said=asked)


def _rate_tournament(data: Table, asked: ScoreOptions, many: int) -> Leaderboard:
    """Rate one of so many tournaments."""
    try:
        # Another process has threads of its own.
        with calm_threads(len(data.players)):
            return _rate_table(data, asked, pooled=False, crowd=len(data.players) * many)
    except TooFewRounds as error:
        few = replace(error, of_many=many > 1)
        raise InTournament(tournament=data.tournaments[0], reason=str(few)) from error
    except WinoddsError as error:
        raise InTournament(tournament=data.tournaments[0], reason=str(error)) from error


def _rate_table(
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
    unit = _label(asked.cluster) or ("tournament" if pooled else "round")
    games = Games(asked.matches, scores.results, asked.tie_tolerance)
    wins = count_games(games, unit)
    tournament = data.tournaments[0] if asked.tournament and not pooled else None
    new = asked.interval == "robust" and unit == "tournament"
    found = [*data.notes, *_data_notes(scores, data.tidied, asked, pooled=pooled, new=new)]
    found += data_note.look_alikes(data.rounds.names, "rounds")
    scheme = _scheme(asked, data, pooled=pooled)
    if said is not None:
        scheme = replace(scheme, name=DATA_SETS)
        found.insert(0, note.data_sets_play(len(data.players), scores.results.rounds))
    about = Circumstances(
        matches=_matches(wins, asked.tie_tolerance, scores.results.rounds),
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
    return _rate_wins(games, wins, _entrants(data, scores), asked, about)


def _rate_wins(
    games: Games, wins: Wins, entrants: Entrants, options: Options, about: Circumstances
) -> Leaderboard:
    """Rate, and compute at once what was asked for at once."""
    board = rate_wins(games, wins, entrants, options, about)
    board.look_closer(details=bool(options.details))
    return board


def _entrants(data: Table, scores: Scores) -> Entrants:
    """The players who have scores, with what the table says of them."""
    place = {player: k for k, player in enumerate(data.players)}
    chosen = np.array([place[player] for player in scores.players], np.int64)
    known = Entrants(data.players, None, None, data.families, data.settings, data.members).take(
        chosen
    )
    return replace(known, rounds_played=scores.rounds_played, mean_score=scores.mean_score)


def _matches(wins: Wins, tolerance: float, rounds: int | None) -> MatchCounts:
    return MatchCounts(wins.kind, wins.matches, wins.ties, tolerance, rounds)


def _scheme(roles: Roles, data: Table, *, pooled: bool) -> Scheme:
    columns = {
        name.removesuffix("_column"): _label(getattr(roles, name))
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


def _label(columns: Columns | None) -> str | None:
    return None if columns is None else SEPARATOR.join(as_columns(columns))


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
