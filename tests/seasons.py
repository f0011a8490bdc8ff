"""Seasons drawn from known strengths: many small boards, rated as the library rates them.

Players have a strength, and in every tournament their own deviation from it. What a season shows
is a table of differences in each tournament, and what is true of a new one is known.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from conftest import make_results
from scipy import sparse, stats
from scipy.special import expit

from winodds.arrays import Bools, Floats, Ints
from winodds.design.design import Cliques
from winodds.fit.many import fit_many
from winodds.fit.newton import Fit
from winodds.inference.intervals import Uncertainty, quantify
from winodds.inference.structure import find_structure
from winodds.matches.games import Games
from winodds.season.lineup import PairTable

PAIRS = 150
"""Pairs of a season that are looked at, at most."""

NEW = 10
"""New boards for each season."""

AIMS = 60
"""New data sets of normal scores for each season."""

POINTS = 801
"""Points of a law over which its mean is taken."""

ENDLESS = 1e6
"""Rounds that leave no luck."""

GUMBEL_SD = np.pi / np.sqrt(6.0)


@dataclass(frozen=True)
class World:
    """Where seasons come from.

    Attributes
    ----------
    tournaments, players, rounds : of a season.
    tau : standard deviation of a player's deviations; those of a difference have √2 of it.
    missing : share of players who are missing in a tournament.
    law : of the deviations.
    noise : of scores; ratings are right for Gumbel's.
    strengths : standard deviation of the players' strengths.
    seasons : how many are drawn.
    """

    tournaments: int
    players: int
    rounds: int
    tau: float
    missing: float = 0.0
    law: Literal["normal", "t(4)"] = "normal"
    noise: Literal["Gumbel", "normal"] = "Gumbel"
    strengths: float = 1.0
    seasons: int = 400

    @property
    def name(self) -> str:
        own = f"{self.tournaments} × {self.players} × {self.rounds}, τ {self.tau:g}"
        extras = [
            f"{self.missing:.0%} missing" if self.missing else "",
            self.law if self.law != "normal" else "",
            "normal scores" if self.noise == "normal" else "",
            f"strengths {self.strengths:g}" if self.strengths != 1.0 else "",
        ]
        return ", ".join([own, *filter(None, extras)])

    def deviate(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        """Deviations of players, of sd tau."""
        own = rng.normal(size=shape)
        if self.law == "t(4)":
            own = np.sqrt(0.5) * rng.standard_t(4, size=shape)
        return np.asarray(self.tau * own, np.float64)

    def play(self, rng: np.random.Generator, truth: Floats) -> Floats:
        """(B, R, m) scores of tournaments with true strengths (B, m); NaN for missing players."""
        shape = (truth.shape[0], self.rounds, self.players)
        noise = rng.gumbel(size=shape)
        if self.noise == "normal":
            noise = GUMBEL_SD * rng.normal(size=shape)
        gone = rng.random(truth.shape) < self.missing
        # Three players at least take part.
        gone &= np.argsort(rng.random(truth.shape), axis=1) >= 3
        return np.where(gone[:, None, :], np.nan, truth[:, None, :] + noise)

    def differences(self, rng: np.random.Generator) -> Floats:
        """(N,) the law of a difference's deviation, as quantiles from the smallest on."""
        if self.law == "normal":
            grid = (np.arange(POINTS) + 0.5) / POINTS
            return np.asarray(np.sqrt(2.0) * self.tau * stats.norm.ppf(grid), np.float64)
        one, other = self.deviate(rng, (2, 250 * POINTS))
        return np.asarray(np.sort(one - other)[125::250], np.float64)


@dataclass(frozen=True)
class Drawn:
    """One season, and what a new tournament brings for its k pairs.

    Attributes
    ----------
    table : the pairs in its tournaments.
    strength : (k,) difference of strengths.
    new : (N, k) true differences in new tournaments.
    chance : (k,) probability that the first wins a round of a new tournament.
    shown : (NEW, k) differences that new boards show; NaN where one is missing.
    """

    table: PairTable
    strength: Floats
    new: Floats
    chance: Floats
    shown: Floats


def draw_seasons(world: World, seed: int) -> Iterator[Drawn]:
    """All seasons of a world."""
    rng = np.random.default_rng(seed)
    players, tournaments = world.players, world.tournaments
    strengths = world.strengths * rng.normal(size=(world.seasons, 1, players))
    truth = strengths + world.deviate(rng, (world.seasons, tournaments, players))
    later = strengths + world.deviate(rng, (world.seasons, NEW, players))
    scores = world.play(rng, truth.reshape(-1, players))
    ratings = rate_many(scores)
    shown = rate_many(world.play(rng, later.reshape(-1, players))).reshape(later.shape)
    law = world.differences(rng)
    aims = _aims(world, strengths, rng) if world.noise == "normal" else None
    for season in range(world.seasons):
        first, second = some_pairs(rng, players)
        own = slice(season * tournaments, (season + 1) * tournaments)
        strength = strengths[season, 0, first] - strengths[season, 0, second]
        new = strength + law[:, None]
        chance = np.asarray(expit(new).mean(axis=0), np.float64)
        if aims is not None:
            new = aims[season][:, first] - aims[season][:, second]
            chance = stats.norm.cdf(strength / np.sqrt(2.0 * (GUMBEL_SD**2 + world.tau**2)))
            strength = new.mean(axis=0)
        board = shown[season]
        table = tabulate(scores[own], ratings[own], first, second)
        yield Drawn(table, strength, new, chance, board[:, first] - board[:, second])


def some_pairs(rng: np.random.Generator, players: int) -> tuple[Ints, Ints]:
    """All pairs of players, or as many as are looked at, either of them first."""
    first, second = np.triu_indices(players, 1)
    chosen = rng.permutation(first.size)[:PAIRS]
    turned = rng.random(chosen.size) < 0.5
    return (
        np.where(turned, second[chosen], first[chosen]),
        np.where(turned, first[chosen], second[chosen]),
    )


def _aims(world: World, strengths: Floats, rng: np.random.Generator) -> Floats:
    """(S, AIMS, m) ratings that endless rounds of normal scores would give in new tournaments.

    Deviations come with their opposites, so that their mean is 0.
    """
    half = world.deviate(rng, (world.seasons, AIMS // 2, world.players))
    truth = strengths + np.concatenate([half, -half], axis=1)
    apart = truth[..., :, None] - truth[..., None, :]
    chance = stats.norm.cdf(apart / (np.sqrt(2.0) * GUMBEL_SD))
    wins = ENDLESS * (chance.sum(axis=-1) - 0.5).reshape(-1, world.players)
    found = fit_many(wins, complete(world.players, ENDLESS), start=np.zeros(world.players))
    return found.reshape(truth.shape)


# Ratings ------------------------------------------------------------------------------------------


def complete(players: int, rounds: float) -> Cliques:
    """Everyone met everyone in so many rounds."""
    return Cliques(sparse.csr_array(np.ones((1, players))), np.array([rounds]))


def rate_many(scores: Floats) -> Floats:
    """(B, m) ratings of boards (B, R, m) without ties; NaN for players who are missing."""
    there = ~np.isnan(scores[:, 0, :])
    ratings = np.full(there.shape, np.nan)
    number = there.sum(axis=1)
    for players in np.unique(number).tolist():
        rows = np.flatnonzero(number == players)
        own = np.nonzero(there[rows])[1].reshape(rows.size, players)
        played = np.take_along_axis(scores[rows], own[:, None, :], axis=2)
        wins = played.argsort(axis=2).argsort(axis=2).sum(axis=1).astype(np.float64)
        design = complete(players, float(scores.shape[1]))
        found = fit_many(wins, design, start=np.zeros(players))
        ratings[rows[:, None], own] = found
    return ratings


def assess(scores: Floats, rating: Floats) -> Uncertainty:
    """The uncertainty of the ratings of one board."""
    wins = Games("within", make_results(scores)).count()
    fitted = Fit(rating, wins.design.information()(rating, 0.0), 0)
    return quantify(wins, fitted, find_structure(wins))


def tabulate(scores: Floats, ratings: Floats, first: Ints, second: Ints) -> PairTable:
    """Pairs of players in tournaments (T, R, m) with these ratings, (T, m), as a lineup does it."""
    shape = (len(scores), first.size)
    value, variance, bias = (np.full(shape, np.nan) for _ in range(3))
    below, above = (np.zeros(shape, np.bool_) for _ in range(2))
    for number, (played, rating) in enumerate(zip(scores, ratings, strict=True)):
        there: Bools = ~np.isnan(rating)
        place = np.cumsum(there) - 1
        met = np.flatnonzero(there[first] & there[second])
        one, other = place[first[met]], place[second[met]]
        board = assess(played[:, there], rating[there])
        found, own = board.contrasts(one, other), board.intervals
        assert found.by_clusters is not None
        value[number, met] = found.value
        variance[number, met] = found.by_clusters**2
        bias[number, met] = own.bias[one] - own.bias[other]
        below[number, met] = ~own.structure.reaches(one, other)
        above[number, met] = ~own.structure.reaches(other, one)
    return PairTable(value, variance, bias, below, above)
