"""Do nominal 95% intervals cover 95% of the time? Simulated; `make test-slow` prints the table.

No sample is left out: those in which somebody won or lost every match have open intervals. The
target is the rating that infinitely many rounds would give. Beside the intervals of Winodds, the
table shows those that take matches as independent, which is what other tools print.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
from conftest import make_results
from scipy import sparse, stats

from winodds.arrays import Floats
from winodds.design.design import Cliques
from winodds.fit.newton import fit
from winodds.inference.intervals import Estimates, quantify
from winodds.inference.structure import find_structure
from winodds.matches.across import count_across
from winodds.matches.results import Results
from winodds.matches.wins import Wins
from winodds.matches.within import count_within

SAMPLES = 2000
HEADER = (
    f"{'design':34} {'separated':>9} | {'mean':>5} {'worst':>5} {'top':>5} | {'mean':>5} "
    f"{'worst':>5} {'cuts':>5} | {'model':>5}"
)


def _spread(players: int, sd: float) -> Floats:
    """Strengths at the normal quantiles."""
    quantiles: Floats = stats.norm.ppf((np.arange(players) + 0.5) / players) * sd
    return quantiles


@dataclass(frozen=True)
class Design:
    """Players of given strengths, and how scores, matches and clusters come about.

    ``noise_sd`` is that of the difference's two scores in the long run, which sets the target.
    """

    name: str
    strengths: Floats
    rounds: int
    missing: float = 0.0
    newcomer: int = 0
    grid: float = 0.0
    round_sd: float = 0.0
    folds: int = 1
    dataset_sd: float = 0.0
    across: bool = False
    gumbel: bool = False
    samples: int = SAMPLES
    count: Callable[[Results], Wins] = field(default=count_within)

    def draw(self, rng: np.random.Generator) -> Results:
        players, rounds = self.strengths.size, self.rounds
        shape = (rounds * self.folds, players)
        noise = rng.gumbel(size=shape) if self.gumbel else rng.normal(size=shape)
        effect = np.repeat(rng.normal(size=(rounds, players)) * self.dataset_sd, self.folds, axis=0)
        scores = self.strengths + effect + noise + self.round_sd * rng.normal(size=(shape[0], 1))
        if self.grid:
            scores = np.round(scores / self.grid) * self.grid
        scores[rng.random(shape) < self.missing] = np.nan
        if self.newcomer:
            scores[self.newcomer :, players // 2] = np.nan
        if self.folds == 1:
            return make_results(scores, across=self.across)
        tournament = np.repeat(np.arange(float(rounds)), self.folds)
        return make_results(scores, cluster=tournament, tournament=tournament)

    def target(self) -> Floats:
        """Ratings from infinitely many rounds."""
        difference = self.strengths[:, None] - self.strengths[None, :]
        if self.gumbel:
            return np.asarray(self.strengths - self.strengths.mean())
        sd = np.sqrt(2.0 * (1.0 + self.dataset_sd**2))
        if self.across:
            sd = np.sqrt(2.0 * (1.0 + self.round_sd**2))
        chance = stats.norm.cdf(difference / sd)
        np.fill_diagonal(chance, 0.0)
        everyone = Cliques(sparse.csr_array(np.ones((1, self.strengths.size))), np.ones(1))
        return fit(chance.sum(axis=1), everyone, estimator="mle").beta


DESIGNS = [
    Design("2 × 10, odds e² to 1", np.array([0.0, 2.0]), 10, gumbel=True),
    Design("3 × 10", _spread(3, 1.0), 10),
    Design("6 × 5", _spread(6, 0.7), 5),
    Design("6 × 10, wide", _spread(6, 2.0), 10),
    Design("8 × 15", _spread(8, 1.0), 15),
    Design("8 × 15, and one who loses all", np.append(_spread(8, 1.0), -9.0), 15),
    Design("16 × 19", _spread(16, 1.0), 19),
    Design("16 × 19, equal players", _spread(16, 0.0), 19),
    Design("16 × 19, wide", _spread(16, 2.0), 19),
    Design("16 × 19, very wide", _spread(16, 4.0), 19),
    Design("16 × 19, ties", _spread(16, 1.0), 19, grid=0.5),
    Design("16 × 19, 30% missing", _spread(16, 1.0), 19, missing=0.3),
    Design("16 × 20, one player in 3 rounds", _spread(16, 1.0), 20, newcomer=3),
    Design("50 × 20, one player in 3 rounds", _spread(50, 1.0), 20, newcomer=3),
    Design("30 × 10", _spread(30, 1.0), 10),
    Design("50 × 20", _spread(50, 1.0), 20),
    Design("50 × 20, wide", _spread(50, 2.0), 20),
    Design("8 × 10, across rounds", _spread(8, 1.0), 10, across=True, count=count_across),
    Design(
        "8 × 20, across, round effects",
        _spread(8, 1.0),
        20,
        round_sd=1.0,
        across=True,
        count=count_across,
    ),
    Design("20 × 20, across rounds", _spread(20, 1.0), 20, across=True, count=count_across),
    Design("8 × 30 data sets × 10 folds", _spread(8, 1.0), 30, folds=10, dataset_sd=1.0),
]


@dataclass
class Coverage:
    """How often intervals held their target, added up over samples."""

    ratings: Floats
    differences: Floats
    model: Floats
    cuts: int = 0
    cut_pairs: int = 0
    separated: int = 0


def _covers(estimates: Estimates, target: Floats) -> Floats:
    return ((estimates.low <= target) & (target <= estimates.high)).astype(np.float64)


def _simulate(design: Design) -> Coverage:
    rng = np.random.default_rng(20)
    players = design.strengths.size
    first, second = np.triu_indices(players, 1)
    target = design.target()
    total = Coverage(np.zeros(players), np.zeros(first.size), np.zeros(players))
    for _ in range(design.samples):
        wins = design.count(design.draw(rng))
        structure = find_structure(wins)
        assert structure.connected
        found = fit(wins.wins, wins.design)
        uncertainty = quantify(wins, found, structure)
        around = uncertainty.intervals.around_average(target)
        total.ratings += _covers(uncertainty.of_ratings(), around)
        held = _covers(uncertainty.of_differences(first, second), target[first] - target[second])
        total.differences += held
        across = structure.part[first] != structure.part[second]
        total.cuts += int(held[across].sum())
        total.cut_pairs += int(across.sum())
        total.separated += structure.separated
        model = quantify(wins, found, structure, kind="model").of_ratings()
        total.model += np.abs(model.value - around) <= stats.norm.ppf(0.975) * model.se
    return total


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS, ids=[design.name for design in DESIGNS])
def test_intervals_cover_as_often_as_they_promise(design: Design) -> None:
    found, samples = _simulate(design), design.samples
    ratings, differences = found.ratings / samples, found.differences / samples
    often = found.separated >= 0.01 * samples
    cuts = f"{found.cuts / found.cut_pairs:5.3f}" if often else "    –"
    if design is DESIGNS[0]:
        print(f"\n\n{'':34} {'samples':>9} | {'ratings':^17} | {'differences':^17} |")
        print(HEADER, end="")
    print(
        f"\n{design.name:34} {found.separated / samples:9.1%} | {ratings.mean():5.3f} "
        f"{ratings.min():5.3f} {ratings[design.strengths.argmax()]:5.3f} | "
        f"{differences.mean():5.3f} {differences.min():5.3f} {cuts} | "
        f"{found.model.mean() / samples:5.3f} ",
        end="",
    )
    error = np.sqrt(0.95 * 0.05 / samples)
    for mean in (ratings.mean(), differences.mean()):
        assert 0.935 - 2.0 * error <= mean <= 0.985 + 2.0 * error
    assert ratings.min() >= 0.92 - 2.0 * error
    assert differences.min() >= 0.92 - 3.0 * error
