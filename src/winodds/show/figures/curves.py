"""A law of the best score → how its bias and spread change with one of the parameters."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from winodds.arrays import Floats
from winodds.language.checks import check_choice, check_count
from winodds.language.errors import BadOption, WinoddsError
from winodds.language.words import count
from winodds.show.figures.extent import join_words
from winodds.show.figures.figure import Column, Figure

if TYPE_CHECKING:
    from winodds.sota.what_if import Stated, StatedLaw

Over: TypeAlias = Literal["players", "n", "theta", "spread", "correlation"]

POINTS, POINTS_OF_AUC = 25, 10
MOST_PLAYERS = 10**9

AXES: dict[Over, str] = {
    "players": "Number of entries",
    "n": "Size of the test set",
    "theta": "Performance of the best entry, θ",
    "spread": "Spread of performances, d",
    "correlation": "Correlation with a common variable",
}

CURVES = {
    "at": Column(float, "Value of the parameter that changes."),
    "bias": Column(float, "By how much the best score is too high on average."),
    "sd": Column(float, "Standard deviation of the best score."),
    "expected": Column(float, "Expected best score."),
    "stated": Column(bool, "Whether this is the law itself."),
}


def make_curves(
    law: "StatedLaw",
    *,
    over: Over = "players",
    values: Sequence[float] | None = None,
    points: int | None = None,
) -> Figure:
    """Bias and sd of the best score over one parameter; see `LawFigures.curves`."""
    check_choice("over", over, get_args(Over))
    stated = law.stated
    _refuse_useless(stated, over)
    number = (POINTS_OF_AUC if stated.metric == "auc" else POINTS) if points is None else points
    check_count("points", number)
    if values is None:
        found, skipped = _compute_possible(stated, over, _grid(stated, over, number))
    else:
        if not len(values):
            raise BadOption(option="values", value=[], wanted="at least one is needed")
        found, skipped = [_row(_with(stated, over, value), over) for value in values], []
    own = float(getattr(stated, over))
    for row in found:
        row["stated"] = row["at"] == own
    return Figure(
        name="curves",
        title=f"Too high by how much, by {_short(over)}",
        caption=_caption(stated, over, skipped),
        left_out=_describe_skipped(skipped),
        columns=CURVES,
        cells={name: [row[name] for row in found] for name in CURVES},
        facts={"axis": AXES[over], "over": over, "log": over in ("players", "n")},
    )


def _short(over: Over) -> str:
    words: dict[Over, str] = {
        "players": "number of entries",
        "n": "size of the test set",
        "theta": "performance",
        "spread": "spread of performances",
        "correlation": "correlation",
    }
    return words[over]


def _refuse_useless(stated: "Stated", over: Over) -> None:
    if stated.metric == "other" and over in ("n", "theta"):
        wanted = "with a stated standard error, the bias does not depend on it"
        raise BadOption(option="over", value=over, wanted=wanted)


def _grid(stated: "Stated", over: Over, points: int) -> Floats:
    """Values around that of the law, and this one among them."""
    own = float(getattr(stated, over))
    if over in ("players", "n"):
        low, high = (1.0, max(10.0 * own, 100.0)) if over == "players" else (own / 30, own * 10)
        high = min(high, float(MOST_PLAYERS))
        spaced = np.rint(np.geomspace(max(low, 1.0), high, points))
    elif over == "theta":
        spaced = np.linspace(min(0.5, own), max(0.99, own), points)
    elif over == "spread":
        usual = 0.1 if stated.se is None else 6.0 * stated.se
        spaced = np.linspace(0.0, max(2.0 * own, usual), points)
    else:
        spaced = np.linspace(0.0, max(0.95, own), points)
    return np.unique(np.concatenate([spaced, [own]]))


def _with(stated: "Stated", over: Over, value: float) -> "Stated":
    """The same with another value; positives of an AUC grow with the test set."""
    changed: dict[str, Any] = {over: float(value)}
    if over in ("players", "n"):
        changed[over] = _whole(over, value)
    if over == "n" and stated.positives is not None and stated.n is not None:
        grown = round(stated.positives * changed["n"] / stated.n)
        changed["positives"] = min(max(grown, 1), changed["n"] - 1)
    return replace(stated, **changed)


def _whole(option: str, value: float) -> int:
    if value != round(value):
        raise BadOption(option=option, value=value, wanted="it is a whole number, 1 or more")
    return round(value)


def _compute_possible(
    stated: "Stated", over: Over, values: Floats
) -> tuple[list[dict[str, Any]], list[float]]:
    """A row for every value that a population can have, and the values that none can."""
    rows, skipped = [], []
    for value in values.tolist():
        try:
            rows.append(_row(_with(stated, over, value), over))
        except WinoddsError:
            skipped.append(value)
    return rows, skipped


def _row(stated: "Stated", over: Over) -> dict[str, Any]:
    law = stated.law()
    at = float(getattr(stated, over))
    return {"at": at, "bias": law.bias, "sd": law.sd, "expected": law.mean}


def _caption(stated: "Stated", over: Over, skipped: Sequence[float]) -> str:
    parts: dict[str, str] = {"players": count(stated.players, "entry", "entries")}
    if stated.n is not None:
        parts["n"] = f"{stated.n:,} test cases"
    if stated.positives is not None and stated.n is not None:
        share = f"{stated.positives / stated.n:.2g} of all cases positive"
        parts["positives"] = share if over == "n" else f"{stated.positives:,} of them positive"
    if stated.se is not None:
        parts["se"] = f"standard error {stated.se:g}"
    parts["theta"] = f"θ = {stated.theta:g}"
    parts["spread"] = f"spread {stated.spread:g}"
    parts["correlation"] = f"correlation {stated.correlation:g}"
    if stated.fixed:
        parts["fixed"] = "the common variable held fixed, with exactly a share θ of the cases easy"
    others = ", ".join(words for name, words in parts.items() if name != over)
    text = (
        f"Bias and standard deviation of the best score, by the {_short(over)}; otherwise "
        f"{others}. The point is the law itself."
    )
    return join_words([text, _describe_skipped(skipped)])


def _describe_skipped(values: Sequence[float]) -> str:
    return f"No such entries exist at {_range(values)}." if values else ""


def _range(values: Sequence[float]) -> str:
    if len(values) == 1:
        return f"{values[0]:.3g}"
    return f"{len(values)} values from {min(values):.3g} to {max(values):.3g}"
