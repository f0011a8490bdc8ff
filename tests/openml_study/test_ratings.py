"""What the page of the study says of ratings, by fits of our own."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape

import numpy as np
import polars as pl
import pytest
from conftest import shared_file
from reference import fit_slow, matches_within, win_matrix

from openml_study.pages import CLASS, Found, Words, as_recall, learner_of
from winodds.arrays import Floats


def rate_by_hand(found: Found, task: str) -> tuple[list[str], Floats, Floats]:
    """Flows, EPP and mean scores of a task, by a slow fit of our own."""
    rows = found.rows_of(task)
    flows = sorted({flow for flow, _ in rows})
    folds = sorted({fold for _, fold in rows})
    table = np.array([[rows[flow, fold] for flow in flows] for fold in folds])
    wins = win_matrix(matches_within(table), len(flows))
    return flows, fit_slow(wins, estimator="bias-reduced").beta, table.mean(axis=0)


def matrices(found: Found) -> dict[str, list[list[list[str]]]]:
    """The two matrices of each task that is shown: at face value, and without luck."""
    part = found.html.partition('<section id="matrices">')[2].partition("</section>")[0]
    shown = {}
    for block in part.split("<h3>")[1:]:
        words = Words()
        words.feed(block)
        shown[unescape(block.partition(":")[0])] = words.tables
    return shown


def test_a_matrix_of_the_thesis_equals_a_fit_by_hand(small: Found) -> None:
    both = matrices(small)
    assert len(both) == 2
    for task, (face, honest) in both.items():
        flows, epp, _ = rate_by_hand(small, task)
        best: dict[str, float] = {}
        for flow, own in zip(flows, epp.tolist(), strict=True):
            name = CLASS.get(learner_of(small.world, int(flow.split("_")[0])))
            if name is not None:
                best[name] = max(own, best.get(name, -np.inf))
        names = sorted(best, key=lambda name: -best[name])
        assert [row[0] for row in face[1:]] == names == [row[0] for row in honest[1:]]
        for k, row in enumerate(face[1:]):
            for j, cell in enumerate(row[1:]):
                chance = 100 / (1 + np.exp(best[names[j]] - best[names[k]]))
                assert cell == "" if k == j else abs(float(cell.strip("<>")) - chance) < 1.0
                assert not cell.startswith(">") or chance > 99.0
        pulled = [
            abs(float(a.strip("<>∞")) - 50) - abs(float(b.strip("<>∞")) - 50)
            for k in range(len(names))
            for j, (a, b) in enumerate(zip(face[1 + k][1:], honest[1 + k][1:], strict=True))
            if j != k
        ]
        assert np.mean(pulled) > 0.0, "without luck the best are closer to each other"


def test_the_slope_and_the_better_shape_are_those_of_a_fit_by_hand(small: Found) -> None:
    rows = small.table("Task", "Flows", "Intercept", "Slope", "R² line")
    assert len(rows) == 6
    for task, players, intercept, slope, r_squared, _, shape, _ in rows[:2]:
        flows, epp, mean = rate_by_hand(small, task)
        by_hand = np.polyfit(epp, mean, 1)
        r = np.corrcoef(epp, mean)[0, 1]
        assert int(players) == len(flows)
        assert float(slope.replace("−", "-")) == pytest.approx(by_hand[0], abs=5e-4)
        assert float(intercept) == pytest.approx(by_hand[1], abs=5e-4)
        assert float(r_squared) == pytest.approx(r**2, abs=5e-4)
        assert shape in ("straight", "S-shaped")
    curved = sum(row[6] == "S-shaped" for row in rows)
    assert f"An S describes the flows better on {curved} of 6 tasks" in small.text


def test_boxes_hold_ratings_against_the_reference(small: Found) -> None:
    """Figures 5.8 to 5.12: medians by algorithm, of the best by task, over tasks, and of flows."""
    names = [f"{number}_{task.name}" for number, task in small.world.tasks.items()]
    epp = {task: against_reference(small, task) for task in names}
    part = small.html.partition('<section id="boxes">')[2].partition("</section>")[0]
    figures = {
        like: {
            unescape(name): (float(median.replace("−", "-")), int(values))
            for name, median, values in re.findall(
                r"<title>([^<]*): median (\S+), (\d+) values</title>", drawn
            )
        }
        for drawn, like in re.findall(r"<figure>(.*?)class=\"like\">([^<]*)<", part)
    }
    family = {
        f"{flow}_{name}": CLASS.get(learner_of(small.world, flow))
        for flow, name in small.world.flows.items()
    }
    spreads = {task: max(own.values()) - min(own.values()) for task, own in epp.items()}
    for like, task in (
        ("Figure 5.8", min(spreads, key=lambda it: spreads[it])),
        ("Figure 5.9", max(spreads, key=lambda it: spreads[it])),
    ):
        check_medians(figures[like], [(family[flow], x) for flow, x in epp[task].items()])
    best = [
        (task, max(x for flow, x in own.items() if family[flow] == name))
        for task, own in epp.items()
        for name in {family[flow] for flow in own}
    ]
    check_medians(figures["Figure 5.10"], best)
    every = [(family[flow], x) for own in epp.values() for flow, x in own.items()]
    check_medians(figures["Figure 5.11"], every)
    often = [(f, x) for own in epp.values() for f, x in own.items()
             if sum(f in other for other in epp.values()) >= 5]  # fmt: skip
    check_medians(figures["Figure 5.12"], often)


def against_reference(found: Found, task: str) -> dict[str, float]:
    """EPP of the flows of a task, by hand, with the reference at 0."""
    flows, epp, _ = rate_by_hand(found, task)
    reference = next(k for k, flow in enumerate(flows) if flow.startswith("4000_"))
    return dict(zip(flows, (epp - epp[reference]).tolist(), strict=True))


def check_medians(
    found: dict[str, tuple[float, int]], values: Sequence[tuple[str | None, float]]
) -> None:
    names = {name for name, _ in values if name is not None}
    assert found.keys() == names
    for name in names:
        own = [value for of, value in values if of == name]
        assert found[name][1] == len(own)
        assert found[name][0] == pytest.approx(np.median(own), abs=0.0051)


def test_the_unstable_flow_is_named_with_its_folds(small: Found) -> None:
    rows = small.table("Fold", "AUC", "Middle of others", "Beats")
    found = re.search(r"(\d+)_\S+ has a mean AUC of ([\d.]+), where ([\d.]+) go", small.text)
    assert found is not None
    flow = int(found[1])
    assert flow % 40 == 7, "a flow that the server made unstable"
    like = re.search(r'class="like">Figure 5.3</span> ([^:]*):', small.html)
    assert like is not None
    scores = small.rows_of(like[1])
    own = {fold: value for (name, fold), value in scores.items() if name.startswith(f"{flow}_")}
    assert float(found[2]) == pytest.approx(np.mean(list(own.values())), abs=5e-4)
    assert float(found[2]) < float(found[3])
    for fold, score, middle, beats in rows:
        others = [v for (name, k), v in scores.items() if k == int(fold) and name.split("_")[0] != str(flow)]  # fmt: skip # noqa: E501
        assert float(score) == pytest.approx(own[int(fold)], abs=5e-4)
        assert float(middle) == pytest.approx(np.median(others), abs=5e-4)
        assert beats == f"{np.mean([v < own[int(fold)] for v in others]):.0%}"
    assert len(rows) == 6


def test_a_second_metric_has_a_section_and_is_compared(small: Found) -> None:
    assert '<section id="second"><h2>EPP against recall</h2>' in small.html
    told = re.search(r"EPP by AUC and by recall put (\d+)% of the pairs", small.text)
    assert told is not None
    shares = []
    for number, task in small.world.tasks.items():
        name = f"{number}_{task.name}"
        flows, one, _ = rate_by_hand(small, name)
        recall = replace(small, world=as_recall(small.world))
        _, two, _ = rate_by_hand(recall, name)
        pairs = [(a, b) for a in range(len(flows)) for b in range(a)]
        shares.append(np.mean([(one[a] > one[b]) == (two[a] > two[b]) for a, b in pairs]))
    assert abs(float(told[1]) - 100 * np.mean(shares)) < 1.0


def test_the_unstable_flow_of_a_published_study_by_hand() -> None:
    """Table 5.1 in kind: on 18 tasks its AUC is that of a coin, and it wins most of the others."""
    table = pl.read_csv(shared_file("data/openml_study_34_auc.csv"))
    own = table.filter(pl.col("model") == "8990_weka.MultilayerPerceptron")
    assert own["score"].mean() == pytest.approx(0.8169, abs=1e-4)
    assert ((own["score"] - 0.5).abs() < 0.015).sum() == 18
    beaten = []
    for task, score in own.select("task", "score").rows():
        others = table.filter((pl.col("task") == task) & (pl.col("model") != own["model"][0]))
        tied = (others["score"] == score).sum()
        beaten.append(((others["score"] < score).sum() + tied / 2) / others.height)
    assert np.mean(beaten) == pytest.approx(0.59, abs=0.005)
