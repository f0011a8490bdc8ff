"""The search of scikit-learn: its contract, races in it, failures, workers, interruptions."""

import io
import sys
import warnings
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy.stats import loguniform
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RandomizedSearchCV,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import winodds
from winodds import errors
from winodds.language.errors import MissingExtra
from winodds.tune import EPPSearchCV
from winodds.tune.splitters import kind_of

X, Y = (part[:160] for part in load_breast_cancer(return_X_y=True))
SPACE = {"n_neighbors": range(1, 30), "p": [1, 2]}


def _search(**options: Any) -> EPPSearchCV:
    own = {"n_iter": 12, "random_state": 0, **options}
    return EPPSearchCV(KNeighborsClassifier(), SPACE, **own)


@pytest.fixture(scope="module")
def fitted() -> EPPSearchCV:
    return _search().fit(X, Y)


class Fragile(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fails for large values, and is better for small ones."""

    def __init__(self, value: float = 1.0) -> None:
        self.value = value

    def fit(self, _: Any, y: Any) -> "Fragile":
        if self.value > 2.0:
            raise ValueError(f"{self.value} is too much")
        self.classes_ = np.unique(y)
        self.flip_ = np.random.default_rng(len(y)).random(1000) < 0.1 * self.value
        return self

    def predict(self, data: Any) -> Any:
        truth = data[:, 0] > 0
        return np.where(self.flip_[: len(data)], ~truth, truth).astype(int)


def _count_on(model: Any, *_: Any) -> float:
    return float(model.with_mean + model.with_std)


# The contract -------------------------------------------------------------------------------------


@pytest.mark.parametrize("error_score", [np.nan, "raise"])
@pytest.mark.parametrize("model", [LogisticRegression(), Ridge()])
def test_scikit_learn_finds_nothing_wrong(model: Any, error_score: Any) -> None:
    name = "C" if isinstance(model, LogisticRegression) else "alpha"
    search = EPPSearchCV(
        model, {name: [0.1, 1.0, 10.0]}, n_iter=3, cv=3, first=2, error_score=error_score
    )
    with warnings.catch_warnings():
        # Some checks are about data that no splitter likes.
        warnings.simplefilter("ignore")
        found = check_estimator(search, on_skip=None, on_fail=None)
    assert [own["check_name"] for own in found if own["status"] == "failed"] == []


def test_settings_are_those_of_a_random_search() -> None:
    other = RandomizedSearchCV(KNeighborsClassifier(), SPACE, n_iter=12, random_state=0, cv=2).fit(
        X, Y
    )
    own = _search(cv=6).fit(X, Y)
    assert own.cv_results_["params"] == other.cv_results_["params"]
    assert set(other.cv_results_) - {f"split{t}_test_score" for t in range(9)} <= set(
        own.cv_results_
    )


def test_results_are_those_of_a_random_search_where_they_were_paid_for() -> None:
    cv = ShuffleSplit(8, test_size=0.25, random_state=1)
    own = _search(cv=cv).fit(X, Y)
    other = RandomizedSearchCV(KNeighborsClassifier(), SPACE, n_iter=12, random_state=0, cv=cv)
    other.fit(X, Y)
    paid = own.cv_results_["paid_splits"]
    assert paid.min() == 3
    for split in range(8):
        name = f"split{split}_test_score"
        expected = np.where(split < paid, other.cv_results_[name], np.nan)
        np.testing.assert_array_equal(own.cv_results_[name], expected)
    whole = np.flatnonzero(paid == paid.max())
    shown = [own.cv_results_[f"split{t}_test_score"][whole] for t in range(paid.max())]
    np.testing.assert_allclose(own.cv_results_["mean_test_score"][whole], np.mean(shown, axis=0))
    np.testing.assert_allclose(own.cv_results_["std_test_score"][whole], np.std(shown, axis=0))


def test_the_choice_ranks_first_and_is_refitted(fitted: EPPSearchCV) -> None:
    best = fitted.best_index_
    assert fitted.cv_results_["rank_test_score"][best] == 1
    assert sorted(fitted.cv_results_["rank_test_score"]) == list(range(1, 13))
    assert fitted.cv_results_["state"][best] == "left"
    assert fitted.best_params_ == fitted.cv_results_["params"][best]
    assert fitted.best_score_ == fitted.cv_results_["mean_test_score"][best]
    model = KNeighborsClassifier(**fitted.best_params_).fit(X, Y)
    np.testing.assert_array_equal(fitted.predict_proba(X), model.predict_proba(X))
    assert fitted.score(X, Y) == model.score(X, Y)
    assert fitted.classes_.tolist() == [0, 1]
    assert fitted.n_features_in_ == 30
    assert not hasattr(fitted, "transform")


def test_fits_are_saved_and_counted(fitted: EPPSearchCV) -> None:
    paid = fitted.cv_results_["paid_splits"]
    assert fitted.n_splits_ == 20
    assert paid.sum() == fitted.race_.fits < 12 * 20 / 2
    assert fitted.seconds_ == pytest.approx(
        (paid * (fitted.cv_results_["mean_fit_time"] + fitted.cv_results_["mean_score_time"])).sum()
    )


def test_the_leaderboard_rates_what_was_paid_for(fitted: EPPSearchCV) -> None:
    board = fitted.leaderboard_
    assert board is fitted.leaderboard_
    assert len(board) == 12
    rounds = {row.player: row.rounds for row in board}
    paid = fitted.cv_results_["paid_splits"].tolist()
    assert Counter(rounds.values()) == Counter(paid)
    assert not [note for note in board.notes if "failed" in note.name]
    stopped = sum(splits < max(paid) for splits in paid)
    assert str(board.notes[-1]) == (
        f"{stopped} of 12 settings did not run on all splits, because they did badly on the first "
        "ones. What they scored there was bad luck, too, so their ratings lean low."
    )
    saved = winodds.rate_search(fitted.cv_results_, higher_is_better=True)
    assert {row.player: row.rounds for row in saved} == rounds


def test_the_board_of_a_search_tells_its_race(fitted: EPPSearchCV, tmp_path: Path) -> None:
    board = fitted.leaderboard_
    course = board.race
    assert course is not None
    assert set(course.state) == set(board.players)
    assert list(course.state.values()) == fitted.cv_results_["state"].tolist()
    assert list(course.paid.values()) == fitted.cv_results_["paid_splits"].tolist()
    assert course.text.endswith(str(fitted.prospects_))
    page = board.report(tmp_path / "search.html").read_text(encoding="utf-8")
    assert course.text in unescape(page)


def test_without_refit_there_is_a_choice_and_no_model() -> None:
    search = _search(refit=False, n_iter=4, cv=4).fit(X, Y)
    assert search.best_params_ == search.cv_results_["params"][search.best_index_]
    assert not hasattr(search, "predict")
    with pytest.raises(AttributeError, match="was made with refit=False"):
        search.score(X, Y)


def test_it_is_cloned_and_nested() -> None:
    search = _search(n_iter=4, cv=6)
    assert clone(search).get_params()["n_iter"] == 4
    nested = cross_val_score(make_pipeline(StandardScaler(), search), X, Y, cv=3)
    assert nested.mean() > 0.85


def test_names_and_output_are_handed_on() -> None:
    frame = pd.DataFrame(X, columns=[f"x{k}" for k in range(30)])
    space = {"with_mean": [True, False], "with_std": [True, False]}
    search = EPPSearchCV(StandardScaler(), space, n_iter=4, scoring=_count_on, random_state=0, cv=6)
    made = search.set_output(transform="pandas").fit(frame).transform(frame)
    assert list(made.columns) == list(frame.columns)
    assert search.feature_names_in_.tolist() == list(frame.columns)
    assert search.best_params_ == {"with_mean": True, "with_std": True}


def test_regressors_race_on_errors_turned_round() -> None:
    data, target = load_diabetes(return_X_y=True)
    search = EPPSearchCV(
        Ridge(),
        {"alpha": loguniform(1e-3, 1e4)},
        n_iter=15,
        scoring="neg_root_mean_squared_error",
        random_state=0,
    ).fit(data, target)
    assert search.best_params_["alpha"] < 10.0
    assert search.cv_results_["state"][np.argmax(search.cv_results_["param_alpha"])] != "left"
    assert len(search.leaderboard_) == 15


# Several scorers and metadata ---------------------------------------------------------------------


def test_of_several_scorers_the_named_one_decides() -> None:
    search = _search(n_iter=5, cv=6, scoring=["accuracy", "roc_auc"], refit="roc_auc").fit(X, Y)
    alone = _search(n_iter=5, cv=6, scoring="roc_auc").fit(X, Y)
    assert search.best_params_ == alone.best_params_
    assert search.multimetric_
    assert not alone.multimetric_
    assert search.score(X, Y) == roc_auc_score(Y, search.predict_proba(X)[:, 1])
    assert "mean_test_accuracy" in search.cv_results_
    assert len(search.leaderboard_) == 5
    with pytest.raises(
        errors.WhichScorer, match="There are several scorers: 'accuracy', 'roc_auc'"
    ):
        _search(scoring=["accuracy", "roc_auc"]).fit(X, Y)


def test_a_single_scorer_decides_whatever_refit_is_called() -> None:
    search = _search(n_iter=4, cv=6, refit="auc").fit(X, Y)
    assert search.best_score_ == search.cv_results_["mean_test_score"][search.best_index_]
    assert hasattr(search, "best_estimator_")


def test_groups_go_to_the_splitter() -> None:
    groups = np.arange(160) % 8
    search = _search(cv=GroupKFold(8)).fit(X, Y, groups=groups)
    assert search.n_splits_ == 8


def test_metadata_is_routed() -> None:
    weights = np.where(Y == 1, 5.0, 0.1)
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression(max_iter=200).set_fit_request(sample_weight=True)
        scorer = make_scorer(roc_auc_score, response_method="predict_proba")
        scorer = scorer.set_score_request(sample_weight=False)
        space = {"C": [0.01, 0.1, 1.0]}
        search = EPPSearchCV(
            make_pipeline(StandardScaler().set_fit_request(sample_weight=False), model),
            {f"logisticregression__{name}": own for name, own in space.items()},
            n_iter=3,
            scoring=scorer,
            cv=GroupKFold(6),
            random_state=0,
        )
        search.fit(X, Y, sample_weight=weights, groups=np.arange(160) % 6)
    plain = clone(search.best_estimator_).fit(X, Y)
    assert not np.allclose(search.decision_function(X), plain.decision_function(X))


# Failures -----------------------------------------------------------------------------------------


def test_settings_that_fail_are_parked_with_a_warning() -> None:
    search = EPPSearchCV(Fragile(), {"value": [0.5, 1.0, 1.5, 3.0, 4.0]}, n_iter=5, random_state=0)
    with pytest.warns(FitFailedWarning, match=r"6 of \d+ fits failed; their score is nan"):
        search.fit(X - X.mean(axis=0), (X[:, 0] > X[:, 0].mean()).astype(int))
    values = search.cv_results_["param_value"].astype(float)
    assert search.best_params_["value"] == 0.5
    assert (search.cv_results_["state"][values > 2.0] == "parked").all()
    assert np.isnan(search.cv_results_["mean_test_score"][values > 2.0]).all()
    assert (search.cv_results_["paid_splits"][values > 2.0] == 3).all()
    parked = (search.cv_results_["state"] == "parked").sum()
    why = "because a fit failed" if parked == 2 else "2 of them because a fit failed, the others by"
    assert search.leaderboard_.race is not None
    assert f"{parked} are parked, {why}" in search.leaderboard_.race.text
    with pytest.raises(ValueError, match="is too much"):
        clone(search).set_params(error_score="raise").fit(X, Y)


def test_a_number_for_failures_is_a_score_like_any_other() -> None:
    search = EPPSearchCV(Fragile(), {"value": [0.5, 3.0]}, n_iter=2, error_score=0.0, cv=6)
    with pytest.warns(FitFailedWarning, match="their score is 0"):
        search.fit(X - X.mean(axis=0), (X[:, 0] > X[:, 0].mean()).astype(int))
    assert search.best_params_ == {"value": 0.5}
    assert search.cv_results_["mean_test_score"].min() == 0.0


@pytest.mark.parametrize("error_score", [np.nan, 0.0])
def test_nothing_but_failures_is_an_error_that_says_why(error_score: float) -> None:
    search = EPPSearchCV(Fragile(), {"value": [3.0, 4.0]}, n_iter=2, error_score=error_score, cv=6)
    with pytest.raises(errors.NothingScored, match=r"None of the \d+ fits gave a score \('ValueE"):
        search.fit(X, Y)


def _wants_another_model(model: Any, *_: Any) -> float:
    return float(model.coef_[0])


def test_a_scorer_that_suits_no_model_ends_with_its_own_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'coef_'"):
        _search(n_iter=4, cv=6, scoring=_wants_another_model).fit(X, Y)


def test_a_scorer_that_is_nan_everywhere_is_an_error() -> None:
    with pytest.raises(errors.NothingScored, match="the scorer gave NaN"):
        _search(scoring=lambda *_: np.nan).fit(X, Y)


# Splits and claims --------------------------------------------------------------------------------


class Lying(ShuffleSplit):  # type: ignore[misc]
    def get_n_splits(self, *_: Any, **__: Any) -> int:
        return 9


def test_claims_follow_from_the_splitter() -> None:
    assert kind_of(ShuffleSplit()) == "independent"
    assert kind_of(RepeatedKFold()) == kind_of(KFold()) == "folds"
    assert kind_of(TimeSeriesSplit()) == kind_of(Lying(8)) == "dependent"


def test_where_splits_depend_on_each_other_nothing_is_claimed() -> None:
    search = _search(cv=TimeSeriesSplit(8)).fit(X, Y)
    assert {step.claim for step in search.race_.steps} == {"off"}
    assert not search.race_.steps[-1].dropped.size
    with pytest.raises(errors.UnprovedSplits):
        _search(cv=TimeSeriesSplit(8), strategy="prove").fit(X, Y)
    assert _search(cv=Lying(6), splits="independent")._rules_of(Lying(6)).claim == "proved"


def test_bad_use_is_refused() -> None:
    with pytest.raises(errors.TooFewSplits, match="With 5 splits nothing can be proved"):
        _search(cv=5, strategy="prove").fit(X, Y)
    with pytest.raises(errors.OneSetting):
        _search(n_iter=1).fit(X, Y)
    with pytest.raises(errors.SplitsDiffer, match="says that it makes 9 splits, and made 6"):
        _search(cv=Lying(6)).fit(X, Y)
    with pytest.raises(errors.BadOption, match='splits="some" is not possible'):
        _search(splits="some").fit(X, Y)
    with pytest.raises(errors.TargetNeeded, match="requires y to be passed"):
        _search().fit(X)


def test_proving_pays_more_and_chooses_as_the_full_search() -> None:
    cv = ShuffleSplit(12, test_size=0.25, random_state=2)
    own = _search(cv=cv, strategy="prove").fit(X, Y)
    full = RandomizedSearchCV(KNeighborsClassifier(), SPACE, n_iter=12, random_state=0, cv=cv)
    assert own.best_params_ == full.fit(X, Y).best_params_
    assert "parked" not in own.cv_results_["state"]


def test_wins_choose_among_those_left() -> None:
    search = _search(choose="wins").fit(X, Y)
    assert search.best_index_ == search.race_.choice
    assert search.cv_results_["rank_test_score"][search.best_index_] == 1
    assert search.cv_results_["state"][search.best_index_] == "left"
    assert search.leaderboard_.race is not None
    assert search.leaderboard_.race.figures.race().rows[0]["word"] == "chosen"


# Workers, progress, interruptions -----------------------------------------------------------------


def test_the_number_of_workers_changes_nothing(fitted: EPPSearchCV) -> None:
    many = _search(n_jobs=2).fit(X, Y)
    assert many.best_index_ == fitted.best_index_
    for name, column in fitted.cv_results_.items():
        if "time" not in name:
            np.testing.assert_array_equal(many.cv_results_[name], column)


def test_dask_fits_the_same(fitted: EPPSearchCV) -> None:
    joblib, distributed = pytest.importorskip("joblib"), pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=2,
            processes=False,
            dashboard_address=None,
            worker_dashboard_address=None,
        ) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config("dask"),
    ):
        many = _search(n_jobs=-1).fit(X, Y)
    np.testing.assert_array_equal(
        many.cv_results_["paid_splits"], fitted.cv_results_["paid_splits"]
    )
    assert many.best_index_ == fitted.best_index_


def test_verbose_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = io.StringIO()
    monkeypatch.setattr(sys, "stderr", heard)
    search = _search(verbose=1).fit(X, Y)
    lines = heard.getvalue().splitlines()
    assert len(lines) == len(search.race_.steps)
    last = search.race_.steps[-1]
    assert lines[-1].endswith(
        f"{search.race_.fits} of at most 240 fits: {last.left.size} left, "
        f"{last.parked.size} parked, {last.dropped.size} dropped"
    )


def test_an_interrupted_search_keeps_what_is_known() -> None:
    calls = []

    def score(model: Any, data: Any, y: Any) -> float:
        calls.append(1)
        if len(calls) > 45:
            raise KeyboardInterrupt
        return float(model.score(data, y))

    search = _search(scoring=score)
    with pytest.raises(KeyboardInterrupt):
        search.fit(X, Y)
    assert search.race_.end == "interrupted"
    assert search.race_.fits <= 45
    assert search.best_params_ == search.cv_results_["params"][search.race_.choice]
    assert not hasattr(search, "best_estimator_")


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("winodds.tune.search_cv")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    import winodds.tune

    with pytest.raises(MissingExtra, match=r"pip install 'winodds\[sklearn\]'"):
        _ = winodds.tune.EPPSearchCV
