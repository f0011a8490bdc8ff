"""What became of a fit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Status: TypeAlias = Literal["ok", "failed", "timeout", "oom", "crash"]
"""How a fit ended: with its scores, by an error or without a score, by the limit of time or of
memory, or with its worker."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one fit ended, and what it scored.

    Attributes
    ----------
    status : how it ended.
    scores : by metric; None where there is none.
    reasons : by metric, why there is no score.
    fit_seconds, score_seconds : how long fitting and scoring took; None if it did not come so far.
    warned : the first warning that it gave, with its class.
    versions : of the packages that it was computed with.
    limit : the seconds or megabytes that ended it.
    """

    status: Status
    scores: Mapping[str, float | None]
    reasons: Mapping[str, str] = field(default_factory=dict)
    fit_seconds: float | None = None
    score_seconds: float | None = None
    warned: str | None = None
    versions: str | None = None
    limit: float | None = None


def without_scores(
    status: Status, metrics: tuple[str, ...], reason: str, *, limit: float | None = None
) -> Outcome:
    """The outcome of a fit that has no score, with one reason for all metrics.

    >>> without_scores("timeout", ("auc",), "it took longer than 5 s", limit=5.0).reasons
    {'auc': 'it took longer than 5 s'}
    """
    return Outcome(status, dict.fromkeys(metrics), dict.fromkeys(metrics, reason), limit=limit)


@dataclass(frozen=True, slots=True)
class Finished:
    """A fit that is done, with the names under which it was planned.

    Attributes
    ----------
    fit : its key.
    player, tournament, round : whose fit it is.
    seed : from which its random numbers came.
    outcome : how it ended.
    """

    fit: str
    player: str
    tournament: str
    round: str
    seed: int
    outcome: Outcome
