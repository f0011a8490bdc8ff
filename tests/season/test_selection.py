"""The best of many, picked by luck and judged without; `make test-slow` prints the tables.

Scores are strengths with Gumbel noise, for which ratings are right, and strengths are normal. True
is the chance, in a new round, of the player that the board puts first. No sample is left out.
"""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pytest
from conftest import make_results
from scipy.special import expit
from simulated import assess

from winodds.arrays import Floats, Ints
from winodds.board.evidence import Evidence
from winodds.matches.games import Games
from winodds.season.chances import Contest
from winodds.season.families import compare_families
from winodds.season.picks import Played, always, choose_best, gather, hold_out, mean_over, play

SEED = 15
LEVEL = 0.95


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws enough for means, of which those of many boards are taken."""
    monkeypatch.setattr("winodds.inference.posterior.DRAWS", (400, 400))
    monkeypatch.setattr("winodds.inference.posterior.PICKS", (40, 40))


def rated(scores: Floats) -> Evidence:
    """The board of a table of scores, rounds × players, in the order of the table."""
    games = Games("within", make_results(scores))
    return Evidence(games, "bias-reduced", 0.0, assess(games).intervals)


def unrated(scores: Floats) -> Evidence:
    """The same for held-out picks, in which ratings play no part."""
    return Evidence(Games("within", make_results(scores)), "bias-reduced", 0.0, cast(Any, None))


def cover_of_ten(played: Played, target: float) -> tuple[float, float, float]:
    """How often intervals of means over ten tournaments hold the target, and lie above, below."""
    shaped = Played(
        played.value.reshape(10, -1),
        played.rounds.reshape(10, -1),
        played.variance.reshape(10, -1),
    )
    means = mean_over(shaped, LEVEL)
    above, below = float((means.low > target).mean()), float((means.high < target).mean())
    return 1.0 - above - below, above, below


def put_together(played: list[Played]) -> Played:
    """(K, n) what n boards say of K pairs."""
    return Played(
        np.stack([one.value for one in played], axis=1),
        np.stack([one.rounds for one in played], axis=1),
        np.stack([one.variance for one in played], axis=1),
    )


# Best over default --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tuning:
    """Settings with strengths of a spread; the default is one of them, weaker by an offset.

    Attributes
    ----------
    boards : for held-out picks, ten for each season.
    rated : of them, those that are rated as well.
    """

    settings: int
    rounds: int
    spread: float
    offset: float = 0.0
    boards: int = 4000
    rated: int = 200

    def draw(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        truth = self.spread * rng.normal(size=self.settings)
        truth[-1] -= self.offset
        return truth, truth + rng.gumbel(size=(self.rounds, self.settings))


TUNINGS = [
    *(Tuning(10, rounds, 0.5) for rounds in (5, 10, 20)),
    *(Tuning(50, rounds, 0.5) for rounds in (5, 10, 20)),
    *(Tuning(200, rounds, 0.5, rated=100) for rounds in (5, 10, 20)),
    Tuning(10, 10, 1.5),
    Tuning(50, 20, 1.5),
    Tuning(200, 5, 1.5, rated=100),
    Tuning(20, 10, 1.0, offset=2.0),
    Tuning(20, 10, 1.5, offset=4.0),
]


@dataclass(frozen=True)
class Gained:
    """Means over boards, and how often intervals of the mean over ten tournaments hold it.

    Attributes
    ----------
    true, held_out, error : means over all boards, and the standard error of their difference.
    plug_in, shrunken : by how much they are off, in the mean over boards that were rated.
    cover, above, below : shares of the intervals.
    """

    true: float
    held_out: float
    error: float
    plug_in: float
    shrunken: float
    cover: float
    above: float
    below: float


def simulate(design: Tuning) -> Gained:
    rng, default = np.random.default_rng(SEED), design.settings - 1
    everyone = np.arange(design.settings)
    true, held, off = np.empty(design.boards), [], np.empty((2, design.rated))
    for k in range(design.boards):
        truth, scores = design.draw(rng)
        evidence = rated(scores) if k < design.rated else unrated(scores)
        rounds = hold_out(evidence)
        picks = gather([(everyone, choose_best(rounds.standing)), always(default)], design.rounds)
        held.append(play(rounds, picks, np.array([0]), np.array([1])))
        best = int(evidence.wins.wins.argmax())
        true[k] = expit(truth[best] - truth[default])
        if k < design.rated:
            beta, draws = evidence.intervals.beta, evidence.posterior(k).draws
            off[0, k] = expit(beta[best] - beta[default]) - true[k]
            off[1, k] = expit(draws[:, best] - draws[:, default]).mean() - true[k]
    played, target = put_together(held), float(true.mean())
    luck = played.value[0] - true
    cover, above, below = cover_of_ten(played, target)
    return Gained(
        true=target,
        held_out=float(played.value.mean()),
        error=float(luck.std() / np.sqrt(luck.size)),
        plug_in=float(off[0].mean()),
        shrunken=float(off[1].mean()),
        cover=cover,
        above=above,
        below=below,
    )


@pytest.mark.slow
def test_held_out_gain_is_free_of_luck() -> None:
    print("\nP(best beats default); off by; cover of the mean over ten tournaments (above, below)")
    print("settings × rounds, spread, offset: true | held-out (error), shrunken, plug-in | cover")
    found = []
    for design in TUNINGS:
        seen = simulate(design)
        found.append(seen)
        print(
            f"{design.settings} × {design.rounds}, {design.spread}, {design.offset}: "
            f"{seen.true:.3f} | {seen.held_out - seen.true:+.3f} ({seen.error:.3f}), "
            f"{seen.shrunken:+.3f}, {seen.plug_in:+.3f} | "
            f"{seen.cover:.3f} ({seen.above:.3f}, {seen.below:.3f})",
            flush=True,
        )
    assert all(abs(seen.held_out - seen.true) < 0.03 for seen in found)
    assert max(seen.plug_in for seen in found) > 0.15
    # Where luck is large, what takes it out is closer than the ratings.
    lucky = [seen for seen in found if seen.plug_in > 0.03]
    assert all(abs(seen.held_out - seen.true) < 0.5 * seen.plug_in for seen in lucky)
    assert all(abs(seen.shrunken) < 0.6 * seen.plug_in for seen in lucky)
    assert np.mean([seen.cover for seen in found]) > 0.93
    assert all(seen.cover > 0.88 for seen in found)


# Best of one family against the best of another ---------------------------------------------------


@dataclass(frozen=True)
class Clash:
    """Families of players whose strengths vary by .7 around the family's mean."""

    sizes: tuple[int, ...]
    means: tuple[float, ...]
    rounds: int
    boards: int = 2000
    rated: int = 200


CLASHES = [
    Clash((5, 20, 60, 20), (0.0, 0.0, 0.0, 0.5), 10),
    Clash((2, 5, 10, 5), (0.0, 0.0, 0.0, 0.5), 20),
]


PAIRS = np.triu_indices(4, 1)


@dataclass(frozen=True)
class Clashed:
    """What boards say of the six pairs of families.

    Attributes
    ----------
    true : (6, n) chances of the bests.
    held_out : of the same.
    told : (6, r) three tellings, of boards that were rated.
    """

    true: Floats
    held_out: Played
    told: dict[str, Floats]

    def errors(self, name: str) -> Floats:
        own = self.told[name]
        return own - self.true[:, : own.shape[1]]

    def spread(self, name: str) -> float:
        """Root of the mean squared error in one tournament."""
        return float(np.sqrt((self.errors(name) ** 2).mean()))


def clash(design: Clash) -> Clashed:
    rng, label = np.random.default_rng(SEED), np.repeat(np.arange(4), design.sizes)
    members = [np.flatnonzero(label == family) for family in range(4)]
    true, held, contests = np.empty((6, design.boards)), [], []
    for k in range(design.boards):
        truth = np.array(design.means)[label] + 0.7 * rng.normal(size=label.size)
        scores = truth + rng.gumbel(size=(design.rounds, label.size))
        evidence = rated(scores) if k < design.rated else unrated(scores)
        rounds = hold_out(evidence)
        chosen = [(own, choose_best(rounds.standing[:, own])) for own in members]
        held.append(play(rounds, gather(chosen, design.rounds), *PAIRS))
        best = truth[[own[evidence.wins.wins[own].argmax()] for own in members]]
        true[:, k] = expit(best[PAIRS[0]] - best[PAIRS[1]])
        if k < design.rated:
            contests.append(Contest(evidence, rounds, k, LEVEL))
    return Clashed(true, put_together(held), compare(contests, label, *PAIRS))


@pytest.mark.slow
@pytest.mark.parametrize("design", CLASHES, ids=["5–60 players", "2–10 players"])
def test_best_of_large_families_is_not_taken_for_better_than_it_is(design: Clash) -> None:
    print("\nP(best of A beats best of B), off by; cover of the mean over ten tournaments")
    found = clash(design)
    held, true = found.held_out, found.true.mean(axis=1)
    for k, (a, b) in enumerate(zip(*PAIRS, strict=True)):
        own = Played(held.value[k], held.rounds[k], held.variance[k])
        cover, off = cover_of_ten(own, float(true[k]))[0], float(own.value.mean() - true[k])
        shrunken, plug_in = (found.errors(name)[k].mean() for name in ("shrunken", "plug_in"))
        print(
            f"{design.sizes[a]} against {design.sizes[b]}: true {true[k]:.3f}, held-out "
            f"{off:+.3f}, shrunken {shrunken:+.3f}, plug-in {plug_in:+.3f}; cover {cover:.3f}"
        )
        assert abs(off) < 0.02
        assert cover > 0.88
    size = {name: found.spread(name) for name in found.told}
    print("RMSE in one tournament:", {name: round(own, 3) for name, own in size.items()})
    # In one tournament held-out picks are noisy, and the shrunken value is as close as any.
    assert size["shrunken"] < 1.02 * size["plug_in"]
    assert size["shrunken"] < 0.7 * size["held_out"]


def compare(contests: list[Contest], label: Ints, first: Ints, second: Ints) -> dict[str, Floats]:
    """(6, n) three tellings of the chances of pairs of families, in the order of their labels."""
    # A board lists its players best first; here they stand in the order of the table.
    found = []
    for contest in contests:
        order = np.argsort(-contest.evidence.wins.wins, kind="stable")
        listed = reorder(contest, order)
        found.append(compare_families([listed], [label[order]], 4, LEVEL))
    told = {
        name: np.empty((first.size, len(found))) for name in ("plug_in", "shrunken", "held_out")
    }
    for k, one in enumerate(found):
        place = np.argsort(one.order)
        for name, values in told.items():
            values[:, k] = getattr(one.pairs, name)[0, place[first], place[second]]
    return told


def reorder(contest: Contest, order: Ints) -> Contest:
    evidence = Evidence(
        contest.evidence.games.of_players(order),
        "bias-reduced",
        0.0,
        contest.evidence.intervals.reordered(order),
    )
    return Contest(evidence, hold_out(evidence), contest.seed, contest.level)
