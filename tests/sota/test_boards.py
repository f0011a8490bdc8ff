"""Boards in the shapes of real ones: each gets an answer that agrees with itself, or a reason."""

import re

import numpy as np
import polars as pl
import pytest

import winodds
from winodds.arrays import Floats
from winodds.errors import EqualScores, NotShares, TooFewEntries
from winodds.sota.answer import Sota

REASONS = (EqualScores, NotShares, TooFewEntries)
"""Copies of one entry, percent that no test set of this size gives, and nobody above guessing."""

Options = dict[str, float | int | bool | str | None]


def cut_off(scores: Floats, decimals: int) -> Floats:
    unit = 10.0**decimals
    return np.asarray(np.floor(scores * unit + 1e-9) / unit)


def make_board(rng: np.random.Generator) -> tuple[pl.DataFrame, Options]:
    """A leaderboard: its size, spread, ties, decimals, names and metric as they come."""
    m = int(np.exp(rng.uniform(np.log(2), np.log(4000))))
    n = int(np.exp(rng.uniform(np.log(30), np.log(100_000))))
    top, spread = rng.uniform(0.55, 0.999), rng.choice([0.0005, 0.01, 0.05, 0.2])
    theta = np.clip(top - spread * rng.gamma(1.0, size=m), 0.01, 0.9999)
    if rng.random() < 0.2:
        # Abandoned entries, copies of a public solution, and a leader.
        theta[: m // 3] = rng.uniform(0.0, 0.5, m // 3)
        theta[m // 3 : m // 2] = theta[m // 3] if m > 2 else theta[0]
        theta[-1] = top + 0.8 * (1.0 - top)
    scores = rng.binomial(n, theta) / n
    if rng.random() < 0.1:
        scores[: max(m // 4, 1)] = 1.0
    if rng.random() < 0.5:
        scores = cut_off(scores, int(rng.integers(2, 6)))
    names = [f"team {k}" for k in range(m)]
    if rng.random() < 0.3:
        names[: m // 6] = ["[Deleted]"] * (m // 6)
    kind = rng.choice(["accuracy", "percent", "auc", "loss"], p=[0.5, 0.15, 0.2, 0.15])
    options: Options = {"sensitivity": False}
    if kind == "auc":
        options |= {"metric": "auc", "n": n, "positives": max(n // 5, 1)}
    elif kind == "loss":
        scores = 3.0 - scores
        options |= {"se": float(rng.choice([0.0001, 0.01, 0.1])), "higher_is_better": False}
    else:
        options |= {"n": n, "classes": int(rng.choice([2, 10])) if rng.random() < 0.5 else None}
    values = 100.0 * scores if kind == "percent" else scores
    return pl.DataFrame({"team": names, "score": values}), options


def check_answer(found: Sota) -> None:
    """Verdict, interval, chances and words tell the same."""
    words = " ".join(str(found).split())
    side = 1.0 if found.higher_is_better else -1.0
    assert found.low is not None
    assert found.high is not None
    assert found.p_best is not None
    assert found.low <= found.sota <= found.high
    assert 0.0 <= found.p_best <= 1.0
    above = side * found.sota >= side * found.observed_max
    assert ("partly by luck" in words) == (found.verdict == "luck")
    ahead = [words.count(said) for said in ("ahead of what luck", "luck leads one to expect")]
    assert sum(ahead) == (found.verdict == "ahead")
    assert ("so part of its score is luck" in words) <= (found.verdict == "luck")
    assert ("luck alone is not expected" in words) <= (found.verdict == "ahead")
    if found.verdict == "luck":
        assert found.explained
        assert not above
    if found.verdict == "ahead":
        assert not found.explained
        assert side * found.face_value.value < side * found.observed_max
    if "better by more than luck" in words:
        assert found.verdict == "ahead"
        assert found.p_best > found.level
        assert "ahead of what luck explains" in words
    for never in ("there is no estimate", "need not be better", "nan", "inf "):
        assert never not in words
    said = re.search(r"at or (above|below)", words)
    assert said is not None
    assert (said[1] == "above") == found.higher_is_better
    for one, other in zip(found.contenders, found.contenders[1:], strict=False):
        assert side * one.score > side * other.score


def check_boards(boards: int, seed: int) -> None:
    rng, refused = np.random.default_rng(seed), 0
    for _ in range(boards):
        table, options = make_board(rng)
        try:
            found = winodds.estimate_sota(table, **options)  # type: ignore[arg-type]
        except REASONS:
            refused += 1
            continue
        check_answer(found)
    assert refused <= 0.2 * boards


def test_a_dozen_boards_get_answers_that_agree_with_themselves() -> None:
    check_boards(12, 2)


@pytest.mark.slow
def test_200_boards_get_answers_that_agree_with_themselves() -> None:
    check_boards(200, 1)
