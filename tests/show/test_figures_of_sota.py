"""Figures of the state of the art: the numbers as tables, then the charts."""

import json
import pickle
import re
from dataclasses import asdict, replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import shared_file
from scipy import stats

from winodds import Sota, WinoddsError, estimate_sota, law_of_maximum, read_results
from winodds.arrays import Floats
from winodds.show.figures.figure import Figure
from winodds.show.layout.tables import figures_grid
from winodds.sota.answer import Expected

N = 2000
SCORES = np.random.default_rng(0).binomial(N, 0.8, size=400) / N
FEW = np.random.default_rng(1).binomial(N, 0.8, size=40) / N
FOUND = estimate_sota(SCORES, n=N, classes=2, correlation=0.3, method="shrink", sensitivity=False)
OUTLIER = np.append(np.full(30, 0.6) + np.arange(30) / N, 0.95)


def ahead() -> Sota:
    return estimate_sota(OUTLIER, n=N, classes=2, correlation=0.0, sensitivity=False)


def rows_of(figure: Figure, part: str) -> list[dict[str, Any]]:
    return [row for row in figure.rows if row["part"] == part]


# Entries ------------------------------------------------------------------------------------------


def test_the_scores_are_kept_but_not_written_to_json() -> None:
    assert (FOUND.scores == SCORES).all()
    assert "scores" not in json.loads(json.dumps(FOUND.to_dict()))
    assert pickle.loads(pickle.dumps(FOUND)) == FOUND


def test_bins_hold_every_entry_that_is_shown() -> None:
    figure = FOUND.figures.entries(worst=float(SCORES.min()))
    bins = rows_of(figure, "bin")
    assert sum(row["entries"] for row in bins) == 400
    for row in bins:
        inside = (FOUND.scores > row["low"]) & (FOUND.scores < row["high"])
        assert row["entries"] == inside.sum()
    widths = {round((row["high"] - row["low"]) * N, 6) for row in bins}
    assert len(widths) == 1
    assert widths.pop() == pytest.approx(np.ceil(np.ptp(SCORES) * N / 60))


def test_few_entries_are_points_stacked_in_their_bins() -> None:
    found = estimate_sota(FEW, n=N, classes=2, correlation=0.3, sensitivity=False)
    figure = found.figures.entries()
    entries = rows_of(figure, "entry")
    assert sorted(row["value"] for row in entries) == sorted(FEW.tolist())
    assert not rows_of(figure, "bin")
    stacks: dict[float, list[int]] = {}
    for row in entries:
        assert row["low"] < row["value"] < row["high"]
        stacks.setdefault(row["low"], []).append(row["entries"])
    assert all(sorted(stack) == list(range(1, len(stack) + 1)) for stack in stacks.values())


def test_marks_are_the_figures_that_the_text_shows() -> None:
    marks = rows_of(FOUND.figures.entries(), "mark")
    grid = figures_grid(FOUND)
    assert [row["label"] for row in marks] == [row[0] for row in grid.rows]
    for row, words in zip(marks, grid.rows, strict=True):
        assert f"{row['value']:.4f}" == words[1]
        assert words[2] == ("" if row["low"] is None else f"{row['low']:.4f} … {row['high']:.4f}")


def test_entries_far_below_the_best_are_left_out_and_counted() -> None:
    figure = FOUND.figures.entries(worst=0.81)
    shown = sum(row["entries"] for row in rows_of(figure, "bin")) or len(rows_of(figure, "entry"))
    assert shown == (SCORES >= 0.81).sum()
    assert figure.facts["hidden"] == (SCORES < 0.81).sum()
    assert figure.caption.endswith(f"{(SCORES < 0.81).sum()} entries below 0.81 not shown.")
    assert figure.caption.endswith(figure.left_out)
    assert figure.left_out.endswith("entries below 0.81 not shown.")


def test_by_default_marks_take_a_third_of_the_view() -> None:
    low = np.linspace(0.55, 0.75, 200)
    found = estimate_sota(
        np.append(SCORES, low), n=N, classes=2, correlation=0.3, sensitivity=False
    )
    figure = found.figures.entries()
    ends = [row[key] for row in rows_of(figure, "mark") for key in ("low", "high") if row[key]]
    begin = figure.facts["begin"]
    span = max(ends) - min(*ends, found.sota or 1.0)
    assert max(ends) - begin == pytest.approx(3.0 * span)


def test_a_leader_ahead_of_luck_is_shown_with_its_estimate() -> None:
    figure = ahead().figures.entries()
    labels = [row["label"] for row in rows_of(figure, "mark")]
    assert labels == ["best score, taken alone", "state of the art", "best score at face value"]
    assert figure.title == "The best score is higher than luck leads one to expect"
    assert "scored 0.9500, ahead of what luck explains: the best entry's" in figure.caption
    assert figure.facts["sota"] == ahead().sota


def test_a_score_ahead_but_within_its_interval_is_said_to_be() -> None:
    """On the cassava board the best lies within what its maximum would vary by."""
    table = read_results(shared_file("data/kaggle_cassava_private.csv"))
    found = estimate_sota(table, score="score", n=10000, classes=5, sensitivity=False)
    assert not found.explained
    assert found.face_value.low <= found.observed_max <= found.face_value.high
    words = "The best score is higher than expected, though within its 95% interval."
    assert found.figures.entries().left_out.startswith(words)
    beyond = replace(found, face_value=Expected(value=0.9, low=0.89, high=0.91))
    assert "though within" not in beyond.figures.entries().caption


def test_lines_and_rows_are_explained_in_the_picture() -> None:
    assert FOUND.figures.entries().left_out.startswith(
        "The dashed line is the best score, the solid one the state of the art; below are 95% "
        'intervals. "Best score at face value" is what the best is expected to score if '
        'performances are the scores; "best score to expect then", if performances are as '
        "estimated."
    )
    assert ahead().figures.entries().left_out == (
        "The best score is higher than expected, though within its 95% interval. "
        "The dashed line is the best score, the solid one the state of the art; below are 95% "
        'intervals. "Best score at face value" is what the best is expected to score if '
        "performances are the scores."
    )
    law = LAW.figures.law()
    assert law.left_out == (
        "Curves: dashed is one score, solid the best of all. Upright lines: dotted is θ, solid the "
        "expected best score, dashed the upper end of its interval."
    )
    assert law.caption.endswith(law.left_out)


def test_lower_is_better_turns_the_figure_around() -> None:
    losses = 1.0 - FEW
    own = estimate_sota(FEW, se=0.01, higher_is_better=True, sensitivity=False)
    found = estimate_sota(losses, se=0.01, higher_is_better=False, sensitivity=False)
    assert (found.scores == losses).all()
    up, down = own.figures.entries(), found.figures.entries()
    for one, other in zip(rows_of(up, "mark"), rows_of(down, "mark"), strict=True):
        assert one["value"] == pytest.approx(1.0 - other["value"], abs=1e-4)
    assert down.facts["hidden"] == up.facts["hidden"]


def test_a_worst_score_above_the_best_is_ahead() -> None:
    with pytest.raises(WinoddsError) as caught:
        FOUND.figures.entries(worst=0.99)
    best = f"{SCORES.max():g}"
    assert str(caught.value) == f"worst=0.99 is not possible; the best score is {best}."


def test_the_kaggle_board_of_the_paper_comes_out() -> None:
    """Figure 8: 3,558 entries above chance, 921 in the naive interval (here 0.9067 to 0.9162)."""
    table = read_results(shared_file("data/kaggle_obesity_private.csv"))
    found = estimate_sota(table, score="score", n=13840, classes=7, sensitivity=False)
    figure = found.figures.entries()
    alone = rows_of(figure, "mark")[0]
    assert alone["value"] == 0.91157
    assert (alone["low"], alone["high"]) == pytest.approx((0.9067, 0.9162), abs=1e-4)
    assert 0.87 < figure.facts["begin"] < 0.89
    shown = sum(row["entries"] for row in rows_of(figure, "bin"))
    assert shown + figure.facts["hidden"] == 3587


# The law of the best score ------------------------------------------------------------------------

PUBLISHED = [
    ("players", 100, 0.9135, 0.002250),
    ("players", 1000, 0.9173, 0.001817),
    ("players", 5000, 0.9196, 0.001623),
    ("n", 1000, 0.9294, 0.003007),
    ("n", 10000, 0.9096, 0.001022),
    ("theta", 0.85, 0.8707, 0.002197),
    ("theta", 0.95, 0.9624, 0.001277),
    ("spread", 0.025, 0.9130, 0.0021),
    ("correlation", 0.6, 0.9140, 0.0035),
]
LAW = law_of_maximum(1000, theta=0.9, n=3000)


def column(figure: Figure, part: str, name: str) -> Floats:
    return np.array([row[name] for row in rows_of(figure, part)])


def test_the_law_is_the_power_of_a_binomial_law() -> None:
    figure = LAW.figures.law()
    score = column(figure, "best", "value")
    cdf = stats.binom.cdf(np.rint(score * 3000), 3000, 0.9) ** 1000
    before = stats.binom.cdf(np.rint(score * 3000) - 1, 3000, 0.9) ** 1000
    assert column(figure, "best", "cdf") == pytest.approx(cdf, abs=1e-9)
    assert column(figure, "best", "probability") == pytest.approx(cdf - before, abs=1e-9)
    assert column(figure, "best", "probability").sum() == pytest.approx(1.0, abs=1e-5)


def test_one_score_has_the_binomial_law_whatever_the_entries_share() -> None:
    law = law_of_maximum(1000, theta=0.9, n=3000, spread=0.025, correlation=0.6)
    figure = law.figures.law()
    score = column(figure, "one", "value")
    mass = stats.binom.pmf(np.rint(score * 3000), 3000, 0.9)
    assert column(figure, "one", "probability") == pytest.approx(mass, abs=1e-9)


def test_marks_of_the_law_are_published() -> None:
    marks = rows_of(LAW.figures.law(), "mark")
    assert [row["label"] for row in marks] == [
        "performance of the best, θ",
        "one score of the best",
        "best score of all",
    ]
    best = marks[2]
    assert (round(best["value"], 4), round(best["high"], 4)) == (0.9173, 0.9213)
    assert (best["low"], best["high"]) == LAW.interval(0.95)
    assert marks[0]["value"] == 0.9


def test_densities_of_other_metrics_integrate_to_one() -> None:
    law = law_of_maximum(50, theta=0.0, se=1.0, correlation=0.5)
    figure = law.figures.law()
    for part in ("one", "best"):
        value = column(figure, part, "value")
        area = np.trapezoid(column(figure, part, "probability"), value)
        assert area == pytest.approx(1.0, abs=2e-3)
        assert value.size <= 400
    value = column(figure, "one", "value")
    assert column(figure, "one", "probability") == pytest.approx(stats.norm.pdf(value), abs=1e-3)


def test_large_test_sets_are_thinned_and_keep_their_mass() -> None:
    law = law_of_maximum(1000, theta=0.9, n=1_000_000)
    figure = law.figures.law()
    value, mass = (column(figure, "best", name) for name in ("value", "probability"))
    assert value.size == 400
    assert np.trapezoid(mass, value) * 1_000_000 == pytest.approx(1.0, abs=1e-2)


@pytest.mark.parametrize(("over", "at", "expected", "sd"), PUBLISHED)
def test_curves_go_through_the_published_values(
    over: Any, at: float, expected: float, sd: float
) -> None:
    figure = LAW.figures.curves(over=over, values=[at])
    row = figure.rows[0]
    assert round(row["expected"], 4) == expected
    assert row["sd"] == pytest.approx(sd, abs=0.5 * 10.0 ** -len(f"{sd:g}".split(".")[1]))
    best = at if over == "theta" else 0.9
    assert row["bias"] == pytest.approx(row["expected"] - best)


def test_curves_hold_the_law_itself_once() -> None:
    for over in ("players", "n", "theta", "spread", "correlation"):
        figure = LAW.figures.curves(over=over)
        own = [row for row in figure.rows if row["stated"]]
        assert [row["bias"] for row in own] == [LAW.bias]
        at = [row["at"] for row in figure.rows]
        assert at == sorted(set(at))
        assert 24 <= len(at) <= 26


def test_bias_grows_with_entries_and_shrinks_with_cases_spread_and_correlation() -> None:
    def bias(over: Any) -> Floats:
        return np.array([row["bias"] for row in LAW.figures.curves(over=over).rows])

    assert (np.diff(bias("players")) > 0.0).all()
    for over in ("n", "spread", "correlation"):
        assert (np.diff(bias(over)) < 0.0).all()


def test_populations_that_cannot_be_are_left_out_and_named() -> None:
    law = law_of_maximum(1000, theta=0.9, n=3000, spread=0.025)
    figure = law.figures.curves(over="correlation", points=11)
    assert figure.left_out == "No such entries exist at 0.95."
    assert figure.caption.endswith(figure.left_out)
    assert max(row["at"] for row in figure.rows) == pytest.approx(0.855)
    with pytest.raises(WinoddsError):
        law.figures.curves(over="correlation", values=[0.95])


def test_the_other_parameters_stay_and_are_named() -> None:
    law = law_of_maximum(200, theta=0.8, n=500, spread=0.1, correlation=0.3)
    figure = law.figures.curves(over="n", values=[100])
    twin = law_of_maximum(200, theta=0.8, n=100, spread=0.1, correlation=0.3)
    assert (figure.rows[0]["bias"], figure.rows[0]["sd"]) == (twin.bias, twin.sd)
    assert figure.caption == (
        "Bias and standard deviation of the best score, by the size of the test set; otherwise 200 "
        "entries, θ = 0.8, spread 0.1, correlation 0.3. The point is the law itself."
    )


def test_a_common_variable_that_is_held_fixed_is_named() -> None:
    free, fixed = (
        law_of_maximum(200, theta=0.8, n=500, correlation=0.3, fixed=held) for held in (False, True)
    )
    assert (
        "each has correlation 0.3 with a common variable. The common variable is held fixed: "
        "exactly a share θ of the cases is easy."
    ) in fixed.figures.law().caption
    assert fixed.figures.curves(over="n", values=[100]).caption == (
        "Bias and standard deviation of the best score, by the size of the test set; otherwise 200 "
        "entries, θ = 0.8, spread 0, correlation 0.3, the common variable held fixed, with exactly "
        "a share θ of the cases easy. The point is the law itself."
    )
    for figure in (free.figures.law(), free.figures.curves(values=[100])):
        assert "fixed" not in figure.caption


def test_positives_grow_with_the_test_set() -> None:
    law = law_of_maximum(20, theta=0.8, n=300, positives=100)
    figure = law.figures.curves(over="n", values=[600])
    twin = law_of_maximum(20, theta=0.8, n=600, positives=200)
    assert figure.rows[0]["bias"] == twin.bias
    assert "0.33 of all cases positive" in figure.caption


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"over": "size"},
            'over="size" is not possible; it is one of "players", "n", "theta", "spread", '
            '"correlation".',
        ),
        ({"values": []}, "values=[] is not possible; at least one is needed."),
        (
            {"values": [2.5]},
            "players=2.5 is not possible; it is a whole number, 1 or more.",
        ),
    ],
)
def test_misuse_of_curves_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(WinoddsError) as caught:
        LAW.figures.curves(**options)
    assert str(caught.value) == sentence


def test_a_stated_error_has_no_curve_over_cases() -> None:
    with pytest.raises(WinoddsError) as caught:
        law_of_maximum(10, theta=0.5, se=0.1).figures.curves(over="n")
    assert str(caught.value) == (
        'over="n" is not possible; with a stated standard error, the bias does not depend on it.'
    )


# Charts -------------------------------------------------------------------------------------------


def texts_of(chart: Any) -> list[str]:
    """All words of a picture that is well-formed."""
    from winodds.show.charts.save import draw_svg

    root = ElementTree.fromstring(draw_svg(chart))
    return [node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_chart_of_entries_names_every_mark_with_its_numbers() -> None:
    texts = texts_of(FOUND.plot.entries())
    for row in rows_of(FOUND.figures.entries(), "mark"):
        assert row["label"] in texts
        number = f"{row['value']:.4f}"
        if row["low"] is not None:
            number = f"{number}  ({row['low']:.4f} – {row['high']:.4f})"
        assert number in texts


def test_the_chart_of_a_leader_ahead_has_a_line_for_the_estimate() -> None:
    for found in (FOUND, ahead()):
        assert "state of the art" in texts_of(found.plot.entries())
        spec = json.dumps(found.plot.entries().to_dict())
        assert '"strokeDash": [5, 3]' in spec
        assert '"strokeDash": []' in spec


def test_the_chart_of_a_law_names_its_curves_and_marks() -> None:
    texts = texts_of(LAW.plot.law())
    for words in ("one score", "best of 1,000", "performance of the best, θ", "Probability"):
        assert words in texts
    low, high = LAW.interval()
    assert f"{LAW.mean:.4f}  ({low:.4f} – {high:.4f})" in texts


def test_the_chart_of_curves_has_round_ticks_on_a_log_axis() -> None:
    texts = texts_of(LAW.plot.curves())
    assert [text for text in texts if text in ("1", "10", "100", "1,000", "10,000")] == [
        "1",
        "10",
        "100",
        "1,000",
        "10,000",
    ] * 2


def test_charts_have_the_colours_of_the_theme_only() -> None:
    from winodds.show.charts.theme import LIGHT

    for chart in (FOUND.plot.entries(), LAW.plot.law(), LAW.plot.curves()):
        used = set(re.findall(r"#[0-9a-f]{6}\b", json.dumps(chart.to_dict())))
        assert used <= set(asdict(LIGHT).values())
