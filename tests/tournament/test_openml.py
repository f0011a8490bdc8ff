"""Data sets of OpenML in a spec: fetched by the real client from a server on this machine."""

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from openml_server import Data, Fault, Server, serving, small_world

import winodds
from winodds.cli.main import run
from winodds.errors import BadSpec
from winodds.tournament.benchmark import DataSet
from winodds.tournament.prepare import read_benchmark

openml = pytest.importorskip("openml")

SPEC = """\
metrics = ["accuracy"]
splits = { kind = "plain", folds = 2 }
[data.credit]
openml = 31
MORE
[algorithms.bayes]
estimator = "sklearn.dummy.DummyClassifier"
"""
ROWS = [
    *("1,1.5,red,good", "2,?,blue,bad", "3,2.5,?,good", "4,-3,red,bad"),
    *("5,1e3,'light blue',good", "6,0,red,bad"),
]
ARFF = """\
@RELATION credit
@ATTRIBUTE row INTEGER
@ATTRIBUTE size REAL
@ATTRIBUTE colour {red, blue, 'light blue'}
@ATTRIBUTE class {good, bad}
@DATA
"""
COLUMNS = {"row": "numeric", "size": "numeric", "colour": "nominal", "class": "nominal"}
CREDIT = Data("credit", ARFF + "\n".join(ROWS), COLUMNS, "class", row_id="row")
FEATURES = [
    # size, blue, light blue, red
    *([1.5, 0, 0, 1], [np.nan, 1, 0, 0], [2.5, 0, 0, 0]),
    *([-3, 0, 0, 1], [1000, 0, 1, 0], [0, 0, 0, 1]),
]
Load = Callable[..., DataSet]


def parquet() -> bytes:
    frame = pd.DataFrame(
        {
            "row": range(1, 7),
            "size": [1.5, None, 2.5, -3.0, 1000.0, 0.0],
            "colour": pd.Categorical(["red", "blue", None, "red", "light blue", "red"]),
            "class": pd.Categorical(["good", "bad"] * 3),
        }
    )
    content = io.BytesIO()
    frame.to_parquet(content)
    return content.getvalue()


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that the client asks, and a folder of the test's in which it keeps what comes."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(openml.config, "_root_cache_directory", tmp_path / "kept")
    monkeypatch.setattr("openml._api_calls.time.sleep", lambda _: None)
    with serving(Server(replace(small_world(), data={31: CREDIT}))) as running:
        monkeypatch.setattr(openml.config, "server", running.url.removesuffix("/"))
        yield running


@pytest.fixture
def load(server: Server, tmp_path: Path) -> Load:  # noqa: ARG001
    def of(more: str = "", spec: str = SPEC) -> DataSet:
        (tmp_path / "spec.toml").write_text(spec.replace("MORE", more))
        return read_benchmark(str(tmp_path / "spec.toml")).data[0]

    return of


@pytest.mark.parametrize("content", [None, parquet()])
def test_a_data_set_comes_with_its_target_and_without_the_rows_numbers(
    content: bytes | None, server: Server, load: Load
) -> None:
    server.world.data = {31: replace(CREDIT, parquet=content)}
    data = load()
    np.testing.assert_array_equal(data.x, FEATURES)
    assert data.y.tolist() == [1, 0] * 3
    assert any(path.endswith(".pq") for path in server.asked) == (content is not None)


def test_what_came_once_is_not_asked_for_again(server: Server, load: Load) -> None:
    first, asked = load(), len(server.asked)
    again = load()
    assert (again.identity, len(server.asked)) == (first.identity, asked)
    assert asked > 0


def test_another_column_may_be_told(server: Server, load: Load) -> None:
    server.world.data = {31: replace(CREDIT, arff=CREDIT.arff.replace(",?,blue", ",2,blue"))}
    regression = SPEC.replace("accuracy", "r2").replace("Classifier", "Regressor")
    data = load('target = "size"\ndrop = ["colour"]', regression)
    # bad, good
    assert data.x.tolist() == [[0, 1], [1, 0]] * 3
    assert data.y.tolist() == [1.5, 2.0, 2.5, -3.0, 1000.0, 0.0]


def test_columns_that_openml_leaves_out_are_left_out(server: Server, load: Load) -> None:
    server.world.data = {31: replace(CREDIT, ignored="colour")}
    assert load().x.shape == (6, 1)


@pytest.mark.parametrize("fault", ["reset", "107"])
def test_requests_that_fail_once_are_tried_again(fault: Fault, server: Server, load: Load) -> None:
    server.fail = lambda number: fault if number % 2 == 0 else None
    np.testing.assert_array_equal(load().x, FEATURES)


@pytest.mark.parametrize(
    ("data", "more", "sentence"),
    [
        (None, "", "openml: data set 31 cannot be had (OpenMLServerNoResult: http"),
        (replace(CREDIT, target=None), "", "openml: OpenML does not say what its target is; give"),
        (replace(CREDIT, target="size,class"), "", "openml: OpenML calls 'size,class' its target"),
        (CREDIT, 'target = "klass"', "target: there is no column 'klass'; there are 'size', "),
        (replace(CREDIT, checksum="0" * 32), "", "openml: data set 31 cannot be had (OpenMLHash"),
        (replace(CREDIT, arff="no table"), "", "openml: data set 31 cannot be had ("),
    ],
)
def test_what_cannot_be_had_is_told_in_one_line_with_its_key(
    data: Data | None, more: str, sentence: str, server: Server, load: Load
) -> None:
    server.world.data = {} if data is None else {31: data}
    with pytest.raises(BadSpec) as caught:
        load(more)
    place = 5 if more else 4
    assert f"line {place}: data.credit.{sentence}" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("fault", ["html", "truncated", "reset"])
def test_a_server_that_only_fails_ends_in_a_sentence(
    fault: Fault, server: Server, load: Load
) -> None:
    server.fail = lambda _: fault
    with pytest.raises(BadSpec, match=r"line 4: data.credit.openml: data set 31 cannot be had \("):
        load()
    assert len(server.asked) <= 5


def test_a_run_on_openmls_data_is_rated(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    other = '[algorithms.other]\nestimator = "sklearn.dummy.DummyClassifier"\n'
    more = other + 'fixed = { strategy = "uniform" }\n'
    (tmp_path / "spec.toml").write_text(SPEC.replace("MORE", "") + more)
    assert run(["run", "spec.toml", "--jobs", "1", "--quiet"]) == 0
    board = winodds.rate_each(winodds.read_source("results"))["credit"]
    assert sorted(board.players) == ["bayes", "other"]
    assert server.asked
