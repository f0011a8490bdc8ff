"""What to expect of the best score when the performances are known."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import binom

from winodds.language.checks import check_between, check_count, check_number, check_seed
from winodds.language.errors import BadOption
from winodds.show import present
from winodds.sota.answer import Metric, WhatIf
from winodds.sota.asked import Correlation, check_correlation, find_metric, state_test
from winodds.sota.errors import ImpossibleCorrelation
from winodds.sota.laws.dependence import largest_correlation, limits
from winodds.sota.laws.law import MaximumLaw
from winodds.sota.laws.maximum import maximum_law
from winodds.sota.laws.populations import Population, Uniform, identical
from winodds.sota.sampling import clopper_pearson

if TYPE_CHECKING:
    from winodds.show.charts.plots import Plots
    from winodds.show.figures.sota import LawFigures

MOST = 10**9
"""Entries at most; of more, the tails of laws are not known."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What a law of the largest score was computed from: the parameters of `law_of_maximum`."""

    players: int
    theta: float
    n: int | None
    spread: float
    correlation: float
    fixed: bool
    metric: Metric
    positives: int | None
    se: float | None
    seed: int

    def law(self) -> "StatedLaw":
        """The law of the largest score."""
        return law_of_maximum(**asdict(self))


@dataclass(frozen=True, slots=True)
class StatedLaw(MaximumLaw):
    """A law that knows what it was computed from, so that it can be drawn beside others.

    Attributes
    ----------
    stated : the parameters.
    """

    stated: Stated

    @property
    def figures(self) -> "LawFigures":
        """Figures of the law as tables: law, curves."""
        return present.LawFigures(self)

    @property
    def plot(self) -> "Plots":
        """The same figures as Altair charts; needs the extra ``winodds[report]``."""
        return present.Plots(self.figures)


def law_of_maximum(
    players: int,
    *,
    theta: float,
    n: int | None = None,
    spread: float = 0.0,
    correlation: float = 0.0,
    fixed: bool = False,
    metric: Metric | None = None,
    positives: int | None = None,
    se: float | None = None,
    seed: int = 0,
) -> StatedLaw:
    """The law of the largest score when the best of so many entries has a known performance.

    Parameters
    ----------
    players : how many entries.
    theta : expected performance of the best.
    n : size of the test set.
    spread : performances are uniform over a stretch of this length, else all the same.
    correlation : ρ₀ of each entry with what makes a case easy.
    fixed : whether exactly a share ``theta`` of the cases is easy, instead of each by chance.
    metric, positives, se : as for `estimate_sota`.
    seed : of the simulation, for "auc".

    Examples
    --------
    >>> law = law_of_maximum(1000, theta=0.9, n=3000)
    >>> round(law.mean, 4), round(law.bias, 4)
    (0.9173, 0.0173)
    """
    check_count("players", players)
    if players > MOST:
        wanted = f"it is at most {MOST:,}"
        raise BadOption(option="players", value=players, wanted=wanted)
    metric = find_metric(metric, None, positives, se)
    check_correlation(correlation)
    related = Correlation(correlation, "given")
    test = state_test(metric, n, None, positives, se, related, np.empty(0))
    population = _population(players, theta, spread, bounded=metric != "other")
    if fixed and metric != "accuracy":
        raise BadOption(option="fixed", value=True, wanted="it is for accuracies")
    if metric != "accuracy":
        law = test.sampling(correlation, check_seed(seed)).maximum(population)
    else:
        assert test.n is not None
        _refuse_impossible(population, theta, correlation)
        law = maximum_law(population, test.n, correlation=correlation, common=theta, fixed=fixed)
    stated = Stated(
        players, theta, n, spread, correlation, fixed, metric, positives, se, check_seed(seed)
    )
    return StatedLaw(law.values, law.log_cdf, law.best, stated)


def _refuse_impossible(population: Population, theta: float, correlation: float) -> None:
    """Refuse performances that cannot have this correlation with the best."""
    ends = (population.low, population.high) if isinstance(population, Uniform) else (theta,)
    for end in ends:
        low, high = limits(theta, correlation)
        if not low <= end <= high:
            largest = largest_correlation(end, theta)
            raise ImpossibleCorrelation(
                correlation=correlation, common=theta, theta=end, largest=largest
            )


def what_if(law: StatedLaw, *, level: float = 0.95) -> WhatIf:
    """What a law says, in numbers, and what a better entry could make of it."""
    check_between("level", level, 0.0, 1.0)
    low, high = law.interval(level)
    own, better, p_better = law.stated, None, None
    if own.metric == "accuracy":
        assert own.n is not None
        better = clopper_pearson(round(own.theta * own.n), own.n, level)[1]
        p_better = float(binom.sf(np.ceil(law.mean * own.n - 1e-9) - 1.0, own.n, better))
    shared = ("players", "theta", "spread", "correlation", "metric", "n", "positives", "se")
    return WhatIf(
        **{name: getattr(own, name) for name in shared},
        expected_max=law.mean,
        sd=law.sd,
        max_low=low,
        max_high=high,
        bias=law.bias,
        level=level,
        better=better,
        p_better=p_better,
    )


def _population(players: int, theta: float, spread: float, *, bounded: bool) -> Population:
    check_number("theta", theta)
    check_number("spread", spread)
    if spread < 0.0:
        raise BadOption(option="spread", value=spread, wanted="it is a length, 0 or more")
    high = theta + spread / (players + 1)
    if bounded and not (0.0 < theta < 1.0 and high - spread >= 0.0 and high <= 1.0):
        wanted = "performances lie between 0 and 1"
        which, value = ("spread", spread) if 0.0 < theta < 1.0 else ("theta", theta)
        raise BadOption(option=which, value=value, wanted=wanted)
    if spread == 0.0:
        return identical(theta, players)
    return Uniform(high - spread, high, players)
