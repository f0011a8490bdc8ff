"""How many of a season's boards fit, and how the best and the worst of them do (EPP 2022)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from winodds.arrays import at_least, order_of
from winodds.board.comparisons import ADJUSTMENTS
from winodds.board.leaderboard import MISFIT
from winodds.board.quality import Quality
from winodds.language.nouns import HOUSE, Nouns
from winodds.show import present
from winodds.table.frames import build_frame

SCHEMA = "winodds/fits/1"

KINDS: Mapping[str, type] = {
    "tournament": str,
    "place": int,
    "excess": float,
    "standardised": float,
    "dispersion": float,
    "deviance": float,
    "df": int,
    "p_value": float,
    "p_holm": float,
    "fits": bool,
    "fits_holm": bool,
}
"""Columns of the frame."""


@dataclass(frozen=True, slots=True)
class BoardFit:
    """How well the ratings of one tournament explain who beat whom there.

    Attributes
    ----------
    tournament : its name.
    place : 1 for the board that fits best; equal ones share a place.
    excess : the deviance in that of tables drawn under the ratings: 1 where these could be true.
    standardised, dispersion, deviance, df, p_value : those of `Quality`, each pair counted once.
    p_holm : the p-value adjusted for the number of boards.
    fits, fits_holm : whether the board fits, taken alone and with the others: p above 0.05.
    """

    tournament: str
    place: int
    excess: float
    standardised: float
    dispersion: float
    deviance: float
    df: int
    p_value: float
    p_holm: float
    fits: bool
    fits_holm: bool


@dataclass(frozen=True, slots=True)
class Fits:
    """The boards of a season by how well they fit, best first.

    Attributes
    ----------
    boards : those that can be judged.
    unjudged : names of the others: as many ratings as there are pairs fit in any case.
    best, worst : quality of the first and of the last board, with observed against fitted shares
        of wins (``calibration``); None where no board can be judged.
    limit : the p-value up to which a board does not fit.
    nouns : what players, rounds and tournaments are called.
    """

    boards: tuple[BoardFit, ...]
    unjudged: tuple[str, ...]
    best: Quality | None
    worst: Quality | None
    limit: float = MISFIT
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    @property
    def fitting(self) -> int:
        """How many boards fit, each taken alone."""
        return sum(board.fits for board in self.boards)

    @property
    def fitting_holm(self) -> int:
        """How many boards fit if any false "does not fit" is to be as rare as that of one board."""
        return sum(board.fits_holm for board in self.boards)

    def columns(self) -> dict[str, list[Any]]:
        """A row for each board that can be judged."""
        return {name: [getattr(board, name) for board in self.boards] for name in KINDS}

    def frame(self, backend: str = "polars") -> Any:
        """The boards as a data frame."""
        return build_frame(self.columns(), KINDS, backend=backend)

    @property
    def text(self) -> str:
        """On how many boards ratings explain who beats whom, in words."""
        return present.describe_fits(self)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "schema": SCHEMA,
            "judged": len(self.boards),
            "fitting": self.fitting,
            "fitting_holm": self.fitting_holm,
            "limit": self.limit,
            "boards": [asdict(board) for board in self.boards],
            "unjudged": list(self.unjudged),
            "best": None if self.best is None else self.best.to_dict(),
            "worst": None if self.worst is None else self.worst.to_dict(),
        }


def rank_by_fit(qualities: Mapping[str, Quality]) -> Fits:
    """The boards by how far their deviance exceeds what the ratings themselves would leave.

    Deviances alone, or standardised ones, cannot be compared between boards: what is left where
    ratings are true hangs on how many pairs met, on ties, and on how scores of a round vary
    together. So a board whose standardised deviance is the smallest may be one that does not fit.
    """
    judged = {name: one.by_convention("pairs") for name, one in qualities.items() if one.df > 0}
    unjudged = tuple(name for name in qualities if name not in judged)
    if not judged:
        return Fits((), unjudged, None, None)
    names, found = list(judged), list(judged.values())
    excess = [one.deviance / one.expected if one.expected > 0.0 else 1.0 for one in found]
    p = np.array([one.p_value for one in found])
    adjusted, order = ADJUSTMENTS["holm"](p), order_of(excess).tolist()
    place = [1 + sum(not at_least(other, own) for other in excess) for own in excess]
    boards = [
        BoardFit(
            tournament=names[k],
            place=place[k],
            excess=excess[k],
            standardised=_known(found[k].standardised),
            dispersion=_known(found[k].dispersion),
            deviance=found[k].deviance,
            df=found[k].df,
            p_value=float(p[k]),
            p_holm=float(adjusted[k]),
            fits=not at_least(MISFIT, p[k]),
            fits_holm=not at_least(MISFIT, adjusted[k]),
        )
        for k in order
    ]
    return Fits(tuple(boards), unjudged, found[order[0]], found[order[-1]])


def _known(value: float | None) -> float:
    """What every board with degrees of freedom has."""
    assert value is not None
    return value
