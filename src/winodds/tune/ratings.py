"""Ratings of settings in a race, from the splits that were paid for."""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.fit.newton import fit
from winodds.inference.intervals import quantify
from winodds.inference.structure import find_structure
from winodds.matches.results import Results
from winodds.matches.within import count_within


@dataclass(frozen=True, slots=True)
class Ratings:
    """EPP of all settings, with intervals that rest on the splits.

    Attributes
    ----------
    epp : (k,) log-odds to beat the average setting on a new split.
    low, high : (k,) ends of 95% intervals; infinite where they are open.
    """

    epp: Floats
    low: Floats
    high: Floats


def rate_paid(scores: Floats, paid: Ints) -> Ratings:
    """Rate settings (k, T) on the first ``paid`` (k,) splits of each; −inf is a failed fit.

    >>> scores = np.array([[0.9, 0.8, 0.7], [0.8, 0.9, 0.6]])
    >>> rate_paid(scores, np.array([3, 3])).epp.round(2).tolist()
    [0.26, -0.26]
    """
    settings, splits = scores.shape
    held = np.arange(splits)[:, None] < paid[None, :]
    runs = held.sum(axis=1)
    rounds = int((runs > 0).sum())
    results = Results(
        players=settings,
        start=np.concatenate([[0], np.cumsum(runs[:rounds])]),
        player=np.nonzero(held)[1],
        value=scores.T[held],
        weight=np.ones(rounds),
        cluster=np.arange(rounds),
        tournament=np.zeros(rounds, np.int64),
    )
    wins = count_within(results)
    fitted = fit(wins.wins, wins.design)
    found = quantify(wins, fitted, find_structure(wins)).of_ratings()
    return Ratings(found.value, found.low, found.high)
