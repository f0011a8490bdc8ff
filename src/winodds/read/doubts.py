"""Which columns of a wide table hold no scores, by their names and by their values."""

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

import numpy as np
import polars as pl

from winodds.arrays import Floats
from winodds.language.options import Decimal
from winodds.language.words import list_some, number, quote
from winodds.read.numbers import parse_numbers
from winodds.read.oddities import Oddity, Wideness, find_oddities
from winodds.table.summaries import bare_name, is_difference, is_summary
from winodds.table.vocabulary import (
    AGGREGATES,
    PARTS,
    SPREADS,
    TRAINING,
    is_training,
    likely_metric,
    plain_name,
)

SUMMARY_STARTS = SPREADS | {
    *("mean", "average", "avg", "median", "overall", "geomean", "rank", "min", "max", "total"),
    *("mittel", "mittelwert", "durchschnitt", "moyenne", "promedio"),
}
"""First words of the names of columns that sum up others: "Mean accuracy"."""

SUMMARY_ENDS = frozenset({"mean", "average", "avg", "rank", "ranking", "ci", "mittelwert"})
"""Last words of such names, behind others: "Macro avg"."""

PROPERTIES = frozenset(
    {
        *("year", "date", "param", "params", "parameters", "size", "time", "runtime", "duration"),
        *("seconds", "id", "index", "version", "url", "license", "cost", "price", "unnamed"),
        *("latency", "throughput", "walltime", "flops", "macs", "gflops", "votes", "position"),
        *("likes", "downloads", "stars", "hub", "rtf", "rtfx", "vram", "fps", "epochs"),
        *("elapsed", "kwh", "mwh", "joules", "watts", "co2", "speed", "released"),
    }
)
"""Last words of the names of columns that tell something else about a model."""

PROPERTY_STARTS = frozenset({"unnamed", "param", "params", "parameters", "index"})
"""First words of such names."""

COUNTED = re.compile(r"(n_|num[_ ]|nr[_. ]|number of |no\. of |count of |# ?)[a-z]", re.IGNORECASE)
"""Beginnings of names of what is counted: "n_test", "Number of Mutants"."""

UNITS = re.compile(
    r"[(\[](s|sec|secs|ms|μs|µs|min|h|hrs|kb|mb|gb|gib|mib|\$|usd|€|eur)[)\]]$", re.I
)
"""Units of time, memory and money behind a name."""

RATES = re.compile(
    r"(/|\bper[ _]|_per_)[ _]?(\d+[km]?[ _]?)?(s|secs?|seconds?|min|minutes?|h|hrs?|hours?|days?"
    r"|images?|imgs?|queries|query|tokens?|samples?|epochs?)$|^[$€£]",
    re.IGNORECASE,
)
"""Names of speeds and prices: "images/s", "tokens per second", "$/1M tokens"."""

TIMES = re.compile(
    r"(fit|train(ing)?|pred(ict(ion)?)?|infer(ence)?|eval(uation)?|test|run|wall|cpu|gpu|elapsed"
    r"|score|search|total|compute|build|solve|exec(ution)?|refit)[ _-]?"
    r"(time|secs?|seconds|ms)(?![a-z])|\btime[ _](taken|elapsed)",
    re.IGNORECASE,
)
"""Names of durations, wherever they stand: "pred_time_val", "Time Taken", "predict_ms"."""

HITS = frozenset({"tp", "fp", "tn", "fn"})
"""Names of counts of hits and misses, where several of them stand side by side."""

EXTREMES = frozenset({"best", "worst", "best_score", "worst_score"})
LATEST = frozenset({"last", "final", "first", "latest"})
"""Names beside which "best" is a checkpoint and no summary."""

QUALIFIERS = SPREADS | {"rank", "time", "err", "error", "ci", "p", "wins", "seconds", "n"}
"""Words that stand beside a player's name over what is told of it besides its scores."""

SIGNS = re.compile(r"[❤⭐★👍🤗⬇\U0001f525]")
"""Signs of what readers think of a model."""

SUMMARY, PROPERTY, DIFFERENCE, LEARNED, UNNAMED, TEXT = (
    "a summary, by its name",
    "something else than scores, by its name",
    "differences to something, by its name",
    "scores on training data, by its name",
    "no name in the header, as row numbers have none",
    "text",
)

REASONS = {
    "numbered": "1, 2, 3 and so on, once each",
    "mean": "the mean of {of}",
    "sum": "the sum of {of}",
    "weighted": "a weighted mean of {of}",
    "ranks": "mean ranks over {of}",
    "best": "in every row the best, or worst, of {of}",
    "whole": "whole numbers beyond the scale of the others, {low} to {high}",
    "scale": "numbers of quite another scale than the others, {low} to {high}",
    "signed": "numbers with a plus sign, as differences have",
    "beyond": "all beyond 1, {low} to {high}, where the others are fractions",
    "unknown": "-1 among positive numbers; not known?",
}

TOLD = 3
"""Columns that are told of those that a column sums up."""


def matching(patterns: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    """Columns of these names, or whose names fit one with ``*`` or ``?``; others stay as they are.

    >>> matching(["mean_*", "x", "a*"], ["mean_b", "mean_c", "a*", "ab"])
    ('mean_b', 'mean_c', 'x', 'a*')
    """
    found: list[str] = []
    for pattern in patterns:
        fitting = [pattern]
        if pattern not in columns and re.search(r"[*?]", pattern):
            folded = pattern.casefold()
            fitting = [it for it in columns if fnmatchcase(it.casefold(), folded)] or fitting
        found += fitting
    return tuple(dict.fromkeys(found))


# By name ------------------------------------------------------------------------------------------


def doubts_by_name(
    columns: Sequence[str], unnamed: Sequence[str] = (), *, players: bool = False
) -> dict[str, str]:
    """The columns that are no scores by their names, with the reason.

    Players may be called like some summaries, and only names of nothing else are doubted.
    """
    plain = {plain_name(column): column for column in columns}
    alone = PARTS.issuperset(plain) and not TRAINING.isdisjoint(plain)
    hits = HITS if len(HITS.intersection(plain)) > 1 else frozenset()
    best = EXTREMES if LATEST.isdisjoint(plain) and not players else frozenset()
    found = {}
    for column in columns:
        own = plain_name(column)
        if column in unnamed:
            found[column] = UNNAMED
        elif _is_summary(column) or (not players and _sums_up(column, plain)) or own in best:
            found[column] = SUMMARY
        elif is_difference(column):
            found[column] = DIFFERENCE
        elif _describes(column) or own in hits or (players and _tells_of(column, plain)):
            found[column] = PROPERTY
        elif (alone and own in TRAINING) or (is_training(column) and _measured(column)):
            found[column] = LEARNED
    return found


def _measured(column: str) -> bool:
    """Whether what is left of a name without the part of the data is a metric."""
    rest = re.sub(r"(?i)[\s_.(-]*\b(train|training)\b[\s_.)-]*", " ", column.replace("_", " "))
    return likely_metric(rest.strip()) is not None


def _tells_of(column: str, others: Mapping[str, str]) -> bool:
    """Whether the name is that of another column and a word such as "rank"."""
    words = re.findall(r"[^\s_\-/.()\[\]]+", column.lower())
    rests = [
        rest
        for word, rest in ((words[:1], words[1:]), (words[-1:], words[:-1]))
        if rest and QUALIFIERS.issuperset(word)
    ]
    return any(plain_name(" ".join(rest)) in others for rest in rests)


def sums_up(name: str) -> bool:
    """Whether the name of a row is that of a summary."""
    return _sums_up(name, {}) or is_summary(name)


def _is_summary(column: str) -> bool:
    return plain_name(column) in AGGREGATES or plain_name(bare_name(column)) in AGGREGATES - {"n"}


def _sums_up(column: str, others: Mapping[str, str]) -> bool:
    words = re.findall(r"[a-z0-9]+", plain_name(column)) or [""]
    if _is_summary(column) or words[0] in SUMMARY_STARTS:
        return True
    return _spreads(column, others) if words[-1] in SPREADS else words[-1] in SUMMARY_ENDS


def _spreads(column: str, others: Mapping[str, str]) -> bool:
    """Whether the name is that of another column and a word for a spread.

    "audiology-std" is a data set where there is no "audiology".
    """
    stem = re.sub(
        r"[^a-z0-9]*(std|sd|se|sem|stderr|stdev|stddev)[^a-z0-9]*$", "", plain_name(column)
    )
    own = plain_name(column)
    rest = [name for name in others if name != own]
    alone = bool(rest) and all(_last(name) in SPREADS for name in rest)
    return alone or any(name == stem or name.startswith((f"{stem}_", f"{stem}.")) for name in rest)


def _last(plain: str) -> str:
    return str((re.findall(r"[a-z]+", plain) or [""])[-1])


def _describes(column: str) -> bool:
    bare = re.sub(r"\s*[(\[][^()\[\]]*[)\]]$", "", column.strip())
    words, inner = re.findall(r"[a-z]+", column.lower()), re.findall(r"[a-z]+", bare.lower())
    if not re.search(r"\w", column) or SIGNS.search(column):
        return True
    last = {*words[-1:], *inner[-1:]}
    start = words[0] if words else ""
    return bool(
        last & PROPERTIES
        or start in PROPERTY_STARTS
        or COUNTED.match(column.strip())
        or UNITS.search(column.strip())
        or RATES.search(column.strip())
        or TIMES.search(column)
    )


# By values ----------------------------------------------------------------------------------------


def doubts_by_value(
    long: pl.Series,
    columns: Sequence[str],
    *,
    decimal: Decimal,
    percent: bool,
    players: bool,
    wanted: Sequence[str],
    lower: bool,
) -> dict[str, str]:
    """The columns that are no scores by their values, with the reason.

    Parameters
    ----------
    long : the cells of all columns, one column after the other.
    columns : their names.
    players : whether columns are players.
    wanted : columns that are scores, whatever they look like.
    lower : whether lower is better.
    """
    size = len(columns)
    rows = long.len() // max(size, 1)
    if not rows:
        return {}
    found = parse_numbers(long, decimal=decimal, percent=percent)
    bad = np.bincount(found.bad // rows, minlength=size)
    filled = (long.fill_null("").str.strip_chars() != "").to_numpy().reshape(size, rows).sum(axis=1)
    text = 2 * bad > filled
    doubts = {name: TEXT for name, odd in zip(columns, text, strict=True) if odd}
    doubts = {name: why for name, why in doubts.items() if name not in wanted}
    left = [k for k in range(size) if not text[k]]
    if doubts and found.bad.size > bad[text].sum():
        # Text beside them may hide what is told of all cells, such as their decimal commas.
        cells = long.gather(np.concatenate([np.arange(k * rows, (k + 1) * rows) for k in left]))
        inner = parse_numbers(cells, decimal=decimal, percent=percent) if left else found
        values = inner.values.reshape(len(left), rows)
    else:
        values = found.values.reshape(size, rows)[left]
    names = [columns[k] for k in left]
    unit = _units(long, size, rows)[left] if left else np.empty(0)
    excused = [name in wanted or likely_metric(name) is not None for name in names]
    table = Wideness(
        values, unit / (100.0 if percent else 1.0), players, np.array(excused, np.bool_), lower
    )
    for k, oddity in find_oddities(table).items():
        if names[k] not in wanted:
            doubts[names[k]] = _reason(oddity, names, values[k])
    signed = long.str.contains(r"^\s*\+\s*[0-9.,]").fill_null(False).to_numpy()
    with_plus = signed.reshape(size, rows).any(axis=1)
    if 0 < 2 * with_plus.sum() <= size:
        for name in (columns[k] for k in np.flatnonzero(with_plus).tolist()):
            if name not in wanted:
                doubts.setdefault(name, REASONS["signed"])
    return doubts


def _units(long: pl.Series, size: int, rows: int) -> Floats:
    """(size,) the last decimal that is written in each column."""
    digits = long.str.extract(r"^[^0-9]*[0-9]*[.,]([0-9]+)").str.len_chars().fill_null(0)
    decimals = digits.to_numpy().reshape(size, rows).max(axis=1)
    unit: Floats = 10.0 ** -np.minimum(decimals.astype(np.float64), 15.0)
    return unit


def _reason(oddity: Oddity, names: Sequence[str], values: Floats) -> str:
    there = values[np.isfinite(values)]
    of = [quote(names[k]) for k in oddity.of]
    all_others = len(of) > TOLD and len(of) == len(names) - 1
    listed = "all others" if all_others else list_some(of, shown=TOLD)
    low, high = number(float(there.min())), number(float(there.max()))
    return REASONS[oddity.kind].format(of=listed, low=low, high=high)
