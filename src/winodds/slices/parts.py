"""Some rounds of a table, or battles → ratings of the players who share a scale there."""

import numpy as np

from winodds.arrays import Bools, Ints
from winodds.fit.newton import fit
from winodds.inference.intervals import quantify
from winodds.inference.slices import Part
from winodds.inference.structure import find_structure
from winodds.language.options import Options
from winodds.matches.games import Games
from winodds.matches.results import Battles, check_clusters


def rate_part(games: Games, chosen: Bools, options: Options, unit: str) -> Part:
    """Rate the largest component of some rounds, (R,), or battles, (B,).

    Raises
    ------
    DataError
        Where these are too few, or cannot be rated by the estimator that was asked for.
    """
    some = games.part(chosen)
    players = some.present()
    own = some.of_players(players)
    check_clusters(own.clusters, unit)
    wins = own.count()
    structure = find_structure(wins)
    if not structure.connected:
        players = players[structure.component == 0]
        own = some.of_players(players)
        check_clusters(own.clusters, unit)
        wins = own.count()
        structure = find_structure(wins)
    found = fit(wins.wins, wins.design, estimator=options.estimator, prior_sd=options.ridge_sd)
    uncertainty = quantify(
        wins,
        found,
        structure,
        kind=options.interval,
        level=options.level,
        shrunken=options.estimator == "ridge",
        center=options.center,
    )
    return Part(players, wins, found, uncertainty, _clusters_of(games, chosen, players))


def _clusters_of(games: Games, chosen: Bools, players: Ints) -> Ints | None:
    """(G,) numbers of the clusters in which these players took part in the chosen games."""
    played = games.played
    among = np.zeros(played.players, np.bool_)
    among[players] = True
    if isinstance(played, Battles):
        if played.cluster is None:
            return None
        return np.unique(played.cluster[chosen & among[played.first] & among[played.second]])
    there = np.zeros(played.rounds, np.bool_)
    there[played.round_of[among[played.player]]] = True
    return np.unique(played.cluster[chosen & there])
