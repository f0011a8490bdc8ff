"""Searches of scikit-learn, run live: objects, dicts and saved tables."""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401 - scikit-learn asks for it
from sklearn.metrics import make_scorer, mean_squared_error
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from tables import sentence

import winodds
from winodds.adapters.adapted import Adapted
from winodds.adapters.scorers import is_error
from winodds.adapters.settings import name_players, plain_setting
from winodds.adapters.splitters import describe_splitter
from winodds.adapters.written import read_settings
from winodds.cli.main import run
from winodds.errors import (
    BadOption,
    DirectionContradicts,
    NotASearch,
    NothingLeft,
    NotPaired,
    NotThisSource,
    ScorerNamedLikeError,
    UnknownMetric,
    WhichMetric,
)

SAMPLES = Path(__file__).resolve().parent.parent / "samples" / "sklearn"
CASES, CLASSES = make_classification(90, n_features=5, random_state=0)
SCORERS = ["accuracy", "roc_auc", "neg_log_loss"]


def fit(search: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FitFailedWarning)
        warnings.filterwarnings("ignore", "One or more of the test scores", UserWarning)
        return search.fit(CASES, CLASSES)


def tree_search(**options: Any) -> Any:
    grid = {"max_depth": [1, 2, None], "min_samples_leaf": [1, 5]}
    return fit(GridSearchCV(DecisionTreeClassifier(random_state=0), grid, **options))


@pytest.fixture(scope="module")
def models() -> Any:
    """A search over pipelines, of which one candidate cannot be fitted."""
    grid = [
        {"model": [KNeighborsClassifier()], "model__n_neighbors": [-1, 1, 5]},
        {"model": [DecisionTreeClassifier(random_state=0)], "model__max_depth": [1, None]},
        {"model": [GaussianNB()]},
    ]
    pipeline = Pipeline([("scale", StandardScaler()), ("model", GaussianNB())])
    return fit(GridSearchCV(pipeline, grid, cv=6, scoring=SCORERS, refit="roc_auc"))


@pytest.fixture(scope="module")
def halving() -> Any:
    grid = {"n_neighbors": [1, 5, 9], "weights": ["uniform", "distance"]}
    return fit(
        HalvingGridSearchCV(
            KNeighborsClassifier(), grid, cv=KFold(4), min_resources=30, factor=2, random_state=0
        )
    )


def by_hand(results: Mapping[str, Any], names: Sequence[str], scorer: str) -> pl.DataFrame:
    """The long table that somebody would make of the splits."""
    return pl.DataFrame(
        [
            {"player": name, "round": k, "score": float(score)}
            for k in range(sum(f"_test_{scorer}" in key for key in results) - 3)
            for name, score in zip(names, results[f"split{k}_test_{scorer}"], strict=True)
        ]
    )


def numbers(board: winodds.Leaderboard) -> list[tuple[object, ...]]:
    return [(row.player, row.epp, row.low, row.high, row.mean_score) for row in board]


def texts(notes: Sequence[Any]) -> list[str]:
    return [str(note) for note in notes]


# One line gives the board of a hand-made table ----------------------------------------------------


def test_a_search_over_pipelines_is_rated_in_one_line(models: Any) -> None:
    board = winodds.rate_search(models)
    names = [
        *(f"KNeighborsClassifier, n_neighbors={k}" for k in (-1, 1, 5)),
        *("DecisionTreeClassifier, max_depth=1", "DecisionTreeClassifier, max_depth=none"),
        "GaussianNB",
    ]
    table = by_hand(models.cv_results_, names, "roc_auc")
    hand = winodds.rate(table, higher_is_better=True, test_fraction=1 / 6)
    assert numbers(board) == numbers(hand)
    assert board.row("GaussianNB").family == "GaussianNB"
    assert board.row("DecisionTreeClassifier, max_depth=1").family == "DecisionTreeClassifier"
    assert names[0] not in board.players
    assert texts(board.notes)[:3] == [
        "The score is 'roc_auc', for which the search refits; others are 'accuracy', "
        "'neg_log_loss'.",
        "6-fold cross-validation tests on 0.167 of the data in each split; that is taken as "
        "test_fraction unless something else is said.",
        f"6 runs have no score and played no match: '{names[0]}' 6.",
    ]


def test_thirty_candidates_on_ten_splits_with_three_scorers() -> None:
    path = SAMPLES / "random.csv"
    assert sentence(WhichMetric, lambda: winodds.read_source(path)) == (
        "There are several scorers: 'accuracy', 'roc_auc', 'neg_log_loss'. Choose one, for "
        'instance metric="accuracy", or metric="all" for a board of each.'
    )
    table = pd.read_csv(path)
    assert len(table) == 30
    single = table.drop_duplicates(
        ["params", *(str(key) for key in table if str(key).startswith("split"))]
    )
    results = {str(key): list(single[key]) for key in single}
    for scorer in SCORERS:
        source = winodds.read_source(path, metric=scorer)
        assert isinstance(source, Adapted)
        names = source.table.filter(pl.col("round") == "split0")["player"].to_list()
        hand = winodds.rate(by_hand(results, names, scorer), higher_is_better=True, details=False)
        assert numbers(winodds.rate(source, details=False)) == numbers(hand)
    every = winodds.read_source(path, metric="all")
    each = winodds.rate_each(every, tournament="tournament", details=False)
    assert sorted(each) == sorted(SCORERS)
    assert numbers(each["neg_log_loss"]) == numbers(hand)


def test_object_dict_frames_and_files_give_the_same_board(models: Any, tmp_path: Path) -> None:
    results = models.cv_results_
    board = winodds.rate_search(models, test_fraction=0.2)
    frame = pd.DataFrame(results)
    plain = frame.astype({str(key): str for key in frame if "param" in str(key)})
    frame.to_csv(tmp_path / "search.csv")
    plain.to_parquet(tmp_path / "search.parquet")
    plain.to_json(tmp_path / "search.jsonl", orient="records", lines=True, double_precision=15)
    options: dict[str, Any] = {"metric": "roc_auc", "test_fraction": 0.2}
    assert numbers(winodds.rate_search(results, **options)) == numbers(board)
    assert numbers(winodds.rate_search(frame, **options)) == numbers(board)
    for name in ("search.csv", "search.parquet", "search.jsonl"):
        read = winodds.read_source(tmp_path / name, metric="roc_auc")
        assert isinstance(read, Adapted)
        assert [row[:2] for row in numbers(winodds.rate(read, test_fraction=0.2))] == [
            row[:2] for row in numbers(board)
        ]
    again = pd.read_csv(tmp_path / "search.csv", index_col=0)
    assert numbers(winodds.rate_search(again, **options)) == numbers(board)


# Halving ------------------------------------------------------------------------------------------


def test_a_halving_search_is_rated_on_its_last_iteration_with_several(halving: Any) -> None:
    results = halving.cv_results_
    board = winodds.rate_search(halving)
    last = np.flatnonzero(results["iter"] == 1)
    assert sorted(board.players) == sorted(
        f"n_neighbors={results['params'][k]['n_neighbors']}, "
        f"weights={results['params'][k]['weights']}"
        for k in last
    )
    for k in last:
        own = results["params"][k]
        row = board.row(f"n_neighbors={own['n_neighbors']}, weights={own['weights']}")
        assert row.mean_score == pytest.approx(results["mean_test_score"][k])
    assert (
        "Of this halving search iteration 1 is rated: 3 candidates with 60 resources each. "
        'rounds="all" rates all iterations.'
    ) in texts(board.notes)


def test_all_iterations_are_rounds_of_their_own_with_splits_as_clusters(halving: Any) -> None:
    board = winodds.rate_search(halving, rounds="all")
    assert len(board) == 6
    assert board.how.matches.rounds == 8
    assert board.how.interval.cluster == "cluster"
    assert board.how.interval.clusters == 4
    assert board.how.interval.test_fraction is None
    results = halving.cv_results_
    rows = [
        {
            "player": str(results["params"][k]),
            "round": f"{results['iter'][k]}/{split}",
            "split": split,
            "score": results[f"split{split}_test_score"][k],
        }
        for k in range(len(results["iter"]))
        for split in range(4)
    ]
    hand = winodds.rate(pl.DataFrame(rows), cluster="split", higher_is_better=True)
    assert [row[1:] for row in numbers(board)] == [row[1:] for row in numbers(hand)]


def test_the_last_iteration_of_one_candidate_gives_way_to_the_one_before(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["rate", str(SAMPLES / "halving.csv"), "--no-details"]) == 0
    found = capsys.readouterr()
    assert "a search of scikit-learn; 3 candidates, 6 splits" in found.err
    assert "Of this halving search iteration 1 is rated: 3 candidates with 180" in found.out


def test_what_a_round_is_cannot_be_chosen_without_iterations() -> None:
    search = tree_search(cv=3)
    assert sentence(BadOption, lambda: winodds.rate_search(search, rounds="all")) == (
        'rounds="all" is not possible; it is for halving searches, and this search has no '
        "iterations."
    )
    with pytest.raises(BadOption):
        winodds.rate_search(search, rounds="steps")


# Scorers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["err", "rmse", "my_error", "testLoss", "log_loss", "mae_mean"])
def test_a_scorer_called_like_an_error_asks(name: str) -> None:
    results = {"params": [{"a": 1}, {"a": 2}]}
    scored = {f"split{k}_test_{name}": [0.1 + k / 10, 0.3 + k / 9] for k in range(3)}
    assert sentence(ScorerNamedLikeError, lambda: winodds.rate_search(results | scored)) == (
        f"Scorer '{name}' is called like an error, of which less is better, but scikit-learn takes "
        f"more as better. Say higher_is_better=True if it turns the error round, as scikit-learn's "
        f"'neg_' scorers do, or higher_is_better=False if it gives the error itself."
    )
    low = winodds.rate_search(results | scored, higher_is_better=False)
    high = winodds.rate_search(results | scored, higher_is_better=True)
    assert (low.players, high.players) == (("a=1", "a=2"), ("a=2", "a=1"))


@pytest.mark.parametrize("name", ["neg_log_loss", "d2_absolute_error_score", "r2", "terrific"])
def test_scorers_that_go_up_are_no_errors(name: str) -> None:
    assert not is_error(name)


def test_a_function_that_is_an_error_is_found_behind_the_only_scorer() -> None:
    wrong = tree_search(cv=3, scoring=make_scorer(mean_squared_error))
    with pytest.raises(ScorerNamedLikeError):
        winodds.rate_search(wrong)
    right = tree_search(cv=3, scoring=make_scorer(mean_squared_error, greater_is_better=False))
    source = winodds.read_search(right)
    assert source.table["metric"].unique().to_list() == ["neg_mean_squared_error"]
    assert source.table["direction"].unique().to_list() == ["up"]


def test_a_direction_against_a_known_scorer_is_refused() -> None:
    search = tree_search(cv=3, scoring="accuracy")
    with pytest.raises(DirectionContradicts):
        winodds.rate_search(search, higher_is_better=False)
    with pytest.raises(UnknownMetric):
        winodds.rate_search(search, metric="auc")
    assert sentence(BadOption, lambda: winodds.rate_search(search, metric="all")) == (
        'metric="all" is not possible; a board has one metric; rate_each(read_search(…, '
        'metric="all"), tournament="tournament") gives a board of each.'
    )


def test_a_score_without_a_name_is_better_when_higher_and_that_is_said() -> None:
    said = "A higher 'score' is taken as better, as scikit-learn's scorers are."
    search = tree_search(cv=3)
    assert said in texts(winodds.rate_search(search).notes)
    down = winodds.rate_search(search, higher_is_better=False)
    assert said not in texts(down.notes)
    assert down.how.scheme.better == "lower"


def test_failures_that_have_a_number_for_a_score_are_a_doubt() -> None:
    grid = {"n_neighbors": [-1, 1, 3, 5]}
    search = fit(GridSearchCV(KNeighborsClassifier(), grid, cv=3, error_score=0.0))
    doubts = [str(it) for it in winodds.read_search(search).notes if it.kind == "doubt"]
    assert doubts == [
        "The search gives fits that failed the score 0, and 3 scores are that: what failed cannot "
        "be told from a result. Search with error_score=np.nan."
    ]


# Splits -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cv", "splits", "share"),
    [
        (None, 5, 0.2),
        (4, 4, 0.25),
        (4, 5, None),
        (KFold(10), 10, 0.1),
        (RepeatedStratifiedKFold(n_splits=4, n_repeats=3), 12, 0.25),
        (ShuffleSplit(7), 7, 0.1),
        (ShuffleSplit(7, test_size=0.3), 7, 0.3),
        (ShuffleSplit(7, test_size=0.2, train_size=0.6), 7, 0.25),
        (ShuffleSplit(7, train_size=0.6), 7, 0.4),
        (ShuffleSplit(7, test_size=20, train_size=60), 7, 0.25),
        (ShuffleSplit(7, test_size=20), 7, None),
        (TimeSeriesSplit(4), 4, None),
        (GroupKFold(4), 4, None),
        ([([0], [1])], 1, None),
    ],
)
def test_the_share_of_tests_follows_from_the_splitter(
    cv: Any, splits: int, share: float | None
) -> None:
    assert describe_splitter(cv, splits).share == (None if share is None else pytest.approx(share))


def test_an_unknown_share_is_said() -> None:
    board = winodds.rate_search(tree_search(cv=TimeSeriesSplit(4)))
    assert board.how.interval.test_fraction is None
    assert (
        "It is not known how much TimeSeriesSplit tests on, so intervals are for new splits of "
        "this data set; with test_fraction= they are for a new data set."
    ) in texts(board.notes)


def test_a_share_that_was_said_is_not_called_unknown() -> None:
    search = tree_search(cv=TimeSeriesSplit(4))
    board = winodds.rate_search(search, test_fraction=0.2)
    assert [note.name for note in board.notes].count("overlapping_splits") == 1
    assert "unknown_test_fraction" not in [note.name for note in board.notes]
    first, second, *_ = board.players
    found = winodds.gate(
        winodds.read_search(search), baseline=first, candidate=second, test_fraction=0.2
    )
    assert "unknown_test_fraction" not in [note.name for note in found.notes]


def test_units_that_are_named_take_the_place_of_what_splits_share() -> None:
    board = winodds.rate_search(tree_search(cv=4), cluster="round")
    assert board.how.interval.test_fraction is None


# Names --------------------------------------------------------------------------------------------


def test_names_are_made_of_what_varies_and_as_short_as_they_differ() -> None:
    long = "x" * 50
    grid: list[dict[str, Any]] = [
        {"C": np.float64(1 / 3), "tol": 1, "f": f"{long}a", "s": True},
        {"C": np.float64(1 / 3 + 1e-5), "tol": 1, "f": f"{long}b", "s": 1},
        {"C": 10.0, "tol": 1, "f": "y"},
    ]
    plain = [{key: plain_setting(value) for key, value in own.items()} for own in grid]
    cut = f"{'x' * 39}…"
    assert name_players(plain, ["0", "1", "2"]) == [
        f"C=0.333333, f={cut} (1), s=true",
        f"C=0.333343, f={cut} (2), s=1",
        "C=10, f=y",
    ]


def test_objects_of_one_class_are_told_apart_by_what_is_in_them() -> None:
    grid = {"scale": [StandardScaler(), StandardScaler(with_mean=False), MinMaxScaler()]}
    pipeline = Pipeline([("scale", StandardScaler()), ("model", GaussianNB())])
    source = winodds.read_search(fit(GridSearchCV(pipeline, grid, cv=3)))
    assert source.table["player"].unique(maintain_order=True).to_list() == [
        "StandardScaler()",
        "StandardScaler(with_mean=False)",
        "MinMaxScaler()",
    ]
    assert "family" not in source.knows


def test_a_candidate_that_was_drawn_twice_is_counted_once() -> None:
    results = {
        "params": [{"a": 1}, {"a": 2}, {"a": 1}, {"a": 2}],
        **{f"split{k}_test_score": [0.5 + k, 0.6, 0.5 + k, 0.7] for k in range(3)},
    }
    source = winodds.read_search(results)
    assert source.table["player"].unique(maintain_order=True).to_list() == [
        "a=1",
        "a=2 (candidate 1)",
        "a=2 (candidate 2)",
    ]
    assert "1 candidate with the parameters and the scores of an earlier one left out." in texts(
        source.notes
    )


def test_parameters_written_as_text_are_read_without_running_anything() -> None:
    cell = "{'model': SVC(C=1.5), 'C': np.float64(0.25), 'depth': None, 'sizes': (5, 2), 'n': -1}"
    assert read_settings(cell) == {
        "model": "SVC(C=1.5)",
        "C": 0.25,
        "depth": None,
        "sizes": (5, 2),
        "n": -1,
    }
    for hostile in ("{'f': <function f at 0x7f>}", "[1]", "{1: 2}", "", None, "(" * 9999):
        assert read_settings(hostile) is None


def test_hyperparameters_keep_their_values(models: Any) -> None:
    board = winodds.rate_search(models)
    settings = winodds.read_search(models).knows["hyperparameters"]
    assert settings == ("model", "model__n_neighbors", "model__max_depth")
    assert board.row("KNeighborsClassifier, n_neighbors=5").family == "KNeighborsClassifier"


# Models side by side ------------------------------------------------------------------------------


def validated(model: Any, seed: int = 0, **options: Any) -> dict[str, Any]:
    cv = KFold(5, shuffle=True, random_state=seed)
    found: dict[str, Any] = cross_validate(model, CASES, CLASSES, cv=cv, **options)
    return found


def test_models_of_cross_validate_are_rated_by_name() -> None:
    own = {
        "bayes": validated(GaussianNB(), scoring=["accuracy", "roc_auc"], return_indices=True),
        "tree": validated(
            DecisionTreeClassifier(random_state=0),
            scoring=["accuracy", "roc_auc"],
            return_indices=True,
        ),
    }
    with pytest.raises(WhichMetric):
        winodds.rate_search(own)
    board = winodds.rate_search(own, metric="roc_auc")
    rows = [
        {"player": name, "round": k, "score": score}
        for name, results in own.items()
        for k, score in enumerate(results["test_roc_auc"])
    ]
    hand = winodds.rate(pl.DataFrame(rows), higher_is_better=True)
    assert numbers(board) == numbers(hand)
    assert not [note for note in board.notes if note.name == "pairing_on_trust"]
    times = winodds.read_search(own, metric="roc_auc").table["fit_seconds"]
    assert times.to_list()[:5] == own["bayes"]["fit_time"].tolist()


@pytest.mark.parametrize("indices", [None, {}, {"test": [1, 2]}, {"test": []}, [[1], [2]]])
def test_indices_that_tell_nothing_prove_nothing(indices: object) -> None:
    proven = {
        name: validated(model, return_indices=True)
        for name, model in {"a": GaussianNB(), "b": KNeighborsClassifier()}.items()
    }
    proven["b"]["indices"] = indices
    doubts = [it.name for it in winodds.read_search(proven).notes]
    assert "pairing_on_trust" in doubts


def test_an_iteration_that_is_missing_is_refused(halving: Any) -> None:
    results = dict(halving.cv_results_)
    results["iter"] = [float("nan"), *results["iter"][1:]]
    assert sentence(NotThisSource, lambda: winodds.rate_search(results)).endswith(
        "'iter' does not tell the iteration of every candidate."
    )


def test_pairing_without_indices_is_a_doubt_and_other_splits_are_refused() -> None:
    first, same = validated(GaussianNB()), validated(KNeighborsClassifier())
    doubts = [it.name for it in winodds.read_search({"a": first, "b": same}).notes]
    assert doubts[0] == "pairing_on_trust"
    here = validated(GaussianNB(), return_indices=True)
    there = validated(GaussianNB(), seed=1, return_indices=True)
    assert sentence(NotPaired, lambda: winodds.rate_search({"a": here, "b": there})) == (
        "The models were not tested on the same splits: the cases of split 0 of 'a' are not those "
        "of 'b'. Give all of them the same cv, with a fixed random_state."
    )
    few = {key: value[:3] for key, value in first.items()}
    assert sentence(NotPaired, lambda: winodds.rate_search({"a": few, "b": first})) == (
        "The models were not tested on the same splits: 'a' has 3 splits and 'b' 5. Give all of "
        "them the same cv, with a fixed random_state."
    )


def test_a_model_without_the_scorer_of_the_others_is_refused() -> None:
    own = {"a": {"test_auc": [0.5, 0.6]}, "b": {"test_f1": [0.5, 0.6]}}
    with pytest.raises(NotThisSource, match="'b' has no 'test_auc'"):
        winodds.rate_search(own, metric="auc")


# Hostile ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("results", "reason"),
    [
        ({}, "it has no scores of splits, such as 'split0_test_score'"),
        ({"mean_test_score": [0.5]}, "it has no scores of splits, such as 'split0_test_score'"),
        (
            {"params": [{"a": 1}], "split0_test_x": [1.0], "split2_test_x": [1.0]},
            "it has no 'split1_test_x'",
        ),
        (
            {"params": [{"a": 1}], "split0_test_x": ["high"]},
            "'split0_test_x' holds something else than numbers",
        ),
        (
            {"params": [{"a": 1}], "split0_test_x": [0.5, 0.6]},
            "'split0_test_x' does not have one number for each of 1 candidates",
        ),
        (
            {"split0_test_x": [0.5, 0.6]},
            "it has no candidate, or nothing that tells their parameters",
        ),
        (
            {"params": [], "split0_test_x": []},
            "it has no candidate, or nothing that tells their parameters",
        ),
    ],
)
def test_incomplete_results_are_refused(results: dict[str, Any], reason: str) -> None:
    assert sentence(NotThisSource, lambda: winodds.rate_search(results)) == (
        f"'dict' cannot be read as a search of scikit-learn: {reason}."
    )


def test_what_is_no_fitted_search_is_refused() -> None:
    search = GridSearchCV(GaussianNB(), {})
    assert sentence(NotASearch, lambda: winodds.rate_search(search)) == (
        "This GridSearchCV has no cv_results_. Fit it first."
    )
    with pytest.raises(NotASearch, match="not an object of type int"):
        winodds.rate_search(3)


def test_a_damaged_cell_is_named_by_its_line(tmp_path: Path) -> None:
    text = (SAMPLES / "halving.csv").read_text()
    cut = text.replace(",0.9", ",0;9", 1)
    assert cut != text
    path = tmp_path / "cut.csv"
    path.write_text(cut)
    with pytest.raises(winodds.WinoddsError, match="line "):
        winodds.read_source(path)


def test_a_table_without_parameters_is_no_search(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("model,split0_test_score,split1_test_score\na,1,2\nb,2,1\n")
    assert not isinstance(winodds.read_source(path), Adapted)
    with pytest.raises(NotThisSource):
        winodds.read_source(path, source="sklearn")


def test_a_search_in_which_every_fit_failed_is_refused() -> None:
    results = {"params": [{"a": 1}, {"a": 2}], "split0_test_score": [float("nan")] * 2}
    assert sentence(NothingLeft, lambda: winodds.rate_search(results)) == (
        "'dict', a search of scikit-learn, holds no result to rate: all 2 scores are missing or of "
        "runs that failed."
    )


def test_infinite_scores_count_as_failed() -> None:
    results = {
        "params": [{"a": 1}, {"a": 2}, {"a": 3}],
        **{f"split{k}_test_neg_log_loss": [-0.5, -0.6, -0.7] for k in range(3)},
        "split3_test_neg_log_loss": [-0.5, float("-inf"), -0.4],
    }
    source = winodds.read_search(results)
    failed = source.table.filter(pl.col("status") == "failed")
    assert failed.select("player", "round", "score", "reason").rows() == [
        ("a=2", "split3", None, "infinite score")
    ]
    assert "1 score is infinite and counts as failed." in texts(source.notes)


def test_a_hundred_thousand_scores_are_read() -> None:
    random = np.random.default_rng(0)
    results: dict[str, Any] = {"params": [{"C": own} for own in random.random(10_000)]}
    results |= {f"split{k}_test_auc": random.random(10_000) for k in range(10)}
    source = winodds.read_search(results)
    assert source.rows == 100_000
    assert source.table["player"].n_unique() == 10_000


@pytest.mark.parametrize("name", ["halving.csv", "halving.jsonl", "halving.parquet"])
def test_samples_of_one_search_give_one_board(name: str) -> None:
    read = winodds.read_source(SAMPLES / name)
    board = winodds.rate(read)
    assert [(row.player, row.wins) for row in board] == [
        (row.player, row.wins) for row in winodds.rate(winodds.read_source(SAMPLES / "halving.csv"))
    ]
    assert read.rows == 18


def test_parameters_too_large_for_a_float_are_kept_as_text() -> None:
    tried: dict[str, Any] = {"params": [{"C": 10**400}, {"C": 1}]}
    tried |= {f"split{k}_test_accuracy": [0.9, 0.8 + k / 10] for k in range(3)}
    source = winodds.read_search(tried)
    assert [str(it) for it in source.text("C")][:2] == [str(10**400), "1"]
