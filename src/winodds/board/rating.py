"""Wins → Leaderboard: fit, intervals, order, rows and notes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.special import expit

from winodds._version import __version__
from winodds.arrays import Floats, Ints, levels
from winodds.board import notes as note
from winodds.board.circumstances import Circumstances, Entrants
from winodds.board.components import Components
from winodds.board.errors import NeverMet, Separated, UnknownPlayer
from winodds.board.evidence import Evidence
from winodds.board.extent import is_quick
from winodds.board.how import Average, Details, How, Interval
from winodds.board.leaderboard import Leaderboard
from winodds.board.left_out import Failed, leave_out, none_rated
from winodds.board.row import Standings
from winodds.board.sparse import gap_notes, leader_notes, pool_notes, tie_notes
from winodds.design.design import Cliques
from winodds.fit.newton import Fit, fit
from winodds.inference.clusters import count_outcomes, effective_clusters
from winodds.inference.intervals import Estimates, Uncertainty, quantify
from winodds.inference.posterior import draws_for
from winodds.inference.structure import Structure, find_structure
from winodds.language.errors import DataError
from winodds.language.notes import Note
from winodds.language.options import Options
from winodds.language.words import UNITS, WON
from winodds.matches.games import Games
from winodds.matches.results import Battles, check_clusters, numbering
from winodds.matches.wins import Wins
from winodds.quality.goodness import most_simulations
from winodds.table.names import close_names
from winodds.table.schedule import Schedule
from winodds.table.settings import take_settings
from winodds.workers import calm_threads


@dataclass(frozen=True, slots=True)
class _Rated:
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
            rated = [_rate_component(everyone, games, wins, structure, entrants, options)]
            return _write_board(rated, entrants, options, circumstances)
        members = _members(structure.component)
        if options.components == "error":
            raise NeverMet(components=[[entrants.names[k] for k in one] for one in members])
        parts = [
            _rate_apart(games, circumstances.cluster, one, entrants, options) for one in members
        ]
        rated = [one for one in parts if isinstance(one, _Rated)]
        failed = [one for one in parts if isinstance(one, Failed)]
        if not rated:
            raise none_rated(failed) from failed[0].error
        if failed:
            kept = np.sort(np.concatenate([one.players for one in rated]))
            counted = [one.wins for one in rated]
            circumstances = leave_out(
                failed, circumstances, games=games, kept=kept, counted=counted
            )
            number = numbering(kept, len(entrants.names))
            rated = [replace(one, players=number[one.players]) for one in rated]
            entrants = entrants.take(kept)
        return _write_board(rated, entrants, options, circumstances)


def _members(component: Ints) -> list[Ints]:
    return [np.flatnonzero(component == k) for k in range(int(component.max()) + 1)]


def _rate_apart(
    games: Games, unit: str, players: Ints, entrants: Entrants, options: Options
) -> _Rated | Failed:
    try:
        own = games.of_players(players)
        wins = count_games(own, unit)
        return _rate_component(players, own, wins, find_structure(wins), entrants, options)
    except DataError as error:
        return Failed([entrants.names[k] for k in players.tolist()], error)


def count_games(games: Games, unit: str) -> Wins:
    """Count the matches, if there are clusters enough; ``unit`` says what a cluster is."""
    if not isinstance(games.played, Battles) or games.played.first.size:
        check_clusters(games.clusters, unit)
    return games.count()


def _rate_component(
    players: Ints,
    games: Games,
    wins: Wins,
    structure: Structure,
    entrants: Entrants,
    options: Options,
) -> _Rated:
    names = [entrants.names[k] for k in players.tolist()]
    if options.estimator == "mle" and structure.separated:
        order = np.argsort(-wins.raw_wins / wins.raw_matches, kind="stable")
        raise Separated(cuts=note.find_cuts(structure, names, order.tolist()).describe())
    found = fit(wins.wins, wins.design, estimator=options.estimator, prior_sd=options.ridge_sd)
    uncertainty = quantify(
        wins,
        found,
        structure,
        kind=options.interval,
        level=options.level,
        overlap=overlap_factor(options.test_fraction, wins.evidence.clusters),
        shrunken=options.estimator == "ridge",
        center=options.center,
    )
    estimates = _relative_to(options.reference, names, uncertainty)
    order, rank = _rank(found.beta)
    return _Rated(players, games, wins, structure, found, uncertainty, estimates, rank, order)


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
    rated: list[_Rated],
    entrants: Entrants,
    options: Options,
    circumstances: Circumstances,
) -> Leaderboard:
    places = np.concatenate([one.players[one.order] for one in rated])
    standings = _standings(rated, entrants, places)
    components = Components(tuple(_keep(one, options) for one in rated))
    quick = _is_quick(rated, circumstances)
    return Leaderboard(
        players=tuple(map(entrants.names.__getitem__, places.tolist())),
        standings=standings,
        row_notes=_row_notes(standings, rated, components.starts, circumstances.cluster),
        how=_how(rated, options, circumstances, quick=quick),
        notes=tuple(_board_notes(rated, entrants, options, circumstances, quick=quick)),
        components=components,
        backend=circumstances.backend,
        families=entrants.families_of(places),
        settings=take_settings(entrants.settings, places),
        members=entrants.members_of(places),
        tournament=circumstances.tournament,
        schedule=circumstances.schedule,
    )


def _how(
    rated: list[_Rated], options: Options, circumstances: Circumstances, *, quick: bool
) -> How:
    return How(
        estimator=options.estimator,
        prior_sd=options.ridge_sd,
        interval=Interval(
            kind=options.interval,
            level=options.level,
            cluster=circumstances.cluster,
            clusters=min(one.wins.evidence.clusters for one in rated),
            test_fraction=options.test_fraction,
        ),
        matches=circumstances.matches,
        scheme=circumstances.scheme,
        dropped=circumstances.dropped,
        missing=circumstances.missing,
        duplicates=circumstances.duplicates,
        reference=options.reference,
        average=_average(rated),
        iterations=max(one.fit.iterations for one in rated),
        details=Details(
            quick=quick,
            convention=options.convention,
            ranks=options.ranks,
            draws=draws_for(max(one.players.size for one in rated)),
            simulations=most_simulations(max(one.games.comparisons for one in rated)),
            seed=options.seed,
        ),
        version=__version__,
        options=circumstances.options,
    )


def _average(rated: list[_Rated]) -> Average | None:
    """Whose average is 0, on a board with one scale; None for all players."""
    own = rated[0].uncertainty.intervals
    averaged = own.averaged
    if len(rated) > 1 or averaged is None:
        return None
    return Average(int(averaged.sum()), float(own.beta[averaged].mean()))


def _is_quick(rated: list[_Rated], circumstances: Circumstances) -> bool:
    return is_quick(
        sum(one.players.size for one in rated),
        sum(one.games.comparisons for one in rated),
        sum(one.players.size**3 for one in rated if not _is_complete(one.wins)),
        crowd=circumstances.crowd,
    )


def _is_complete(wins: Wins) -> bool:
    """Whether everyone met everyone equally often, for which there are faster ways."""
    return isinstance(wins.design, Cliques) and wins.design.complete


def _standings(rated: list[_Rated], entrants: Entrants, places: Ints) -> Standings:
    def gather(pick: Callable[[_Rated], Any]) -> Any:
        return np.concatenate([pick(one)[one.order] for one in rated])

    rounds, scores = entrants.rounds_played, entrants.mean_score
    return Standings(
        rank=np.concatenate([one.rank for one in rated]),
        epp=gather(lambda one: one.estimates.value),
        se=gather(lambda one: one.estimates.se),
        low=gather(lambda one: one.estimates.low),
        high=gather(lambda one: one.estimates.high),
        p_average=gather(lambda one: expit(one.uncertainty.intervals.around_average(one.fit.beta))),
        wins=gather(lambda one: one.wins.raw_wins),
        matches=gather(lambda one: one.wins.raw_matches),
        rounds=None if rounds is None else rounds[places],
        mean_score=None if scores is None else scores[places],
    )


def _keep(rated: _Rated, options: Options) -> Evidence:
    """What comparisons need later, with the players in the order of the board."""
    return Evidence(
        games=rated.games.of_players(rated.order),
        estimator=options.estimator,
        ridge=0.0 if options.ridge_sd is None else 1.0 / options.ridge_sd**2,
        intervals=rated.uncertainty.intervals.reordered(rated.order),
    )


def _row_notes(
    standings: Standings, rated: list[_Rated], starts: list[int], unit: str
) -> dict[int, tuple[Note, ...]]:
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
    for one, start in zip(rated, starts, strict=False):
        played = one.wins.evidence.played[one.order]
        for k in np.flatnonzero(played < min(note.FEW_OF_ROW, played.max())).tolist():
            few = note.few_clusters_of_row(int(played[k]), unit)
            found[start + k] = (*found.get(start + k, ()), few)
        for k, rare in _notes_on_rare_outcomes(one, unit):
            found[start + k] = (*found.get(start + k, ()), rare)
    if len(rated) > 1:
        for number, (start, end) in enumerate(pairwise(starts), 1):
            for k in range(start, end):
                found[k] = (note.component(number), *found.get(k, ()))
    return found


def _notes_on_rare_outcomes(one: _Rated, unit: str) -> Iterator[tuple[int, Note]]:
    """Notes on closed ends that hang on one or two clusters, with places in the component."""
    outcomes = count_outcomes(one.wins)
    if outcomes is None:
        return
    ends, played = one.estimates, one.wins.evidence.played
    told = (note.seldom_lost, ends.high), (note.seldom_won, ends.low)
    for counts, (say, end) in zip(outcomes, told, strict=True):
        # The reference has no interval.
        rare = note.are_rare(counts, played) & np.isfinite(end) & (ends.se > 0.0)
        for k in np.flatnonzero(rare[one.order]).tolist():
            yield k, say(int(counts[one.order[k]]), unit)


def _board_notes(
    rated: list[_Rated],
    entrants: Entrants,
    options: Options,
    circumstances: Circumstances,
    *,
    quick: bool,
) -> list[Note]:
    found = list(circumstances.notes)
    if len(rated) > 1:
        named = [[entrants.names[k] for k in one.players[one.order]] for one in rated]
        found.append(note.separate_components(named))
    for number, one in enumerate(rated, 1):
        if one.structure.separated:
            found.append(_separation_note(one, entrants, options))
            component = number if len(rated) > 1 else None
            found += _average_notes(one, entrants, options.reference, component)
    found += _sparse_notes(rated, entrants, circumstances.schedule)
    clusters = min(one.wins.evidence.clusters for one in rated)
    if options.interval == "robust" and circumstances.cluster not in UNITS:
        won = WON[circumstances.matches.kind]
        found.append(note.named_clusters(circumstances.cluster, won))
    if options.interval == "model":
        found.append(note.model_based())
    elif clusters < note.FEW_CLUSTERS:
        found.append(note.few_clusters(clusters, circumstances.cluster))
    if options.interval == "robust":
        effective = min(effective_clusters(one.wins) for one in rated)
        if effective < note.UNEQUAL * clusters:
            df = min(one.uncertainty.clustering.typical for one in rated)
            found.append(note.unequal_clusters(clusters, effective, df, circumstances.cluster))
    if len(entrants.names) >= note.MANY_PLAYERS:
        found.append(note.best_of_many(len(entrants.names)))
    if options.details is None and not quick:
        found.append(note.no_details())
    if options.ridge_sd is not None:
        found.append(note.shrunken(options.ridge_sd))
    if options.test_fraction is not None:
        factor = overlap_factor(options.test_fraction, clusters)
        found.append(note.overlapping_splits(options.test_fraction, factor))
    return found


def _sparse_notes(rated: list[_Rated], entrants: Entrants, schedule: Schedule | None) -> list[Note]:
    """What to know of a board whose matches say little."""
    found, alone = list[Note](), len(rated) == 1
    for one in rated:
        names = [entrants.names[k] for k in one.players.tolist()]
        found += leader_notes(one.games, one.order, one.rank, names, alone=alone)
    found += gap_notes([one.games for one in rated])
    found += tie_notes([one.wins for one in rated])
    if alone and schedule is not None:
        found += pool_notes(rated[0].wins.tournament_weight, schedule.tournaments)
    return found


def _separation_note(rated: _Rated, entrants: Entrants, options: Options) -> Note:
    names = [entrants.names[k] for k in rated.players]
    cuts = note.find_cuts(rated.structure, names, rated.order.tolist())
    sizes = np.bincount(rated.structure.part)
    largest = int(sizes.argmax())
    best = next(k for k in rated.order.tolist() if rated.structure.part[k] == largest)
    alone = rated.players.size == len(entrants.names)
    moves = alone and rated.uncertainty.intervals.average_set is None
    suggestion = names[best] if moves and sizes[largest] > 1 else None
    return note.open_ends(cuts, reference=options.reference, suggestion=suggestion)


def _average_notes(
    rated: _Rated, entrants: Entrants, reference: str | None, component: int | None
) -> list[Note]:
    """Whose average is 0, where it is not that of all players."""
    averaged = rated.uncertainty.intervals.averaged
    if averaged is None:
        return []
    others = [k for k in rated.order.tolist() if not averaged[k]]
    names = [entrants.names[k] for k in rated.players[others].tolist()]
    won, played = rated.wins.raw_wins[others], rated.wins.raw_matches[others]
    return [
        note.average_of_set(
            int(averaged.sum()),
            names,
            outcome=note.outcome_of(won, played),
            reference=reference,
            component=component,
        )
    ]
