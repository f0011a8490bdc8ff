"""What tests of the study of OpenML share: from a server to a page, and a page taken apart."""

import re
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
import study
from openml_server import Run, Server, World, serving

from winodds.cli.main import run

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


def stay_away_from_home(patch: pytest.MonkeyPatch, folder: Path) -> None:
    for name in ("OPENML_CACHE_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        patch.setenv(name, str(folder / "home"))
    patch.setenv("no_proxy", "*")


def cells_of(world: World) -> dict[tuple[int, int], int]:
    """How many runs each pair of a task and a flow has."""
    found: dict[tuple[int, int], int] = {}
    for one in world.runs.values():
        found[one.task, one.flow] = found.get((one.task, one.flow), 0) + 1
    return found


def learner_of(world: World, flow: int) -> str:
    return re.sub(r"\(\d+\)$", "", world.flows[flow])
