"""A data frame of battles → Battles: matches that were arranged one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from winodds.arrays import Bools, Floats, Ints
from winodds.language.errors import WinoddsError
from winodds.language.notes import Note
from winodds.language.options import BattleOptions
from winodds.language.spelling import on_command_line
from winodds.matches.results import Battles
from winodds.table.errors import (
    AmbiguousWinner,
    EmptyName,
    SelfMatch,
    TieAsWinner,
    UnknownWinner,
)
from winodds.table.frames import Source
from winodds.table.names import Index, index_names
from winodds.table.notes import bad_ties, both_orders
from winodds.table.table import index_columns, read_weights
from winodds.table.vocabulary import PROMPT_NAMES, plain_name

LEFT_LABELS = ("model_a", "left")
RIGHT_LABELS = ("model_b", "right")
BOTH_BAD = ("tie (bothbad)", "both_bad")
TIE_LABELS = ("tie", *BOTH_BAD)
WORDS = {"a": 1.0, "b": 0.0, "draw": 0.5}
"""Labels, in any case, unless a player is called so."""

NUMBERS = {"1": 1.0, "2": 0.0}
"""Labels where there is a "2"; beside a "0", a "1" may be anything."""

TIES = (*TIE_LABELS, "draw")
"""Words that no player is called by in a table of winners and losers."""

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

    def take(self, chosen: Bools) -> "NamedBattles":
        """Some of the battles, (B,), with the players who took part in them."""
        some = self.battles.take(chosen)
        present = np.union1d(some.first, some.second)
        names = tuple(self.players[k] for k in present.tolist())
        return NamedBattles(names, some.of_players(present), self.tidied)


def read_battles(frame: Source, asked: BattleOptions) -> NamedBattles:
    """Read and check battles; with a ``loser``, the left player is the one who always won."""
    left, right = asked.left, asked.right
    if asked.loser is not None:
        left, right = asked.winner, asked.loser
    for column in asked.sides.values():
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
    if asked.loser is not None:
        _refuse_ties(first, frame)
        _refuse_ties(second, frame)
        outcome = np.ones(a.size)
    else:
        outcome = _outcomes(frame, left, right, asked, np.stack([a, b]), number)
    battles = Battles(
        players=len(names),
        first=a,
        second=b,
        outcome=outcome,
        weight=(
            np.ones(frame.rows)
            if asked.weights is None
            else read_weights(frame, asked.weights, frame.place)
        ),
        cluster=None
        if asked.cluster is None
        else index_columns(frame, asked.cluster, shown=False).code,
    )
    return NamedBattles(names, battles, first.tidied + second.tidied)


def _suggest(frame: Source) -> str | None:
    if on_command_line():
        return None
    if {"winner", "loser"} <= set(frame.columns):
        return 'Say which is which: rate_battles(table, winner="winner", loser="loser").'
    return "Say which is which: rate_battles(table, left=…, right=…, winner=…)."


def _refuse_ties(winners: Index, frame: Source) -> None:
    """A tie among the names of winners or losers would become a player."""
    for number, label in enumerate(winners.names):
        if label.casefold() in TIES:
            row = int((winners.code == number).argmax())
            raise TieAsWinner(label=label, where=frame.place(row))


def _outcomes(
    frame: Source,
    left: str,
    right: str,
    asked: BattleOptions,
    sides: Ints,
    number: Mapping[str, int],
) -> Floats:
    """(B,) 1 for the left player, 0 for the right one, ½ for a tie.

    ``sides`` (2, B) are the players and ``number`` their numbers by name: a winner may also be
    given by its name.
    """
    winner = asked.winner
    allowed = list(dict.fromkeys((left, right, *LEFT_LABELS, *RIGHT_LABELS, *TIE_LABELS, *WORDS)))
    try:
        labels = index_names(frame.text(winner), column=winner, place=frame.place)
    except EmptyName as empty:
        raise UnknownWinner(
            column=winner, label=NOBODY, allowed=allowed, where=empty.where, empty=True
        ) from None
    meaning = {
        **_usual_words(labels.names, number),
        **dict.fromkeys(TIE_LABELS, 0.5),
        **dict.fromkeys(LEFT_LABELS, 1.0),
        **dict.fromkeys(RIGHT_LABELS, 0.0),
        left: 1.0,
        right: 0.0,
        **asked.meaning,
    }
    outcome = np.array([meaning.get(label, np.nan) for label in labels.names])[labels.code]
    named = np.array([number.get(label, -1) for label in labels.names])[labels.code]
    unknown = np.isnan(outcome)
    outcome[unknown & (named == sides[0])] = 1.0
    outcome[unknown & (named == sides[1])] = 0.0
    unknown = np.isnan(outcome)
    if unknown.any():
        row = int(unknown.argmax())
        raise UnknownWinner(
            column=winner,
            label=labels.names[labels.code[row]],
            allowed=allowed,
            where=frame.place(row),
        )
    by_name = np.where(named == sides[0], 1.0, np.where(named == sides[1], 0.0, outcome))
    if (twofold := by_name != outcome).any():
        row = int(twofold.argmax())
        raise AmbiguousWinner(
            column=winner,
            label=labels.names[labels.code[row]],
            side={1.0: left, 0.0: right}.get(float(outcome[row])),
            where=frame.place(row),
        )
    return outcome


def _usual_words(labels: Sequence[str], players: Mapping[str, int]) -> dict[str, float]:
    """What labels mean that are usual, and by which no player is called."""
    numbers = NUMBERS if "2" in labels and "0" not in labels else {}
    usual = {**WORDS, **numbers}
    return {
        label: usual[label.casefold()]
        for label in labels
        if label.casefold() in usual and label not in players
    }


def count_bad_ties(frame: Source, asked: BattleOptions, battles: Battles) -> list[Note]:
    """A note about ties between two bad answers, where there are some; none about a part."""
    if asked.loser is not None or battles.first.size != frame.rows:
        return []
    labels = frame.text(asked.winner).cast(pl.String).str.strip_chars()
    bad = int(labels.is_in(BOTH_BAD).sum())
    ties = int(labels.is_in(TIE_LABELS).sum())
    return [bad_ties(bad, ties)] if bad else []


# The same two players on the same prompt ----------------------------------------------------------


def prompt_columns(columns: Sequence[str]) -> list[str]:
    """Columns that by their names say on what two players met."""
    return [column for column in columns if plain_name(column) in PROMPT_NAMES]


def find_both_orders(frame: Source, battles: Battles) -> list[Note]:
    """A note for the first such column on whose values pairs met in both orders."""
    for column in prompt_columns(frame.columns):
        try:
            text = frame.text(column).cast(pl.String)
        except WinoddsError:
            # What is no text, or not there in every line, names no prompt.
            continue
        pairs = _count_both_orders(text, battles)
        if pairs:
            return [both_orders(pairs, column)]
    return []


def _count_both_orders(prompt: pl.Series, battles: Battles) -> int:
    """How many pairs of players met on one prompt with either of them on the first seat."""
    if prompt.len() != battles.first.size:
        return 0
    met = pl.DataFrame(
        {
            "prompt": prompt,
            "low": np.minimum(battles.first, battles.second),
            "high": np.maximum(battles.first, battles.second),
            "swapped": battles.first > battles.second,
        }
    ).filter(pl.col("prompt").fill_null("").str.strip_chars() != "")
    orders = met.group_by("prompt", "low", "high").agg(pl.col("swapped").n_unique())
    return int((orders["swapped"] > 1).sum())
