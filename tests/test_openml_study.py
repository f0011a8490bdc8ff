"""The study of OpenML as a page: from a server to the page, and its numbers by hand."""

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest
import study
from conftest import shared_file
from counts import shares_of_tools
from evaluations import read_evaluations
from openml_server import LEARNERS, Run, Server, World, large_world, serving, small_world
from page import Colouring
from ratings import rate_study
from reference import fit_slow, matches_within, win_matrix
from section_data import describe_data
from test_docs import read_blocks

import winodds
from winodds.arrays import Floats
from winodds.cli.main import run
from winodds.language.options import RunRule

SCRIPT = Path(study.__file__)
UNKNOWN = "my.Own<T>&Net"
CLASS = {
    "weka.J48": "DecisionTreeClassifier",
    "weka.REPTree": "DecisionTreeClassifier",
    "sklearn.tree.tree.DecisionTreeClassifier": "DecisionTreeClassifier",
    "weka.AdaBoostM1_J48": "AdaBoostClassifier",
    "sklearn.ensemble.weight_boosting.AdaBoostClassifier": "AdaBoostClassifier",
    "weka.SMO_PolyKernel": "SVMClassifier",
    "mlr.classif.svm": "SVMClassifier",
    "sklearn.svm.classes.SVC": "SVMClassifier",
    "weka.Bagging_REPTree": "BaggingClassifier",
    "weka.JRip": "RuleBasedClassifier",
    "weka.RandomForest": "RandomForestClassifier",
    "mlr.classif.ranger": "RandomForestClassifier",
    "sklearn.ensemble.forest.RandomForestClassifier": "RandomForestClassifier",
    "weka.NaiveBayes": "NaiveBayes",
    "weka.MultiBoostAB_J48": "MultiBoostClassifier",
    "weka.IBk": "KNeighborsClassifier",
    "classif.kknn": "KNeighborsClassifier",
    "weka.SimpleLogistic": "LogisticRegression",
    "mlr.classif.glmnet": "LogisticRegression",
    "weka.MultilayerPerceptron": "NeuralNetwork",
    "weka.LogitBoost_DecisionStump": "GradientBoostingClassifier",
    "classif.xgboost": "GradientBoostingClassifier",
    "weka.LMT": "HybridClassifier",
    "weka.RotationForest_PrincipalComponents_J48": "EnsembleClassifier",
    "sklearn.linear_model.stochastic_gradient.SGDClassifier": "SGDClassifier",
    "weka.LWL_DecisionStump": "WeightedLearning",
    "weka.BayesNet_K2": "BayesNet",
    "weka.FKC_EigenPro": "KernelClassifier",
    "weka.Stacking_ZeroR": "StackingClassifier",
}
"""The class of each learner of the generated server, written down by hand."""


class Words(HTMLParser):
    """The words of a page, and its tables as rows of cells."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.asked: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.asked += [str(value) for name, value in attrs if name in ("src", "href")]
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)
        if self._inside:
            self.tables[-1][-1][-1] += data


@dataclass(frozen=True)
class Found:
    """A page, its words, its tables, and what it was made of."""

    html: str
    text: str
    tables: list[list[list[str]]]
    asked: list[str]
    world: World
    size: int

    def table(self, *head: str) -> list[list[str]]:
        """The rows of the table that begins with these heads."""
        return next(rows[1:] for rows in self.tables if rows[0][: len(head)] == [*head])

    def rows_of(self, task: str) -> dict[tuple[str, int], float]:
        """The scores that a task should have: the first run of each flow, fold by fold."""
        number = int(task.split("_")[0])
        chosen: dict[int, Run] = {}
        for _, one in sorted(self.world.runs.items()):
            if one.task == number:
                chosen.setdefault(one.flow, one)
        return {
            (f"{flow}_{self.world.flows[flow]}", fold): value
            for flow, one in chosen.items()
            for fold, value in enumerate(one.values, 1)
        }


def read_page(path: Path, world: World) -> Found:
    html = path.read_text(encoding="utf-8")
    words = Words()
    words.feed(html)
    return Found(html, " ".join(words.parts), words.tables, words.asked, world, path.stat().st_size)


def make_study(
    folder: Path, world: World, *more: str, second: World | None = None, page_size: str = "10000"
) -> Found:
    """From a server to a page, by the two commands."""
    tables = []
    for one in [world] if second is None else [world, second]:
        with serving(Server(one)) as server:
            tables.append(folder / f"{one.function}.parquet")
            where = ["--server", server.url, "--cache", str(folder / one.function)]
            words = ["openml", "--suite", "99", "--metric", one.function, "--pause", "0", *where]
            assert run([*words, "--page-size", page_size, "-o", str(tables[-1]), "-q"]) == 0
    given = [str(tables[0]), *(["--second", str(tables[1])] if second else []), *more]
    assert study.main([*given, "-o", str(folder / "study.html")]) == 0
    return read_page(folder / "study.html", world)


def as_recall(world: World) -> World:
    """The same runs by a second function, which agrees with the first in part."""
    random = Random(5)
    runs = {
        number: replace(
            one, values=tuple(round(min(1, v**2 + random.gauss(0, 0.01)), 3) for v in one.values)
        )
        for number, one in world.runs.items()
    }
    return replace(world, runs=runs, function="recall")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    """The study of a server with six tasks and sixty flows."""
    folder = tmp_path_factory.mktemp("study")
    with pytest.MonkeyPatch.context() as patch:
        stay_away_from_home(patch, folder)
        world = large_world(6, 60, filled=0.4, folds=6)
        yield make_study(folder, world, "--reference", "4000", second=as_recall(world))


def stay_away_from_home(patch: pytest.MonkeyPatch, folder: Path) -> None:
    for name in ("OPENML_CACHE_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        patch.setenv(name, str(folder / "home"))
    patch.setenv("no_proxy", "*")


# Counts -------------------------------------------------------------------------------------------


def cells_of(world: World) -> dict[tuple[int, int], int]:
    """How many runs each pair of a task and a flow has."""
    found: dict[tuple[int, int], int] = {}
    for one in world.runs.values():
        found[one.task, one.flow] = found.get((one.task, one.flow), 0) + 1
    return found


def learner_of(world: World, flow: int) -> str:
    return re.sub(r"\(\d+\)$", "", world.flows[flow])


def test_shares_filled_are_counted_by_hand(small: Found) -> None:
    check_shares(small)


def check_shares(found: Found) -> None:
    world, cells = found.world, cells_of(found.world)
    pairs = len(world.tasks) * len(world.flows)
    classes = {flow: CLASS.get(learner_of(world, flow)) for flow in world.flows}
    by_class = {(task, classes[flow]) for task, flow in cells if classes[flow]}
    known = {name for _, name in by_class}
    several = sum(number > 1 for number in cells.values())
    assert f"{len(cells):,} of {pairs:,} pairs of a flow and a task have a result" in found.text
    assert f"of {several:,} pairs with several runs it is the first" in found.text
    share = len(cells) / pairs
    assert f"Results of flows: {share:.1%} of {pairs:,} cells are filled" in found.text
    of = len(known) * len(world.tasks)
    told = f"algorithms: {len(by_class) / of:.1%} of {of:,} cells are filled"
    assert told in found.text
    tiles = [str(len(world.tasks)), f"{len(world.flows):,}", f"{sum(cells.values()):,}"]
    assert [unescape(x) for x in re.findall(r"<div><b>(.*?)</b>", found.html)] == [
        *tiles,
        str(len(known)),
        f"{share:.0%}",
        f"{len(by_class) / of:.0%}",
    ]


def test_yellow_cells_are_where_results_are(small: Found) -> None:
    """The widths of what is drawn yellow add up to the cells that are filled."""
    drawn = re.findall(r'class="full" d="(.*?)"', small.html)
    wide = [sum(float(w) for w in re.findall(r"h([\d.]+)v", path)) for path in drawn]
    flows, tasks = len(small.world.flows), len(small.world.tasks)
    assert wide[0] / (760 / flows) == pytest.approx(len(cells_of(small.world)), rel=1e-3)
    assert len(re.findall(r"M[\d.]+ [\d.]+h", drawn[0])) <= flows * tasks / 2


def test_flows_of_each_algorithm_and_tool(small: Found) -> None:
    world = small.world
    sizes: dict[str, int] = {}
    tools: dict[str, int] = {}
    for flow in world.flows:
        learner = learner_of(world, flow)
        name = CLASS.get(learner, "unknown")
        sizes[name] = sizes.get(name, 0) + 1
        tool = {"classif": "mlr"}.get(learner.split(".")[0], learner.split(".")[0])
        tools[tool] = tools.get(tool, 0) + 1
    drawing = small.html.partition('aria-label="flows by algorithm"')[2].partition("</svg>")[0]
    words = re.findall(r"<text[^>]*>(.*?)</text>", drawing)
    assert dict(zip(words[::2], map(int, words[1::2]), strict=True)) == sizes
    listed = sorted(tools.items(), key=lambda pair: (-pair[1], pair[0]))
    assert "Flows by tool: " + ", ".join(f"{a} {b}" for a, b in listed) in small.text
    known = len(world.flows) - sizes.get("unknown", 0)
    assert f"{known} of {len(world.flows)} have one" in small.text


def test_the_tasks_have_their_sizes_runs_and_flows(small: Found) -> None:
    cells = cells_of(small.world)
    rows = small.table("Task", "Observations", "Features", "Classes", "Runs", "Flows")
    for number, task in small.world.tasks.items():
        own = {flow: runs for (of, flow), runs in cells.items() if of == number}
        names = {CLASS.get(learner_of(small.world, flow)) for flow in own} - {None}
        assert [
            f"{number}_{task.name}",
            *(str(x) for x in (task.instances, task.features, task.classes)),
            *(str(x) for x in (sum(own.values()), len(own), len(names))),
        ] in rows
    assert len(rows) == 6


def test_flows_on_most_tasks_come_first(small: Found) -> None:
    number: dict[int, int] = {}
    for _, flow in cells_of(small.world):
        number[flow] = number.get(flow, 0) + 1
    rows = small.table("Flow", "Name", "Algorithm", "Tasks")
    assert [int(row[3]) for row in rows] == sorted(number.values(), reverse=True)[:10]
    for own, name, algorithm, tasks in rows:
        learner = learner_of(small.world, int(own))
        assert (name, tasks) == (f"{own}_{small.world.flows[int(own)]}", str(number[int(own)]))
        assert algorithm == CLASS.get(learner, "unknown")


def histogram(found: Found, words: str) -> dict[str, int]:
    """The bars of a histogram, by what they say."""
    drawing = found.html.partition(f'aria-label="{words}"')[2].partition("</svg>")[0]
    pairs = re.findall(r"<title>(.*?): (\d+)</title>", drawing)
    return {name: int(number) for name, number in pairs}


def test_histograms_hold_every_task_and_flow_once(small: Found) -> None:
    cells, world = cells_of(small.world), small.world
    classes = [task.classes for task in world.tasks.values()]
    found = histogram(small, "tasks by classes of the target")
    assert {int(k): v for k, v in found.items() if v} == {k: classes.count(k) for k in classes}
    tasks = [sum(flow == own for _, own in cells) for flow in world.flows]
    found = histogram(small, "flows by tasks")
    assert {int(k): v for k, v in found.items()} == {k: tasks.count(k) for k in range(1, 7)}
    runs = [sum(n for (task, _), n in cells.items() if task == own) for own in world.tasks]
    for low_high, number in histogram(small, "tasks by runs").items():
        low, _, high = low_high.partition(" to ")
        assert number == sum(int(low) <= own <= int(high or low) for own in runs)


# Ratings ------------------------------------------------------------------------------------------


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


# The page -----------------------------------------------------------------------------------------


def test_the_page_needs_nothing_else_and_escapes_names(small: Found) -> None:
    assert all(link.startswith(("#", "data:image/svg+xml;base64,")) for link in small.asked)
    assert "http" not in re.sub(r"http://www\.w3\.org/\S+", "", small.html)
    assert "<script" not in small.html
    assert "<T>" not in small.html
    assert any(UNKNOWN in name for name in small.world.flows.values())


def test_algorithms_have_one_colour_in_all_pictures(small: Found) -> None:
    keys = re.findall(r'<li><i class="(a\d+)"></i>(.*?)</li>', small.html)
    colours = {name: colour for colour, name in keys}
    assert len(set(colours.values())) == len(colours)
    boxes = re.findall(r'class="(a\d+) filled"><title>(\w+): median', small.html)
    assert {name for _, name in boxes} <= colours.keys()
    assert {(colour, name) for colour, name in boxes} <= {(c, n) for n, c in colours.items()}
    rules = dict(re.findall(r"^\.(a\d+)\{fill:(#\w+)", small.html, re.MULTILINE))
    assert len({rules[colour] for colour in colours.values()}) == len(colours)


def test_every_task_has_its_pictures(small: Found) -> None:
    part = small.html.partition('<section id="tasks">')[2]
    for number, task in small.world.tasks.items():
        own = part.partition(f"<summary>{number}_{task.name}: ")[2].partition("</details>")[0]
        assert own.count("<svg") == 2
        assert own.count('<table class="matrix">') == 1


def test_all_learners_of_the_server_are_classified_by_hand() -> None:
    assert {*CLASS} == {*LEARNERS} - {UNKNOWN}
    assert len(set(CLASS.values())) == 19


# What the pages show -----------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["docs/openml-study.md", "examples/openml_study/README.md"])
def test_the_commands_on_the_pages_give_a_page(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line of the pages is run, against servers on this machine."""
    stay_away_from_home(monkeypatch, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("winodds.adapters.openml.desk.sleep", lambda _: None)
    world = large_world(6, 40, filled=0.4, folds=5)
    made = []
    with serving(Server(world)) as one, serving(Server(as_recall(world))) as other:
        for block in read_blocks(page):
            if block.language == "csv":
                Path(block.file).write_text(block.text, encoding="utf-8")
            for line in block.text.splitlines() if block.language == "sh" else []:
                first, *words = shlex.split(line)
                server = other if "recall" in words else one
                monkeypatch.setattr("openml.config.server", server.url)
                if first == "winodds":
                    assert run([*words, "-q"]) == 0
                else:
                    assert (first, words[0]) == ("python", "examples/openml_study/study.py")
                    assert study.main(words[1:]) == 0
                    made.append(read_page(Path(words[-1]), world))
    assert len(made) == (3 if page.startswith("docs") else 1)
    assert all("EPP against AUC" in found.text for found in made)
    binary = sum(task.classes == 2 for task in world.tasks.values())
    assert f"<b>{binary}</b><span>tasks" in made[0].html


def test_the_page_of_the_example_lists_its_modules() -> None:
    folder = SCRIPT.parent
    listed = re.findall(r"\[([a-z_]+\.(?:py|css))\]", (folder / "README.md").read_text("utf-8"))
    files = {path.name for path in folder.iterdir() if path.suffix in (".py", ".css")}
    assert sorted(listed) == sorted(files)


# Other tables -------------------------------------------------------------------------------------

PLAIN: dict[str, list[object]] = {
    "task": [task for task in range(12) for _ in range(4)],
    "model": ["1_weka.J48(1)", "2_weka.IBk(1)", "3_my.Thing", "4_weka.SMO"] * 12,
    "score": [0.5 + 0.01 * ((7 * k) % 31) for k in range(48)],
}


def plain_table(folder: Path, columns: dict[str, list[object]] | None = None) -> Path:
    path = folder / "plain.csv"
    pl.DataFrame(columns or PLAIN).write_csv(path)
    return path


def test_a_table_without_folds_says_what_it_lacks(tmp_path: Path) -> None:
    path = plain_table(tmp_path)
    page = tmp_path / "study.html"
    words = [sys.executable, str(SCRIPT), str(path), "--metric", "auc", "-o", str(page)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == f"Written to {page}.\n"
    found = read_page(page, large_world(1, 1, filled=1.0))
    for sentence in (
        "The table does not tell classes, observations and features of the tasks nor the number "
        "of runs that stand behind each result; tables of winodds openml do.",
        "Every task has results of all 4 flows.",
        "With fewer than ten flows nobody can tell an S from a line.",
        "No flow has a mean that is far too low for its EPP and scores that vary much.",
        "Without values by fold there is one board, and so no boxes by task or over tasks.",
        "How far tasks differ, and what to expect of one, needs values by fold.",
    ):
        assert sentence in found.text
    assert "Figure 4.1" not in found.text
    assert "Figure 4.3" not in found.text
    assert found.html.count("<svg") == 3


def test_a_reference_may_be_absent_from_tasks(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    rows = [
        {"task": f"t{task}", "flow": f"{k}_weka.J48({k})", "fold": fold, "score": rng.random()}
        for task in range(4)
        for fold in range(5)
        for k in range(5)
        if (task, k) != (2, 3)
    ]
    path = tmp_path / "gap.csv"
    pl.DataFrame(rows).write_csv(path)
    page = str(tmp_path / "x.html")
    assert study.main([str(path), "--metric", "auc", "--reference", "3", "-o", page]) == 0
    text = read_page(Path(page), large_world(1, 1, filled=1.0)).text
    assert "It has no result on 1 of 4 tasks, which are left out of these boxes." in text
    kept = rate_study(read_evaluations(path, metric="auc"))
    assert kept.left_out == ()
    assert kept.reference != "3_weka.J48(3)"


def odd_table(
    tasks: int, names: Sequence[str], folds: int, *, apart: int = 1, separated: bool = False
) -> pl.DataFrame:
    """Flows on tasks; those whose numbers differ by no multiple of ``apart`` never meet."""
    rng = np.random.default_rng(3)
    rows = [
        {
            "task": f"t{task}",
            "flow": f"{k}_{name}",
            "fold": fold,
            "score": 0.1 * k + 0.001 * fold if separated else rng.random(),
        }
        for task in range(tasks)
        for k, name in enumerate(names)
        for fold in range(folds)
        if (task - k) % apart == 0
    ]
    return pl.DataFrame(rows)


@pytest.mark.parametrize(
    ("table", "sentences"),
    [
        (
            odd_table(1, ["weka.J48", "weka.IBk", "weka.SMO"], 4),
            ["There is one task, and so no boxes by task or over tasks.", "needs several tasks."],
        ),
        (
            odd_table(3, [f"my.<b>{k}</b>" for k in range(6)], 4),
            [
                "No task has flows of two algorithms that are known, so there is nothing to "
                "compare.",
                "No flow has an algorithm that is known, so there are no boxes by algorithm.",
            ],
        ),
        (
            odd_table(4, ["weka.J48", "weka.IBk", "weka.SMO", "weka.JRip"], 5, separated=True),
            ["No family has two players in the same tournament"],
        ),
        (
            odd_table(
                4, [f"weka.{name}" for name in ("J48", "IBk", "SMO", "JRip") * 2], 4, apart=2
            ),
            ["The players form 2 components that never met"],
        ),
    ],
)
def test_odd_tables_become_pages_that_say_what_they_lack(
    table: pl.DataFrame, sentences: list[str], tmp_path: Path
) -> None:
    path, page = tmp_path / "odd.csv", tmp_path / "odd.html"
    table.write_csv(path)
    assert study.main([str(path), "--metric", "auc", "-o", str(page)]) == 0
    found = read_page(page, large_world(1, 1, filled=1.0))
    for sentence in sentences:
        assert sentence in found.text
    assert not re.search(r"\b(nan|None|inf)\b", found.text)
    assert ("∞</td>" in found.html) is (sentences[0].startswith("No family has two"))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("best", "it is the best of them, which is the best partly by luck"),
        ("last", "it is the last that was uploaded"),
    ],
)
def test_the_page_says_which_run_stands_for_a_flow(
    rule: RunRule, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stay_away_from_home(monkeypatch, tmp_path)
    path = tmp_path / "scores.csv"
    with serving(Server(small_world())) as server:
        where = {"server": server.url, "cache": str(tmp_path / "pages")}
        winodds.fetch_openml(99, run=rule, pause=0.0, **where).table.write_csv(path)
    found = describe_data(read_evaluations(path), Colouring([]))
    assert words in "".join(found.parts)
    assert ("chosen by the scores that are rated" in "".join(found.parts)) is (rule == "best")


def test_settings_that_are_players_keep_the_tools_of_their_flows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stay_away_from_home(monkeypatch, tmp_path)
    path = tmp_path / "scores.parquet"
    with serving(Server(small_world())) as server:
        where = {"server": server.url, "cache": str(tmp_path / "pages")}
        winodds.fetch_openml(99, run="setup", pause=0.0, **where).table.write_parquet(path)
    tools = dict(shares_of_tools(read_evaluations(path)))
    assert tools == {"weka": 3, "sklearn": 2, "mlr": 1, "my": 2}


@pytest.mark.parametrize(
    ("columns", "words", "said"),
    [
        (None, [], "Say what the scores of plain.csv are: --metric auc."),
        ({"a": [1]}, ["--metric", "auc"], "plain.csv has no column that could be the flow: player"),
        (None, ["--metric", "auc", "--reference", "9"], "No flow is called 9, nor has this number"),
        (None, ["--metric", "my"], "Is a higher or a lower 'my' better? The name does not tell."),
    ],
)
def test_a_table_that_will_not_do_is_refused_in_a_sentence(
    columns: dict[str, list[object]] | None,
    words: list[str],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = plain_table(tmp_path, columns)
    assert study.main([str(path), *words, "-o", str(tmp_path / "x.html")]) == 1
    assert capsys.readouterr().err.startswith(f"Error: {said}")
    assert not (tmp_path / "x.html").exists()


def test_the_published_studies_become_pages_as_far_as_they_go(tmp_path: Path) -> None:
    said = {
        ("openml_study_14_accuracy.csv", "accuracy"): (
            "662 of 700 pairs of a flow and a task have a result",
            "Results of flows: 94.6% of 700 cells are filled (yellow)",
            "With fewer than ten flows nobody can tell an S from a line.",
        ),
        ("openml_study_34_auc.csv", "auc"): (
            "3,150 of 3,150 pairs of a flow and a task have a result",
            "Flows of each algorithm; 30 of 30 have one.",
            "8990_weka.MultilayerPerceptron has a mean AUC of 0.817, where 0.861 go with its EPP",
            "on task 10045 it has 0.499 and beats 0%",
        ),
    }
    for (name, metric), sentences in said.items():
        path, page = shared_file(f"data/{name}"), tmp_path / "study.html"
        assert study.main([str(path), "--metric", metric, "-o", str(page)]) == 0
        text = read_page(page, large_world(1, 1, filled=1.0)).text
        for sentence in sentences:
            assert sentence in text


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


def test_runs_that_failed_have_no_score_and_lower_may_be_better(tmp_path: Path) -> None:
    status: list[object] = ["ok", "Success", "failed", ""] * 12
    path = plain_table(tmp_path, {**PLAIN, "status": status})
    found = read_evaluations(path, metric="my", higher_is_better=False)
    assert (found.rows.height, found.scored.height, found.by_fold) == (48, 36, False)
    assert "3_my.Thing" not in set(found.scored["flow"])
    board = rate_study(found).season["All tasks"]
    means = [row.mean_score for row in board]
    assert len(means) == 3
    page = str(tmp_path / "x.html")
    assert study.main([str(path), "--metric", "my", "--lower-is-better", "-o", page]) == 0


@pytest.mark.slow
def test_the_study_of_a_server_with_the_shape_of_cc18(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """31 tasks, 1,000 flows, three quarters of the cells empty."""
    stay_away_from_home(monkeypatch, tmp_path)
    world = large_world(31, 1000, filled=0.22)
    began = time.monotonic()
    found = make_study(tmp_path, world, second=as_recall(world))
    seconds = time.monotonic() - began
    check_shares(found)
    empty = 1 - len(cells_of(world)) / 31000
    assert 0.75 < empty < 0.78
    assert found.size < 10_000_000
    assert "Flows over their tasks" in found.text
    assert [len(rows) for rows in (found.table("Task", "Observations"),)] == [31]
    for first, second in pairwise(float(row[4]) for row in found.table("Rank", "Flow")):
        assert first >= second
    with capsys.disabled():
        print(f"\n{found.size / 1e6:.1f} MB in {seconds:.0f} s, {empty:.1%} of the cells empty")
