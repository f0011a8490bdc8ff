"""A fitted search acts as the estimator that it chose."""

from collections.abc import Callable, Mapping
from typing import Any

from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted


def _estimator_has(name: str) -> Callable[[Any], bool]:
    """Whether the chosen estimator, or before fitting the given one, has a method."""

    def check(search: Any) -> bool:
        if not search.refit:
            raise AttributeError(
                f"This {type(search).__name__} was made with refit=False, so it has no {name}."
            )
        getattr(getattr(search, "best_estimator_", search.estimator), name)
        return True

    return check


class ActsAsChoice:
    """What a search hands on to its ``best_estimator_``, as far as that can do it."""

    estimator: Any
    refit: bool | str
    best_estimator_: Any
    scorer_: Any

    def score(self, X: Any, y: Any = None, **params: Any) -> float:
        """The score of the choice on other data, by the scorer that decided."""
        _estimator_has("score")(self)
        check_is_fitted(self)
        routed: Mapping[str, Any] = {}
        if params:
            routed = process_routing(self, "score", **params).scorer["score"]
        found = self.scorer_(self.best_estimator_, X, y, **routed)
        return float(found[self.refit] if isinstance(found, Mapping) else found)

    def _ask(self, name: str, X: Any) -> Any:
        check_is_fitted(self)
        return getattr(self.best_estimator_, name)(X)

    @available_if(_estimator_has("predict"))  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> Any:
        """What the choice predicts."""
        return self._ask("predict", X)

    @available_if(_estimator_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Probabilities of classes by the choice."""
        return self._ask("predict_proba", X)

    @available_if(_estimator_has("predict_log_proba"))  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of these probabilities."""
        return self._ask("predict_log_proba", X)

    @available_if(_estimator_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        """The decision function of the choice."""
        return self._ask("decision_function", X)

    @available_if(_estimator_has("score_samples"))  # type: ignore[untyped-decorator]
    def score_samples(self, X: Any) -> Any:
        """Scores of single cases by the choice."""
        return self._ask("score_samples", X)

    @available_if(_estimator_has("transform"))  # type: ignore[untyped-decorator]
    def transform(self, X: Any) -> Any:
        """What the choice makes of the data."""
        return self._ask("transform", X)

    @available_if(_estimator_has("inverse_transform"))  # type: ignore[untyped-decorator]
    def inverse_transform(self, X: Any) -> Any:
        """The way back."""
        return self._ask("inverse_transform", X)

    @available_if(lambda search: hasattr(search.estimator, "set_output"))  # type: ignore[untyped-decorator]
    def set_output(self, *, transform: str | None = None) -> "ActsAsChoice":
        """Choose the container that `transform` returns."""
        self.estimator.set_output(transform=transform)
        if hasattr(self, "best_estimator_"):
            self.best_estimator_.set_output(transform=transform)
        return self

    @property
    def classes_(self) -> Any:
        """The classes that the choice knows."""
        _estimator_has("classes_")(self)
        return self.best_estimator_.classes_

    @property
    def n_features_in_(self) -> int:
        """How many features the choice was fitted on."""
        try:
            check_is_fitted(self)
        except Exception as error:
            raise AttributeError(f"{type(self).__name__} has no n_features_in_ yet.") from error
        return int(self.best_estimator_.n_features_in_)
