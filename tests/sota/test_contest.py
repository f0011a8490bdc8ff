"""`estimate_sota` and `law_of_maximum`: what they take, refuse, count and say."""

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from scipy.special import ndtri
from tables import texts

import winodds
from winodds import errors
from winodds.sota.auc.binormal import Model, variance
from winodds.sota.entries import read_entries, read_items
from winodds.sota.laws.dependence import chances_given
from winodds.sota.what_if import what_if

SCORES = np.random.default_rng(5).binomial(500, 0.8, 60) / 500
PLAIN: dict[str, Any] = {"n": 500, "classes": 2, "correlation": 0.3, "sensitivity": False}
SHRINK: dict[str, Any] = {**PLAIN, "method": "shrink"}


def refusal(scores: Any = SCORES, **options: Any) -> errors.WinoddsError:
    with pytest.raises(errors.WinoddsError) as caught:
        winodds.estimate_sota(scores, **{**PLAIN, **options})
    return caught.value


# What it takes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scores",
    [
        SCORES.tolist(),
        pl.Series(SCORES),
        {f"m{k}": value for k, value in enumerate(SCORES)},
        pl.DataFrame({"rank": np.arange(60), "Score": SCORES}),
        pd.DataFrame({"team": [f"t{k}" for k in range(60)], "accuracy": SCORES}),
    ],
    ids=["list", "series", "mapping", "polars", "pandas"],
)
def test_scores_come_in_any_shape(scores: Any) -> None:
    expected = winodds.estimate_sota(SCORES, **PLAIN)
    assert winodds.estimate_sota(scores, **PLAIN).sota == expected.sota


def test_order_does_not_matter() -> None:
    found = winodds.estimate_sota(SCORES[::-1], **PLAIN)
    assert found == winodds.estimate_sota(SCORES, **PLAIN)


def test_the_winner_is_named_when_it_is_alone() -> None:
    table = pl.DataFrame({"model": ["a", "b", "c"], "accuracy": [0.7, 0.9, 0.8]})
    options = {**PLAIN, "n": 20, "correlation": 0}
    assert winodds.estimate_sota(table, **options).winner == "b"
    tied = pl.DataFrame({"model": ["a", "b", "c"], "accuracy": [0.7, 0.9, 0.9]})
    assert winodds.estimate_sota(tied, **options).winner is None


def test_columns_are_found_or_asked_for() -> None:
    table = pl.DataFrame({"x": [0.7, 0.8], "y": [0.6, 0.9]})
    assert str(refusal(table)) == (
        'No column has a usual name for the score. Say which it is, for instance score="…". The '
        "columns are 'x', 'y'."
    )
    assert read_entries(table, score="y").column == "y"
    assert isinstance(refusal(table, score="z"), errors.MissingColumn)
    both = pl.DataFrame({"auc": [0.7, 0.8], "accuracy": [0.6, 0.9]})
    assert str(refusal(both)).startswith("two columns could be the score".capitalize())


def test_missing_scores_are_counted() -> None:
    found = winodds.estimate_sota([*SCORES, float("nan")], **PLAIN)
    assert found.entries == 61
    assert found.excluded["missing"] == 1


def test_entries_that_guess_or_cannot_be_so_correlated_are_counted() -> None:
    low = [0.5, 0.2, 0.55]
    found = winodds.estimate_sota([*SCORES, *low], **{**SHRINK, "correlation": 0.6})
    assert found.entries == 63
    assert found.excluded == {
        "missing": 0,
        "at_or_below_chance": 2,
        "too_low_for_correlation": 1,
    }


def test_the_metric_follows_from_what_is_known_about_it() -> None:
    auc = pl.DataFrame({"auc": SCORES})
    options: dict[str, Any] = {"n": 500, "correlation": 0.0, "sensitivity": False}
    assert winodds.estimate_sota(auc, positives=100, **options).metric == "auc"
    normal: dict[str, Any] = {"se": 0.02, "correlation": 0.0, "sensitivity": False}
    found = winodds.estimate_sota(SCORES, higher_is_better=True, **normal)
    assert (found.metric, found.model) == ("other", "independent normal")
    f1 = pl.DataFrame({"f1": SCORES})
    assert str(refusal(f1)) == (
        'score="f1" is not possible; it is no share of right cases; state its standard error with '
        "se=."
    )


def test_the_direction_of_other_metrics_is_never_guessed() -> None:
    options: dict[str, Any] = {"se": 0.1, "correlation": 0.0, "sensitivity": False}
    errors_of = pl.DataFrame({"rmse": 2.0 - SCORES})
    found = winodds.estimate_sota(errors_of, **options)
    assert found.observed_max == pytest.approx(2.0 - SCORES.max())
    with pytest.raises(errors.DirectionContradicts):
        winodds.estimate_sota(errors_of, higher_is_better=True, **options)
    with pytest.raises(errors.DirectionUnknown):
        winodds.estimate_sota(SCORES, **options)


# What it refuses ----------------------------------------------------------------------------------


PUBLISHED = (
    "Organisers publish it with the data: so many rows were to be submitted, of which a public or "
    "a private board may count a part, named in the rules."
)


def test_percentages_that_no_such_test_set_gives_are_refused_with_what_to_do() -> None:
    assert str(refusal(100 * SCORES, n=7)) == (
        f"60 scores do not lie between 0 and 1; the first is {100 * SCORES[0]:.17g} (entry 1). If "
        f"percent is meant, divide by 100."
    )


def test_the_size_that_fits_percentages_is_asked_for() -> None:
    assert str(refusal([85.5, 90.0, 72.25], n=None)) == (
        "How many cases the test set has must be said: n=. The smallest size whose shares, read "
        "as percent and rounded after 2 decimals, fit all scores is 400; the true one may be "
        f"larger. {PUBLISHED}"
    )


def test_percent_is_found_by_the_values_when_the_size_agrees() -> None:
    found = winodds.estimate_sota(100 * SCORES, **PLAIN)
    assert found.sota == pytest.approx(winodds.estimate_sota(SCORES, **PLAIN).sota, abs=1e-9)
    assert str(found.notes[0]).startswith("Scores are read as percent")


def test_what_is_missing_is_asked_for_at_once() -> None:
    assert str(refusal(metric="auc", n=None, classes=None)) == (
        "How many cases the test set has must be said: n=. So must how many of them are positive: "
        f"positives=. {PUBLISHED}"
    )
    assert str(refusal([0.5, 0.25, 0.75], n=None, classes=None, method="shrink")) == (
        "How many cases the test set has must be said: n=. So must the number of classes: "
        "classes=. The smallest size whose shares, rounded after 2 decimals, fit all scores is 4; "
        f"the true one may be larger. {PUBLISHED}"
    )


def test_a_name_that_several_share_is_no_obstacle() -> None:
    names = [*["[Deleted]"] * 3, *(f"t{k}" for k in range(57))]
    found = winodds.estimate_sota(pl.DataFrame({"team": names, "accuracy": SCORES}), **PLAIN)
    assert found.sota == winodds.estimate_sota(SCORES, **PLAIN).sota
    assert texts(found.notes) == (
        "3 entries share the name '[Deleted]'; each counts as an entry of its own.",
    )


def test_several_columns_name_an_entry_together() -> None:
    table = pl.DataFrame(
        {
            "model": [f"m{k % 6}" for k in range(60)],
            "setting": [k // 6 for k in range(60)],
            "accuracy": SCORES,
            "f1": SCORES,
        }
    )
    for player in ("model,setting", ["model", "setting"]):
        found = winodds.estimate_sota(table, score="accuracy", player=player, **PLAIN)
        first = int(SCORES.argmax())
        assert found.winner == f"m{first % 6}/{first // 6}"
    with_comma = table.rename({"model": "a,b"})
    entries = read_entries(with_comma, score="accuracy", player=["a,b", "setting"])
    assert entries.named_by == "a,b, setting"


def test_columns_and_entries_are_left_out_as_asked() -> None:
    names = ["[Deleted]", "sample 1", "sample 2", *(f"t{k}" for k in range(57))]
    table = pl.DataFrame({"team": names, "accuracy": SCORES, "auc": SCORES})
    found = winodds.estimate_sota(table, ignore=["auc", "[Deleted]", "Sample*"], **PLAIN)
    assert found.entries == 57
    assert found.sota == winodds.estimate_sota(SCORES[3:], **PLAIN).sota
    assert texts(found.notes) == (
        "Left out as asked: 3 entries, '[Deleted]', 'sample 1', 'sample 2'.",
    )
    by_name = dict(zip(names, SCORES.tolist(), strict=True))
    assert winodds.estimate_sota(by_name, ignore="sample*", **PLAIN).entries == 58
    assert str(refusal(by_name, ignore="smaple 1")) == (
        "No column and no entry is called 'smaple 1', so it cannot be left out. Did you mean "
        "'sample 1' or 'sample 2'?"
    )
    assert isinstance(refusal(table, ignore="accuracy", score="accuracy"), errors.TwoRoles)


def test_one_entry_is_refused() -> None:
    assert str(refusal([0.9])) == (
        "The luck of the best of many needs at least two entries; there is one."
    )
    assert "there is one, and 2 others are no better than guessing (0.5)." in str(
        refusal([0.9, 0.5, 0.1])
    )
    assert isinstance(refusal([]), errors.TooFewEntries)
    assert isinstance(refusal([float("nan")] * 3), errors.TooFewEntries)


def test_copies_of_one_entry_are_refused() -> None:
    assert str(refusal([0.9] * 5)) == (
        "All 5 entries have the score 0.9. Different entries would differ by luck alone; these are "
        "copies of one, and say nothing about luck."
    )


def test_results_of_several_rounds_are_sent_elsewhere() -> None:
    table = pl.DataFrame({"model": ["a", "a", "b"], "accuracy": [0.7, 0.8, 0.9]})
    assert str(refusal(table)) == (
        "'a' has 2 scores in column 'model'. The best of many on one test set needs one score for "
        "each entry; results of several rounds are for 'winodds rate' and board.sota(). If these "
        'are submissions of one entry, submissions="model" takes the best of each, and the luck '
        "of so many out."
    )


def test_the_size_of_the_test_set_is_asked_for_with_a_hint() -> None:
    printed = np.array([317, 250, 212, 199, 301, 288]) * 10_000 // 317 / 10_000
    assert str(refusal(printed, n=None, conservative=True, method="shrink")) == (
        "How many cases the test set has must be said: n=. The smallest size whose shares, cut "
        "off after 4 decimals, fit all scores is 317; the true one may be larger. "
        f"{PUBLISHED}"
    )


def test_a_size_that_does_not_fit_the_decimals_is_doubted() -> None:
    found = winodds.estimate_sota(SCORES, **{**PLAIN, "n": 301})
    assert (found.compatible_n, found.n_fits) == (495, False)
    assert str(found.notes[0]) == (
        "The scores cannot all be shares of 301 cases with 3 decimals; the smallest test set that "
        "fits them all (rounded) has 495."
    )
    assert winodds.estimate_sota(SCORES, **PLAIN).n_fits


def test_the_number_of_classes_is_asked_for_unless_nothing_is_shrunken() -> None:
    assert isinstance(refusal(classes=None, method="shrink"), errors.ClassesNeeded)
    found = winodds.estimate_sota(SCORES, **{**SHRINK, "classes": None, "method": "crop"})
    assert found.sota is not None
    assert found.cut == found.sota
    assert (found.weight, found.floor) == (None, None)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"classes": 1}, "at least 2 classes"),
        ({"n": 0}, "whole number, 1 or more"),
        ({"correlation": 1.0}, "at least 0 and below 1"),
        ({"correlation": -0.1}, "at least 0 and below 1"),
        ({"similarity": 0.9}, "correlation= says it already"),
        ({"correlation": None, "similarity": 1.2}, "between 0 and 1"),
        ({"method": "guess"}, 'one of "population", "shrink", "crop", "posterior"'),
        ({"metric": "loss"}, 'one of "accuracy", "auc", "other"'),
        ({"level": 95}, "between 0 and 1"),
        ({"seed": -1}, "0 or more"),
        ({"higher_is_better": False}, "other metrics need se="),
        ({"positives": 3, "metric": "accuracy"}, "says nothing about"),
        ({"conservative": True, "method": "posterior"}, "other methods have an interval"),
        (
            {"metric": "other", "n": None, "classes": None, "higher_is_better": True},
            "needs the standard error",
        ),
        ({"metric": "other", "se": 0.1, "higher_is_better": True}, "says nothing about"),
        ({"metric": "auc", "classes": None, "positives": 500}, "cases are negative"),
        ({"metric": "auc", "classes": None, "method": "posterior"}, "accuracies only"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: dict[str, Any], words: str) -> None:
    error = refusal(**options)
    assert isinstance(error, errors.BadOption)
    assert words in str(error)


def test_four_aucs_on_ten_thousand_cases_have_an_answer() -> None:
    """Their interval could not be found: the law of nearly perfect AUCs was none."""
    found = winodds.estimate_sota(
        [0.85, 0.80, 0.78, 0.77], metric="auc", n=10_000, positives=3000, sensitivity=False
    )
    # So many cases make the law of one AUC nearly normal, with a known variance.
    error = np.sqrt(variance(Model(3000, 7000, 0.0, 0.0), ndtri(np.array(0.85)), 1.0, 1.0))
    ends = 0.85 - 1.96 * error, 0.85 + 1.96 * error
    assert (found.naive_low, found.naive_high) == pytest.approx(ends, abs=2e-4)


def test_an_auc_needs_the_number_of_positives() -> None:
    assert isinstance(refusal(metric="auc", classes=None), errors.PositivesNeeded)


def test_a_correlation_that_only_the_winner_can_have_is_refused() -> None:
    scores = [0.6, 0.61, 0.98]
    error = refusal(scores, correlation=0.6, method="shrink")
    assert isinstance(error, errors.ImpossibleCorrelation)
    assert error.largest == pytest.approx(np.sqrt((0.61 / 0.39) / (0.98 / 0.02)))
    assert "at most 0.178 is possible" in str(error)


def test_a_perfect_score_needs_another_question() -> None:
    scores = [*SCORES, 1.0]
    assert isinstance(refusal(scores, method="shrink"), errors.PerfectScore)
    independent = {**SHRINK, "correlation": 0.0}
    found = winodds.estimate_sota(scores, **independent, conservative=True)
    assert found.sota is not None
    assert found.sota < 1.0


# Correlation --------------------------------------------------------------------------------------


def test_correlation_is_an_assumption_unless_something_is_known() -> None:
    options = {**PLAIN, "correlation": None}
    found = winodds.estimate_sota(SCORES, **options)
    assert (found.correlation, found.correlation_from) == (0.6, "assumed")


def test_an_assumed_correlation_suits_the_board() -> None:
    options: dict[str, Any] = {"n": 500, "sensitivity": False}
    # The median of the upper half, 0.7, can have √(0.7/0.3 · 0.02/0.98) with the best.
    apart = winodds.estimate_sota([0.98, 0.70, 0.70, 0.6, 0.5], **options)
    assert (apart.correlation, apart.correlation_from) == (0.21, "board")
    # Luck at 0.6 would put the better half of 40 scores 0.0086 apart.
    close = winodds.estimate_sota(0.8 + 0.0002 * np.arange(40), **{**options, "n": 5000})
    assert close.correlation_from == "board"
    assert close.correlation > 0.6
    assert not any("closer together" in text for text in texts(close.notes))


def test_entries_too_far_behind_take_part_with_as_much_correlation_as_can_be() -> None:
    found = winodds.estimate_sota([0.98, 0.61, 0.6], **{**PLAIN, "correlation": 0.6})
    assert found.excluded["too_low_for_correlation"] == 0
    assert texts(found.notes) == (
        "2 entries are too far behind the best to have this correlation; they have as much of it "
        "as is possible.",
    )
    assert found.verdict == "ahead"


def test_perfect_scores_are_answered_and_raise_a_suspicion() -> None:
    found = winodds.estimate_sota([1.0] * 5 + [0.9, 0.8, 0.7], n=50, correlation=0.3)
    assert found.verdict == "perfect"
    assert found.low is not None
    assert found.low < found.sota < 1.0
    assert found.p_best == pytest.approx(0.2, abs=0.01)
    assert "its answers leaked" in str(found.notes[0])
    assert "partly by luck" not in str(found)


def test_similarity_gives_the_correlation_at_the_mean_of_the_upper_half() -> None:
    theta = float(SCORES[np.median(SCORES) <= SCORES].mean())
    independent = theta**2 + (1 - theta) ** 2
    options = {**PLAIN, "correlation": None}
    found = winodds.estimate_sota(SCORES, similarity=0.85, **options)
    assert found.correlation_from == "similarity"
    assert str(found.notes[0]) == (
        f"The similarity is taken at accuracy {theta:.4g}, the mean of the upper half."
    )
    assert found.correlation**2 * 2 * theta * (1 - theta) + independent == pytest.approx(0.85)
    error = refusal(correlation=None, similarity=0.6)
    assert isinstance(error, errors.ImpossibleSimilarity)
    assert error.least == pytest.approx(independent)


def drawn_items(m: int, n: int, theta: float, correlation: float) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(3)
    easy, hard = chances_given(np.array(theta), theta, correlation)
    common = rng.random(n) < theta
    return rng.random((m, n)) < np.where(common, easy, hard)


def test_items_give_the_correlation_and_the_size() -> None:
    right = drawn_items(40, 3000, 0.8, 0.5)
    options = {**PLAIN, "correlation": None, "n": None}
    found = winodds.estimate_sota(right.mean(axis=1), items=right, **options)
    assert found.n == 3000
    assert found.correlation_from == "items"
    assert found.correlation_se is not None
    assert abs(found.correlation - 0.5) < 4 * found.correlation_se


def test_items_are_read_from_wide_and_long_tables() -> None:
    right = drawn_items(5, 30, 0.7, 0.4)
    wide = pl.DataFrame(
        {"model": [f"m{k}" for k in range(5)], **{f"q{k}": right[:, k] for k in range(30)}}
    )
    long = pl.DataFrame(
        {
            "model": np.repeat([f"m{k}" for k in range(5)], 30),
            "item": np.tile([f"q{k:02}" for k in range(30)], 5),
            "correct": right.ravel().astype(int),
        }
    )
    by_case = pl.DataFrame(
        {"case": np.arange(30), **{f"m{k}": right[k].astype(int) for k in range(5)}}
    )
    assert read_items(by_case).names == tuple(f"m{k}" for k in range(5))
    for table in (wide, long, by_case, right, right.astype(int).tolist()):
        found = read_items(table)
        assert found.right.tolist() == right.tolist()
        assert found.dropped == 0


def test_cases_that_someone_lacks_are_left_out_of_the_correlation() -> None:
    cells = drawn_items(5, 30, 0.7, 0.4).astype(float)
    cells[2, 7] = np.nan
    found = read_items(cells)
    assert found.right.shape == (5, 29)
    assert found.dropped == 1
    cells[2, 7] = 0.5
    assert str(refusal(items=cells, correlation=None)) == (
        "Results of single cases are 1 (right) or 0 (wrong), not 0.5 (entry 3, case 8)."
    )
    assert isinstance(refusal(items=np.ones((4, 9)), correlation=None), errors.TooFewItems)
    assert isinstance(refusal(items=[1, 0], correlation=None), errors.BadOption)


def test_the_estimate_is_shown_under_other_correlations() -> None:
    found = winodds.estimate_sota(SCORES, **{**SHRINK, "sensitivity": True})
    others = {one.correlation: one.sota for one in found.sensitivity}
    assert list(others) == [0.0, 0.3, 0.6, 0.77]
    assert others[0.3] == found.sota
    alone = winodds.estimate_sota(SCORES, **{**SHRINK, "correlation": 0.6})
    assert others[0.6] == alone.sota
    values = [value for value in others.values() if value is not None]
    assert values == sorted(values)


# What it says -------------------------------------------------------------------------------------


def test_counts_and_intervals_are_those_of_the_scores() -> None:
    found = winodds.estimate_sota(SCORES, **SHRINK)
    assert found.sota is not None
    assert found.observed_max == SCORES.max()
    assert found.at_or_above == int((found.sota <= SCORES).sum())
    inside = (found.naive_low <= SCORES) & (found.naive_high >= SCORES)
    assert found.in_naive_interval == int(inside.sum())
    assert found.expected is not None
    assert found.expected.value == pytest.approx(SCORES.max(), abs=3e-6)
    assert found.face_value.value > found.expected.value


def test_json_holds_everything_under_the_agreed_names() -> None:
    data = winodds.estimate_sota(SCORES, **SHRINK).to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    agreed = (
        "sota observed_max expected_max max_low max_high weight correlation sensitivity entries "
        "excluded at_or_above in_naive_interval naive_low naive_high method model explained "
        "compatible_n notes"
    )
    assert set(agreed.split()) <= set(data)
    assert (data["method"], data["model"], data["explained"]) == (
        "shrink",
        "dependent binomial",
        True,
    )


@pytest.mark.parametrize("method", ["population", "shrink", "crop"])
def test_a_winner_far_ahead_is_said_to_be_and_has_an_estimate(method: str) -> None:
    scores = [*SCORES, 0.99]
    options = {**PLAIN, "correlation": 0, "method": method}
    found = winodds.estimate_sota(scores, **options)
    # 61 entries that are at most as good as the second score.
    second = np.minimum(scores, SCORES.max())
    missed = np.mean([stats.binom.cdf(494, 500, theta) for theta in second]) ** 61
    assert found.p_second == pytest.approx(1 - missed, abs=1e-12)
    assert (found.verdict, found.explained, found.estimated_by) == ("ahead", False, "population")
    assert (found.weight, found.cut, found.expected) == (None, None, None)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.98 < found.sota < 0.99 < found.high
    assert found.at_or_above == 1
    assert found.p_best is not None
    assert found.p_best > 0.999


def test_scores_closer_than_luck_are_doubted() -> None:
    close = np.round(0.8 + 0.002 * np.arange(30) / 30, 4)
    notes = winodds.estimate_sota(close, **{**PLAIN, "n": 10_000}).notes
    assert str(notes[-1]).startswith(
        "The scores lie closer together than luck alone would put them"
    )


def test_scores_that_are_mostly_luck_are_said_to_be() -> None:
    notes = winodds.estimate_sota(SCORES, **SHRINK).notes
    assert texts(notes) == (
        "Luck alone makes about 90% of the variance in the upper half of the scores. Shrinking "
        "takes it for differences between entries, so part of the luck stays in the estimate; "
        "cropping leaves less of it.",
    )


def test_less_is_better_is_the_mirror_of_more_is_better() -> None:
    options: dict[str, Any] = {"se": 0.02, "correlation": 0.3, "sensitivity": True}
    up = winodds.estimate_sota(-SCORES, higher_is_better=True, **options)
    down = winodds.estimate_sota(SCORES, higher_is_better=False, **options)
    assert up.sota is not None
    assert down.sota == -up.sota
    assert down.observed_max == SCORES.min()
    assert (down.naive_low, down.naive_high) == (-up.naive_high, -up.naive_low)
    assert down.at_or_above == up.at_or_above
    assert [one.sota for one in down.sensitivity] == [
        -one.sota for one in up.sensitivity if one.sota is not None
    ]


# What if ------------------------------------------------------------------------------------------


def test_what_if_gives_the_published_figures() -> None:
    found = what_if(winodds.law_of_maximum(1000, theta=0.9, n=3000))
    assert (round(found.expected_max, 4), round(found.sd, 6)) == (0.9173, 0.001817)
    assert round(found.max_high, 4) == 0.9213
    assert found.p_better is not None
    assert round(found.p_better, 2) == 0.10
    law = winodds.law_of_maximum(1000, theta=0.9, n=3000, spread=0.025, correlation=0.6)
    both = what_if(law)
    assert (round(both.expected_max, 4), round(both.sd, 4)) == (0.9101, 0.0037)


def test_what_if_refuses_performances_that_cannot_be() -> None:
    for theta, spread, words in (
        (1.2, 0.0, "theta=1.2 is not possible; performances lie between 0 and 1."),
        (0.9, 0.95, "spread=0.95 is not possible; performances lie"),
        (0.9, -1.0, "it is a length, 0 or more"),
    ):
        with pytest.raises(errors.BadOption, match=words):
            winodds.law_of_maximum(100, n=100, theta=theta, spread=spread)
    with pytest.raises(errors.ImpossibleCorrelation, match=r"at most 0\.40"):
        winodds.law_of_maximum(1000, theta=0.9, n=3000, spread=0.3, correlation=0.6)


def test_a_fixed_common_variable_takes_its_variance_away() -> None:
    free = winodds.law_of_maximum(1000, theta=0.9, n=3000, correlation=0.6)
    fixed = winodds.law_of_maximum(1000, theta=0.9, n=3000, correlation=0.6, fixed=True)
    assert fixed.mean == pytest.approx(free.mean, abs=1e-5)
    assert (round(free.sd, 4), round(fixed.sd, 4)) == (0.0035, 0.0015)


# Posterior ----------------------------------------------------------------------------------------


def test_a_posterior_comes_with_what_it_rests_on() -> None:
    found = winodds.estimate_sota(SCORES[:20], **PLAIN, method="posterior", seed=3)
    drawn = found.posterior
    assert drawn is not None
    assert drawn.low is not None
    assert drawn.high is not None
    assert found.sota is not None
    assert found.sota == drawn.mean
    assert drawn.low < found.sota < drawn.high
    assert found.sota < found.observed_max
    assert drawn.ess >= 100
    assert 0 < drawn.accepted < drawn.proposals
    # A tenth of a score's standard error.
    assert drawn.epsilon == pytest.approx(0.1 * np.sqrt(0.8 * 0.2 / 500), rel=0.1)
    assert (found.weight, found.cut, found.expected, found.notes) == (None, None, None, ())
    again = winodds.estimate_sota(SCORES[:20], **PLAIN, method="posterior", seed=3)
    assert again == found
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


def test_a_board_that_the_model_cannot_make_is_doubted() -> None:
    scores = [*np.random.default_rng(1).binomial(1000, 0.9, 300) / 1000, 0.995]
    options = {**PLAIN, "n": 1000, "correlation": 0.0}
    found = winodds.estimate_sota(scores, **options, method="posterior")
    assert str(found.notes[-1]).startswith(
        "The model cannot make such a board: where its best score"
    )


def test_impossible_correlations_are_told_from_unexplained_maxima() -> None:
    scores = [0.97, *[0.93] * 3, *[0.92] * 3]
    found = winodds.estimate_sota(scores, n=100, classes=2, correlation=0.3, method="shrink")
    assert {one.correlation: one.possible for one in found.sensitivity} == {
        0.0: True,
        0.3: True,
        0.6: True,
        0.77: False,
    }
    assert found.sensitivity[-1].sota is None


def test_simulated_contests_keep_entries_whatever_the_correlation() -> None:
    scores = [0.95, *[0.88] * 3, *[0.87] * 3]
    options = {**SHRINK, "n": 100, "correlation": 0.77}
    assert isinstance(refusal(scores, **options), errors.ImpossibleCorrelation)
    found = winodds.estimate_sota(scores, **{**options, "method": "posterior"})
    assert found.sota is not None
    assert found.excluded["too_low_for_correlation"] == 0


def test_printed_decimals_do_not_move_a_cautious_estimate() -> None:
    rng = np.random.default_rng(0)
    exact = rng.binomial(64, 0.85, 30) / 64
    options: dict[str, Any] = {
        "n": 64,
        "classes": 2,
        "correlation": 0,
        "sensitivity": False,
        "method": "shrink",
    }
    found = [
        winodds.estimate_sota(scores, conservative=True, **options)
        for scores in (exact, np.floor(exact * 1e4) / 1e4, np.round(exact, 4))
    ]
    assert [one.sota for one in found] == pytest.approx([found[0].sota] * 3, abs=1e-4)
    for one in found:
        assert one.expected is not None
        assert one.expected.high == exact.max()


def test_an_estimate_that_ends_at_the_floor_says_so() -> None:
    found = winodds.estimate_sota(
        [10.1, 10.2, 10.25, 10.3], se=1.0, higher_is_better=True, method="shrink"
    )
    assert found.at_floor
    assert texts(found.notes) == (
        "Even if nobody were better than where scores are drawn to, the best score would be "
        "expected to be higher than it is; the estimate ends there.",
    )


# What else people pass ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scores",
    ["contest.csv", ["a", "b"], {"a": "x", "b": 0.3}, None, [[0.9, 0.8], [0.7, 0.6]], [[0.9], 1]],
)
def test_what_is_no_list_of_numbers_is_refused_in_words(scores: Any) -> None:
    error = refusal(scores)
    assert isinstance(error, errors.BadOption)
    assert str(error).endswith("a list of numbers, a mapping of names to numbers, or a data frame.")


def test_numbers_may_come_from_anything_that_gives_them() -> None:
    expected = winodds.estimate_sota(SCORES, **PLAIN)
    for scores in (iter(SCORES), dict(enumerate(SCORES)).values(), map(float, SCORES)):
        assert winodds.estimate_sota(scores, **PLAIN) == expected
    whole = {**PLAIN, "n": np.int64(500), "classes": np.int32(2)}
    assert winodds.estimate_sota(SCORES, **whole) == expected


def test_the_name_of_a_series_tells_the_metric() -> None:
    assert isinstance(refusal(pl.Series("rmse", SCORES)), errors.BadOption)
    options: dict[str, Any] = {"se": 0.1, "correlation": 0.0, "sensitivity": False}
    found = winodds.estimate_sota(pd.Series(2.0 - SCORES, name="rmse"), **options)
    assert not found.higher_is_better


def test_columns_are_only_named_in_tables() -> None:
    assert "only a table has columns" in str(refusal(SCORES.tolist(), score="accuracy"))
    assert "only a table has columns" in str(refusal({"a": 0.9, "b": 0.8}, player="team"))


def test_infinite_scores_and_huge_test_sets_are_refused() -> None:
    options: dict[str, Any] = {"se": 0.1, "higher_is_better": True, "n": None, "classes": None}
    assert "finite numbers" in str(refusal([0.9, float("inf"), 0.8], **options))
    assert "finite numbers" in str(refusal([1e308, -1e308, 0.0], **options))
    assert "up to 10,000,000 cases" in str(refusal(n=10**9))
    with pytest.raises(errors.BadOption, match="it is at most 1,000,000,000"):
        winodds.law_of_maximum(10**12, theta=0.9, n=100)
    assert winodds.law_of_maximum(10**9, theta=0.9, n=100).mean == pytest.approx(1.0)


def test_a_diverged_run_does_not_take_all_the_time() -> None:
    scores = [1e6, 1.0, 2.0, 3.0, 2.5, 1.5]
    found = winodds.estimate_sota(scores, se=0.1, higher_is_better=False, correlation=0.3)
    scores[0] = 9.0
    alike = winodds.estimate_sota(scores, se=0.1, higher_is_better=False, correlation=0.3)
    # It alone is drawn, six times, once in 6⁶ contests.
    apart = found.face_value.value - alike.face_value.value
    assert apart == pytest.approx((1e6 - 9.0) / 6**6, abs=1e-4)


def test_items_of_other_entries_and_repeated_results_are_noticed() -> None:
    right = drawn_items(5, 30, 0.7, 0.4)
    names = np.repeat([f"m{k}" for k in range(5)], 30)
    table = pl.DataFrame(
        {"model": names, "item": np.tile(np.arange(30), 5), "correct": right.ravel().astype(int)}
    )
    scores = {f"team {k}": score for k, score in enumerate(SCORES)}
    options = {**PLAIN, "correlation": None}
    notes = winodds.estimate_sota(scores, items=table, **options).notes
    assert texts(notes[:2]) == (
        "The correlation comes from other entries than those of the contest.",
        "The correlation comes from 30 cases, the scores from 500.",
    )
    twice = pl.concat([table, table])
    assert isinstance(refusal(scores, items=twice, correlation=None), errors.RepeatedResult)
    gaps = np.full((4, 4), 1.0)
    np.fill_diagonal(gaps, np.nan)
    assert isinstance(refusal(items=gaps, correlation=None), errors.TooFewItems)


def test_a_list_without_a_header_loses_no_score() -> None:
    table = pl.DataFrame({"0.877": [0.9, 0.86, 0.85]})
    assert "Is the line with the columns' names missing?" in str(refusal(table))
