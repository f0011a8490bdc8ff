"""Tables whose shape, or whose columns' roles, cannot be told."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import on_command_line, option, options
from winodds.language.words import NAMES_SHOWN, list_names, list_some, numeral, quote


class ColumnsInDoubt(UseError):
    """Columns of a wide table that are no scores by their names or values, with the reasons."""

    doubts: Mapping[str, str]
    unit: str = "round"
    labels: Sequence[str] = ()
    apart: Sequence[str] = ()

    def sentence(self) -> str:
        if self.apart:
            role = "player" if on_command_line() else "labels"
            verb = "tells" if len(self.apart) == 1 else "tell"
            return (
                f"{self._of_columns()} If {list_names(self.apart)} {verb} apart what has the same "
                f"{list_names(self.labels)}, pass {options(role, [*self.labels, *self.apart])}."
            )
        return self._of_columns()

    def _of_columns(self) -> str:
        columns = list(self.doubts)
        ignore = options("ignore", columns)
        if len(columns) == 1:
            [why] = self.doubts.values()
            return (
                f"{quote(columns[0])} does not look like the scores of a {self.unit}: {why}. Leave "
                f"it out with {ignore}, or keep it with {options('keep', columns)}."
            )
        told = [f"{quote(name)} ({why})" for name, why in self.doubts.items()]
        anything = "COLUMN" if on_command_line() else "…"
        return (
            f"{numeral(len(columns)).capitalize()} columns do not look like the scores of "
            f"{self.unit}s: {list_some(told, shown=NAMES_SHOWN)}. Leave them out with {ignore}, or "
            f"keep one with {options('keep', [anything])}."
        )

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        if not self.apart:
            return [{"ignore": list(self.doubts)}]
        rest = [name for name in self.doubts if name not in self.apart]
        return [{"player": [*self.labels, *self.apart], "ignore": rest}]


class AggregateRow(DataError):
    """A row of a wide table that sums others up."""

    name: str
    where: str

    def sentence(self) -> str:
        return (
            f"{quote(self.name)} ({self.where}) looks like a summary of other rows, not like a "
            f"round. Leave it out with {options('ignore', [self.name])}, or rename it if it is a "
            f"round."
        )

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        return [{"ignore": [self.name]}]


class NoColumnsLeft(UseError):
    """A wide table in which no column is left for the scores."""

    columns: Sequence[str]

    def sentence(self) -> str:
        names = list_names(self.columns) or "no column"
        verb = "names" if len(self.columns) < 2 else "name"
        return (
            f"The wide table has no columns of scores: {names} {verb} its rows, and the others, if "
            f"there are any, are ignored."
        )


CONTEST = "For a contest with one score for each entry there is 'winodds sota'."

ROUNDS = "For scores of players in several rounds there is 'winodds rate'."

FEW = 3
"""Columns of a leaderboard that looks like one of a contest whatever they are called."""

OF_A_CONTEST = ("team", "teamname", "team_name", "teamid", "entries", "submission", "submissions")
"""Columns that only contests have."""


class RolesUnclear(UseError):
    """Columns' names that do not tell which is the player, the round and the score."""

    columns: Sequence[str]
    missing: Sequence[str]
    several: Mapping[str, Sequence[str]]
    headless: bool = False
    wide: bool = False
    no_rounds: Sequence[str] = ()
    direction: bool = True
    joinable: bool = True
    free: Sequence[str] = ()
    contest: bool = False
    found: Mapping[str, Sequence[str]] = field(default_factory=dict)
    numbers: Sequence[str] | None = None
    alike: bool = False
    apart: Sequence[str] = ()

    def sentence(self) -> str:
        parts = [
            f"{numeral(len(found))} columns could be the {role}: {list_names(found, shown=12)}"
            for role, found in self.several.items()
        ]
        if self.missing:
            *first, last = (f"the {role}" for role in self.missing)
            nothing = f"{', '.join(first)} or {last}" if first else last
            parts.append(f"no column has a usual name for {nothing}")
        start = "; ".join(parts)
        if list(self.missing) == ["round"] and not self.free and not self.several:
            return (
                "There is one score for each player, and no column for rounds. A rating needs "
                f"scores of the players in at least two splits, folds or tasks. {CONTEST}"
            )
        listed = list_names(self.columns, shown=12)
        columns = f"The columns are {listed}." if listed else "There are no columns."
        end = " Is the line with the columns' names missing?" if self.headless else ""
        if len(self.missing) == 3 and not (self.headless or self._may_be_wide()):
            sides = (option(side) for side in ("left", "right", "winner"))
            end += f" If each row is a battle, name its columns with {', '.join(sides)}."
        if self._may_be_wide():
            others = "players" if "player" in self.missing and not self._label() else "rounds"
            rows = f"rows are players, named by {quote(self._label() or '')}, and the "
            rows = rows if self._label() else ""
            verb = "pass" if on_command_line() else "write"
            end += f" If the {rows}other columns are {others}, {verb} {self._as_wide()}."
        if self._may_be_contest():
            end += f" {CONTEST}"
        if self.contest and len(self.columns) > FEW:
            end += f" {ROUNDS}"
        return f"{start[0].upper()}{start[1:]}. {self._advice()} {columns}{end}"

    def _may_be_contest(self) -> bool:
        rounds = "round" in self.missing and not self.several
        named = any(column.casefold().replace(" ", "_") in OF_A_CONTEST for column in self.columns)
        return rounds and "score" not in self.missing and (named or len(self.columns) <= FEW)

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        """As a wide table where that is likely, and by the only columns that could be meant."""
        ways: list[Mapping[str, Any]] = []
        if self._may_be_wide():
            labels = self._labels()
            named = {"player": labels} if labels else {}
            ways.append({"wide": True, **named, "ignore": self._no_rounds()})
        first = {role: [names[0]] for role, names in self.several.items()}
        only = {role: self._only(role) for role in self.missing}
        if not self.headless and all(only.values()) and len({*only.values()}) == len(only):
            missing = {role: [str(name)] for role, name in only.items()}
            ways.append({**first, **missing})
            joint = {role: [*self.several[role]] for role in ("player", "round") & first.keys()}
            if joint and self.joinable:
                ways.append({**first, **missing, **joint})
        return ways

    def _only(self, role: str) -> str | None:
        """The only column that could play a role: with numbers, or with text."""
        told = self.free
        if self.numbers is not None:
            told = [it for it in told if (it in self.numbers) == (role == "score")] or told
        return told[0] if len(told) == 1 else None

    def _may_be_wide(self) -> bool:
        """Whether the other columns may be rounds: there are at least two, with numbers."""
        if self.headless or len(self.columns) < FEW:
            return False
        if self.numbers is None:
            return self.wide
        named = {*self.found.get("player", ()), *self.found.get("round", ()), self.columns[0]}
        rounds = [it for it in self.numbers if it not in (*named, *self.no_rounds)]
        if len(rounds) < 2 or (self.alike and "score" in self.several):
            return False
        several = "score" in self.several and "round" in self.missing
        return several or "score" in self.missing

    def _label(self) -> str | None:
        """The first column, if no name tells which one names the rows."""
        if self.numbers is None or self.found.get("player") or self.found.get("round"):
            return None
        return next((it for it in self.columns if it not in self.numbers), None)

    def _text(self) -> list[str]:
        """Columns that hold text."""
        return [] if self.numbers is None else [it for it in self.free if it not in self.numbers]

    def _labels(self) -> list[str]:
        """What has to be said of the columns that name players, where names do not tell it all."""
        if label := self._label():
            return [label]
        player = self.found.get("player", ())
        return [*player, *self.apart] if player and self.apart and "round" in self.missing else []

    def _no_rounds(self) -> list[str]:
        """Columns that are no rounds by their names, or hold text."""
        named = {*self._labels(), *self.found.get("player", ()), *self.found.get("round", ())}
        named |= {*self.found.get("tournament", ())}
        left = {*self.no_rounds, *self._text()} - named
        return [it for it in self.columns if it in left]

    def _as_wide(self) -> str:
        """All that a wide table needs: what is no round left out, and which way is better."""
        if not on_command_line():
            return self._as_wide_in_python()
        ways = [option("wide", True)]
        ways += [option("player", label) for label in self._labels()]
        if no_rounds := self._no_rounds():
            ways.append(options("ignore", no_rounds))
        if not self.direction:
            ways.append(
                f"{option('higher_is_better', True)} (or {option('higher_is_better', False)})"
            )
        return (" " if on_command_line() else ", ").join(ways)

    def _as_wide_in_python(self) -> str:
        ways = [options("ignore", found)] if (found := self._no_rounds()) else []
        if labels := self._labels():
            ways.insert(0, options("labels", labels))
        way = "" if self.direction else f", {option('higher_is_better', True)}"
        return f"rate(to_long({', '.join(['table', *ways])}){way})"

    def _advice(self) -> str:
        words = [option(role, found[0]) for role, found in self.several.items()]
        only = self.free[0] if len(self.free) == 1 == len(self.missing) else None
        anything = "COLUMN" if on_command_line() else "…"
        words += [option(role, only or anything) for role in self.missing]
        joined = " ".join(words) if on_command_line() else ", ".join(words)
        together = next((r for r in self.several if r in ("player", "round")), None)
        also = ""
        if together is not None and self.joinable:
            both = options(together, list(self.several[together][:2]))
            also = f" (or {both} if two together name a {together})"
        which = "which is which" if len(words) > 1 else "which it is"
        return f"Say {which}, for instance {joined}{also}."


class TwoRoles(UseError):
    """A column that is asked to play two roles."""

    column: str
    roles: tuple[str, str]

    def sentence(self) -> str:
        first, second = self.roles
        articles = [role if role.startswith("one ") else f"the {role}" for role in (first, second)]
        return f"Column {quote(self.column)} cannot be both {articles[0]} and {articles[1]}."


class StatusUnclear(UseError):
    """A column of states that says words whose meaning is not known."""

    column: str
    words: Sequence[str]
    switch: bool = False

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        return [{"ignore" if self.switch else "status": [self.column]}]

    def sentence(self) -> str:
        ignore = option("ignore", self.column) if on_command_line() else "dropping it"
        if self.switch:
            return (
                f"Column {quote(self.column)} says {list_names(self.words)} of runs, and not which "
                f"of these means success. Write 'ok' and 'failed' there; {ignore} leaves the "
                f"column out."
            )
        return (
            f"Column {quote(self.column)} tells how runs ended, and it says "
            f"{list_names(self.words)}, which may mean anything. With "
            f"{option('status', self.column)} runs that say so count as failed; "
            f"{ignore} leaves the column out."
        )


class ShapeUnclear(UseError):
    """A table that could be battles or scores, or a wide one whose rows could be either."""

    question: str
    ways: Sequence[str]
    roles: Sequence[Mapping[str, Any]] = ()

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        return self.roles

    def sentence(self) -> str:
        return f"{self.question} Say it with {', or '.join(self.ways)}."
