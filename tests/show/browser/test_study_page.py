"""The page of the study of OpenML, in a browser: on a desk and on a phone, for everyone."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import study
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, Page

from show.browser.conftest import watch

LEARNERS = (
    *("weka.J48", "weka.AdaBoostM1_J48", "weka.SMO_PolyKernel", "weka.Bagging_REPTree"),
    *("weka.JRip", "weka.RandomForest", "weka.NaiveBayes", "weka.MultiBoostAB_J48", "weka.IBk"),
    *("weka.SimpleLogistic", "weka.MultilayerPerceptron", "weka.LogitBoost_DecisionStump"),
    *("weka.LMT", "weka.Vote", "weka.SGD", "weka.LWL", "weka.BayesNet", "weka.FKC_EigenPro"),
    *("weka.Stacking_ZeroR", "my.Own<T>&Net", "weka.LDA"),
)


@pytest.fixture(scope="module")
def page_of_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of two tasks, a flow of each class of algorithms, and some more."""
    rng, folder = np.random.default_rng(7), tmp_path_factory.mktemp("page")
    rows = [
        {
            "task": f"{task}_some-data-set-with-a-long-name-{task}",
            "flow": f"{100 + flow}_{LEARNERS[flow % len(LEARNERS)]}({flow})",
            "fold": fold,
            "score": 1 / (1 + np.exp(-rng.normal(0.05 * flow, 0.5))),
        }
        for task in range(2)
        for flow in range(30)
        if (task + flow) % 5
        for fold in range(5)
    ]
    pl.DataFrame(rows).write_csv(folder / "scores.csv")
    page = folder / "study.html"
    assert study.main([str(folder / "scores.csv"), "--metric", "auc", "-o", str(page)]) == 0
    return page


@pytest.fixture
def opened(browser: Browser, page_of_study: Path) -> Iterator[Page]:
    """The page on a phone without a network, with everything opened that opens."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    page = context.new_page()
    seen = watch(page)
    page.goto(page_of_study.as_uri())
    page.evaluate("document.querySelectorAll('summary').forEach((one) => one.click())")
    assert seen.complaints == []
    assert [url for url in seen.requests if not url.startswith("data:")] == [page_of_study.as_uri()]
    yield page
    context.close()


def test_the_page_is_no_wider_than_the_screen(opened: Page) -> None:
    root = "document.documentElement"
    for width in (390, 1280):
        opened.set_viewport_size({"width": width, "height": 844})
        assert opened.evaluate(f"{root}.scrollWidth <= {root}.clientWidth")


def test_axe_finds_nothing_serious_on_the_page_of_the_study(opened: Page) -> None:
    opened.evaluate(Path(AXE_FILE_PATH).read_text(encoding="utf-8"))
    found = opened.evaluate("() => axe.run({resultTypes: ['violations']})")
    serious = [
        (problem["id"], problem["nodes"][0]["html"][:200])
        for problem in found["violations"]
        if problem["impact"] in ("serious", "critical")
    ]
    assert serious == []
