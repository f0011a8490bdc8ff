"""How many rounds are enough: ratings and order from some of the rounds, against all and others."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import numpy as np

from winodds.arrays import Floats, at_least
from winodds.board.evidence import Evidence
from winodds.fit.newton import fit
from winodds.inference.bootstrap import fill_urn
from winodds.inference.intervals import quantify
from winodds.inference.structure import find_structure
from winodds.inference.subsets import (
    Agreement,
    Judge,
    Looked,
    count_judges,
    draws_for,
    judge_by_clusters,
    judge_by_errors,
    plan_subsets,
)
from winodds.language.errors import BadOption
from winodds.language.nouns import HOUSE, Nouns, without_nouns
from winodds.language.options import Estimator, ScoreMatches
from winodds.matches.results import Battles, MatchKind
from winodds.show import present
from winodds.table.frames import build_frame
from winodds.workers import run_calls

SCHEMA = "winodds/enough/1"

SHARE = 0.95
"""Of the pairs that are told apart, by which the number of rounds is judged."""

SPREAD = (0.05, 0.95)
"""Quantiles over subsets that are shown beside a mean."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far ratings agree, as means over subsets; None where it cannot be told.

    Attributes
    ----------
    correlation : Pearson's, of the ratings.
    tau : Kendall's τ_b.
    difference : mean absolute difference of the ratings.
    same_order : share of all pairs in the same order; a tie counts half.
    low, high : what that share is in a poor and in a good subset: its 5% and 95% quantiles.
    """

    correlation: float | None
    tau: float | None
    difference: float | None
    same_order: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Subsets:
    """Subsets of one size.

    Attributes
    ----------
    size : how many rounds (or other clusters) a subset has.
    whole : agreement with all rounds, of which the subset is a part: better than that with others.
    others : agreement with as many other rounds; None where there are not so many.
    told_apart : pairs that the judging rounds tell apart, in a draw on average; None where too few
        rounds are left to judge.
    told_alike : share of those pairs that the subset has in the same order; None also where no
        pair is told apart.
    """

    size: int
    whole: Agreed
    others: Agreed | None
    told_apart: float | None
    told_alike: float | None


@dataclass(frozen=True, slots=True)
class Enough:
    """Ratings and order from subsets of the rounds, as a curve.

    Attributes
    ----------
    curve : by the size of the subsets, smallest first.
    enough : the smallest size from which on subsets have the ``share`` of the pairs in the same
        order that the judging rounds tell apart; None where no size that was judged has.
    share : what is asked of them.
    judges : how many other rounds judge, each pair alone at ``level``, by t of what each of them
        contributes; None where too few are left.
    matches : "within" rounds, "across" them, or "battles".
    unit : what is counted: "round", "tournament", "battle" or the column of clusters.
    units : how many of them there are.
    players : how many players.
    draws : subsets of each size.
    seed : of the random numbers.
    level : at which pairs are told apart.
    nouns : what players, rounds and tournaments are called.
    """

    curve: tuple[Subsets, ...]
    enough: int | None
    share: float
    judges: int | None
    matches: MatchKind
    unit: str
    units: int
    players: int
    draws: int
    seed: int
    level: float
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    @property
    def judged_up_to(self) -> int | None:
        """The largest size that was judged; None where none was."""
        return max((one.size for one in self.curve if one.told_alike is not None), default=None)

    @property
    def text(self) -> str:
        """From how many rounds on the order is nearly right, in words."""
        return present.describe_enough(self)

    def __str__(self) -> str:
        return self.text

    def columns(self) -> dict[str, list[Any]]:
        """The curve as columns, a row for each size; what is not known is None."""
        names = [part.name for part in fields(Agreed)]
        found: dict[str, list[Any]] = {"size": [one.size for one in self.curve]}
        for side in ("whole", "others"):
            sides = [getattr(one, side) for one in self.curve]
            for name in names:
                found[f"{side}_{name}"] = [getattr(own, name, None) for own in sides]
        for name in ("told_apart", "told_alike"):
            found[name] = [getattr(one, name) for one in self.curve]
        return found

    def frame(self, backend: str = "polars") -> Any:
        """The curve as a data frame."""
        columns = self.columns()
        kinds = {name: int if name == "size" else float for name in columns}
        return build_frame(columns, kinds, backend=backend)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "schema": SCHEMA,
            **without_nouns(asdict(self)),
            "curve": [asdict(one) for one in self.curve],
        }


def look_at_subsets(
    part: Evidence,
    *,
    matches: ScoreMatches | None,
    unit: str,
    share: float,
    draws: int | None,
    seed: int,
    n_jobs: int | None = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Enough:
    """Look at subsets of the clusters of players who all met.

    Parameters
    ----------
    part : their games and ratings.
    matches : how scores become matches; by default as on the board.
    unit : what a cluster is.
    share : of the pairs that are told apart, that are to be in the same order.
    draws : subsets of each size; by default 100, and fewer for many players.
    seed : of the random numbers.
    n_jobs, progress : see `winodds.workers.run_calls`.
    """
    own = _with_matches(part, matches)
    draws = draws_for(part.size) if draws is None else draws
    urn = fill_urn(own.games, own.wins)
    level, clusters = own.intervals.level, urn.kind.size
    calls = plan_subsets(urn, own.lasting, judge_of(own), ridge=own.ridge, draws=draws, seed=seed)
    curve = tuple(_sum_up(one) for one in run_calls(calls, n_jobs, progress))
    judges = count_judges(clusters)
    return Enough(
        curve=curve,
        enough=find_enough(curve, share),
        share=share,
        judges=judges if clusters - judges >= 2 else None,
        matches=own.games.kind,
        unit=unit,
        units=clusters,
        players=own.size,
        draws=draws,
        seed=seed,
        level=level,
    )


def judge_of(own: Evidence) -> Judge:
    """What some clusters tell of pairs, by nothing that the others have a part in.

    Matches across rounds hang on two of them each. So there, too, the wins within rounds tell.
    """
    if own.wins.evidence.power > 1:
        return judge_of(_with_matches(own, "within"))
    found = own.uncertainty_by("robust")
    parts, level = found.contributions, found.intervals.level
    if parts is None or parts.clustering.share is None:
        se = found.contrast_matrix().se
        return judge_by_errors(se, found.intervals.clusters, level)
    scale = parts.scale / np.sqrt(own.overlap)
    # Where players took part in different rounds, a pair's share is taken as that of all players.
    shares = parts.clustering.share.mean(axis=0) * parts.value[:, None]
    return judge_by_clusters(shares + scale * parts.deviation, level)


def _with_matches(part: Evidence, matches: ScoreMatches | None) -> Evidence:
    """The evidence with matches counted in another way, by an estimator that always exists."""
    if matches is None or matches == part.games.kind:
        return part
    if isinstance(part.games.played, Battles):
        wanted = "battles were arranged one by one, and have no rounds"
        raise BadOption(option="matches", value=matches, wanted=wanted)
    shrunken = part.estimator == "ridge"
    estimator: Estimator = "ridge" if shrunken else "bias-reduced"
    games = replace(part.games, kind=matches)
    wins = games.count()
    sd = part.ridge**-0.5 if shrunken else None
    found = fit(wins.wins, wins.design, estimator=estimator, prior_sd=sd)
    judged = quantify(
        wins,
        found,
        find_structure(wins),
        level=part.intervals.level,
        overlap=part.overlap,
        shrunken=shrunken,
        center=part.intervals.center,
    )
    return Evidence(games, estimator, part.ridge, judged.intervals)


def _sum_up(found: Looked) -> Subsets:
    clear = None if found.clear is None else float(found.clear.mean())
    alike = None
    if found.clear is not None and found.agreed is not None and found.clear.sum() > 0.0:
        alike = float(found.agreed.sum() / found.clear.sum())
    return Subsets(
        size=found.size,
        whole=_average(found.whole),
        others=None if found.others is None else _average(found.others),
        told_apart=clear,
        told_alike=alike,
    )


def _average(found: Agreement) -> Agreed:
    low, high = (_quantile(found.same_order, tail) for tail in SPREAD)
    return Agreed(
        correlation=_mean(found.correlation),
        tau=_mean(found.tau),
        difference=_mean(found.difference),
        same_order=_mean(found.same_order),
        low=low,
        high=high,
    )


def _mean(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else None


def _quantile(values: Floats, tail: float) -> float | None:
    known = values[~np.isnan(values)]
    return float(np.quantile(known, tail)) if known.size else None


def find_enough(curve: Sequence[Subsets], share: float) -> int | None:
    """The smallest size from which on all that were judged have the share."""
    found = None
    for one in reversed([one for one in curve if one.told_alike is not None]):
        if not at_least(one.told_alike, share):
            break
        found = one.size
    return found
