"""Specs: what they become, and that every mistake in one has its key and its line."""

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from winodds.errors import BadOption, BadSpec, MissingExtra
from winodds.tournament import prepare
from winodds.tournament.benchmark import Benchmark, DataSet
from winodds.tournament.plan import make_plan
from winodds.tournament.prepare import read_benchmark
from winodds.tournament.spec import read_spec
from winodds.tournament.toml import find_lines

SPEC = """\
seed = 3
metrics = ["accuracy", "neg_log_loss"]

[splits]
kind = "stratified"
folds = 3
repeats = 2

[data.wine]
sklearn = "wine"

[algorithms.knn]
estimator = "sklearn.neighbors.KNeighborsClassifier"
preprocessing = ["sklearn.preprocessing.StandardScaler"]
default = true
grid = { n_neighbors = [1, 9] }
"""
TABLE = """\
who,when,size,colour,kind,label
a,3,1.5,red,x,yes
a,1,,blue,x,no
b,2,2.5,red,y,yes
b,5,3.5,,y,no
c,4,4.5,green,x,yes
c,6,5.5,blue,x,no
"""


def write(folder: Path, text: str) -> str:
    path = folder / "spec.toml"
    path.write_text(text)
    return str(path)


def read(folder: Path, text: str, only: tuple[str, ...] = ()) -> Benchmark:
    return read_benchmark(write(folder, text), only)


def with_data(section: str, *, kind: str = "plain", **extra: object) -> str:
    """The spec on other data, in two folds."""
    text = SPEC.replace('[data.wine]\nsklearn = "wine"', section)
    more = "".join(f"{name} = {value}\n" for name, value in extra.items())
    return text.replace('kind = "stratified"\nfolds = 3\nrepeats = 2\n',
                        f'kind = "{kind}"\nfolds = 2\n{more}')  # fmt: skip


def load(folder: Path, section: str, kind: str = "plain") -> DataSet:
    (folder / "table.csv").write_text(TABLE)
    return read(folder, with_data(section, kind=kind)).data[0]


# What becomes of a spec ---------------------------------------------------------------------------


def test_a_spec_becomes_players_rounds_and_metrics(tmp_path: Path) -> None:
    found = read(tmp_path, SPEC)
    assert [player.name for player in found.players] == [
        "knn(default)",
        "knn(n_neighbors=1)",
        "knn(n_neighbors=9)",
    ]
    # The default's own value is known, for which hyperparameters matter.
    assert [player.settings["n_neighbors"] for player in found.players] == [5, 1, 9]
    assert [player.estimator[-1].n_neighbors for player in found.players] == [5, 1, 9]
    assert found.directions == {"accuracy": "up", "neg_log_loss": "up"}
    (wine,) = found.data
    assert [part.name for part in wine.rounds] == [
        *("repeat 1, fold 1", "repeat 1, fold 2", "repeat 1, fold 3"),
        *("repeat 2, fold 1", "repeat 2, fold 2", "repeat 2, fold 3"),
    ]
    assert wine.test_fraction == pytest.approx(1 / 3)
    assert len(make_plan(found)) == 18


def test_settings_that_are_drawn_stay_when_more_are_drawn(tmp_path: Path) -> None:
    drawn = """
[algorithms.tree]
estimator = "sklearn.tree.DecisionTreeClassifier"
fixed = { criterion = "entropy" }
draws = DRAWS

[algorithms.tree.random]
max_depth = { low = 1, high = 30, whole = true, log = true }
min_impurity_decrease = { low = 0.0, high = 0.5 }
splitter = ["best", "random"]
"""
    few, many = (
        [it for it in read(tmp_path, SPEC + drawn.replace("DRAWS", draws)).players
         if it.family == "tree"]
        for draws in ("3", "8")
    )  # fmt: skip
    assert [it.identity for it in few] == [it.identity for it in many[:3]]
    assert len({it.identity for it in many}) == 8
    for it in many:
        assert it.estimator.criterion == "entropy"
        assert type(it.settings["max_depth"]) is int
        assert 1 <= it.settings["max_depth"] <= 30
        impurity = it.settings["min_impurity_decrease"]
        assert isinstance(impurity, float)
        assert float(f"{impurity:.6g}") == impurity


def test_what_equals_the_default_is_left_out_and_named(tmp_path: Path) -> None:
    found = read(tmp_path, SPEC.replace("[1, 9]", "[5, 9]"))
    assert [player.name for player in found.players] == ["knn(default)", "knn(n_neighbors=9)"]
    assert found.left_out == [("knn(n_neighbors=5)", "knn(default)")]


def test_an_algorithm_with_one_setting_is_a_player_by_its_name(tmp_path: Path) -> None:
    text = SPEC.replace("default = true\ngrid = { n_neighbors = [1, 9] }\n", "")
    assert [it.name for it in read(tmp_path, text).players] == ["knn"]


def test_a_part_of_a_spec_is_named_and_nothing_else_is_loaded(tmp_path: Path) -> None:
    more = '[data.gone]\nfile = "no.csv"\ntarget = "y"\n[algorithms.gone]\nestimator = "no.No"\n'
    found = read(tmp_path, SPEC + more, ("wine", "knn"))
    assert [data.name for data in found.data] == ["wine"]
    assert {player.family for player in found.players} == {"knn"}
    with pytest.raises(BadOption, match="there is no such data set or algorithm; there are 'wine'"):
        read(tmp_path, SPEC, ("vine",))


def test_texts_of_a_table_become_columns_and_what_is_missing_stays_missing(tmp_path: Path) -> None:
    data = load(tmp_path, '[data.t]\nfile = "table.csv"\ntarget = "label"\ndrop = ["who", "kind"]')
    nan = np.nan
    expected = [
        # when, size, blue, green, red
        *([3, 1.5, 0, 0, 1], [1, nan, 1, 0, 0], [2, 2.5, 0, 0, 1]),
        *([5, 3.5, 0, 0, 0], [4, 4.5, 0, 1, 0], [6, 5.5, 1, 0, 0]),
    ]
    np.testing.assert_array_equal(data.x, expected)
    assert data.y.tolist() == [1, 0, 1, 0, 1, 0]


def test_one_class_against_the_rest_and_rows_in_their_order_in_time(tmp_path: Path) -> None:
    section = '[data.t]\nfile = "table.csv"\ntarget = "colour"\n'
    (tmp_path / "full.csv").write_text(TABLE.replace("3.5,,y", "3.5,red,y"))
    section = section.replace("table", "full") + 'positive = "blue"\ntime = "when"\n'
    data = load(tmp_path, section + 'drop = ["who", "kind", "label"]', kind="time")
    assert data.y.tolist() == [1, 0, 0, 0, 0, 1]
    assert data.x[:, 0].tolist()[1:] == [2.5, 1.5, 4.5, 3.5, 5.5]
    assert [part.test.tolist() for part in data.rounds] == [[2, 3], [4, 5]]
    assert all(part.train.max() < part.test.min() for part in data.rounds)
    assert data.test_fraction is None


def test_groups_of_a_table_stay_together(tmp_path: Path) -> None:
    section = '[data.t]\nfile = "table.csv"\ntarget = "label"\ngroup = "who"\ndrop = ["colour"]'
    data = load(tmp_path, section, kind="grouped")
    for part in data.rounds:
        assert not {*(part.train // 2).tolist()} & {*(part.test // 2).tolist()}


def test_parquet_is_read_as_csv(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(TABLE)
    pl.read_csv(tmp_path / "table.csv").write_parquet(tmp_path / "table.parquet")
    section = '[data.t]\nfile = "table.csv"\ntarget = "label"'
    csv, parquet = (load(tmp_path, section.replace("csv", kind)) for kind in ("csv", "parquet"))
    np.testing.assert_array_equal(csv.x, parquet.x)
    assert csv.identity == parquet.identity


def test_a_sample_of_rows_has_the_shares_of_the_classes(tmp_path: Path) -> None:
    text = SPEC.replace('sklearn = "wine"', 'sklearn = "wine"\nrows = 89')
    (data,) = read(tmp_path, text).data
    assert np.bincount(data.y).tolist() == [29, 36, 24]
    again = read(tmp_path, text).data[0]
    np.testing.assert_array_equal(data.x, again.x)
    assert data.x.shape == (89, 13)


def test_functions_beside_the_spec_load_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    code = (
        "import numpy as np, polars as pl\n"
        "def arrays(): return np.eye(6), ['b', 'a'] * 3\n"
        "def frame(): return pl.DataFrame({'x': range(6), 'y': [2, 3] * 3})\n"
    )
    (tmp_path / "own_loaders_of_a_test.py").write_text(code)
    arrays = load(tmp_path, '[data.t]\nload = "own_loaders_of_a_test.arrays"')
    assert arrays.y.tolist() == [1, 0] * 3
    frame = load(tmp_path, '[data.t]\nload = "own_loaders_of_a_test.frame"\ntarget = "y"')
    assert (frame.x.shape, frame.y.tolist()) == ((6, 1), [2, 3] * 3)


def test_data_of_openml_come_through_its_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pandas as pd

    class Answer:
        default_target_attribute = "class"

        def get_data(self) -> tuple[object, None, None, None]:
            frame = pd.DataFrame({"a": [1.0, None, 3.0, 4.0], "class": pd.Categorical([*"xyxy"])})
            return frame, None, None, None

    import openml

    monkeypatch.setattr(openml.datasets, "get_dataset", lambda data, **_: {31: Answer()}[data])
    data = load(tmp_path, "[data.credit]\nopenml = 31")
    np.testing.assert_array_equal(data.x, [[1.0], [np.nan], [3.0], [4.0]])
    assert data.y.tolist() == [0, 1, 0, 1]
    with pytest.raises(
        BadSpec, match=r"line 9: data.credit.openml: data set 32 cannot be had \(Key"
    ):
        load(tmp_path, "[data.credit]\nopenml = 32")


@pytest.mark.parametrize(
    ("splits", "number", "share"),
    [
        ('kind = "plain"\nfolds = 4', 4, 0.25),
        ('kind = "plain"\nnumber = 3\ntest = 0.2', 3, 0.2),
        ('kind = "stratified"\nnumber = 3\ntest = 0.2\ntrain = 0.2', 3, 0.5),
        ('kind = "time"\nfolds = 3', 3, None),
    ],
)
def test_every_kind_of_splits(
    splits: str, number: int, share: float | None, tmp_path: Path
) -> None:
    old = 'kind = "stratified"\nfolds = 3\nrepeats = 2'
    (data,) = read(tmp_path, SPEC.replace(old, splits)).data
    assert len(data.rounds) == number
    assert data.test_fraction == share
    assert not any(set(part.train) & set(part.test) for part in data.rounds)


# Mistakes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("seed = 3", "seed = -1", "line 1: seed: it is a whole number, 0 or more."),
        ("seed = 3", "sed = 3", "line 1: sed: there is no such key; there are 'seed', 'metrics', "
         "'limits', 'splits', 'data', 'algorithms'. Did you mean 'seed'?"),
        ('["accuracy", "neg', '["acuracy", "neg', "line 2: metrics: scikit-learn has no scorer "
         "'acuracy'. Did you mean 'accuracy' or "),
        ('metrics = ["accuracy", "neg_log_loss"]', "", ": it needs 'metrics'."),
        ("folds = 3", "folds = 1", "line 6: splits.folds: it is a whole number, 2 or more."),
        ("folds = 3", "number = 3", "line 4: splits: it needs 'test'."),
        ("folds = 3\nrepeats = 2", "number = 3\ntest = 2.0",
         "line 7: splits.test: it is a share of the rows, between 0 and 1."),
        ('kind = "stratified"', 'kind = "stratifed"', "line 5: splits.kind: it is one of "
         "'stratified', 'plain', 'grouped', 'stratified-grouped', 'time'. Did you mean "
         "'stratified'?"),
        ('kind = "stratified"', 'kind = "grouped"', "line 9: data.wine: splits of kind 'grouped' "
         "need 'group', the column of what stays together."),
        ('sklearn = "wine"', 'sklearn = "vine"', "line 10: data.wine.sklearn: scikit-learn has no "
         "data set 'vine'. Did you mean "),
        ('sklearn = "wine"', 'positive = "a"', "line 9: data.wine: it needs one of sklearn, file, "
         "openml, load, which say where the data come from."),
        ('sklearn = "wine"', 'sklearn = "wine"\npositive = "red"', "line 11: data.wine.positive: "
         "there is no class 'red'; there are 'class_0', 'class_1', 'class_2'."),
        ('sklearn = "wine"', 'sklearn = "wine"\ntarget = "y"', "line 11: data.wine.target: these "
         "data have no columns with names."),
        ('sklearn = "wine"', 'load = "no_such_module.f"', "line 10: data.wine.load: "
         "'no_such_module' cannot be imported (ModuleNotFoundError: "),
        ("KNeighborsClassifier\"", "KNeighborClassifier\"", "line 13: algorithms.knn.estimator: "
         "module 'sklearn.neighbors' has no 'KNeighborClassifier'."),
        ("sklearn.neighbors.KNeighborsClassifier", "os.getcwd", "line 13: "
         "algorithms.knn.estimator: 'os.getcwd' is no estimator as scikit-learn has them."),
        ("n_neighbors = [1, 9]", "n_neighbours = [1]", "line 16: algorithms.knn.grid.n_neighbours: "
         "KNeighborsClassifier has no hyperparameter 'n_neighbours'. Did you mean 'n_neighbors'?"),
        ("[1, 9]", "5", "line 16: algorithms.knn.grid.n_neighbors: it is a list of values."),
        ("default = true", 'default = "yes"', "line 15: algorithms.knn.default: it is true or "
         "false."),
        ("default = true\ngrid = { n_neighbors = [1, 9] }", "default = false",
         "line 15: algorithms.knn.default: without it and without settings nobody would play."),
        ("grid = { n_neighbors = [1, 9] }", "draws = 3\nrandom = { p = { low = 2, high = 1 } }",
         "line 17: algorithms.knn.random.p: low and high are numbers, low the smaller one."),
        ("grid = { n_neighbors = [1, 9] }", "draws = 3\nrandom = { p = [1, 2] }",
         "line 16: algorithms.knn.draws: there are only 2 different ones."),
        ("[data.wine]", "[data]\n[other.wine]", "line 9: data: there is none; begin one with "
         "[data.name]."),
        ("seed = 3", "seed = ", ": the file is no TOML ("),
        ("[1, 9]", "[1, -9]", "line 16: algorithms.knn.grid.n_neighbors: The 'n_neighbors' "
         "parameter of KNeighborsClassifier must be an int in the range [1, inf) or None. Got -9 "
         "instead."),
        ("default = true", 'fixed = { metric = "eu" }', "line 15: algorithms.knn.fixed.metric: The "
         "'metric' parameter of KNeighborsClassifier must be "),
        ('["sklearn.preprocessing.StandardScaler"]', '[{ use = "sklearn.impute.SimpleImputer", '
         'strategy = "no" }]', "line 14: algorithms.knn.preprocessing: The 'strategy' parameter of "
         "SimpleImputer must be "),
        ("grid = { n_neighbors", 'grid = { standardscaler__copy = ["no"], n_neighbors', "line 16: "
         "algorithms.knn.grid.standardscaler__copy: The 'copy' parameter of StandardScaler must "),
        ("sklearn.neighbors.KNeighborsClassifier", "sklearn.preprocessing.StandardScaler",
         "line 13: algorithms.knn.estimator: 'sklearn.preprocessing.StandardScaler' predicts "
         "nothing that could be scored."),
        ('"neg_log_loss"', '"f1"', "line 2: metrics: 'f1' cannot be computed on 'wine' (Value"
         "Error: Target is multiclass but average='binary'. "),
    ],
)  # fmt: skip
def test_every_mistake_has_its_key_and_its_line(
    old: str, new: str, sentence: str, tmp_path: Path
) -> None:
    assert old in SPEC
    path = write(tmp_path, SPEC.replace(old, new))
    with pytest.raises(BadSpec) as caught:
        read_benchmark(path)
    start = f"'{path}'" + ("" if sentence.startswith(":") else ", ")
    assert str(caught.value).startswith(start + sentence)


@pytest.mark.parametrize(
    ("section", "sentence"),
    [
        ('target = "labell"', "data.t.target: there is no column 'labell'; there are 'who', "),
        ('target = "colour"', "data.t.target: 1 row of 6 has no value in 'colour'."),
        ("", "data.t: it needs 'target'."),
        ('target = "label"\ndrop = ["no"]', "data.t.drop: there is no column 'no'; there are "),
    ],
)
def test_mistakes_about_columns_name_those_that_there_are(
    section: str, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(BadSpec) as caught:
        load(tmp_path, f'[data.t]\nfile = "table.csv"\n{section}')
    assert f": {sentence}" in str(caught.value)


def test_a_metric_of_two_classes_names_those_of_several(tmp_path: Path) -> None:
    with pytest.raises(BadSpec) as caught:
        read(tmp_path, SPEC.replace("neg_log_loss", "roc_auc"))
    assert str(caught.value).endswith(
        "line 2: metrics: 'roc_auc' cannot be computed on 'wine' (ValueError: multi_class must be "
        "in ('ovo', 'ovr')); for its 3 classes there are 'roc_auc_ovo', 'roc_auc_ovo_weighted', "
        "'roc_auc_ovr' and 1 more."
    )


@pytest.mark.parametrize("metric", ["r2", "neg_root_mean_squared_log_error"])
def test_metrics_of_regressions_are_tried_with_a_regressor(metric: str, tmp_path: Path) -> None:
    text = SPEC.replace('["accuracy", "neg_log_loss"]', f'"{metric}"')
    text = text.replace("KNeighborsClassifier", "KNeighborsRegressor").replace(
        "stratified", "plain"
    )
    assert read(tmp_path, text.replace('"wine"', '"diabetes"')).metrics == (metric,)
    with pytest.raises(BadSpec, match="metrics: 'accuracy' cannot be computed on 'wine' "):
        read(tmp_path, text.replace('"wine"', '"diabetes"').replace(f'"{metric}"', '"accuracy"'))


@pytest.mark.parametrize(
    ("code", "more", "sentence"),
    [
        ("X, [1.0, np.nan] * 3", "", "load: 3 rows of 6 have no value in the target."),
        ("X, ['a', None] * 3", "", "load: 3 rows of 6 have no value in the target."),
        ("pl.DataFrame({'x': X[0], 'y': [1.0, np.nan] * 3})", 'target = "y"',
         "target: 3 rows of 6 have no value in 'y'."),
        ("pl.DataFrame({'x': X[0], 'y': [1, 2] * 3, 'g': ['a', None] + 4 * ['b']})",
         'target = "y"\ngroup = "g"', "group: 1 row of 6 has no value in 'g'."),
    ],
)  # fmt: skip
def test_rows_without_a_target_or_a_group_are_refused(
    code: str, more: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "loader_with_holes", raising=False)
    text = f"import numpy as np, polars as pl\nX = np.eye(6)\ndef own(): return {code}\n"
    (tmp_path / "loader_with_holes.py").write_text(text)
    with pytest.raises(BadSpec) as caught:
        load(tmp_path, f'[data.t]\nload = "loader_with_holes.own"\n{more}')
    assert str(caught.value).endswith(f": data.t.{sentence}")


def test_a_column_of_names_is_no_feature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winodds.tournament.data.LARGEST_CODE", 2)
    with pytest.raises(BadSpec, match="column 'who' has 3 different texts; leave it out"):
        load(tmp_path, '[data.t]\nfile = "table.csv"\ntarget = "label"')


def test_lines_of_keys_are_found_wherever_they_stand() -> None:
    text = '# note\r\na.b = [\n 1, # [x]\n]\n["x y"]\nt = """\n[no]\nk = 1\n"""\n[[c]]\nd = 1\n'
    found = find_lines(text)
    assert found == {
        ("a",): 2,
        ("a", "b"): 2,
        ("x y",): 5,
        ("x y", "t"): 6,
        ("c",): 10,
        ("c", "d"): 11,
    }


def test_a_spec_needs_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "NEEDED", {"scikit-learn": "no_such_module", "numpy": "numpy"})
    with pytest.raises(MissingExtra, match=r"needs scikit-learn, which is .*winodds\[sklearn\]"):
        prepare.require_scikit_learn()


@pytest.mark.parametrize("name", ["benchmark.toml", "openml.toml"])
def test_the_examples_of_a_whole_experiment_have_its_shape(name: str) -> None:
    example = Path(__file__).resolve().parents[2] / "examples" / "study" / name
    spec = read_spec(str(example))
    settings = [own.draws + own.default for own in spec.algorithms]
    assert spec.splits.number is not None
    assert (len(settings), {*settings}, len(spec.data)) == (4, {11}, 11)
    assert sum(settings) * len(spec.data) * spec.splits.number == 9680
