"""Is a chance of being best what it says, and is luck taken out? `make test-slow` prints tables.

Scores are normal around strengths, so that the best player is known, and so are true ratings: those
that fit the expected shares of wins best. No sample is left out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import polars as pl
import pytest
from conftest import make_results, shared_file
from scipy.special import expit, ndtr

from winodds.arrays import Bools, Floats, at_least
from winodds.board.evidence import Evidence
from winodds.board.placing import replicate
from winodds.fit.newton import fit
from winodds.inference.bootstrap import shares_of_first
from winodds.inference.intervals import quantify
from winodds.inference.posterior import best_of
from winodds.inference.structure import find_structure
from winodds.matches.games import Games

LEVEL = 0.95


def _weigh_up(scores: Floats, cluster: Floats | None = None) -> Evidence:
    games = Games("within", make_results(scores, cluster=cluster))
    wins = games.count()
    found = quantify(wins, fit(wins.wins, wins.design), find_structure(wins), level=LEVEL)
    return Evidence(games, "bias-reduced", 0.0, found.intervals)


def _true_ratings(share: Floats) -> Floats:
    """(m,) ratings that expected shares of wins (m, m) lead to in very many rounds."""
    players = share.shape[0]
    beta, wins = np.zeros(players), share.sum(axis=1) - np.diag(share)
    for _ in range(100):
        p = expit(beta[:, None] - beta[None, :])
        weight = p * (1.0 - p)
        information = np.diag(weight.sum(axis=1)) - weight + 1.0 / players
        step = np.linalg.solve(information, wins - p.sum(axis=1) + np.diag(p))
        beta = beta + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-9:
            break
    return np.asarray(beta - beta.mean(), np.float64)


# Chances of being best ----------------------------------------------------------------------------

Strengths = Callable[[np.random.Generator, int], Floats]


def _normal(rng: np.random.Generator, players: int) -> Floats:
    return rng.normal(size=players)


def _heavy(rng: np.random.Generator, players: int) -> Floats:
    return np.asarray(0.6 * rng.standard_t(3.0, size=players), np.float64)


def _even(rng: np.random.Generator, players: int) -> Floats:
    return rng.uniform(-1.0, 1.0, players)


def _leagues(rng: np.random.Generator, players: int) -> Floats:
    return np.asarray(1.5 * (np.arange(players) % 2) + 0.2 * rng.normal(size=players), np.float64)


def _one_ahead(rng: np.random.Generator, players: int) -> Floats:
    strengths = 0.5 * rng.normal(size=players)
    strengths[0] = 3.0
    return np.asarray(strengths, np.float64)


def _alike(rng: np.random.Generator, players: int) -> Floats:
    return np.asarray(0.2 * rng.normal(size=players), np.float64)


POPULATIONS: dict[str, Strengths] = {
    "normal": _normal,
    "t(3)": _heavy,
    "uniform": _even,
    "two leagues": _leagues,
    "one far ahead": _one_ahead,
    "nearly equal": _alike,
}


@dataclass(frozen=True)
class Design:
    """Players and rounds; with splits, data sets of so many rounds each are pooled."""

    name: str
    players: int
    rounds: int
    splits: int = 1
    between: float = 0.7

    def draw(self, rng: np.random.Generator, strengths: Floats) -> Evidence:
        rounds = self.rounds * self.splits
        scores = strengths + rng.normal(size=(rounds, self.players))
        if self.splits == 1:
            return _weigh_up(scores)
        data = np.repeat(np.arange(self.rounds), self.splits)
        scores += self.between * rng.normal(size=(self.rounds, self.players))[data]
        return _weigh_up(scores, data.astype(np.float64))

    def truth(self, strengths: Floats) -> Floats:
        variance = 1.0 + (self.between**2 if self.splits > 1 else 0.0)
        gap = strengths[:, None] - strengths[None, :]
        return _true_ratings(ndtr(gap / np.sqrt(2.0 * variance)))


DESIGNS = [
    Design("5 × 5", 5, 5),
    Design("20 × 4 pooled", 20, 4, splits=5),
    Design("10 × 10", 10, 10),
    Design("16 × 19", 16, 19),
    Design("20 × 20", 20, 20),
]

SAMPLES = 60
"""Boards of each population in each design."""

CHANCES = ("posterior", "bootstrap", "before")


@dataclass(frozen=True)
class Judged:
    """What leaders were said to be, and are: (n,) of one design and one population."""

    chances: dict[str, Floats]
    is_best: Bools
    held: Bools


def _chance_before(found: Evidence, rng: np.random.Generator, leader: int) -> float:
    """The chance to be best of earlier versions: normal truth and noise, each player's own error.

    Correlations are drawn to 0 by Schäfer and Strimmer (2005).
    """
    own = found.intervals
    assert own.influence is not None
    beta, players = own.beta, own.beta.size
    se = found.uncertainty.of_ratings().se * np.sqrt(players / (players - 1.0))
    length = np.sqrt((own.influence**2).sum(axis=1))
    unit = own.influence / np.where(length > 1e-9, length, np.inf)[:, None]
    r = (unit @ unit.T)[~np.eye(players, dtype=bool)]
    drawn = min(1.0, float(((1.0 - r**2) ** 2).sum() / (own.clusters - 1) / (r**2).sum()))
    correlation = (1.0 - drawn) * (unit @ unit.T)
    np.fill_diagonal(correlation, 1.0)
    noise = correlation * np.outer(se, se)
    top = 4.0 * np.sqrt(beta @ beta / (players - 1) + (se**2).mean())
    tau = (np.arange(400) + 0.5) * top / 400
    whole = tau[:, None] ** 2 + se**2
    logs = -0.5 * ((1.0 - 1.0 / players) * np.log(whole) + beta**2 / whole).sum(axis=1)
    share = np.exp(logs - logs.max())
    first = np.zeros(players)
    for level in (np.arange(20) + 0.5) / 20:
        square = float(np.interp(level, np.cumsum(share) / share.sum(), tau)) ** 2
        keep = square * np.linalg.inv(square * np.eye(players) + noise)
        spread = square * (np.eye(players) - keep)
        values, vectors = np.linalg.eigh(0.5 * (spread + spread.T))
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        draws = keep @ beta + rng.normal(size=(50, players)) @ root.T
        first += at_least(draws, draws.max(axis=1, keepdims=True)).mean(axis=0)
    return float(first[leader] / first.sum())


@cache
def _judge(design: Design, population: str) -> Judged:
    seed = 100 * DESIGNS.index(design) + list(POPULATIONS).index(population)
    rng, rows = np.random.default_rng(seed), []
    for k in range(SAMPLES):
        strengths = POPULATIONS[population](rng, design.players)
        found, truth = design.draw(rng, strengths), design.truth(strengths)
        leader = int(found.intervals.beta.argmax())
        others = np.delete(np.arange(design.players), leader)
        best = best_of(found.posterior(k), np.append(leader, others), LEVEL)
        redrawn = shares_of_first(replicate(found, 400, k))[leader]
        before = _chance_before(found, rng, leader)
        held = best.low <= truth[leader] <= best.high
        is_best = strengths[leader] == strengths.max()
        rows.append([best.p_best, redrawn, before, is_best, held])
    posterior, bootstrap, before, is_best, held = np.array(rows, np.float64).T
    chances = dict(zip(CHANCES, (posterior, bootstrap, before), strict=True))
    return Judged(chances, is_best > 0.5, held > 0.5)


def _pool(design: Design, kind: str) -> tuple[Floats, Floats]:
    """What was said in a design, and what came true, over all populations."""
    found = [_judge(design, population) for population in POPULATIONS]
    said = np.concatenate([one.chances[kind] for one in found])
    return said, np.concatenate([one.is_best for one in found]).astype(np.float64)


def _log_score(said: Floats, true: Floats) -> float:
    p = np.clip(said, 0.5 / 400, 1.0 - 0.5 / 400)
    return float(-(true * np.log(p) + (1.0 - true) * np.log(1.0 - p)).mean())


def _reliability(said: Floats, true: Floats) -> list[tuple[int, float, float]]:
    """Boards, mean of what was said, and share that came true, by tenths of what was said."""
    place = np.minimum((10.0 * said).astype(np.int64), 9)
    bins = [place == k for k in range(10)]
    return [
        (int(own.sum()), float(said[own].mean()), float(true[own].mean()))
        for own in bins
        if own.any()
    ]


@pytest.mark.slow
def test_a_chance_of_being_best_comes_true_as_often_as_it_says() -> None:
    pooled = [_pool(design, "posterior") for design in DESIGNS]
    said = np.concatenate([one for one, _ in pooled])
    true = np.concatenate([one for _, one in pooled])
    print(f"\n\n{'chance of being best':20} {'boards':>7} {'said':>6} {'true':>6}")
    table = _reliability(said, true)
    for boards, stated, seen in table:
        print(f"{'':20} {boards:7} {stated:6.2f} {seen:6.2f}")
    for boards, stated, seen in table:
        error = np.sqrt(max(stated * (1.0 - stated), 0.01) / boards)
        assert abs(seen - stated) <= max(0.1, 2.0 * error)


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS, ids=[design.name for design in DESIGNS])
def test_the_posterior_tells_more_than_what_it_replaces(design: Design) -> None:
    scores = {}
    for kind in CHANCES:
        said, true = _pool(design, kind)
        scores[kind] = _log_score(said, true)
        bins = " ".join(f"{a:.2f}→{b:.2f}({n})" for n, a, b in _reliability(said, true))
        print(
            f"\n{design.name:14} {kind:10} said {said.mean():.2f} true {true.mean():.2f} "
            f"log score {scores[kind]:.3f} | {bins}",
            end="",
        )
    for population in POPULATIONS:
        own = _judge(design, population)
        parts = " ".join(
            f"{kind} {said.mean():.2f}/{_log_score(said, own.is_best.astype(np.float64)):.3f}"
            for kind, said in own.chances.items()
        )
        print(
            f"\n{'':14} {population:14} true {own.is_best.mean():.2f} {parts} "
            f"interval {own.held.mean():.2f}",
            end="",
        )
    assert scores["posterior"] < min(scores["bootstrap"], scores["before"])


@pytest.mark.slow
def test_intervals_without_luck_hold_with_four_data_sets() -> None:
    held = {name: _judge(DESIGNS[1], name).held.mean() for name in POPULATIONS}
    print("\n\n20 × 4 pooled: " + ", ".join(f"{name} {own:.2f}" for name, own in held.items()))
    assert np.mean(list(held.values())) >= 0.88
    assert held["one far ahead"] >= 0.70


# Luck of the leader -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """Players in families that share a part of their luck in a round, and of their strengths."""

    players: int
    rounds: int
    family: int = 1
    shared: float = 0.0
    strengths: float = 0.0
    spread: float = 1.0

    @property
    def name(self) -> str:
        kin = f"{self.family}, luck {self.shared:g}, strengths {self.strengths:g}"
        families = "independent" if self.family == 1 else f"families of {kin}"
        return f"{self.players} × {self.rounds}, {families}, sd {self.spread:g}"

    @property
    def samples(self) -> int:
        return int(np.clip(1600 // self.players, 12, 80))

    def draw(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Scores (R, m), and true ratings."""
        kin = np.arange(self.players) // self.family
        families = int(kin.max()) + 1

        def mix(rows: int, part: float) -> Floats:
            own = np.sqrt(1.0 - part) * rng.normal(size=(rows, self.players))
            return np.asarray(np.sqrt(part) * rng.normal(size=(rows, families))[:, kin] + own)

        strengths = self.spread * mix(1, self.strengths)[0]
        variance = np.where(kin[:, None] == kin[None, :], 2.0 * (1.0 - self.shared), 2.0)
        gap = strengths[:, None] - strengths[None, :]
        truth = _true_ratings(ndtr(gap / np.sqrt(variance)))
        return np.asarray(strengths + mix(self.rounds, self.shared)), truth


FIELDS = [
    Field(players, rounds, family, shared, strengths, spread)
    for players, rounds in ((16, 20), (70, 20), (120, 40), (180, 60))
    for family, shared, strengths in (
        (1, 0.0, 0.0),
        (8, 0.3, 0.0),
        (8, 0.6, 0.6),
        (players // 4, 0.6, 0.6),
        (8, 0.9, 0.0),
        (8, 0.9, 0.9),
    )
    for spread in (1.0, 0.4)
]


def _told(name: str, shown: Floats, without: Floats) -> float:
    """Print mean errors with and without luck; the standard error of the latter."""
    error = float(without.std(ddof=1) / np.sqrt(without.size))
    print(f"\n{name:58} {shown.mean():+6.2f} {without.mean():+6.2f} (±{error:.2f})", end="")
    return error


@pytest.mark.slow
@pytest.mark.parametrize("field", FIELDS, ids=[field.name for field in FIELDS])
def test_luck_is_taken_out_of_leaders_of_large_boards(field: Field) -> None:
    rng, rows = np.random.default_rng(field.players), []
    for k in range(field.samples):
        scores, truth = field.draw(rng)
        found = _weigh_up(scores)
        leader = int(found.intervals.beta.argmax())
        without = found.posterior(k).mean[leader]
        rows.append([found.intervals.beta[leader] - truth[leader], without - truth[leader]])
    shown, without = np.array(rows).T
    error = _told(field.name, shown, without)
    most = max(0.5 * abs(shown.mean()), 0.1)
    if field.shared > 0.6:
        most = abs(shown.mean()) + 0.1
    assert abs(without.mean()) <= most + 2.0 * error


def _table(name: str, player: str, rounds: str, score: str) -> Floats:
    """(R, m) mean scores of a published table."""
    read = pl.read_csv(shared_file(f"data/{name}.csv"), infer_schema_length=None)
    wide = (
        read.with_columns(pl.col(score).cast(pl.Float64, strict=False))
        .pivot(on=player, index=rounds, values=score, aggregate_function="mean", sort_columns=True)
        .sort(rounds)
        .drop(rounds)
    )
    return wide.cast(pl.Float64).fill_null(np.nan).to_numpy()


PUBLISHED = {
    "openml_study_14_accuracy": ("model", "task", "score"),
    "openml_study_34_auc": ("model", "task", "score"),
    "amlb_2019_1h": ("framework", "task", "result"),
    "eloml_auc_scores": ("model", "split", "auc"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(PUBLISHED))
def test_leaders_of_half_the_rounds_are_judged_by_the_other_half(name: str) -> None:
    scores = _table(name, *PUBLISHED[name])
    rng, rows = np.random.default_rng(1), []
    for k in range(30):
        order = rng.permutation(len(scores))
        half = len(scores) // 2
        found, judge = _weigh_up(scores[order[:half]]), _weigh_up(scores[order[half : 2 * half]])
        leader = int(found.intervals.beta.argmax())
        true = judge.intervals.beta[leader]
        without = found.posterior(k).mean[leader]
        rows.append([found.intervals.beta[leader] - true, without - true])
    shown, without = np.array(rows).T
    error = _told(f"{name}, {scores.shape[1]} × {half}", shown, without)
    # Halves of one table are no independent samples: this only guards against going far astray.
    assert abs(without.mean()) <= max(abs(shown.mean()), 0.1) + 0.1 + 2.0 * error
