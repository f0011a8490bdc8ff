"""Is the best of many less biased once luck is taken out? `make test-slow` prints the tables.

Truths are known here, so the bias of what is reported can be measured: of the largest score, and of
the estimates that replace it. No sample is left out. Where multiplicity does not explain the
largest score there is no estimate; those samples are counted, and the largest score stands in for
the estimate in what is compared.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest
from conftest import long_table, make_results

import winodds
from winodds.arrays import Floats
from winodds.fit.newton import fit
from winodds.matches.within import count_within
from winodds.sota.estimate import Estimate, estimate
from winodds.sota.laws.dependence import chances_given, possible
from winodds.sota.sampling import Accuracy

FLOOR = 0.5
"""Two classes; everybody is far better than guessing."""

Performances = Callable[[np.random.Generator], Floats]


def _uniform(players: int) -> Performances:
    return lambda rng: rng.uniform(0.875, 0.9, players)


def _narrow_field(players: int) -> Performances:
    return lambda rng: rng.uniform(0.885, 0.9, players)


def _identical(players: int) -> Performances:
    return lambda _: np.full(players, 0.9)


def _skewed(players: int) -> Performances:
    """As on many boards: most entries are near the best, and some are far behind."""
    return lambda rng: 0.8 + 0.1 * rng.beta(4.0, 1.5, players)


def _ahead(players: int) -> Performances:
    return lambda rng: np.append(rng.uniform(0.875, 0.9, players - 1), 0.93)


@dataclass(frozen=True)
class Contest:
    """Entries on one test set, and what is assumed about their dependence.

    ``gain`` is 1 where shrinking has less bias than the largest score, -1 where it has more, and
    0 where the difference is too small to tell.
    """

    name: str
    draw: Performances
    n: int
    true: float
    assumed: float
    gain: int = 1
    samples: int = 300

    @property
    def others(self) -> int:
        """Samples for the estimates that take longer."""
        return self.samples if self.assumed == 0.0 else self.samples // 2

    def scores(self, rng: np.random.Generator) -> tuple[float, Floats]:
        """The best performance, and a score for each entry."""
        theta = self.draw(rng)
        best = float(theta.max())
        assert possible(theta, best, self.true).all()
        easy, hard = chances_given(theta, best, self.true)
        easy_cases = rng.binomial(self.n, best)
        right = rng.binomial(easy_cases, easy) + rng.binomial(self.n - easy_cases, hard)
        return best, right / self.n


CONTESTS = [
    Contest("identical", _identical(100), 1000, 0.0, 0.0),
    Contest("identical", _identical(100), 1000, 0.6, 0.6, samples=60),
    Contest("uniform", _uniform(100), 1000, 0.0, 0.0),
    Contest("uniform", _uniform(100), 1000, 0.6, 0.6, samples=60),
    Contest("uniform", _uniform(100), 1000, 0.77, 0.77, samples=60),
    Contest("uniform, n = 500", _uniform(100), 500, 0.6, 0.6, samples=60),
    Contest("uniform, n = 10,000", _uniform(100), 10_000, 0.6, 0.6, samples=40),
    Contest("uniform, m = 1,000, n = 3,000", _uniform(1000), 3000, 0.6, 0.6, samples=40),
    Contest("uniform, m = 5", _uniform(5), 1000, 0.0, 0.0),
    Contest("uniform, m = 5", _uniform(5), 1000, 0.6, 0.6, samples=60),
    Contest("skewed", _skewed(100), 1000, 0.0, 0.0),
    Contest("skewed", _skewed(100), 1000, 0.6, 0.6, samples=60),
    Contest("one far ahead", _ahead(100), 1000, 0.0, 0.0, gain=0),
    Contest("one far ahead", _ahead(100), 1000, 0.6, 0.6, gain=0, samples=60),
    Contest("uniform, dependence ignored", _uniform(100), 1000, 0.6, 0.0),
    Contest("uniform, too much assumed", _uniform(100), 1000, 0.6, 0.9, samples=60),
    Contest("uniform, independent in truth", _uniform(100), 1000, 0.0, 0.6, samples=60),
    Contest("narrow, too little assumed", _narrow_field(100), 1000, 0.9, 0.6, samples=60),
]


@dataclass
class Errors:
    """Estimates minus truth; NaN where there is none."""

    maximum: Floats
    shrink: Floats
    conservative: Floats
    crop: Floats


def _value(found: Estimate) -> float:
    """The estimate, or NaN where the largest score has no explanation."""
    return np.nan if found.solution is None else found.solution.sota


def _errors(contest: Contest) -> Errors:
    rng, sampling = np.random.default_rng(40), Accuracy(contest.n, contest.assumed)
    rows = []
    for k in range(contest.samples):
        best, scores = contest.scores(rng)
        row = [float(scores.max()), _value(estimate(scores, sampling, floor=FLOOR))]
        if k < contest.others:
            careful = estimate(scores, sampling, floor=FLOOR, conservative=True)
            row += [_value(careful), _value(estimate(scores, sampling, floor=FLOOR, method="crop"))]
        rows.append([x - best for x in row] + [np.nan] * (4 - len(row)))
    return Errors(*np.array(rows).T)


def _assert_sign(gain: Floats, sign: int) -> None:
    """That a mean is beyond 0 by more than two standard errors, or within four of them."""
    z = float(gain.mean() / gain.std(ddof=1) * np.sqrt(gain.size))
    assert abs(z) <= 4.0 if sign == 0 else sign * z > 2.0


def _points(bias: float) -> str:
    """In percentage points."""
    return f"{100.0 * bias:7.2f}"


def _rmse(errors: Floats) -> float:
    return float(np.sqrt(np.nanmean(errors**2)))


HEADS = (
    f"\n\n{'percentage points':30} {'ρ₀':^10} {'not ex-':>7} | {'largest score':^23} | "
    f"{'shrink':^23} | {'conservative':^23} | {'crop':^15}\n"
    f"{'':30} {'true':>5} {'used':>4} {'plained':>7} | {'bias':>7} {'RMSE':>7} {'expl.':>7} | "
    f"{'bias':>7} {'RMSE':>7} {'expl.':>7} | {'bias':>7} {'RMSE':>7} {'≤ truth':>7} | "
    f"{'bias':>7} {'RMSE':>7}"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "contest", CONTESTS, ids=[f"{c.name}, {c.true}, {c.assumed}" for c in CONTESTS]
)
def test_shrinking_takes_bias_from_the_largest_score(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As fine as the table shows.
    monkeypatch.setattr("winodds.sota.estimate.TOLERANCE", 1e-4)
    found = _errors(contest)
    explained = ~np.isnan(found.shrink)
    filled = np.where(explained, found.shrink, found.maximum)
    first = slice(contest.others)
    careful, crop = (
        np.where(explained[first], errors[first], found.maximum[first])
        for errors in (found.conservative, found.crop)
    )
    if contest is CONTESTS[0]:
        print(HEADS, end="")
    cells = [
        [found.maximum.mean(), _rmse(found.maximum), found.maximum[explained].mean()],
        [filled.mean(), _rmse(filled), found.shrink[explained].mean()],
        [careful.mean(), _rmse(careful)],
        [crop.mean(), _rmse(crop)],
    ]
    columns = [" ".join(_points(cell) for cell in row) for row in cells]
    columns[2] += f" {(careful <= 0.0).mean():7.0%}"
    print(
        f"\n{contest.name:30} {contest.true:5} {contest.assumed:4} {1 - explained.mean():7.0%} | "
        + " | ".join(columns),
        end="",
    )
    gain = found.maximum - np.sign(filled.mean()) * filled
    _assert_sign(gain, contest.gain)
    if contest.gain == 0:
        # Who is ahead by merit has little luck to lose.
        assert _rmse(filled) > _rmse(found.maximum)


# Ratings ------------------------------------------------------------------------------------------

Effect = Literal["halved", "less", "more"]
"""What becomes of the bias of the leader's rating."""

REDRAWN = 20
"""Samples with the same strengths where the truth has to be simulated."""

Strengths = Callable[[np.random.Generator, int], Floats]


def _equal(_: np.random.Generator, players: int) -> Floats:
    return np.zeros(players)


def _normal(rng: np.random.Generator, players: int) -> Floats:
    return rng.normal(size=players)


def _narrow(rng: np.random.Generator, players: int) -> Floats:
    return 0.3 * rng.normal(size=players)


def _left(rng: np.random.Generator, players: int) -> Floats:
    """Most are near the best, and a few far behind."""
    return -rng.exponential(size=players)


def _one_ahead(_: np.random.Generator, players: int) -> Floats:
    return np.append(np.zeros(players - 1), 2.0)


@dataclass(frozen=True)
class Season:
    """Boards of players whose strengths are drawn anew.

    With Gumbel noise, differences of strength are exactly log odds. In families of five whose
    members share luck in a round, true ratings are those of very many rounds.
    """

    name: str
    players: int
    rounds: int
    strengths: Strengths
    shared: float = 0.0
    effect: Effect = "halved"
    samples: int = 200

    def scores(self, rng: np.random.Generator, strengths: Floats, rounds: int) -> Floats:
        luck = self.shared * rng.normal(size=(rounds, self.players // 5))
        noise = rng.gumbel(size=(rounds, self.players))
        return np.asarray(strengths + np.repeat(luck, 5, axis=1) + noise, np.float64)

    def truth(self, rng: np.random.Generator, strengths: Floats) -> Floats:
        if not self.shared:
            return np.asarray(strengths - strengths.mean())
        if not strengths.any():
            return strengths
        wins = count_within(make_results(self.scores(rng, strengths, 20_000)))
        return fit(wins.wins, wins.design).beta


SEASONS = [
    Season("5 × 10, equal", 5, 10, _equal),
    Season("20 × 10, equal", 20, 10, _equal),
    Season("20 × 30, equal", 20, 30, _equal),
    Season("100 × 20, equal", 100, 20, _equal, samples=100),
    Season("5 × 10, normal, sd 1", 5, 10, _normal, effect="less", samples=600),
    Season("20 × 10, normal, sd 1", 20, 10, _normal),
    Season("20 × 30, normal, sd 1", 20, 30, _normal),
    Season("100 × 20, normal, sd 1", 100, 20, _normal, samples=100),
    Season("20 × 10, normal, sd 0.3", 20, 10, _narrow),
    Season("100 × 20, normal, sd 0.3", 100, 20, _narrow, samples=100),
    Season("20 × 10, left-skewed", 20, 10, _left, effect="less"),
    Season("20 × 30, left-skewed", 20, 30, _left, effect="less"),
    Season("20 × 10, one far ahead", 20, 10, _one_ahead, effect="more"),
    Season("20 × 30, one far ahead", 20, 30, _one_ahead, effect="more"),
    Season("20 × 10, families, equal", 20, 10, _equal, shared=1.0),
    Season("20 × 30, families, equal", 20, 30, _equal, shared=1.0),
    Season("20 × 30, families, sd 1", 20, 30, _normal, shared=1.0),
]


def _end(end: float | None, if_open: float) -> float:
    return if_open if end is None else end


@pytest.mark.slow
@pytest.mark.parametrize("season", SEASONS, ids=[season.name for season in SEASONS])
def test_empirical_bayes_takes_luck_out_of_the_leaders_rating(season: Season) -> None:
    rng, rows = np.random.default_rng(41), []
    strengths = truth = np.empty(0)
    for k in range(season.samples):
        if not season.shared or k % REDRAWN == 0:
            strengths = season.strengths(rng, season.players)
            truth = season.truth(rng, strengths)
        scores = season.scores(rng, strengths, season.rounds)
        board = winodds.rate(long_table(scores), higher_is_better=True, details=False)
        found, first = board.sota(), next(iter(board))
        leader = found.leader
        true = float(truth[int(leader.player[1:])])
        rows.append(
            [
                leader.epp - true,
                leader.sota - true,
                leader.low <= true <= leader.high,
                _end(first.low, -np.inf) <= true <= _end(first.high, np.inf),
                leader.p_best,
                true == truth.max(),
                leader.best - truth.max(),
            ]
        )
    shown, without, held, held_before, p_best, is_best, best = np.array(rows, float).T
    if season is SEASONS[0]:
        print(
            f"\n\n{'':26} {'rating':^15} {'without luck':^15} | {'95% interval':^15} | "
            f"{'best of all':^22}\n"
            f"{'':26} {'bias':>7} {'RMSE':>7} {'bias':>7} {'RMSE':>7} | {'before':>7} "
            f"{'without':>7} | {'P(best)':>7} {'is it':>5} {'bias':>7}",
            end="",
        )
    print(
        f"\n{season.name:26} {shown.mean():7.2f} {_rmse(shown):7.2f} {without.mean():7.2f} "
        f"{_rmse(without):7.2f} | {held_before.mean():7.2f} {held.mean():7.2f} | "
        f"{p_best.mean():7.2f} {is_best.mean():5.2f} {best.mean():7.2f}",
        end="",
    )
    share = 0.5 if season.effect == "halved" else 1.0
    gain = share * shown - np.sign(without.mean()) * without
    _assert_sign(gain, -1 if season.effect == "more" else 1)
