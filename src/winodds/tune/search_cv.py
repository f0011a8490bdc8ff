"""`EPPSearchCV`: a search of scikit-learn that stops paying for settings that cannot win."""

import time
import warnings
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import (
    ParameterSampler,
    ShuffleSplit,
    StratifiedShuffleSplit,
    check_cv,
)
from sklearn.utils import get_tags, indexable
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    get_routing_for_object,
    process_routing,
)
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from winodds.api.sources import name_candidates, rate_search
from winodds.board.leaderboard import Leaderboard
from winodds.language.checks import check_choice
from winodds.tune.acting import ActsAsChoice
from winodds.tune.courses import course_of
from winodds.tune.errors import NothingScored, SplitsDiffer, TargetNeeded, WhichScorer
from winodds.tune.fitting import Fitted, Task, fit_once, raise_own_error
from winodds.tune.notes import stopped_by_scores
from winodds.tune.progress import Progress
from winodds.tune.race import Race
from winodds.tune.rules import SPLITS, Choose, Rules, Splits, Strategy
from winodds.tune.search_results import Pair, make_columns
from winodds.tune.splitters import kind_of

USUAL_SPLITS = 20
USUAL_TEST = 0.25
SINGLE = "score"


class EPPSearchCV(ActsAsChoice, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A random search whose settings race over the splits.

    It is used as `sklearn.model_selection.RandomizedSearchCV` is, and draws the same settings for
    the same ``random_state``. All settings get the first splits. Then only those are paid for that
    may still win.

    Parameters
    ----------
    estimator : the model, or pipeline, whose parameters are searched.
    param_distributions : lists or distributions to draw from, by parameter; or a list of such.
    n_iter : how many settings are drawn.
    scoring : a scorer's name or a scorer, larger is better; or several, of which ``refit`` names
        the one that decides.
    n_jobs : how many fits run at once, through joblib. It changes nothing but the time.
    refit : whether to fit the choice on all data; or the name of the scorer that decides.
    cv : how to split. None for 20 shuffled splits with a quarter of the data to test on, which is
        what races are for; else as in scikit-learn.
    verbose : 1 to see how far the race is.
    random_state : of the settings, and of the splits if ``cv`` is None.
    error_score : score of a fit that fails, or "raise". With NaN, the setting is parked and cannot
        be chosen while there are others.
    strategy : "park" pays for settings that are likely enough to be better than the leader;
        "prove" for all that are not refuted as the best.
    first : splits that all settings get.
    alpha : error rate of a drop.
    stop : stop when paying for all remaining splits would raise the chance to win a split by less;
        None for 0.002 when parking and for never when proving.
    choose : "mean" chooses the highest expected mean score, "wins" the highest EPP among the best
        five of those left.
    splits : how splits hang together: "independent", "folds" or "dependent"; "auto" knows that of
        scikit-learn's splitters, and claims nothing for others.

    Attributes
    ----------
    best_index_, best_params_, best_score_ : the choice; its score is the mean over its splits.
    best_estimator_ : the choice fitted on all data, if ``refit``.
    cv_results_ : as in scikit-learn, with NaN where splits were saved, and the columns
        ``paid_splits``, ``state``, ``expected_test_score`` and ``p_best``.
    race_ : the `Race`: every step, what was decided and why.
    prospects_ : what one more setting promises.
    leaderboard_ : all settings rated on what was paid for; computed when first asked for. Its
        ``race`` tells and draws the race with the settings' names, and so does its report.
    n_splits_, splitter_, scorer_, multimetric_, refit_time_ : as in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> space = {"n_neighbors": range(1, 30)}
    >>> search = EPPSearchCV(KNeighborsClassifier(), space, n_iter=20, random_state=0).fit(X, y)
    >>> search.race_.fits < 20 * 20 / 2
    True
    """

    def __init__(
        self,
        estimator: Any,
        param_distributions: Any,
        *,
        n_iter: int = 50,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: bool | str = True,
        cv: Any = None,
        verbose: int = 0,
        random_state: Any = None,
        error_score: float | Literal["raise"] = np.nan,
        strategy: Strategy = "park",
        first: int = 3,
        alpha: float = 0.05,
        stop: float | None = None,
        choose: Choose = "mean",
        splits: Literal["auto"] | Splits = "auto",
    ) -> None:
        self.estimator = estimator
        self.param_distributions = param_distributions
        self.n_iter = n_iter
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.refit = refit
        self.cv = cv
        self.verbose = verbose
        self.random_state = random_state
        self.error_score = error_score
        self.strategy = strategy
        self.first = first
        self.alpha = alpha
        self.stop = stop
        self.choose = choose
        self.splits = splits

    # Fitting --------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, **params: Any) -> "EPPSearchCV":
        """Race the settings, and fit the choice on all data.

        Parameters
        ----------
        X, y : the data.
        params : by keyword, what estimator, scorer and splitter want besides, as in scikit-learn.

        Returns
        -------
        EPPSearchCV
            Itself. If it is interrupted, it keeps what is known so far.
        """
        self.__dict__.pop("leaderboard_", None)
        X, y = indexable(X, y)
        if y is None and get_tags(self.estimator).target_tags.required:
            raise TargetNeeded(estimator=type(self.estimator).__name__)
        self.scorer_ = self._make_scorer()
        routed = self._route(params)
        pairs = self._split(X, y, routed["splitter"])
        settings = list(self._draw())
        race = Race(len(settings), len(pairs), self._rules_of(self.splitter_))
        raises = isinstance(self.error_score, str)
        task = Task(self.estimator, X, y, self.scorer_, routed["fits"], raises)
        fitted: dict[Pair, Fitted] = {}
        try:
            self._run(race, task, settings, pairs, fitted)
            self._warn_of_failures(fitted)
        except KeyboardInterrupt:
            race.interrupt()
            if race.steps:
                self._keep(race, settings, fitted)
            raise
        except NothingScored:
            raise_own_error(task, settings[0], pairs[: self.first])
            raise
        self._keep(race, settings, fitted)
        if self.refit:
            self._refit(X, y, routed["estimator"])
        return self

    def _rules_of(self, splitter: Any) -> Rules:
        check_choice("splits", self.splits, ("auto", *SPLITS))
        splits = kind_of(splitter) if self.splits == "auto" else self.splits
        return Rules(
            strategy=self.strategy,
            splits=splits,
            first=self.first,
            alpha=self.alpha,
            stop=self.stop,
            choose=self.choose,
        )

    def _make_scorer(self) -> Any:
        """One scorer, or several together; then ``refit`` must name one of them."""
        if self.scoring is None or isinstance(self.scoring, str) or callable(self.scoring):
            return check_scoring(self.estimator, self.scoring)
        names = list(self.scoring)
        if self.refit not in names:
            raise WhichScorer(scorers=names)
        return check_scoring(self.estimator, self.scoring)

    def _split(self, X: Any, y: Any, params: Mapping[str, Any]) -> list[Any]:
        classify = is_classifier(self.estimator)
        if self.cv is None:
            kind = StratifiedShuffleSplit if classify else ShuffleSplit
            self.splitter_ = kind(
                USUAL_SPLITS, test_size=USUAL_TEST, random_state=self.random_state
            )
        else:
            self.splitter_ = check_cv(self.cv, y, classifier=classify)
        promised = self.splitter_.get_n_splits(X, y, **params)
        pairs = list(self.splitter_.split(X, y, **params))
        if len(pairs) != promised:
            raise SplitsDiffer(promised=promised, given=len(pairs))
        self.n_splits_ = len(pairs)
        return pairs

    def _draw(self) -> ParameterSampler:
        return ParameterSampler(
            self.param_distributions, self.n_iter, random_state=self.random_state
        )

    def _run(
        self,
        race: Race,
        task: Task,
        settings: list[dict[str, Any]],
        pairs: list[Any],
        fitted: dict[Pair, Fitted],
    ) -> None:
        """Fit what the race asks for, until it asks for nothing."""
        with (
            Progress(race, shown=self.verbose > 0) as progress,
            Parallel(n_jobs=self.n_jobs, return_as="generator") as workers,
        ):
            while race.wanted:
                wanted = race.wanted
                found = workers(delayed(fit_once)(task, settings[j], *pairs[t]) for j, t in wanted)
                for (j, t), own in zip(wanted, found, strict=True):
                    fitted[j, t] = own
                    self._tell(race, j, t, own, fitted)
                    progress.show()

    def _tell(
        self, race: Race, setting: int, split: int, own: Fitted, fitted: Mapping[Pair, Fitted]
    ) -> None:
        score = own.scores.get(self._deciding(own), self.error_score)
        try:
            race.tell(setting, split, float(score))
        except NothingScored:
            raise _nothing_scored(fitted) from None

    def _deciding(self, own: Fitted) -> str:
        """The metric that decides; of a single one it does not matter how ``refit`` calls it."""
        if not own.scores or SINGLE in own.scores:
            return SINGLE
        if self.refit not in own.scores:
            raise WhichScorer(scorers=list(own.scores))
        return str(self.refit)

    def _keep(
        self, race: Race, settings: list[dict[str, Any]], fitted: Mapping[Pair, Fitted]
    ) -> None:
        """Set the attributes that follow from the race."""
        usual = np.nan if isinstance(self.error_score, str) else float(self.error_score)
        self.race_ = race
        self.cv_results_ = make_columns(settings, race, fitted, usual)
        self.seconds_ = float(np.nansum([own.seconds for own in fitted.values()]))
        self.prospects_ = race.foresee(seconds=self.seconds_)
        self.multimetric_ = any(set(own.scores) - {SINGLE} for own in fitted.values())
        self.best_index_ = race.choice
        self.best_params_ = settings[race.choice]
        name = self.refit if self.multimetric_ else SINGLE
        self.best_score_ = float(self.cv_results_[f"mean_test_{name}"][race.choice])

    def _refit(self, X: Any, y: Any, params: Mapping[str, Any]) -> None:
        chosen = clone(dict(self.best_params_), safe=False)
        self.best_estimator_ = clone(self.estimator).set_params(**chosen)
        start = time.perf_counter()
        if y is None:
            self.best_estimator_.fit(X, **params)
        else:
            self.best_estimator_.fit(X, y, **params)
        self.refit_time_ = time.perf_counter() - start
        if hasattr(self.best_estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.best_estimator_.feature_names_in_

    def _warn_of_failures(self, fitted: Mapping[Pair, Fitted]) -> None:
        failed = [own for own in fitted.values() if own.reason]
        if len(failed) == len(fitted):
            raise _nothing_scored(fitted)
        if failed:
            kinds = "\n".join(dict.fromkeys(own.trace for own in failed))
            warnings.warn(
                f"{len(failed)} of {len(fitted)} fits failed; their score is {self.error_score}. "
                f"To end there, use error_score='raise'. What went wrong:\n{kinds}",
                FitFailedWarning,
                stacklevel=3,
            )
        scored = (own.scores.get(self._deciding(own), 0.0) for own in fitted.values())
        if not all(map(np.isfinite, scored)):
            warnings.warn(
                "Some scores are not finite; these fits count as failed.", UserWarning, stacklevel=3
            )

    # Metadata -------------------------------------------------------------------------------------

    def get_metadata_routing(self) -> MetadataRouter:
        """Who gets what is passed to `fit` and `score` by keyword, as in scikit-learn."""
        fitting = MethodMapping().add(caller="fit", callee="fit")
        scoring = (
            MethodMapping().add(caller="fit", callee="score").add(caller="score", callee="score")
        )
        splitting = MethodMapping().add(caller="fit", callee="split")
        splitter = check_cv(self.cv, classifier=is_classifier(self.estimator))
        return (
            MetadataRouter(owner=self)
            .add(estimator=self.estimator, method_mapping=fitting)
            .add(scorer=self._make_scorer(), method_mapping=scoring)
            .add(splitter=splitter, method_mapping=splitting)
        )

    def _route(self, params: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """What splitter, estimator, and fits with their scorer get."""
        params = {name: value for name, value in params.items() if value is not None}
        if not get_config()["enable_metadata_routing"]:
            own = {name: value for name, value in params.items() if name != "groups"}
            groups = {"groups": params["groups"]} if "groups" in params else {}
            return {"splitter": groups, "estimator": own, "fits": own}
        routed = process_routing(self, "fit", **params)
        wanted = set(get_routing_for_object(self.estimator).consumes("fit", params))
        wanted |= set(get_routing_for_object(self.scorer_).consumes("score", params))
        return {
            "splitter": routed.splitter.split,
            "estimator": routed.estimator.fit,
            "fits": {name: value for name, value in params.items() if name in wanted},
        }

    # What the choice can do -----------------------------------------------------------------------

    @cached_property
    def leaderboard_(self) -> Leaderboard:
        """All settings rated on the splits that were paid for."""
        check_is_fitted(self, "race_")
        board = rate_search(self, higher_is_better=True)
        paid = self.race_.paid
        if stopped := int((paid < paid.max()).sum()):
            board.notes = (*board.notes, stopped_by_scores(stopped, len(paid)))
        board.race = course_of(self.race_, name_candidates(self.cv_results_), self.prospects_)
        return board

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "best_estimator_" if self.refit else "race_")

    def __sklearn_tags__(self) -> Any:
        tags, own = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type = own.estimator_type
        tags.classifier_tags, tags.regressor_tags = own.classifier_tags, own.regressor_tags
        tags.transformer_tags, tags.target_tags = own.transformer_tags, own.target_tags
        tags.input_tags.pairwise = own.input_tags.pairwise
        tags.input_tags.sparse = own.input_tags.sparse
        return tags


def _nothing_scored(fitted: Mapping[Pair, Fitted]) -> NothingScored:
    reasons = dict.fromkeys(own.reason or "the scorer gave NaN" for own in fitted.values())
    return NothingScored(fits=len(fitted), reasons=list(reasons))
