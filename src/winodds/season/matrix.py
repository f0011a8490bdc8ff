"""Ratings of all players in all tournaments."""

from dataclasses import dataclass, field

import numpy as np
from scipy.special import expit

from winodds.arrays import Floats
from winodds.language.nouns import HOUSE, Nouns
from winodds.table.settings import Settings


@dataclass(frozen=True, slots=True)
class EppMatrix:
    """Ratings of all players in all tournaments.

    Attributes
    ----------
    players : (m,) by their mean EPP over tournaments, best first.
    families : (m,) of the players, or None.
    tournaments : (t,) in the order of the season.
    epp : (m, t) ratings; NaN where a player has no result.
    se : (m, t) their standard errors; NaN likewise.
    settings : (m,) each, the players' hyperparameters by name, or None.
    nouns : what players, rounds and tournaments are called.
    """

    players: tuple[str, ...]
    families: tuple[str, ...] | None
    tournaments: tuple[str, ...]
    epp: Floats
    se: Floats
    settings: Settings | None = None
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    @property
    def p_average(self) -> Floats:
        """(m, t) probability of beating the average player, or the reference, in a new round."""
        return np.asarray(expit(self.epp), np.float64)
