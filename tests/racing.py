"""Tables of scores, settings × splits, whose first setting is truly the best; and races on them."""

from collections.abc import Callable

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.tune.bets import Bets, rank_by_wins
from winodds.tune.race import Race
from winodds.tune.rules import Rules

SPLITS = 20
CASES = 300

Scene = Callable[[int, np.random.Generator], Floats]


def noisy(truth: Floats, rng: np.random.Generator, sd: float | Floats = 1.0) -> Floats:
    """Scores with normal noise of their own, and what a split does to all alike."""
    noise = rng.standard_normal((truth.size, SPLITS))
    spread = np.broadcast_to(np.asarray(sd), truth.shape)
    return truth[:, None] + rng.standard_normal(SPLITS) + spread[:, None] * noise


def _falling(values: Floats) -> Floats:
    return np.sort(values)[::-1]


def equal(settings: int, rng: np.random.Generator) -> Floats:
    return noisy(np.zeros(settings), rng)


def equal_blocks(settings: int, rng: np.random.Generator) -> Floats:
    """All are equal, and one half moves together against the other."""
    block = np.arange(settings) % 2
    return rng.standard_normal((2, SPLITS))[block] + noisy(np.zeros(settings), rng, 0.2)


def near_equal(settings: int, rng: np.random.Generator) -> Floats:
    """A third is nearly as good as the best, the others are clearly worse."""
    close = rng.random(settings) < 1 / 3
    truth = np.where(close, -0.3 * rng.random(settings), -0.5 - rng.exponential(3.0, settings))
    return noisy(_falling(truth), rng)


def ties(settings: int, rng: np.random.Generator) -> Floats:
    """Accuracy on 90 cases."""
    share = 0.8 + 0.03 * noisy(_falling(rng.standard_normal(settings)), rng)
    return np.round(90 * share) / 90


def folds(settings: int, rng: np.random.Generator) -> Floats:
    """Four times five folds: noise of a repeat adds up to nearly nothing."""
    truth = _falling(rng.standard_normal(settings))
    noise = rng.standard_normal((settings, SPLITS // 5, 5))
    noise -= 0.8 * noise.mean(axis=2, keepdims=True)
    return truth[:, None] + noise.reshape(settings, SPLITS)


def overlapping(settings: int, rng: np.random.Generator) -> Floats:
    """A quarter of the same 300 cases is the test set of each split; the truth is all of them."""
    skill = 0.25 * rng.standard_normal(settings)
    chance = 1.0 / (1.0 + np.exp(-(1.2 + skill[:, None] + 1.5 * rng.standard_normal(CASES))))
    right = (rng.random((settings, CASES)) < chance).astype(float)
    right = right[np.argsort(-right.mean(axis=1), kind="stable")]
    tests = (rng.permutation(CASES)[: CASES // 4] for _ in range(SPLITS))
    return np.stack([right[:, cases].mean(axis=1) for cases in tests], axis=1)


def one_winner(settings: int, rng: np.random.Generator) -> Floats:
    return noisy(np.where(np.arange(settings) == 0, 50.0, 0.0), rng)


def unstable_best(settings: int, rng: np.random.Generator) -> Floats:
    """The best varies three times as much as the others."""
    spread = np.exp(0.3 * rng.standard_normal(settings))
    spread[0] = 3.0
    return noisy(_falling(1.5 * rng.standard_normal(settings)), rng, spread)


SCENES: dict[str, Scene] = {
    "equal": equal,
    "equal in blocks": equal_blocks,
    "near-equal": near_equal,
    "ties": ties,
    "k-fold": folds,
    "overlapping test sets": overlapping,
    "one winner": one_winner,
    "least stable best": unstable_best,
}


class LateLeaders(Bets):
    """The tempting mistake: leaders of a split are chosen when its results are known."""

    def settle(self, scores: Floats, split: int, playing: Ints) -> None:
        if split > 0:
            order = playing[rank_by_wins(scores[playing, : split + 1])]
            several = max(2, round(0.1 * playing.size))
            self._leaders[split] = (order[:2], order[: several + 1])
        super().settle(scores, split, playing)


def run_bets(scores: Floats, bets: Bets) -> float:
    """Everybody who is not dropped runs every split; the share of fits that were paid."""
    paid = 0
    for split in range(scores.shape[1]):
        running = np.flatnonzero(~bets.dropped)
        bets.open(scores, running)
        bets.settle(scores, split, running)
        paid += running.size
    return float(paid / scores.size)


def run_parking(scores: Floats, bets: Bets, rng: np.random.Generator) -> None:
    """Settings are parked when they do badly, come back at random, and catch up."""
    settings, splits = scores.shape
    paid = np.zeros(settings, np.int64)
    total = np.zeros(settings)
    for split in range(splits):
        mean = total / np.maximum(paid, 1)
        wanted = (mean >= np.median(mean)) | (rng.random(settings) < 0.2) | (split < 2)
        for late in range(split):
            playing = np.flatnonzero(wanted & (paid == late) & ~bets.dropped)
            bets.settle(scores, late, playing)
            paid[playing] += 1
            total[playing] += scores[playing, late]
        running = np.flatnonzero(wanted & ~bets.dropped)
        bets.open(scores, running)
        bets.settle(scores, split, running)
        paid[running] += 1
        total[running] += scores[running, split]


def run_race(scores: Floats, rules: Rules | None = None, seed: int | None = None) -> Race:
    """Race on a finished table; with a seed, results come in at random."""
    race = Race(scores.shape[0], scores.shape[1], rules)
    rng = None if seed is None else np.random.default_rng(seed)
    while race.wanted:
        wanted = list(race.wanted)
        for place in range(len(wanted)) if rng is None else rng.permutation(len(wanted)):
            race.tell(*wanted[place], scores[wanted[place]])
    return race
