"""Comparisons of two players and of all pairs, on boards of several kinds."""

from collections.abc import Callable
from itertools import combinations

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from conftest import long_table, shared_file, simulate
from scipy import optimize, stats
from scipy.special import expit
from tables import grid, sentence, three_by_three

import winodds
from winodds.arrays import Floats
from winodds.board.comparisons import Comparison, Estimate
from winodds.board.leaderboard import Leaderboard
from winodds.errors import BadOption, SamePlayer, UnknownPlayer
from winodds.inference import pairwise
from winodds.inference.pairwise import (
    benjamini_hochberg,
    clusters_needed,
    clusters_needed_by_signs,
    holm,
)
from winodds.language.options import Adjustment, ScoreMatches

COPIES = {
    "a": [1.0, 2.0, 3.0, 4.0],
    "b": [2.0, 1.0, 4.0, 3.5],
    "c": [0.0, 3.0, 3.5, 3.6],
    "d": [0.0, 3.0, 3.5, 3.6],
}
"""c and d are the same."""


def _statistic(test: pairwise.Test) -> float:
    assert test.statistic is not None
    return test.statistic


def _rate(scores: Floats, **options: object) -> Leaderboard:
    return winodds.rate(
        long_table(scores),
        higher_is_better=True,
        **options,  # type: ignore[arg-type]
    )


def _battles(*rows: tuple[str, str, str]) -> Leaderboard:
    table = pl.DataFrame(rows, ["model_a", "model_b", "winner"], orient="row")
    return winodds.rate_battles(table)


def _arena() -> Leaderboard:
    rows = [("A", "B", "model_a"), ("B", "A", "model_a"), ("A", "B", "tie"), ("B", "C", "model_b")]
    return _battles(*rows, ("C", "A", "model_b"), ("C", "B", "model_a"), ("A", "B", "model_a"))


def _pooled() -> Leaderboard:
    tables = [long_table(simulate(k, 3, 4)).with_columns(data=pl.lit(f"d{k}")) for k in range(5)]
    return winodds.rate(pl.concat(tables), tournament="data", higher_is_better=True)


BOARDS: dict[str, Callable[[], Leaderboard]] = {
    "complete": lambda: _rate(simulate(1, 5, 14)),
    "across": lambda: _rate(simulate(4, 4, 8), matches="across"),
    "battles": _arena,
    "pooled": _pooled,
    "separated": lambda: _rate(simulate(3, 4, 12, spread=3.0)),
    "mle": lambda: _rate(simulate(2, 4, 20, spread=0.5), estimator="mle"),
    "ridge": lambda: _rate(simulate(2, 4, 12), estimator="ridge"),
    "copies": lambda: winodds.rate(grid(COPIES), higher_is_better=True),
}


def _comparisons(board: Leaderboard) -> list[Comparison]:
    return [
        board.compare(*pair, test=test)
        for pair in combinations(board.players, 2)
        for test in ("robust", "model")
    ]


def _vtab(**options: object) -> Leaderboard:
    wide = pl.read_csv(shared_file("data/vtab_leaderboard.csv"), separator=";").drop("Mean")
    return winodds.rate(
        wide.unpivot(index="Model", variable_name="task", value_name="score"),
        player="Model",
        round="task",
        higher_is_better=True,
        estimator="mle",
        **options,  # type: ignore[arg-type]
    )


# Numbers from R -----------------------------------------------------------------------------------


@pytest.mark.parametrize("interval", ["robust", "model"])
def test_vtab_pair_has_the_published_tests_whatever_the_intervals(interval: str) -> None:
    board = _vtab(interval=interval, details=False)
    model = board.compare("Semi-Rotation-10%", "Rotation", test="model")
    assert (model.wald.law, model.wald.df) == ("normal", None)
    assert model.wald.p_value == pytest.approx(0.5289, abs=5e-5)
    assert model.wald.statistic == pytest.approx(-0.14437 / 0.22928, abs=5e-5)
    robust = board.compare("Semi-Rotation-10%", "Rotation", test="robust")
    assert (robust.wald.law, robust.wald.df) == ("t", 18)
    assert robust.wald.p_value == pytest.approx(0.734, abs=5e-4)
    assert robust.wald.statistic == pytest.approx(-0.14437 / 0.41873, abs=5e-5)
    assert robust.difference.value == pytest.approx(-0.14437, abs=5e-6)


def test_vtab_likelihood_ratios_are_near_the_wald_tests() -> None:
    board = _vtab(details=False)
    for test, law in (("robust", "F"), ("model", "chi2")):
        found = board.compare("Semi-Rotation-10%", "Rotation", test=test)  # type: ignore[call-overload]
        assert found.likelihood_ratio.law == law
        assert found.likelihood_ratio.p_value == pytest.approx(found.wald.p_value, abs=0.005)
        assert found.likelihood_ratio.statistic == pytest.approx(
            _statistic(found.wald) ** 2, rel=0.01
        )


# Two players --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(BOARDS))
def test_difference_chance_and_odds_say_the_same(name: str) -> None:
    for found in _comparisons(BOARDS[name]()):
        low = -np.inf if found.difference.low is None else found.difference.low
        high = np.inf if found.difference.high is None else found.difference.high
        logits = np.array([found.difference.value, low, high])
        chance, odds = found.p_win, found.odds
        assert [chance.value, chance.low, chance.high] == pytest.approx(list(expit(logits)))
        top = np.inf if odds.high is None else odds.high
        assert [odds.value, odds.low, top] == pytest.approx(list(np.exp(logits)))


def _mirrored(found: Estimate) -> Estimate:
    low, high = (None if end is None else -end for end in (found.low, found.high))
    return Estimate(-found.value, high, low)


@pytest.mark.parametrize("name", list(BOARDS))
def test_swapping_two_players_mirrors_everything(name: str) -> None:
    board = BOARDS[name]()
    for a, b in combinations(board.players, 2):
        one, other = board.compare(a, b), board.compare(b, a)
        assert (one.a, one.b) == (other.b, other.a) == (a, b)
        mirrored = _mirrored(other.difference)
        assert one.difference.value == pytest.approx(mirrored.value, abs=1e-12)
        assert one.difference.low == pytest.approx(mirrored.low, abs=1e-9)
        assert one.difference.high == pytest.approx(mirrored.high, abs=1e-9)
        assert one.p_win.value + other.p_win.value == pytest.approx(1.0, abs=1e-12)
        assert one.odds.value * other.odds.value == pytest.approx(1.0, rel=1e-12)
        assert _statistic(one.wald) == pytest.approx(-_statistic(other.wald), abs=1e-9)
        assert one.wald.p_value == pytest.approx(other.wald.p_value, rel=1e-9)
        ratio = one.likelihood_ratio.p_value
        assert ratio == pytest.approx(other.likelihood_ratio.p_value, rel=1e-6)
        assert (one.rounds.won, one.rounds.lost) == (other.rounds.lost, other.rounds.won)
        assert one.rounds.tied == other.rounds.tied
        assert one.needed == other.needed
        assert (one.told_apart, one.identical) == (other.told_apart, other.identical)


@pytest.mark.parametrize("name", list(BOARDS))
def test_players_are_told_apart_when_the_interval_leaves_out_zero(name: str) -> None:
    board = BOARDS[name]()
    for found in _comparisons(board):
        low = -np.inf if found.difference.low is None else found.difference.low
        high = np.inf if found.difference.high is None else found.difference.high
        assert found.told_apart == (found.tested.p_value <= 0.05)
        assert (low >= 0.0 or high <= 0.0) if found.told_apart else low <= 0.0 <= high
        if found.test == "robust":
            assert found.difference == board.difference(found.a, found.b)


@pytest.mark.parametrize("matches", ["within", "across"])
@pytest.mark.parametrize("estimator", ["bias-reduced", "mle", "ridge"])
def test_kind_of_test_is_that_of_a_board_with_such_intervals(
    matches: ScoreMatches, estimator: str
) -> None:
    robust, model = (
        _rate(
            simulate(2, 4, 14, spread=0.5), matches=matches, estimator=estimator, interval=interval
        )
        for interval in ("robust", "model")
    )
    for a, b in combinations(robust.players, 2):
        assert robust.compare(a, b, test="model").to_dict() == model.compare(a, b).to_dict()
        _nearly(model.compare(a, b, test="robust"), robust.compare(a, b))


def _nearly(one: Comparison, other: Comparison) -> None:
    """The same but for the last digits of what was computed anew."""
    assert one.wald.p_value == pytest.approx(other.wald.p_value, rel=1e-9)
    assert one.difference.low == pytest.approx(other.difference.low, abs=1e-9)
    assert one.difference.high == pytest.approx(other.difference.high, abs=1e-9)
    assert (one.test, one.rounds, one.needed) == (other.test, other.rounds, other.needed)


def _slow_likelihood(beta: Floats, won: Floats) -> float:
    return float((won * np.log(expit(beta[:, None] - beta[None, :]))).sum())


def _smallest(function: Callable[[Floats], float], size: int) -> float:
    return float(optimize.minimize(function, np.zeros(size), tol=1e-12).fun)


def test_likelihood_ratio_is_what_equality_costs() -> None:
    """A general optimiser, with and without the condition, on explicit wins of all pairs."""
    scores = simulate(2, 4, 20, spread=0.5)
    board = _rate(scores, estimator="mle", interval="model")
    won = np.array([[(scores[:, i] > scores[:, j]).sum() for j in range(4)] for i in range(4)])
    free = _smallest(lambda x: -_slow_likelihood(np.append(x, 0.0), won), 3)
    tied = _smallest(lambda x: -_slow_likelihood(np.array([x[0], x[0], x[1], 0.0]), won), 2)
    found = board.compare("p0", "p1").likelihood_ratio
    assert found.statistic == pytest.approx(2.0 * (tied - free), rel=1e-6)
    assert found.p_value == pytest.approx(stats.chi2.sf(2.0 * (tied - free), 1), rel=1e-5)


def test_robust_likelihood_ratio_is_scaled_by_the_variances() -> None:
    board = _rate(simulate(2, 4, 20, spread=0.5), estimator="mle")
    for a, b in combinations(board.players, 2):
        robust, model = board.compare(a, b), board.compare(a, b, test="model")
        if robust.likelihood_ratio.law == "F":
            scale = (_statistic(robust.wald) / _statistic(model.wald)) ** 2
            expected = scale * _statistic(model.likelihood_ratio)
            assert robust.wald.law == "t"
            assert robust.likelihood_ratio.df == 19
            assert robust.likelihood_ratio.statistic == pytest.approx(expected, rel=1e-9)


# What they played ---------------------------------------------------------------------------------


def _counts(found: Comparison) -> tuple[int, int, int]:
    return found.rounds.won, found.rounds.lost, found.rounds.tied


def test_rounds_are_counted_where_both_took_part() -> None:
    table = grid(
        {"a": [3, 2, 1, 1, None, 5], "b": [1, 2, 3, 0, 9, 4], "c": [2, 3, 2, 1, 8, 4.5]},
    )
    board = winodds.rate(table, higher_is_better=True)
    assert _counts(board.compare("a", "b")) == (3, 1, 1)
    assert _counts(board.compare("b", "c")) == (2, 4, 0)
    close = winodds.rate(table, higher_is_better=True, tie_tolerance=0.5)
    assert _counts(close.compare("b", "c")) == (2, 3, 1)
    lower = winodds.rate(table, higher_is_better=False)
    assert _counts(lower.compare("a", "b")) == (1, 3, 1)
    failed = winodds.rate(table, higher_is_better=True, missing="lose")
    assert _counts(failed.compare("a", "b")) == (3, 2, 1)


def test_across_rounds_every_score_meets_every_score() -> None:
    board = winodds.rate(
        grid({"a": [1, 4], "b": [2, 4], "c": [3, 1]}), higher_is_better=True, matches="across"
    )
    # 1 loses to 2 and 4; 4 beats 2 and ties with 4.
    assert _counts(board.compare("a", "b")) == (1, 2, 1)
    assert board.compare("a", "b").kind == "across"


def test_battles_are_counted_from_both_sides() -> None:
    board = _arena()
    assert _counts(board.compare("A", "B")) == (2, 1, 1)
    assert _counts(board.compare("B", "C")) == (0, 2, 0)
    assert board.compare("A", "B").kind == "battles"
    assert board.compare("A", "B").needed.unit == "battle"


def test_players_who_never_met_are_compared_through_others() -> None:
    board = _battles(*[("A", "B", "model_a"), ("A", "B", "model_b"), ("B", "C", "model_a")] * 3)
    found = board.compare("A", "C")
    assert _counts(found) == (0, 0, 0)
    chain = board.difference("A", "B").value + board.difference("B", "C").value
    assert found.difference.value == pytest.approx(chain, rel=1e-12)
    assert found.difference.high is None


def test_copies_are_identical_and_have_no_difference() -> None:
    board = winodds.rate(grid(COPIES), higher_is_better=True)
    found = board.compare("c", "d")
    assert found.identical
    assert not board.compare("a", "c").identical
    assert (found.difference.value, found.p_win.value, found.odds.value) == (0.0, 0.5, 1.0)
    assert (found.wald.statistic, found.wald.p_value) == (0.0, 1.0)
    assert (found.likelihood_ratio.statistic, found.likelihood_ratio.p_value) == (0.0, 1.0)
    assert _counts(found) == (0, 0, 4)
    assert (found.needed.total, found.needed.more) == (None, None)
    assert not found.told_apart
    pairs = board.compare()
    assert [
        (pairs.players[i], pairs.players[j])
        for i, j in zip(pairs.first[pairs.identical], pairs.second[pairs.identical], strict=True)
    ] == [("c", "d")]
    assert pairs.p_value[pairs.identical].tolist() == [1.0]


def test_copies_on_other_rounds_are_not_identical() -> None:
    table = grid({"a": [1, 2, 3, None], "b": [1, 2, 3, 4], "c": [2, 1, 1, 5]})
    assert not winodds.rate(table, higher_is_better=True).compare("a", "b").identical


# Data that are needed -----------------------------------------------------------------------------


def test_needed_rounds_follow_from_wins_by_round() -> None:
    scores = simulate(1, 5, 14)
    board = _rate(scores)
    a, b = board.players[1], board.players[2]
    beaten = (scores[:, :, None] > scores[:, None, :]).sum(axis=2)
    apart = beaten[:, int(a[1:])] - beaten[:, int(b[1:])]
    for power in (0.5, 0.8, 0.95):
        found = board.compare(a, b, power=power)
        total = clusters_needed_by_signs(apart.astype(float), level=0.95, power=power)
        assert (found.needed.power, found.needed.total) == (power, total)
        assert found.needed.more == max(total - 14, 0)
        assert found.needed.unit == "round"


def test_needed_rounds_of_incomplete_tables_follow_from_difference_and_error() -> None:
    scores = simulate(1, 5, 14)
    scores[3, 2] = np.nan
    board = _rate(scores)
    a, b = board.players[1], board.players[2]
    pair = board.compare(a, b)
    spread = board.differences([a], [b])
    units = min(board.row(name).rounds or 0 for name in (a, b))
    for power in (0.5, 0.8, 0.95):
        found = board.compare(a, b, power=power)
        total = clusters_needed(
            pair.difference.value, float(spread.se[0]), units, level=0.95, power=power
        )
        assert (found.needed.power, found.needed.total) == (power, total)
        assert found.needed.more == max(total - units, 0)


def test_needed_data_are_counted_in_what_is_independent() -> None:
    assert _pooled().compare("p0", "p1").needed.unit == "tournament"
    table = long_table(simulate(1, 4, 12)).with_columns(lab=pl.col("round") // 3)
    board = winodds.rate(table, higher_is_better=True, cluster="lab")
    assert board.compare("p0", "p1").needed.unit == "lab"
    assert board.compare("p0", "p1").wald.df in (3, None)


# Plain data ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(BOARDS))
def test_plain_data_have_the_documented_entries(name: str) -> None:
    board = BOARDS[name]()
    for found in _comparisons(board):
        data = found.to_dict()
        assert set(data) == {
            *("a", "b", "difference", "p_win", "odds", "tested", "among"),
            *("wald", "likelihood_ratio", "test", "told_apart_among_all", "record"),
            *("rounds", "needed", "identical", "ties", "level", "kind", "told_apart", "text"),
        }
        for entry in ("difference", "p_win", "odds"):
            assert set(data[entry]) == {"value", "low", "high"}
        for entry in ("tested", "wald", "likelihood_ratio"):
            assert set(data[entry]) == {"statistic", "df", "p_value", "law", "by"}
        assert set(data["rounds"]) == {"won", "lost", "tied"}
        assert set(data["needed"]) == {"power", "total", "more", "unit"}
        assert data["difference"]["low"] == found.difference.low
        assert data["text"] == found.text == str(found)


# All pairs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(BOARDS))
@pytest.mark.parametrize("test", ["robust", "model"])
def test_all_pairs_are_the_single_comparisons(name: str, test: str) -> None:
    board = BOARDS[name]()
    pairs = list(combinations(board.players, 2))
    found = board.compare(test=test)  # type: ignore[call-overload]
    rows = found.to_dict()["pairs"]
    assert [(row["a"], row["b"]) for row in rows] == pairs
    assert len(found) == len(pairs)
    for row, pair in zip(rows, pairs, strict=True):
        single = board.compare(*pair, test=test)  # type: ignore[call-overload]
        expected = single.to_dict()
        for entry in ("difference", "p_win", "odds", "identical"):
            assert row[entry] == expected[entry]
        assert row["p_value"] == pytest.approx(single.tested.p_value, rel=1e-9)


@pytest.mark.parametrize(
    ("adjust", "by"),
    [("holm", holm), ("bh", benjamini_hochberg), ("none", lambda p: p)],
)
def test_p_values_are_adjusted_as_asked(adjust: Adjustment, by: Callable[[Floats], Floats]) -> None:
    board = BOARDS["complete"]()
    found = board.compare(adjust=adjust)
    np.testing.assert_array_equal(found.p_adjusted, by(found.p_value))
    assert (found.adjust, found.test, found.level) == (adjust, "robust", 0.95)
    np.testing.assert_array_equal(found.told_apart, found.p_adjusted <= 1.0 - 0.95)


def test_pairs_are_adjusted_by_flips_unless_clusters_are_few() -> None:
    assert BOARDS["complete"]().compare().adjust == "max-t"
    assert BOARDS["pooled"]().compare().adjust == "holm"
    assert BOARDS["battles"]().compare().adjust == "holm"
    assert BOARDS["complete"]().compare(test="model").adjust == "holm"


def test_flips_hang_on_the_seed_of_the_board() -> None:
    scores = simulate(1, 5, 14)
    one, same, other = (_rate(scores, seed=seed).compare().p_adjusted for seed in (4, 4, 5))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


@pytest.mark.parametrize(
    ("board", "options", "why"),
    [
        (
            "battles",
            {},
            "it flips the signs of clusters, which are not kept one by one here; take "
            'adjust="holm".',
        ),
        (
            "pooled",
            {},
            "it flips the signs of clusters, and these are worth only 5 here, which is too few; "
            'take adjust="holm".',
        ),
        (
            "complete",
            {"test": "model"},
            'it flips the signs of clusters, which test="model" has none of.',
        ),
    ],
)
def test_flips_are_refused_where_they_cannot_decide(
    board: str, options: dict[str, str], why: str
) -> None:
    with pytest.raises(BadOption) as caught:
        BOARDS[board]().compare(adjust="max-t", **options)  # type: ignore[call-overload]
    assert str(caught.value) == f'adjust="max-t" is not possible; {why}'


@pytest.mark.parametrize("name", ["complete", "across"])
def test_flips_never_lower_a_p_value(name: str) -> None:
    found = BOARDS[name]().compare(adjust="max-t")
    assert (found.p_adjusted >= found.p_value).all()
    assert (found.p_adjusted <= 1.0).all()


def test_ten_wins_of_ten_are_told_apart() -> None:
    board = winodds.rate(grid({"A": [1.0] * 10, "B": [0.0] * 10}), higher_is_better=True)
    found = board.compare("A", "B")
    assert (found.tested.by, found.tested.df) == ("signs", 9.0)
    assert found.tested.p_value == 0.5**9
    assert (found.difference.low, found.difference.high) == (0.0, None)
    assert found.told_apart


def test_five_rounds_are_tested_by_the_interval() -> None:
    board = winodds.rate(grid({"A": [1.0] * 5, "B": [0.0] * 5}), higher_is_better=True)
    found = board.compare("A", "B")
    assert found.tested == found.wald
    assert found.tested.by == "wald"
    assert not found.told_apart


def test_two_players_among_all_have_the_p_value_of_all_pairs() -> None:
    board = BOARDS["complete"]()
    among = board.compare()
    for k, pair in enumerate(combinations(board.players, 2)):
        found = board.compare(*pair)
        assert found.among is not None
        assert found.among.p_adjusted == among.p_adjusted[k]
        assert found.among.withheld == among.withheld[k]
        assert found.among.p_best == board.details().p_best[among.second[k]]
        assert board.compare(*pair[::-1]).among == found.among
        assert found.told_apart_among_all == among.told_apart[k]


def test_level_of_the_board_decides_who_is_told_apart() -> None:
    scores = simulate(1, 5, 14)
    strict, loose = (_rate(scores, level=level).compare() for level in (0.999, 0.5))
    np.testing.assert_array_equal(strict.p_value, loose.p_value)
    np.testing.assert_array_equal(strict.told_apart, strict.p_adjusted <= 1.0 - 0.999)
    assert strict.told_apart.sum() < loose.told_apart.sum()


def test_plain_data_of_all_pairs() -> None:
    board = BOARDS["separated"]()
    found = board.compare(adjust="bh")
    data = found.to_dict()
    assert set(data) == {"adjust", "test", "level", "pairs", "alike", "letters"}
    assert (data["adjust"], data["test"], data["level"]) == ("bh", "robust", 0.95)
    assert set(data["pairs"][0]) == {
        *("a", "b", "difference", "p_win", "odds", "se"),
        *("p_value", "p_adjusted", "told_apart", "withheld", "identical"),
    }
    assert data["letters"] == dict(zip(board.players, found.letters, strict=True))
    assert data["alike"] == [list(names) for names in found.alike]
    first = data["pairs"][0]
    assert (first["difference"]["high"], first["p_win"]["high"], first["odds"]["high"]) == (
        None,
        1.0,
        None,
    )


@pytest.mark.parametrize("backend", ["polars", "pandas", "pyarrow"])
def test_all_pairs_as_a_data_frame(backend: str) -> None:
    found = BOARDS["separated"]().compare()
    frame = nw.from_native(found.frame(backend), eager_only=True)
    columns = found.columns()
    assert frame.columns == list(columns)
    for name in ("a", "difference", "p_adjusted", "told_apart", "identical"):
        assert frame[name].to_list() == columns[name]
    assert frame["high"].fill_null(np.inf).fill_nan(np.inf).is_finite().to_list() == [
        end is not None for end in columns["high"]
    ]


# Misuse -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda board: board.compare("a"),
            BadOption,
            "b=None is not possible; name two players, or none for all pairs.",
        ),
        (
            lambda board: board.compare(b="a"),
            BadOption,
            "a=None is not possible; name two players, or none for all pairs.",
        ),
        (
            lambda board: board.compare("a", "a"),
            SamePlayer,
            "'a' cannot be compared with itself; name two players.",
        ),
        (
            lambda board: board.compare("a", "zebra"),
            UnknownPlayer,
            "No player 'zebra' on this leaderboard.",
        ),
        (
            lambda board: board.compare(adjust="max-t", test="model"),
            BadOption,
            'adjust="max-t" is not possible; it flips the signs of clusters, which test="model" '
            "has none of.",
        ),
        (
            lambda board: board.compare("a", "b", power=1.0),
            BadOption,
            "power=1.0 is not possible; it is a number between 0 and 1, ends excluded.",
        ),
        (
            lambda board: board.compare(adjust="tukey"),
            BadOption,
            'adjust="tukey" is not possible; it is one of "holm", "bh", "max-t", "none".',
        ),
        (
            lambda board: board.compare("a", "b", test="bootstrap"),
            BadOption,
            'test="bootstrap" is not possible; it is one of "robust", "model".',
        ),
    ],
)
def test_misuse_is_told(
    call: Callable[[Leaderboard], object], error: type[winodds.WinoddsError], message: str
) -> None:
    board = winodds.rate(three_by_three(), higher_is_better=True)
    assert sentence(error, lambda: call(board)) == message


# Players far apart --------------------------------------------------------------------------------


def test_players_far_apart_are_compared() -> None:
    """Rated equal, everybody between them moves far, which plain Newton steps do not survive."""
    scores = simulate(1, 4, 80, spread=4.0)
    board = _rate(scores, estimator="ridge", prior_sd=50.0, interval="model", details=False)
    won = np.array([[(scores[:, i] > scores[:, j]).sum() for j in range(4)] for i in range(4)])

    def misfit(beta: Floats) -> float:
        centred = beta - beta.mean()
        return 0.5 * float(centred @ centred) / 50.0**2 - _slow_likelihood(beta, won)

    free = _smallest(lambda x: misfit(np.append(x, 0.0)), 3)
    tied = _smallest(lambda x: misfit(np.array([x[0], x[1], x[2], x[1]])), 3)
    found = board.compare("p1", "p3")
    assert found.difference.value > 8.0
    assert found.likelihood_ratio.statistic == pytest.approx(2.0 * (tied - free), rel=1e-5)
    plain = _rate(scores, details=False).compare("p1", "p3")
    assert plain.likelihood_ratio.p_value < 1e-6
