"""Scorers of scikit-learn: what they are called, and which way is better."""

import re
from collections.abc import Iterable
from typing import Any

from winodds.adapters.errors import ScorerNamedLikeError
from winodds.adapters.notes import higher_by_convention
from winodds.language.notes import Note
from winodds.table.errors import DirectionContradicts
from winodds.table.vocabulary import METRICS, known_metric

ERRORS = frozenset({"err", "errors", "losses", "deviance", "cost", "risk", "regret"}) | {
    name for name, metric in METRICS.items() if not metric.higher_is_better
}
"""Words that stand for something of which less is better."""

TURNED = frozenset({"neg", "negative", "minus", "d2"})
"""Words that turn an error into something of which more is better."""


def name_scorer(scoring: Any) -> str | None:
    """What a search's only scorer is called, if that is known; "neg_" if it turns a function round.

    >>> name_scorer("roc_auc"), name_scorer(None)
    ('roc_auc', None)
    """
    if scoring is None or isinstance(scoring, str):
        return scoring
    name = getattr(getattr(scoring, "_score_func", scoring), "__name__", None)
    if not isinstance(name, str) or not name.isidentifier():
        return None
    return f"neg_{name}" if getattr(scoring, "_sign", 1) < 0 else name


def direct_scorer(name: str, higher_is_better: bool | None) -> str:
    """Which way is better: up as scikit-learn has it, but one that is called like an error asks."""
    known = known_metric(name)
    if is_error(name):
        if higher_is_better is None:
            raise ScorerNamedLikeError(scorer=name)
    elif known is not None and higher_is_better is False:
        raise DirectionContradicts(metric=name, higher_is_better=False)
    return "down" if higher_is_better is False else "up"


def is_error(name: str) -> bool:
    """Whether a scorer is called like something of which less is better.

    >>> [is_error(it) for it in ("rmse", "my_err", "neg_log_loss", "d2_log_loss_score", "auc")]
    [True, True, False, False, False]
    """
    known = known_metric(name)
    if known is not None:
        return not known.higher_is_better
    words = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())
    return not TURNED.intersection(words) and not ERRORS.isdisjoint(words)


def note_conventions(names: Iterable[str]) -> list[Note]:
    """A word on scorers whose direction only scikit-learn's habit tells."""
    unknown = [name for name in names if known_metric(name) is None]
    return [higher_by_convention(unknown)] if unknown else []
