"""The best of several submissions: cases by hand, laws, and bias on contests with known truths."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

import winodds
from winodds import errors
from winodds.arrays import Floats, Ints
from winodds.sota.answer import Sota
from winodds.sota.looks.luck import as_once, largest_of, variance_left

# By hand ------------------------------------------------------------------------------------------


def test_the_larger_of_two_normals_is_known() -> None:
    """Its expectation is 1/√π, its variance 1 − 1/π; of three, 3/(2√π)."""
    found = largest_of(np.array([2, 1, 3, 2]))
    assert found.mean == pytest.approx(np.array([1, 0, 1.5, 1]) / np.sqrt(np.pi), abs=1e-5)
    assert found.variance[[0, 1]] == pytest.approx([1.0 - 1.0 / np.pi, 1.0], abs=1e-5)


def test_the_best_of_two_submissions_loses_what_two_looks_give() -> None:
    """A standard error of 0.01, correlation ρ₀² = 0.36: 0.01 · √0.64 / √π = 0.0045."""
    found = winodds.estimate_sota(
        {"a": 0.52, "b": 0.50, "c": 0.47}, se=0.01, higher_is_better=True, submissions=[2, 1, 1]
    )
    assert found.submitted is not None
    assert found.submitted.best == 0.52
    assert found.submitted.worth == pytest.approx(0.52 - 0.008 / np.sqrt(np.pi))
    assert found.observed_max == found.submitted.worth
    assert (found.submitted.total, found.submitted.most, found.submitted.looks) == (4, 2, 2)


def test_a_score_is_expected_of_what_it_is_worth() -> None:
    """The performance, with what so many looks add to it, is the score again."""
    looks = np.array([1, 2, 40, 500])
    scores = np.array([0.9, 0.95, 0.97, 1.0])

    def spread(theta: Floats) -> Floats:
        return np.sqrt(theta * (1.0 - theta) / 400)

    found = as_once(scores, looks, 0.5, spread)
    ahead = largest_of(looks).mean * np.sqrt(0.5) * spread(np.clip(found, 0.0, 1.0))
    assert found[0] == 0.9
    assert found + ahead == pytest.approx(scores, abs=1e-6)


def test_what_is_left_varies_as_the_best_of_such_scores() -> None:
    rng = np.random.default_rng(1)
    shared, own = rng.normal(size=(40_000, 1)), rng.normal(size=(40_000, 12))
    best = (np.sqrt(0.3) * shared + np.sqrt(0.7) * own).max(axis=1)
    assert variance_left(np.array([12]), 0.3)[0] == pytest.approx(best.var(), rel=0.03)
    ahead = largest_of(np.array([12])).mean[0] * np.sqrt(0.7)
    assert ahead == pytest.approx(best.mean(), abs=0.02)


# Laws ---------------------------------------------------------------------------------------------

SCORES = np.random.default_rng(3).binomial(900, 0.8, 30) / 900
LOOKS = np.random.default_rng(4).integers(1, 60, 30)
TABLE = pl.DataFrame({"team": [f"t{k}" for k in range(30)], "score": SCORES, "tries": LOOKS})


def same_answer(one: Sota, other: Sota) -> bool:
    found, wanted = one.to_dict(), other.to_dict()
    return all(found[key] == wanted[key] for key in wanted if key != "submitted")


def test_one_submission_each_changes_nothing() -> None:
    assert same_answer(
        winodds.estimate_sota(TABLE, n=900, submissions=1), winodds.estimate_sota(TABLE, n=900)
    )


def test_numbers_are_the_same_from_a_column_a_list_and_rows() -> None:
    by_column = winodds.estimate_sota(TABLE, n=900, submissions="tries")
    by_list = winodds.estimate_sota(SCORES, n=900, submissions=LOOKS.tolist())
    rows = [
        (f"t{k}", float(score) - lower / 900)
        for k, (score, looks) in enumerate(zip(SCORES, LOOKS, strict=True))
        for lower in range(int(looks))
    ]
    table = pl.DataFrame(rows, schema=["team", "score"], orient="row").sample(fraction=1, seed=1)
    by_rows = winodds.estimate_sota(table, n=900, submissions="team")
    assert by_column.submitted == by_rows.submitted
    assert by_list.sota == by_column.sota == pytest.approx(by_rows.sota, abs=1e-12)


def test_more_submissions_are_worth_less_and_more_alike_ones_more() -> None:
    worth = []
    for looks, alike in [(1, None), (2, None), (50, None), (50, 0.9), (50, 0.2)]:
        found = winodds.estimate_sota(
            TABLE, n=900, submissions=looks, alike=alike if looks > 1 else None, sensitivity=False
        )
        assert found.submitted is not None
        worth.append(found.submitted.worth)
    assert worth[0] > worth[1] > worth[2]
    assert worth[0] > worth[3] > worth[2]
    # Submissions of one entry are never less alike than those of two.
    assert worth[4] == worth[2]


def test_another_may_lead_once_the_luck_of_many_looks_is_out() -> None:
    board = pl.DataFrame(
        {"team": ["often", "once", "c"], "score": [0.85, 0.845, 0.8], "tries": [200, 1, 1]}
    )
    found = winodds.estimate_sota(board, n=1000, submissions="tries")
    assert found.submitted is not None
    assert (found.submitted.name, found.winner) == ("often", "once")
    assert found.observed_max == 0.845


@pytest.mark.parametrize("metric", ["auc", "other"])
def test_other_metrics_lose_their_luck_too_in_either_direction(metric: str) -> None:
    if metric == "auc":
        found = winodds.estimate_sota(
            TABLE, metric="auc", n=900, positives=200, submissions=20, sensitivity=False
        )
    else:
        lower = TABLE.with_columns(loss=1.0 - pl.col("score"))
        found = winodds.estimate_sota(
            lower, score="loss", se=0.013, submissions=20, sensitivity=False
        )
    assert found.submitted is not None
    side = 1.0 if found.higher_is_better else -1.0
    assert side * found.submitted.worth < side * found.submitted.best
    assert side * found.sota < side * found.observed_max


def test_what_cannot_be_said_of_submissions_is_refused() -> None:
    def refusal(**options: object) -> str:
        with pytest.raises(winodds.WinoddsError) as caught:
            winodds.estimate_sota(TABLE, n=900, **options)  # type: ignore[arg-type]
        return str(caught.value)

    assert "alike=0.5" in refusal(alike=0.5)
    assert "leave prizes= out" in refusal(submissions=2, prizes=3)
    assert "submissions=0" in refusal(submissions=0)
    assert "no column 'trys'" in refusal(submissions="trys").lower()
    assert "0 and below 1" in refusal(submissions=2, alike=1.0)
    with pytest.raises(errors.NotACount):
        winodds.estimate_sota([0.8, 0.7], n=100, submissions=[1, 0])
    with pytest.raises(errors.BadOption):
        winodds.estimate_sota([0.8, 0.7], n=100, submissions=[1])


# Does it take out what it should? -----------------------------------------------------------------

Tries = Callable[[np.random.Generator, int], Ints]


def often(rng: np.random.Generator, players: int) -> Ints:
    """As on public boards: most submit a few times, some a hundred."""
    return np.clip(np.exp(rng.normal(2.5, 1.2, players)), 1, 200).astype(np.int64)


def twice(_: np.random.Generator, players: int) -> Ints:
    """As on private boards that count the better of two final submissions."""
    return np.full(players, 2)


@dataclass(frozen=True)
class Design:
    """A contest: how many submit how often, how alike they are, and what is assumed of it.

    Attributes
    ----------
    alike : correlation of two submissions of one entry; any two entries have 0.36.
    assumed : what is stated of it; None for the default.
    apart : standard deviation of the performances of one entry's submissions.
    right : whether what is assumed is true.
    """

    name: str
    tries: Tries
    alike: float = 0.36
    assumed: float | None = None
    apart: float = 0.0
    right: bool = True
    players: int = 100
    n: int = 2000


DESIGNS = [
    Design("public, assumed rightly", often),
    Design("private, best of two", twice),
    Design("public, alike 0.8, stated", often, alike=0.8, assumed=0.8),
    Design("public, alike 0.8, not stated", often, alike=0.8, right=False),
    Design("public, submissions differ by 0.01", often, apart=0.01, right=False),
]


def draw(design: Design, rng: np.random.Generator) -> tuple[Floats, Floats, Ints]:
    """Best true performance of each entry's submissions listed, its score, and its tries."""
    theta = rng.uniform(0.8, 0.85, design.players)
    tries = design.tries(rng, design.players)
    sd = np.sqrt(theta * (1.0 - theta) / design.n)
    common, own = rng.normal(), rng.normal(size=design.players)
    shown, score = np.empty(design.players), np.empty(design.players)
    for j in range(design.players):
        each = theta[j] - np.abs(rng.normal(0.0, design.apart, tries[j]))
        luck = 0.6 * common + np.sqrt(design.alike - 0.36) * own[j]
        luck = luck + np.sqrt(1.0 - design.alike) * rng.normal(size=tries[j])
        found = np.round((each + sd[j] * luck) * design.n) / design.n
        k = int(found.argmax())
        shown[j], score[j] = each[k], found[k]
    return shown, score, tries


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_many_looks_no_longer_bias_the_estimate(
    design: Design, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(20)
    rows = []
    for _ in range(60):
        shown, score, tries = draw(design, rng)
        best = float(shown.max())
        plain = winodds.estimate_sota(score, n=design.n, sensitivity=False)
        found = winodds.estimate_sota(
            score, n=design.n, submissions=tries, alike=design.assumed, sensitivity=False
        )
        assert found.low is not None
        assert found.high is not None
        rows.append(
            (
                score.max() - best,
                plain.sota - best,
                found.sota - best,
                found.low <= best <= found.high,
            )
        )
    board, before, after, held = 100.0 * np.mean(np.array(rows, np.float64), axis=0)
    with capsys.disabled():
        print(
            f"\n{design.name:36} best score {board:+.2f}, estimate {before:+.2f}, "
            f"without the luck of many looks {after:+.2f}, holds {held:.0f}%"
        )
    # In percentage points; less than a third of the best score's bias, and than without it.
    assert abs(after) < abs(before)
    if design.right:
        assert abs(after) < board / 3.0
        assert held >= 90.0
