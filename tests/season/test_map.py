"""What the map of data sets says, and how often it is right; `make test-slow` prints it.

Data sets come in four kinds. Players have an average strength and two loadings, data sets two
factors around those of their kind, and there is a rest; scores are Gumbel's, for which ratings are
right. The first data set of every season is turned round. No season is left out.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from conftest import make_results
from scipy.special import expit
from simulated import bar

from winodds.arrays import Bools, Floats, Ints
from winodds.fit.newton import fit
from winodds.inference.intervals import Uncertainty, quantify
from winodds.inference.moderation import make_noise
from winodds.inference.structure import find_structure
from winodds.matches.games import Games
from winodds.season.distance import measure
from winodds.season.factor import choose_factors
from winodds.season.odd import find_reversed, rank_rounds
from winodds.season.place import Tried, place
from winodds.season.rated import Rated, tabulate

KINDS = 4
TRIED, ROUNDS_TRIED = 6, 3

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Shape:
    """Players, data sets and rounds of a season, what is missing, and the sd of the rest."""

    players: int
    tournaments: int
    rounds: int
    missing: float = 0.0
    rest: float = 0.2
    samples: int = 100

    def __str__(self) -> str:
        return (
            f"{self.players:4} × {self.tournaments:2} × {self.rounds:2}, {self.missing:3.0%} gone, "
            f"rest {self.rest}"
        )


def true_ratings(shape: Shape, rng: np.random.Generator, new: int = 0) -> Floats:
    """(m, T + new) true ratings; the first data set is turned round."""
    number = shape.tournaments + new
    middle = 1.2 * rng.normal(size=(KINDS, 2))
    place_of = middle[np.arange(number) % KINDS] + 0.25 * rng.normal(size=(number, 2))
    loadings = 0.8 * rng.normal(size=(shape.players, 2))
    true = 0.8 * rng.normal(size=shape.players)[:, None] + loadings @ place_of.T
    true += shape.rest * rng.normal(size=true.shape)
    true[:, 0] *= -1.0
    return np.asarray(true, np.float64)


def play(true: Floats, rounds: int, rng: np.random.Generator) -> Floats:
    """(R, m) scores of players with (m,) true ratings."""
    return np.asarray(true + rng.gumbel(size=(rounds, true.size)), np.float64)


def who_plays(shape: Shape, rng: np.random.Generator) -> Bools:
    """(m, T) who takes part; everyone does somewhere, and at least eight do everywhere."""
    there: Bools = rng.random((shape.players, shape.tournaments)) >= shape.missing
    there[:8] = there[:, 0] = True
    return there


def rate(scores: Floats) -> Uncertainty:
    wins = Games("within", make_results(scores)).count()
    return quantify(wins, fit(wins.wins, wins.design), find_structure(wins))


def rate_all(true: Floats, there: Bools, rounds: int, rng: np.random.Generator) -> list[Rated]:
    """The ratings of all data sets of a season."""
    found = []
    for number in range(there.shape[1]):
        places = np.flatnonzero(there[:, number])
        sure = rate(play(true[places, number], rounds, rng))
        own = sure.intervals
        assert own.influence is not None
        found.append(
            Rated(
                places,
                own.beta - own.bias,
                sure.of_ratings("all").se ** 2,
                sure.clustering.lifted(own.influence),
                sure.clustering.typical,
            )
        )
    return found


def head(title: str, *names: str) -> None:
    print(f"\n\n{title:34} " + " ".join(f"{name:>8}" for name in names))


def line(shape: Shape, *numbers: float) -> None:
    cells = (f"{own:8}" if isinstance(own, int) else f"{own:8.3f}" for own in numbers)
    print(f"{shape!s:34} " + " ".join(cells))


# Reversed data sets -------------------------------------------------------------------------------

ODD = [
    Shape(11, 11, 10, samples=300),
    Shape(11, 11, 20, samples=300),
    Shape(11, 20, 10, samples=200),
    Shape(30, 12, 10, samples=200),
    Shape(30, 12, 10, 0.3, samples=200),
    Shape(50, 20, 10, 0.3, samples=100),
    Shape(100, 34, 20, 0.3, samples=40),
]


def true_agreement(true: Floats, there: Bools) -> Floats:
    """(T,) correlation of true ratings with the mean relative rank in infinitely many rounds.

    Of the others, as the test has it: ranks of who takes part, averaged over data sets.
    """
    ranks = np.full(true.shape, np.nan)
    for number in range(true.shape[1]):
        own = true[there[:, number], number]
        chance = expit(own[:, None] - own[None, :]).mean(axis=1)
        ranks[there[:, number], number] = chance
    total, count = np.nansum(ranks, axis=1), there.sum(axis=1)
    found = np.empty(true.shape[1])
    for number in range(true.shape[1]):
        both = there[:, number] & (count > 1)
        others = (total[both] - ranks[both, number]) / (count[both] - 1)
        found[number] = np.corrcoef(ranks[both, number], others)[0, 1]
    return found


def test_reversed_data_sets_are_found_and_others_are_not() -> None:
    head("reversed data sets", "n", "truly", "found", "positive", "false", "any")
    for shape in ODD:
        rng = np.random.default_rng(6)
        agreement, claimed = list[Floats](), list[Bools]()
        for _ in range(shape.samples):
            true, there = true_ratings(shape, rng), who_plays(shape, rng)
            ranked = [
                rank_rounds(play(true[own, k], shape.rounds, rng), own, np.arange(shape.rounds))
                for k, own in enumerate(map(np.flatnonzero, there.T))
            ]
            claimed.append(find_reversed(ranked, shape.players).reversed)
            agreement.append(true_agreement(true, there))
        truly, positive = np.array(agreement) < -0.3, np.array(agreement) > 0.0
        said = np.array(claimed)
        found, false = said[truly].mean(), said[positive].mean()
        any_false = (said & positive).any(axis=1).mean()
        line(
            shape,
            *(shape.samples, int(truly.sum()), found, int(positive.sum()), false, any_false),
        )
        wanted = 0.95 if shape.players >= 30 else 0.85
        assert found >= wanted - (bar(wanted, int(truly.sum())) - wanted)
        assert false <= 0.02
        assert any_false <= bar(0.05, shape.samples)


NOISE = [(3, 2, 3), (3, 3, 5), (4, 2, 4), (4, 3, 10), (3, 5, 10), (11, 2, 11), (11, 5, 11)]
"""Players, rounds and data sets of seasons without any strengths."""

ALONE = [(11, 10, 11, 1.0), (11, 10, 11, 3.0), (4, 10, 11, 2.0), (30, 5, 12, 2.0)]
"""The same, and the spread of strengths that all data sets share but one, which has none."""


def test_data_sets_without_any_order_are_not_said_to_reverse_that_of_others() -> None:
    samples = 1000
    print("\n\nseasons with a false claim: players × rounds × data sets")
    for players, rounds, tournaments in NOISE:
        rng, false = np.random.default_rng(10), 0
        shape = (tournaments, rounds, players)
        for _ in range(samples):
            ranked = [
                rank_rounds(own, np.arange(players), np.arange(rounds))
                for own in rng.normal(size=shape)
            ]
            false += bool(find_reversed(ranked, players).reversed.any())
        print(f"noise {players:2} × {rounds:2} × {tournaments:2}: {false / samples:.3f}")
        assert false / samples <= bar(0.05, samples)
    for players, rounds, tournaments, spread in ALONE:
        rng, false = np.random.default_rng(11), 0
        for _ in range(samples):
            true = spread * rng.normal(size=players)[:, None] + 0.3 * rng.normal(
                size=(players, tournaments)
            )
            true[:, 0] = 0.0
            ranked = [
                rank_rounds(play(own, rounds, rng), np.arange(players), np.arange(rounds))
                for own in true.T
            ]
            false += bool(find_reversed(ranked, players).reversed.any())
        print(
            f"one without order, {players:2} × {rounds:2} × {tournaments:2}, spread {spread}: "
            f"{false / samples:.3f}"
        )
        assert false / samples <= bar(0.05, samples)


def test_a_family_turned_round_is_found_in_its_question_only() -> None:
    """Of 44 players in four families, eleven have their order reversed in the first data set."""
    shape, rng = Shape(44, 12, 10, samples=100), np.random.default_rng(7)
    family, asked = np.arange(44) % 4, 0
    found, missed, false = 0, 0, 0
    for _ in range(shape.samples):
        true = true_ratings(shape, rng)
        true[:, 0] *= -1.0
        own = family == 0
        true[own, 0] = 2.0 * true[own, 0].mean() - true[own, 0]
        scores = [play(true[:, k], shape.rounds, rng) for k in range(shape.tournaments)]
        for which in range(-1, 4):
            members = np.flatnonzero((family == which) | (which < 0))
            tables = [
                rank_rounds(table[:, members], members, np.arange(shape.rounds)) for table in scores
            ]
            agreement = true_agreement(true[members], np.ones((members.size, 12), bool))
            said = find_reversed(tables, 44).reversed
            if which == 0 and agreement[0] < -0.3:
                asked += 1
                found += bool(said[0])
            elif which < 0:
                missed += bool(said[0])
            false += bool((said & (agreement > 0.0)).any())
    print(
        f"\n\nfamily turned round in one of 12 data sets: found in {found / asked:.3f} of {asked}, "
        f"over all players {missed / shape.samples:.3f}; questions with a false claim "
        f"{false / shape.samples / 5:.4f}"
    )
    assert found / asked >= 0.85
    assert missed / shape.samples <= 0.1
    assert false / shape.samples / 5 <= bar(0.05, 5 * shape.samples)


# Distances ----------------------------------------------------------------------------------------

FAR = [
    Shape(50, 12, 10, samples=25),
    Shape(50, 12, 10, 0.3, samples=25),
    Shape(50, 12, 5, 0.3, samples=25),
    Shape(11, 11, 20, samples=50),
    Shape(11, 11, 10, samples=50),
    Shape(100, 12, 20, 0.3, 0.5, samples=12),
    Shape(200, 12, 10, 0.3, 0.5, samples=6),
]


def test_squared_distances_are_right_on_average_and_within_their_intervals() -> None:
    head("squared distances", "n", "true", "naive", "found", "cover", "nearest")
    for shape in FAR:
        rng = np.random.default_rng(8)
        sums, held, nearest = np.zeros(3), list[float](), list[float]()
        for _ in range(shape.samples):
            true, there = true_ratings(shape, rng), who_plays(shape, rng)
            found = measure(rate_all(true, there, shape.rounds, rng))
            wanted = np.zeros_like(found.square)
            for one in range(shape.tournaments):
                for other in range(shape.tournaments):
                    both = there[:, one] & there[:, other]
                    wanted[one, other] = (true[both, one] - true[both, other]).var()
            pairs = np.tril_indices(shape.tournaments, -1)
            sums += [own[pairs].sum() for own in (wanted, found.square + found.noise, found.square)]
            held.append(float(((found.low <= wanted) & (wanted <= found.high))[pairs].mean()))
            kind = np.arange(shape.tournaments) % KINDS
            near = [kind[found.nearest(k)[0]] == kind[k] for k in range(1, shape.tournaments)]
            nearest.append(float(np.mean(near)))
        pairs_seen = shape.samples * pairs[0].size
        naive, square = sums[1:] / sums[0]
        cover, near_share = float(np.mean(held)), float(np.mean(nearest))
        line(shape, pairs_seen, sums[0] / pairs_seen, naive, square, cover, near_share)
        assert square == pytest.approx(1.0, abs=0.1)
        error = np.std(held) / np.sqrt(shape.samples)
        assert cover >= 0.93 - error


# A new data set -----------------------------------------------------------------------------------

NEW = [
    Shape(50, 12, 10, 0.3, samples=20),
    Shape(50, 12, 5, 0.3, samples=20),
    Shape(30, 30, 10, rest=0.4, samples=15),
    Shape(100, 12, 20, 0.3, 0.5, samples=12),
    Shape(16, 6, 10, rest=0.3, samples=40),
    Shape(16, 12, 10, rest=0.3, samples=40),
    Shape(16, 34, 10, 0.1, 0.5, samples=20),
]
EACH = 4
"""New data sets of every season."""


def loss(chance: Floats, true: Floats) -> float:
    """Mean log loss of chances to beat the average player, given true ratings around it."""
    outcome = expit(true)
    return float(-(outcome * np.log(chance) + (1.0 - outcome) * np.log1p(-chance)).mean())


def regret(true: Floats, tried: Ints, order: Floats) -> float:
    """By how much the best of those tried, and of the first other one, is below the best of all."""
    first = int(np.where(np.isin(np.arange(true.size), tried), -np.inf, order).argmax())
    return float(true.max() - max(true[first], true[tried].max()))


def try_out(true: Floats, rng: np.random.Generator) -> Tried:
    """Ratings of some players from a few rounds of a new data set."""
    places: Ints = np.asarray(rng.permutation(true.size)[:TRIED])
    sure = rate(play(true[places], ROUNDS_TRIED, rng))
    own = sure.intervals
    assert own.influence is not None
    noise = make_noise(
        own.beta,
        own.model_scale * sure.information.variances(),
        sure.clustering.lifted(own.influence),
        sure.clustering.df,
        own.clusters,
        correlated=False,
    )
    return Tried(places, own.beta, noise.variance)


def test_a_few_scores_say_more_of_a_new_data_set_than_the_global_board() -> None:
    head(
        f"a new data set, {TRIED} × {ROUNDS_TRIED} scores",
        *("n", "global", "spread", "placed", "oracle", "cover", "scale", "factors"),
        *("regret", "global", "none"),
    )
    for shape in NEW:
        rng, rows = np.random.default_rng(9), list[list[float]]()
        for _ in range(shape.samples):
            true = true_ratings(shape, rng, EACH)
            known = rate_all(true, who_plays(shape, rng), shape.rounds, rng)
            table = tabulate(known)
            factors = choose_factors(table.value, table.variance)
            spread = (factors.loadings**2).sum(axis=1) + factors.rest
            for number in range(EACH):
                own = (
                    true[:, shape.tournaments + number] - true[:, shape.tournaments + number].mean()
                )
                tried = try_out(own, rng)
                found = place(table.value, table.variance, factors, tried, seed=number)
                average = np.nanmean(table.value, axis=1)
                rows.append(
                    [
                        loss(np.asarray(expit(average)), own),
                        loss(expit(factors.mean / np.sqrt(1.0 + np.pi / 8.0 * spread)), own),
                        loss(found.p_win, own),
                        loss(expit(own), own),
                        float(((found.low <= own) & (own <= found.high)).mean()),
                        found.scale,
                        float(factors.number),
                        regret(own, tried.places, found.p_best),
                        regret(own, tried.places, average),
                        float(own.max() - own[tried.places].max()),
                    ]
                )
        means = np.mean(rows, axis=0)
        line(shape, len(rows), *means.tolist())
        assert means[2] < means[0]
        assert means[2] < means[1]
        by_season = np.array(rows)[:, 4].reshape(shape.samples, EACH).mean(axis=1)
        assert means[4] >= 0.93 - by_season.std() / np.sqrt(shape.samples)
