"""How often intervals of synergy and of worth hold the truth; `make test-slow` prints it.

Solos of normal strengths (sd 0.8) and teams of random members, rated as their members are on
average plus a synergy (mean 0.5, sd 0.4) plus their members' worths (sd 0.3), in complete rounds
with Gumbel's noise, for which ratings are right. No board is left out.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from conftest import make_results
from simulated import assess, covers

from winodds.arrays import Bools, Floats
from winodds.inference.combinations import combine
from winodds.inference.intervals import Uncertainty
from winodds.inference.membership import synergy_rows, worth_rows
from winodds.matches.games import Games

BOARDS = 400
SEED = 15


@dataclass(frozen=True)
class Design:
    """Solos, teams of a size, and rounds."""

    solos: int
    teams: int
    size: int
    rounds: int

    @property
    def name(self) -> str:
        return f"{self.solos} solos, {self.teams} teams of {self.size}, {self.rounds} rounds"

    def draw(self, rng: np.random.Generator) -> tuple[Bools, Floats, Uncertainty]:
        """Membership, true strengths of solos and teams, and what a board says."""
        belongs = self._membership(rng)
        solo = 0.8 * rng.normal(size=self.solos)
        synergy = 0.5 + 0.4 * rng.normal(size=self.teams)
        worth = 0.3 * rng.normal(size=self.solos)
        strength = np.concatenate([solo, belongs @ (solo / self.size + worth) + synergy])
        scores = strength + rng.gumbel(size=(self.rounds, strength.size))
        return belongs, strength, assess(Games("within", make_results(scores)))

    def _membership(self, rng: np.random.Generator) -> Bools:
        chosen: set[tuple[int, ...]] = set()
        while len(chosen) < self.teams:
            chosen.add(tuple(sorted(rng.permutation(self.solos)[: self.size].tolist())))
        belongs = np.zeros((self.teams, self.solos), np.bool_)
        for row, members in zip(belongs, sorted(chosen), strict=True):
            row[list(members)] = True
        return belongs


DESIGNS = [
    Design(8, 12, 3, 10),
    Design(8, 12, 3, 20),
    Design(10, 20, 2, 10),
    Design(6, 6, 3, 5),
    Design(12, 40, 4, 20),
]
HEADS = ("synergy", "worst", "mean", "worth", "told", "by model", "bias", "mid bias", "found")


def _look(design: Design, rng: np.random.Generator) -> dict[str, Floats]:
    """What one board says, against what is true."""
    belongs, strength, found = design.draw(rng)
    team = design.solos + np.arange(design.teams)
    rows = synergy_rows(belongs, team, np.arange(design.solos), strength.size)
    rows = np.concatenate([rows, rows.mean(axis=0, keepdims=True)])
    worths = worth_rows(belongs)
    of_worths = np.zeros((design.solos, strength.size))
    of_worths[:, design.solos :] = worths.rows
    synergy, worth = combine(found, rows), combine(found, of_worths)
    held = covers(synergy, rows @ strength).astype(np.float64)
    own = found.intervals
    spread = np.einsum("km,mk->k", rows, found.information.solve(rows.T))
    error = np.abs(rows @ (own.beta - strength))
    bounded = np.isfinite(synergy.low) & np.isfinite(synergy.high)
    middle = np.where(bounded, 0.5 * (synergy.low + synergy.high), synergy.value)
    return {
        "synergy": held[:-1],
        "mean": held[-1:],
        "worth": covers(worth, of_worths @ strength).astype(np.float64)[worths.told],
        "told": worths.told.astype(np.float64),
        "by model": (error <= 1.96 * np.sqrt(spread))[:-1].astype(np.float64),
        "bias": (synergy.value - rows @ strength)[:-1],
        "mid bias": (middle - rows @ strength)[:-1],
        "found": ((synergy.low > 0.0) | (synergy.high < 0.0))[:-1].astype(np.float64),
    }


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS, ids=[design.name for design in DESIGNS])
def test_synergy_and_worth_cover_as_they_promise(design: Design) -> None:
    rng = np.random.default_rng(SEED)
    looks = [_look(design, rng) for _ in range(BOARDS)]
    mean = {name: float(np.concatenate([one[name] for one in looks]).mean()) for name in looks[0]}
    mean["worst"] = float(np.mean([one["synergy"] for one in looks], axis=0).min())
    if design is DESIGNS[0]:
        print(f"\n\n{'':42}" + "".join(f"{head:>9}" for head in HEADS), end="")
    print(f"\n{design.name:42}" + "".join(f"{mean[head]:9.3f}" for head in HEADS), end="")
    for name in ("synergy", "worth"):
        error = 2.0 * _board_error([one[name] for one in looks])
        assert 0.93 - error <= mean[name] <= 0.975 + error, name
    # The mean over all teams is one interval a board, so that chance counts for more.
    assert 0.93 - 0.022 <= mean["mean"] <= 0.975 + 0.022
    assert mean["found"] > 0.05


def _board_error(held: list[Floats]) -> float:
    """Standard error of a share, whole boards being the independent units."""
    own = np.array([one.mean() for one in held if one.size])
    return float(own.std(ddof=1) / np.sqrt(own.size))
