"""A data frame of battles → Battles: matches that were arranged one by one."""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats
from winodds.errors import EmptyName, SelfMatch, UnknownWinner
from winodds.frames import Source
from winodds.matches import Battles
from winodds.names import index_names
from winodds.spelling import on_command_line
from winodds.table import Columns, index_columns, read_weights

LEFT_LABELS = ("model_a", "left")
RIGHT_LABELS = ("model_b", "right")
TIE_LABELS = ("tie", "tie (bothbad)")
NOBODY = "(empty)"
"""Stands for a winner that is missing, which is no label."""


@dataclass(frozen=True, slots=True)
class NamedBattles:
    """Battles of named players.

    Attributes
    ----------
    players : (m,) names, sorted.
    battles : the numbers.
    tidied : names that were normalised.
    """

    players: tuple[str, ...]
    battles: Battles
    tidied: int


def read_battles(
    frame: Source,
    *,
    left: str,
    right: str,
    winner: str | None,
    cluster: Columns | None = None,
    weights: str | None = None,
) -> NamedBattles:
    """Read and check battles; without a ``winner`` column the left player always won."""
    for column in (left, right, *([winner] if winner else [])):
        frame.require(column, _suggest(frame))
    first = index_names(frame.text(left), column=left, place=frame.place)
    second = index_names(frame.text(right), column=right, place=frame.place)
    names = tuple(sorted({*first.names, *second.names}))
    number = {name: k for k, name in enumerate(names)}
    a = np.array([number[name] for name in first.names])[first.code]
    b = np.array([number[name] for name in second.names])[second.code]
    same = a == b
    if same.any():
        row = int(same.argmax())
        raise SelfMatch(player=names[a[row]], where=frame.place(row), rows=int(same.sum()))
    battles = Battles(
        players=len(names),
        first=a,
        second=b,
        outcome=np.ones(a.size) if winner is None else _outcomes(frame, left, right, winner),
        weight=(
            np.ones(frame.rows) if weights is None else read_weights(frame, weights, frame.place)
        ),
        cluster=None if cluster is None else index_columns(frame, cluster).code,
    )
    return NamedBattles(names, battles, first.tidied + second.tidied)


def _suggest(frame: Source) -> str | None:
    if on_command_line():
        return None
    if {"winner", "loser"} <= set(frame.columns):
        return 'Say which is which: rate_battles(table, winner="winner", loser="loser").'
    return "Say which is which: rate_battles(table, left=…, right=…, winner=…)."


def _outcomes(frame: Source, left: str, right: str, winner: str) -> Floats:
    """(B,) 1 for the left player, 0 for the right one, ½ for a tie."""
    allowed = list(dict.fromkeys((left, right, *LEFT_LABELS, *RIGHT_LABELS, *TIE_LABELS)))
    try:
        labels = index_names(frame.text(winner), column=winner, place=frame.place)
    except EmptyName as empty:
        raise UnknownWinner(
            column=winner, label=NOBODY, allowed=allowed, where=empty.where
        ) from None
    meaning = {
        **dict.fromkeys(TIE_LABELS, 0.5),
        **dict.fromkeys(LEFT_LABELS, 1.0),
        **dict.fromkeys(RIGHT_LABELS, 0.0),
        left: 1.0,
        right: 0.0,
    }
    outcome = np.array([meaning.get(label, np.nan) for label in labels.names])[labels.code]
    unknown = np.isnan(outcome)
    if unknown.any():
        row = int(unknown.argmax())
        raise UnknownWinner(
            column=winner,
            label=labels.names[labels.code[row]],
            allowed=allowed,
            where=frame.place(row),
        )
    return outcome
