"""Wins → Leaderboard: fit, intervals, order, rows and notes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from winodds.arrays import Floats, Ints, levels
from winodds.board import notes as note
from winodds.board.errors import InGroup, NeverMet, Separated, UnknownPlayer
from winodds.board.evidence import Evidence
from winodds.board.leaderboard import How, Leaderboard, Standings
from winodds.board.options import Options
from winodds.board.placing import REPLICATES
from winodds.design.design import Cliques
from winodds.fit.newton import Fit, fit
from winodds.inference.intervals import Estimates, Uncertainty, effective_clusters, quantify
from winodds.inference.structure import Structure, find_structure
from winodds.language.errors import DataError
from winodds.matches.games import Games
from winodds.matches.wins import Battles, Wins, check_clusters
from winodds.quality.goodness import most_simulations
from winodds.table.names import close_names
from winodds.table.schedule import Schedule
from winodds.workers import calm_threads


@dataclass(frozen=True, slots=True)
class Entrants:
    """The players of a board, as far as the matches do not tell.

    Attributes
    ----------
    names : (m,) sorted.
    rounds_played, mean_score : (m,), or None where there is no such thing.
    families : (m,) names of the players' groups, or None.
    """

    names: tuple[str, ...]
    rounds_played: Ints | None
    mean_score: Floats | None
    families: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a board tells about itself besides its ratings.

    Attributes
    ----------
    how : entries of `How` that are known before the fit.
    notes : doubts about the data.
    cluster : what a cluster is: "round", "tournament", "battle" or a column.
    backend : library of the frame that came in.
    tournament : name, for a board of a season.
    crowd : players of all boards of the season together.
    schedule : names of the rounds; None for battles.
    """

    how: dict[str, Any]
    notes: list[str]
    cluster: str
    backend: str
    tournament: str | None = None
    crowd: int = 0
    schedule: Schedule | None = None


@dataclass(frozen=True, slots=True)
class _Group:
    """Ratings of players who met: indices into the entrants, and (k,) arrays in their order."""

    players: Ints
    games: Games
    wins: Wins
    structure: Structure
    fit: Fit
    uncertainty: Uncertainty
    estimates: Estimates
    rank: Ints
    order: Ints


def rate_wins(
    games: Games,
    wins: Wins,
    entrants: Entrants,
    options: Options,
    circumstances: Circumstances,
) -> Leaderboard:
    """Rate the players and write the board; ``wins`` are the counted matches of the games."""
    with calm_threads(len(entrants.names)):
        structure = find_structure(wins)
        everyone = np.arange(len(entrants.names))
        if structure.connected:
            groups = [_rate_group(everyone, games, wins, structure, entrants, options)]
        else:
            members = _members(structure.component)
            if options.components == "error":
                raise NeverMet(groups=[[entrants.names[k] for k in group] for group in members])
            unit = circumstances.cluster
            groups = [_rate_apart(games, unit, group, entrants, options) for group in members]
        return _write_board(wins, groups, entrants, options, circumstances)


def _members(component: Ints) -> list[Ints]:
    return [np.flatnonzero(component == k) for k in range(int(component.max()) + 1)]


def _rate_apart(
    games: Games, unit: str, players: Ints, entrants: Entrants, options: Options
) -> _Group:
    try:
        own = games.of_players(players)
        wins = count_games(own, unit)
        return _rate_group(players, own, wins, find_structure(wins), entrants, options)
    except DataError as error:
        names = [entrants.names[k] for k in players]
        raise InGroup(players=names, reason=str(error)) from error


def count_games(games: Games, unit: str) -> Wins:
    """Count the matches, if there are clusters enough; ``unit`` says what a cluster is."""
    if not isinstance(games.played, Battles) or games.played.first.size:
        check_clusters(games.clusters, unit)
    return games.count()


def _rate_group(
    players: Ints,
    games: Games,
    wins: Wins,
    structure: Structure,
    entrants: Entrants,
    options: Options,
) -> _Group:
    names = [entrants.names[k] for k in players.tolist()]
    if options.estimator == "mle" and structure.separated:
        order = np.argsort(-wins.raw_wins / wins.raw_matches, kind="stable")
        raise Separated(cuts=note.describe_cuts(structure, names, order.tolist()))
    found = fit(wins.wins, wins.design, estimator=options.estimator, prior_sd=options.ridge_sd)
    uncertainty = quantify(
        wins,
        found,
        structure,
        kind=options.interval,
        level=options.level,
        overlap=overlap_factor(options.test_fraction, wins.evidence.clusters),
        shrunken=options.estimator == "ridge",
    )
    estimates = _relative_to(options.reference, names, uncertainty)
    order, rank = _rank(found.beta)
    return _Group(players, games, wins, structure, found, uncertainty, estimates, rank, order)


def overlap_factor(test_fraction: float | None, splits: int) -> float:
    """Factor on variances of splits that share training data (Nadeau & Bengio 2003).

    >>> round(overlap_factor(0.1, 10), 3)
    2.111
    """
    if test_fraction is None:
        return 1.0
    return 1.0 + splits * test_fraction / (1.0 - test_fraction)


def _relative_to(reference: str | None, names: list[str], uncertainty: Uncertainty) -> Estimates:
    if reference is None:
        return uncertainty.of_ratings()
    if reference not in names:
        raise UnknownPlayer(player=reference, close=close_names(reference, names))
    everyone = np.arange(len(names))
    zero = np.full(len(names), names.index(reference))
    return uncertainty.of_differences(everyone, zero)


def _rank(beta: Floats) -> tuple[Ints, Ints]:
    """(m,) the players from the best down, equal ones by name, and the ranks in that order."""
    level = levels(-beta)
    order = np.argsort(level, kind="stable")
    return order, 1 + np.searchsorted(level[order], level[order])


def _write_board(
    wins: Wins,
    groups: list[_Group],
    entrants: Entrants,
    options: Options,
    circumstances: Circumstances,
) -> Leaderboard:
    places = np.concatenate([group.players[group.order] for group in groups])
    standings = _standings(groups, entrants, places)
    starts = np.cumsum([0, *(group.players.size for group in groups)])
    evidence = tuple(
        _keep(group, start, options) for group, start in zip(groups, starts[:-1], strict=True)
    )
    how = How(
        estimator=options.estimator,
        prior_sd=options.ridge_sd,
        interval={
            "kind": options.interval,
            "level": options.level,
            "cluster": circumstances.cluster,
            "clusters": min(group.wins.evidence.clusters for group in groups),
            "test_fraction": options.test_fraction,
        },
        reference=options.reference,
        iterations=max(group.fit.iterations for group in groups),
        details={
            "shown": _shows_details(options, groups, circumstances),
            "convention": options.convention,
            "replicates": REPLICATES,
            "simulations": most_simulations(max(group.games.comparisons for group in groups)),
            "seed": options.seed,
        },
        **circumstances.how,
    )
    return Leaderboard(
        players=tuple(map(entrants.names.__getitem__, places.tolist())),
        standings=standings,
        row_notes=_row_notes(standings, groups, starts, circumstances.cluster),
        how=how,
        notes=tuple(_board_notes(wins, groups, entrants, options, circumstances)),
        evidence=evidence,
        backend=circumstances.backend,
        families=_in_order(entrants.families, places),
        tournament=circumstances.tournament,
        schedule=circumstances.schedule,
    )


def _shows_details(options: Options, groups: list[_Group], circumstances: Circumstances) -> bool:
    players = sum(group.players.size for group in groups)
    comparisons = sum(group.games.comparisons for group in groups)
    dense = sum(group.players.size**3 for group in groups if not _is_complete(group.wins))
    crowd = max(players, circumstances.crowd)
    boards = crowd / players
    return options.shows_details(
        crowd, int(comparisons * boards), int(dense * boards), seasonal=crowd > players
    )


def _is_complete(wins: Wins) -> bool:
    """Whether everyone met everyone equally often, for which there are faster ways."""
    return isinstance(wins.design, Cliques) and wins.design.complete


def _in_order(families: tuple[str, ...] | None, places: Ints) -> tuple[str, ...] | None:
    return None if families is None else tuple(families[k] for k in places.tolist())


def _standings(groups: list[_Group], entrants: Entrants, places: Ints) -> Standings:
    def gather(pick: Callable[[_Group], Any]) -> Any:
        return np.concatenate([pick(group)[group.order] for group in groups])

    rounds, scores = entrants.rounds_played, entrants.mean_score
    return Standings(
        rank=np.concatenate([group.rank for group in groups]),
        epp=gather(lambda group: group.estimates.value),
        se=gather(lambda group: group.estimates.se),
        low=gather(lambda group: group.estimates.low),
        high=gather(lambda group: group.estimates.high),
        p_average=gather(lambda group: expit(group.fit.beta)),
        wins=gather(lambda group: group.wins.raw_wins),
        matches=gather(lambda group: group.wins.raw_matches),
        rounds=None if rounds is None else rounds[places],
        mean_score=None if scores is None else scores[places],
    )


def _keep(group: _Group, start: int, options: Options) -> Evidence:
    """What comparisons need later; the board lists the group's players from ``start`` on."""
    place = np.empty(group.players.size, np.int64)
    place[group.order] = start + np.arange(group.players.size)
    ridge = 0.0 if options.ridge_sd is None else 1.0 / options.ridge_sd**2
    own = group.uncertainty
    return Evidence(
        place,
        group.games,
        options.estimator,
        ridge,
        own.intervals,
        wins=group.wins,
        uncertainty=own,
    )


def _row_notes(
    standings: Standings, groups: list[_Group], starts: Ints, unit: str
) -> dict[int, tuple[str, ...]]:
    doubtful = (
        (standings.wins == standings.matches)
        | (standings.wins == 0.0)
        | np.isinf(standings.low)
        | np.isinf(standings.high)
    )
    found = {
        int(k): note.outcome_notes(
            standings.wins[k], standings.matches[k], standings.low[k], standings.high[k]
        )
        for k in np.flatnonzero(doubtful)
    }
    for group, start in zip(groups, starts[:-1].tolist(), strict=True):
        played = group.wins.evidence.played[group.order]
        for k in np.flatnonzero(played < min(note.FEW_CLUSTERS // 2, played.max())).tolist():
            few = note.few_clusters_of_row(int(played[k]), unit)
            found[start + k] = (*found.get(start + k, ()), few)
    if len(groups) > 1:
        for number, start in enumerate(starts[:-1].tolist()):
            label = f"group {number + 1}"
            for k in range(start, int(starts[number + 1])):
                found[k] = (label, *found.get(k, ()))
    return found


def _board_notes(
    wins: Wins,
    groups: list[_Group],
    entrants: Entrants,
    options: Options,
    circumstances: Circumstances,
) -> list[str]:
    found = list(circumstances.notes)
    if len(groups) > 1:
        named = [[entrants.names[k] for k in group.players[group.order]] for group in groups]
        found.append(note.separate_groups(named))
    for group in groups:
        if group.structure.separated:
            found.append(_separation_note(group, entrants, options))
    clusters = min(group.wins.evidence.clusters for group in groups)
    if wins.ties == wins.matches:
        found.append(note.no_information())
    if options.interval == "model":
        found.append(note.model_based())
    elif clusters < note.FEW_CLUSTERS:
        found.append(note.few_clusters(clusters, circumstances.cluster))
    if options.interval == "robust":
        effective = min(effective_clusters(group.wins) for group in groups)
        if effective < note.UNEQUAL * clusters:
            found.append(note.unequal_clusters(clusters, effective, circumstances.cluster))
    if len(entrants.names) >= note.MANY_PLAYERS:
        found.append(note.best_of_many(len(entrants.names)))
    if options.details is None and not _shows_details(options, groups, circumstances):
        found.append(note.no_details())
    if options.ridge_sd is not None:
        found.append(note.shrunken(options.ridge_sd))
    if options.test_fraction is not None:
        factor = overlap_factor(options.test_fraction, clusters)
        found.append(note.overlapping_splits(options.test_fraction, factor))
    return found


def _separation_note(group: _Group, entrants: Entrants, options: Options) -> str:
    names = [entrants.names[k] for k in group.players]
    cuts = note.describe_cuts(group.structure, names, group.order.tolist())
    sizes = np.bincount(group.structure.part)
    largest = int(sizes.argmax())
    best = next(k for k in group.order.tolist() if group.structure.part[k] == largest)
    alone = group.players.size == len(entrants.names)
    suggestion = names[best] if alone and sizes[largest] > 1 else None
    return note.open_ends(cuts, reference=options.reference, suggestion=suggestion)
