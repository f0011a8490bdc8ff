"""The benchmark ontology: which column plays which role, and which way a metric points."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

PLAYER_NAMES = (
    "model",
    "player",
    "method",
    "classifier",
    "framework",
    "flow",
    "algorithm",
    "system",
    "name",
)
SPLIT_NAMES = ("split", "fold", "round", "resample", "seed")
TASK_NAMES = ("task", "dataset", "data")
SCORE_NAMES = ("score", "value", "result")
METRIC_NAMES = ("metric", "measure", "function")
DIRECTION_NAMES = ("direction", "higher_is_better", "greater_is_better")
STATUS_NAMES = ("status", "run_status", "state", "run_state")
BATTLE_NAMES = (
    ("model_a", "model_b", "winner"),
    ("left", "right", "winner"),
    ("winner", "loser"),
)
PROMPT_NAMES = ("question_id", "prompt_id", "question", "prompt", "instance_id", "item_id")
"""Columns that say on what two players met in a battle."""
VOTE_NAMES = (
    *("judge", "worker", "annotator", "rater", "user", "session", "evaluation_session"),
    *("prompt", "question"),
)
"""Columns whose values several battles share, so that these may agree."""

DONE = frozenset(
    {
        *("ok", "okay", "success", "successful", "succeeded", "done", "finished", "complete"),
        *("completed", "passed"),
    }
)
"""What a status says of a run that gave its score."""

FAILURES = (
    *("fail", "failed", "failure", "timeout", "oom", "error", "crash", "crashed", "killed"),
)
"""Words that stand for the score of a run that gave none, or for its status."""

FAILED = frozenset({*FAILURES, "cancelled", "canceled", "aborted"})
"""What a status says of a run that did not."""

UNDECIDED = frozenset({"running", "pending", "queued", "scheduled", "preempted", "skipped"})
"""What a status says of a run that has not ended."""


@dataclass(frozen=True, slots=True)
class Metric:
    """What a metric's name tells: its direction, and the range of its values."""

    higher_is_better: bool
    low: float
    high: float


_UNIT_UP = Metric(True, 0.0, 1.0)
_UNIT_DOWN = Metric(False, 0.0, 1.0)
_OPEN_DOWN = Metric(False, 0.0, inf)

METRICS: dict[str, Metric] = {
    **dict.fromkeys(
        (
            "auc",
            "roc_auc",
            "auroc",
            "area_under_roc_curve",
            "auc_ovo",
            "auc_ovr",
            "average_precision",
            "pr_auc",
            "precision",
            "recall",
            "sensitivity",
            "specificity",
            "f1",
            "f1_score",
            "f_measure",
        ),
        _UNIT_UP,
    ),
    **dict.fromkeys(
        (
            *("accuracy", "acc", "balanced_accuracy", "predictive_accuracy", "top1", "top5"),
            *("balacc", "acc_norm", "pass@1", "pass_at_1"),
            *("bleu", "rouge", "iou", "miou", "dice", "ndcg", "mrr", "exact_match"),
        ),
        Metric(True, 0.0, 100.0),
    ),
    **dict.fromkeys(("r2", "r_squared"), Metric(True, -inf, 1.0)),
    **dict.fromkeys(
        ("mcc", "kappa", "matthews_corrcoef", "matthews_correlation_coefficient"),
        Metric(True, -1.0, 1.0),
    ),
    **dict.fromkeys(("brier", "brier_score"), Metric(False, 0.0, 2.0)),
    **dict.fromkeys(("error_rate", "misclassification_rate"), _UNIT_DOWN),
    **dict.fromkeys(
        (
            "error",
            "metric_error",
            "loss",
            "logloss",
            "log_loss",
            "cross_entropy",
            "rmse",
            "root_mean_squared_error",
            "mse",
            "mean_squared_error",
            "mae",
            "mean_absolute_error",
            "mape",
            "rmsle",
            "perplexity",
            "nll",
            "fid",
            "wer",
            "cer",
            "hinge_loss",
            *("msle", "mase", "smape", "nrmse", "wape", "relative_absolute_error"),
            *("root_relative_squared_error", "word_perplexity", "byte_perplexity", "bits_per_byte"),
        ),
        _OPEN_DOWN,
    ),
}
"""Metrics by name. Accuracy is often given in percent, so its range reaches to 100."""


def known_metric(name: str) -> Metric | None:
    """The metric of this name, or None.

    A ``neg_`` prefix turns a metric around, as scikit-learn's scorers do.

    >>> known_metric("AUC")
    Metric(higher_is_better=True, low=0.0, high=1.0)
    >>> known_metric("neg_log_loss")
    Metric(higher_is_better=True, low=-inf, high=0.0)
    >>> known_metric("F1 (%)")
    Metric(higher_is_better=True, low=0.0, high=100.0)
    >>> known_metric("score") is None
    True
    """
    plain = without_prefix(plain_name(name))
    found = METRICS.get(plain.removeprefix("neg_"))
    if found is not None and plain.startswith("neg_"):
        found = Metric(not found.higher_is_better, -found.high, 0.0 - found.low)
    if found is not None and PERCENT.search(name.strip()):
        found = Metric(found.higher_is_better, 100.0 * found.low, 100.0 * found.high)
    return found


def without_prefix(plain: str) -> str:
    """A metric's plain name without what says on which data it was computed.

    >>> without_prefix("test_neg_log_loss"), without_prefix("metrics.val_auc")
    ('neg_log_loss', 'auc')
    """
    return re.sub(r"^((test|val|valid|validation|holdout|metrics?)[_.])+", "", plain)


def name_metrics(rounds: Sequence[str]) -> bool:
    """Whether some of the rounds are metrics by name; a round "r2" beside "r1" is none.

    >>> name_metrics(["accuracy", "time"]), name_metrics(["r1", "r2"]), name_metrics(["r2"])
    (True, False, True)
    """
    known = [name for name in rounds if known_metric(name) is not None]
    numbered = any(re.fullmatch(r"r\d+", plain_name(name)) for name in rounds if name not in known)
    return any(not numbered or plain_name(name) != "r2" for name in known)


def plain_name(name: str) -> str:
    """A column's name without case, blanks, a percent sign and a trailing ``_name`` or ``_id``.

    >>> plain_name("Data Set_ID"), plain_name("roc-auc"), plain_name("Accuracy (%)")
    ('data_set', 'roc_auc', 'accuracy')
    """
    without_unit = PERCENT.sub("", name.strip()).rstrip()
    return re.sub(r"(_name|_id)$", "", re.sub(r"[\s\-/]+", "_", without_unit.lower()))


PERCENT = re.compile(r"(\((in )?%\)|\[(in )?%\]|(in )?%)$")
"""A unit at the end of a column's name."""


def propose_roles(columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """For each role, the columns whose names suggest it.

    A data set or task is a tournament when a column of splits stands beside it, else the round.

    >>> propose_roles(["Model", "dataset", "fold", "auc"])
    {'player': ('Model',), 'round': ('fold',), 'tournament': ('dataset',), 'score': ('auc',)}
    >>> propose_roles(["classifier_name", "dataset_name", "accuracy"])["round"]
    ('dataset_name',)
    """
    splits = named(columns, SPLIT_NAMES)
    tasks = named(columns, TASK_NAMES)
    bare = {column: without_prefix(plain_name(column)) for column in columns}
    scores = sorted(
        (column for column in columns if bare[column] in SCORE_NAMES),
        key=lambda column: SCORE_NAMES.index(bare[column]),
    )
    metrics = tuple(column for column in columns if known_metric(column) is not None)
    return {
        "player": named(columns, PLAYER_NAMES),
        "round": splits or tasks,
        "tournament": tasks if splits else (),
        "score": tuple(scores) or metrics,
    }


def named(columns: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The columns whose plain names are among these, in the order of these."""
    found = [column for column in columns if plain_name(column) in names]
    return tuple(sorted(found, key=lambda column: names.index(plain_name(column))))
