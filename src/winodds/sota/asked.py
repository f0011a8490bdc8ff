"""What was asked about a contest: its test set, the correlation, and the way to estimate."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from winodds.arrays import Floats
from winodds.language.checks import (
    check_between,
    check_choice,
    check_count,
    check_number,
    check_seed,
)
from winodds.language.errors import BadOption
from winodds.language.notes import Note
from winodds.language.spelling import option
from winodds.sota import notes
from winodds.sota.answer import Metric
from winodds.sota.entries import Entries, Items, read_items
from winodds.sota.errors import (
    ClassesNeeded,
    EqualScores,
    ImpossibleSimilarity,
    PerfectScore,
    PositivesNeeded,
    SizeNeeded,
    TooFewEntries,
    TooFewItems,
)
from winodds.sota.field.seen import Noise
from winodds.sota.granularity import Granularity, check_size
from winodds.sota.laws.closeness import closeness
from winodds.sota.laws.dependence import (
    correlation_from_items,
    correlation_from_similarity,
    correlations,
)
from winodds.sota.looks.counts import Looked
from winodds.sota.sampling import Accuracy, Auc, AucNoise, Normal, Sampling
from winodds.table.directions import metric_directions
from winodds.table.vocabulary import known_metric, plain_name, without_prefix

TINY = 1e-12
"""Standard errors below it are lost in the digits of a score, and scores in those above 1/TINY."""

Method = Literal["population", "shrink", "crop", "posterior"]

LARGEST = 10_000_000
"""Cases of a test set at most."""

ASSUMED = 0.6
"""Correlation with the common variable when nothing is known."""

AUC_NAMES = ("auc", "roc_auc", "auroc", "area_under_roc_curve")
ERROR_NAMES = ("error", "error_rate", "misclassification_rate")
ACCURACY_NAMES = ("accuracy", "acc", "predictive_accuracy", "top1", "top5", "exact_match")


@dataclass(frozen=True, slots=True)
class Correlation:
    """ρ₀, where it comes from, and what was noticed on the way."""

    value: float
    source: str
    se: float | None = None
    items: int | None = None
    notes: tuple[Note, ...] = ()
    table: Items | None = None


@dataclass(frozen=True, slots=True)
class Cases:
    """The test set and its metric, as the caller states them."""

    metric: Metric
    n: int | None
    classes: int | None
    positives: int | None
    se: float | None

    def sampling(self, correlation: float, seed: int, best: float = 1.0) -> Sampling:
        """How scores vary around performances, of which the highest is about ``best``."""
        if self.metric == "other":
            assert self.se is not None
            return Normal(self.se, correlation)
        assert self.n is not None
        if self.metric == "accuracy":
            return Accuracy(self.n, correlation, best)
        assert self.positives is not None
        return Auc.plan(self.positives, self.n - self.positives, correlation, seed)

    @property
    def steps(self) -> int | None:
        """How many steps there are from the worst score to a perfect one, if scores have steps."""
        if self.positives is None or self.n is None:
            return self.n
        return self.positives * (self.n - self.positives)

    def noise(self, correlation: float, best: float = 1.0) -> Noise:
        """The same without laws of the largest score, which take long to prepare for AUCs."""
        if self.metric != "auc":
            return self.sampling(correlation, 0, best)
        assert self.n is not None
        assert self.positives is not None
        return AucNoise(self.positives, self.n - self.positives, correlation)

    def spread(self, theta: Floats) -> Floats:
        """Standard deviations of one score of performances."""
        return self.noise(0.0).own(theta)

    def larger(self, times: float) -> "Cases":
        """A test set on which scores vary as on so many of these together."""
        if self.metric == "other":
            assert self.se is not None
            return replace(self, se=self.se / float(np.sqrt(times)))
        assert self.n is not None
        if self.positives is None:
            return replace(self, n=max(round(times * self.n), 1))
        positives = max(round(times * self.positives), 1)
        negatives = max(round(times * (self.n - self.positives)), 1)
        return replace(self, n=positives + negatives, positives=positives)


@dataclass(frozen=True, slots=True)
class Way:
    """How the estimate is made."""

    method: Method
    conservative: bool
    level: float
    seed: int


@dataclass(frozen=True, slots=True)
class Contest:
    """Entries on a test set.

    Attributes
    ----------
    entries : all that have a score; more is better.
    above : (m,) scores of those that are better than guessing.
    floor : guessing, or where scores are shrunken to.
    looked : how many scores each entry's is the best of, if that was said.
    """

    entries: Entries
    above: Floats
    floor: float
    test: Cases
    looked: Looked | None = None


def find_metric(
    given: Metric | None, column: str | None, positives: int | None, se: float | None
) -> Metric:
    """What the scores are: as was said, or as other options or the column's name tell."""
    if given is not None:
        check_choice("metric", given, get_args(Metric))
        return given
    if se is not None or positives is not None:
        return "other" if se is not None else "auc"
    plain = without_prefix(plain_name(column or ""))
    if plain in AUC_NAMES:
        return "auc"
    if known_metric(column or "") is not None and plain not in ACCURACY_NAMES:
        wanted = f"it is no share of right cases; state its standard error with {option('se')}"
        if plain in ERROR_NAMES:
            wanted = "it is a share of wrong cases; give one minus it, the accuracy"
        raise BadOption(option="score", value=column, wanted=wanted)
    return "accuracy"


def check_way(
    method: Method, metric: Metric, *, conservative: bool, level: float, seed: int
) -> Way:
    check_choice("method", method, get_args(Method))
    check_between("level", level, 0.0, 1.0)
    if method == "posterior" and metric != "accuracy":
        wanted = "the posterior is there for accuracies only"
        raise BadOption(option="method", value=method, wanted=wanted)
    if method in ("population", "posterior") and conservative:
        wanted = (
            f"it is for {option('method', 'shrink')} and {option('method', 'crop')}; other methods "
            f"have an interval"
        )
        raise BadOption(option="conservative", value=True, wanted=wanted)
    return Way(method, conservative, level, check_seed(seed))


def find_direction(metric: Metric, column: str | None, *, given: bool | None) -> bool:
    """Whether higher is better: as the metric is, as its name tells, or as was said."""
    if metric == "other":
        return bool(metric_directions([column or "score"], higher_is_better=given)[0])
    if given is False:
        wanted = f"accuracies and AUCs are better when higher; other metrics need {option('se')}"
        raise BadOption(option="higher_is_better", value=False, wanted=wanted)
    return True


def find_floor(metric: Metric, classes: int | None, method: Method, scores: Floats) -> float:
    """Where scores are shrunken to."""
    if metric == "auc":
        return 0.5
    if metric == "other":
        return float(np.median(scores) if method == "shrink" else scores.min())
    if classes is None:
        if method in ("shrink", "posterior"):
            raise ClassesNeeded()
        return 0.0
    check_count("classes", classes)
    if classes < 2:
        wanted = "a classification has at least 2 classes"
        raise BadOption(option="classes", value=classes, wanted=wanted)
    return 1.0 / classes


def refuse_too_few(above: Floats, entries: Entries, floor: float) -> None:
    if above.size < 2:
        left_out = entries.scores.size - above.size
        raise TooFewEntries(entries=above.size, left_out=left_out, floor=floor)
    if above.min() == above.max():
        raise EqualScores(entries=above.size, score=float(above[0]))


def refuse_perfect(metric: Metric, top: float, way: Way) -> None:
    shrunken = way.method in ("shrink", "crop")
    if metric != "other" and top == 1.0 and shrunken and not way.conservative:
        raise PerfectScore(score=top, posterior=metric == "accuracy")


def find_correlation(
    metric: Metric,
    scores: Floats,
    names: Sequence[str] | None,
    correlation: float | None,
    similarity: float | None,
    items: Any,
) -> Correlation:
    """ρ₀ from the one source that was given."""
    given = {"correlation": correlation, "similarity": similarity, "items": items}
    sources = [name for name, value in given.items() if value is not None]
    if len(sources) > 1:
        wanted = f"{option(sources[0])} says it already"
        raise BadOption(option=sources[1], value=_shown(given[sources[1]]), wanted=wanted)
    if metric != "accuracy" and sources and sources != ["correlation"]:
        wanted = f"it is for accuracies; say {option('correlation')}"
        raise BadOption(option=sources[0], value=_shown(given[sources[0]]), wanted=wanted)
    if correlation is not None:
        return Correlation(check_correlation(correlation), "given")
    if similarity is not None:
        return _from_similarity(similarity, float(scores[scores >= np.median(scores)].mean()))
    return Correlation(ASSUMED, "assumed") if items is None else _from_items(items, names)


def adapt(related: Correlation, scores: Floats, test: Cases, *, looked: bool) -> Correlation:
    """An assumed ρ₀ that suits the scores (m,) above guessing.

    It is lower where the better half's middle cannot have it, and higher where the better half is
    closer together than luck would put it (unless each is the best of several, as ``looked`` says,
    which brings scores together, too).
    """
    if related.source != "assumed" or test.metric != "accuracy" or test.n is None:
        return related
    best = min(float(scores.max()), 1.0 - 0.5 / test.n)
    upper = scores[scores >= np.median(scores)]
    admitted = float(
        correlations(np.minimum(np.median(upper, keepdims=True), best), best, related.value)[0]
    )
    if admitted < related.value:
        return replace(related, value=np.floor(100.0 * admitted) / 100.0, source="board")
    close = None if looked else closeness(scores, test.n, related.value)
    if close is None or not close.too_close:
        return related
    least = np.sqrt(1.0 - close.ratio * (1.0 - related.value**2))
    return replace(related, value=min(np.floor(100.0 * float(least)) / 100.0, 0.99), source="board")


def _shown(value: Any) -> object:
    """A number, or what stands for a table in a sentence."""
    return value if isinstance(value, float) else "TABLE"


def check_correlation(value: float) -> float:
    """The value, if it can be a correlation with the common variable."""
    check_number("correlation", value)
    if not 0.0 <= value < 1.0:
        wanted = "it is at least 0 and below 1 (at 1 all entries would be the same)"
        raise BadOption(option="correlation", value=value, wanted=wanted)
    return float(value)


def _from_similarity(similarity: float, theta: float) -> Correlation:
    check_between("similarity", similarity, 0.0, 1.0)
    pair, common = correlation_from_similarity(similarity, theta)
    if pair < 0.0:
        least = theta**2 + (1.0 - theta) ** 2
        raise ImpossibleSimilarity(similarity=similarity, theta=theta, least=least)
    return Correlation(common, "similarity", notes=(notes.from_similarity(theta),))


def _from_items(items: Any, names: Sequence[str] | None) -> Correlation:
    table = read_items(items)
    found = correlation_from_items(table.right)
    if found.entries < 2 or found.items < 2:
        raise TooFewItems(entries=found.entries, items=found.items)
    said = notes.on_items(found, table.dropped, table.names, names)
    se = None if np.isnan(found.se) else found.se
    return Correlation(found.common, "items", se, found.items + table.dropped, said, table)


def state_test(
    metric: Metric,
    n: int | None,
    classes: int | None,
    positives: int | None,
    se: float | None,
    related: Correlation,
    scores: Floats,
) -> Cases:
    _refuse_foreign(metric, classes=classes, positives=positives, se=se)
    if metric == "other":
        _refuse_foreign(metric, n=n)
        if se is None:
            wanted = f"another metric needs the standard error of a score, {option('se')}"
            raise BadOption(option="metric", value=metric, wanted=wanted)
        check_between("se", se, 0.0, np.inf)
        if not TINY <= se <= 1.0 / TINY:
            wanted = f"it is {TINY:g} or more, and {1.0 / TINY:g} or less"
            raise BadOption(option="se", value=se, wanted=wanted)
        return Cases(metric, None, None, None, float(se))
    if n is None:
        n = related.items
    if n is None:
        raise size_needed(metric, scores, positives=metric == "auc" and positives is None)
    check_count("n", n)
    if n > LARGEST:
        wanted = f"exact laws are there for up to {LARGEST:,} cases"
        raise BadOption(option="n", value=n, wanted=wanted)
    n = int(n)
    if metric == "auc":
        check_positives(positives, n)
    return Cases(metric, n, classes, positives, None)


def ask_for_all(
    way: Way,
    metric: Metric,
    scores: Floats,
    *,
    n: int | None,
    classes: int | None,
    positives: int | None,
    items: bool,
) -> None:
    """Refuse a contest whose test set is unknown, with all that is to be said of it at once."""
    if metric == "other" or n is not None or items:
        return
    raise size_needed(
        metric,
        scores,
        positives=metric == "auc" and positives is None,
        classes=metric == "accuracy" and classes is None and way.method in ("shrink", "posterior"),
    )


def size_needed(
    metric: Metric, scores: Floats, *, positives: bool = False, classes: bool = False
) -> SizeNeeded:
    """The refusal that asks for the size of the test set, with the smallest that fits."""
    grain, percent = Granularity(0, None, None, None), False
    if metric == "accuracy" and scores.size and scores.min() >= 0.0 and scores.max() <= 100.0:
        percent = bool(scores.max() > 1.0)
        grain = check_size(scores / 100.0 if percent else scores)
    return SizeNeeded(
        smallest=grain.smallest,
        cut_off=grain.rule == "truncated",
        # As the board prints them.
        decimals=grain.decimals - 2 if percent else grain.decimals,
        positives=positives,
        classes=classes,
        percent=percent and grain.smallest is not None,
    )


def check_positives(positives: int | None, n: int) -> None:
    """Refuse a number of positive cases that a test set of n cannot have."""
    if positives is None:
        raise PositivesNeeded()
    check_count("positives", positives)
    if positives >= n:
        wanted = f"some of the {n:,} cases are negative"
        raise BadOption(option="positives", value=positives, wanted=wanted)


def _refuse_foreign(metric: Metric, **given: float | None) -> None:
    """Refuse what says nothing about this metric."""
    own = {"accuracy": "classes", "auc": "positives", "other": "se"}
    for name, value in given.items():
        if value is not None and name != own[metric]:
            wanted = f"it says nothing about {option('metric', metric)}"
            raise BadOption(option=name, value=value, wanted=wanted)
