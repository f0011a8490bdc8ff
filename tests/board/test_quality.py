"""The quality of boards: deviance, calibration, worst pairs, circles, and Friedman's test."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import polars as pl
import pytest
from conftest import long_table, shared_file, simulate
from scipy import stats
from scipy.special import expit, xlogy
from tables import grid, sentence, three_by_three

import winodds
from winodds.arrays import Floats
from winodds.board import quality as fitness
from winodds.board.leaderboard import Leaderboard
from winodds.board.quality import Quality
from winodds.errors import BadOption, NoCompleteRounds, NoEvidence
from winodds.inference.friedman import nemenyi_critical_difference
from winodds.language.options import Convention
from winodds.quality.goodness import Simulated


def _rate(scores: Floats, **options: object) -> Leaderboard:
    return winodds.rate(
        long_table(scores),
        higher_is_better=True,
        **options,  # type: ignore[arg-type]
    )


def _circle(times: int) -> Leaderboard:
    """A beats B, B beats C and C beats A in two of three rounds each."""
    orders = {"A": [3.0, 1.0, 2.0], "B": [2.0, 3.0, 1.0], "C": [1.0, 2.0, 3.0]}
    table = grid({player: scores * times for player, scores in orders.items()})
    return winodds.rate(table, higher_is_better=True)


def _vtab(**options: object) -> Leaderboard:
    wide = pl.read_csv(shared_file("data/vtab_leaderboard.csv"), separator=";").drop("Mean")
    return winodds.rate(
        wide.unpivot(index="Model", variable_name="task", value_name="score"),
        player="Model",
        round="task",
        higher_is_better=True,
        **options,  # type: ignore[arg-type]
    )


def _wins(scores: Floats) -> Floats:
    """(m, m) rounds that the row's player won against the column's, ties one half."""
    return np.array(
        [
            [np.sum(own > other) + 0.5 * np.sum(own == other) for other in scores.T]
            for own in scores.T
        ]
    )


# Deviance -----------------------------------------------------------------------------------------


def test_vtab_has_the_deviance_of_r() -> None:
    quality = _vtab(estimator="mle").quality(simulations=1)
    assert quality.deviance == pytest.approx(64.6926136880, abs=1e-8)
    assert quality.df == 105
    assert quality.standardised == pytest.approx((64.6926136880 - 105) / np.sqrt(210), abs=1e-8)
    assert quality.dispersion == pytest.approx(64.6926136880 / 105, abs=1e-9)
    assert quality.p_value_chi2 == pytest.approx(stats.chi2.sf(64.6926136880, 105), rel=1e-9)
    assert (quality.convention, quality.estimate) == ("pairs", "mle")
    assert (quality.players, quality.components, quality.pairs) == (16, 1, 120)


def test_vtab_by_the_convention_of_the_paper() -> None:
    board = _vtab(estimator="mle", convention="paper")
    quality = board.quality(simulations=1)
    assert quality.deviance == pytest.approx(129.385227, abs=5e-7)
    assert quality.df == 224 == 16 * 14
    assert quality.standardised == pytest.approx((129.385227 - 224) / np.sqrt(448), abs=1e-6)
    assert quality.convention == "paper"
    assert board.quality(convention="pairs", simulations=1).deviance == pytest.approx(64.6926137)


def test_vtab_deviance_is_smallest_at_the_maximum_likelihood() -> None:
    reduced = _vtab().quality(simulations=1)
    assert reduced.deviance == pytest.approx(64.80, abs=0.005)
    assert reduced.estimate == "bias-reduced"


def test_deviance_of_a_circle_by_hand() -> None:
    """All are rated equal; each of three pairs has 20 of 30 wins where 15 are expected."""
    quality = _circle(10).quality(simulations=200)
    deviance = 2.0 * 3.0 * (20.0 * np.log(20.0 / 15.0) + 10.0 * np.log(10.0 / 15.0))
    assert quality.deviance == pytest.approx(deviance, rel=1e-12)
    assert quality.df == 1
    assert quality.standardised == pytest.approx((deviance - 1.0) / np.sqrt(2.0), rel=1e-12)
    assert quality.triples is not None
    assert (quality.triples.count, quality.triples.of) == (1, 1)
    assert quality.triples.strongest == (("A", "B", "C"),)
    assert [(one.pairs, one.matches, one.fitted) for one in quality.calibration] == [(3, 90.0, 0.5)]


@pytest.mark.parametrize("options", [{}, {"estimator": "mle"}, {"estimator": "ridge"}])
def test_deviance_is_a_sum_over_pairs(options: dict[str, object]) -> None:
    scores = np.round(2.0 * simulate(4, 5, 16, spread=0.5)) / 2.0
    board = _rate(scores, **options)
    won = _wins(scores)
    beta = np.array([board.row(f"p{k}").epp for k in range(5)])
    deviance = 0.0
    for i, j in combinations(range(5), 2):
        chance = expit(beta[i] - beta[j])
        deviance += 2.0 * float(
            xlogy(won[i, j], won[i, j] / (16.0 * chance))
            + xlogy(won[j, i], won[j, i] / (16.0 * (1.0 - chance)))
        )
    quality = board.quality(simulations=1)
    assert quality.deviance == pytest.approx(deviance, rel=1e-9)
    assert quality.df == 10 - 5 + 1


def test_pairs_that_never_met_have_no_degree_of_freedom() -> None:
    """B and C never met: two pairs and two free ratings."""
    table = grid({"A": [1, 2, 1, 2], "B": [2, 1, None, None], "C": [None, None, 2, 1]})
    quality = winodds.rate(table, higher_is_better=True).quality()
    assert (quality.pairs, quality.df) == (2, 0)
    assert (quality.standardised, quality.dispersion) == (None, None)
    assert quality.p_value_chi2 == 1.0


def test_components_that_never_met_add_up() -> None:
    scores = np.full((30, 7), np.nan)
    scores[:15, :3], scores[15:, 3:] = simulate(1, 3, 15), simulate(2, 4, 15, spread=0.5)
    board = _rate(scores, components="separate")
    parts = [_rate(scores[:, :3]), _rate(scores[:, 3:])]
    own, others = board.quality(simulations=20), [part.quality(simulations=20) for part in parts]
    assert own.deviance == pytest.approx(sum(other.deviance for other in others), rel=1e-12)
    assert own.df == sum(other.df for other in others) == 1 + 3
    assert (own.components, own.pairs, own.players) == (2, 3 + 6, 7)
    both = board.quality(simulations=20, convention="paper")
    assert both.df == 2 * 9 - 7
    circles = [quality.triples for quality in (own, *others)]
    assert all(triples is not None for triples in circles)
    counts = [triples.of for triples in circles if triples is not None]
    assert counts[0] == counts[1] + counts[2] == 1 + 4


# Calibration, worst pairs and circles -------------------------------------------------------------


def test_calibration_bins_favourites_by_their_expected_share() -> None:
    scores = simulate(4, 6, 18)
    board = _rate(scores)
    won = _wins(scores)
    beta = np.array([board.row(f"p{k}").epp for k in range(6)])
    chance = expit(beta[:, None] - beta)
    favourite = [(i, j) for i, j in permutations(range(6), 2) if beta[i] > beta[j]]
    quality = board.quality(simulations=1)
    assert sum(one.pairs for one in quality.calibration) == len(favourite) == 15
    for one in quality.calibration:
        inside = [pair for pair in favourite if one.low <= chance[pair] < one.high]
        assert one.high == pytest.approx(one.low + 0.05)
        assert (one.pairs, one.matches) == (len(inside), 18.0 * len(inside))
        assert one.fitted == pytest.approx(np.mean([chance[pair] for pair in inside]), rel=1e-9)
        assert one.observed == pytest.approx(np.mean([won[pair] for pair in inside]) / 18.0)


def test_worst_pairs_have_the_largest_residuals() -> None:
    scores = simulate(4, 6, 18)
    board = _rate(scores)
    won = _wins(scores)
    found = {}
    for a, b in combinations(board.players, 2):
        chance = board.win_probability(a, b).value
        wins = won[int(a[1]), int(b[1])]
        found[frozenset((a, b))] = (wins - 18 * chance) / np.sqrt(18 * chance * (1 - chance))
    worst = board.quality(simulations=1).worst_pairs
    expected = sorted(found, key=lambda pair: -abs(found[pair]))[:5]
    assert [frozenset((pair.first, pair.second)) for pair in worst] == expected
    for pair in worst:
        assert pair.won == won[int(pair.first[1]), int(pair.second[1])]
        assert pair.matches == 18.0
        chance = board.win_probability(pair.first, pair.second).value
        assert pair.expected == pytest.approx(18.0 * chance, rel=1e-9)
        assert pair.residual == pytest.approx(
            (pair.won - pair.expected) / np.sqrt(18.0 * chance * (1.0 - chance)), rel=1e-9
        )


def test_circles_are_counted_among_all_triples() -> None:
    scores = simulate(7, 7, 9, spread=0.2)
    won = _wins(scores)
    ahead = won > won.T
    circles = {
        frozenset((a, b, c))
        for a, b, c in permutations(range(7), 3)
        if ahead[a, b] and ahead[b, c] and ahead[c, a]
    }
    triples = _rate(scores).quality(simulations=50).triples
    assert triples is not None
    assert (triples.count, triples.of) == (len(circles), 35)
    assert len(circles) > 0
    for a, b, c in triples.strongest:
        first, second, third = int(a[1]), int(b[1]), int(c[1])
        assert ahead[first, second]
        assert ahead[second, third]
        assert ahead[third, first]


# P-values -----------------------------------------------------------------------------------------


def test_circle_that_repeats_is_no_chance() -> None:
    assert _circle(10).quality(simulations=500).p_value < 0.02
    one = _circle(1).quality(simulations=500)
    assert one.p_value > 0.1
    # Three orders of three equal players make a circle in 12 of 216 cases.
    assert one.triples is not None
    assert one.triples.expected == pytest.approx(12 / 216, abs=0.04)


@pytest.mark.parametrize(
    "board",
    [lambda: _rate(simulate(4, 5, 14)), lambda: _circle(12), lambda: _vtab(), lambda: _battles()],
)
def test_p_value_depends_on_the_seed_and_not_on_the_workers(
    board: Callable[[], Leaderboard],
) -> None:
    """Some boards stop drawing early, once enough tables fit as badly."""
    rated = board()
    first = rated.quality(simulations=300, seed=5)
    assert rated.quality(simulations=300, seed=5) == first
    assert rated.quality(simulations=300, seed=5, n_jobs=2) == first
    other = rated.quality(simulations=300, seed=6)
    assert other.expected != first.expected
    assert other.deviance == first.deviance


def test_workers_change_nothing_for_components_that_never_met() -> None:
    scores = np.full((20, 6), np.nan)
    scores[:10, :3], scores[10:, 3:] = simulate(1, 3, 10), simulate(2, 3, 10)
    board = _rate(scores, components="separate")
    assert board.quality(simulations=250, n_jobs=2) == board.quality(simulations=250)


def test_quality_of_the_board_goes_by_its_seed() -> None:
    board = _rate(simulate(4, 5, 14), seed=3)
    assert board.quality() == board.quality(seed=3)
    assert board.quality() != board.quality(seed=4)


def test_drawn_tables_that_are_hard_to_fit_end_nothing() -> None:
    """Two of five scores are missing, and drawn tables hang together by single matches."""
    scores = simulate(8, 8, 6)
    scores[np.random.default_rng(8).random(scores.shape) < 0.4] = np.nan
    quality = _rate(scores).quality(simulations=400)
    there = ~np.isnan(scores)
    met = sum(bool((there[:, i] & there[:, j]).any()) for i, j in combinations(range(8), 2))
    assert (quality.players, quality.pairs, quality.df) == (8, met, met - 8 + 1)
    assert quality.p_value > 0.05


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    _circle(10).quality(simulations=450, progress=lambda *done: told.append(done))
    assert [total for _, total in told] == [told[0][1]] * len(told)
    assert [done for done, _ in told] == list(range(1, len(told) + 1))


def test_tables_drawn_under_the_ratings_fit_as_they_should() -> None:
    """A table from the model itself: its p-value is not small, and 1 or below."""
    rng = np.random.default_rng(0)
    p = [
        _rate(np.linspace(-1, 1, 4) + rng.gumbel(size=(15, 4)), details=False)
        .quality(simulations=99)
        .p_value
        for _ in range(40)
    ]
    assert max(p) <= 1.0
    assert np.mean(np.array(p) <= 0.2) == pytest.approx(0.2, abs=0.17)


def _battles() -> Leaderboard:
    rows = [("A", "B", "model_a"), ("B", "C", "model_a"), ("C", "A", "model_a"), ("A", "B", "tie")]
    rows = [*rows * 3, ("A", "C", "model_a"), ("C", "B", "model_b")]
    return winodds.rate_battles(pl.DataFrame(rows, ["model_a", "model_b", "winner"], orient="row"))


# Conventions, plain data and comparisons ----------------------------------------------------------


def test_conventions_lead_back_to_each_other() -> None:
    for board in (_circle(4), _rate(simulate(4, 5, 14)), _battles()):
        pairs = board.quality(simulations=40)
        paper = board.quality(simulations=40, convention="paper")
        assert pairs.by_convention("paper") == paper
        assert paper.by_convention("pairs") == pairs
        assert pairs.by_convention("pairs") is pairs
        assert paper.deviance == 2.0 * pairs.deviance
        assert paper.expected == 2.0 * pairs.expected
        assert paper.df == pairs.players * (pairs.players - 2)
        assert paper.p_value == pairs.p_value


@pytest.mark.parametrize("convention", ["pairs", "paper"])
def test_plain_data_come_back_whole(convention: Convention) -> None:
    two = winodds.rate(grid({"A": [1, 2], "B": [2, 1]}), higher_is_better=True)
    for board in (_circle(3), _rate(simulate(4, 6, 10)), _battles(), two):
        quality = board.quality(simulations=30, convention=convention)
        data = json.loads(json.dumps(quality.to_dict(), allow_nan=False))
        assert data["text"] == quality.text
        assert Quality.from_dict(data) == quality
    assert set(data) == {
        *("deviance", "df", "standardised", "dispersion", "p_value", "p_value_chi2"),
        *("convention", "estimate", "expected", "simulations", "players", "components", "pairs"),
        *("kind", "tournaments", "calibration", "worst_pairs", "triples", "text"),
    }


def test_very_many_players_have_no_circles_in_plain_data() -> None:
    quality = replace(_circle(1).quality(simulations=5), triples=None)
    assert Quality.from_dict(quality.to_dict()) == quality


def test_boards_compare_by_standardised_deviance_in_one_convention() -> None:
    good, bad = _circle(1).quality(simulations=5), _circle(10).quality(simulations=5)
    found = good.versus(bad.by_convention("paper"))
    assert (found.first, found.second) == pytest.approx((good.standardised, bad.standardised))
    assert good.standardised is not None
    assert bad.standardised is not None
    assert found.difference == pytest.approx(good.standardised - bad.standardised)
    assert bad.versus(good).difference == pytest.approx(bad.standardised - good.standardised)
    two = winodds.rate(grid({"A": [1, 2], "B": [2, 1]}), higher_is_better=True)
    assert good.versus(two.quality(simulations=5)).difference is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"simulations": 0}, "simulations=0 is not possible; it is a whole number, 1 or more."),
        (
            {"convention": "both"},
            'convention="both" is not possible; it is one of "pairs", "paper".',
        ),
        (
            {"n_jobs": 0},
            "n_jobs=0 is not possible; it is a whole number, 1 or more, or −1 for all cores.",
        ),
        ({"seed": 1.5}, "seed=1.5 is not possible; it is a whole number, 0 or more."),
    ],
)
def test_misuse_is_told(options: dict[str, object], message: str) -> None:
    board = winodds.rate(three_by_three(), higher_is_better=True)
    call: Callable[..., object] = board.quality
    assert sentence(BadOption, lambda: call(**options)) == message


def test_board_that_holds_only_its_first_rows_is_not_assessed() -> None:
    board = winodds.rate(three_by_three(), higher_is_better=True)
    data = {**board.to_dict(), "evidence": [], "quality": None, "ranking": None}
    cut = Leaderboard.from_dict(data)
    message = (
        "This leaderboard holds only its first rows, and nothing to compare players with. Write it "
        "again without top."
    )
    calls: list[Callable[[], object]] = [cut.quality, cut.bootstrap, cut.compare, cut.details]
    for call in (*calls, cut.sota, cut.friedman):
        assert sentence(NoEvidence, call) == message


# Friedman -----------------------------------------------------------------------------------------


def test_friedman_of_vtab() -> None:
    board = _vtab(estimator="mle", details=False)
    test = board.friedman()
    assert test.statistic == pytest.approx(233.687175, abs=5e-7)
    assert test.uncorrected == pytest.approx(226.361842, abs=5e-7)
    assert nemenyi_critical_difference(test.players, test.rounds) == pytest.approx(5.2920584)
    assert test.mean_ranks[0] == pytest.approx(2.8158, abs=5e-5)
    # The order by ratings is that by mean ranks.
    assert (np.diff(test.mean_ranks) >= 0.0).all()


def test_friedman_of_the_example_of_demsar() -> None:
    table = pl.read_csv(shared_file("data/demsar_2006.csv"))
    test = winodds.rate(table, higher_is_better=True).friedman()
    assert sorted(test.mean_ranks.round(3)) == [1.964, 2.0, 2.893, 3.143]
    assert test.uncorrected == pytest.approx(9.28, abs=0.005)
    critical = nemenyi_critical_difference(test.players, test.rounds)
    assert critical == pytest.approx(1.25, abs=0.005)


def test_friedman_goes_by_the_direction_and_the_board_s_order() -> None:
    scores = simulate(3, 4, 9)
    up, down = _rate(scores), winodds.rate(long_table(-scores), higher_is_better=False)
    test = up.friedman()
    ranks = stats.rankdata(-scores, axis=1).mean(axis=0)
    expected = [ranks[int(player[1])] for player in up.players]
    np.testing.assert_allclose(test.mean_ranks, expected, rtol=1e-12)
    assert test.statistic == pytest.approx(stats.friedmanchisquare(*scores.T).statistic, rel=1e-9)
    np.testing.assert_array_equal(down.friedman().mean_ranks, test.mean_ranks)


def test_friedman_leaves_out_rounds_in_which_somebody_is_missing() -> None:
    scores = simulate(3, 4, 9)
    gaps = scores.copy()
    gaps[0, 1] = gaps[5, 2] = np.nan
    whole = scores[[1, 2, 3, 4, 6, 7, 8]]
    test = _rate(gaps).friedman()
    assert test.rounds == 7
    expected = stats.friedmanchisquare(*whole.T).statistic
    assert test.statistic == pytest.approx(expected, rel=1e-9)


def test_friedman_needs_rounds() -> None:
    start = "Friedman's test needs two or more rounds in which every player has a score, and there "
    assert sentence(NoCompleteRounds, _battles().friedman) == f"{start}are none."
    table = grid({"A": [1, 2, 3], "B": [2, None, 2], "C": [None, 1, 4]})
    board = winodds.rate(table, higher_is_better=True)
    assert sentence(NoCompleteRounds, board.friedman) == f"{start}is only one."


def test_components_that_never_met_are_drawn_independently() -> None:
    """Two components with the same scores: the sum of their deviances varies as that of two."""
    scores = simulate(4, 5, 8)
    first, second = long_table(scores, prefix="a"), long_table(scores, prefix="b")
    table = pl.concat([first, second.with_columns(round=pl.col("round") + 100)])
    one = winodds.rate(first, higher_is_better=True).quality(simulations=300)
    both = winodds.rate(table, higher_is_better=True, components="separate").quality(
        simulations=300
    )
    assert both.expected == pytest.approx(2.0 * one.expected, rel=0.1)
    evidence = winodds.rate(table, higher_is_better=True, components="separate").components
    seeds: list[int | tuple[int, int]] = [0, (0, 1)]
    drawn = [
        Simulated.join([call() for call in fitness._plan(part, 200, seed)]).deviance
        for part, seed in zip(evidence, seeds, strict=True)
    ]
    assert abs(np.corrcoef(drawn[0], drawn[1])[0, 1]) < 0.25
