"""What sums up others: rounds and data sets by their names, players by name and scores."""

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

import numpy as np

from winodds.arrays import Floats
from winodds.table.cells import Cells
from winodds.table.errors import SummariesAmong, SummingPlayer
from winodds.table.names import NUMERAL, Index
from winodds.table.vocabulary import AGGREGATES, plain_name

MEANS = frozenset({"mean", "average", "avg", "median", "overall", "geomean", "mittelwert"})
"""Words with which names of summaries begin or end, beside others that add nothing."""

BESIDE = AGGREGATES | {
    *("score", "scores", "ranks", "ranking", "value", "values", "result", "results", "accuracy"),
    *("acc", "auc", "f1", "error", "performance", "all", "over", "of", "the", "across", "cv"),
    *("fold", "folds", "seed", "seeds", "run", "runs", "split", "splits", "task", "tasks", "data"),
    *("dataset", "datasets", "set", "sets", "test", "val", "macro", "micro", "weighted", "grand"),
    *("harmonic", "geometric", "arithmetic", "unweighted", "normalized", "normalised"),
}
"""Words that say of a summary of what it is, or which one."""

OUTCOME = r"(w(ins?)?|t(ies?)?|d(raws?)?|l(oss(es)?)?)"
COUNTS = re.compile(
    rf"(#|no\. of |number of )?({OUTCOME}([\s/–:-]+{OUTCOME})+|wins|losses)", re.IGNORECASE
)
"""Names of numbers of wins, ties and losses: "W/T/L", "#wins"."""

TESTS = frozenset({"wilcoxon", "friedman", "nemenyi", "bonferroni", "holm", "sign", "t"})
"""First words of the names of what a test says, before "p", "test" or "p-value"."""

DIFFERENCES = re.compile(
    r"[Δ∆δ].*|(vs|versus)\b.*|(abs\.?|absolute|rel\.?|relative)?[\s_-]*"
    r"(gain|improvement|difference|diff|uplift|speed-?up)s?([\s_-]+(over|vs|to|w\.?r\.?t)\b.*)?",
    re.IGNORECASE,
)
"""Names of differences to something: "Δ", "vs. SOTA", "Rel. improvement"."""

TOGETHER = frozenset({"all", "total", "pooled"})
"""Names of all rounds together, beside numbers."""

SUMS_UP_PLAYERS: dict[str, str] = {
    **dict.fromkeys(("mean", "average", "avg", "mittelwert"), "mean"),
    **dict.fromkeys(("best", "worst", "max", "min", "maximum", "minimum", "oracle"), "best"),
    **dict.fromkeys(("vbs", "virtual_best", "virtual_best_solver", "sota", "top"), "best"),
    **dict.fromkeys(("median",), "median"),
    **dict.fromkeys(("sum", "total"), "sum"),
    **dict.fromkeys(("std", "sd", "stdev", "stddev"), "spread"),
}
"""Names of players that may be a summary of the others, by what they would have of their scores."""


def bare_name(name: str) -> str:
    """A name without its units, stars and stops.

    >>> bare_name("Avg."), bare_name("*Mean* (%)"), bare_name("Improvement [%]")
    ('Avg', 'Mean', 'Improvement')
    """
    without = re.sub(r"[(\[][^()\[\]]*[)\]]$", "", name.strip()).rstrip()
    return (without or name).strip(" \t*_.:†‡")


def is_summary(name: str) -> bool:
    """Whether a round or data set of this name sums up others, wherever it stands.

    >>> [is_summary(name) for name in ("Avg.", "CV mean", "Wilcoxon p", "W-T-L", "Δ", "p-value")]
    [True, True, True, True, True, True]
    >>> [is_summary(name) for name in ("adult", "friedman1", "climate change", "mean_teacher")]
    [False, False, False, False]
    """
    bare = bare_name(name)
    if plain_name(bare) in AGGREGATES - {"n"}:
        return True
    if COUNTS.fullmatch(bare) or is_difference(bare):
        return True
    words = [word for word in re.findall(r"[^\W_]+", bare.lower()) if not word.isdigit()]
    if MEANS.intersection((*words[:1], *words[-1:])):
        return BESIDE.issuperset({*words} - MEANS)
    return _is_test(words)


def is_difference(name: str) -> bool:
    """Whether it is the name of a difference to something else.

    >>> [is_difference(name) for name in ("Δ acc", "Improvement (%)", "vs. SOTA", "gain", "delta")]
    [True, True, True, True, False]
    """
    return DIFFERENCES.fullmatch(bare_name(name)) is not None


def _is_test(words: Sequence[str]) -> bool:
    """Whether the words name what a test says of all rounds."""
    value = words[-1:] == ["pvalue"] or words[-2:] in (["p", "value"], ["p", "values"])
    named = len(words) > 1 and words[0] in TESTS and words[-1] in {"p", "test"}
    return value or named or list(words) in (["wilcoxon"], ["nemenyi"])


def refuse_summaries(rounds: Index, unit: str) -> None:
    """Refuse rounds, or data sets, whose names say that they are no such thing."""
    if found := summaries_among(rounds.names):
        raise SummariesAmong(names=found, unit=unit)


def summaries_among(names: Sequence[str]) -> list[str]:
    """The names that stand for a summary of the others, if there are others.

    >>> summaries_among(["1", "2", "mean", "Std"]), summaries_among(["mean", "max"])
    (['mean', 'Std'], [])
    >>> summaries_among(["1", "2", "all"]), summaries_among(["ALL", "colon"])
    (['all'], [])
    """
    found = [name for name in names if is_summary(name)]
    others = [name for name in names if name not in found]
    together = [name for name in others if plain_name(bare_name(name)) in TOGETHER]
    numbers = [name for name in others if NUMERAL.fullmatch(name)]
    if together and numbers and len(together) + len(numbers) == len(others):
        found += together
    return [name for name in names if name in found] if len(found) < len(names) else []


# Players ------------------------------------------------------------------------------------------


def refuse_summing_player(names: Sequence[str], cells: Cells) -> None:
    """Refuse a player called like a summary, with that of the others' scores in every round."""
    for player, name in enumerate(names):
        kind = SUMS_UP_PLAYERS.get(plain_name(bare_name(name)))
        if kind is not None and (what := _found(kind, player, cells)) is not None:
            raise SummingPlayer(player=name, what=what)


def _found(kind: str, player: int, cells: Cells) -> str | None:
    """What a player has of the others' scores in each round, two at least."""
    own = cells.keep((cells.player == player) & np.isfinite(cells.value))
    others = cells.keep((cells.player != player) & np.isfinite(cells.value))
    others = others.keep(np.isin(others.round, own.round))
    rounds, start, sizes = np.unique(others.round, return_index=True, return_counts=True)
    if rounds.size < 2 or rounds.size < own.round.size or sizes.min() < 2:
        return None
    parts = np.split(others.value, start[1:])
    slack = (_unit(own.value) + _unit(others.value)) / 2.0 + 1e-9 * np.abs(own.value)
    for what, summary in _summaries(kind):
        guess = np.array([summary(part) for part in parts])
        if (np.abs(own.value - guess) <= slack).all():
            return what
    return None


def _summaries(kind: str) -> Iterator[tuple[str, Callable[[Floats], float]]]:
    match kind:
        case "mean":
            yield "mean", lambda part: float(part.mean())
        case "best":
            yield "largest", lambda part: float(part.max())
            yield "smallest", lambda part: float(part.min())
        case "median":
            yield "median", lambda part: float(np.median(part))
        case "sum":
            yield "sum", lambda part: float(part.sum())
        case _:
            yield "standard deviation", lambda part: float(part.std())
            yield "standard deviation", lambda part: float(part.std(ddof=1))


def _unit(value: Floats) -> float:
    """The last decimal of some numbers, as they are written shortest."""
    least = min(Decimal(repr(it)).normalize().as_tuple().exponent for it in value.tolist())
    return float(10.0 ** min(int(least), 0))
