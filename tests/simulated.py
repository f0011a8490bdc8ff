"""Boards drawn from known strengths, and how often what is said of them is false.

No sample is left out. A design draws scores or battles in clusters of given sizes; `simulate` rates
each sample and counts false claims and intervals that miss their target, which is the rating that
infinitely many rounds would give.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from conftest import make_results
from scipy import sparse, stats

from winodds.arrays import Bools, Floats, Ints
from winodds.design.design import Cliques
from winodds.fit.newton import fit
from winodds.inference.claims import judge_pairs
from winodds.inference.contrasts import told_apart
from winodds.inference.intervals import Estimates, Uncertainty, quantify
from winodds.inference.pairwise import benjamini_hochberg, holm
from winodds.inference.structure import find_structure
from winodds.matches.games import Games
from winodds.matches.results import Battles

LEVEL = 0.95
SEED = 14

Sizes = Callable[[np.random.Generator], Ints]
"""How many rounds, or battles, each cluster of a sample holds."""


def spread(players: int, sd: float) -> Floats:
    """Strengths at the normal quantiles, the strongest first."""
    quantiles: Floats = stats.norm.ppf((np.arange(players) + 0.5) / players)[::-1] * sd
    return quantiles


def fixed(*sizes: int) -> Sizes:
    """The same sizes in every sample."""
    return lambda _: np.array(sizes)


def even(rounds: int) -> Sizes:
    """Every round is a cluster of its own."""
    return fixed(*[1] * rounds)


def pareto(clusters: int, least: int = 2, most: int = 300) -> Sizes:
    """Sizes with a heavy tail."""

    def draw(rng: np.random.Generator) -> Ints:
        sizes = np.floor(least * (1.0 + rng.pareto(1.3, clusters)))
        return np.minimum(sizes, most).astype(np.int64)

    return draw


@dataclass(frozen=True)
class Design:
    """Players of given strengths, and how scores, matches and clusters come about.

    Attributes
    ----------
    strengths : (m,); scores are strengths plus noise of sd 1.
    sizes : rounds or battles in each cluster.
    effect : sd of what a cluster adds to a player's strength.
    missing : share of scores that are missing.
    grid : scores are rounded to multiples of it; 0 for none.
    gumbel : whether the noise is Gumbel's, for which ratings are right, and not normal.
    kind : complete rounds, battles of random pairs, or data sets that are pooled, each a cluster.
    """

    name: str
    strengths: Floats
    sizes: Sizes
    samples: int = 1000
    effect: float = 0.0
    missing: float = 0.0
    grid: float = 0.0
    gumbel: bool = False
    kind: Literal["rounds", "battles", "pooled"] = "rounds"

    def draw(self, rng: np.random.Generator) -> Games:
        sizes, players = self.sizes(rng), self.strengths.size
        cluster = np.repeat(np.arange(sizes.size), sizes)
        shape = (cluster.size, players)
        noise = rng.gumbel(size=shape) if self.gumbel else rng.normal(size=shape)
        scores = self.strengths + noise
        if self.effect:
            scores += self.effect * rng.normal(size=(sizes.size, players))[cluster]
        if self.kind == "battles":
            return _battles(scores, cluster, rng)
        if self.grid:
            scores = np.round(scores / self.grid) * self.grid
        if self.missing:
            gone = rng.random(shape) < self.missing
            # Who would have no score at all keeps the first two.
            gone[:2] &= ~(gone.sum(axis=0) > gone.shape[0] - 2)
            scores[gone] = np.nan
        own = cluster.astype(np.float64)
        tournament = own if self.kind == "pooled" else None
        return Games("within", make_results(scores, cluster=own, tournament=tournament))

    def target(self) -> Floats:
        """(m,) ratings from infinitely many rounds."""
        chance = _chances(self.strengths, np.sqrt(1.0 + self.effect**2), self.grid)
        everyone = Cliques(sparse.csr_array(np.ones((1, self.strengths.size))), np.ones(1))
        return fit(chance.sum(axis=1), everyone, estimator="mle").beta


def _battles(scores: Floats, cluster: Ints, rng: np.random.Generator) -> Games:
    """A battle of two random players for each row of scores."""
    number, players = scores.shape
    first: Ints = np.asarray(rng.integers(players, size=number))
    second: Ints = np.asarray((first + rng.integers(1, players, size=number)) % players)
    row = np.arange(number)
    outcome = (scores[row, first] > scores[row, second]).astype(np.float64)
    return Games("battles", Battles(players, first, second, outcome, np.ones(number), cluster))


def _chances(strengths: Floats, sd: float, grid: float) -> Floats:
    """(m, m) chance that the row's score is larger, ties counted half; 0 on the diagonal."""
    if not grid:
        chance = stats.norm.cdf((strengths[:, None] - strengths[None, :]) / (np.sqrt(2.0) * sd))
    else:
        middle = np.arange(np.floor((strengths.min() - 9.0) / grid), (strengths.max() + 9.0) / grid)
        ends = (np.append(middle, middle[-1] + 1.0) - 0.5) * grid
        share = np.diff(stats.norm.cdf((ends[None, :] - strengths[:, None]) / sd), axis=1)
        chance = share @ (np.cumsum(share, axis=1) - 0.5 * share).T
    np.fill_diagonal(chance, 0.0)
    return np.asarray(chance, np.float64)


def assess(games: Games) -> Uncertainty:
    """The uncertainty of the ratings of a sample, of which every player must have one."""
    wins = games.count()
    structure = find_structure(wins)
    assert structure.connected
    return quantify(wins, fit(wins.wins, wins.design), structure, level=LEVEL)


@dataclass
class Tally:
    """Shares of samples, and of pairs or players where it says so.

    Attributes
    ----------
    single : of equal pairs, those that their own test tells apart.
    max_t, holm, bh, simultaneous : any false claim about a pair, or an end of any rank range.
    low, high : (m,) the range's end is beyond the player's true ranks.
    best : (m,) of the truly best players, those left out of the set of who could be best; 0 else.
    could : players who could be best, by the tests alone.
    found, found_by_holm, found_by_bh : of pairs that truly differ, those that are told apart.
    rating, difference : (m,), (k,) intervals that hold their target.
    by_flips : samples in which flips decided about all pairs.
    df : degrees of freedom that half of the players reach.
    width : ranks in a range.
    """

    single: float
    max_t: float
    holm: float
    bh: float
    simultaneous: float
    low: Floats
    high: Floats
    best: Floats
    could: float
    found: float
    found_by_holm: float
    found_by_bh: float
    rating: Floats
    difference: Floats
    by_flips: float
    df: float
    width: float


def covers(estimates: Estimates, target: Floats) -> Bools:
    """Whether each interval holds its target; rounding aside, because ends may lie at 0."""
    held: Bools = (estimates.low <= target + 1e-9) & (target <= estimates.high + 1e-9)
    return held


class Truth:
    """What is true of the players of a design."""

    def __init__(self, design: Design) -> None:
        strengths = design.strengths
        self.players = strengths.size
        self.first, self.second = np.triu_indices(self.players, 1)
        self.target = design.target()
        self.sign = np.sign(strengths[self.first] - strengths[self.second])
        better = strengths[:, None] > strengths[None, :]
        self.lowest, self.highest = 1 + better.sum(axis=0), self.players - better.sum(axis=1)

    def look(self, found: Uncertainty, seed: int) -> Tally:
        """What one sample says, against what is true."""
        claims = judge_pairs(found, seed)
        pairs = found.contrasts(self.first, self.second)
        p, seen = pairs.p_value(), np.sign(pairs.value)
        alone, by_holm, by_bh = (
            told_apart(adjusted, LEVEL) for adjusted in (p, holm(p), benjamini_hochberg(p))
        )
        all_apart = told_apart(claims.p, LEVEL)
        apart = all_apart[self.first, self.second]
        false, true = seen != self.sign, self.sign != 0.0
        low, high = 1 + claims.better, self.players - claims.worse
        ahead = found.intervals.beta[:, None] < found.intervals.beta[None, :]
        every_low = 1 + (all_apart & ahead).sum(axis=1)
        every_high = self.players - (all_apart & ~ahead).sum(axis=1)
        ends = (every_low > self.lowest) | (every_high < self.highest)
        differ = self.target[self.first] - self.target[self.second]
        return Tally(
            single=_share(alone[~true]),
            max_t=float((apart & false).any()),
            holm=float((by_holm & false).any()),
            bh=float((by_bh & false).any()),
            simultaneous=float(ends.any()),
            low=np.asarray(low > self.lowest, np.float64),
            high=np.asarray(high < self.highest, np.float64),
            best=np.asarray((low > 1) & (self.lowest == 1), np.float64),
            could=float((low == 1).sum()),
            found=_share((apart & ~false)[true]),
            found_by_holm=_share((by_holm & ~false)[true]),
            found_by_bh=_share((by_bh & ~false)[true]),
            rating=covers(found.of_ratings(), found.intervals.around_average(self.target)).astype(
                np.float64
            ),
            difference=covers(found.of_differences(self.first, self.second), differ).astype(
                np.float64
            ),
            by_flips=float(claims.adjust == "max-t"),
            df=found.clustering.typical,
            width=float((high - low + 1).mean()),
        )


def _share(chosen: Bools) -> float:
    return float(chosen.mean()) if chosen.size else 0.0


def bar(share: float, samples: int, errors: float = 1.0) -> float:
    """A share that may be exceeded by so many errors of its simulation."""
    return share + errors * float(np.sqrt(share * (1.0 - share) / samples))


def simulate(design: Design, seed: int = SEED) -> Tally:
    """Means over the samples of a design."""
    rng, truth = np.random.default_rng(seed), Truth(design)
    looks = [truth.look(assess(design.draw(rng)), k) for k in range(design.samples)]
    names = Tally.__dataclass_fields__
    means = {name: np.mean([getattr(look, name) for look in looks], axis=0) for name in names}
    return Tally(**means)
