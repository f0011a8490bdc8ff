"""The answer to "what is the state of the art?", with everything that it rests on."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from winodds.arrays import Floats
from winodds.language.notes import Note
from winodds.show import present
from winodds.sota.places.answer import Places

if TYPE_CHECKING:
    from winodds.show.charts.plots import Plots
    from winodds.show.figures.sota import SotaFigures

SCHEMA, LAW_SCHEMA = "winodds/sota/2", "winodds/maximum/1"


@dataclass(frozen=True, slots=True)
class Expected:
    """What the largest score is expected to be, with its interval."""

    value: float
    low: float
    high: float

    def turned(self) -> "Expected":
        """The same with the opposite direction."""
        return Expected(-self.value, -self.high, -self.low)


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The state of the art under another correlation; None where none explains the maximum.

    ``possible`` is False where only the best entry can have such a correlation. The interval and
    the probability that the best entry is truly the best come with the method "population".
    """

    correlation: float
    sota: float | None
    possible: bool = True
    low: float | None = None
    high: float | None = None
    p_best: float | None = None

    def turned(self) -> "Sensitivity":
        """The same with the opposite direction."""
        return replace(self, sota=_minus(self.sota), low=_minus(self.high), high=_minus(self.low))


@dataclass(frozen=True, slots=True)
class Contender:
    """Entries with the same score who may truly be the best.

    Attributes
    ----------
    name : of the entry, if there is one and it is known.
    score : theirs.
    entries : how many have it.
    p_best : how likely each of them is truly the best.
    """

    name: str | None
    score: float
    entries: int
    p_best: float


Metric = Literal["accuracy", "auc", "other"]

Verdict = Literal["luck", "ahead", "even", "perfect"]
"""What became of the best score."""


@dataclass(frozen=True, slots=True)
class PosteriorSummary:
    """What the posterior law of the best performance says, and what it rests on.

    Attributes
    ----------
    mean, sd, low, high : of the best performance, with the ends of its interval; None without any
        accepted contest, as is ``misfit``.
    ess : effective number of draws.
    epsilon : how close a simulated maximum is to the observed one.
    accepted, proposals : simulated contests that are this close, and all of them.
    misfit : how far, in standard errors, the median and the top tenth of the accepted contests
        are from the observed ones.
    useful : whether these draws are enough to tell anything.
    """

    mean: float | None
    sd: float | None
    low: float | None
    high: float | None
    ess: float
    epsilon: float
    accepted: int
    proposals: int
    misfit: float | None
    useful: bool


@dataclass(frozen=True, slots=True)
class Submitted:
    """What many submissions of the same entries gave them, and that it was taken out.

    Attributes
    ----------
    total, most : submissions of all entries, and of the one with the most.
    best, name : the best score of the board itself, and whose it is, if it is one entry's.
    looks : how many submissions that is the best of; of several entries, the fewest.
    worth : the same score as that of a single submission.
    alike, alike_from : correlation of two submissions of one entry, and "given" or "assumed".
    """

    total: int
    most: int
    best: float
    name: str | None
    looks: int
    worth: float
    alike: float
    alike_from: str

    def turned(self) -> "Submitted":
        """The same with the opposite direction."""
        return replace(self, best=-self.best, worth=-self.worth)


@dataclass(frozen=True, slots=True)
class Sota(present.Presented):
    """The performance of the best entry, once luck is taken out of the best score.

    Attributes
    ----------
    sota : the estimate.
    low, high : its interval; None for shrinking and cropping, which have none.
    p_best : how likely the entry with the best score is truly the best (each of them, if several
        have it); None where ``low`` is.
    contenders : who may truly be the best, by score.
    verdict : what became of the best score: it is "luck" in part; "ahead" of what luck explains;
        "even", because no luck is found in it; or "perfect", which no expectation reaches.
    estimated_by : the method that gave the estimate: "population" where the one asked for has none.
    observed_max : the largest score.
    expected, face_value : the largest score that the estimate leads to expect, and the one if
        all scores were performances; the first is None where a law of the best performance gave
        the estimate.
    weight, cut : how much the scores were shrunken, or where they were cropped; else None.
    floor : what scores were shrunken towards.
    correlation, correlation_from : ρ₀, and "given", "assumed", "board", "similarity" or "items".
    correlation_se : standard error of ρ₀ when it comes from items.
    sensitivity : the estimate under other correlations.
    entries : scores that were read.
    excluded : how many of them play no part, by reason.
    at_or_above : entries that score at least the estimate.
    naive_low, naive_high, in_naive_interval : the interval of the best score as if it were the only
        one, and how many entries score in it.
    method, conservative, level : how it was estimated.
    model, metric, n, classes, positives, se : the law of scores.
    explained : whether multiplicity explains the largest score: whether it is to be expected when
        performances are drawn from a list no better than the scores.
    at_floor : whether the estimate is the floor itself, because even there more is to be expected.
    p_second : when it is not explained, how likely so large a score would be if the best entry
        were only as good as the second score; else None.
    compatible_n, n_fits : the smallest test set that fits the printed decimals, and whether the
        stated one does.
    posterior : for the method "posterior".
    winner : name of the best entry, if it is known and alone.
    places : which places luck could have swapped, if that was asked.
    submitted : what many submissions gave, if their numbers are known; all scores are then those
        of single submissions, ``observed_max`` and ``winner`` among them.
    higher_is_better : the direction of scores.
    notes : doubts, in sentences.
    scores : (entries with a score,) the scores themselves, for a picture; not in JSON.
    """

    sota: float
    low: float | None
    high: float | None
    p_best: float | None
    contenders: tuple[Contender, ...]
    verdict: Verdict
    estimated_by: str
    observed_max: float
    expected: Expected | None
    face_value: Expected
    weight: float | None
    cut: float | None
    floor: float | None
    correlation: float
    correlation_from: str
    correlation_se: float | None
    sensitivity: tuple[Sensitivity, ...]
    entries: int
    excluded: Mapping[str, int]
    at_or_above: int
    naive_low: float
    naive_high: float
    in_naive_interval: int
    method: str
    conservative: bool
    level: float
    model: str
    metric: Metric
    n: int | None
    classes: int | None
    positives: int | None
    se: float | None
    explained: bool
    at_floor: bool
    p_second: float | None
    compatible_n: int | None
    n_fits: bool | None
    posterior: PosteriorSummary | None
    winner: str | None
    places: Places | None
    submitted: Submitted | None
    higher_is_better: bool
    notes: tuple[Note, ...]
    scores: Floats = field(default_factory=lambda: np.empty(0), repr=False, compare=False)

    @property
    def figures(self) -> "SotaFigures":
        """The figure of the entries as a table."""
        return present.SotaFigures(self)

    @property
    def plot(self) -> "Plots":
        """The same figure as an Altair chart; needs the extra ``winodds[report]``."""
        return present.Plots(self.figures)

    @property
    def scored(self) -> int:
        """Entries that have a score."""
        return self.entries - self.excluded["missing"]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data = asdict(self)
        del data["scores"]
        expected = data.pop("expected") or dict.fromkeys(("value", "low", "high"))
        face_value = data.pop("face_value")
        data["places"] = None if self.places is None else self.places.to_dict()
        return {
            "schema": SCHEMA,
            "sota": data.pop("sota"),
            "observed_max": data.pop("observed_max"),
            "expected_max": expected["value"],
            "max_low": expected["low"],
            "max_high": expected["high"],
            **data,
            "sensitivity": list(data["sensitivity"]),
            "contenders": list(data["contenders"]),
            "face_value": {
                "expected_max": face_value["value"],
                "max_low": face_value["low"],
                "max_high": face_value["high"],
            },
            "notes": [note.to_dict() for note in self.notes],
        }

    def turned(self) -> "Sota":
        """The same for scores of which less is better, which were turned around before."""
        return replace(
            self,
            sota=-self.sota,
            low=_minus(self.high),
            high=_minus(self.low),
            contenders=tuple(replace(one, score=-one.score) for one in self.contenders),
            observed_max=-self.observed_max,
            expected=None if self.expected is None else self.expected.turned(),
            face_value=self.face_value.turned(),
            cut=_minus(self.cut),
            floor=_minus(self.floor),
            sensitivity=tuple(one.turned() for one in self.sensitivity),
            naive_low=-self.naive_high,
            naive_high=-self.naive_low,
            places=None if self.places is None else self.places.turned(),
            submitted=None if self.submitted is None else self.submitted.turned(),
            higher_is_better=False,
            scores=-self.scores,
        )


@dataclass(frozen=True, slots=True)
class WhatIf(present.Presented):
    """What the largest score of a known population is expected to be.

    Attributes
    ----------
    players, theta, spread, correlation : the population; ``theta`` is the best performance.
    metric, n, positives, se : the law of scores.
    expected_max, sd, max_low, max_high, bias, level : of the largest score.
    better, p_better : the upper end of the interval of a single score of ``theta``, and the chance
        that an entry of this performance scores at least ``expected_max``; None for other metrics
        than accuracy.
    """

    players: int
    theta: float
    spread: float
    correlation: float
    metric: str
    n: int | None
    positives: int | None
    se: float | None
    expected_max: float
    sd: float
    max_low: float
    max_high: float
    bias: float
    level: float
    better: float | None
    p_better: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"schema": LAW_SCHEMA, **asdict(self)}


def _minus(value: float | None) -> float | None:
    return None if value is None else -value
