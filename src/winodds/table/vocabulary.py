"""The benchmark ontology: which column plays which role, and which way a metric points."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    "learner",
    "regressor",
    *("modell", "verfahren", "methode"),
)
SPLIT_NAMES = (
    *("split", "fold", "round", "resample", "seed", "iteration", "iter"),
    *("wiederholung", "durchlauf", "durchgang"),
)
REPEAT_NAMES = ("repeat", "repetition", "rep", "trial", "run")
"""Columns that may number repetitions; asked for only where scores repeat."""
ITEM_NAMES = ("item", "question", "instance", "sample", "example", "prompt")
"""Columns that say what was asked; they are rounds where nothing else is a split."""
TASK_NAMES = ("task", "dataset", "data", "data_set", "datensatz", "aufgabe")
SCORE_NAMES = ("score", "value", "result", "wert", "ergebnis")
METRIC_NAMES = ("metric", "measure", "function", "metrik", "kennzahl")
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

UNDECIDED = frozenset(
    {
        *("running", "pending", "queued", "scheduled", "preempted", "preempting", "skipped"),
        *("pruned", "waiting"),
    }
)
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
            *("genauigkeit", "trefferquote"),
            *("bleu", "rouge", "iou", "miou", "dice", "ndcg", "mrr", "exact_match"),
        ),
        Metric(True, 0.0, 100.0),
    ),
    **dict.fromkeys(("c_index", "concordance_index"), _UNIT_UP),
    **dict.fromkeys(("correct", "resolved", "solved"), _UNIT_UP),
    "reward": Metric(True, -inf, inf),
    **dict.fromkeys(("r2", "r_squared"), Metric(True, -inf, 1.0)),
    **dict.fromkeys(
        (
            *("mcc", "kappa", "matthews_corrcoef", "matthews_correlation_coefficient"),
            *("spearman", "spearmanr", "pearson", "pearsonr"),
        ),
        Metric(True, -1.0, 1.0),
    ),
    **dict.fromkeys(("brier", "brier_score"), Metric(False, 0.0, 2.0)),
    **dict.fromkeys(("error_rate", "misclassification_rate", "fehlerrate"), _UNIT_DOWN),
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
            *("crps", "wql"),
        ),
        _OPEN_DOWN,
    ),
}
"""Metrics by name. Accuracy is often given in percent, so its range reaches to 100."""

LAST_WORDS = frozenset(
    {
        *("accuracy", "acc", "auc", "auroc", "f1", "bleu", "iou", "miou", "ndcg", "mrr"),
        *("loss", "logloss", "rmse", "mse", "mae", "mape", "smape", "mase", "rmsle", "perplexity"),
        *("nll", "wer", "cer", "fid", "crps"),
    }
)
"""Metrics that other words may stand before, as in "imagenet_acc"."""

AGGREGATES = frozenset(
    {
        *("mean", "average", "avg", "median", "total", "sum", "overall", "min", "max", "minimum"),
        *("maximum", "std", "sd", "stdev", "stddev", "se", "sem", "var", "variance", "ci", "rank"),
        *("mean_rank", "average_rank", "avg_rank", "mean_score", "average_score", "avg_score"),
        *("rank_mean", "wins", "geomean", "gmean", "iqr", "count", "n"),
    }
)
"""Names of columns, rounds and data sets that sum up others."""

SPREADS = frozenset({"std", "sd", "se", "sem", "stderr", "stdev", "stddev"})
"""Last words of the names of what says how much scores vary."""


def known_metric(name: str) -> Metric | None:
    """The metric of this name, or None.

    A ``neg_`` prefix turns a metric around, as scikit-learn's scorers do.

    >>> known_metric("AUC")
    Metric(higher_is_better=True, low=0.0, high=1.0)
    >>> known_metric("neg_log_loss")
    Metric(higher_is_better=True, low=-inf, high=0.0)
    >>> known_metric("F1 (%)")
    Metric(higher_is_better=True, low=0.0, high=100.0)
    >>> known_metric("acc,none") == known_metric("acc"), known_metric("score") is None
    (True, True)
    """
    bare = without_arrow(name)
    plain = without_prefix(plain_name(bare.partition(",")[0]))
    found = METRICS.get(plain.removeprefix("neg_"))
    if found is not None and plain.startswith("neg_"):
        found = Metric(not found.higher_is_better, -found.high, 0.0 - found.low)
    if found is not None and PERCENT.search(bare.strip()):
        found = replace(found, low=100.0 * found.low, high=100.0 * found.high)
    up = arrow_of(name)
    return Metric(up, -inf, inf) if found is None and up is not None else found


def likely_metric(name: str) -> Metric | None:
    """The metric of this name, or that of its last word, whose range nobody knows; or None.

    Whoever says another direction than that of a last word knows better.

    >>> likely_metric("imagenet_acc"), likely_metric("acc_stderr")
    (Metric(higher_is_better=True, low=-inf, high=inf), None)
    """
    found, plain = known_metric(name), plain_name(without_arrow(name).partition(",")[0])
    if found is None and "neg" not in plain and (last := _last_word(plain)) in LAST_WORDS:
        return Metric(METRICS[last].higher_is_better, -inf, inf)
    return found


ARROW = re.compile(
    r"[\s$({\[]*(?:(?P<up>↑|⬆\ufe0f?|▲|\\uparrow|(?:higher|larger|bigger) (?:is )?better)"
    r"|(?P<down>↓|⬇\ufe0f?|▼|\\downarrow|(?:lower|smaller) (?:is )?better))[\s$)}\]]*",
    re.IGNORECASE,
)
"""What in a name says which way is better."""


def arrow_of(name: str) -> bool | None:
    """Whether higher is better by an arrow, or such words, in a name; None where there is none.

    >>> arrow_of("WER ↓"), arrow_of("Quality (higher is better)"), arrow_of("auc")
    (False, True, None)
    """
    found = {arrow.lastgroup == "up" for arrow in ARROW.finditer(name)}
    return found.pop() if len(found) == 1 else None


def without_arrow(name: str) -> str:
    """A name without what says which way is better.

    >>> without_arrow("WER (↓)"), without_arrow("↑ acc"), without_arrow("auc")
    ('WER', 'acc', 'auc')
    """
    return ARROW.sub(" ", name).strip() if ARROW.search(name) else name


TRAINING = frozenset({"train", "training", "fit", "in_sample"})
PARTS = TRAINING | {"val", "valid", "validation", "dev", "test", "testing", "holdout"}
"""Names of parts of the data; whoever learned from the first ones does well there."""


def parts_with_training(names: Sequence[str]) -> list[str]:
    """The names, if all of them are parts of the data and some are those that models learn from.

    >>> parts_with_training(["train", "test"]), parts_with_training(["dev", "test"])
    (['train', 'test'], [])
    """
    plain = {plain_name(name) for name in names}
    return [*names] if len(plain) > 1 and plain <= PARTS and plain & TRAINING else []


def is_training(name: str) -> bool:
    """Whether the name of a score says that it was measured on what was learned from.

    >>> is_training("train_accuracy"), is_training("Accuracy (training)"), is_training("test_acc")
    (True, True, False)
    """
    words = re.findall(r"[a-z0-9]+", name.lower())
    return len(words) > 1 and bool({words[0], words[-1]} & {"train", "training"})


def is_spread(name: str) -> bool:
    """Whether a name says that its values tell how much scores vary.

    >>> is_spread("acc_stderr,none"), is_spread("accuracy (std)"), is_spread("mse")
    (True, True, False)
    """
    return _last_word(plain_name(name.partition(",")[0])) in SPREADS


def _of_training(column: str) -> bool:
    """Whether a column's name says that its metric was computed on training data."""
    return not TRAINING.isdisjoint(re.findall(r"[a-z]+", TOOLS.sub("", column.lower()))[:2])


def _last_word(plain: str) -> str:
    return next(reversed(re.findall(r"[a-z0-9]+", plain)), "")


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
    known = [name for name in rounds if likely_metric(name) is not None]
    numbered = any(re.fullmatch(r"r\d+", plain_name(name)) for name in rounds if name not in known)
    return any(not numbered or plain_name(name) != "r2" for name in known)


def plain_name(name: str) -> str:
    """A column's name without case, blanks, a percent sign and a trailing ``_name`` or ``_id``.

    >>> plain_name("Data Set_ID"), plain_name("roc-auc"), plain_name("Accuracy (%)")
    ('data_set', 'roc_auc', 'accuracy')
    >>> plain_name("learner.id")
    'learner'
    """
    without_unit = PERCENT.sub("", name.strip()).rstrip()
    return re.sub(r"[_.](name|id)$", "", re.sub(r"[\s\-/]+", "_", without_unit.lower()))


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
    splits = named(columns, SPLIT_NAMES) or named(columns, ITEM_NAMES)
    tasks = named(columns, TASK_NAMES)
    bare = {column: without_prefix(plain_name(column)) for column in columns}
    scores = sorted(
        (column for column in columns if bare[column] in SCORE_NAMES),
        key=lambda column: SCORE_NAMES.index(bare[column]),
    )
    metrics = tuple(column for column in columns if likely_metric(column) is not None)
    # What a model scores on its training data is hardly what is meant.
    metrics = tuple(sorted(metrics, key=_of_training))
    return {
        "player": named(columns, PLAYER_NAMES),
        "round": splits or tasks,
        "tournament": tasks if splits else (),
        "score": tuple(scores) or metrics,
    }


TOOLS = re.compile(r"^(user_attrs|system_attrs|params?|hparams?|hyperparameters?|config|tags)[._]")
"""What tools put before the names of what they were told."""


def named(columns: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The columns whose plain names are among these, in the order of these.

    Those that only tools name so (``params.model``) or that may name anything (``name``) give way
    to others.

    >>> named(["Name", "model.name"], PLAYER_NAMES), named(["params_fold"], SPLIT_NAMES)
    (('model.name',), ('params_fold',))
    """
    plain = {column: plain_name(column) for column in columns}
    found = [column for column in columns if plain[column] in names]
    if not found:
        plain = {column: TOOLS.sub("", name) for column, name in plain.items()}
        found = [column for column in columns if plain[column] in names]
    found = [column for column in found if plain[column] != "name"] or found
    return tuple(sorted(found, key=lambda column: names.index(plain[column])))
