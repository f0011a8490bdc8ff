"""What the first seat of a battle is worth, and the ratings on a neutral one."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from winodds.arrays import Floats, Ints
from winodds.board import notes as note
from winodds.board.comparisons import Estimate
from winodds.board.errors import NoSeats
from winodds.board.evidence import Evidence
from winodds.fit.seats import SeatedPairs, fit_seats, seat_is_open
from winodds.inference.contrasts import told_apart
from winodds.inference.seats import Seated, SeatEstimates, quantify_seats
from winodds.language.notes import Note
from winodds.matches.results import Battles
from winodds.show import present

NO_BATTLES = "its matches are no battles"
ONLY_WINNERS = (
    "its table has a winner and a loser in every row, and does not say who sat first; name the "
    "columns of the two sides instead"
)
NOT_TOLD = (
    "ratings could make up for any effect of it, for instance because each player always sat on "
    "the same side"
)

FELT = 0.5
"""Share of its standard error from which on a rating's change by the seat is said."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A player's rating with and without the first seat's effect.

    Attributes
    ----------
    player : its name.
    first : share of its battles in which it sat first.
    epp : the rating on the board, which knows no seats.
    neutral, se, low, high : the rating on a neutral seat with its error and interval; an end is
        None where it is open.
    shift : how much higher that is.
    """

    player: str
    first: float
    epp: float
    neutral: float
    se: float
    low: float | None
    high: float | None
    shift: float


@dataclass(frozen=True, slots=True)
class Seat:
    """The effect of the first seat.

    Attributes
    ----------
    effect : in log-odds, with its interval.
    chance : how often the first of two equal players wins, a tie counted half; with its interval.
    p_value : of the test that it is half.
    level : coverage of the intervals.
    first_won, second_won, ties : battles by their outcome.
    rows : the players' ratings, in the order of the board.
    """

    effect: Estimate
    chance: Estimate
    p_value: float
    level: float
    first_won: int
    second_won: int
    ties: int
    rows: tuple[SeatRow, ...]

    @property
    def told(self) -> bool:
        """Whether the effect is told from none."""
        return bool(told_apart(np.array(self.p_value), self.level))

    @property
    def moved(self) -> SeatRow:
        """The player whose rating changes most, in units of its error; the first of equals."""
        return max(self.rows, key=lambda row: round(_felt(row), 9))

    @property
    def text(self) -> str:
        """The outcome in words."""
        return present.describe_seat(self)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a board that knows no seats should say of it."""
        most = self.moved
        chance = self.chance
        if self.told and _felt(most) >= FELT:
            return (note.seat_matters(chance.value, most.player, most.shift, most.first),)
        return (note.seat_left_out(chance.value, most.player, most.shift),)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return {"schema": "winodds/seat/1", **asdict(self), "text": self.text}


def _felt(row: SeatRow) -> float:
    return abs(row.shift) / row.se if row.se else 0.0


def assess_seats(part: Evidence, players: Sequence[str], shown: Floats, zero: Ints | None) -> Seat:
    """Fit the first seat's effect together with the ratings.

    Parameters
    ----------
    part : the games of all players.
    players : their names, in its order.
    shown : (m,) their ratings on the board.
    zero : whose average is 0; None for all.

    Raises
    ------
    NoSeats
        Where there are none, or their effect cannot be told from ratings.
    """
    battles = part.games.played
    if not isinstance(battles, Battles):
        raise NoSeats(reason=NO_BATTLES)
    ends = seat_is_open(battles.first, battles.second, battles.outcome, battles.players)
    if all(ends) or (any(ends) and part.estimator == "mle"):
        raise NoSeats(reason=NOT_TOLD)
    everyone = np.arange(part.size) if zero is None else zero
    found = _estimate(part, battles, everyone, ends)
    return _write(battles, found, players, shown, part.intervals.level)


def _estimate(
    part: Evidence, battles: Battles, zero: Ints, ends: tuple[bool, bool]
) -> SeatEstimates:
    wins, own = part.wins, part.uncertainty
    sides = battles.first, battles.second, battles.outcome
    pairs = SeatedPairs.of(*sides, wins.match_weight, battles.players)
    fit = fit_seats(pairs, estimator=part.estimator, ridge=part.ridge)
    seated = Seated(battles, wins, pairs, fit)
    return quantify_seats(seated, own.intervals, own.clustering, zero, ends)


def _write(
    battles: Battles,
    found: SeatEstimates,
    players: Sequence[str],
    shown: Floats,
    level: float,
) -> Seat:
    effect, ratings = found.effect, found.ratings
    ends = [float(x[0]) for x in (effect.value, effect.low, effect.high)]
    first = np.bincount(battles.first, minlength=battles.players)
    share = first / (first + np.bincount(battles.second, minlength=battles.players))
    rows = tuple(
        SeatRow(
            player=name,
            first=float(share[k]),
            epp=float(shown[k]),
            neutral=float(ratings.value[k]),
            se=float(ratings.se[k]),
            low=_closed(ratings.low[k]),
            high=_closed(ratings.high[k]),
            shift=float(ratings.value[k] - shown[k]),
        )
        for k, name in enumerate(players)
    )
    return Seat(
        effect=Estimate(ends[0], _closed(ends[1]), _closed(ends[2])),
        chance=Estimate(*(float(expit(end)) for end in ends)),
        p_value=found.p_value,
        level=level,
        first_won=int((battles.outcome == 1.0).sum()),
        second_won=int((battles.outcome == 0.0).sum()),
        ties=int((battles.outcome == 0.5).sum()),
        rows=rows,
    )


def _closed(end: float) -> float | None:
    return float(end) if np.isfinite(end) else None
