"""Comparisons and quality in words: whole sentences, kept together here."""

from collections.abc import Callable
from dataclasses import replace

import polars as pl
import pytest
from conftest import long_table, simulate
from tables import grid, three_by_three

import winodds
from winodds.board.comparisons import Comparison
from winodds.board.leaderboard import Leaderboard
from winodds.board.quality import Quality, QualityDifference, Triples, WorstPair
from winodds.show.words.fit import (
    describe_chi2,
    describe_doubts,
    describe_triples,
    describe_worst_pair,
    short_fit,
)
from winodds.show.words.verdicts import describe_comparisons, odds_words, p_words


def _rate(table: pl.DataFrame, **options: object) -> Leaderboard:
    return winodds.rate(table, higher_is_better=True, **options)  # type: ignore[arg-type]


def _winning() -> pl.DataFrame:
    """A wins 11 of 12 rounds against B, and 10 against C."""
    a = [3.0] * 9 + [1.0, 3.0, 3.0]
    b = [2.0, 2.0, 1.0] + [2.0] * 9
    c = [1.0, 1.0, 2.0, 1.0, 1.0, 4.0, 1.0, 1.0, 1.0, 3.0, 1.0, 1.0]
    return grid({"A": a, "B": b, "C": c})


def _circle() -> pl.DataFrame:
    """Sixteen rounds each of a > b > c, b > c > a and c > a > b: everyone beats the next in 32."""
    a, b, c = [3.0] * 16, [2.0] * 16, [1.0] * 16
    return grid({"a": a + c + b, "b": b + a + c, "c": c + b + a})


def _weighted_circle() -> Leaderboard:
    """The first sixteen rounds count twice."""
    weight = pl.when(pl.col("round") < 16).then(2.0).otherwise(1.0)
    return _rate(_circle().with_columns(w=weight), weights="w")


def _copies() -> pl.DataFrame:
    """C and d are the same; a and b are rated equal."""
    a, b, c = [1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 4.0, 3.0], [0.0, 3.0, 3.5, 3.6]
    return grid({"a": a, "b": b, "c": c, "d": c})


def _separated() -> pl.DataFrame:
    """A wins always."""
    return grid({"a": [3.0] * 12, "b": [2.0, 1.0] * 6, "c": [1.0, 2.0] * 6})


def _sweep() -> pl.DataFrame:
    """One of two players wins all of six rounds."""
    return grid({"a": [2.0] * 6, "b": [1.0] * 6})


def _battles() -> Leaderboard:
    """A and C never met."""
    rows = [("A", "B", "model_a"), ("A", "B", "model_b"), ("A", "B", "tie"), ("B", "C", "model_a")]
    rows = [*rows * 2, ("A", "B", "model_a"), ("C", "B", "model_a"), ("C", "B", "model_b")]
    return winodds.rate_battles(pl.DataFrame(rows, ["model_a", "model_b", "winner"], orient="row"))


def _pooled() -> Leaderboard:
    """Five data sets, every other one upside down."""
    signs = [-1, 1, -1, 1, -1]
    tables = [
        three_by_three().with_columns(data=pl.lit(f"d{k}"), score=pl.col("score") * sign)
        for k, sign in enumerate(signs)
    ]
    return _rate(pl.concat(tables), tournament="data")


def _by_lab() -> Leaderboard:
    return _rate(_winning().with_columns(lab=pl.col("round") // 4), cluster="lab")


# Two players --------------------------------------------------------------------------------------

TEXTS: dict[str, tuple[Callable[[], Comparison], str]] = {
    "told apart": (
        lambda: _rate(_winning()).compare("A", "C"),
        "By their ratings, A beats C in 90 of 100 new rounds (95% interval 50 to 99): a difference "
        "of 2.16 in EPP (0.00 to 4.32), odds of 8.7 to 1. A won 10 and lost 2 of their 12 rounds "
        "(for the pair itself, 95% interval 52 to 96 of 100). The test by the signs of rounds "
        "gives t(11) = 2.98, p = 0.013, which is why the interval ends at 0. The data tell them "
        "apart: A is better than C.",
    ),
    "all rounds agree": (
        lambda: _rate(_sweep()).compare("a", "b"),
        "By their ratings, a beats b in 93 of 100 new rounds (95% interval 50 to 100): a "
        "difference of 2.56 in EPP (0.00 to ∞). a won 6 and lost 0 of their 6 rounds (for the pair "
        "itself, 95% interval 48 to 100 of 100). The test by the signs of rounds gives t(5) = "
        "3.37, p = 0.031, which is why the interval ends at 0. Taken alone, the data tell them "
        "apart: a is better than b. Among all, b is still the best with a chance of 6 of 100, so "
        "the board does not exclude it.",
    ),
    "told apart from one who may be the best": (
        lambda: _rate(_winning()).compare("A", "B"),
        "By their ratings, A beats B in 82 of 100 new rounds (95% interval 53 to 94): a difference "
        "of 1.50 in EPP (0.11 to 2.68), odds of 4.5 to 1. A won 11 and lost 1 of their 12 rounds "
        "(for the pair itself, 95% interval 61 to 99 of 100). The test by the signs of rounds "
        "gives t(11) = 3.71, p = 0.003. Taken alone, the data tell them apart: A is better than B. "
        "Among all, B is still the best with a chance of 6 of 100, so the board does not exclude "
        "it.",
    ),
    "told apart, but not among all pairs": (
        lambda: _rate(long_table(simulate(0, 6, 12))).compare("p5", "p3"),
        "By their ratings, p5 beats p3 in 82 of 100 new rounds (95% interval 56 to 93): a "
        "difference of 1.50 in EPP (0.26 to 2.61), odds of 4.5 to 1. p5 won 10 and lost 2 of their "
        "12 rounds (for the pair itself, 95% interval 52 to 96 of 100). The test by the signs of "
        "rounds gives t(11) = 2.94, p = 0.013. Taken alone, the data tell them apart: p5 is better "
        "than p3. Among all pairs of the board they do not (p = 0.12).",
    ),
    "told apart, the worse one first": (
        lambda: _rate(_winning()).compare("B", "A"),
        "By their ratings, B beats A in 18 of 100 new rounds (95% interval 6 to 47): a difference "
        "of -1.50 in EPP (-2.68 to -0.11), odds of 1 to 4.5. B won 1 and lost 11 of their 12 "
        "rounds (for the pair itself, 95% interval 1 to 39 of 100). The test by the signs of "
        "rounds gives t(11) = -3.71, p = 0.003. Taken alone, the data tell them apart: A is better "
        "than B. Among all, B is still the best with a chance of 6 of 100, so the board does not "
        "exclude it.",
    ),
    "not told apart": (
        lambda: _rate(three_by_three()).compare("a", "b"),
        "By their ratings, a beats b in 59 of 100 new rounds (95% interval 3 to 99): a difference "
        "of 0.38 in EPP (-3.57 to 4.31), odds of 1.5 to 1. a won 2 and lost 1 of their 3 rounds "
        "(for the pair itself, 95% interval 6 to 98 of 100). The cluster-robust Wald test gives "
        "t(2) = 0.41, p = 0.72. The data cannot tell them apart; if the difference is what it "
        "seems, it takes about 106 rounds, 103 more than now, to show it with 80% power.",
    ),
    "other power": (
        lambda: _rate(three_by_three()).compare("c", "b", power=0.95),
        "By their ratings, c beats b in 41 of 100 new rounds (95% interval <1 to >99): a "
        "difference of -0.38 in EPP (-7.51 to 7.10), odds of 1 to 1.5. c won 1 and lost 2 of their "
        "3 rounds (for the pair itself, 95% interval 2 to 94 of 100). The cluster-robust Wald test "
        "gives t(2) = -0.22, p = 0.84. The data cannot tell them apart; if the difference is what "
        "it seems, it takes about 636 rounds, 633 more than now, to show it with 95% power.",
    ),
    "identical": (
        lambda: _rate(_copies()).compare("c", "d"),
        "c and d are identical: they have the same score in every round in which either took "
        "part, and nothing in the data tells them apart.",
    ),
    "a closed end beyond all digits": (
        lambda: _rate(grid({"a": [1.0, 2.0], "b": [2.0, 1.0]})).compare("a", "b"),
        "By their ratings, a is level with b in new rounds (50 of 100; 95% interval <1 to >99): "
        "a difference of 0.00 in EPP (-25.41 to 25.41), odds of 1 to 1. a won 1 and lost 1 of "
        "their 2 rounds (for the pair itself, 95% interval <1 to >99 of 100). The cluster-robust "
        "Wald test gives t(1) = 0.00, p = 1.00. The data cannot tell them apart; they are rated "
        "equal, so no number of rounds would.",
    ),
    "rated equal": (
        lambda: _rate(_copies()).compare("a", "b"),
        "By their ratings, a is level with b in new rounds (50 of 100; a tie counts half; 95% "
        "interval 2 to 98): a difference of 0.00 in EPP (-4.11 to 4.11), odds of 1 to 1. a won 2 "
        "and lost 2 of their 4 rounds (for the pair itself, 95% interval 8 to 92 of 100). The "
        "cluster-robust Wald test gives t(3) = 0.00, p = 1.00. The data cannot tell them apart; "
        "they are rated equal, so no number of rounds would.",
    ),
    "separated": (
        lambda: _rate(_separated()).compare("a", "b"),
        "By their ratings, a beats b in 98 of 100 new rounds (95% interval 65 to 100): a "
        "difference of 3.85 in EPP (0.64 to ∞), odds of more than 1.9 to 1. a won 12 and lost 0 of "
        "their 12 rounds (for the pair itself, 95% interval 71 to 100 of 100). The test by the "
        "signs of rounds gives t(11) = 6.69, p < 0.001. The data tell them apart: a is better than "
        "b.",
    ),
    "separated, other level": (
        lambda: _rate(_separated(), level=0.9).compare("b", "a"),
        "By their ratings, b beats a in 2 of 100 new rounds (90% interval 0 to 23): a difference "
        "of -3.85 in EPP (-∞ to -1.23), odds of less than 1 to 3.4. b won 0 and lost 12 of their "
        "12 rounds (for the pair itself, 90% interval 0 to 21 of 100). The test by the signs of "
        "rounds gives t(11) = -6.69, p < 0.001. The data tell them apart: a is better than b.",
    ),
    "model": (
        lambda: _rate(three_by_three()).compare("a", "b", test="model"),
        "By their ratings, a beats b in 59 of 100 new rounds (95% interval 18 to 91): a "
        "difference of 0.38 in EPP (-1.52 to 2.27), odds of 1.5 to 1. a won 2 and lost 1 of their "
        "3 rounds (for the pair itself, 95% interval 6 to 98 of 100). The model-based Wald test "
        "gives z = 0.39, p = 0.70, the likelihood-ratio test χ²(1) = 0.19, p = 0.66; they take "
        "all matches as independent, which they are not. The data cannot tell them apart; if the "
        "difference is what it seems, it takes about 157 rounds, 154 more than now, to show it "
        "with 80% power.",
    ),
    "across": (
        lambda: _rate(three_by_three(), matches="across").compare("a", "c"),
        "By their ratings, a beats c in 57 of 100 new matches (95% interval 8 to 95): a difference "
        "of 0.28 in EPP (-2.40 to 2.94), odds of 1.3 to 1. a won 5 and lost 4 of their 9 matches "
        "(for the pair itself, 95% interval 6 to 96 of 100). The cluster-robust Wald test gives "
        "t(2) = 0.45, p = 0.69. The data cannot tell them apart; if the difference is what it "
        "seems, it takes about 117 rounds, 114 more than now, to show it with 80% power.",
    ),
    "battles": (
        lambda: _battles().compare("A", "B"),
        "By their ratings, A beats B in 56 of 100 new battles (a tie counts half; 95% interval 19 "
        "to 87): a difference of 0.25 in EPP (-1.44 to 1.94), odds of 1.3 to 1. A won 3, lost 2 "
        "and tied 2 of their 7 battles (for the pair itself, a tie counts half; 95% interval 20 to "
        "88 of 100). The Wald test gives z = 0.33, p = 0.74 (it takes matches as independent, "
        "which is the more careful test here). The data cannot tell them apart; if the difference "
        "is what it seems, it takes about 507 battles, 500 more than now, to show it with 80% "
        "power.",
    ),
    "never met": (
        lambda: _battles().compare("A", "C"),
        "By their ratings, A beats C in 75 of 100 new battles (a tie counts half; 95% interval 3 "
        "to >99): a difference of 1.10 in EPP (-3.38 to 5.58), odds of 3.0 to 1. They never met; "
        "the comparison goes through others. The cluster-robust Wald test gives t(3) = 0.78, p = "
        "0.49. The data cannot tell them apart; if the difference is what it seems, it takes about "
        "54 battles, 50 more than now, to show it with 80% power.",
    ),
    "pooled": (
        lambda: _pooled().compare("a", "b"),
        "By their ratings, a beats b in 48 of 100 new rounds of new data sets (95% interval 29 "
        "to 68): a difference of -0.09 in EPP (-0.91 to 0.74), odds of 1 to 1.1. a won 7 and lost "
        "8 of their 15 rounds (for the pair itself, 95% interval 17 to 79 of 100). The Wald test "
        "gives z = -0.20, p = 0.84 (it takes matches as independent, which is the more careful "
        "test here). The data cannot tell them apart; if the difference is what it seems, it takes "
        "about 252 data sets, 247 more than now, to show it with 80% power.",
    ),
    "cluster": (
        lambda: _by_lab().compare("A", "B"),
        "By their ratings, A beats B in 82 of 100 new rounds (95% interval 36 to 97): a difference "
        "of 1.50 in EPP (-0.57 to 3.58), odds of 4.5 to 1. A won 11 and lost 1 of their 12 rounds "
        "(for the pair itself, 95% interval 24 to >99 of 100). The cluster-robust Wald test gives "
        "t(2.2) = 2.88, p = 0.093. The data cannot tell them apart; if the difference is what it "
        "seems, it takes about 7 values of 'lab', 3 more than now, to show it with 80% power.",
    ),
    "record first": (
        lambda: _rate(_circle()).compare("a", "b"),
        "a won 32 of 48 rounds against b (95% interval 52 to 79 of 100 new rounds); by their "
        "ratings they are level, 50 of 100 (95% interval 37 to 63): a difference of 0.00 in EPP "
        "(-0.55 to 0.55), odds of 1 to 1. Ratings do not explain the record of this pair, so it "
        "comes first. The test by the signs of rounds gives t(47) = 0.00, p = 1.00. The data "
        "cannot tell their ratings apart; they are rated equal, so no number of rounds would.",
    ),
    "record first, weighted": (
        lambda: _weighted_circle().compare("a", "b"),
        "a won 32 of 48 rounds against b (by weight 75 of 100; 95% interval 60 to 85 of 100 new "
        "rounds); by their ratings 58 of 100 (95% interval 45 to 69): a difference of 0.32 in EPP "
        "(-0.19 to 0.82), odds of 1.4 to 1. Ratings do not explain the record of this pair, so it "
        "comes first. The test by the signs of rounds gives t(45.1) = 1.24, p = 0.22. The data "
        "cannot tell their ratings apart; if the difference is what it seems, it takes about 248 "
        "rounds, 200 more than now, to show it with 80% power.",
    ),
}


@pytest.mark.parametrize("name", list(TEXTS))
def test_comparison_in_words(name: str) -> None:
    call, expected = TEXTS[name]
    assert call().text == expected


@pytest.mark.parametrize("name", list(TEXTS))
def test_interval_and_test_say_the_same(name: str) -> None:
    """Nobody is told apart beside an interval that holds 0, nor the other way round."""
    found = TEXTS[name][0]()
    low, high = found.difference.low, found.difference.high
    holds = (low is None or low < 0.0) and (high is None or high > 0.0)
    assert holds is not found.told_apart


def test_identical_scores_across_rounds_are_those_of_rounds() -> None:
    found = _rate(_copies(), matches="across").compare("c", "d")
    assert found.text == (
        "c and d are identical: they have the same score in every round in which either took "
        "part, and nothing in the data tells them apart."
    )


def test_difference_that_rounds_to_zero_has_no_sign() -> None:
    """Two players who tied differ by 1e-17 when the fit comes from below."""
    found = _rate(_copies()).compare("a", "b")
    below = replace(
        found,
        difference=replace(found.difference, value=-1e-17),
        tested=replace(found.tested, statistic=-1e-17),
        odds=replace(found.odds, value=1.0 - 1e-16),
    )
    assert below.text == found.text


@pytest.mark.parametrize(
    ("odds", "words"),
    [
        (1.0, "1 to 1"),
        (1.049, "1 to 1"),
        (1.051, "1.1 to 1"),
        (0.951, "1 to 1"),
        (0.949, "1 to 1.1"),
        (0.5, "1 to 2.0"),
        (99.94, "99.9 to 1"),
        (99.96, "100 to 1"),
        (1000.0, "1,000 to 1"),
        (1000.1, "more than 1,000 to 1"),
        (1 / 999.0, "1 to 999"),
        (1 / 12345.0, "less than 1 to 1,000"),
        (0.0, "less than 1 to 1,000"),
    ],
)
def test_odds_in_words(odds: float, words: str) -> None:
    assert odds_words(odds) == words


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (0.00099, "p < 0.001"),
        (0.001, "p = 0.001"),
        (0.0994, "p = 0.099"),
        (0.0996, "p = 0.10"),
        (1.0, "p = 1.00"),
    ],
)
def test_p_value_in_words(p: float, words: str) -> None:
    assert p_words(p) == words


# All pairs ----------------------------------------------------------------------------------------

FLIPS = (
    "1 of 3 pairs is told apart, by cluster-robust tests with the max-t adjustment by sign flips: "
    "the chance of any false claim is at most 5%."
)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, FLIPS),
        ({"adjust": "max-t"}, FLIPS),
        (
            {"adjust": "holm"},
            "2 of 3 pairs are told apart, by cluster-robust tests with Holm's adjustment: the "
            "chance of any false claim is at most 5%.",
        ),
        (
            {"adjust": "bh"},
            "2 of 3 pairs are told apart, by cluster-robust tests with Benjamini and Hochberg's "
            "adjustment: on average at most 5% of the claims are false.",
        ),
        (
            {"adjust": "none"},
            "2 of 3 pairs are told apart, by cluster-robust tests with no adjustment: each single "
            "claim is false with a chance of 5% if nothing is there.",
        ),
        (
            {"test": "model"},
            "2 of 3 pairs are told apart, by model-based tests with Holm's adjustment: the chance "
            "of any false claim is at most 5% if matches were independent, which they are not.",
        ),
    ],
)
def test_all_pairs_in_words(options: dict[str, str], text: str) -> None:
    compare: Callable[..., winodds.board.comparisons.Comparisons] = _rate(_winning()).compare
    assert describe_comparisons(compare(**options)) == text


# Quality ------------------------------------------------------------------------------------------


def _quality(**changes: object) -> Quality:
    found = Quality(
        deviance=64.692,
        df=105,
        standardised=-2.7815,
        dispersion=0.616,
        p_value=0.42,
        p_value_chi2=0.999,
        convention="pairs",
        estimate="mle",
        expected=60.04,
        simulations=238,
        players=16,
        components=1,
        pairs=120,
        kind="within",
        tournaments=1,
        calibration=(),
        worst_pairs=(),
        triples=None,
    )
    return replace(found, **changes)  # type: ignore[arg-type]


START = (
    "Deviance 64.7 on 105 degrees of freedom at the maximum-likelihood estimate (standardised "
    "-2.78). Tables drawn under such ratings have 60.0 on average "
)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        (
            {},
            f"{START}(p = 0.42): no sign that the ratings miss anything.",
        ),
        (
            {"p_value": 0.1},
            f"{START}(p = 0.10): there is some doubt that one "
            f"rating for each player explains who beats whom.",
        ),
        (
            {"p_value": 0.004},
            f"{START}(p = 0.004): the ratings do not explain all of who beats whom.",
        ),
        (
            {"convention": "paper", "deviance": 1129.4, "df": 1, "estimate": "ridge"},
            "Deviance 1,129.4 on 1 degree of freedom at the ridge estimate, each pair in both "
            "orders (standardised -2.78). Tables drawn under such ratings have 60.0 on average "
            "(p = 0.42): no sign that the ratings miss anything.",
        ),
        (
            {"df": 0, "standardised": None, "dispersion": None},
            "Two players, or a chain of them, always fit: there is nothing to check.",
        ),
    ],
)
def test_quality_in_words(changes: dict[str, object], text: str) -> None:
    assert _quality(**changes).text == text


def test_fit_in_one_line() -> None:
    assert short_fit(_quality()) == (
        "Fit: no sign that the ratings miss anything (p = 0.42, deviance 64.7 on 105 df)."
    )
    assert short_fit(_quality(p_value=0.064)) == (
        "Fit: there is some doubt that one rating for each player explains who beats whom "
        "(p = 0.064, deviance 64.7 on 105 df)."
    )
    assert short_fit(_quality(p_value=0.001, deviance=1234.56, df=1024)) == (
        "Fit: the ratings do not explain all of who beats whom (p = 0.001, deviance 1,234.6 on "
        "1,024 df)."
    )
    assert short_fit(_quality(df=0)) == "Fit: nothing to check."


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (
            QualityDifference(-2.774, 1.5),
            "The first board has the smaller deviance for its size (standardised deviance -2.77 "
            "against 1.50).",
        ),
        (
            QualityDifference(1.5, -2.774),
            "The second board has the smaller deviance for its size (standardised deviance 1.50 "
            "against -2.77).",
        ),
        (
            QualityDifference(0.5, 0.5),
            "Both boards have the same deviance for their size (standardised deviance 0.50 against "
            "0.50).",
        ),
        (
            QualityDifference(None, 0.5),
            "One of the boards has no degrees of freedom: it always fits.",
        ),
    ],
)
def test_difference_of_two_boards_in_words(found: QualityDifference, text: str) -> None:
    assert found.text == text


def test_pooled_boards_are_told_what_was_tested() -> None:
    pooled = _quality(p_value=0.004, tournaments=35)
    usual = (
        " That is usual where players are better on some tournaments than on others; the ratings "
        "are averages over tournaments."
    )
    assert pooled.text == (
        f"{START}(p = 0.004): one rating for each player on all 35 tournaments does not explain "
        f"all of who beats whom.{usual}"
    )
    assert _quality(p_value=0.05, tournaments=2).text == (
        f"{START}(p = 0.050): there is some doubt that one rating for each player on all 2 "
        f"tournaments explains who beats whom.{usual}"
    )
    assert _quality(tournaments=35).text == _quality().text


def test_the_chi2_law_is_doubted_for_the_right_reason() -> None:
    start = "The χ² law would say p = 1.00; it"
    assert describe_chi2(_quality()) == (
        f"{start} takes all matches as independent, which they are not."
    )
    assert describe_chi2(_quality(kind="battles")) == (
        f"{start} knows nothing of ties, and needs many battles of every pair."
    )


def test_pairs_and_circles_that_do_not_fit_in_words() -> None:
    pair = WorstPair("A", "B", 2.5, 1019.0, 12.13, -4.2)
    assert describe_worst_pair(pair) == (
        "A won 2.5 of 1,019 against B, where the ratings expect 12.1"
    )
    none = Triples(count=0, of=560, expected=0.32, strongest=())
    one = Triples(count=1, of=560, expected=None, strongest=(("A", "B", "C"),))
    two = Triples(count=2, of=1, expected=4.0, strongest=(("A", "B", "C"), ("C", "B", "A")))
    circle = "A beats B, B beats C, and C beats A most of the time."
    assert describe_triples(none) == (
        "Nobody beats in a circle: 0 of 560 triples; 0.3 would be usual."
    )
    assert describe_triples(one) == f"1 of 560 triples goes in a circle: {circle}"
    assert describe_triples(two) == f"2 of 1 triple go in a circle; 4 would be usual: {circle}"
    assert describe_doubts(_quality(worst_pairs=(pair,), triples=none)) == [
        "A won 2.5 of 1,019 against B, where the ratings expect 12.1.",
        "Nobody beats in a circle: 0 of 560 triples; 0.3 would be usual.",
    ]


def test_what_fits_exactly_or_cannot_be_counted_is_no_doubt() -> None:
    exact = WorstPair("A", "B", 2.0, 4.0, 2.0, 0.0)
    nobody = Triples(count=0, of=0, expected=0.0, strongest=())
    assert describe_doubts(_quality(worst_pairs=(exact,), triples=nobody)) == []
    assert describe_doubts(_quality(worst_pairs=(exact,), triples=None)) == []


def test_the_record_comes_first_where_the_fit_is_known_to_be_bad() -> None:
    """Nothing is simulated for a comparison; a quality that was asked for is taken into account."""
    rounds = 9 * [[3.0, 2.0, 1.0, 0.0]] + 5 * [[1.0, 3.0, 2.0, 0.0]] + 7 * [[2.0, 1.0, 3.0, 0.0]]
    board = _rate(grid({name: [row[k] for row in rounds] for k, name in enumerate("abcd")}))
    before = board.compare("a", "d")
    assert before.record is not None
    assert (before.record.differs, before.record.leads) == (False, False)
    assert before.text.startswith("By their ratings, a beats d in ")
    board._quality = replace(board.quality(), p_value=0.05)
    after = board.compare("a", "d")
    assert after.record is not None
    assert (after.record.differs, after.record.leads) == (False, True)
    assert after.text.startswith(
        "a won 21 of 21 rounds against d (95% interval 83 to 100 of 100 new "
    )
    assert (
        "Ratings do not explain all of who beats whom here, so the record comes first."
        in after.text
    )
    board._quality = replace(board.quality(), p_value=0.051)
    assert board.compare("a", "d") == before
