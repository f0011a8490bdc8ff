"""How far a new rating is from a refit, and how often its interval holds; `make test-slow` prints.

Strengths are normal, scores have Gumbel's noise, for which ratings are right. No board is left out.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from conftest import make_results
from simulated import assess, bar, covers

from winodds.arrays import Floats
from winodds.board.newcomer import refit_error
from winodds.fit.newcomer import make_room, place
from winodds.fit.newton import fit
from winodds.inference.intervals import Estimates, Uncertainty
from winodds.inference.newcomer import Arrival, judge_newcomer
from winodds.language.options import Estimator
from winodds.matches.entry import enter
from winodds.matches.games import Games

BOARDS = 400
ARRIVALS = 5
SEED = 16
ESTIMATOR: Estimator = "bias-reduced"


@dataclass(frozen=True)
class Design:
    """Players of a board, its rounds, the spread of strengths, and rounds that new ones played."""

    players: int
    rounds: int
    sd: float = 1.0
    played: int | None = None

    @property
    def name(self) -> str:
        some = "" if self.played is None else f", {self.played} played"
        return f"{self.players} players, {self.rounds} rounds, sd {self.sd:g}{some}"

    def draw(self, rng: np.random.Generator, new: int) -> tuple[Floats, Floats]:
        """Strengths of the players and of some new ones, and their scores."""
        strength = self.sd * rng.normal(size=self.players + new)
        scores = strength + rng.gumbel(size=(self.rounds, strength.size))
        if self.played is not None:
            scores[self.played :, self.players :] = np.nan
        return strength, scores


def _place(old: Uncertainty, games: Games, scores: Floats) -> Estimates:
    """What is said of one new player."""
    entry, beta = enter(games, np.ones(scores.size), scores), old.intervals.beta
    first = place(np.array([entry.wins]), entry.met[None, :], beta[None, :], estimator=ESTIMATOR)
    move = make_room(
        old.information, entry.won, entry.met, beta, float(first.rating[0]), estimator=ESTIMATOR
    )
    others = beta + move - move.mean()
    found = place(np.array([entry.wins]), entry.met[None, :], others[None, :], estimator=ESTIMATOR)
    new = Arrival(entry, float(found.rating[0]), others, float(found.information[0]))
    return judge_newcomer(new, old.intervals, zero=None, overlap=1.0)


NEAR = [
    *(Design(2, 10), Design(3, 10), Design(5, 5), Design(5, 10), Design(5, 30, 2.0)),
    *(Design(10, 5), Design(10, 10), Design(10, 10, 2.0), Design(20, 3), Design(20, 5)),
    *(Design(20, 5, 2.0), Design(20, 10), Design(20, 10, 2.0), Design(20, 30)),
    *(Design(20, 20, played=10), Design(50, 5), Design(50, 10, 3.0)),
]


def _distance(design: Design, rng: np.random.Generator) -> tuple[float, float, float]:
    """From the rating that a refit gives: in standard errors, as it is, and as it is said."""
    players = design.players
    _, scores = design.draw(rng, 1)
    games = Games("within", make_results(scores[:, :players]))
    old = assess(games)
    found = _place(old, games, scores[:, players])
    wins = Games("within", make_results(scores)).count()
    refitted = fit(wins.wins, wins.design).beta
    distance = abs(float(found.value[0]) - float(refitted[players] - refitted[:players].mean()))
    said = refit_error(
        players,
        design.played or design.rounds,
        separated=old.intervals.structure.separated
        or not np.isfinite([found.low[0], found.high[0]]).all(),
    )
    return distance / float(found.se[0]), distance, said


@pytest.mark.slow
@pytest.mark.parametrize("design", NEAR, ids=[design.name for design in NEAR])
def test_a_new_rating_is_as_near_to_a_refit_as_is_said(design: Design) -> None:
    rng = np.random.default_rng(SEED)
    boards = BOARDS if design.players < 50 else BOARDS // 2
    error, plain, said = np.array([_distance(design, rng) for _ in range(boards)]).T
    usual = refit_error(design.players, design.played or design.rounds)
    if design is NEAR[0]:
        heads = ("said", "mean", "95%", "99%", "largest", "in EPP", "beyond", "of usual")
        print(f"\n\n{'':42}" + "".join(f"{head:>9}" for head in heads), end="")
    beyond, often = float((error > said).mean()), float((error > usual).mean())
    numbers = (usual, error.mean(), *np.quantile(error, (0.95, 0.99)), error.max(), plain.max())
    print(f"\n{design.name:42}" + "".join(f"{x:9.3f}" for x in (*numbers, beyond, often)), end="")
    assert beyond <= bar(0.01, boards, 2.0)


HOLD = [
    *(Design(5, 10), Design(10, 10), Design(30, 10), Design(30, 20)),
    *(Design(20, 5), Design(20, 10, 2.0), Design(20, 20, played=10)),
]


@pytest.mark.slow
@pytest.mark.parametrize("design", HOLD, ids=[design.name for design in HOLD])
def test_intervals_of_new_ratings_hold_as_they_promise(design: Design) -> None:
    rng = np.random.default_rng(SEED + 1)
    players, held, wide, found = design.players, [], [], []
    for _ in range(BOARDS):
        strength, scores = design.draw(rng, ARRIVALS)
        games = Games("within", make_results(scores[:, :players]))
        old = assess(games)
        target = strength[players:] - strength[:players].mean()
        said = [_place(old, games, column) for column in scores[:, players:].T]
        held.append([bool(covers(one, t)[0]) for one, t in zip(said, target, strict=True)])
        wide.append(np.mean([one.se[0] for one in said]))
        found.append(np.mean([one.low[0] > 0.0 or one.high[0] < 0.0 for one in said]))
    by_board = np.mean(held, axis=1)
    error = 2.0 * float(by_board.std(ddof=1) / np.sqrt(BOARDS))
    if design is HOLD[0]:
        print(f"\n\n{'':42}{'cover':>9}{'error':>9}{'se':>9}{'found':>9}", end="")
    numbers = (by_board.mean(), 0.5 * error, np.mean(wide), np.mean(found))
    print(f"\n{design.name:42}" + "".join(f"{x:9.3f}" for x in numbers), end="")
    assert 0.93 - error <= by_board.mean() <= 0.975 + error
