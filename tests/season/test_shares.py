"""Shares of hyperparameters in simulated seasons of known shares; `make test-slow` prints it.

No season is left out. Settings have five hyperparameters: one whose best value lies inside, one
that helps the more the larger it is, a weak one, one that does nothing and one of three kinds. The
first two also act as a pair.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from conftest import make_results
from simulated import LEVEL, bar

from winodds.arrays import Floats, Ints
from winodds.board.circumstances import Entrants
from winodds.board.components import Components
from winodds.board.evidence import Evidence
from winodds.board.importance import Contest, Share, weigh_hyperparameters
from winodds.fit.newton import fit
from winodds.inference.intervals import quantify
from winodds.inference.structure import find_structure
from winodds.matches.games import Games
from winodds.table.settings import Settings

NAMES = ("curved", "rising", "weak", "nothing", "kind")
PAIR = ("curved", "rising")
WEIGHTS = np.array([1.0, 0.5, 0.25, 0.0, 0.5, 0.5])
KINDS = np.array([0.0, 1.0, -0.5])
STRONG, WEAK = 0.25, 0.02


@dataclass(frozen=True)
class Shape:
    """A season of settings.

    Attributes
    ----------
    effect : factor on what hyperparameters do.
    varying : sd of the logarithm of each one's weight between tournaments.
    shared : share of the noise's variance that neighbours have in common.
    missing : share of settings that do not take part in a tournament.
    grid : whether settings form a full grid of 5 × 4 × 2 × 2 × 3; else they are drawn.
    """

    settings: int
    rounds: int
    tournaments: int
    seasons: int
    effect: float = 1.0
    varying: float = 0.0
    shared: float = 0.0
    missing: float = 0.0
    grid: bool = False

    @property
    def name(self) -> str:
        size = f"{self.settings} × {self.rounds} × {self.tournaments}"
        extras = {
            f"effects × {self.effect:g}": self.effect != 1.0,
            "shares vary": self.varying > 0.0,
            "shared errors": self.shared > 0.0,
            f"{self.missing:.0%} missing": self.missing > 0.0,
            "grid": self.grid,
        }
        return ", ".join([size, *(text for text, there in extras.items() if there)])

    def draw(self, settings: int, rng: np.random.Generator) -> Floats:
        """(n, 5) settings; the last column is a kind."""
        if self.grid:
            sizes = (5, 4, 2, 2, 3)
            found = np.indices(sizes).reshape(5, -1).T.astype(np.float64)
            found[:, :4] = (found[:, :4] + 0.5) / np.array(sizes[:4])
            return found
        found = rng.random((settings, 5))
        found[:, 4] = rng.integers(3, size=settings)
        return found

    def weights(self, tournaments: int, rng: np.random.Generator) -> Floats:
        """(T, 6) of what `parts` has."""
        change = np.exp(self.varying * rng.normal(size=(tournaments, WEIGHTS.size)))
        return np.asarray(self.effect * WEIGHTS * change, np.float64)

    def truth(self) -> dict[tuple[str, ...], float]:
        """Shares in the mean over tournaments, from very many settings."""
        rng = np.random.default_rng(0)
        variance = parts(self.draw(50_000, rng)).var(axis=0) * self.weights(2_000, rng) ** 2
        share = (variance / variance.sum(axis=1, keepdims=True)).mean(axis=0)
        names = [*((name,) for name in NAMES), PAIR]
        return dict(zip(names, share.tolist(), strict=True))


def parts(x: Floats) -> Floats:
    """(n, 6) what each hyperparameter, and the pair, does to a setting."""
    return np.column_stack(
        [
            1.0 - 4.0 * (x[:, 0] - 0.6) ** 2,
            np.tanh(3.0 * (x[:, 1] - 0.5)),
            x[:, 2],
            0.0 * x[:, 3],
            KINDS[x[:, 4].astype(np.int64)],
            4.0 * (x[:, 0] - 0.5) * (x[:, 1] - 0.5),
        ]
    )


def _noise(shape: Shape, x: Floats, rng: np.random.Generator) -> Floats:
    """(rounds, n) errors of scores: Gumbel's, of which neighbours may share a part."""
    own = rng.gumbel(size=(shape.rounds, x.shape[0]))
    if not shape.shared:
        return own
    wave = np.concatenate([np.cos(k * np.pi * x[:, :4]) for k in (1, 2)], axis=1)
    wave = np.column_stack([wave, x[:, [4]] == np.arange(3)])
    wave = (wave - wave.mean(axis=0)) / wave.std(axis=0)
    common = rng.normal(size=(shape.rounds, wave.shape[1])) @ wave.T / np.sqrt(wave.shape[1])
    size = np.sqrt(shape.shared * np.pi**2 / 6.0)
    return np.asarray(np.sqrt(1.0 - shape.shared) * own + size * common, np.float64)


def _contest(name: str, places: Ints, scores: Floats) -> Contest:
    games = Games("within", make_results(scores))
    wins = games.count()
    fitted = fit(wins.wins, wins.design)
    found = quantify(wins, fitted, find_structure(wins), level=LEVEL)
    evidence = Evidence(games, "bias-reduced", 0.0, found.intervals)
    return Contest(name, places, Components((evidence,)))


@dataclass(frozen=True)
class Look:
    """What one season says, against what is true.

    Attributes
    ----------
    shares : that are found.
    held : whether each interval holds the true share.
    ordered : whether all strong ones have larger shares than all weak ones.
    told : of strong and weak ones, those whose ranks are told apart.
    false : whether two that are nearly equal are told apart.
    named : whether the true pair is the first.
    noise : share of noise.
    """

    shares: list[float]
    held: list[float]
    ordered: float
    told: float
    false: float
    named: float
    noise: float


def _look(shape: Shape, truth: dict[tuple[str, ...], float], rng: np.random.Generator) -> Look:
    x = shape.draw(shape.settings, rng)
    players, contests = tuple(f"p{k}" for k in range(x.shape[0])), []
    for number, weight in enumerate(shape.weights(shape.tournaments, rng)):
        scores = parts(x) @ weight + _noise(shape, x, rng)
        places = np.flatnonzero(rng.random(x.shape[0]) >= shape.missing)
        contests.append(_contest(f"d{number}", places, scores[:, places]))
    settings: Settings = {name: tuple(x[:, k].tolist()) for k, name in enumerate(NAMES[:4])}
    settings = {**settings, "kind": tuple("abc"[int(kind)] for kind in x[:, 4])}
    entrants = Entrants(players, None, None, None, settings)
    found = weigh_hyperparameters(entrants, contests, family=None, level=LEVEL, seed=0)
    overall = found[None].overall
    by_name = {one.hyperparameters: one for one in (*overall.hyperparameters, *overall.pairs)}
    asked = [name for name in truth if name in by_name and truth[name] > 0.0]
    strong = [by_name[n,] for n in NAMES if truth[n,] >= STRONG - 1e-9]
    weak = [by_name[n,] for n in NAMES if truth[n,] <= WEAK]
    alike = [by_name["rising",], by_name["kind",]]
    return Look(
        shares=[by_name[name].share if name in by_name else np.nan for name in truth],
        held=[float(_holds(by_name[name], truth[name])) for name in asked],
        ordered=float(min(one.share for one in strong) > max(one.share for one in weak)),
        told=float(np.mean([_above(a, b) for a in strong for b in weak])),
        false=float(_above(*alike) or _above(*reversed(alike))),
        named=float(bool(overall.pairs) and overall.pairs[0].hyperparameters == PAIR),
        noise=overall.noise,
    )


def _holds(found: Share, truth: float) -> bool:
    return found.low - 1e-9 <= truth <= found.high + 1e-9


def _above(first: Share, second: Share) -> bool:
    """Whether the first is surely above: their ranges of ranks do not meet."""
    assert first.last is not None
    assert second.rank is not None
    return first.last < second.rank


SHAPES = [
    Shape(100, 10, 5, 200),
    Shape(150, 10, 5, 200),
    Shape(150, 10, 10, 100, varying=0.3),
    Shape(120, 20, 5, 150, effect=1.5),
    Shape(300, 10, 5, 80),
    Shape(240, 10, 5, 80, grid=True),
    Shape(200, 10, 5, 100, missing=0.3),
    Shape(150, 10, 10, 100, shared=0.7),
    Shape(100, 10, 10, 100, effect=0.5),
    Shape(150, 20, 1, 200),
    Shape(150, 20, 1, 200, shared=0.7),
]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=[shape.name for shape in SHAPES])
def test_shares_of_known_hyperparameters(shape: Shape) -> None:
    truth, rng = shape.truth(), np.random.default_rng(15)
    looks = [_look(shape, truth, rng) for _ in range(shape.seasons)]
    means = {
        name: np.mean([getattr(one, name) for one in looks], axis=0)
        for name in ("shares", "held", "ordered", "told", "false", "named", "noise")
    }
    if shape is SHAPES[0]:
        heads = ("noise", "order", "told", "false", "pair", "cover")
        print(f"\n\n{'shares, true and found':36} " + " ".join(f"{h:>6}" for h in heads), end="")
    rows = [[float(means[name]) for name in ("noise", "ordered", "told", "false", "named")]]
    rows[0].append(float(means["held"].mean()))
    text = " ".join(f"{value:6.2f}" for value in rows[0])
    print(f"\n{shape.name:36} {text}", end="")
    print(f"\n{'':6}true  " + " ".join(f"{value:6.3f}" for value in truth.values()), end="")
    print(f"\n{'':6}found " + " ".join(f"{value:6.3f}" for value in means["shares"]), end="")
    print(f"\n{'':6}cover " + " ".join(f"{value:6.2f}" for value in means["held"]), end="")
    seasons = shape.seasons
    if shape.tournaments >= 5:
        assert means["ordered"] >= 1.0 - bar(0.05, seasons)
        if means["noise"] <= 0.3:
            assert means["named"] >= 1.0 - bar(0.15, seasons)
    assert means["held"].mean() >= 1.0 - bar(0.1, seasons)
    assert means["false"] <= bar(0.05, seasons, 2.0)
